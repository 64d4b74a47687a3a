//! The door for a game: effects, instances, one step for all of them, one draw a view.
//!
//! ```no_run
//! # fn frame(gpu: &mote::gpu::Gpu, bytes: &[u8], view: &mote::draw::View,
//! #          pass: &mut wgpu::RenderPass<'static>) -> Result<(), Box<dyn std::error::Error>> {
//! use mote::artifact::Effect;
//! use mote::draw::Targets;
//! use mote::host::Placement;
//! use mote::system::{ParticleSystem, SystemDescriptor};
//!
//! let targets = Targets {
//!     color: wgpu::TextureFormat::Rgba16Float,
//!     depth: Some(wgpu::TextureFormat::Depth32Float),
//!     reversed: false,
//!     samples: 1,
//! };
//! let mut particles = ParticleSystem::new(gpu, SystemDescriptor { particles: 65_536, targets });
//! let fire = particles.place(Effect::load(bytes)?, Placement::default())?;
//!
//! // Every frame:
//! let mut encoder = gpu.device.create_command_encoder(&Default::default());
//! particles.step(gpu, &mut encoder, 1.0 / 60.0, &[*view]);
//! particles.draw(pass, 0);
//! # Ok(()) }
//! ```

use std::sync::Arc;

use crate::artifact::Effect;
use crate::draw::blended::PoolView;
use crate::draw::{Blended, Targets, View};
use crate::gpu::simulation::DispatchCounts;
use crate::gpu::{Gpu, Pipelines, Pool, Simulation};
use crate::host::heap::HeapError;
use crate::host::{InstanceId, Placement, PoseSource, Stage, StageError, Swap};
use crate::vm::WindField;

/// Longest step taken at once, in seconds; what a stall lasted beyond it is dropped.
pub const LONGEST_STEP: f64 = 0.1;

/// What a system is made for.
#[derive(Debug, Clone, Copy)]
pub struct SystemDescriptor {
    /// Particles of all instances together.
    pub particles: u32,
    /// The pass they are drawn in.
    pub targets: Targets,
}

/// Playing effects of a game.
#[derive(Debug)]
pub struct ParticleSystem {
    stage: Stage,
    pool: Pool,
    simulation: Simulation,
    blended: Arc<Blended>,
    views: Vec<PoolView>,
    prepared: usize,
    stepped: bool,
}

impl ParticleSystem {
    /// Makes buffers and asks for every pipeline there will ever be.
    #[must_use]
    pub fn new(gpu: &Gpu, descriptor: SystemDescriptor) -> Self {
        let pipelines = Pipelines::new(gpu, crate::isa::SLOT_CLASSES[1]);
        let pool = Pool::new(gpu, descriptor.particles);
        let mut stage = Stage::new(pool.capacity());
        stage.set_register_limit(gpu.max_registers());
        Self {
            stage,
            pool,
            simulation: Simulation::new(gpu, pipelines),
            blended: Blended::new(gpu, descriptor.targets),
            views: Vec::new(),
            prepared: 0,
            stepped: false,
        }
    }

    /// Starts an effect.
    ///
    /// # Errors
    /// [`StageError`] where it cannot be placed; the others play on.
    pub fn place(&mut self, effect: Arc<Effect>, placement: Placement) -> Result<InstanceId, StageError> {
        self.stage.place(effect, placement)
    }

    /// Sets a field of one emitter of an instance.
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
        self.stage.set_emitter_field(id, emitter, name, value)
    }

    /// Sets a global field, which all effects share by its name.
    ///
    /// # Errors
    /// [`HeapError`] where effects read it with another width, or no room is left.
    pub fn set_global(&mut self, name: &str, values: &[f32]) -> Result<(), HeapError> {
        self.stage.heap_mut().set_global(name, values)
    }

    /// The wind of the world, which programs read; none is still air.
    pub fn set_wind(&mut self, wind: Option<Arc<WindField>>) {
        self.stage.set_wind(wind);
    }

    /// Ends an instance and its particles.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn remove(&mut self, id: InstanceId) -> Result<(), StageError> {
        self.stage.remove(id)
    }

    /// Moves an instance.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn set_pose(&mut self, id: InstanceId, pose: impl Into<PoseSource>) -> Result<(), StageError> {
        self.stage.set_pose(id, pose)
    }

    /// Moves an instance without a way between.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn teleport(&mut self, id: InstanceId, pose: impl Into<PoseSource>) -> Result<(), StageError> {
        self.stage.teleport(id, pose)
    }

    /// Sets a parameter of an instance.
    ///
    /// # Errors
    /// [`StageError::NoParameter`], [`StageError::NoInstance`].
    pub fn set_parameter(&mut self, id: InstanceId, name: &str, value: [f32; 4]) -> Result<(), StageError> {
        self.stage.set_parameter(id, name, value)
    }

    /// Asks for particles of one emitter, born at the next step's start.
    ///
    /// # Errors
    /// [`StageError::NoEmitter`], [`StageError::NoInstance`].
    pub fn burst(&mut self, id: InstanceId, emitter: usize, count: u32) -> Result<(), StageError> {
        self.stage.burst(id, emitter, count)
    }

    /// Gives an instance another version of its effect.
    ///
    /// # Errors
    /// [`StageError`] where it cannot be placed; then the old one plays on.
    pub fn reload(&mut self, id: InstanceId, effect: Arc<Effect>) -> Result<Swap, StageError> {
        let swap = self.stage.set_effect(id, effect)?;
        if swap == Swap::Restart {
            self.stage.restart(id)?;
        }
        Ok(swap)
    }

    /// Records one step and prepares the views. One step belongs in one submission. A step that is no time,
    /// or a system without instances, simulates nothing.
    pub fn step(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, dt: f64, views: &[View]) {
        let idle = self.stage.instance_count() == 0;
        if !idle || self.stepped {
            // One more step after the last instance has gone frees its particles.
            if let Some(frame) = self.stage.begin_step(dt.min(LONGEST_STEP)) {
                self.simulation
                    .step(gpu, encoder, &mut self.pool, &self.stage, &frame);
                self.stage.end_step();
                self.stepped = !idle;
            } else {
                self.stage.settle();
                self.simulation.settle(gpu, encoder, &mut self.pool, &self.stage);
                self.stage.clear_changes();
            }
        }
        while self.views.len() < views.len() {
            self.views.push(self.blended.pool_view(gpu));
        }
        self.prepared = views.len();
        for (view, pool_view) in views.iter().zip(&mut self.views) {
            self.blended.prepare(gpu, &self.pool, pool_view, view);
        }
    }

    /// Draws the view of this place in the list given to [`Self::step`].
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, view: usize) {
        if view < self.prepared {
            self.blended.draw(pass, &self.pool, &self.views[view]);
        }
    }

    /// Dispatches of the last step.
    #[must_use]
    pub fn dispatches(&self) -> &DispatchCounts {
        self.simulation.dispatches()
    }

    /// The pool, to read back or to draw some other way.
    #[must_use]
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The stage, to look at.
    #[must_use]
    pub fn stage(&self) -> &Stage {
        &self.stage
    }
}
