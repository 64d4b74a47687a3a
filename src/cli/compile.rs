//! `mote compile`: a document to the file that ships.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{Failure, input, output};
use crate::artifact::save::{encode_for, save_atomic};

#[derive(Debug, Args)]
pub(super) struct Compile {
    /// The document.
    document: PathBuf,
    /// The file to write: `.motefx`, or `.motefx.json` for JSON.
    #[arg(short, long)]
    output: PathBuf,
    /// Write a make-style list of what the output was made from.
    #[arg(long)]
    depfile: Option<PathBuf>,
}

impl Compile {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let name = self.output.to_string_lossy();
        if !name.ends_with(".motefx") && !name.ends_with(".json") {
            return Err(format!("{name}: the output's name must end in .motefx or .motefx.json").into());
        }
        output::distinct(&self.output, &[&self.document])?;
        if let Some(depfile) = &self.depfile {
            output::distinct(depfile, &[&self.document, &self.output])?;
            if depfile
                .parent()
                .is_some_and(|p| !p.as_os_str().is_empty() && !p.is_dir())
            {
                return Err(format!("{}: there is no such folder", depfile.display()).into());
            }
        }
        let file = self.document.display().to_string();
        let read = input::read(&self.document)?;
        for diagnostic in &read.diagnostics {
            output::line(&output::diagnostic(&file, diagnostic));
        }
        let Some(effect) = read.effect else {
            return Ok(ExitCode::from(1));
        };
        let bytes = encode_for(&self.output, &effect);
        save_atomic(&self.output, &bytes)?;
        if let Some(depfile) = &self.depfile {
            let escape = |path: &std::path::Path| path.to_string_lossy().replace(' ', "\\ ");
            let mut rule = format!("{}: {}", escape(&self.output), escape(&self.document));
            let folder = self.document.parent().unwrap_or(std::path::Path::new(""));
            for texture in &effect.textures {
                rule.push(' ');
                rule.push_str(&escape(&folder.join(&texture.path)));
            }
            rule.push('\n');
            save_atomic(depfile, rule.as_bytes())?;
        }
        let instructions: usize = effect.programs.iter().map(crate::isa::Program::len).sum();
        output::line(&format!(
            "{}: {} emitters, {instructions} instructions, {} bytes",
            self.output.display(),
            effect.emitters.len(),
            bytes.len()
        ));
        Ok(ExitCode::SUCCESS)
    }
}
