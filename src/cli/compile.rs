//! `mote compile`: a document to the file that ships.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;

use super::{Failure, input, output};
use crate::artifact::Effect;
use crate::artifact::assets::{Missing, gather};
use crate::artifact::save::{encode_for, save_atomic};
use crate::artifact::strip::strip;
use crate::base::diag::{Diagnostic, Place};

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
    /// Leave out names and labels that playing does not need.
    #[arg(long)]
    strip: bool,
    /// Put the textures' files into the output.
    #[arg(long)]
    pack: bool,
    /// Go on where a texture's file is missing.
    #[arg(long)]
    allow_missing: bool,
}

impl Compile {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        output::compiled_ending(&self.output)?;
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
        let mut effect = Arc::unwrap_or_clone(effect);
        let folder = self.document.parent().unwrap_or(Path::new(""));
        if read.document.is_some() {
            if !self.textures(&mut effect, folder) {
                return Ok(ExitCode::from(1));
            }
        } else if self.pack {
            // What a compiled effect knows of its textures it keeps.
            return Err(format!("{file}: --pack needs a document").into());
        }
        if self.strip {
            effect = strip(&effect);
        }
        let bytes = encode_for(&self.output, &effect);
        save_atomic(&self.output, &bytes)?;
        if let Some(depfile) = &self.depfile {
            let escape = |path: &Path| path.to_string_lossy().replace(' ', "\\ ");
            let mut rule = format!("{}: {}", escape(&self.output), escape(&self.document));
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

    /// Hashes the textures' files, packs them where asked, and says which are missing: whether that will do.
    fn textures(&self, effect: &mut Effect, folder: &Path) -> bool {
        let missing = gather(effect, self.pack, |path| std::fs::read(folder.join(path)));
        let file = self.document.display().to_string();
        for Missing { path, reason } in &missing {
            let message = format!("The texture {path:?}: {reason}.");
            let say = if self.allow_missing {
                Diagnostic::warning
            } else {
                Diagnostic::error
            };
            let help = "Paths are relative to the document; --allow-missing goes on without.";
            let finding = say("missing-texture", Place::default(), message).help(help);
            output::line(&output::diagnostic(&file, &finding));
        }
        missing.is_empty() || self.allow_missing
    }
}
