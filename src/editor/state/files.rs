//! Documents and compiled effects on disk.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::message::sentence;
use super::{Ask, EditorState, FileProblem};
use crate::artifact::save::{encode_for, save_atomic};
use crate::base::diag::{Diagnostic, FlowKind, Place, Severity};
use crate::compiler::compile;
use crate::document::history::History;
use crate::document::import::{Options, import_from};
use crate::document::presets::preset;
use crate::document::{Changed, Document, file};
use crate::editor::action::{FileRequest, Outside, Recovery, Selection};
use crate::editor::autosave::{self, Orphan};

impl Ask {
    /// The question in words.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Open => "Open a document",
            Self::Import => "Import another tool's effect",
            Self::SaveAs => "Save the document",
            Self::Export => "Export the effect",
        }
    }

    /// What is done with the path chosen.
    #[must_use]
    pub fn request(self, path: PathBuf) -> FileRequest {
        match self {
            Self::Open => FileRequest::Open(path),
            Self::Import => FileRequest::Import(path),
            Self::SaveAs => FileRequest::SaveTo(path),
            Self::Export => FileRequest::ExportTo(path),
        }
    }

    /// The path to begin with: beside the document's file, under its name.
    #[must_use]
    pub fn proposal(self, state: &EditorState) -> PathBuf {
        let path = match state.path() {
            Some(path) => path.to_owned(),
            None => PathBuf::from(file_name(state.document().name())),
        };
        match self {
            Self::Open | Self::Import => path.parent().map(|folder| folder.join("")).unwrap_or_default(),
            Self::SaveAs => path.with_extension("mote"),
            Self::Export => path.with_extension("motefx"),
        }
    }
}

/// A document's name as the name of its file, without an ending.
fn file_name(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .collect();
    if name.is_empty() {
        "effect".to_owned()
    } else {
        name
    }
}

impl EditorState {
    /// A new document from a preset, or one with nothing in it where `name` is empty.
    pub fn new_from(&mut self, name: &str) {
        let document = if name.is_empty() {
            Some(Document::new("Untitled"))
        } else {
            preset(name)
        };
        match document {
            Some(document) => self.take_document(document),
            None => self.fail(format!("There is no preset called {name}.")),
        }
    }

    /// Opens a document. Where that fails the one that is open stays, and the problem is shown.
    pub fn open(&mut self, path: &Path) -> bool {
        if is_compiled(path) {
            let message = "This is a compiled effect, made for playing in a game: it has no graph to edit.";
            let finding = Diagnostic::error("compiled-effect", Place::default(), message)
                .help("Open the document it was exported from, a file that ends in .mote.");
            return self.refuse(path, finding);
        }
        match file::load_from(path) {
            Ok(loaded) => {
                self.take_document(loaded.document);
                self.path = Some(path.to_owned());
                self.on_disk = hash_of(path);
                match loaded.notes.iter().find(|n| n.severity != Severity::Note) {
                    Some(note) => self.say(format!("Opened. {}", sentence(&note.message))),
                    None => self.say(format!("Opened {}.", path.display())),
                }
                true
            }
            Err(error) => {
                let mut finding = error.diagnostic();
                finding.message = sentence(&finding.message);
                self.refuse(path, finding)
            }
        }
    }

    /// Makes a new document, without a file, of another tool's file. Where that fails the one that is open stays,
    /// and the problem is shown.
    pub fn import(&mut self, path: &Path) -> bool {
        match import_from(path, &Options::default()) {
            Ok(imported) => {
                self.take_document(imported.document);
                let mut said = format!("Imported {}.", path.display());
                if !imported.notes.is_empty() {
                    said.push_str(" Not as it was:");
                }
                for note in &imported.notes {
                    let key = note.place.field.as_deref().unwrap_or_default();
                    said.push_str(&format!(" {key}: {}", sentence(&note.message)));
                }
                self.say(said);
                true
            }
            Err(error) => {
                let mut finding = error.diagnostic();
                finding.message = sentence(&finding.message);
                self.refuse(path, finding)
            }
        }
    }

    fn refuse(&mut self, path: &Path, finding: Diagnostic) -> bool {
        let stays = self.document().name();
        self.fail(format!(
            "{} could not be opened; {stays} stays open. See Problems.",
            path.display()
        ));
        self.file_problem = Some(FileProblem {
            path: path.to_owned(),
            finding,
        });
        false
    }

    /// Looks whether another program changed the document's file: what has no unsaved changes follows it, else it is
    /// asked about.
    pub fn look_at_disk(&mut self) {
        let Some(path) = self.path.clone() else { return };
        let found = hash_of(&path);
        if found == self.on_disk {
            return;
        }
        let name = path.display();
        match found {
            None => {
                self.on_disk = None;
                self.history.mark_unsaved();
                self.say(format!("{name} is gone. Save writes it anew."));
            }
            Some(_) if self.history.is_dirty() => self.outside = true,
            Some(_) => self.load_from_outside(),
        }
    }

