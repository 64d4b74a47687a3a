//! The stage from step to step, and what is to be seen of it.

use std::sync::Arc;

use bytemuck::cast_slice;

use super::{Frame, InstanceId, Stage, StageError};
use crate::artifact::{Effect, Emitter};
use crate::base::dd::Dd;
use crate::base::gpu_struct::GpuStruct;
use crate::host::heap::ProgramHeap;
use crate::host::pose::Pose;
use crate::host::rows::{EmitterRow, FrameParams, TRANSFORM_WORDS};
use crate::host::spans::{Spans, write_changed};
use crate::isa::Program;
use crate::vm::WindField;

impl Stage {
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
            ..FrameParams::default().with_wind(self.wind.as_deref())
        };
        self.time += dt;
        Some(Frame {
            params,
            registers: self.heap.max_registers(),
        })
    }

    /// Effects whose programs keep more registers are refused from now on: see
    /// [`Gpu::max_registers`](crate::gpu::Gpu::max_registers).
    pub fn set_register_limit(&mut self, registers: u32) {
        self.heap.set_register_limit(registers);
    }

    /// The wind that programs read from the next step on; none is still air.
    pub fn set_wind(&mut self, wind: Option<Arc<WindField>>) {
        self.wind = wind;
    }

    /// The wind that programs read.
    #[must_use]
    pub fn wind(&self) -> Option<&Arc<WindField>> {
        self.wind.as_ref()
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
        let instance = &self.instances[self.index(row.instance).ok()?];
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
