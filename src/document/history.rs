//! Undo and redo by snapshots: a step keeps the document as it was, so undo restores it byte for byte.
//!
//! A gesture is one step: `begin`, any number of `update`s, then `commit` or `cancel`. A gesture that changed
//! nothing leaves no step. Snapshots share all that an edit did not touch.

use super::{Changed, Document, Edit, EditError};

/// Most steps kept.
pub const MAX_STEPS: usize = 200;

#[derive(Debug, Clone)]
struct Step {
    label: String,
    document: Document,
}

/// A document with its past and future.
#[derive(Debug, Clone, Default)]
pub struct History {
    document: Document,
    past: Vec<Step>,
    future: Vec<Step>,
    open: Option<Step>,
    saved: Option<Document>,
}

impl History {
    /// A document with no past, as just opened or saved.
    #[must_use]
    pub fn new(document: Document) -> Self {
        Self {
            saved: Some(document.clone()),
            document,
            ..Self::default()
        }
    }

    /// A document with no past that no file holds as it is.
    #[must_use]
    pub fn unsaved(document: Document) -> Self {
        Self {
            document,
            ..Self::default()
        }
    }

    /// The document as it is.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Opens a gesture. An open one is committed first.
    pub fn begin(&mut self, label: &str) {
        self.commit();
        self.open = Some(Step {
            label: label.to_owned(),
            document: self.document.clone(),
        });
    }

    /// Applies an edit inside the open gesture, or as a step of its own where none is open.
    ///
    /// # Errors
    /// The edit's, which then changed nothing.
    pub fn update(&mut self, edit: &Edit) -> Result<Changed, EditError> {
        if self.open.is_some() {
            return self.document.apply(edit);
        }
        self.step("Edit", std::slice::from_ref(edit))
    }

    /// Applies edits as one step, all or none.
    ///
    /// # Errors
    /// The first edit's that is refused; nothing is then changed.
    pub fn step(&mut self, label: &str, edits: &[Edit]) -> Result<Changed, EditError> {
        self.begin(label);
        let outcome = self.document.apply_all(edits);
        match outcome {
            Ok(_) => self.commit(),
            Err(_) => self.cancel(),
        }
        outcome
    }

    /// Closes the gesture: a step, where it changed anything.
    pub fn commit(&mut self) {
        if let Some(step) = self.open.take()
            && step.document != self.document
        {
            self.past.push(step);
            self.future.clear();
            if self.past.len() > MAX_STEPS {
                self.past.remove(0);
            }
        }
    }

    /// Takes the gesture back.
    pub fn cancel(&mut self) {
        if let Some(step) = self.open.take() {
            self.document = step.document;
        }
    }

    /// Whether a gesture is open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Takes the last step back and gives its label. An open gesture is taken back instead.
    pub fn undo(&mut self) -> Option<String> {
        if self.open.is_some() {
            let label = self.open.as_ref().map(|step| step.label.clone());
            self.cancel();
            return label;
        }
        let step = self.past.pop()?;
        let label = step.label.clone();
        self.future.push(Step {
            document: std::mem::replace(&mut self.document, step.document),
            label: step.label,
        });
        Some(label)
    }

    /// Makes the last step taken back again and gives its label.
    pub fn redo(&mut self) -> Option<String> {
        self.commit();
        let step = self.future.pop()?;
        let label = step.label.clone();
        self.past.push(Step {
            document: std::mem::replace(&mut self.document, step.document),
            label: step.label,
        });
        Some(label)
    }

    /// Puts another document in place of this one, as a step that can be taken back.
    pub fn replace(&mut self, label: &str, document: Document) {
        self.begin(label);
        self.document = document;
        self.commit();
    }

    /// Marks the document as one that no file holds.
    pub fn mark_unsaved(&mut self) {
        self.saved = None;
    }

    /// Labels of the steps that can be taken back, oldest first.
    pub fn past(&self) -> impl Iterator<Item = &str> {
        self.past.iter().map(|step| step.label.as_str())
    }

    /// Labels of the steps that can be made again, next first.
    pub fn future(&self) -> impl Iterator<Item = &str> {
        self.future.iter().rev().map(|step| step.label.as_str())
    }

    /// Marks the document as it is as saved.
    pub fn mark_saved(&mut self) {
        self.saved = Some(self.document.clone());
    }

    /// Whether the document differs from the one last saved.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.saved.as_ref() != Some(&self.document)
    }
}
