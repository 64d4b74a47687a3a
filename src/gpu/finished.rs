//! The finished list, read back some frames late and without waiting: a small ring of copies in flight.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use bytemuck::cast_slice;

use super::device::Gpu;
use super::pool::{Pool, buffer};
use crate::host::Stage;
use crate::host::rows::Counter;

/// Copies in flight at the most; a step that finds none free is not looked at.
const DEPTH: usize = 4;

const IDLE: u8 = 0;
const COPIED: u8 = 1;
const MAPPING: u8 = 2;
const READY: u8 = 3;
const FAILED: u8 = 4;

/// Bytes before the list: how many rows it has, and what makes the list start where copies may.
const HEAD: u64 = 8;

/// One copy: the list's length, then its rows.
#[derive(Debug)]
struct Copy {
    staging: wgpu::Buffer,
    phase: Arc<AtomicU8>,
    rows: u32,
}

/// Reads a pool's finished list and tells the stage.
#[derive(Debug)]
pub struct FinishedReader {
    ring: [Copy; DEPTH],
    /// Where the next copy goes, and the oldest one that was not taken yet.
    next: usize,
    oldest: usize,
}

fn staging(gpu: &Gpu, rows: u32) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
    buffer(&gpu.device, "mote.finished", HEAD + u64::from(rows) * 4, usage)
}

impl FinishedReader {
    /// A ring with nothing in flight.
    #[must_use]
    pub fn new(gpu: &Gpu) -> Self {
        Self {
            ring: std::array::from_fn(|_| Copy {
                staging: staging(gpu, 0),
                phase: Arc::new(AtomicU8::new(IDLE)),
                rows: 0,
            }),
            next: 0,
            oldest: 0,
        }
    }

    /// Bytes of its buffers.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.ring.iter().map(|copy| copy.staging.size()).sum()
    }

    /// Records a copy of the list as a step of `rows` rows left it, where one is free.
    pub fn record(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, pool: &Pool, rows: u32) {
        let copy = &mut self.ring[self.next];
        if rows == 0 || copy.phase.load(Ordering::Acquire) != IDLE {
            return;
        }
        let (first, bytes) = pool.finished_bytes(rows);
        if copy.rows < rows {
            copy.rows = rows.next_power_of_two();
            copy.staging = staging(gpu, copy.rows);
        }
        let count = u64::from(Counter::Finished as u32) * 4;
        encoder.copy_buffer_to_buffer(&pool.counters, count, &copy.staging, 0, 4);
        encoder.copy_buffer_to_buffer(&pool.counters, first, &copy.staging, HEAD, bytes);
        copy.phase.store(COPIED, Ordering::Release);
        self.next = (self.next + 1) % DEPTH;
    }

    /// Hands what has arrived to the stage, in the order of the steps; call once a frame, after submitting.
    pub fn poll(&mut self, gpu: &Gpu, stage: &mut Stage) {
        for copy in &self.ring {
            if copy.phase.load(Ordering::Acquire) == COPIED {
                copy.phase.store(MAPPING, Ordering::Release);
                let phase = Arc::clone(&copy.phase);
                copy.staging
                    .slice(..)
                    .map_async(wgpu::MapMode::Read, move |result| {
                        phase.store(if result.is_ok() { READY } else { FAILED }, Ordering::Release);
                    });
            }
        }
        if let Err(error) = gpu.device.poll(wgpu::PollType::Poll) {
            tracing::debug!(%error, "polling the device");
        }
        for _ in 0..DEPTH {
            let copy = &self.ring[self.oldest];
            match copy.phase.load(Ordering::Acquire) {
                READY => {
                    if let Ok(view) = copy.staging.slice(..).get_mapped_range() {
                        let words: &[u32] = cast_slice(&view);
                        let list = words[(HEAD / 4) as usize..].iter();
                        let list = list.take(words[0].min(copy.rows) as usize);
                        stage.note_finished(list.map(|word| (word & 0xffff, word >> 16)));
                    }
                    copy.staging.unmap();
                }
                FAILED => {}
                _ => return,
            }
            copy.phase.store(IDLE, Ordering::Release);
            self.oldest = (self.oldest + 1) % DEPTH;
        }
    }
}
