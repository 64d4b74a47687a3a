//! `mote import`: another tool's effect as a document.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::{Failure, Format, output};
use crate::artifact::save::save_atomic;
use crate::base::diag::{Diagnostic, Place};
use crate::document::file::save;
use crate::document::import::{Options, PIXELS_PER_METRE, import_from};

#[derive(Debug, Args)]
pub(super) struct Import {
    /// The file: a .plist of Cocos2d-x or Particle Designer.
    file: PathBuf,
    /// The document to write.
    #[arg(short, long)]
    output: PathBuf,
    /// How many of the file's pixels make a metre.
    #[arg(long, value_name = "N", default_value_t = Options::default().pixels_per_metre,
        value_parser = pixels_per_metre)]
    pixels_per_metre: f32,
    /// Replace a file that is there.
    #[arg(long)]
    force: bool,
    /// How the notes are printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

fn pixels_per_metre(text: &str) -> Result<f32, String> {
    let [least, most] = PIXELS_PER_METRE;
    match text.parse::<f32>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("a number from {least} to {most} belongs here")),
    }
}

/// What is printed for programs.
#[derive(Debug, Serialize)]
struct Report<'a> {
    file: String,
    /// The document, where one was written.
    output: Option<String>,
    diagnostics: &'a [Diagnostic],
}

impl Import {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        output::ending(&self.output, "mote")?;
        output::distinct(&self.output, &[&self.file])?;
        output::absent(&self.output, self.force)?;
        let options = Options {
            pixels_per_metre: self.pixels_per_metre,
        };
        let mut imported = match import_from(&self.file, &options) {
            Ok(imported) => imported,
            Err(error) => {
                self.report(&[error.diagnostic()], false);
                return Ok(ExitCode::from(1));
            }
        };
        save_atomic(&self.output, save(&imported.document).as_bytes())?;
        let folder = self.output.parent().unwrap_or(Path::new(""));
        for emitter in imported.document.emitters() {
            if let Some(texture) = emitter.texture()
                && !folder.join(texture).exists()
            {
                let message = format!("{texture} is not beside the document.");
                let note = Diagnostic::note("missing-texture", Place::emitter(emitter.id()), message);
                imported.notes.push(note.help("Put the picture there."));
            }
        }
        self.report(&imported.notes, true);
        if self.format == Format::Text {
            let (path, name) = (self.output.display(), imported.document.name());
            let notes = match imported.notes.len() {
                0 => "everything is carried over".to_owned(),
                1 => "1 note".to_owned(),
                n => format!("{n} notes"),
            };
            output::line(&format!("{path}: {name}, {notes}"));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn report(&self, diagnostics: &[Diagnostic], written: bool) {
        let file = self.file.display().to_string();
        match self.format {
            Format::Text => {
                for diagnostic in diagnostics {
                    output::line(&output::diagnostic(&file, diagnostic));
                }
            }
            Format::Json => output::json(&Report {
                file,
                output: written.then(|| self.output.display().to_string()),
                diagnostics,
            }),
        }
    }
}
