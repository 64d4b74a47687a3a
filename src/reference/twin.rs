//! The CPU twin of a pool and its passes.

use bytemuck::{cast_slice, pod_read_unaligned};

use super::bounds::Gathered;
use super::emit::{Birth, emit};
use super::field_bind::field_bind;
use super::scan::{row_of, scan};
use super::simulate::{Emitting, Fate, Surroundings, simulate, simulate_batch};
use super::tick::{Ticking, tick};
use super::transforms::{Matrix, transforms};
use super::warmup::{WarmRow, warm_up};
use crate::base::gpu_struct::GpuStruct;
use crate::host::rows::{
    BurstRow, COUNTER_NAMES, Counter, EmitterRow, EmitterState, RateRow, WORKGROUP_SIZE,
};
use crate::host::transforms::Composed;
use crate::host::{Frame, Pose, Stage, Warmup};
use crate::isa::{HEADER_WORD, ORDINAL_WORD, RECORD_WORDS};
use crate::vm::batch::Batch;

/// A row's pose of this step and of the last.
fn poses_of(composed: &[Composed], row: &EmitterRow) -> (Pose, Pose) {
    let of = composed.get(row.transform as usize);
    of.map_or((Pose::IDENTITY, Pose::IDENTITY), |c| (c.now, c.last))
}

/// A pool on the CPU: records, lists, counters and the emitters' states.
#[derive(Debug)]
pub struct Reference {
    records: Vec<[u32; RECORD_WORDS as usize]>,
    alive: Vec<u32>,
    dead: Vec<u32>,
    states: Vec<EmitterState>,
    counters: [u32; COUNTER_NAMES.len()],
    executor: Executor,
    batch: Batch,
    gathered: Vec<Gathered>,
    /// Particles of each program.
    shares: Vec<u32>,
    finished: Vec<(u32, u32)>,
    matrices: Vec<Matrix>,
    composed: Vec<Composed>,
}

/// Which executor runs programs. Both give the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Executor {
    /// One particle at a time: the definition.
    Scalar,
    /// Many at a time.
    Batched,
}

impl Reference {
    /// An empty pool that runs many particles at a time.
    #[must_use]
    pub fn new(capacity: u32) -> Self {
        Self::with(capacity, Executor::Batched)
    }

    /// An empty pool with an executor.
    #[must_use]
    pub fn with(capacity: u32, executor: Executor) -> Self {
        let mut counters = [0; COUNTER_NAMES.len()];
        counters[Counter::Dead as usize] = capacity;
        Self {
            records: vec![[0; RECORD_WORDS as usize]; capacity as usize],
            alive: Vec::with_capacity(capacity as usize),
            dead: (0..capacity).collect(),
            states: Vec::new(),
            counters,
            executor,
            batch: Batch::default(),
            gathered: Vec::new(),
            shares: Vec::new(),
            finished: Vec::new(),
            matrices: Vec::new(),
            composed: Vec::new(),
        }
    }

