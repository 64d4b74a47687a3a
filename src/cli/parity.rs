//! `mote parity`: every executor against the scalar one.

use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::Failure;
use super::output::{self, Format};
use crate::gpu::Gpu;
use crate::inspect::parity::{Backend, Executor, Report, parity};

/// Who is compared with the scalar executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Choice {
    /// All others.
    All,
    /// The CPU over many particles at a time.
    Batched,
    /// The GPU with private registers, every instruction over four lanes.
    GpuFast,
    /// Likewise, instructions of width 1 over one lane.
    GpuSingle,
    /// The GPU with registers in a buffer.
    GpuWide,
}

#[derive(Debug, Args)]
pub(super) struct Parity {
    /// Random programs to run.
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..))]
    programs: u32,
    /// The seed they come from.
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// Executors to compare with the scalar one.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "all")]
    backends: Vec<Choice>,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl Parity {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let chosen = |choice| self.backends.contains(&Choice::All) || self.backends.contains(&choice);
        let backends: Vec<Backend> = Backend::ALL
            .into_iter()
            .filter(|backend| {
                chosen(match backend {
                    Backend::Batched => Choice::Batched,
                    Backend::Fast => Choice::GpuFast,
                    Backend::Single => Choice::GpuSingle,
                    Backend::Wide => Choice::GpuWide,
                })
            })
            .collect();
        let gpu = match backends.iter().any(|&backend| backend != Backend::Batched) {
            true => Some(Gpu::headless()?),
            false => None,
        };
        if let Some(gpu) = &gpu
            && backends.contains(&Backend::Wide)
            && !gpu.has_wide()
        {
            let name = &gpu.info().name;
            return Err(
                format!("{name} binds too few buffers for gpu-wide; leave it out with --backends").into(),
            );
        }
        let mut executors: Vec<Box<dyn Executor>> = backends
            .iter()
            .filter_map(|backend| backend.executor(gpu.as_ref()))
            .collect();
        let report = parity(self.programs, self.seed, &mut executors)?;
        match self.format {
            Format::Json => output::json(&report),
            Format::Text => text(&report, gpu.as_ref()),
        }
        Ok(if report.failed == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(1)
        })
    }
}

fn text(report: &Report, gpu: Option<&Gpu>) {
    for failure in &report.failures {
        output::line(&format!(
            "program {} on {}:\n{}",
            failure.program, failure.backend, failure.text
        ));
    }
    if !report.hardware.is_empty() {
        output::line("instruction   lanes compared   outside   worst ulp   allowed");
        for row in &report.hardware {
            let allowed = row
                .allowed_ulp
                .map_or("equal".to_owned(), |units| units.to_string());
            output::line(&format!(
                "{:<12} {:>15} {:>9} {:>11.3} {:>9}",
                row.op, row.lanes, row.outside, row.worst_ulp, allowed
            ));
        }
    }
    let unused: Vec<&str> = report.unused().iter().map(|op| op.info().mnemonic).collect();
    if !unused.is_empty() {
        output::line(&format!("no program had: {}", unused.join(", ")));
    }
    let device = gpu.map_or(String::new(), |gpu| format!(" on {}", gpu.info().name));
    output::line(&format!(
        "{} programs of seed {}, scalar against {}{device}: {} failures",
        report.programs,
        report.seed,
        report.backends.join(", "),
        report.failed
    ));
}
