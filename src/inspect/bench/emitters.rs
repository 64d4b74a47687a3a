//! Many emitters: what they cost the device beside one emitter of as many particles, and what they cost the CPU.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::scene::{Scene, Spent, device_times, pipelines, simulate, wait, whole, written};
use super::vm::{LONG, SHORT, VECTORS};
use super::{Options, Row, counted};
use crate::gpu::{Gpu, Pipelines};
use crate::host::Placement;

/// Emitters whose CPU time is measured.
const EMITTERS: [u32; 5] = [1, 10, 100, 1_000, 5_000];
/// Particles of each of those.
const FEW: u32 = 4;
/// Steps that CPU time is measured over, of which the median counts.
const STEPS: usize = 120;
/// Effects that differ, and instances that do not.
const DISTINCT: u32 = 100;
const INSTANCES: u32 = 2_000;

/// Rows of all of it.
pub(super) fn rows(gpu: &Gpu, options: &Options) -> Vec<Row> {
    let pipelines = pipelines(gpu);
    let mut rows = Vec::new();
    let particles = options.counts.as_ref().and_then(|counts| counts.first().copied());
    let particles = particles
        .unwrap_or(if gpu.is_software() { 10_000 } else { 1_000_000 })
        .min(gpu.max_particles());
    one_against_many(gpu, &pipelines, particles, &mut rows);
    distinct(gpu, &pipelines, particles, &mut rows);
    cpu(gpu, &pipelines, &mut rows);
    placing(gpu, &pipelines, &mut rows);
    rows
}

/// So many instances of a program, each of so many particles.
fn instances(gpu: &Gpu, pipelines: &Arc<Pipelines>, text: &str, emitters: u32, each: u32) -> Option<Scene> {
    let effect = written(text, each, 0)?;
    let mut scene = Scene::new(gpu, pipelines, emitters * each);
    let placements: Vec<Placement> = (0..emitters)
        .map(|seed| Placement {
            seed,
            ..Placement::default()
        })
        .collect();
    scene
        .stage
        .place_many(&effect, &placements, &mut Vec::new())
        .inspect_err(|error| tracing::warn!(%error, "cannot be placed"))
        .ok()?;
    Some(scene)
}

/// The same particles in one emitter and in many.
fn one_against_many(gpu: &Gpu, pipelines: &Arc<Pipelines>, particles: u32, rows: &mut Vec<Row>) {
    let many = particles.isqrt().max(1);
    let each = particles / many;
    for (name, text) in [("", SHORT), ("long.", LONG)] {
        let (Some(mut one), Some(mut split)) = (
            instances(gpu, pipelines, text, 1, many * each),
            instances(gpu, pipelines, text, many, each),
        ) else {
            return;
        };
        let Some([whole, parts]) = device_times(gpu, [&mut one, &mut split], simulate, || {}) else {
            return;
        };
        let of = format!("emitters.{name}{many}x{each}");
        let single = format!("1x{}", counted(many * each));
        rows.push(Row::new(format!("emitters.{name}{single}"), whole, "µs"));
        rows.push(Row::new(&of, parts, "µs"));
        rows.push(Row::new(format!("{of}.over.{single}"), parts / whole, ""));
    }
}

/// Effects that all run programs of their own.
fn distinct(gpu: &Gpu, pipelines: &Arc<Pipelines>, particles: u32, rows: &mut Vec<Row>) {
    let each = (particles / DISTINCT).clamp(1, 1_000);
    for (name, text) in [("short", SHORT), ("long", LONG), ("vectors", VECTORS)] {
        let mut scene = Scene::new(gpu, pipelines, DISTINCT * each);
        for variant in 0..DISTINCT {
            let Some(effect) = written(text, each, variant) else {
                return;
            };
            if let Err(error) = scene.stage.place(effect, Placement::default()) {
                tracing::warn!(%error, "cannot be placed");
                return;
            }
        }
        let of = format!("emitters.distinct.{DISTINCT}x{each}.{name}");
        if let Some([time]) = device_times(gpu, [&mut scene], simulate, || {}) {
            rows.push(Row::new(format!("{of}.simulate"), time, "µs"));
        }
        if let Some([time]) = device_times(gpu, [&mut scene], whole, || {}) {
            rows.push(Row::new(format!("{of}.step"), time, "µs"));
        }
    }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The median of each part of a step's CPU time, in microseconds: host, record, wgpu.
fn spent(gpu: &Gpu, scene: &mut Scene) -> [f64; 3] {
    let mut spent: Vec<Spent> = Vec::with_capacity(STEPS);
    let steps = if gpu.is_software() { STEPS / 4 } else { STEPS };
    for step in 0..steps {
        spent.push(scene.step(gpu));
        // Steps that pile up in the queue would be waited for inside a submission.
        if step % 2 == 1 {
            wait(gpu);
        }
    }
    let of =
        |part: fn(&Spent) -> Duration| super::scene::median(spent.iter().map(|s| micros(part(s))).collect());
    [of(|s| s.host), of(|s| s.record), of(|s| s.wgpu)]
}

/// The CPU's part of a step at rest: nothing is edited and nothing moves.
fn cpu(gpu: &Gpu, pipelines: &Arc<Pipelines>, rows: &mut Vec<Row>) {
    for emitters in EMITTERS {
        let Some(mut scene) = instances(gpu, pipelines, SHORT, emitters, FEW) else {
            return;
        };
        for _ in 0..5 {
            scene.step(gpu);
        }
        wait(gpu);
        let [host, record, wgpu] = spent(gpu, &mut scene);
        let of = format!("emitters.cpu.{emitters}");
        rows.push(Row::new(format!("{of}.ours"), host + record, "µs"));
        rows.push(Row::new(format!("{of}.host"), host, "µs"));
        rows.push(Row::new(format!("{of}.record"), record, "µs"));
        rows.push(Row::new(format!("{of}.wgpu"), wgpu, "µs"));
    }
}

/// The bonfire, placed very often in one call.
fn placing(gpu: &Gpu, pipelines: &Arc<Pipelines>, rows: &mut Vec<Row>) {
    let document = crate::document::presets::preset("bonfire");
    let Some(effect) = document.and_then(|document| crate::compiler::compile(&document).effect) else {
        return;
    };
    let effect = Arc::new(effect);
    let placements: Vec<Placement> = (0..INSTANCES)
        .map(|seed| Placement {
            seed,
            ..Placement::default()
        })
        .collect();
    let mut ids = Vec::with_capacity(placements.len());
    let mut scene = Scene::new(gpu, pipelines, 65_536);
    let start = Instant::now();
    if let Err(error) = scene.stage.place_many(&effect, &placements, &mut ids) {
        tracing::warn!(%error, "cannot be placed");
        return;
    }
    let placed = start.elapsed();
    let of = format!("emitters.place.{INSTANCES}.bonfires");
    rows.push(Row::new(&of, placed.as_secs_f64() * 1e3, "ms"));
    let first = scene.step(gpu);
    rows.push(Row::new(
        format!("{of}.first"),
        micros(first.host + first.record) / 1e3,
        "ms",
    ));
    for _ in 0..5 {
        scene.step(gpu);
    }
    wait(gpu);
    let [host, record, wgpu] = spent(gpu, &mut scene);
    rows.push(Row::new(format!("{of}.rest.ours"), host + record, "µs"));
    rows.push(Row::new(format!("{of}.rest.wgpu"), wgpu, "µs"));
}
