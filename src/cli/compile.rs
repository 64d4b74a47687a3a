//! `mote compile`: documents to the files that ship.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::batch::{self, Record};
use super::{Failure, input, output};
use crate::artifact::Effect;
use crate::artifact::assets::{Missing, gather};
use crate::artifact::save::{encode_for, save_atomic};
use crate::artifact::strip::strip;
use crate::base::diag::{Diagnostic, Place};
use crate::base::hash::content_hash;

/// Which form is written into a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// `.motefx`.
    Binary,
    /// `.motefx.json`.
    Json,
}

impl Form {
    const fn ending(self) -> &'static str {
        match self {
            Self::Binary => "motefx",
            Self::Json => "motefx.json",
        }
    }
}

/// Several documents, or an output that is a folder, write a file each into the folder, and leave alone what is as it would
/// be written.
#[derive(Debug, Args)]
pub(super) struct Compile {
    /// The documents.
    #[arg(required = true)]
    documents: Vec<PathBuf>,
    /// The file to write: `.motefx`, or `.motefx.json` for JSON; or a folder.
    #[arg(short, long)]
    output: PathBuf,
    /// Write a make-style list of what the outputs were made from.
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
    /// What is written into a folder.
    #[arg(long, value_enum, default_value = "binary")]
    form: Form,
    /// How many documents are compiled at once; as many as there are processors where nothing is said.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Write every file of a folder anew, changed or not.
    #[arg(long)]
    force: bool,
}

/// What became of a document.
#[derive(Default)]
struct Made {
    lines: Vec<String>,
    failed: bool,
    unchanged: bool,
    textures: Vec<String>,
    record: Option<Record>,
}

