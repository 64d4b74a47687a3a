//! `mote diff`: what changed from one file to another, in settings, nodes and instructions.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;
use similar::TextDiff;

use super::output::{self, Format};
use super::{Failure, input};
use crate::artifact::{Effect, json};
use crate::base::diff::{Change, changes};
use crate::base::json::Json;
use crate::document::file;
use crate::isa::disasm::disassemble;
use crate::isa::{Program, Section};

#[derive(Debug, Args)]
pub(super) struct Diff {
    /// The older document or compiled effect.
    before: PathBuf,
    /// The newer one.
    after: PathBuf,
    /// Also tell what moved on the canvas.
    #[arg(long)]
    layout: bool,
    /// Also print the instructions that changed.
    #[arg(long)]
    code: bool,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Serialize)]
struct Report {
    changes: Vec<Entry>,
    /// Changes of places, titles and notes on the canvas.
    layout: usize,
    emitters: Vec<Counts>,
}

#[derive(Serialize)]
struct Entry {
    path: String,
    before: Option<String>,
    after: Option<String>,
}

/// An emitter's instructions, of birth and of every frame; none where there is no such emitter.
#[derive(Serialize)]
struct Counts {
    emitter: String,
    before: Option<[usize; 2]>,
    after: Option<[usize; 2]>,
}

impl Diff {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let (a, b) = (input::read(&self.before)?, input::read(&self.after)?);
        let both_documents = a.document.is_some() && b.document.is_some();
        let form = |path: &Path, read: &input::Input| -> Result<Json, Failure> {
            let text = match (&read.document, &read.effect) {
                (Some((document, _)), _) if both_documents => file::save(document),
                (_, Some(effect)) => json::write(effect),
                // Says what keeps it from being one.
                (_, None) => json::write(&*input::effect(path)?),
            };
            Ok(Json::parse(text.as_bytes())?.value)
        };
        let mut found = changes(&form(&self.before, &a)?, &form(&self.after, &b)?);
        // Programs as numbers tell nobody anything; their instructions are told apart.
        found.retain(|change| both_documents || !change.path.starts_with("programs"));
        let whole = found.len();
        let of_layout = |change: &Change| change.path.split('.').any(|part| part.starts_with("layout"));
        let moved = found
            .iter()
            .filter(|change| both_documents && of_layout(change))
            .count();
        if both_documents && !self.layout {
            found.retain(|change| !of_layout(change));
        }
        let emitters = counts(a.effect.as_ref(), b.effect.as_ref());
        if self.format == Format::Json {
            output::json(&Report {
                changes: found
                    .into_iter()
                    .map(|Change { path, before, after }| Entry { path, before, after })
                    .collect(),
                layout: moved,
                emitters,
            });
            return Ok(ExitCode::SUCCESS);
        }
        for change in &found {
            output::line(&told(change));
        }
        if moved > 0 && !self.layout {
            output::line(&format!(
                "{moved} changes of places, titles and notes (--layout tells them)"
            ));
        }
        let mut any_code = false;
        for count in emitters.iter().filter(|count| count.before != count.after) {
            any_code = true;
            let text = |of: Option<[usize; 2]>| {
                of.map_or("none".to_owned(), |[birth, frame]| format!("{birth} + {frame}"))
            };
            output::line(&format!(
                "{}: instructions of birth and every frame {} -> {}",
                count.emitter,
                text(count.before),
                text(count.after)
            ));
        }
        let texts = [&a, &b].map(|read| {
            read.effect
                .as_ref()
                .map_or(String::new(), |effect| listing(effect))
        });
        if self.code {
            let names = [&self.before, &self.after].map(|path| path.display().to_string());
            let diff = TextDiff::from_lines(&texts[0], &texts[1]);
            output::print(&diff.unified_diff().header(&names[0], &names[1]).to_string());
        }
        if whole == 0 && !any_code && texts[0] == texts[1] {
            output::line("no difference");
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn told(change: &Change) -> String {
    let path = &change.path;
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => format!("{path}: {before} -> {after}"),
        (Some(before), None) => format!("- {path}: {before}"),
        (None, Some(after)) => format!("+ {path}: {after}"),
        (None, None) => path.clone(),
    }
}

fn counts(before: Option<&Arc<Effect>>, after: Option<&Arc<Effect>>) -> Vec<Counts> {
    let of = |effect: Option<&Arc<Effect>>, id: &str| -> Option<[usize; 2]> {
        let effect = effect?;
        let emitter = effect.emitters.iter().find(|emitter| emitter.id.as_str() == id)?;
        let program: &Program = effect.programs.get(emitter.program as usize)?;
        Some(Section::ALL.map(|section| program.section(section).len()))
    };
    let mut ids: Vec<&str> = Vec::new();
    for emitter in before
        .into_iter()
        .chain(after)
        .flat_map(|effect| &effect.emitters)
    {
        if !ids.contains(&emitter.id.as_str()) {
            ids.push(emitter.id.as_str());
        }
    }
    let one = |id: &str| Counts {
        emitter: id.to_owned(),
        before: of(before, id),
        after: of(after, id),
    };
    ids.into_iter().map(one).collect()
}

/// The code of each emitter, under its id.
fn listing(effect: &Effect) -> String {
    let code = |emitter: &crate::artifact::Emitter| {
        let program = effect.programs.get(emitter.program as usize);
        format!("; {}\n{}", emitter.id, program.map_or(String::new(), disassemble))
    };
    effect.emitters.iter().map(code).collect()
}