    /// A file that is still being written does not load; then nothing happens until it is touched again.
    fn load_from_outside(&mut self) {
        let Some(path) = self.path.clone() else { return };
        let Ok(loaded) = file::load_from(&path) else {
            return;
        };
        self.on_disk = hash_of(&path);
        self.history.replace("Load from disk", loaded.document);
        self.history.mark_saved();
        self.after(Changed::Meaning);
        self.say(format!(
            "{} was changed by another program and loaded again. Undo brings back what was here.",
            path.display()
        ));
    }

    /// Does what was chosen after another program changed the file.
    pub(super) fn settle_outside(&mut self, choice: Outside) {
        self.outside = false;
        match choice {
            Outside::Load => self.load_from_outside(),
            Outside::Keep => self.on_disk = self.path.as_deref().and_then(hash_of),
        }
    }

    /// Does with the document left behind what was chosen. One that is opened is kept until this window has copied it;
    /// the rest are asked about at the next start.
    pub(super) fn recover(&mut self, recovery: Recovery) {
        let Some(orphan) = self.orphans.pop() else { return };
        match recovery {
            Recovery::Later => {}
            Recovery::Discard => autosave::discard(&orphan),
            Recovery::Open => match file::load_from(&orphan.copy) {
                Ok(loaded) => {
                    self.take_history(History::unsaved(loaded.document));
                    self.on_disk = orphan.on_disk;
                    self.path.clone_from(&orphan.file);
                    self.say(format!("Recovered {}. It is not saved yet.", orphan.name));
                    self.orphans.clear();
                    self.recovered = Some(orphan);
                }
                Err(error) => {
                    let copy = orphan.copy.display();
                    self.fail(format!("{copy} could not be read: {}", sentence(&error)));
                }
            },
        }
    }

    /// The recovered document whose copy is to go once it is copied anew.
    pub(in crate::editor) fn take_recovered(&mut self) -> Option<Orphan> {
        self.recovered.take()
    }

    fn take_document(&mut self, document: Document) {
        self.take_history(History::new(document));
    }

    fn take_history(&mut self, history: History) {
        self.history = history;
        self.path = None;
        self.on_disk = None;
        self.outside = false;
        self.saved_at = None;
        self.file_problem = None;
        self.message = None;
        self.selection = Selection::default();
        self.flow = FlowKind::Birth;
        self.prune_selection();
        self.start();
    }

    /// Saves the document under a path, which becomes its own. False, with a sentence, where that fails; the
    /// document then still counts as unsaved.
    pub fn save_to(&mut self, path: &Path) -> bool {
        if is_compiled(path) {
            self.fail("A document is saved as .mote. To write a .motefx for a game, use Export.");
            return false;
        }
        let path = if path.extension().is_none() {
            path.with_extension("mote")
        } else {
            path.to_owned()
        };
        if !path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("mote"))
        {
            self.fail("A document's file name ends in .mote.");
            return false;
        }
        let found = hash_of(&path);
        if self.path.as_deref() == Some(&path) && found.is_some() && found != self.on_disk {
            self.on_disk = found;
            self.fail(format!(
                "{} was changed by another program since it was opened. Save again to replace it, or save under another name.",
                path.display()
            ));
            return false;
        }
        match file::save_to(self.history.document(), &path) {
            Ok(()) => {
                self.on_disk = hash_of(&path);
                self.history.mark_saved();
                self.saved_at = Some(Instant::now());
                self.say(format!("Saved {}.", path.display()));
                self.path = Some(path);
                true
            }
            Err(error) => {
                self.fail(sentence(&error));
                false
            }
        }
    }

    /// Writes the compiled effect: JSON where the path ends in `.json`, else binary. Refused, with a sentence,
    /// while the document does not compile.
    pub fn export_to(&mut self, path: &Path) -> bool {
        let path = if path.extension().is_none() {
            path.with_extension("motefx")
        } else {
            path.to_owned()
        };
        if !is_compiled(&path) {
            self.fail("An exported effect's file name ends in .motefx or .motefx.json.");
            return false;
        }
        let compiled = compile(self.history.document());
        let Some(effect) = compiled.effect else {
            self.fail("The effect was not exported: it has problems that keep it from playing.");
            return false;
        };
        let bytes = encode_for(&path, &effect);
        match save_atomic(&path, &bytes) {
            Ok(()) => {
                self.say(format!("Exported {} ({} bytes).", path.display(), bytes.len()));
                true
            }
            Err(error) => {
                self.fail(sentence(&error));
                false
            }
        }
    }
}

/// What a file holds, to see whether somebody else writes it.
fn hash_of(path: &Path) -> Option<u64> {
    std::fs::read(path)
        .ok()
        .map(|bytes| crate::base::hash::content_hash(&bytes))
}

/// Whether a path names a compiled effect.
fn is_compiled(path: &Path) -> bool {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().to_lowercase())
        .unwrap_or_default();
    name.ends_with(".motefx") || name.ends_with(".motefx.json")
}
