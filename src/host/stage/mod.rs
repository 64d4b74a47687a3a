//! The stage: which instances play, in which rows, and what this step's numbers are.

mod rows;
mod step;

use std::ops::Range;
use std::sync::Arc;

use thiserror::Error;

use self::rows::program_of;
use super::heap::{HeapError, ProgramHeap};
use super::pose::Pose;
use super::rows::FrameParams;
use super::spans::Spans;
use crate::artifact::{Effect, Emitter};
use crate::layout::FieldSlot;
use crate::vm::WindField;

/// One playing effect. Ids are never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstanceId(u32);

/// How an instance is placed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Where it stands.
    pub pose: Pose,
    /// Its seed; emitters of [`SeedMode::Play`](crate::artifact::SeedMode::Play) take theirs from it.
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
    #[error("the emitter {emitter:?} has no field {name:?} that its programs read")]
    NoField { emitter: String, name: String },
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
    wind: Option<Arc<WindField>>,
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
            wind: None,
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
        let rows: Vec<(u32, Option<FieldSlot>)> = instance
            .rows
            .iter()
            .zip(&instance.effect.emitters)
            .map(|(&row, emitter)| (row, emitter.emitter_layout.get(name).cloned()))
            .collect();
        for (row, field) in rows {
            if let Some(field) = field {
                self.write_block(row, &field, value);
            }
        }
        Ok(())
    }

    /// Sets a field of one emitter, counted from 0. What no program reads has no place and is not there.
    ///
    /// # Errors
    /// [`StageError::NoInstance`], [`StageError::NoEmitter`], [`StageError::NoField`].
    pub fn set_emitter_field(
        &mut self,
        id: InstanceId,
        emitter: usize,
        name: &str,
        value: [f32; 4],
    ) -> Result<(), StageError> {
        let instance = &self.instances[self.index(id)?];
        let (Some(&row), Some(of)) = (instance.rows.get(emitter), instance.effect.emitters.get(emitter))
        else {
            return Err(StageError::NoEmitter { index: emitter });
        };
        let Some(field) = of.emitter_layout.get(name).cloned() else {
            return Err(StageError::NoField {
                emitter: of.name.clone(),
                name: name.to_owned(),
            });
        };
        self.write_block(row, &field, value);
        Ok(())
    }

    fn write_block(&mut self, row: u32, field: &FieldSlot, value: [f32; 4]) {
        let Some(row) = &mut self.rows[row as usize] else {
            return;
        };
        let words = &value.map(f32::to_bits)[..field.ty.width() as usize];
        row.block_words[field.word as usize..field.word as usize + words.len()].copy_from_slice(words);
        self.heap.write_block(&row.block, field.word, words);
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
}
