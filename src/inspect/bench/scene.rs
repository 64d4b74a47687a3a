//! What the benchmarks of the simulation play: effects of a known population that nothing dies in, stepped on a
//! device with or without timings.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::artifact::{Burst, Effect, Emission, Emitter};
use crate::base::id::Id;
use crate::gpu::{Gpu, Making, PassId, PassTimes, Pipelines, Pool, Simulation};
use crate::host::{Placement, Stage};
use crate::isa::SLOT_CLASSES;
use crate::isa::asm::assemble;
use crate::layout::{FieldSlot, FieldType, ParticleLayout};

/// A step so short that the presets' shortest lives outlast a measurement.
pub(super) const STEP: f64 = 1.0 / 4096.0;

/// Steps before the first that counts, and how long they last at the least: the burst is born, and the device has
/// its clock up, which takes some a tenth of a second.
const WARM: u32 = 40;
const WARM_FOR: Duration = Duration::from_millis(200);
/// Timed steps, of which the median counts.
const SAMPLES: usize = 25;

/// A program of [`super::vm`] whose records lie as its text says.
const LAYOUT: [(&str, FieldType, u32); 6] = [
    ("position", FieldType::Vec3, 4),
    ("age", FieldType::Float, 7),
    ("velocity", FieldType::Vec3, 8),
    ("lifetime", FieldType::Float, 11),
    ("color", FieldType::Color, 12),
    ("size", FieldType::Float, 16),
];

/// Seconds that a particle of a benchmark program lives at the least: longer than any measurement.
const LIFETIME: f32 = 60.0;
/// Sets what the UPDATE of the benchmark programs reads, but for the lifetime.
const INIT: &str = "
init:
    load_builtin.3 r0, emitter_position
    random.3 r4, #0x5eed, #0x0
    mad.3 r0, r4, 4.0, r0
    store_field.3 w4, r0
    sub.3 r4, r4, 0.5
    store_field.3 w8, r4
";

/// All of an emitter's particles at once, at the start.
fn all_at_once(count: u32) -> Emission {
    Emission {
        bursts: vec![Burst::once(count)],
        capacity: count,
        culling: false,
        ..Emission::default()
    }
}

/// An effect of one emitter that runs a benchmark program over `count` particles. `variant` makes it another
/// program of the same length. None where the text is no program, which a test rules out.
pub(super) fn written(text: &str, count: u32, variant: u32) -> Option<Arc<Effect>> {
    let slots = LAYOUT.map(|(name, ty, word)| FieldSlot {
        name: name.to_owned(),
        ty,
        word,
    });
    let layout = ParticleLayout::from_slots(slots.to_vec()).ok()?;
    // Another lifetime is another program.
    let lifetime = LIFETIME + variant as f32;
    let program = assemble(&format!("{text}{INIT}    store_field.1 w11, {lifetime:?}\n")).ok()?;
    let emitter = Emitter::new(Id::new("bench").ok()?, layout, all_at_once(count));
    Some(Arc::new(Effect {
        name: "bench".to_owned(),
        emitters: vec![emitter],
        programs: vec![program],
        ..Effect::default()
    }))
}

/// A preset that bears `count` particles at once, its emitters the same number each.
pub(super) fn preset(name: &str, count: u32) -> Option<Arc<Effect>> {
    let document = crate::document::presets::preset(name)?;
    let mut effect = crate::compiler::compile(&document).effect?;
    let emitters = effect.emitters.len() as u32;
    for (index, emitter) in effect.emitters.iter_mut().enumerate() {
        let more = u32::from((index as u32) < count % emitters);
        emitter.emission = all_at_once(count / emitters + more);
    }
    Some(Arc::new(effect))
}

/// A stage and its simulation on a device.
pub(super) struct Scene {
    pub(super) stage: Stage,
    pub(super) pool: Pool,
    pub(super) simulation: Simulation,
}

/// Where the CPU's time of a step goes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spent {
    /// Deciding what changed: the stage.
    pub(super) host: Duration,
    /// Uploading it and recording the passes through wgpu, encoding apart.
    pub(super) record: Duration,
    /// wgpu's encoding and submission.
    pub(super) wgpu: Duration,
}

impl Scene {
    pub(super) fn new(gpu: &Gpu, pipelines: &Arc<Pipelines>, particles: u32) -> Self {
        let pool = Pool::new(gpu, particles);
        Self {
            stage: Stage::new(pool.capacity()),
            simulation: Simulation::new(gpu, Arc::clone(pipelines)),
            pool,
        }
    }