    /// Runs one step of the stage's frame, pass by pass.
    pub fn step(&mut self, stage: &Stage, frame: &Frame) {
        let params = &frame.params;
        self.place(stage, params.dt);
        let bound = self.bind(stage);
        let words = bound.as_deref().unwrap_or(stage.heap().words());
        let around = Surroundings {
            frame: params,
            program: words,
            wind: stage.wind().map(AsRef::as_ref),
        };
        let rows = stage.row_count() as usize;
        self.states.resize(rows, EmitterState::default());

        // spawn commands
        for &[row, count] in stage.commands() {
            let state = &mut self.states[row as usize];
            let generation = stage.row(row).generation;
            if state.generation == generation || state.generation == 0 {
                state.pending = state.pending.saturating_add(count);
            } else {
                *state = EmitterState {
                    pending: count,
                    ..EmitterState::default()
                };
            }
        }
        // tick
        let mut sums: Vec<u32> = (0..rows)
            .map(|index| {
                let row = stage.row(index as u32);
                let bursts: Vec<BurstRow> = table(words, row.burst_offset, row.burst_count);
                let rates: Vec<RateRow> = table(words, row.rate_offset, row.rate_count);
                let state = &mut self.states[index];
                let of = Ticking {
                    row: &row,
                    bursts: &bursts,
                    rates: &rates,
                    poses: poses_of(&self.composed, &row),
                };
                tick(params, &of, state)
            })
            .collect();
        // scan
        let budget = self.dead.len() as u32;
        let born = scan(&mut sums, &mut self.states, budget);
        let newborn_slots: Vec<u32> = (0..born).map(|k| self.dead[(budget - 1 - k) as usize]).collect();
        self.dead.truncate((budget - born) as usize);
        let before = std::mem::take(&mut self.alive);
        let mut stillborn = 0;

        // emit
        for (k, &slot) in newborn_slots.iter().enumerate() {
            let row_index = row_of(&sums, k as u32);
            let first = if row_index == 0 { 0 } else { sums[row_index - 1] };
            let row = stage.row(row_index as u32);
            let state = &self.states[row_index];
            let poses = poses_of(&self.composed, &row);
            let (record, birth) = emit(&around, row_index as u32, &row, state, poses, k as u32 - first);
            if birth == Birth::NonFinite {
                self.note_non_finite(row_index as u32, record[ORDINAL_WORD as usize]);
            }
            stillborn += u32::from(birth != Birth::Alive);
            self.records[slot as usize] = record;
            self.alive.push(slot);
        }
        // simulate
        match self.executor {
            Executor::Scalar => self.simulate_scalar(stage, &around, before),
            Executor::Batched => self.simulate_batched(stage, &around, before),
        }
        if let Some(warmup) = &frame.warmup {
            self.warm_up(stage, &around, warmup);
        }
        // bounds
        self.gathered.clear();
        self.gathered.resize(rows, Gathered::default());
        for &slot in &self.alive {
            if let Some(row) = self.living_row(stage, slot) {
                let record = &self.records[slot as usize];
                let staged = stage.row(row);
                let pose = poses_of(&self.composed, &staged).0;
                self.gathered[row as usize].add(&staged, &pose, record);
            }
        }
        self.finished.clear();
        for (index, (state, gathered)) in self.states.iter_mut().zip(&self.gathered).enumerate() {
            let row = stage.row(index as u32);
            if row.generation == 0 {
                continue;
            }
            let pose = poses_of(&self.composed, &row).0;
            if gathered.publish(&row, &pose, state) {
                self.finished.push((index as u32, row.generation));
            }
        }
        self.counters[Counter::SimPadded as usize] = self.padded(stage);
        self.counters[Counter::Finished as usize] = self.finished.len() as u32;
        self.counters[Counter::Alive as usize] = self.alive.len() as u32;
        self.counters[Counter::AliveIn as usize] = self.alive.len() as u32;
        self.counters[Counter::Dead as usize] = self.dead.len() as u32;
        self.counters[Counter::Budget as usize] = budget;
        self.counters[Counter::Born as usize] = born;
        self.counters[Counter::Stillborn as usize] = stillborn;
    }

    /// Length of the list that the next step simulates: each program's part filled up to whole workgroups.
    fn padded(&mut self, stage: &Stage) -> u32 {
        let (rows, programs) = (stage.row_count(), stage.heap().program_count());
        self.shares.clear();
        self.shares.resize(programs as usize, 0);
        if rows == 0 || programs == 0 {
            return 0;
        }
        for &slot in &self.alive {
            let row = self.records[slot as usize][HEADER_WORD as usize] & 0xffff;
            let program = stage.row(row.min(rows - 1)).program.min(programs - 1);
            self.shares[program as usize] += 1;
        }
        self.shares
            .iter()
            .map(|share| share.next_multiple_of(WORKGROUP_SIZE))
            .sum()
    }