impl Compile {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let slash = self.output.to_string_lossy().ends_with(std::path::is_separator);
        let into_folder = self.documents.len() > 1 || self.output.is_dir() || slash;
        let outputs = if into_folder {
            if !self.output.is_dir() && self.output.extension().is_some() {
                let path = self.output.display();
                let count = self.documents.len();
                return Err(
                    format!("{path}: {count} documents go into a folder, whose name has no ending").into(),
                );
            }
            batch::outputs(&self.documents, &self.output, self.form.ending())?
        } else {
            output::compiled_ending(&self.output)?;
            output::distinct(&self.output, &[&self.documents[0]])?;
            vec![self.output.clone()]
        };
        if let Some(depfile) = &self.depfile {
            let others: Vec<&Path> = self
                .documents
                .iter()
                .chain(&outputs)
                .map(PathBuf::as_path)
                .collect();
            output::distinct(depfile, &others)?;
            if depfile
                .parent()
                .is_some_and(|p| !p.as_os_str().is_empty() && !p.is_dir())
            {
                return Err(format!("{}: there is no such folder", depfile.display()).into());
            }
        }
        let mut known = Default::default();
        if into_folder {
            std::fs::create_dir_all(&self.output)
                .map_err(|error| format!("{}: {error}", self.output.display()))?;
            known = batch::records(&self.output);
        }
        let program = if into_folder { batch::hash_of_program() } else { 0 };
        let threads = match self.jobs {
            Some(jobs) => usize::from(jobs),
            None => std::thread::available_parallelism().map_or(1, Into::into),
        };
        let name = |path: &Path| {
            path.file_name()
                .map(|n| n.to_string_lossy().into_owned())
                .unwrap_or_default()
        };
        let one = |index: usize| {
            let (document, output): (&Path, &Path) = (&self.documents[index], &outputs[index]);
            let record = known.get(&name(output)).filter(|_| !self.force);
            self.one(document, output, program, record)
                .unwrap_or_else(|failure| Made {
                    lines: vec![format!("error: {failure}")],
                    failed: true,
                    ..Made::default()
                })
        };
        let all = if into_folder {
            batch::run(outputs.len(), threads, one)
        } else {
            // What keeps a single file from being read is the command's own failure.
            vec![self.one(&self.documents[0], &outputs[0], program, None)?]
        };
        let mut rules = String::new();
        let (mut failed, mut unchanged) = (0, 0);
        for ((document, output), made) in self.documents.iter().zip(&outputs).zip(all) {
            for line in &made.lines {
                output::line(line);
            }
            failed += usize::from(made.failed);
            unchanged += usize::from(made.unchanged);
            if made.failed {
                known.remove(&name(output));
                continue;
            }
            if let Some(record) = made.record {
                known.insert(name(output), record);
            }
            rules.push_str(&rule(document, output, &made.textures));
        }
        if into_folder {
            batch::remember(&self.output, &known)?;
            let count = self.documents.len();
            let written = count - failed - unchanged;
            let path = self.output.display();
            output::line(&format!(
                "{path}: {written} written, {unchanged} as they were, {failed} failed"
            ));
        }
        if let Some(depfile) = &self.depfile
            && failed == 0
        {
            save_atomic(depfile, rules.as_bytes())?;
        }
        Ok(ExitCode::from(u8::from(failed > 0)))
    }

    /// Compiles one document, where its record does not say that nothing changed.
    fn one(
        &self,
        document: &Path,
        output: &Path,
        program: u64,
        record: Option<&Record>,
    ) -> Result<Made, Failure> {
        let mut made = Made::default();
        let folder = document.parent().unwrap_or(Path::new(""));
        let mut made_from = 0;
        // Groups of a library folder are part of what is compiled and of no document.
        if program != 0 && !crate::graph::registry::has_installed() {
            let bytes = std::fs::read(document).unwrap_or_default();
            let options = format!("{program} {} {} {}", self.strip, self.pack, content_hash(&bytes));
            made_from = content_hash(options.as_bytes());
            if let Some(record) = record
                && record.holds(made_from, folder, output)
            {
                made.unchanged = true;
                made.textures = record.textures.iter().map(|(path, _)| path.clone()).collect();
                return Ok(made);
            }
        }
        let file = document.display().to_string();
        let read = input::read(document)?;
        let said = read
            .diagnostics
            .iter()
            .map(|diagnostic| output::diagnostic(&file, diagnostic));
        made.lines.extend(said);
        let Some(effect) = read.effect else {
            made.failed = true;
            return Ok(made);
        };
        let mut effect = Arc::unwrap_or_clone(effect);
        if read.document.is_some() {
            if !self.textures(&mut effect, document, folder, &mut made) {
                made.failed = true;
                return Ok(made);
            }
        } else if self.pack {
            // What a compiled effect knows of its textures it keeps.
            return Err(format!("{file}: --pack needs a document").into());
        }
        made.textures = effect
            .textures
            .iter()
            .map(|texture| texture.path.clone())
            .collect();
        if self.strip {
            effect = strip(&effect);
        }
        let bytes = encode_for(output, &effect);
        save_atomic(output, &bytes)?;
        // A warning is said each time, so what has one is compiled each time.
        if made_from != 0 && made.lines.is_empty() {
            let hashed = |path: &String| (path.clone(), batch::hash_of(&folder.join(path)));
            made.record = Some(Record {
                made_from,
                textures: made.textures.iter().map(hashed).collect(),
                output: content_hash(&bytes),
            });
        }
        let instructions: usize = effect.programs.iter().map(crate::isa::Program::len).sum();
        made.lines.push(format!(
            "{}: {} emitters, {instructions} instructions, {} bytes",
            output.display(),
            effect.emitters.len(),
            bytes.len()
        ));
        Ok(made)
    }

    /// Hashes the textures' files, packs them where asked, and says which are missing: whether that will do.
    fn textures(&self, effect: &mut Effect, document: &Path, folder: &Path, made: &mut Made) -> bool {
        let missing = gather(effect, self.pack, |path| std::fs::read(folder.join(path)));
        let file = document.display().to_string();
        for Missing { path, reason } in &missing {
            let message = format!("The texture {path:?}: {reason}.");
            let say = if self.allow_missing {
                Diagnostic::warning
            } else {
                Diagnostic::error
            };
            let help = "Paths are relative to the document; --allow-missing goes on without.";
            let finding = say("missing-texture", Place::default(), message).help(help);
            made.lines.push(output::diagnostic(&file, &finding));
        }
        missing.is_empty() || self.allow_missing
    }
}

/// A rule of make: what an output was made from.
fn rule(document: &Path, output: &Path, textures: &[String]) -> String {
    let escape = |path: &Path| path.to_string_lossy().replace(' ', "\\ ");
    let folder = document.parent().unwrap_or(Path::new(""));
    let mut rule = format!("{}: {}", escape(output), escape(document));
    for texture in textures {
        rule.push(' ');
        rule.push_str(&escape(&folder.join(texture)));
    }
    rule.push('\n');
    rule
}
