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
//! let mut particles = ParticleSystem::new(gpu, SystemDescriptor::new(targets))?;
//! let fire = particles.place(Effect::load(bytes)?, Placement::default())?;
//!
//! // Every frame:
//! let mut encoder = gpu.device.create_command_encoder(&Default::default());
//! particles.step(gpu, &mut encoder, 1.0 / 60.0, &[*view]);
//! particles.draw(pass, 0);
//! # Ok(()) }
//! ```

mod commands;
mod descriptor;
mod device;
mod instances;
mod nodes;
mod stats;
mod values;

use std::sync::Arc;

use self::commands::Queue;
pub use self::commands::{Asked, CommandError, Commands, Refusal, Whom};
pub use self::descriptor::{SystemDescriptor, SystemError};
use self::instances::Refused;
pub use self::stats::{EffectMemory, InstanceStats, Memory, SystemStats};
pub use self::values::ParameterId;
use crate::draw::blended::PoolView;
use crate::draw::{Blended, View};
use crate::gpu::simulation::DispatchCounts;
use crate::gpu::{FinishedReader, Gpu, Making, Pipelines, Pool, Simulation, StatsReader};
use crate::host::{Frustum, Stage};

/// Longest step taken at once, in seconds; what a stall lasted beyond it is dropped.
pub const LONGEST_STEP: f64 = 0.1;

/// Playing effects of a game.
#[derive(Debug)]
pub struct ParticleSystem {
    descriptor: SystemDescriptor,
    stage: Stage,
    on: Device,
    /// Whether somebody asked for stats since they were copied last.
    stats_asked: bool,
    views: Vec<PoolView>,
    frusta: Vec<Frustum>,
    prepared: usize,
    stepped: bool,
    /// Names of parameters that ids stand for.
    names: Vec<Box<str>>,
    refused: Vec<Refused>,
    queue: Queue,
    max_particles: u32,
    /// The sum of capacities that the pool was last sized for.
    grown_for: u64,
}

/// What belongs to one device.
#[derive(Debug)]
struct Device {
    pool: Pool,
    simulation: Simulation,
    blended: Arc<Blended>,
    finished_reader: FinishedReader,
    stats_reader: StatsReader,
}

impl Device {
    fn new(gpu: &Gpu, descriptor: &SystemDescriptor) -> Self {
        let making = if descriptor.background {
            Making::OnAThread
        } else {
            Making::InPlace
        };
        let pipelines = Pipelines::new(gpu, crate::isa::SLOT_CLASSES[1], making);
        Self {
            pool: Pool::with_rows(gpu, descriptor.particles, descriptor.rows),
            simulation: Simulation::new(gpu, pipelines),
            blended: Blended::new(gpu, descriptor.targets),
            finished_reader: FinishedReader::new(gpu),
            stats_reader: StatsReader::new(gpu),
        }
    }
}

impl ParticleSystem {
    /// Makes buffers and asks for every pipeline there will ever be.
    ///
    /// # Errors
    /// [`SystemError::Limit`] where the device cannot do what is wanted.
    pub fn new(gpu: &Gpu, descriptor: SystemDescriptor) -> Result<Self, SystemError> {
        descriptor.check(gpu)?;
        let on = Device::new(gpu, &descriptor);
        let mut system = Self {
            descriptor,
            stage: Stage::new(on.pool.capacity()),
            on,
            stats_asked: false,
            views: Vec::new(),
            frusta: Vec::new(),
            prepared: 0,
            stepped: false,
            names: Vec::new(),
            refused: Vec::new(),
            queue: Queue::new(descriptor.commands),
            max_particles: 0,
            grown_for: 0,
        };
        system.adopt(gpu);
        Ok(system)
    }

    /// Carries out what other threads asked for, records one step of `dt` seconds and prepares the views, whose frusta say which emitters are out of sight.
    /// One step belongs in one submission, and the one before must have been submitted. A step that is no time, which
    /// is a pause, only runs the pre-warm of emitters that start; a system without instances simulates nothing. On a
    /// device that is known to be lost nothing happens.
    pub fn step(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, dt: f64, views: &[View]) {
        self.obey();
        if gpu.is_lost() {
            self.prepared = 0;
            return;
        }
        self.on.finished_reader.poll(gpu, &mut self.stage);
        self.on.stats_reader.poll(gpu);
        self.grow(gpu);
        self.frusta.clear();
        self.frusta.extend(views.iter().map(View::frustum));
        let idle = self.stage.instance_count() == 0;
        if !idle || self.stepped {
            let dt = if dt.is_finite() { dt.min(LONGEST_STEP) } else { 0.0 };
            // One more step after the last instance has gone frees its particles.
            let frame = self.stage.begin_step_seen(dt, &self.frusta);
            if let Some(frame) = frame.or_else(|| self.stage.begin_warm_up()) {
                self.on
                    .simulation
                    .step(gpu, encoder, &mut self.on.pool, &self.stage, &frame);
                let rows = self.stage.row_count();
                self.on.finished_reader.record(gpu, encoder, &self.on.pool, rows);
                if std::mem::take(&mut self.stats_asked) {
                    self.on.stats_reader.record(gpu, encoder, &self.on.pool, rows);
                }
                self.stage.end_step();
                self.stepped = !idle;
            } else {
                self.stage.settle();
                self.on
                    .simulation
                    .settle(gpu, encoder, &mut self.on.pool, &self.stage);
                self.stage.clear_changes();
            }
        }
        while self.views.len() < views.len() {
            self.views.push(self.on.blended.pool_view(gpu));
        }
        self.prepared = views.len();
        for (view, pool_view) in views.iter().zip(&mut self.views) {
            self.on.blended.prepare(gpu, &self.on.pool, pool_view, view);
        }
    }

    /// Draws the view of this place in the list given to [`Self::step`].
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, view: usize) {
        if view < self.prepared {
            self.on.blended.draw(pass, &self.on.pool, &self.views[view]);
        }
    }

    /// Whether every pipeline is there. Before, where a thread makes them, programs may run on larger ones than they
    /// need, and one that needs more registers than any waits in its first step.
    #[must_use]
    pub fn ready(&self) -> bool {
        self.on.simulation.all_ready()
    }

    /// Dispatches of the last step.
    #[must_use]
    pub fn dispatches(&self) -> &DispatchCounts {
        self.on.simulation.dispatches()
    }

    /// The pool, to read back or to draw some other way.
    #[must_use]
    pub fn pool(&self) -> &Pool {
        &self.on.pool
    }

    /// The stage, to look at.
    #[must_use]
    pub fn stage(&self) -> &Stage {
        &self.stage
    }
}

/// The page's example is compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/embedding.md")]
struct EmbeddingPage;
