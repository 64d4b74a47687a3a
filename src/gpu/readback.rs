//! Reading a pool back: whole and waiting for it (tests, commands), or a few words some frames late (a HUD).
//! Nothing read here ever sizes a pass.

use bytemuck::{cast_slice, pod_read_unaligned};
use thiserror::Error;

use super::device::Gpu;
use super::late::{Late, answer};
use super::pool::{Pool, buffer};
use crate::base::gpu_struct::GpuStruct as _;
use crate::host::rows::{COUNTER_HEADER_WORDS, COUNTER_NAMES, Counter, EmitterState};
use crate::isa::{HEADER_WORD, RECORD_WORDS};

/// A buffer could not be read, because the device was lost.
#[derive(Debug, Error)]
#[error("the graphics device stopped answering: {0}")]
pub struct ReadError(String);

/// A pool as it stands.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Counter words, by [`Counter`].
    pub counters: [u32; COUNTER_NAMES.len()],
    /// The emitters' states, by row.
    pub states: Vec<EmitterState>,
    /// Slots in the alive list.
    pub alive: Vec<u32>,
    /// Free slots.
    pub dead: Vec<u32>,
    /// Every record.
    pub records: Vec<[u32; RECORD_WORDS as usize]>,
}

impl Snapshot {
    /// Reads a pool and waits for it.
    ///
    /// # Errors
    /// [`ReadError`] where the device is gone.
    pub fn read(gpu: &Gpu, pool: &Pool, rows: u32) -> Result<Self, ReadError> {
        let counters = read_words(gpu, &pool.counters)?;
        let emitters = read_words(gpu, &pool.emitters)?;
        let records = read_words(gpu, &pool.records)?;
        let alive = read_words(gpu, pool.alive())?;
        let dead = read_words(gpu, &pool.dead)?;
        let (base, size) = (pool.state_base() as usize, EmitterState::words() as usize);
        let states = (0..rows as usize)
            .map(|row| pod_read_unaligned(cast_slice(&emitters[base + row * size..base + (row + 1) * size])))
            .collect();
        let mut words = [0; COUNTER_NAMES.len()];
        words.copy_from_slice(&counters[..COUNTER_NAMES.len()]);
        let capacity = pool.capacity() as usize;
        let alive_count = (words[Counter::Alive as usize] as usize).min(capacity);
        let dead_count = (words[Counter::Dead as usize] as usize).min(capacity);
        Ok(Self {
            counters: words,
            states,
            alive: alive[..alive_count].to_vec(),
            dead: dead[..dead_count].to_vec(),
            records: records
                .chunks_exact(RECORD_WORDS as usize)
                .take(capacity)
                .map(pod_read_record)
                .collect(),
        })
    }

    /// A counter.
    #[must_use]
    pub fn counter(&self, counter: Counter) -> u32 {
        self.counters[counter as usize]
    }

    /// Records of all particles alive.
    pub fn live_records(&self) -> impl Iterator<Item = &[u32; RECORD_WORDS as usize]> + '_ {
        self.alive
            .iter()
            .filter_map(|&slot| self.records.get(slot as usize))
            .filter(|record| record[HEADER_WORD as usize] >> 16 != 0)
    }
}

fn pod_read_record(words: &[u32]) -> [u32; RECORD_WORDS as usize] {
    let mut record = [0; RECORD_WORDS as usize];
    record.copy_from_slice(words);
    record
}

/// Reads a whole buffer and waits for it.
///
/// # Errors
/// [`ReadError`] where the device is gone.
pub fn read_words(gpu: &Gpu, source: &wgpu::Buffer) -> Result<Vec<u32>, ReadError> {
    if gpu.is_lost() {
        return Err(ReadError("it was lost".to_owned()));
    }
    let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
    let staging = buffer(&gpu.device, "mote.readback", source.size(), usage);
    let mut encoder = gpu
        .device
        .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(source, 0, &staging, 0, source.size());
    gpu.queue.submit([encoder.finish()]);
    let (sender, receiver) = std::sync::mpsc::sync_channel(1);
    staging.slice(..).map_async(wgpu::MapMode::Read, move |result| {
        // The receiver waits below; a send can only fail if it gave up.
        let _ = sender.send(result);
    });
    let lost = |text: String| ReadError(text);
    gpu.device
        .poll(wgpu::PollType::wait_indefinitely())
        .map_err(|error| lost(error.to_string()))?;
    receiver
        .recv()
        .map_err(|error| lost(error.to_string()))?
        .map_err(|error| lost(error.to_string()))?;
    let view = staging
        .slice(..)
        .get_mapped_range()
        .map_err(|error| lost(error.to_string()))?;
    Ok(cast_slice(&view).to_vec())
}

