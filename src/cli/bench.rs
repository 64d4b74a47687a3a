//! `mote bench`: figures of this build on this machine.

use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::Failure;
use super::output::{self, Format};
use crate::artifact::emission::MAX_CAPACITY;
use crate::gpu::Gpu;
use crate::inspect::bench::{NAMES, Options, Row, needs_gpu, run};

#[derive(Debug, Args)]
pub(super) struct Bench {
    /// Which to run; none runs all.
    #[arg(value_parser = NAMES)]
    name: Option<String>,
    /// Particles to simulate, such as 10k,100k,1m; the first counts where only one is used.
    #[arg(long, value_delimiter = ',', value_parser = count)]
    counts: Option<Vec<u32>>,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Serialize)]
struct Report {
    /// The graphics adapter, where a benchmark uses one.
    adapter: Option<String>,
    rows: Vec<Row>,
}

/// A number of particles: digits, and k or m behind them.
fn count(text: &str) -> Result<u32, String> {
    let lower = text.to_ascii_lowercase();
    let (digits, unit) = match lower.strip_suffix(['k', 'm']) {
        Some(digits) if lower.ends_with('k') => (digits, 1_000),
        Some(digits) => (digits, 1_000_000),
        None => (lower.as_str(), 1),
    };
    let number = digits
        .parse::<u32>()
        .ok()
        .and_then(|number| number.checked_mul(unit));
    number
        .filter(|&number| number > 0 && number <= MAX_CAPACITY)
        .ok_or_else(|| {
            format!("{text:?} is no number of particles: write one from 1 to {MAX_CAPACITY}, such as 10k")
        })
}

impl Bench {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        if cfg!(debug_assertions) {
            tracing::warn!("this is a debug build; figures of a release build are the ones that count");
        }
        let names: Vec<&str> = NAMES
            .into_iter()
            .filter(|name| self.name.as_deref().is_none_or(|asked| asked == *name))
            .collect();
        let gpu = match names.iter().any(|name| needs_gpu(name)) {
            true => Some(Gpu::headless()?),
            false => None,
        };
        let adapter = gpu.as_ref().map(|gpu| gpu.info().name.clone());
        let options = Options { counts: self.counts };
        let rows: Vec<Row> = names
            .iter()
            .filter_map(|name| run(name, gpu.as_ref(), &options))
            .flatten()
            .collect();
        match self.format {
            Format::Json => output::json(&Report { adapter, rows }),
            Format::Text => {
                if let Some(adapter) = adapter {
                    output::line(&format!("adapter: {adapter}"));
                }
                for row in &rows {
                    let line = format!("{:<44} {:>12.3} {}", row.name, row.value, row.unit);
                    output::line(line.trim_end());
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
