//! The pool: records, lists, counters, indirect arguments and the rows they are drawn by. It has no opinion
//! how particles move: a driver writes it, [`crate::draw`] reads it.

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::cast_slice;
use thiserror::Error;

use super::device::Gpu;
use super::readback::{ReadError, read_words};
use crate::base::gpu_struct::GpuStruct as _;
use crate::host::bindings::BindingRow;
use crate::host::rows::{
    COUNTER_HEADER_WORDS, Counter, EmitterRow, EmitterState, PAGE_ROWS, QUAD_VERTICES, ROW_COUNTER_MIN,
    ROW_COUNTER_WORDS, TRANSFORM_WORDS, args,
};
use crate::host::stage::MAX_ROWS;
use crate::host::{Spans, Stage};
use crate::isa::{HEADER_WORD, RECORD_WORDS};
use crate::reference::Reference;

/// The versions of all pools together: no two pools have had the same one, so a bind group made for one pool is
/// never taken for another's.
fn next_version() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

const STORAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
    .union(wgpu::BufferUsages::COPY_DST)
    .union(wgpu::BufferUsages::COPY_SRC);

/// A pool cannot grow.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each case is its message")]
#[non_exhaustive]
pub enum GrowError {
    #[error("{wanted} particles are wanted, the device can bind {available}")]
    TooMany { wanted: u64, available: u32 },
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// Buffers of one population of particles.
#[derive(Debug)]
pub struct Pool {
    capacity: u32,
    row_capacity: u32,
    binding_capacity: u32,
    pub(super) records: wgpu::Buffer,
    pub(super) alive: wgpu::Buffer,
    pub(super) dead: wgpu::Buffer,
    pub(super) counters: wgpu::Buffer,
    pub(super) args: wgpu::Buffer,
    pub(super) emitters: wgpu::Buffer,
    /// Composed poses: written by the transforms pass, or by a CPU driver.
    pub(super) transforms: wgpu::Buffer,
    /// Goes up when a buffer was made anew; bind groups made before are stale.
    version: u64,
    /// Tables are uploaded whole.
    stale: bool,
}

impl Pool {
    /// An empty pool of so many particles, at most what the device can bind.
    #[must_use]
    pub fn new(gpu: &Gpu, capacity: u32) -> Self {
        Self::with_rows(gpu, capacity, FIRST_ROWS)
    }

    /// Likewise, with room for so many rows from the start.
    #[must_use]
    pub fn with_rows(gpu: &Gpu, capacity: u32, rows: u32) -> Self {
        let capacity = capacity.clamp(1, gpu.max_particles());
        let row_capacity = rows.clamp(FIRST_ROWS, MAX_ROWS).next_power_of_two();
        let device = &gpu.device;
        let free: Vec<u32> = (0..capacity).collect();
        let dead = filled(device, "mote.pool.dead", STORAGE, cast_slice(&free));
        let mut words = counter_words(row_capacity);
        words[Counter::Dead as usize] = capacity;
        Self {
            capacity,
            row_capacity,
            records: buffer(
                device,
                "mote.pool.records",
                u64::from(capacity) * u64::from(RECORD_WORDS) * 4,
                STORAGE,
            ),
            alive: buffer(device, "mote.pool.alive", u64::from(capacity) * 4, STORAGE),
            dead,
            counters: filled(device, "mote.pool.counters", STORAGE, cast_slice(&words)),
            args: buffer(
                device,
                "mote.pool.args",
                u64::from(args::WORDS) * 4,
                STORAGE | wgpu::BufferUsages::INDIRECT,
            ),
            emitters: buffer(
                device,
                "mote.pool.emitters",
                emitter_bytes(row_capacity, FIRST_BINDINGS),
                STORAGE,
            ),
            binding_capacity: FIRST_BINDINGS,
            transforms: buffer(
                device,
                "mote.pool.transforms",
                transform_bytes(row_capacity),
                STORAGE,
            ),
            version: next_version(),
            stale: true,
        }
    }

    /// Particles it holds.
    #[must_use]
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Goes up when a buffer was made anew; no other pool of the process ever has the same.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// First word of the emitters' states.
    #[must_use]
    pub fn state_base(&self) -> u32 {
        self.row_capacity * EmitterRow::words()
    }

