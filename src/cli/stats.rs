//! `mote stats`: counters after so many steps.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::output::{self, Format};
use super::run::{DriverChoice, RunOptions, kit, name};
use super::{Failure, input};
use crate::artifact::save::save_atomic;
use crate::isa::HEADER_WORD;
use crate::play::{Driver, Player, Shown, Stats};

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct StatsCommand {
    /// A document or compiled effect.
    file: PathBuf,
    /// Steps to take.
    #[arg(long, default_value_t = 240)]
    frames: u64,
    /// Who moves the particles.
    #[arg(long, value_enum, default_value = "gpu")]
    driver: DriverChoice,
    /// Write the live particles' fields as CSV.
    #[arg(long, value_name = "FILE")]
    dump: Option<PathBuf>,
    /// Say how long the passes of a step took on the device.
    #[arg(long)]
    times: bool,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    run: RunOptions,
}

#[derive(Serialize)]
struct Report {
    file: String,
    frames: u64,
    time: f64,
    driver: &'static str,
    adapter: Option<String>,
    #[serde(flatten)]
    stats: Stats,
    dispatches: BTreeMap<&'static str, u32>,
    /// Microseconds of each pass that ran in the last step whose times have come back.
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<BTreeMap<&'static str, f64>>,
}

impl StatsCommand {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        if let Some(dump) = &self.dump {
            output::distinct(dump, &[&self.file])?;
        }
        let effect = input::effect(&self.file)?;
        let driver = self.driver.driver();
        let (kit, shown) = match driver {
            Driver::Gpu => (Some(kit(std::slice::from_ref(&effect))?), Shown::Gpu),
            Driver::Cpu => (None, Shown::Cpu),
        };
        let adapter = kit.as_ref().map(|kit| kit.gpu.info().name.clone());
        let mut player = self.run.player(kit, shown, effect)?;
        if self.times && driver == Driver::Cpu {
            return Err("--times are the GPU's: leave it out, or use --driver gpu".into());
        }
        if self.times && !player.set_timings(true) {
            return Err("this device has no clock for its passes; leave out --times".into());
        }
        self.run.run(&mut player, self.frames)?;
        // Reading the counts waits for the device, so that the last times are there.
        let stats = player.stats(driver)?;
        let times = player.timings().map(|times| {
            let passes = times.passes.into_iter();
            passes
                .filter_map(|(name, time)| time.map(|time| (name, time)))
                .collect()
        });
        let report = Report {
            file: name(&self.file),
            frames: self.frames,
            time: player.time(),
            driver: if driver == Driver::Gpu { "gpu" } else { "cpu" },
            adapter,
            stats,
            dispatches: player
                .dispatches()
                .map(|counts| counts.iter().copied().collect())
                .unwrap_or_default(),
            times,
        };
        if let Some(path) = &self.dump {
            save_atomic(path, dump(&player, driver)?.as_bytes())?;
        }
        match self.format {
            Format::Json => output::json(&report),
            Format::Text => text(&report),
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn text(report: &Report) {
    let s = &report.stats;
    output::line(&format!(
        "{} after {} steps ({:.3} s) on the {}",
        report.file, report.frames, report.time, report.driver
    ));
    output::line(&format!(
        "alive {}  born {}  dropped {}  not finite {}  free {}  digest {}",
        s.alive, s.born, s.dropped, s.non_finite, s.dead, s.digest
    ));
    output::line(&format!(
        "alive list {}  budget {}  workgroups of the next simulate {}",
        s.listed, s.budget, s.workgroups
    ));
    for e in &s.emitters {
        let finished = if e.finished { "  finished" } else { "" };
        output::line(&format!(
            "  {}: alive {} of {}  born {}  dropped {}{finished}",
            e.name, e.alive, e.capacity, e.born, e.dropped
        ));
    }
    if !report.dispatches.is_empty() {
        let counts: Vec<String> = report
            .dispatches
            .iter()
            .filter(|(_, count)| **count > 0)
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        output::line(&format!("dispatches of the last step: {}", counts.join("  ")));
    }
    if let Some(times) = &report.times {
        let each: Vec<String> = times
            .iter()
            .map(|(name, time)| format!("{name} {time:.1}"))
            .collect();
        output::line(&format!(
            "µs of passes: {}  together {:.1}",
            each.join("  "),
            times.values().sum::<f64>()
        ));
    }
}

/// The live particles as CSV: emitter, ordinal, then each field's words as numbers.
fn dump(player: &Player, driver: Driver) -> Result<String, Failure> {
    let mut text = String::from("emitter,ordinal,generation,field,x,y,z,w\n");
    let effect = player.effect().ok_or("nothing plays")?;
    for particle in player.live(driver)? {
        let emitter = &effect.emitters[particle.emitter];
        let generation = particle.record[HEADER_WORD as usize] >> 16;
        for field in emitter.layout.fields() {
            let lanes: Vec<String> = field
                .words()
                .map(|w| format!("{:?}", f32::from_bits(particle.record[w as usize])))
                .collect();
            let padding = ",".repeat(4 - lanes.len());
            text.push_str(&format!(
                "{},{},{generation},{},{}{padding}\n",
                emitter.id,
                particle.ordinal,
                field.name,
                lanes.join(",")
            ));
        }
    }
    Ok(text)
}
