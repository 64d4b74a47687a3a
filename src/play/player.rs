//! One effect playing on the GPU, on the CPU, or on both side by side, under one transport.

use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::Vec3;
use thiserror::Error;

use super::stats::Stats;
use super::transport::Transport;
use crate::artifact::{Effect, Space};
use crate::draw::View;
use crate::gpu::readback::ReadError;
use crate::gpu::simulation::DispatchCounts;
use crate::gpu::{
    FinishedReader, Gpu, GrowError, Making, PassTimes, Pipelines, Pool, Simulation, Snapshot, StatsReader,
};
use crate::host::heap::HeapError;
use crate::host::rows::Counter;
use crate::host::{Air, Frame, InstanceId, Placement, Pose, Stage, StageError, Swap};
use crate::isa::HEADER_WORD;
use crate::layout::Channel;
use crate::reference::digest::live_particles;
use crate::reference::{LiveParticle, Reference};
use crate::render::{Background, Renderer, Target};
use crate::vm::wind::{WindError, WindField, WindScene};

/// Who moves the particles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driver {
    /// The GPU's passes.
    Gpu,
    /// Their CPU twin.
    Cpu,
}

/// Which populations play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// The GPU's.
    Gpu,
    /// The CPU's.
    Cpu,
    /// Both, side by side.
    Split,
}

impl Shown {
    /// Whether a driver's population plays.
    #[must_use]
    pub const fn has(self, driver: Driver) -> bool {
        matches!(
            (self, driver),
            (Self::Split, _) | (Self::Gpu, Driver::Gpu) | (Self::Cpu, Driver::Cpu)
        )
    }
}

/// What an edit did to the running effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwapReport {
    /// Live particles were kept.
    Kept,
    /// A layout changed; the effect was run again to the same time.
    Resimulated,
    /// A layout changed and running it again took too long; the effect started over.
    Restarted,
}

/// Longest a layout change may take to run the effect again before it starts over instead.
pub const RESIMULATION_BUDGET: Duration = Duration::from_millis(250);

/// Particles a pool has at the least: room for an edit to add an emitter without starting over.
const SMALLEST_POOL: u32 = 16_384;

/// Something cannot be played.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each case is its message")]
pub enum PlayError {
    #[error(transparent)]
    Stage(#[from] StageError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("there is no graphics device, so nothing can run on it; use the CPU driver")]
    NoGpu,
}

/// What the player needs of a device, made once and shared by all players.
#[derive(Debug, Clone)]
pub struct Kit {
    /// The device.
    pub gpu: Gpu,
    /// The simulation's pipelines.
    pub pipelines: Arc<Pipelines>,
    /// The preview's pipelines.
    pub renderer: Arc<Renderer>,
}

impl Kit {
    /// Asks for all pipelines.
    #[must_use]
    pub fn new(gpu: Gpu, first_registers: u32) -> Self {
        let pipelines = Pipelines::new(&gpu, first_registers, Making::OnAThread);
        let renderer = Arc::new(Renderer::new(&gpu));
        Self {
            gpu,
            pipelines,
            renderer,
        }
    }
}

#[derive(Debug)]
struct GpuSide {
    pool: Pool,
    simulation: Simulation,
    reader: StatsReader,
    /// Whether the last step's counts were not copied, since older ones were on their way.
    counts_missed: bool,
    finished: FinishedReader,
}

#[derive(Debug)]
struct CpuSide {
    reference: Reference,
    /// The pool it is shown through, where there is a device.
    pool: Option<Pool>,
    /// Whether the pool shows an older state.
    behind: bool,
}

/// The player.
#[derive(Debug)]
pub struct Player {
    kit: Option<Kit>,
    stage: Stage,
    instance: Option<InstanceId>,
    effect: Option<Arc<Effect>>,
    gpu: Option<GpuSide>,
    cpu: Option<CpuSide>,
    shown: Shown,
    seed: u32,
    pose: Pose,
    /// Pre-warm in place of what the effect says.
    prewarm: Option<f32>,
    /// The wind where a scene makes it.
    air: Option<Air>,
    finished: bool,
    /// How time becomes steps.
    pub transport: Transport,
}

impl Player {
    /// A player of nothing. Without a device only the CPU plays, and nothing is drawn.
    #[must_use]
    pub fn new(kit: Option<Kit>, shown: Shown) -> Self {
        let shown = if kit.is_some() { shown } else { Shown::Cpu };
        Self {
            kit,
            stage: Stage::new(SMALLEST_POOL),
            instance: None,
            effect: None,
            gpu: None,
            cpu: None,
            shown,
            seed: 1,
            pose: Pose::IDENTITY,
            prewarm: None,
            air: None,
            finished: false,
            transport: Transport::default(),
        }
    }