    /// First word of the emitters' occupancy: a bit a row.
    #[must_use]
    pub fn occupancy_base(&self) -> u32 {
        self.state_base() + self.row_capacity * EmitterState::words()
    }

    /// First word of the field bindings.
    #[must_use]
    pub fn binding_base(&self) -> u32 {
        self.occupancy_base() + self.row_capacity.div_ceil(PAGE_ROWS)
    }

    /// Rows the tables have room for.
    #[must_use]
    pub fn row_capacity(&self) -> u32 {
        self.row_capacity
    }

    /// First byte of the finished list in the counters, and its length in bytes.
    #[must_use]
    pub fn finished_bytes(&self, rows: u32) -> (u64, u64) {
        let first = COUNTER_HEADER_WORDS + self.row_capacity * ROW_COUNTER_WORDS;
        (u64::from(first) * 4, u64::from(rows.min(self.row_capacity)) * 4)
    }

    /// Bytes of all its buffers.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.buffers().iter().map(|(_, bytes)| bytes).sum()
    }

    /// Name and bytes of each of its buffers.
    #[must_use]
    pub fn buffers(&self) -> [(&'static str, u64); 7] {
        [
            ("pool.records", self.records.size()),
            ("pool.alive", self.alive.size()),
            ("pool.dead", self.dead.size()),
            ("pool.counters", self.counters.size()),
            ("pool.args", self.args.size()),
            ("pool.emitters", self.emitters.size()),
            ("pool.transforms", self.transforms.size()),
        ]
    }

    /// Makes room for more particles; the living keep their slots, and the free slots there were are taken first, in
    /// the order they would have been. What was recorded before must be submitted. It waits for the device, since
    /// only the device knows how many slots are free.
    ///
    /// # Errors
    /// [`GrowError`] where the device cannot bind so many, or is gone; then the pool is what it was.
    pub fn grow_particles(&mut self, gpu: &Gpu, capacity: u32) -> Result<(), GrowError> {
        if capacity <= self.capacity {
            return Ok(());
        }
        let available = gpu.max_particles();
        if capacity > available {
            let wanted = u64::from(capacity);
            return Err(GrowError::TooMany { wanted, available });
        }
        let device = &gpu.device;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("mote.pool.grow"),
        });
        let count = buffer(device, "mote.pool.grow.count", 4, STORAGE);
        let word = u64::from(Counter::Dead as u32) * 4;
        encoder.copy_buffer_to_buffer(&self.counters, word, &count, 0, 4);
        let bytes = u64::from(capacity) * 4;
        let record_bytes = u64::from(RECORD_WORDS) * 4;
        let records = buffer(
            device,
            "mote.pool.records",
            u64::from(capacity) * record_bytes,
            STORAGE,
        );
        let alive = buffer(device, "mote.pool.alive", bytes, STORAGE);
        let more = capacity - self.capacity;
        // The last slot of the list is taken first, so the new ones lie before those that were free.
        let new: Vec<u32> = (self.capacity..capacity)
            .chain(std::iter::repeat_n(0, self.capacity as usize))
            .collect();
        let dead = filled(device, "mote.pool.dead", STORAGE, cast_slice(&new));
        let old = u64::from(self.capacity);
        encoder.copy_buffer_to_buffer(&self.records, 0, &records, 0, old * record_bytes);
        encoder.copy_buffer_to_buffer(&self.alive, 0, &alive, 0, old * 4);
        encoder.copy_buffer_to_buffer(&self.dead, 0, &dead, u64::from(more) * 4, old * 4);
        gpu.queue.submit([encoder.finish()]);
        let free = read_words(gpu, &count)?.first().copied().unwrap_or(0);
        gpu.queue
            .write_buffer(&self.counters, word, cast_slice(&[free + more]));
        (self.records, self.alive, self.dead) = (records, alive, dead);
        self.capacity = capacity;
        self.version = next_version();
        Ok(())
    }

    /// The records.
    #[must_use]
    pub fn records(&self) -> &wgpu::Buffer {
        &self.records
    }

    /// The living's slots.
    #[must_use]
    pub fn alive(&self) -> &wgpu::Buffer {
        &self.alive
    }

    /// The free slots, of which the last are taken first.
    #[must_use]
    pub fn dead(&self) -> &wgpu::Buffer {
        &self.dead
    }

    /// The counters, by [`Counter`] and then by row.
    #[must_use]
    pub fn counters(&self) -> &wgpu::Buffer {
        &self.counters
    }

    /// The emitters' rows and states.
    #[must_use]
    pub fn emitters(&self) -> &wgpu::Buffer {
        &self.emitters
    }

    /// The emitters' poses.
    #[must_use]
    pub fn transforms(&self) -> &wgpu::Buffer {
        &self.transforms
    }

    /// The indirect arguments; those of the draw start at word [`args::DRAW`].
    #[must_use]
    pub fn args(&self) -> &wgpu::Buffer {
        &self.args
    }

    /// Uploads the stage's tables: what changed, or all of it after [`Self::invalidate`] or growth.
    pub fn upload_tables(&mut self, gpu: &Gpu, stage: &Stage) {
        self.reserve_rows(gpu, stage.row_count(), stage.bindings().row_count());
        self.reserve_transforms(gpu, stage.transforms().row_count());
        let (rows, row_changes) = stage.row_table();
        upload(&gpu.queue, &self.emitters, rows, row_changes, self.stale);
        let (occupancy, occupancy_changes) = stage.occupancy();
        let first = u64::from(self.occupancy_base()) * 4;
        upload_at(
            &gpu.queue,
            &self.emitters,
            first,
            occupancy,
            occupancy_changes,
            self.stale,
        );
        let bindings = stage.bindings();
        let first = u64::from(self.binding_base()) * 4;
        upload_at(
            &gpu.queue,
            &self.emitters,
            first,
            bindings.words(),
            bindings.dirty(),
            self.stale,
        );
        self.stale = false;
    }

    /// The tables are uploaded whole next time, because changes were missed.
    pub fn invalidate(&mut self) {
        self.stale = true;
    }

    /// Makes room for rows, keeping on the GPU what only the GPU knows.
    fn reserve_rows(&mut self, gpu: &Gpu, rows: u32, bindings: u32) {
        if rows <= self.row_capacity && bindings <= self.binding_capacity {
            return;
        }
        let device = &gpu.device;
        let capacity = rows.next_power_of_two().max(self.row_capacity);
        self.binding_capacity = bindings.next_power_of_two().max(self.binding_capacity);
        let bytes = emitter_bytes(capacity, self.binding_capacity);
        let emitters = buffer(device, "mote.pool.emitters", bytes, STORAGE);
        // What is copied over keeps the old rows; the new ones start with empty boxes.
        let words = counter_words(capacity);
        let counters = filled(device, "mote.pool.counters", STORAGE, cast_slice(&words));
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("mote.pool.grow"),
        });
        let (row_bytes, state_bytes) = (
            u64::from(EmitterRow::words()) * 4,
            u64::from(EmitterState::words()) * 4,
        );
        let old = u64::from(self.row_capacity);
        let new = u64::from(capacity);
        encoder.copy_buffer_to_buffer(
            &self.emitters,
            old * row_bytes,
            &emitters,
            new * row_bytes,
            old * state_bytes,
        );
        let kept = u64::from(COUNTER_HEADER_WORDS + self.row_capacity * ROW_COUNTER_WORDS) * 4;
        encoder.copy_buffer_to_buffer(&self.counters, 0, &counters, 0, kept);
        gpu.queue.submit([encoder.finish()]);
        self.emitters = emitters;
        self.counters = counters;
        self.row_capacity = capacity;
        self.version = next_version();
        self.stale = true;
    }

    /// Makes room for composed poses, keeping those that are there.
    fn reserve_transforms(&mut self, gpu: &Gpu, rows: u32) {
        let bytes = transform_bytes(rows);
        if bytes <= self.transforms.size() {
            return;
        }
        let device = &gpu.device;
        let size = transform_bytes(rows.next_power_of_two());
        let transforms = buffer(device, "mote.pool.transforms", size, STORAGE);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("mote.pool.grow"),
        });
        encoder.copy_buffer_to_buffer(&self.transforms, 0, &transforms, 0, self.transforms.size());
        gpu.queue.submit([encoder.finish()]);
        self.transforms = transforms;
        self.version = next_version();
    }

    /// Shows a CPU population: uploads its living records, its list and the draw's count.
    pub fn upload_reference(&mut self, gpu: &Gpu, stage: &Stage, reference: &Reference) {
        self.upload_tables(gpu, stage);
        let alive = reference.alive();
        let count = alive.len().min(self.capacity as usize);
        // In the emitters' drawing order, which the list keeps among the particles of one emitter.
        let mut alive: Vec<u32> = alive[..count].to_vec();
        let order: Vec<u32> = (0..stage.row_count())
            .map(|row| stage.row(row).draw_order)
            .collect();
        alive.sort_by_key(|&slot| {
            let row = reference.records()[slot as usize][HEADER_WORD as usize] & 0xffff;
            order.get(row as usize).copied().unwrap_or(0)
        });
        // Records are packed to the front: as many bytes as there are particles.
        let records: Vec<[u32; RECORD_WORDS as usize]> = alive[..count]
            .iter()
            .map(|&slot| reference.records()[slot as usize])
            .collect();
        let list: Vec<u32> = (0..count as u32).collect();
        gpu.queue.write_buffer(&self.records, 0, cast_slice(&records));
        gpu.queue
            .write_buffer(&self.transforms, 0, cast_slice(reference.composed()));
        gpu.queue.write_buffer(&self.alive, 0, cast_slice(&list));
        let draw = [QUAD_VERTICES, count as u32, 0, 0];
        gpu.queue
            .write_buffer(&self.args, u64::from(args::DRAW) * 4, cast_slice(&draw));
    }
}