    /// With one instance of an effect at the origin. None where it cannot be placed.
    pub(super) fn of(gpu: &Gpu, pipelines: &Arc<Pipelines>, effect: &Arc<Effect>) -> Option<Self> {
        let count = effect.emitters.iter().map(|e| e.emission.capacity).sum();
        let mut scene = Self::new(gpu, pipelines, count);
        scene.stage.place(Arc::clone(effect), Placement::default()).ok()?;
        Some(scene)
    }

    /// One step, submitted.
    pub(super) fn step(&mut self, gpu: &Gpu) -> Spent {
        let start = Instant::now();
        let Some(frame) = self.stage.begin_step(STEP) else {
            return Spent::default();
        };
        let begun = start.elapsed();
        let mut encoder = gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("mote.bench"),
            });
        let start = Instant::now();
        self.simulation
            .step(gpu, &mut encoder, &mut self.pool, &self.stage, &frame);
        let recorded = start.elapsed();
        let encoding = self.simulation.encoding_time();
        let start = Instant::now();
        gpu.queue.submit([encoder.finish()]);
        let submitted = start.elapsed();
        let start = Instant::now();
        self.stage.end_step();
        Spent {
            host: begun + start.elapsed(),
            record: recorded.saturating_sub(encoding),
            wgpu: encoding + submitted,
        }
    }

    /// Steps until the burst is born and the device runs at its clock.
    pub(super) fn warm(&mut self, gpu: &Gpu) {
        let start = Instant::now();
        let enough = |steps: u32| steps >= WARM && (gpu.is_software() || start.elapsed() >= WARM_FOR);
        for steps in 0.. {
            if enough(steps) {
                break;
            }
            self.step(gpu);
            if steps % 8 == 7 {
                wait(gpu);
            }
        }
        wait(gpu);
    }
}

/// Waits for the device.
pub(super) fn wait(gpu: &Gpu) {
    if let Err(error) = gpu.device.poll(wgpu::PollType::wait_indefinitely()) {
        tracing::warn!(%error, "waiting for the device");
    }
}

/// Pipelines that all scenes of a run share, every class made.
pub(super) fn pipelines(gpu: &Gpu) -> Arc<Pipelines> {
    let pipelines = Pipelines::new(gpu, SLOT_CLASSES[SLOT_CLASSES.len() - 1], Making::OnAThread);
    while !pipelines.all_ready() {
        std::thread::yield_now();
    }
    pipelines
}

/// Times of several scenes in microseconds, by `of`, stepped in turn so that a slow moment meets all of them;
/// `beside` is run once a round. The median of each. None where the device has no timestamps.
pub(super) fn device_times<const N: usize>(
    gpu: &Gpu,
    mut scenes: [&mut Scene; N],
    of: fn(&PassTimes) -> f64,
    mut beside: impl FnMut(),
) -> Option<[f64; N]> {
    for scene in &mut scenes {
        scene.warm(gpu);
        if !scene.simulation.set_timings(gpu, true) {
            return None;
        }
    }
    let mut times: [Vec<f64>; N] = std::array::from_fn(|_| Vec::with_capacity(SAMPLES));
    let mut latest = [0; N];
    // A step whose times found no free place goes untimed.
    for _ in 0..SAMPLES * 20 {
        for ((scene, times), latest) in scenes.iter_mut().zip(&mut times).zip(&mut latest) {
            scene.step(gpu);
            if let Some(found) = scene.simulation.timings(gpu)
                && found.step > *latest
            {
                *latest = found.step;
                times.push(of(&found));
            }
        }
        beside();
        if times.iter().all(|times| times.len() >= SAMPLES) {
            break;
        }
        if gpu.is_software() {
            wait(gpu);
        }
    }
    for scene in &mut scenes {
        scene.simulation.set_timings(gpu, false);
    }
    wait(gpu);
    Some(times.map(median))
}

/// Microseconds of the simulate pass.
pub(super) fn simulate(times: &PassTimes) -> f64 {
    times.of(PassId::Simulate).unwrap_or(0.0)
}

/// Microseconds of the whole step.
pub(super) fn whole(times: &PassTimes) -> f64 {
    times.total()
}

pub(super) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