    /// The driver that suits a device: on a software adapter the CPU twin is far faster than interpreted
    /// shaders.
    #[must_use]
    pub fn preferred(kit: Option<&Kit>) -> Shown {
        if kit.is_some_and(|kit| !kit.gpu.is_software()) {
            Shown::Gpu
        } else {
            Shown::Cpu
        }
    }

    /// Plays an effect from its start, whatever played before.
    ///
    /// # Errors
    /// [`PlayError`] where it cannot be placed; then what played before goes on.
    pub fn load(&mut self, effect: Arc<Effect>) -> Result<(), PlayError> {
        let wanted: u64 = effect
            .emitters
            .iter()
            .map(|e| u64::from(e.emission.capacity))
            .sum();
        let mut stage = Stage::new(self.pool_size(wanted));
        if let Some(kit) = &self.kit {
            stage.set_register_limit(kit.gpu.max_registers());
        }
        stage.set_wind(self.stage.wind().cloned());
        let placement = Placement {
            pose: self.pose.into(),
            seed: self.seed,
            prewarm: self.prewarm,
            ..Placement::default()
        };
        let instance = stage.place(Arc::clone(&effect), placement)?;
        self.stage = stage;
        self.instance = Some(instance);
        self.effect = Some(effect);
        self.gpu = None;
        self.cpu = None;
        self.finished = false;
        self.make_sides();
        Ok(())
    }

    fn pool_size(&self, wanted: u64) -> u32 {
        let most = self.kit.as_ref().map_or(1 << 22, |kit| kit.gpu.max_particles());
        // The pool has room for stillborn particles and for those of an emitter that has just been removed.
        let size = wanted.saturating_add(wanted / 8).max(u64::from(SMALLEST_POOL));
        u32::try_from(size).unwrap_or(u32::MAX).min(most)
    }

    /// Plays another version of the effect. Particles are kept where layouts allow it; otherwise the effect is
    /// run again to its time while that stays inside [`RESIMULATION_BUDGET`].
    ///
    /// # Errors
    /// [`PlayError`] where it cannot be placed; then the old version plays on.
    pub fn swap(&mut self, effect: Arc<Effect>) -> Result<SwapReport, PlayError> {
        let Some(instance) = self.instance else {
            self.load(effect)?;
            return Ok(SwapReport::Restarted);
        };
        let swap = self.stage.set_effect(instance, Arc::clone(&effect))?;
        self.effect = Some(effect);
        self.finished = false;
        if swap == Swap::Kept {
            match self.grow() {
                Ok(()) => {
                    self.show_edit();
                    return Ok(SwapReport::Kept);
                }
                Err(error) => tracing::error!(%error, "the pool is made anew"),
            }
        }
        let time = self.stage.time();
        self.reset(None)?;
        if self.run_to(time, RESIMULATION_BUDGET) {
            return Ok(SwapReport::Resimulated);
        }
        self.reset(None)?;
        Ok(SwapReport::Restarted)
    }

    /// Makes room for what the edited effect may have alive; particles stay.
    fn grow(&mut self) -> Result<(), GrowError> {
        let size = self.pool_size(self.stage.wanted_capacity());
        if size <= self.stage.pool_capacity() {
            return Ok(());
        }
        if let (Some(kit), Some(side)) = (&self.kit, &mut self.gpu) {
            side.pool.grow_particles(&kit.gpu, size)?;
        }
        if let Some(side) = &mut self.cpu {
            if let (Some(kit), Some(pool)) = (&self.kit, &mut side.pool) {
                pool.grow_particles(&kit.gpu, size)?;
            }
            side.reference.grow(size);
        }
        self.stage.set_pool_capacity(size);
        Ok(())
    }

