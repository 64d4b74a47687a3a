//! `mote bench`: figures of this build on this machine.

use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::Failure;
use super::output::{self, Format};
use crate::inspect::bench::{NAMES, Row, run};

#[derive(Debug, Args)]
pub(super) struct Bench {
    /// Which to run; none runs all.
    #[arg(value_parser = NAMES)]
    name: Option<String>,
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

impl Bench {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        if cfg!(debug_assertions) {
            tracing::warn!("this is a debug build; figures of a release build are the ones that count");
        }
        let names = NAMES
            .iter()
            .filter(|name| self.name.as_deref().is_none_or(|asked| asked == **name));
        let rows: Vec<Row> = names.filter_map(|name| run(name)).flatten().collect();
        match self.format {
            Format::Json => output::json(&Report { adapter: None, rows }),
            Format::Text => {
                for row in &rows {
                    let line = format!("{:<32} {:>12.3} {}", row.name, row.value, row.unit);
                    output::line(line.trim_end());
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
