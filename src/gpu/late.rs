//! A buffer of the device's that is read some frames late: nobody ever waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::device::Gpu;
use super::pool::buffer;

/// Nothing is under way.
const IDLE: u8 = 0;
/// The copy is recorded, and by the next poll submitted.
const RECORDED: u8 = 1;
/// The device has been asked.
const MAPPING: u8 = 2;
/// The device has answered.
const READY: u8 = 3;
/// The device had no answer.
const FAILED: u8 = 4;

/// One copy on its way: recorded, asked for, taken.
#[derive(Debug)]
pub(super) struct Late {
    buffer: wgpu::Buffer,
    phase: Arc<AtomicU8>,
}

impl Late {
    /// Room for a copy of so many bytes.
    pub(super) fn new(device: &wgpu::Device, label: &str, bytes: u64) -> Self {
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        Self {
            buffer: buffer(device, label, bytes, usage),
            phase: Arc::new(AtomicU8::new(IDLE)),
        }
    }

    /// Its size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.buffer.size()
    }

    /// Where to copy to, while it is idle.
    pub(super) fn target(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Whether a copy may be recorded.
    pub(super) fn is_idle(&self) -> bool {
        self.phase.load(Ordering::Acquire) == IDLE
    }

    /// A copy was recorded.
    pub(super) fn recorded(&self) {
        self.phase.store(RECORDED, Ordering::Release);
    }

    /// Asks the device for what was recorded; call it after submitting.
    pub(super) fn ask(&self) {
        if self.phase.load(Ordering::Acquire) != RECORDED {
            return;
        }
        self.phase.store(MAPPING, Ordering::Release);
        let phase = Arc::clone(&self.phase);
        self.buffer
            .slice(..)
            .map_async(wgpu::MapMode::Read, move |result| {
                phase.store(if result.is_ok() { READY } else { FAILED }, Ordering::Release);
            });
    }

    /// Reads what has arrived and is idle again. False while there is nothing to take: nothing is under way, or it
    /// still is. A copy that failed is taken without being read.
    pub(super) fn take(&self, read: impl FnOnce(&[u8])) -> bool {
        match self.phase.load(Ordering::Acquire) {
            READY => {
                if let Ok(view) = self.buffer.slice(..).get_mapped_range() {
                    read(&view);
                }
                self.buffer.unmap();
            }
            FAILED => {}
            _ => return false,
        }
        self.phase.store(IDLE, Ordering::Release);
        true
    }
}

/// Lets the device answer what was asked, without waiting.
pub(super) fn answer(gpu: &Gpu) {
    if let Err(error) = gpu.device.poll(wgpu::PollType::Poll) {
        tracing::debug!(%error, "polling the device");
    }
}
