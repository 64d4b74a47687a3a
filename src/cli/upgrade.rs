//! `mote upgrade`: a file of an older version as one of the current one.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::output::{self, Format};
use super::{Failure, input};
use crate::artifact::save::{encode_for, save_atomic};
use crate::base::diag::Diagnostic;
use crate::document::file::save;

#[derive(Debug, Args)]
pub(super) struct Upgrade {
    /// A compiled effect or a document.
    file: PathBuf,
    /// The file to write: `.motefx` or `.motefx.json` for a compiled effect, `.mote` for a document.
    #[arg(short, long)]
    output: PathBuf,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Serialize)]
struct Report {
    file: String,
    output: String,
    /// None where the file could not be read.
    from: Option<u32>,
    to: u32,
    /// Whether the output was written.
    ok: bool,
    diagnostics: Vec<Diagnostic>,
}

impl Upgrade {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        output::distinct(&self.output, &[&self.file])?;
        let content = input::content(&self.file)?;
        let (to, encoded) = match &content.kind {
            input::Kind::Document(Some(document)) => {
                output::ending(&self.output, "mote")?;
                (crate::document::file::VERSION, Some(save(document).into_bytes()))
            }
            input::Kind::Effect(Some(effect)) => {
                output::compiled_ending(&self.output)?;
                (crate::artifact::VERSION, Some(encode_for(&self.output, effect)))
            }
            input::Kind::Document(None) => (crate::document::file::VERSION, None),
            input::Kind::Effect(None) => (crate::artifact::VERSION, None),
        };
        if let Some(bytes) = &encoded {
            save_atomic(&self.output, bytes)?;
        }
        let report = Report {
            file: self.file.display().to_string(),
            output: self.output.display().to_string(),
            from: content.version,
            to,
            ok: encoded.is_some(),
            diagnostics: content.diagnostics,
        };
        match self.format {
            Format::Json => output::json(&report),
            Format::Text => {
                for diagnostic in &report.diagnostics {
                    output::line(&output::diagnostic(&report.file, diagnostic));
                }
                if let (true, Some(from)) = (report.ok, report.from) {
                    output::line(&format!("{}: version {from} to version {to}", report.output));
                }
            }
        }
        Ok(if report.ok {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(1)
        })
    }
}
