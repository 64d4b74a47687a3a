//! How long passes take on the device, some frames late and without ever waiting for it.
//!
//! ```no_run
//! # fn frame(gpu: &mote::gpu::Gpu, timer: &mut Option<mote::gpu::PassTimer>) {
//! # let mut encoder = gpu.device.create_command_encoder(&Default::default());
//! let timestamp_writes = timer.as_mut().and_then(|timer| timer.begin(0));
//! encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes });
//! if let Some(timer) = timer {
//!     timer.resolve(&mut encoder);
//! }
//! gpu.queue.submit([encoder.finish()]);
//! if let Some(timer) = timer {
//!     timer.poll(gpu);
//!     let microseconds = timer.latest();
//! }
//! # }
//! ```

use bytemuck::pod_read_unaligned;

use super::device::Gpu;
use super::late::{Late, answer};
use super::pool::buffer;

/// Frames whose times may be under way at once. A frame that finds none free is not timed.
const FRAMES: usize = 4;
/// Times one pass may run in a frame, on average over the passes; what is more is not timed.
const RUNS_A_PASS: usize = 4;

/// One frame under way.
#[derive(Debug)]
struct Frame {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    late: Late,
    /// The pass of each pair of timestamps, in the order they were asked for.
    passes: Vec<usize>,
    /// Which frame it is.
    number: u64,
}

/// Times passes by the device's own clock. Each pass that is timed is a compute pass of its own, which costs some
/// time itself: where nothing is timed, one compute pass holds them all.
#[derive(Debug)]
pub struct PassTimer {
    names: Vec<&'static str>,
    frames: Vec<Frame>,
    /// The frame being recorded, where one was free.
    current: Option<usize>,
    number: u64,
    /// Microseconds a tick.
    period: f64,
    latest: Vec<f64>,
    /// The frame that `latest` is of; 0 before the first.
    latest_number: u64,
}

impl PassTimer {
    /// A timer of passes by their index in `names`. None where the device has no timestamps
    /// ([`requirements`](super::requirements) asks for them where the adapter has) or there is nothing to time.
    #[must_use]
    pub fn new(gpu: &Gpu, names: &[&'static str]) -> Option<Self> {
        Self::with_runs(gpu, names, names.len() * RUNS_A_PASS)
    }

    /// Likewise, for frames in which passes run so many times together.
    #[must_use]
    pub fn with_runs(gpu: &Gpu, names: &[&'static str], runs: usize) -> Option<Self> {
        let supported = gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        let runs = runs.min(wgpu::QUERY_SET_MAX_QUERIES as usize / 2);
        if !supported || runs == 0 {
            return None;
        }
        Some(Self {
            names: names.to_vec(),
            frames: (0..FRAMES).map(|_| Frame::new(&gpu.device, runs)).collect(),
            current: None,
            number: 0,
            period: f64::from(gpu.queue.get_timestamp_period()) / 1_000.0,
            latest: vec![f64::NAN; names.len()],
            latest_number: 0,
        })
    }

    /// The passes' names, in the order of [`Self::latest`].
    #[must_use]
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// What to begin a pass with so that it is timed. None where this frame or this run is not timed; the pass
    /// then runs without. A pass that runs several times in a frame has the sum.
    pub fn begin(&mut self, pass: usize) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        if pass >= self.names.len() {
            return None;
        }
        if self.current.is_none() {
            self.current = self.frames.iter().position(|frame| frame.late.is_idle());
            self.frames[self.current?].passes.clear();
        }
        let frame = &mut self.frames[self.current?];
        let first = frame.passes.len() as u32 * 2;
        if u64::from(first + 2) * TICK_BYTES > frame.late.bytes() {
            return None;
        }
        frame.passes.push(pass);
        Some(wgpu::ComputePassTimestampWrites {
            query_set: &frame.queries,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        })
    }

    /// Ends a frame: records the copy of its times. `encoder` is the one that the passes were recorded in, or one
    /// that is submitted after it.
    pub fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder) {
        self.number += 1;
        let Some(index) = self.current.take() else { return };
        let frame = &mut self.frames[index];
        // Only what was written: a device may wait for ever for a time that never comes.
        let count = frame.passes.len() as u32 * 2;
        let bytes = u64::from(count) * TICK_BYTES;
        encoder.resolve_query_set(&frame.queries, 0..count, &frame.resolved, 0);
        encoder.copy_buffer_to_buffer(&frame.resolved, 0, frame.late.target(), 0, bytes);
        frame.number = self.number;
        frame.late.recorded();
    }

    /// Takes what has arrived, without waiting. Call it once a frame, after submitting what was resolved.
    pub fn poll(&mut self, gpu: &Gpu) {
        for frame in &self.frames {
            frame.late.ask();
        }
        answer(gpu);
        let (period, times, latest) = (self.period, &mut self.latest, &mut self.latest_number);
        for frame in &self.frames {
            frame.late.take(|bytes| {
                if frame.number > *latest && frame.read(bytes, period, times) {
                    *latest = frame.number;
                }
            });
        }
    }

    /// Microseconds of each pass in the latest frame that has arrived; NaN for a pass that did not run in it.
    /// None until the first has.
    #[must_use]
    pub fn latest(&self) -> Option<&[f64]> {
        (self.latest_number > 0).then_some(&self.latest)
    }

    /// Which frame [`Self::latest`] is of, counted from 1; 0 before the first has arrived.
    #[must_use]
    pub fn latest_frame(&self) -> u64 {
        self.latest_number
    }

    /// How many frames ago that was.
    #[must_use]
    pub fn lateness(&self) -> u64 {
        self.number - self.latest_number
    }
}

const TICK_BYTES: u64 = wgpu::QUERY_SIZE as u64;

impl Frame {
    fn new(device: &wgpu::Device, runs: usize) -> Self {
        let count = runs as u32 * 2;
        let bytes = u64::from(count) * TICK_BYTES;
        let resolved = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("mote.timings"),
                ty: wgpu::QueryType::Timestamp,
                count,
            }),
            resolved: buffer(device, "mote.timings.resolved", bytes, resolved),
            late: Late::new(device, "mote.timings.staging", bytes),
            passes: Vec::with_capacity(runs),
            number: 0,
        }
    }

    /// Adds up the passes' times into `times`. False where it gave too few.
    fn read(&self, bytes: &[u8], period: f64, times: &mut [f64]) -> bool {
        times.fill(f64::NAN);
        let mut ticks = bytes
            .chunks_exact(TICK_BYTES as usize)
            .map(pod_read_unaligned::<u64>);
        for &pass in &self.passes {
            let (Some(start), Some(end)) = (ticks.next(), ticks.next()) else {
                return false;
            };
            // A clock that was set back between the two has no time to give.
            let Some(ticks) = end.checked_sub(start) else {
                continue;
            };
            let before = if times[pass].is_nan() { 0.0 } else { times[pass] };
            times[pass] = before + ticks as f64 * period;
        }
        true
    }
}