/// What a pool said of itself some frames ago.
#[derive(Debug, Clone, PartialEq)]
pub struct LateStats {
    /// Counter words, by [`Counter`].
    pub counters: [u32; COUNTER_NAMES.len()],
    /// The emitters' states, by row.
    pub states: Vec<EmitterState>,
}

impl LateStats {
    /// A counter.
    #[must_use]
    pub fn counter(&self, counter: Counter) -> u32 {
        self.counters[counter as usize]
    }
}

/// Counters and states, some frames late, without waiting.
#[derive(Debug)]
pub struct StatsReader {
    late: Late,
    rows: u32,
    latest: Option<LateStats>,
}

const COUNTER_BYTES: u64 = COUNTER_HEADER_WORDS as u64 * 4;

/// Room for a copy of the counters and of the states of so many rows.
fn room(gpu: &Gpu, rows: u32) -> Late {
    Late::new(&gpu.device, "mote.stats", COUNTER_BYTES + state_bytes(rows))
}

fn state_bytes(rows: u32) -> u64 {
    u64::from(rows) * u64::from(EmitterState::words()) * 4
}

impl StatsReader {
    /// A reader that has read nothing yet.
    #[must_use]
    pub fn new(gpu: &Gpu) -> Self {
        Self {
            late: room(gpu, 0),
            rows: 0,
            latest: None,
        }
    }

    /// Bytes of its buffer.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.late.bytes()
    }

    /// Whether a copy is on its way.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        !self.late.is_idle()
    }

    /// Records a copy of the counters and of the states of `rows` rows, if the last one has been read. False where it has
    /// not.
    pub fn record(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, pool: &Pool, rows: u32) -> bool {
        if self.is_under_way() {
            return false;
        }
        if self.rows != rows {
            self.late = room(gpu, rows);
            self.rows = rows;
        }
        let target = self.late.target();
        encoder.copy_buffer_to_buffer(&pool.counters, 0, target, 0, COUNTER_BYTES);
        let states = state_bytes(rows);
        if states > 0 {
            let first = u64::from(pool.state_base()) * 4;
            encoder.copy_buffer_to_buffer(&pool.emitters, first, target, COUNTER_BYTES, states);
        }
        self.late.recorded();
        true
    }

    /// Takes what has arrived; call once a frame, after submitting. None until the first has.
    pub fn poll(&mut self, gpu: &Gpu) -> Option<&LateStats> {
        self.late.ask();
        answer(gpu);
        let (rows, latest) = (self.rows as usize, &mut self.latest);
        self.late.take(|bytes| {
            let words: &[u32] = cast_slice(bytes);
            let mut counters = [0; COUNTER_NAMES.len()];
            counters.copy_from_slice(&words[..COUNTER_NAMES.len()]);
            let states = words[COUNTER_HEADER_WORDS as usize..]
                .chunks_exact(EmitterState::words() as usize)
                .take(rows)
                .map(|words| pod_read_unaligned::<EmitterState>(cast_slice(words)));
            // The room of the states before is used again.
            let latest = latest.get_or_insert_with(|| LateStats {
                counters,
                states: Vec::new(),
            });
            latest.counters = counters;
            latest.states.clear();
            latest.states.extend(states);
        });
        self.latest.as_ref()
    }

    /// What arrived last.
    #[must_use]
    pub fn latest(&self) -> Option<&LateStats> {
        self.latest.as_ref()
    }
}
