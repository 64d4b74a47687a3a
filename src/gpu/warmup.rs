//! The pre-warm on the device: a population of its own for the ticks of one step, then moved into the pool.

use bytemuck::{bytes_of, cast_slice};

use super::device::Gpu;
use super::pass::{BufferId, PassId, WARM_END, WARM_TICK};
use super::pool::{buffer, counter_words, filled};
use crate::base::gpu_struct::GpuStruct as _;
use crate::host::Warmup;
use crate::host::rows::{Counter, FrameParams, SCAN_TILE, args};
use crate::isa::RECORD_WORDS;

const STORAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::COPY_DST);

/// The buffers of one pre-warm. They live until the device has run it.
#[derive(Debug)]
pub(super) struct Population {
    frames: wgpu::Buffer,
    stride: u64,
    ticks: u32,
    records: wgpu::Buffer,
    lists: [wgpu::Buffer; 2],
    dead: wgpu::Buffer,
    counters: wgpu::Buffer,
    flags: wgpu::Buffer,
    pub(super) args: wgpu::Buffer,
}

impl Population {
    /// Makes room for a pre-warm and writes the numbers of its ticks.
    pub(super) fn new(gpu: &Gpu, warmup: &Warmup, step: &FrameParams) -> Self {
        let device = &gpu.device;
        let particles = warmup.particles.min(gpu.max_particles());
        let warmup = Warmup { particles, ..*warmup };
        let size = u64::from(FrameParams::words()) * 4;
        let stride = size.next_multiple_of(u64::from(device.limits().min_uniform_buffer_offset_alignment));
        let mut bytes = vec![0; (stride * u64::from(warmup.ticks)) as usize];
        for tick in 0..warmup.ticks {
            let first = (u64::from(tick) * stride) as usize;
            let params = warmup.params(step, tick);
            bytes[first..first + size as usize].copy_from_slice(bytes_of(&params));
        }
        let free: Vec<u32> = (0..particles).collect();
        let mut counters = counter_words(step.row_capacity);
        counters[Counter::Dead as usize] = particles;
        let list = |name: &str| buffer(device, name, u64::from(particles) * 4, STORAGE);
        let tiles = particles.div_ceil(SCAN_TILE);
        Self {
            frames: filled(device, "mote.warm.frames", wgpu::BufferUsages::UNIFORM, &bytes),
            stride,
            ticks: warmup.ticks,
            records: buffer(
                device,
                "mote.warm.records",
                u64::from(particles) * u64::from(RECORD_WORDS) * 4,
                STORAGE,
            ),
            lists: [list("mote.warm.alive_a"), list("mote.warm.alive_b")],
            dead: filled(device, "mote.warm.dead", STORAGE, cast_slice(&free)),
            counters: filled(device, "mote.warm.counters", STORAGE, cast_slice(&counters)),
            flags: buffer(
                device,
                "mote.warm.flags",
                u64::from(particles + tiles) * 4,
                STORAGE,
            ),
            args: buffer(
                device,
                "mote.warm.args",
                u64::from(args::WORDS) * 4,
                STORAGE | wgpu::BufferUsages::INDIRECT,
            ),
        }
    }

    /// Every pass with its tick, in order; the last tick's numbers serve the move into the pool too.
    pub(super) fn passes(&self) -> impl Iterator<Item = (PassId, u32)> + use<> {
        let ticks = self.ticks;
        let run = (0..ticks).flat_map(|tick| WARM_TICK.into_iter().map(move |pass| (pass, tick)));
        run.chain(WARM_END.into_iter().map(move |pass| (pass, ticks)))
    }

    /// The buffer of an id in a tick, where it is the pre-warm's own. Lists change places from tick to tick.
    pub(super) fn binding(&self, id: BufferId, tick: u32) -> Option<wgpu::BindingResource<'_>> {
        let even = (tick % 2) as usize;
        Some(
            match id {
                BufferId::Frame => {
                    let size = std::num::NonZeroU64::new(u64::from(FrameParams::words()) * 4);
                    return Some(wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                        buffer: &self.frames,
                        offset: u64::from(tick.min(self.ticks - 1)) * self.stride,
                        size,
                    }));
                }
                BufferId::Pool => &self.records,
                BufferId::AliveIn => &self.lists[1 - even],
                BufferId::Alive => &self.lists[even],
                BufferId::Dead => &self.dead,
                BufferId::Counters => &self.counters,
                BufferId::Flags => &self.flags,
                BufferId::Args => &self.args,
                _ => return None,
            }
            .as_entire_binding(),
        )
    }
}