    /// A paused picture follows an edit of what only drawing reads.
    fn show_edit(&mut self) {
        self.stage.settle();
        if let Some(cpu) = &mut self.cpu {
            cpu.reference.place(&self.stage, 0.0);
            cpu.behind = true;
        }
        if let (Some(kit), Some(side)) = (&self.kit, &mut self.gpu) {
            let mut encoder = kit
                .gpu
                .device
                .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                    label: Some("mote.play.edit"),
                });
            side.simulation
                .settle(&kit.gpu, &mut encoder, &mut side.pool, &self.stage);
            kit.gpu.queue.submit([encoder.finish()]);
        }
        if let (Some(kit), Some(CpuSide { pool: Some(pool), .. })) = (&self.kit, &mut self.cpu) {
            pool.upload_tables(&kit.gpu, &self.stage);
        }
        self.stage.clear_changes();
    }

    /// Starts over at time 0.
    ///
    /// # Errors
    /// [`PlayError`] where the effect cannot be placed any more.
    pub fn restart(&mut self) -> Result<(), PlayError> {
        self.reset(None)
    }

    /// Starts over with another seed.
    ///
    /// # Errors
    /// As [`Self::restart`].
    pub fn set_seed(&mut self, seed: u32) -> Result<(), PlayError> {
        self.reset(Some(seed))
    }

    fn reset(&mut self, seed: Option<u32>) -> Result<(), PlayError> {
        self.seed = seed.unwrap_or(self.seed);
        match self.effect.clone() {
            Some(effect) => self.load(effect),
            None => Ok(()),
        }
    }

    /// Gives the effect this pre-warm in place of its own, from its next start on.
    pub fn set_prewarm(&mut self, seconds: Option<f32>) {
        self.prewarm = seconds;
    }

    /// Chooses which populations play. A population that was not playing is run to the present first.
    ///
    /// # Errors
    /// [`PlayError::NoGpu`] where the GPU is asked for and there is none.
    pub fn show(&mut self, shown: Shown) -> Result<(), PlayError> {
        if self.kit.is_none() && shown.has(Driver::Gpu) {
            return Err(PlayError::NoGpu);
        }
        if shown == self.shown {
            return Ok(());
        }
        self.shown = shown;
        let time = self.stage.time();
        self.reset(None)?;
        if !self.run_to(time, RESIMULATION_BUDGET * 4) {
            self.reset(None)?;
        }
        Ok(())
    }

    fn make_sides(&mut self) {
        let capacity = self.stage.pool_capacity();
        if self.shown.has(Driver::Cpu) && self.cpu.is_none() {
            let pool = self.kit.as_ref().map(|kit| Pool::new(&kit.gpu, capacity));
            self.cpu = Some(CpuSide {
                reference: Reference::new(capacity),
                pool,
                behind: true,
            });
        }
        if self.shown.has(Driver::Gpu)
            && self.gpu.is_none()
            && let Some(kit) = &self.kit
        {
            self.gpu = Some(GpuSide {
                pool: Pool::new(&kit.gpu, capacity),
                simulation: Simulation::new(&kit.gpu, Arc::clone(&kit.pipelines)),
                reader: StatsReader::new(&kit.gpu),
                counts_missed: false,
                finished: FinishedReader::new(&kit.gpu),
            });
        }
    }

    /// Lets `wall` seconds pass. Returns how many steps were taken.
    pub fn advance(&mut self, wall: f64) -> u32 {
        let (dt, count) = self.transport.steps(wall);
        for _ in 0..count {
            self.step(dt);
        }
        if count == 0 {
            self.take_counts();
        }
        count
    }

    /// Lets the GPU's counts catch up with its last step while none is taken.
    fn take_counts(&mut self) {
        let (Some(kit), Some(side)) = (&self.kit, &mut self.gpu) else {
            return;
        };
        if kit.gpu.is_lost() {
            return;
        }
        side.reader.poll(&kit.gpu);
        if side.counts_missed && !side.reader.is_under_way() {
            let mut encoder = kit.gpu.device.create_command_encoder(&Default::default());
            let rows = self.stage.row_count();
            side.counts_missed = !side.reader.record(&kit.gpu, &mut encoder, &side.pool, rows);
            kit.gpu.queue.submit([encoder.finish()]);
        }
    }

    /// Whether [`Self::alive`] and [`Self::emitter_counts`] will change without a step: the GPU's counts are on their way.
    #[must_use]
    pub fn counts_are_late(&self) -> bool {
        let late = |side: &GpuSide| side.counts_missed || side.reader.is_under_way();
        self.cpu.is_none() && self.gpu.as_ref().is_some_and(late)
    }

    /// Takes one step by hand, playing or not.
    pub fn step_once(&mut self) {
        self.step(self.transport.single_step());
    }

    /// Takes one step of `dt` seconds.
    pub fn step(&mut self, dt: f64) {
        if let Some(air) = &mut self.air
            && !air.scene().is_steady()
        {
            self.stage.set_wind(air.at(self.stage.time()).cloned());
        }
        self.warm_up();
        if let Some(frame) = self.stage.begin_step(dt) {
            self.run(&frame);
        }
    }

    /// Lets emitters that start with a pre-warm run it, so that time 0 shows what it leaves; no time passes. Steps
    /// and pictures do it by themselves; what is set before it is there from the start.
    pub fn warm_up(&mut self) {
        if let Some(frame) = self.stage.begin_warm_up() {
            self.run(&frame);
        }
    }

    fn run(&mut self, frame: &Frame) {
        if let (Some(kit), Some(side)) = (&self.kit, &mut self.gpu)
            && !kit.gpu.is_lost()
        {
            let mut encoder = kit
                .gpu
                .device
                .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                    label: Some("mote.play.step"),
                });
            side.simulation
                .step(&kit.gpu, &mut encoder, &mut side.pool, &self.stage, frame);
            let rows = self.stage.row_count();
            side.counts_missed = !side.reader.record(&kit.gpu, &mut encoder, &side.pool, rows);
            side.finished
                .record(&kit.gpu, &mut encoder, &side.pool, self.stage.row_count());
            kit.gpu.queue.submit([encoder.finish()]);
            side.reader.poll(&kit.gpu);
        }
        if let Some(side) = &mut self.cpu {
            side.reference.step(&self.stage, frame);
            side.behind = true;
            if let (Some(kit), Some(pool)) = (&self.kit, &mut side.pool) {
                // Changes are marked only until the step ends; the records follow when they are shown.
                pool.upload_tables(&kit.gpu, &self.stage);
            }
        }
        self.stage.end_step();
        // Side by side the CPU's word counts: it is there at once.
        if let Some(side) = &self.cpu {
            self.stage
                .note_finished(side.reference.finished().iter().copied());
        } else if let (Some(kit), Some(side)) = (&self.kit, &mut self.gpu) {
            side.finished.poll(&kit.gpu, &mut self.stage);
        }
        let instance = self.instance;
        self.finished |= self.stage.take_finished().any(|id| Some(id) == instance);
    }

    /// Whether the effect has ended and its last particle is gone, since it started; some steps late on the GPU.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Runs exact steps until `time`. False where `budget` of wall time ran out first.
    pub fn run_to(&mut self, time: f64, budget: Duration) -> bool {
        let (start, step) = (Instant::now(), self.transport.single_step());
        while self.stage.time() + step * 0.5 < time {
            if start.elapsed() > budget {
                return false;
            }
            self.step(step);
        }
        true
    }

    /// Asks for particles of one emitter at the next step.
    ///
    /// # Errors
    /// [`PlayError::Stage`] where there is no such emitter.
    pub fn burst(&mut self, emitter: usize, count: u32) -> Result<(), PlayError> {
        match self.instance {
            Some(instance) => Ok(self.stage.burst(instance, emitter, count)?),
            None => Ok(()),
        }
    }

    /// Moves the effect; a pose that is not finite is no place.
    pub fn set_pose(&mut self, pose: Pose) {
        if !pose.is_finite() {
            return;
        }
        self.pose = pose;
        if let Some(instance) = self.instance {
            // The instance is the player's own, so it exists.
            let _ = self.stage.set_pose(instance, pose);
        }
    }

    /// Sets a field of one emitter.
    ///
    /// # Errors
    /// [`PlayError::Stage`] where there is no such emitter or field.
    pub fn set_emitter_field(
        &mut self,
        emitter: usize,
        name: &str,
        value: [f32; 4],
    ) -> Result<(), PlayError> {
        match self.instance {
            Some(instance) => Ok(self.stage.set_emitter_field(instance, emitter, name, value)?),
            None => Ok(()),
        }
    }

    /// Sets a global field.
    ///
    /// # Errors
    /// [`HeapError`] where it is read with another width.
    pub fn set_global(&mut self, name: &str, values: &[f32]) -> Result<(), HeapError> {
        self.stage.heap_mut().set_global(name, values)
    }

    /// The wind of the world, from the next step on; none is still air. It outlives the effect.
    pub fn set_wind(&mut self, wind: Option<Arc<WindField>>) {
        self.air = None;
        self.stage.set_wind(wind);
    }

    /// The wind that the last step read, or the next will where none was taken since it was set.
    #[must_use]
    pub fn wind(&self) -> Option<&Arc<WindField>> {
        self.stage.wind()
    }

    /// The wind of the world as a scene makes it, from the next step on: each step reads the scene at the
    /// step's start. It outlives the effect.
    ///
    /// # Errors
    /// [`WindError`] where a number of the scene is out of its range; then the wind stays as it was.
    pub fn set_wind_scene(&mut self, scene: WindScene) -> Result<(), WindError> {
        let mut air = Air::new(scene)?;
        self.stage.set_wind(air.at(self.stage.time()).cloned());
        self.air = Some(air);
        Ok(())
    }

    /// Sets a parameter of the effect.
    ///
    /// # Errors
    /// [`PlayError::Stage`] where there is no such parameter.
    pub fn set_parameter(&mut self, name: &str, value: [f32; 4]) -> Result<(), PlayError> {
        match self.instance {
            Some(instance) => Ok(self.stage.set_parameter(instance, name, value)?),
            None => Ok(()),
        }
    }

    /// Draws one population into a target. False where it does not play or there is no device.
    pub fn draw(
        &mut self,
        driver: Driver,
        target: &mut Target,
        view: &View,
        background: &Background,
    ) -> bool {
        self.warm_up();
        let Some(kit) = &self.kit else { return false };
        let pool = match driver {
            Driver::Gpu => self.gpu.as_ref().map(|side| &side.pool),
            Driver::Cpu => match &mut self.cpu {
                Some(CpuSide {
                    reference,
                    pool: Some(pool),
                    behind,
                }) => {
                    if std::mem::take(behind) {
                        pool.upload_reference(&kit.gpu, &self.stage, reference);
                    }
                    Some(&*pool)
                }
                _ => None,
            },
        };
        let mut encoder = kit
            .gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("mote.play.draw"),
            });
        kit.renderer
            .render(&kit.gpu, &mut encoder, target, pool, view, background);
        kit.gpu.queue.submit([encoder.finish()]);
        pool.is_some()
    }

    /// The shared device and pipelines.
    #[must_use]
    pub fn kit(&self) -> Option<&Kit> {
        self.kit.as_ref()
    }

    /// Which populations play.
    #[must_use]
    pub fn shown(&self) -> Shown {
        self.shown
    }

    /// Effect time in seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.stage.time()
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> u32 {
        self.seed
    }

    /// The effect that plays.
    #[must_use]
    pub fn effect(&self) -> Option<&Arc<Effect>> {
        self.effect.as_ref()
    }

    /// The stage, to look at.
    #[must_use]
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// Particles the pool holds.
    #[must_use]
    pub fn pool_capacity(&self) -> u32 {
        self.stage.pool_capacity()
    }

    /// How many particles the effect may have and how many the device can hold, where that is fewer: births
    /// beyond it are refused and counted.
    #[must_use]
    pub fn shortfall(&self) -> Option<(u64, u32)> {
        let (wanted, holds) = (self.stage.wanted_capacity(), self.stage.pool_capacity());
        (wanted > u64::from(holds)).then_some((wanted, holds))
    }

    /// Particles alive, without waiting: exact where the CPU plays, some pictures late where only the GPU
    /// does, none until the first count has come back.
    #[must_use]
    pub fn alive(&self) -> Option<u32> {
        match &self.cpu {
            Some(side) => Some(side.reference.live_records().count() as u32),
            None => {
                let late = self.gpu.as_ref()?.reader.latest()?;
                Some(late.counter(Counter::Alive) - late.counter(Counter::Stillborn))
            }
        }
    }

    /// Living, born and refused of each emitter, without waiting: exact where the CPU plays, some pictures late
    /// where only the GPU does.
    #[must_use]
    pub fn emitter_counts(&self) -> Option<Vec<(u32, u32, u32)>> {
        let states = match (&self.cpu, &self.gpu) {
            (Some(side), _) => side.reference.states(),
            (None, Some(side)) => &side.reader.latest()?.states,
            (None, None) => return None,
        };
        let rows = self.stage.instance_rows(self.instance?).ok()?;
        let counts = rows.iter().map(|&row| {
            states
                .get(row as usize)
                .map_or((0, 0, 0), |s| (s.living, s.spawned, s.dropped))
        });
        Some(counts.collect())
    }

    /// Times the GPU's passes from the next step on, or no more. False where nothing is played there or the device
    /// has no clock.
    pub fn set_timings(&mut self, on: bool) -> bool {
        match (&self.kit, &mut self.gpu) {
            (Some(kit), Some(side)) => side.simulation.set_timings(&kit.gpu, on),
            _ => false,
        }
    }

    /// The times of the latest step that has come back. None while nothing is timed.
    pub fn timings(&mut self) -> Option<PassTimes> {
        match (&self.kit, &mut self.gpu) {
            (Some(kit), Some(side)) => side.simulation.timings(&kit.gpu),
            _ => None,
        }
    }

    /// Dispatches of the GPU's last step.
    #[must_use]
    pub fn dispatches(&self) -> Option<&DispatchCounts> {
        self.gpu.as_ref().map(|side| side.simulation.dispatches())
    }

    /// The living of a driver, sorted by emitter and ordinal; waits for the GPU.
    ///
    /// # Errors
    /// [`PlayError`] where the driver does not play or the device is gone.
    pub fn live(&self, driver: Driver) -> Result<Vec<LiveParticle>, PlayError> {
        match driver {
            Driver::Gpu => Ok(live_particles(&self.stage, self.snapshot()?.live_records())),
            Driver::Cpu => {
                let side = self.cpu.as_ref().ok_or(PlayError::NoGpu)?;
                Ok(live_particles(&self.stage, side.reference.live_records()))
            }
        }
    }

    fn snapshot(&self) -> Result<Snapshot, PlayError> {
        let (Some(kit), Some(side)) = (&self.kit, &self.gpu) else {
            return Err(PlayError::NoGpu);
        };
        Ok(Snapshot::read(&kit.gpu, &side.pool, self.stage.row_count())?)
    }

    /// Counters of a driver; waits for the GPU.
    ///
    /// # Errors
    /// As [`Self::live`].
    pub fn stats(&self, driver: Driver) -> Result<Stats, PlayError> {
        match driver {
            Driver::Gpu => {
                let snapshot = self.snapshot()?;
                let live = live_particles(&self.stage, snapshot.live_records());
                Ok(Stats::gather(
                    &self.stage,
                    |c| snapshot.counter(c),
                    &snapshot.states,
                    &live,
                ))
            }
            Driver::Cpu => {
                let side = self.cpu.as_ref().ok_or(PlayError::NoGpu)?;
                let live = live_particles(&self.stage, side.reference.live_records());
                let reference = &side.reference;
                Ok(Stats::gather(
                    &self.stage,
                    |c| reference.counter(c),
                    reference.states(),
                    &live,
                ))
            }
        }
    }

    /// A box around the living of a driver with their sizes, in metres; waits for the GPU. None while nothing
    /// with a position lives.
    ///
    /// # Errors
    /// As [`Self::live`].
    pub fn bounds(&self, driver: Driver) -> Result<Option<(Vec3, Vec3)>, PlayError> {
        let mut bounds: Option<(Vec3, Vec3)> = None;
        for particle in self.live(driver)? {
            let Ok(effect) = self.stage.instance_effect(particle.instance) else {
                continue;
            };
            let emitter = &effect.emitters[particle.emitter];
            let bindings = emitter.render.bindings;
            let word = |w: u32| f32::from_bits(particle.record[w as usize]);
            let Some(at) = bindings.get(Channel::Position).map(|s| s.word) else {
                continue;
            };
            let mut center = Vec3::new(word(at), word(at + 1), word(at + 2));
            if emitter.space == Space::Local {
                let pose = self.stage.pose(particle.record[HEADER_WORD as usize] & 0xffff);
                center = Vec3::from_array(pose.transform(center.to_array()));
            }
            let size = bindings.get(Channel::Size).map_or(0.1, |s| word(s.word));
            let (low, high) = (center - size * 0.5, center + size * 0.5);
            bounds = Some(bounds.map_or((low, high), |(min, max)| (min.min(low), max.max(high))));
        }
        Ok(bounds)
    }
}
