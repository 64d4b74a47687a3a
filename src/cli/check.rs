//! `mote check`: diagnostics of documents and effects.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::output::{self, Format};
use super::{Failure, input};
use crate::base::diag::{Diagnostic, Place};

#[derive(Debug, Args)]
pub(super) struct Check {
    /// Documents and compiled effects.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Serialize)]
struct Report {
    file: String,
    ok: bool,
    diagnostics: Vec<Diagnostic>,
}

impl Check {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let mut reports = Vec::new();
        for path in &self.files {
            let file = path.display().to_string();
            let report = match input::read(path) {
                Ok(input) => Report {
                    file,
                    ok: input.effect.is_some(),
                    diagnostics: older(&input).into_iter().chain(input.diagnostics).collect(),
                },
                Err(error) => {
                    let place = Place::default();
                    let diagnostic = Diagnostic::error("file-access", place, error.to_string());
                    Report {
                        file,
                        ok: false,
                        diagnostics: vec![diagnostic],
                    }
                }
            };
            reports.push(report);
        }
        let ok = reports.iter().all(|report| report.ok);
        match self.format {
            Format::Json => output::json(&reports),
            Format::Text => {
                for report in &reports {
                    for diagnostic in &report.diagnostics {
                        output::line(&output::diagnostic(&report.file, diagnostic));
                    }
                    if report.ok {
                        output::line(&format!("{}: ok", report.file));
                    }
                }
            }
        }
        Ok(if ok { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

/// Says that a file is of an older version than this build writes.
fn older(input: &input::Input) -> Option<Diagnostic> {
    let current = match input.document {
        Some(_) => crate::document::file::VERSION,
        None => crate::artifact::VERSION,
    };
    let found = input.version.filter(|found| *found < current)?;
    let message = format!("The file is of version {found}; this build writes version {current}.");
    let help = "It loads as it is. `mote upgrade FILE -o OUT` writes it anew.";
    Some(Diagnostic::note("older-version", Place::default(), message).help(help))
}
