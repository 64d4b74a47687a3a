//! `mote new`: a preset as a document.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{Failure, output};
use crate::artifact::save::save_atomic;
use crate::document::file::save;
use crate::document::presets::{preset, presets};

#[derive(Debug, Args)]
pub(super) struct New {
    /// The preset's name; `list` prints them all.
    preset: String,
    /// The document to write.
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Replace a file that is there.
    #[arg(long)]
    force: bool,
}

impl New {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        if self.preset == "list" {
            for preset in presets() {
                output::line(&format!("{:<12} {}", preset.name, preset.description));
            }
            return Ok(ExitCode::SUCCESS);
        }
        let Some(document) = preset(&self.preset) else {
            let names: Vec<&str> = presets().map(|preset| preset.name).collect();
            return Err(format!(
                "there is no preset {:?}; there are {}",
                self.preset,
                names.join(", ")
            )
            .into());
        };
        let Some(path) = self.output else {
            return Err("name the document to write with -o FILE".into());
        };
        output::ending(&path, "mote")?;
        output::absent(&path, self.force)?;
        save_atomic(&path, save(&document).as_bytes())?;
        output::line(&format!("{}: {}", path.display(), document.name()));
        Ok(ExitCode::SUCCESS)
    }
}
