//! The stage: which instances play, in which rows, and what this step's numbers are.

use std::ops::Range;
use std::sync::Arc;

use bytemuck::{bytes_of, cast_slice};
use thiserror::Error;

use super::heap::{HeapError, ProgramHeap};
use super::pose::Pose;
use super::rows::{
    BurstRow, CHANNEL_WIDTH_SHIFT, ENDLESS, EmitterRow, FrameParams, SHORTEST_LOOP, TRANSFORM_WORDS, UNBOUND,
};
use super::spans::{Spans, write_changed};
use crate::artifact::{Effect, Emitter, SeedMode, Space};
use crate::base::dd::Dd;
use crate::base::gpu_struct::GpuStruct;
use crate::base::hash::emitter_seed;
use crate::isa::Program;
use crate::layout::Channel;

/// One playing effect. Ids are never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstanceId(u32);

/// How an instance is placed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Where it stands.
    pub pose: Pose,
    /// Its seed; emitters of [`SeedMode::Play`] take theirs from it.
    pub seed: u32,
}

impl Default for Placement {
    fn default() -> Self {
        Self {
            pose: Pose::IDENTITY,
            seed: 1,
        }
    }
}

/// What an exchange of an instance's effect did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Swap {
    /// Live particles were kept.
    Kept,
    /// A layout changed: its particles are gone and the instance is to be started again at its time.
    Restart,
}

/// Something cannot be placed. Nothing changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "each case is its message")]
pub enum StageError {
    #[error("the emitter {emitter:?} cannot be placed: {source}")]
    Program { emitter: String, source: HeapError },
    #[error("no more than 65,535 emitters can play at once")]
    RowsFull,
    #[error("there is no such instance")]
    NoInstance,
    #[error("the effect has no parameter {name:?}")]
    NoParameter { name: String },
    #[error("the effect has no emitter {index}")]
    NoEmitter { index: usize },
}

/// Most emitter rows: a particle's header has 16 bits for its row.
pub const MAX_ROWS: u32 = 65_535;

/// A step about to be run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// The step's uniform.
    pub params: FrameParams,
    /// Slots the largest live program needs.
    pub registers: u32,
}

#[derive(Debug)]
struct Instance {
    id: InstanceId,
    effect: Arc<Effect>,
    rows: Vec<u32>,
    pose: Pose,
    seed: u32,
}

#[derive(Debug)]
struct Row {
    program: u32,
    block: Range<u32>,
    block_words: Vec<u32>,
    generation: u32,
    instance: InstanceId,
    emitter: usize,
    emitter_id: crate::base::id::Id,
}

/// The stage.
#[derive(Debug)]
pub struct Stage {
    heap: ProgramHeap,
    instances: Vec<Instance>,
    next_instance: u32,
    rows: Vec<Option<Row>>,
    /// Rows freed in this step; handed out again only after it, when their orphans are dead.
    resting: Vec<u32>,
    free: Vec<u32>,
    generation: u32,
    row_words: Vec<u32>,
    row_dirty: Spans,
    transforms: Vec<u32>,
    transform_dirty: Spans,
    /// Rows whose pose of the last step differs from this one's.
    moving: Vec<u32>,
    staged_version: u32,
    commands: Vec<[u32; 2]>,
    time: f64,
    pool_capacity: u32,
}

impl Stage {
    /// An empty stage over a pool of so many particles.
    #[must_use]
    pub fn new(pool_capacity: u32) -> Self {
        let heap = ProgramHeap::new();
        Self {
            staged_version: heap.placement_version(),
            heap,
            instances: Vec::new(),
            next_instance: 1,
            rows: Vec::new(),
            resting: Vec::new(),
            free: Vec::new(),
            generation: 0,
            row_words: Vec::new(),
            row_dirty: Spans::default(),
            transforms: Vec::new(),
            transform_dirty: Spans::default(),
            moving: Vec::new(),
            commands: Vec::new(),
            time: 0.0,
            pool_capacity,
        }
    }