/// Rows a pool has room for at the least.
const FIRST_ROWS: u32 = 64;

/// Bindings a pool has room for at first.
const FIRST_BINDINGS: u32 = 16;

fn emitter_bytes(rows: u32, bindings: u32) -> u64 {
    let bindings = u64::from(bindings) * u64::from(BindingRow::words());
    let pages = u64::from(rows.div_ceil(PAGE_ROWS));
    (u64::from(rows) * u64::from(EmitterRow::words() + EmitterState::words()) + pages + bindings) * 4
}

/// Counters of an empty pool, with room for so many rows and their finished list.
pub(super) fn counter_words(rows: u32) -> Vec<u32> {
    let mut words = vec![0; (COUNTER_HEADER_WORDS + rows * (ROW_COUNTER_WORDS + 1)) as usize];
    for row in 0..rows {
        let first = COUNTER_HEADER_WORDS + row * ROW_COUNTER_WORDS + ROW_COUNTER_MIN;
        words[first as usize..first as usize + 3].fill(u32::MAX);
    }
    words
}

fn transform_bytes(rows: u32) -> u64 {
    u64::from(rows) * u64::from(TRANSFORM_WORDS) * 4
}

/// A buffer of zeroes.
pub(super) fn buffer(
    device: &wgpu::Device,
    label: &str,
    size: u64,
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: size.max(16).next_multiple_of(16),
        usage,
        mapped_at_creation: false,
    })
}

pub(super) fn filled(
    device: &wgpu::Device,
    label: &str,
    usage: wgpu::BufferUsages,
    bytes: &[u8],
) -> wgpu::Buffer {
    use wgpu::util::DeviceExt as _;
    device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some(label),
        contents: bytes,
        usage,
    })
}

/// Uploads the changed stretches of `words`, or all of them.
pub(super) fn upload(queue: &wgpu::Queue, buffer: &wgpu::Buffer, words: &[u32], changes: &Spans, all: bool) {
    upload_at(queue, buffer, 0, words, changes, all);
}

/// Likewise, to a place in bytes.
fn upload_at(
    queue: &wgpu::Queue,
    buffer: &wgpu::Buffer,
    first: u64,
    words: &[u32],
    changes: &Spans,
    all: bool,
) {
    if all {
        queue.write_buffer(buffer, first, cast_slice(words));
        return;
    }
    for range in changes.ranges() {
        let part = &words[range.start as usize..range.end as usize];
        queue.write_buffer(buffer, first + u64::from(range.start) * 4, cast_slice(part));
    }
}