    /// Runs the pre-warms of this step and takes in what lives, the oldest first where there is too little room.
    fn warm_up(&mut self, stage: &Stage, around: &Surroundings<'_>, warmup: &Warmup) {
        let rows: Vec<WarmRow> = (0..stage.row_count())
            .map(|index| {
                let row = stage.row(index);
                WarmRow {
                    bursts: table(around.program, row.burst_offset, row.burst_count),
                    rates: table(around.program, row.rate_offset, row.rate_count),
                    poses: poses_of(&self.composed, &row),
                    row,
                }
            })
            .collect();
        let warmed = warm_up(around, warmup, &rows, &mut self.states);
        for (row, ordinal) in warmed.non_finite {
            self.note_non_finite(row, ordinal);
        }
        let out = warmed.records.len().saturating_sub(self.dead.len());
        for record in &warmed.records[..out] {
            let row = (record[HEADER_WORD as usize] & 0xffff) as usize;
            self.states[row].dropped = self.states[row].dropped.wrapping_add(1);
        }
        for record in &warmed.records[out..] {
            if let Some(slot) = self.dead.pop() {
                self.records[slot as usize] = *record;
                self.alive.push(slot);
            }
        }
    }

    /// Composes the hierarchy; with no time, what moved stands where it is and has not moved there.
    pub fn place(&mut self, stage: &Stage, dt: f32) {
        let rows = stage.transforms().rows();
        self.composed.resize(rows.len(), Composed::default());
        transforms(rows, &self.matrices, &mut self.composed, dt);
    }

    /// The program buffer with what fields are bound to, where any are.
    fn bind(&self, stage: &Stage) -> Option<Vec<u32>> {
        if stage.bindings().is_empty() {
            return None;
        }
        let mut words = stage.heap().words().to_vec();
        let fields = &mut words[stage.heap().global_base() as usize..];
        field_bind(stage.bindings().rows(), &self.composed, fields);
        Some(words)
    }

    /// The caller's matrices that rows of the hierarchy may read.
    pub fn set_matrices(&mut self, matrices: &[Matrix]) {
        self.matrices = matrices.to_vec();
    }

    /// The composed poses, by row of the hierarchy.
    #[must_use]
    pub fn composed(&self) -> &[Composed] {
        &self.composed
    }

    /// The row a slot's particle belongs to, or none where the row is gone or has another generation.
    fn living_row(&self, stage: &Stage, slot: u32) -> Option<u32> {
        let header = self.records[slot as usize][HEADER_WORD as usize];
        let (row, generation) = (header & 0xffff, header >> 16);
        let lives = generation != 0 && row < stage.row_count() && stage.row(row).generation == generation;
        lives.then_some(row)
    }

    fn settle(&mut self, slot: u32, row: u32, ordinal: u32, fate: Fate) {
        match fate {
            Fate::Alive => self.alive.push(slot),
            Fate::Killed => self.dead.push(slot),
            Fate::NonFinite => {
                self.note_non_finite(row, ordinal);
                self.dead.push(slot);
            }
        }
    }

    fn simulate_scalar(&mut self, stage: &Stage, around: &Surroundings<'_>, before: Vec<u32>) {
        for slot in before {
            let Some(row) = self.living_row(stage, slot) else {
                self.dead.push(slot);
                continue;
            };
            let record = &mut self.records[slot as usize];
            let state = &self.states[row as usize];
            if state.dt == 0.0 {
                self.alive.push(slot);
                continue;
            }
            let staged = stage.row(row);
            let poses = poses_of(&self.composed, &staged);
            let fate = simulate(around, &staged, state, poses, record);
            let ordinal = record[ORDINAL_WORD as usize];
            self.settle(slot, row, ordinal, fate);
        }
    }

