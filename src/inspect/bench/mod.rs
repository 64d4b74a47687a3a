//! Benchmarks, as figures and as ratios of figures measured in one run.

pub mod compile;
mod emitters;
mod files;
mod native;
mod scene;
mod simulate;
pub mod vm;

use std::time::Instant;

use serde::Serialize;

use crate::gpu::Gpu;

/// A figure.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// Its name; one that compares is `A.over.B`.
    pub name: String,
    /// The figure.
    pub value: f64,
    /// Its unit; a ratio has none.
    pub unit: &'static str,
}

impl Row {
    fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            value,
            unit,
        }
    }
}

/// The benchmarks there are, by name.
pub const NAMES: [&str; 5] = ["vm", "compile", "files", "simulate", "emitters"];

/// What a run is asked for.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Particles; none for what the device is measured with by default.
    pub counts: Option<Vec<u32>>,
}

/// Whether a benchmark of this name runs on a device.
#[must_use]
pub fn needs_gpu(name: &str) -> bool {
    matches!(name, "simulate" | "emitters")
}

/// The rows of a benchmark, or none for a name that has none, or that needs a device where none is given.
#[must_use]
pub fn run(name: &str, gpu: Option<&Gpu>, options: &Options) -> Option<Vec<Row>> {
    match name {
        "vm" => Some(vm::rows()),
        "compile" => Some(compile::rows()),
        "files" => Some(files::rows()),
        "simulate" => Some(simulate::rows(gpu?, options)),
        "emitters" => Some(emitters::rows(gpu?, options)),
        _ => None,
    }
}

/// A count as rows name it: `10k`, `1m`.
fn counted(count: u32) -> String {
    match count {
        1_000_000.. if count.is_multiple_of(1_000_000) => format!("{}m", count / 1_000_000),
        1_000.. if count.is_multiple_of(1_000) => format!("{}k", count / 1_000),
        _ => count.to_string(),
    }
}

/// The median time of each contestant in nanoseconds, all run in turn so that a slow moment meets all of them.
fn medians<const N: usize>(rounds: usize, mut contestants: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut times: [Vec<u128>; N] = std::array::from_fn(|_| Vec::with_capacity(rounds));
    // A first round to warm caches is not counted.
    for round in 0..=rounds {
        for (contestant, times) in contestants.iter_mut().zip(&mut times) {
            let start = Instant::now();
            contestant();
            let taken = start.elapsed().as_nanos();
            if round > 0 {
                times.push(taken);
            }
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        times.get(times.len() / 2).map_or(0.0, |&time| time as f64)
    })
}
