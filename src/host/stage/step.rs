//! The stage from step to step, and what is to be seen of it.

use std::sync::Arc;

use super::rows::Row;
use super::{InstanceId, Stage, StageError};
use crate::artifact::{Effect, Emitter};
use crate::base::dd::Dd;
use crate::host::heap::ProgramHeap;
use crate::host::pose::Pose;
use crate::host::rows::{EmitterRow, FRUSTUM_PLANES, FrameParams, MAX_GROUPS_X, MAX_VIEWS, VIEWS_FROZEN};
use crate::host::spans::Spans;
use crate::host::transforms::{MAX_DEPTH, PoseSource};
use crate::host::warmup::Warmup;
use crate::isa::Program;
use crate::vm::WindField;

/// Planes of a view's frustum: a point is inside where `xyz · p + w ≥ 0` for all six.
pub type Frustum = [[f32; 4]; FRUSTUM_PLANES as usize];

/// A step about to be run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// The step's uniform.
    pub params: FrameParams,
    /// Slots the largest live program needs.
    pub registers: u32,
    /// Whether header, constants and code fit a uniform window of the program buffer.
    pub code_is_uniform: bool,
    /// Which program each row runs, as a number that changes with it: a list bucketed under another number is
    /// bucketed again before it is walked.
    pub assignment: u64,
    /// The pre-warms of emitters that start in this step.
    pub warmup: Option<Warmup>,
}

impl Stage {
    /// Stages what moved and gives the step's numbers; nothing is culled. `dt` in seconds; none where it is not
    /// above 0, which is a pause.
    pub fn begin_step(&mut self, dt: f64) -> Option<Frame> {
        self.begin_step_seen(dt, &[])
    }

    /// Likewise, with the frusta of the views that look on. No view at all, or more than [`MAX_VIEWS`], culls
    /// nothing.
    pub fn begin_step_seen(&mut self, dt: f64, views: &[Frustum]) -> Option<Frame> {
        if !(dt.is_finite() && dt > 0.0) {
            return None;
        }
        self.fade(dt);
        Some(self.frame(dt, views))
    }

    /// A step of no time in which emitters that start with a pre-warm run it; none where there is none. After it they
    /// stand at the present as if they had run before.
    pub fn begin_warm_up(&mut self) -> Option<Frame> {
        (!self.warming.is_empty()).then(|| self.frame(0.0, &[]))
    }

    fn frame(&mut self, dt: f64, views: &[Frustum]) -> Frame {
        self.settle();
        let step = Dd::from_f64(dt);
        let mut planes = [[0.0; 4]; MAX_VIEWS * FRUSTUM_PLANES as usize];
        let view_count = if views.len() > MAX_VIEWS { 0 } else { views.len() };
        for (place, plane) in planes.iter_mut().zip(views[..view_count].as_flattened()) {
            *place = *plane;
        }
        let params = FrameParams {
            planes,
            // In no time nobody falls asleep or wakes.
            view_count: if self.culling_frozen || dt == 0.0 {
                VIEWS_FROZEN
            } else {
                view_count as u32
            },
            dt: step.hi,
            dt_lo: step.lo,
            time_start: self.time as f32,
            time_end: (self.time + dt) as f32,
            row_count: self.rows.owners.len() as u32,
            pool_capacity: self.pool_capacity,
            max_groups_x: MAX_GROUPS_X,
            program_count: self.heap.program_count(),
            global_base: self.heap.global_base(),
            command_count: self.commands.len() as u32,
            transform_count: self.transforms.row_count(),
            matrix_count: self.matrix_count,
            binding_count: self.bindings.bound_rows(),
            ..FrameParams::default().with_wind(self.wind.as_deref())
        };
        self.time += dt;
        let mut longest = 0.0f32;
        let mut particles = 0u32;
        for &row in &self.warming {
            let staged = self.rows.get(row);
            if staged.prewarm > 0.0 {
                longest = longest.max(Warmup::whole(staged.prewarm, staged.time_scale, step.hi));
                particles = particles.saturating_add(staged.capacity);
            }
        }
        Frame {
            params,
            registers: self.heap.max_registers(),
            code_is_uniform: self.heap.code_is_uniform(),
            assignment: u64::from(self.rows.assignment_version) << 32 | u64::from(self.heap.code_version()),
            warmup: Warmup::new(longest, particles),
        }
    }

    /// Effects whose programs keep more registers are refused from now on: see
    /// [`Gpu::max_registers`](crate::gpu::Gpu::max_registers).
    pub fn set_register_limit(&mut self, registers: u32) {
        self.heap.set_register_limit(registers);
    }

    /// Instances that would need more emitter rows are refused from now on; at most [`super::MAX_ROWS`].
    pub fn set_row_limit(&mut self, rows: u32) {
        self.rows.limit = rows.min(super::MAX_ROWS);
    }

    /// Whether so many more emitters could play.
    ///
    /// # Errors
    /// [`StageError::RowsFull`].
    pub fn check_rows(&self, more: usize) -> Result<(), StageError> {
        self.rows.check_room(more)
    }

