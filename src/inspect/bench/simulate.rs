//! The simulate pass: time a particle of the shipped effects and of two programs of known length, beside a kernel
//! that only copies the records and beside the same programs written out as a shader.

use std::sync::Arc;

use super::scene::{Scene, device_times, median, pipelines, preset, simulate, written};
use super::vm::{LONG, SHORT, VECTORS};
use super::{Options, Row, counted};
use crate::artifact::Effect;
use crate::document::presets::presets;
use crate::gpu::{Copying, Gpu, Pipelines, Straight};

/// Particles where nothing else is asked for: few on a software device.
fn counts(gpu: &Gpu) -> Vec<u32> {
    if gpu.is_software() {
        vec![10_000]
    } else {
        vec![10_000, 100_000, 1_000_000]
    }
}

/// Rows of every effect at every count.
pub(super) fn rows(gpu: &Gpu, options: &Options) -> Vec<Row> {
    let pipelines = pipelines(gpu);
    let most = gpu.max_particles();
    let mut rows = Vec::new();
    let counts = options.counts.clone().unwrap_or_else(|| counts(gpu));
    for count in counts.into_iter().map(|count| count.min(most)) {
        for (name, text) in [("short", SHORT), ("long", LONG), ("vectors", VECTORS)] {
            if let Some(effect) = written(text, count, 0) {
                contest(gpu, &pipelines, name, count, &effect, &mut rows);
            }
        }
        for of in presets() {
            if let Some(effect) = preset(of.name, count) {
                contest(gpu, &pipelines, of.name, count, &effect, &mut rows);
            }
        }
    }
    rows
}

/// One effect, on the interpreter and written out, and the copying of its pool, in turn.
fn contest(
    gpu: &Gpu,
    pipelines: &Arc<Pipelines>,
    name: &str,
    count: u32,
    effect: &Arc<Effect>,
    rows: &mut Vec<Row>,
) {
    let (Some(mut interpreted), Some(mut written)) = (
        Scene::of(gpu, pipelines, effect),
        Scene::of(gpu, pipelines, effect),
    ) else {
        tracing::warn!(name, "cannot be placed");
        return;
    };
    let straight = Straight::new(gpu, pipelines, written.stage.heap())
        .inspect_err(|error| tracing::warn!(name, %error, "cannot be written out"))
        .ok();
    let has_straight = straight.is_some();
    written.simulation.set_straight(straight);
    let Ok(Some(mut copying)) = Copying::new(gpu, &interpreted.pool) else {
        tracing::warn!("the device has no timestamps");
        return;
    };
    let (mut copies, mut latest) = (Vec::new(), 0);
    let beside = || {
        let mut encoder = gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("mote.bench.copying"),
            });
        copying.record(&mut encoder);
        gpu.queue.submit([encoder.finish()]);
        if let Some((number, [each, _])) = copying.times(gpu)
            && number > latest
        {
            latest = number;
            copies.push(each);
        }
    };
    let Some([time, straight]) = device_times(gpu, [&mut interpreted, &mut written], simulate, beside) else {
        tracing::warn!("the device has no timestamps");
        return;
    };
    let copy = median(copies);
    let row = |what: &str| format!("simulate.{name}.{}{what}", counted(count));
    rows.push(Row::new(row(""), time, "µs"));
    rows.push(Row::new(row(".particle"), time * 1e3 / f64::from(count), "ns"));
    rows.push(Row::new(row(".over.copy"), time / copy, ""));
    if has_straight {
        rows.push(Row::new(row(".over.straight"), time / straight, ""));
    }
}
