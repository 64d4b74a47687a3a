//! What the test binaries share.
#![allow(dead_code, reason = "each test binary uses its own part")]

pub(crate) mod curves;
pub(crate) mod settings;

use std::sync::{Arc, OnceLock};

use mote::artifact::{Effect, Emission, Emitter};
use mote::base::id::Id;
use mote::base::rng::pcg;
use mote::gpu::{Gpu, Making, Pipelines, Pool, Simulation, Snapshot};
use mote::host::{Frustum, Placement, Stage};
use mote::isa::asm::assemble;
use mote::layout::{FieldType, ParticleLayout};
use mote::reference::Reference;

/// A small generator for random tests; its seed is part of every message.
pub(crate) struct Rolls(pub(crate) u32);

impl Rolls {
    pub(crate) fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9);
        pcg(self.0)
    }
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.next() % n
    }
}

/// One device and one set of pipelines for the whole binary: a missing adapter fails the tests.
pub(crate) fn gpu() -> &'static (Gpu, Arc<Pipelines>) {
    static GPU: OnceLock<(Gpu, Arc<Pipelines>)> = OnceLock::new();
    GPU.get_or_init(|| {
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let pipelines = Pipelines::new(&gpu, 64, Making::OnAThread);
        // This set is never dropped: it must not be making pipelines when the process ends.
        while !pipelines.all_ready() {
            std::thread::yield_now();
        }
        (gpu, pipelines)
    })
}

/// Held by tests that count pipelines and by those that make more than the shared ones.
pub(crate) fn counting() -> std::sync::MutexGuard<'static, ()> {
    static COUNTING: std::sync::Mutex<()> = std::sync::Mutex::new(());
    COUNTING.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A layout of position, velocity, age, lifetime, size.
pub(crate) fn layout() -> ParticleLayout {
    ParticleLayout::pack([
        ("position", FieldType::Vec3),
        ("velocity", FieldType::Vec3),
        ("age", FieldType::Float),
        ("lifetime", FieldType::Float),
        ("size", FieldType::Float),
    ])
    .unwrap()
}

/// An effect of one emitter whose program is assembler text over [`layout`].
pub(crate) fn effect(text: &str, emission: Emission) -> Arc<Effect> {
    let program = assemble(text).unwrap_or_else(|error| panic!("{error}"));
    let effect = Effect {
        name: "test".to_owned(),
        emitters: vec![Emitter::new(Id::new("a").unwrap(), layout(), emission)],
        programs: vec![program],
        ..Effect::default()
    };
    mote::artifact::validate::validate(&effect).unwrap_or_else(|error| panic!("{error}"));
    Arc::new(effect)
}

/// Ages, moves by velocity and ends at its lifetime. Words as [`layout`] packs them: position 4–6, velocity
/// 8–10, age 2, lifetime 3, size 7.
pub(crate) fn drift(lifetime: f32) -> String {
    format!(
        ".registers 12
init:
    load_builtin.3 r0, emitter_position
    store_field.3 w4, r0
    random.3 r0, #0x5eed, #0x0
    sub.3 r0, r0, 0.5
    store_field.3 w8, r0
    store_field.1 w3, {lifetime:?}
    store_field.1 w7, 0.1
update:
    load_builtin.1 r0, delta_time
    load_field.1 r1, w2
    add.1 r1, r1, r0
    store_field.1 w2, r1
    load_field.3 r2, w4
    load_field.3 r5, w8
    mad.3 r2, r5, r0.xxx, r2
    store_field.3 w4, r2
    load_field.1 r8, w3
    cmp_le.1 r9, r8, r1
    kill.1 r9
"
    )
}

/// A stage with its pool on the GPU and on the CPU.
pub(crate) struct Pair {
    pub(crate) stage: Stage,
    pub(crate) pool: Pool,
    pub(crate) simulation: Simulation,
    pub(crate) reference: Reference,
}

impl Pair {
    pub(crate) fn new(capacity: u32) -> Self {
        let (gpu, pipelines) = gpu();
        Self {
            stage: Stage::new(capacity),
            pool: Pool::new(gpu, capacity),
            simulation: Simulation::new(gpu, Arc::clone(pipelines)),
            reference: Reference::new(capacity),
        }
    }

    pub(crate) fn with(effect: &Arc<Effect>, capacity: u32) -> Self {
        let mut pair = Self::new(capacity);
        pair.stage
            .place(Arc::clone(effect), Placement::default())
            .unwrap();
        pair
    }

    pub(crate) fn step(&mut self, dt: f64) {
        self.step_seen(dt, &[]);
    }

    /// A step that such views look on at.
    pub(crate) fn step_seen(&mut self, dt: f64, views: &[Frustum]) {
        let (gpu, _) = gpu();
        let Some(frame) = self.stage.begin_step_seen(dt, views) else {
            return;
        };
        self.reference.step(&self.stage, &frame);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.simulation
            .step(gpu, &mut encoder, &mut self.pool, &self.stage, &frame);
        gpu.queue.submit([encoder.finish()]);
        self.stage.end_step();
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot::read(&gpu().0, &self.pool, self.stage.row_count()).unwrap()
    }
}

/// A stage with the CPU twin alone.
pub(crate) struct Solo {
    pub(crate) stage: Stage,
    pub(crate) reference: Reference,
}

impl Solo {
    pub(crate) fn with(effect: &Arc<Effect>, capacity: u32) -> Self {
        let mut stage = Stage::new(capacity);
        stage.place(Arc::clone(effect), Placement::default()).unwrap();
        Self {
            stage,
            reference: Reference::new(capacity),
        }
    }

    pub(crate) fn step(&mut self, dt: f64) {
        self.step_seen(dt, &[]);
    }

    /// A step that such views look on at.
    pub(crate) fn step_seen(&mut self, dt: f64, views: &[Frustum]) {
        if let Some(frame) = self.stage.begin_step_seen(dt, views) {
            self.reference.step(&self.stage, &frame);
            self.stage.end_step();
        }
    }

    /// Emitters that start with a pre-warm run it; no time passes.
    pub(crate) fn warm_up(&mut self) {
        if let Some(frame) = self.stage.begin_warm_up() {
            self.reference.step(&self.stage, &frame);
            self.stage.end_step();
        }
    }

    /// Everything stands where it was placed for a step in which no emitter's time goes: what moves next has
    /// moved from there.
    pub(crate) fn stand(&mut self) {
        let ids: Vec<_> = self.stage.instances().collect();
        for &id in &ids {
            self.stage.set_time_scale(id, 0.0).unwrap();
        }
        self.step(1.0);
        for &id in &ids {
            self.stage.set_time_scale(id, 1.0).unwrap();
        }
        self.stage.set_time(0.0);
    }

    pub(crate) fn alive(&self) -> usize {
        self.reference.live_records().count()
    }
}