    /// Starts an instance.
    ///
    /// # Errors
    /// [`StageError`] where a program or a row cannot be had; then nothing changed.
    pub fn place(&mut self, effect: Arc<Effect>, placement: Placement) -> Result<InstanceId, StageError> {
        self.check(&effect)?;
        let used = self.rows.len() - self.free.len();
        if used + effect.emitters.len() > MAX_ROWS as usize {
            return Err(StageError::RowsFull);
        }
        let id = InstanceId(self.next_instance);
        self.next_instance += 1;
        let pose = if placement.pose.is_finite() {
            placement.pose
        } else {
            Pose::IDENTITY
        };
        let mut instance = Instance {
            id,
            effect,
            rows: Vec::new(),
            pose,
            seed: placement.seed,
        };
        for index in 0..instance.effect.emitters.len() {
            let program = self.acquire(&instance.effect, &instance.effect.emitters[index])?;
            let row = self.claim_row(&instance, index, program);
            instance.rows.push(row);
        }
        self.stage_instance(&instance);
        self.instances.push(instance);
        Ok(id)
    }

    /// Whether an effect's programs could be placed; nothing is claimed.
    fn check(&self, effect: &Effect) -> Result<(), StageError> {
        for emitter in &effect.emitters {
            let program = effect.programs.get(emitter.program as usize);
            self.heap
                .check_all(program)
                .map_err(|source| StageError::Program {
                    emitter: emitter.name.clone(),
                    source,
                })?;
        }
        self.heap
            .check_all(&effect.programs)
            .map_err(|source| StageError::Program {
                emitter: effect.name.clone(),
                source,
            })
    }

    fn acquire(&mut self, effect: &Effect, emitter: &Emitter) -> Result<u32, StageError> {
        self.heap
            .acquire(&program_of(effect, emitter))
            .map_err(|source| StageError::Program {
                emitter: emitter.name.clone(),
                source,
            })
    }

