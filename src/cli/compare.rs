//! `mote compare`: the GPU against its CPU twin.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::output::{self, Format};
use super::run::{RunOptions, from_zero, kit, name};
use super::{Failure, input};
use crate::inspect::{Comparison, compare};
use crate::play::{Driver, Shown};

/// Moments of a run at which the two are compared, evenly spread to its end.
const MOMENTS: u64 = 4;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct Compare {
    /// Documents and compiled effects.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Steps to take.
    #[arg(long, default_value_t = 240)]
    frames: u64,
    /// Largest relative difference of a field that passes.
    #[arg(long, default_value_t = 1e-3, value_parser = from_zero)]
    tolerance: f64,
    /// Smallest share of particles that must live in both.
    #[arg(long, default_value_t = 0.999, value_parser = share)]
    share: f64,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    run: RunOptions,
}

#[derive(Serialize)]
struct Report {
    file: String,
    ok: bool,
    identical: bool,
    #[serde(flatten)]
    comparison: Comparison,
}

impl Compare {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let effects = self
            .files
            .iter()
            .map(|path| input::effect(path))
            .collect::<Result<Vec<_>, _>>()?;
        let kit = kit(&effects)?;
        let mut reports = Vec::new();
        for (path, effect) in self.files.iter().zip(effects) {
            let mut player = self.run.player(Some(kit.clone()), Shown::Split, effect)?;
            // At several moments: an effect that bursts may have nothing alive at the last.
            let mut moments = Vec::new();
            let mut taken = 0;
            for part in 1..=MOMENTS {
                let until = self.frames * part / MOMENTS;
                self.run.run(&mut player, until - taken)?;
                taken = until;
                moments.push(compare(
                    player.stage(),
                    &player.live(Driver::Gpu)?,
                    &player.live(Driver::Cpu)?,
                ));
            }
            let ok = moments
                .iter()
                .all(|c| c.within(self.share, self.tolerance as f32));
            let identical = moments.iter().all(Comparison::identical);
            // What is shown is the moment that fails, else the one with the most particles.
            let shown = moments
                .into_iter()
                .max_by_key(|c| (!c.within(self.share, self.tolerance as f32), c.left.max(c.right)))
                .unwrap_or_default();
            let report = Report {
                file: name(path),
                ok,
                identical,
                comparison: shown,
            };
            if self.format == Format::Text {
                text(&report);
            }
            reports.push(report);
        }
        let ok = reports.iter().all(|report| report.ok);
        if self.format == Format::Json {
            output::json(&reports);
        }
        Ok(if ok { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

fn text(report: &Report) {
    let c = &report.comparison;
    let verdict = match (report.identical, report.ok) {
        _ if c.left.max(c.right) == 0 => "nothing lived, nothing was compared",
        (true, _) => "identical",
        (_, true) => "within tolerance",
        _ => "DIFFERENT",
    };
    output::line(&format!(
        "{}: {verdict}  gpu {}  cpu {}  matched {} ({:.3} %)  largest difference {:.2e}",
        report.file,
        c.left,
        c.right,
        c.matched,
        c.share() * 100.0,
        c.largest()
    ));
    for d in &c.differences {
        output::line(&format!(
            "  {} · {}: {} words differ, largest {:.2e} at particle {}",
            d.emitter, d.field, d.words, d.relative, d.ordinal
        ));
    }
}

fn share(text: &str) -> Result<f64, String> {
    from_zero(text)
        .ok()
        .filter(|share| *share <= 1.0)
        .ok_or_else(|| format!("{text:?} is not a number from 0 to 1"))
}