    /// Lets what is in view stay as it was found last, whoever looks on: to look at what sleeps.
    pub fn freeze_culling(&mut self, frozen: bool) {
        self.culling_frozen = frozen;
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
        self.transforms.end_step();
        // They have run theirs.
        for index in 0..self.warming.len() {
            let row = self.warming[index];
            let staged = EmitterRow {
                prewarm: 0.0,
                ..self.rows.get(row)
            };
            self.rows.set(row, &staged);
        }
        self.warming.clear();
        self.rows.end_step();
        for [row, _] in self.commands.drain(..) {
            self.rows.command_of[row as usize] = 0;
        }
    }

    /// Stages what moved without a step, so that a paused picture follows an edit.
    pub fn settle(&mut self) {
        if self.staged_version == self.heap.placement_version() {
            return;
        }
        self.staged_version = self.heap.placement_version();
        for row in 0..self.rows.owners.len() as u32 {
            let mut staged = self.rows.get(row);
            let Some(Row {
                block: Some(block),
                placed,
                ..
            }) = &mut self.rows.owners[row as usize]
            else {
                continue;
            };
            let bursts = staged.burst_offset - staged.field_offset;
            let rates = staged.rate_offset - staged.field_offset;
            staged.field_offset = self.heap.block_word(*block);
            let now = staged.field_offset - self.heap.global_base();
            let was = std::mem::replace(placed, now);
            self.bindings.move_block(row, &(was..was + bursts), now);
            staged.burst_offset = staged.field_offset + bursts;
            staged.rate_offset = staged.field_offset + rates;
            self.rows.set(row, &staged);
        }
    }

    /// Rows and poses count as uploaded; programs do not, since a pool alone does not take them.
    pub fn clear_changes_of_rows(&mut self) {
        self.rows.dirty.clear();
        self.rows.occupancy_dirty.clear();
        self.transforms.clear_dirty();
        self.bindings.clear_dirty();
    }

    /// Everything marked as changed counts as uploaded, by every pool that plays this stage.
    pub fn clear_changes(&mut self) {
        self.clear_changes_of_rows();
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
        let loaded = self.effects.iter().flatten();
        loaded
            .map(|l| {
                let one: u64 = l.emitters.iter().map(|e| u64::from(e.row.capacity)).sum();
                one * u64::from(l.instances)
            })
            .sum()
    }

    /// Rows in use or resting, which is the length of every row table.
    #[must_use]
    pub fn row_count(&self) -> u32 {
        self.rows.owners.len() as u32
    }

    /// The emitter rows as words, and what changed in them.
    #[must_use]
    pub fn row_table(&self) -> (&[u32], &Spans) {
        (&self.rows.words, &self.rows.dirty)
    }

    /// A bit a row, a word a page of [`PAGE_ROWS`](crate::host::rows::PAGE_ROWS), and what changed in them.
    #[must_use]
    pub fn occupancy(&self) -> (&[u32], &Spans) {
        (&self.rows.occupancy, &self.rows.occupancy_dirty)
    }

    /// Where a row stands in the world, as far as the CPU knows: rows of the caller's buffer are the identity.
    #[must_use]
    pub fn pose(&self, row: u32) -> Pose {
        let mut pose = Pose::IDENTITY;
        let mut at = self
            .rows
            .owners
            .get(row as usize)
            .and_then(|o| o.as_ref().map(|o| o.transform));
        for _ in 0..MAX_DEPTH {
            let Some(Ok(PoseSource::At(local))) = at.map(|at| self.transforms.source(at)) else {
                break;
            };
            pose = local.then(&pose);
            at = at.and_then(|at| self.transforms.parent(at).ok().flatten());
        }
        pose
    }

    /// The rows of an instance, in the order of its emitters.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn instance_rows(&self, id: InstanceId) -> Result<&[u32], StageError> {
        Ok(&self.instance(id)?.rows)
    }

    /// The effect an instance plays.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn instance_effect(&self, id: InstanceId) -> Result<&Arc<Effect>, StageError> {
        let loaded = self.loaded(self.instance(id)?.effect);
        Ok(&loaded.ok_or(StageError::NoInstance)?.effect)
    }

    /// Whether an instance plays.
    #[must_use]
    pub fn is_playing(&self, id: InstanceId) -> bool {
        self.instance(id).is_ok()
    }

    /// Instances that play.
    #[must_use]
    pub fn instance_count(&self) -> u32 {
        self.playing
    }

    /// All instances, oldest first.
    pub fn instances(&self) -> impl Iterator<Item = InstanceId> + '_ {
        let mut ids: Vec<InstanceId> = self.instances.iter().flatten().map(|i| i.id).collect();
        ids.sort_unstable();
        ids.into_iter()
    }

    /// Who owns a row: instance, place of the emitter in its effect, and the emitter itself.
    #[must_use]
    pub fn owner(&self, row: u32) -> Option<(InstanceId, usize, &Emitter)> {
        let owner = self.rows.owners.get(row as usize)?.as_ref()?;
        let instance = self.instance(owner.instance).ok()?;
        let effect = &self.loaded(instance.effect)?.effect;
        let emitter = effect.emitters.get(owner.emitter as usize)?;
        Some((owner.instance, owner.emitter as usize, emitter))
    }

    /// A row's program, as its executor runs it on the CPU.
    #[must_use]
    pub fn program(&self, row: u32) -> Option<&Arc<Program>> {
        self.rows.owners.get(row as usize)?.as_ref()?;
        self.heap.program(self.rows.get(row).program)
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

    /// The spawn commands of the next step: row and count, one a row.
    #[must_use]
    pub fn commands(&self) -> &[[u32; 2]] {
        &self.commands
    }
}