    /// Row by row, since a batch is of one row; among the particles of a row the list's order stays.
    fn simulate_batched(&mut self, stage: &Stage, around: &Surroundings<'_>, before: Vec<u32>) {
        let mut by_row: Vec<Vec<u32>> = vec![Vec::new(); stage.row_count() as usize];
        for slot in before {
            match self.living_row(stage, slot) {
                Some(row) => by_row[row as usize].push(slot),
                None => self.dead.push(slot),
            }
        }
        let mut fates = Vec::new();
        for (row, slots) in by_row.iter().enumerate().filter(|(_, slots)| !slots.is_empty()) {
            let row = row as u32;
            let (staged, state) = (stage.row(row), &self.states[row as usize]);
            if state.dt == 0.0 {
                self.alive.extend_from_slice(slots);
                continue;
            }
            let of = Emitting {
                row: &staged,
                state,
                poses: poses_of(&self.composed, &staged),
            };
            let tell = |slot, ordinal, fate| fates.push((slot, ordinal, fate));
            simulate_batch(around, of, &mut self.batch, &mut self.records, slots, tell);
            for (slot, ordinal, fate) in fates.drain(..) {
                self.settle(slot, row, ordinal, fate);
            }
        }
    }

    fn note_non_finite(&mut self, row: u32, ordinal: u32) {
        self.counters[Counter::NonFinite as usize] += 1;
        self.counters[Counter::NonFiniteOrdinal as usize] = ordinal;
        self.counters[Counter::NonFiniteRow as usize] = row;
    }

    /// A counter's word.
    #[must_use]
    pub fn counter(&self, counter: Counter) -> u32 {
        self.counters[counter as usize]
    }

    /// All records, live or not.
    #[must_use]
    pub fn records(&self) -> &[[u32; RECORD_WORDS as usize]] {
        &self.records
    }

    /// Slots in the alive list, newborns first; stillborn ones are in it with generation 0.
    #[must_use]
    pub fn alive(&self) -> &[u32] {
        &self.alive
    }

    /// Free slots.
    #[must_use]
    pub fn dead(&self) -> &[u32] {
        &self.dead
    }

    /// Rows that have ended and are empty, and their generations.
    #[must_use]
    pub fn finished(&self) -> &[(u32, u32)] {
        &self.finished
    }

    /// The emitters' states, by row.
    #[must_use]
    pub fn states(&self) -> &[EmitterState] {
        &self.states
    }

    /// Says whether a row is out of view from the next step on; one whose emitter may not be culled plays on.
    pub fn set_culled(&mut self, row: u32, culled: bool) {
        if let Some(state) = self.states.get_mut(row as usize) {
            state.culled = u32::from(culled);
        }
    }

    /// Makes room for more particles; the free slots there were are taken first, in the order they would have been.
    pub fn grow(&mut self, capacity: u32) {
        let had = self.capacity();
        if capacity > had {
            self.records.resize(capacity as usize, [0; RECORD_WORDS as usize]);
            self.dead.splice(0..0, had..capacity);
            self.counters[Counter::Dead as usize] = self.dead.len() as u32;
        }
    }

    /// Particles the pool holds.
    #[must_use]
    pub fn capacity(&self) -> u32 {
        self.records.len() as u32
    }

    /// Records of all particles alive.
    pub fn live_records(&self) -> impl Iterator<Item = &[u32; RECORD_WORDS as usize]> + '_ {
        self.alive
            .iter()
            .map(|&slot| &self.records[slot as usize])
            .filter(|record| record[HEADER_WORD as usize] >> 16 != 0)
    }
}

/// Rows of a table in the program buffer.
fn table<T: GpuStruct>(words: &[u32], first: u32, count: u32) -> Vec<T> {
    let size = T::words() as usize;
    let rows = words[first as usize..].chunks_exact(size).take(count as usize);
    rows.map(|row| pod_read_unaligned(cast_slice(row))).collect()
}
