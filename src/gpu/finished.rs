//! The finished list, read back some frames late and without waiting: a small ring of copies in flight.

use bytemuck::cast_slice;

use super::device::Gpu;
use super::late::{Late, answer};
use super::pool::Pool;
use crate::host::Stage;
use crate::host::rows::Counter;

/// Copies in flight at the most; a step that finds none free is not looked at.
const DEPTH: usize = 4;

/// Bytes before the list: how many rows it has, and what makes the list start where copies may.
const HEAD: u64 = 8;

/// One copy: the list's length, then its rows.
#[derive(Debug)]
struct Copy {
    late: Late,
    rows: u32,
}

impl Copy {
    fn new(gpu: &Gpu, rows: u32) -> Self {
        Self {
            late: Late::new(&gpu.device, "mote.finished", HEAD + u64::from(rows) * 4),
            rows,
        }
    }
}

/// Reads a pool's finished list and tells the stage.
#[derive(Debug)]
pub struct FinishedReader {
    ring: [Copy; DEPTH],
    /// Where the next copy goes, and the oldest one that was not taken yet.
    next: usize,
    oldest: usize,
}

impl FinishedReader {
    /// A ring with nothing in flight.
    #[must_use]
    pub fn new(gpu: &Gpu) -> Self {
        Self {
            ring: std::array::from_fn(|_| Copy::new(gpu, 0)),
            next: 0,
            oldest: 0,
        }
    }

    /// Bytes of its buffers.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.ring.iter().map(|copy| copy.late.bytes()).sum()
    }

    /// Records a copy of the list as a step of `rows` rows left it, where one is free.
    pub fn record(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, pool: &Pool, rows: u32) {
        let copy = &mut self.ring[self.next];
        if rows == 0 || !copy.late.is_idle() {
            return;
        }
        let (first, bytes) = pool.finished_bytes(rows);
        if copy.rows < rows {
            *copy = Copy::new(gpu, rows.next_power_of_two());
        }
        let count = u64::from(Counter::Finished as u32) * 4;
        let target = copy.late.target();
        encoder.copy_buffer_to_buffer(&pool.counters, count, target, 0, 4);
        encoder.copy_buffer_to_buffer(&pool.counters, first, target, HEAD, bytes);
        copy.late.recorded();
        self.next = (self.next + 1) % DEPTH;
    }

    /// Hands what has arrived to the stage, in the order of the steps; call once a frame, after submitting.
    pub fn poll(&mut self, gpu: &Gpu, stage: &mut Stage) {
        for copy in &self.ring {
            copy.late.ask();
        }
        answer(gpu);
        for _ in 0..DEPTH {
            let copy = &self.ring[self.oldest];
            let taken = copy.late.take(|bytes| {
                let words: &[u32] = cast_slice(bytes);
                let list = words[(HEAD / 4) as usize..].iter();
                let list = list.take(words[0].min(copy.rows) as usize);
                stage.note_finished(list.map(|word| (word & 0xffff, word >> 16)));
            });
            if !taken {
                return;
            }
            self.oldest = (self.oldest + 1) % DEPTH;
        }
    }
}