    fn claim_row(&mut self, instance: &Instance, index: usize, program: u32) -> u32 {
        let emitter = &instance.effect.emitters[index];
        let block_words = block_of(emitter);
        let row = Row {
            program,
            block: self.heap.take_block(&block_words),
            block_words,
            generation: self.next_generation(),
            instance: instance.id,
            emitter: index,
            emitter_id: emitter.id.clone(),
        };
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                self.rows.push(None);
                self.row_words
                    .resize(self.rows.len() * EmitterRow::words() as usize, 0);
                self.transforms
                    .resize(self.rows.len() * TRANSFORM_WORDS as usize, 0);
                self.rows.len() as u32 - 1
            }
        };
        self.rows[slot as usize] = Some(row);
        let pose = instance.pose.then(&Pose::from_columns(emitter.transform));
        self.write_pose(slot, pose, true);
        slot
    }

    fn next_generation(&mut self) -> u32 {
        self.generation = if self.generation >= 0xffff {
            1
        } else {
            self.generation + 1
        };
        self.generation
    }

    fn free_row(&mut self, slot: u32) {
        if let Some(row) = self.rows[slot as usize].take() {
            self.heap.release(row.program);
            self.heap.free_block(row.block);
            let zero = EmitterRow::default();
            let first = slot * EmitterRow::words();
            write_changed(
                &mut self.row_words,
                first,
                cast_slice(bytes_of(&zero)),
                &mut self.row_dirty,
            );
            self.resting.push(slot);
        }
    }

    /// Ends an instance at once; its particles are gone after the next step.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn remove(&mut self, id: InstanceId) -> Result<(), StageError> {
        let index = self.index(id)?;
        let instance = self.instances.remove(index);
        instance.rows.into_iter().for_each(|row| self.free_row(row));
        Ok(())
    }

    /// Gives an instance another version of its effect. Emitters are matched by id; one whose particle fields
    /// or bindings changed starts over, the others keep their particles.
    ///
    /// # Errors
    /// [`StageError`] where a program cannot be placed; then the old effect plays on.
    pub fn set_effect(&mut self, id: InstanceId, effect: Arc<Effect>) -> Result<Swap, StageError> {
        let index = self.index(id)?;
        self.check(&effect)?;
        let new_rows = effect
            .emitters
            .len()
            .saturating_sub(self.instances[index].effect.emitters.len());
        if self.rows.len() - self.free.len() + new_rows > MAX_ROWS as usize {
            return Err(StageError::RowsFull);
        }
        let mut swap = Swap::Kept;
        let old = self.instances.remove(index);
        let mut instance = Instance {
            id,
            effect,
            rows: Vec::new(),
            pose: old.pose,
            seed: old.seed,
        };
        let mut leaving = old.rows.clone();
        for place in 0..instance.effect.emitters.len() {
            let emitter = &instance.effect.emitters[place];
            let was = old.effect.emitters.iter().position(|e| e.id == emitter.id);
            let slot = match was {
                Some(was) => {
                    let (before, slot) = (&old.effect.emitters[was], old.rows[was]);
                    let same = before.layout == emitter.layout
                        && before.render.bindings == emitter.render.bindings
                        && before.space == emitter.space;
                    leaving.retain(|&row| row != slot);
                    if !same {
                        swap = Swap::Restart;
                    }
                    let program = program_of(&instance.effect, emitter);
                    self.restage_kept(slot, place, &program, same, emitter)?;
                    slot
                }
                None => {
                    let program = self.acquire(&instance.effect, emitter)?;
                    self.claim_row(&instance, place, program)
                }
            };
            instance.rows.push(slot);
        }
        leaving.into_iter().for_each(|row| self.free_row(row));
        self.stage_instance(&instance);
        self.instances.insert(index, instance);
        Ok(swap)
    }

    fn restage_kept(
        &mut self,
        slot: u32,
        place: usize,
        program: &Arc<Program>,
        same: bool,
        emitter: &Emitter,
    ) -> Result<(), StageError> {
        let generation = if same { None } else { Some(self.next_generation()) };
        let words = block_of(emitter);
        let Some(row) = &mut self.rows[slot as usize] else {
            return Ok(());
        };
        row.program = self
            .heap
            .exchange(row.program, program)
            .map_err(|source| StageError::Program {
                emitter: emitter.name.clone(),
                source,
            })?;
        row.emitter = place;
        row.generation = generation.unwrap_or(row.generation);
        if words.len() == row.block_words.len() {
            self.heap.write_block(&row.block, 0, &words);
        } else {
            self.heap.free_block(row.block.clone());
            row.block = self.heap.take_block(&words);
        }
        row.block_words = words;
        Ok(())
    }

    /// Starts every emitter of an instance over: its particles are gone, its clock is 0.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn restart(&mut self, id: InstanceId) -> Result<(), StageError> {
        let index = self.index(id)?;
        let rows = self.instances[index].rows.clone();
        for slot in rows {
            let generation = self.next_generation();
            if let Some(row) = &mut self.rows[slot as usize] {
                row.generation = generation;
            }
        }
        self.restage(index);
        Ok(())
    }

    /// Moves an instance; births between this step and the last are spread along the way.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn set_pose(&mut self, id: InstanceId, pose: Pose) -> Result<(), StageError> {
        let index = self.index(id)?;
        if pose.is_finite() && self.instances[index].pose != pose {
            self.instances[index].pose = pose;
            self.restage_poses(index, false);
        }
        Ok(())
    }

    /// Moves an instance without a way between: as [`Self::set_pose`], but births start at the new place.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn teleport(&mut self, id: InstanceId, pose: Pose) -> Result<(), StageError> {
        let index = self.index(id)?;
        if pose.is_finite() {
            self.instances[index].pose = pose;
            self.restage_poses(index, true);
        }
        Ok(())
    }

    fn restage_poses(&mut self, index: usize, teleport: bool) {
        let instance = &self.instances[index];
        let poses: Vec<(u32, Pose)> = instance
            .rows
            .iter()
            .zip(&instance.effect.emitters)
            .map(|(&row, emitter)| (row, instance.pose.then(&Pose::from_columns(emitter.transform))))
            .collect();
        for (row, pose) in poses {
            self.write_pose(row, pose, teleport);
        }
    }

    /// Writes a row's pose of this step, and where it teleported that of the last one too.
    fn write_pose(&mut self, slot: u32, pose: Pose, teleport: bool) {
        let first = slot * TRANSFORM_WORDS;
        let words: &[u32] = cast_slice(bytes_of(&pose));
        write_changed(&mut self.transforms, first, words, &mut self.transform_dirty);
        if teleport {
            write_changed(
                &mut self.transforms,
                first + TRANSFORM_WORDS / 2,
                words,
                &mut self.transform_dirty,
            );
        } else if !self.moving.contains(&slot) {
            self.moving.push(slot);
        }
    }

    /// Sets a parameter of an instance in every emitter that reads it. An equal value costs no upload.
    ///
    /// # Errors
    /// [`StageError::NoParameter`], [`StageError::NoInstance`].
    pub fn set_parameter(&mut self, id: InstanceId, name: &str, value: [f32; 4]) -> Result<(), StageError> {
        let index = self.index(id)?;
        let instance = &self.instances[index];
        if !instance.effect.parameters.iter().any(|p| p.name == name) {
            return Err(StageError::NoParameter {
                name: name.to_owned(),
            });
        }
        let words = value.map(f32::to_bits);
        for (&slot, emitter) in instance.rows.iter().zip(&instance.effect.emitters) {
            let Some(field) = emitter.emitter_layout.get(name) else {
                continue;
            };
            let Some(row) = &mut self.rows[slot as usize] else {
                continue;
            };
            let width = field.ty.width() as usize;
            row.block_words[field.word as usize..field.word as usize + width]
                .copy_from_slice(&words[..width]);
            let block = row.block.clone();
            self.heap.write_block(&block, field.word, &words[..width]);
        }
        Ok(())
    }

    /// Asks for `count` particles of an emitter, born at the next step's start.
    ///
    /// # Errors
    /// [`StageError::NoInstance`], [`StageError::NoEmitter`].
    pub fn burst(&mut self, id: InstanceId, emitter: usize, count: u32) -> Result<(), StageError> {
        let index = self.index(id)?;
        let row = *self.instances[index]
            .rows
            .get(emitter)
            .ok_or(StageError::NoEmitter { index: emitter })?;
        match self.commands.iter_mut().find(|command| command[0] == row) {
            Some(command) => command[1] = command[1].saturating_add(count),
            None => self.commands.push([row, count]),
        }
        Ok(())
    }

    fn index(&self, id: InstanceId) -> Result<usize, StageError> {
        self.instances
            .iter()
            .position(|i| i.id == id)
            .ok_or(StageError::NoInstance)
    }

    fn restage(&mut self, index: usize) {
        let instance = self.instances.remove(index);
        self.stage_instance(&instance);
        self.instances.insert(index, instance);
    }

    fn stage_instance(&mut self, instance: &Instance) {
        for (order, (&slot, emitter)) in instance.rows.iter().zip(&instance.effect.emitters).enumerate() {
            let Some(row) = &self.rows[slot as usize] else {
                continue;
            };
            let staged = self.row_of(row, emitter, instance.seed, order as u32);
            let first = slot * EmitterRow::words();
            write_changed(
                &mut self.row_words,
                first,
                cast_slice(bytes_of(&staged)),
                &mut self.row_dirty,
            );
        }
        self.restage_poses_of(instance);
    }

    fn restage_poses_of(&mut self, instance: &Instance) {
        for (&row, emitter) in instance.rows.iter().zip(&instance.effect.emitters) {
            let pose = instance.pose.then(&Pose::from_columns(emitter.transform));
            let first = row * TRANSFORM_WORDS;
            let words: &[u32] = cast_slice(bytes_of(&pose));
            let known = &self.transforms[first as usize..(first + TRANSFORM_WORDS / 2) as usize];
            if known != words {
                // An edited transform is not a movement: nothing is born along the way.
                self.write_pose(row, pose, true);
            }
        }
    }

    fn row_of(&self, row: &Row, emitter: &Emitter, instance_seed: u32, draw_order: u32) -> EmitterRow {
        let e = &emitter.emission;
        let duration = e.duration.unwrap_or(ENDLESS);
        let place = self.heap.place(row.program);
        let lengths = self
            .heap
            .program(row.program)
            .map_or((0, 0), |p| (p.init.len(), p.update.len()));
        let field_offset = self.heap.block_word(&row.block);
        let channel = |c: Channel| {
            emitter
                .render
                .bindings
                .get(c)
                .map_or(UNBOUND, |s| s.word | s.width << CHANNEL_WIDTH_SHIFT)
        };
        EmitterRow {
            generation: row.generation,
            seed: match e.seed_mode {
                SeedMode::Play => emitter_seed(instance_seed, &emitter.id),
                SeedMode::Fixed => emitter_seed(e.seed, &emitter.id),
            },
            init_offset: place.map_or(0, |p| p.init),
            init_length: lengths.0 as u32,
            update_offset: place.map_or(0, |p| p.update),
            update_length: lengths.1 as u32,
            constant_offset: place.map_or(0, |p| p.constants),
            field_offset,
            burst_offset: field_offset + emitter.emitter_layout.words(),
            burst_count: e.bursts.len() as u32,
            capacity: e.capacity,
            loops: e.loops,
            delay: e.delay,
            duration,
            period: (duration + e.loop_delay).max(SHORTEST_LOOP),
            rate: e.rate,
            channel_position: channel(Channel::Position),
            channel_velocity: channel(Channel::Velocity),
            channel_size: channel(Channel::Size),
            channel_color: channel(Channel::Color),
            channel_additive: channel(Channel::Additive),
            channel_orientation: channel(Channel::Orientation),
            channel_frame: channel(Channel::Frame),
            channel_uv_rect: channel(Channel::UvRect),
            blend: emitter.render.blend as u32,
            projection: emitter.render.projection as u32,
            local_space: u32::from(emitter.space == Space::Local),
            draw_order,
        }
    }

    /// Stages what moved and gives the step's numbers. `dt` in seconds; none where it is not above 0, which is
    /// a pause.
    pub fn begin_step(&mut self, dt: f64) -> Option<Frame> {
        if !(dt.is_finite() && dt > 0.0) {
            return None;
        }
        self.settle();
        let step = Dd::from_f64(dt);
        let params = FrameParams {
            dt: step.hi,
            dt_lo: step.lo,
            time_start: self.time as f32,
            time_end: (self.time + dt) as f32,
            zero: 0,
            row_count: self.rows.len() as u32,
            pool_capacity: self.pool_capacity,
            state_base: 0,
            global_base: self.heap.global_base(),
            command_count: self.commands.len() as u32,
            reserved_a: 0,
            reserved_b: 0,
        };
        self.time += dt;
        Some(Frame {
            params,
            registers: self.heap.max_registers(),
        })
    }

    /// Closes a step: what was staged counts as uploaded, poses become the last step's, freed rows may be handed
    /// out, commands are done.
    pub fn end_step(&mut self) {
        self.clear_changes();
        for slot in std::mem::take(&mut self.moving) {
            let first = (slot * TRANSFORM_WORDS) as usize;
            let half = TRANSFORM_WORDS as usize / 2;
            let pose: Vec<u32> = self.transforms[first..first + half].to_vec();
            write_changed(
                &mut self.transforms,
                (first + half) as u32,
                &pose,
                &mut self.transform_dirty,
            );
        }
        self.free.append(&mut self.resting);
        self.commands.clear();
    }

    /// Stages what moved without a step, so that a paused picture follows an edit.
    pub fn settle(&mut self) {
        if self.staged_version != self.heap.placement_version() {
            self.staged_version = self.heap.placement_version();
            for index in 0..self.instances.len() {
                self.restage(index);
            }
        }
    }

    /// Rows and poses count as uploaded; programs do not, since a pool alone does not take them.
    pub fn clear_changes_of_rows(&mut self) {
        self.row_dirty.clear();
        self.transform_dirty.clear();
    }

    /// Everything marked as changed counts as uploaded, by every pool that plays this stage.
    pub fn clear_changes(&mut self) {
        self.row_dirty.clear();
        self.transform_dirty.clear();
        self.heap.clear_dirty();
    }

    /// Sets the clock, for a restart. Rows are not touched.
    pub fn set_time(&mut self, time: f64) {
        self.time = time;
    }

    /// Effect time at the end of the last step, in seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Particles of the pool.
    #[must_use]
    pub fn pool_capacity(&self) -> u32 {
        self.pool_capacity
    }

    /// Sets the pool's size, after it was made anew.
    pub fn set_pool_capacity(&mut self, particles: u32) {
        self.pool_capacity = particles;
    }

    /// Sum of the capacities of all emitters that play.
    #[must_use]
    pub fn wanted_capacity(&self) -> u64 {
        self.instances
            .iter()
            .flat_map(|i| &i.effect.emitters)
            .map(|e| u64::from(e.emission.capacity))
            .sum()
    }

    /// Rows in use or resting, which is the length of every row table.
    #[must_use]
    pub fn row_count(&self) -> u32 {
        self.rows.len() as u32
    }

    /// The emitter rows as words, and what changed in them.
    #[must_use]
    pub fn row_table(&self) -> (&[u32], &Spans) {
        (&self.row_words, &self.row_dirty)
    }

    /// The transforms as words, and what changed in them.
    #[must_use]
    pub fn transform_table(&self) -> (&[u32], &Spans) {
        (&self.transforms, &self.transform_dirty)
    }

    /// The staged row of a slot.
    #[must_use]
    pub fn row(&self, slot: u32) -> EmitterRow {
        let words = EmitterRow::words() as usize;
        let first = slot as usize * words;
        bytemuck::pod_read_unaligned(cast_slice(&self.row_words[first..first + words]))
    }

    /// A slot's pose of this step and of the last.
    #[must_use]
    pub fn poses(&self, slot: u32) -> (Pose, Pose) {
        let (first, half) = ((slot * TRANSFORM_WORDS) as usize, TRANSFORM_WORDS as usize / 2);
        let read =
            |from: usize| bytemuck::pod_read_unaligned(cast_slice(&self.transforms[from..from + half]));
        (read(first), read(first + half))
    }

    /// The rows of an instance, in the order of its emitters.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn instance_rows(&self, id: InstanceId) -> Result<&[u32], StageError> {
        Ok(&self.instances[self.index(id)?].rows)
    }

    /// The effect an instance plays.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn instance_effect(&self, id: InstanceId) -> Result<&Arc<Effect>, StageError> {
        Ok(&self.instances[self.index(id)?].effect)
    }

    /// All instances, oldest first.
    pub fn instances(&self) -> impl Iterator<Item = InstanceId> + '_ {
        self.instances.iter().map(|i| i.id)
    }

    /// Who owns a row: instance, place of the emitter in its effect, and the emitter itself.
    #[must_use]
    pub fn owner(&self, slot: u32) -> Option<(InstanceId, usize, &Emitter)> {
        let row = self.rows.get(slot as usize)?.as_ref()?;
        let instance = self.instances.iter().find(|i| i.id == row.instance)?;
        let emitter = instance.effect.emitters.get(row.emitter)?;
        debug_assert_eq!(emitter.id, row.emitter_id);
        Some((row.instance, row.emitter, emitter))
    }

    /// A row's program, as its executor runs it on the CPU.
    #[must_use]
    pub fn program(&self, slot: u32) -> Option<&Arc<Program>> {
        self.heap.program(self.rows.get(slot as usize)?.as_ref()?.program)
    }

    /// The programs.
    #[must_use]
    pub fn heap(&self) -> &ProgramHeap {
        &self.heap
    }

    /// The programs, to set global fields and to upload.
    pub fn heap_mut(&mut self) -> &mut ProgramHeap {
        &mut self.heap
    }

    /// The spawn commands of the next step: row and count.
    #[must_use]
    pub fn commands(&self) -> &[[u32; 2]] {
        &self.commands
    }
}

fn program_of(effect: &Effect, emitter: &Emitter) -> Arc<Program> {
    Arc::new(
        effect
            .programs
            .get(emitter.program as usize)
            .cloned()
            .unwrap_or_default(),
    )
}

/// An emitter's block: its fields, then its bursts.
fn block_of(emitter: &Emitter) -> Vec<u32> {
    let mut words = emitter.emitter_fields.clone();
    for burst in &emitter.emission.bursts {
        let row = BurstRow {
            time: burst.time,
            least: burst.min,
            most: burst.max,
            cycles: burst.cycles,
            interval: burst.interval,
            chance: burst.chance,
        };
        words.extend_from_slice(cast_slice(bytes_of(&row)));
    }
    words
}
