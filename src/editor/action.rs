//! What a panel asks for. Panels change nothing themselves.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::document::Edit;
use crate::play::StepMode;
use crate::vm::WindScene;

/// What is selected in an emitter; a view, never part of the document's history.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// The emitter.
    pub emitter: Option<Id>,
    /// Nodes and blocks of it.
    pub nodes: BTreeSet<Id>,
}

/// A request of a panel.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Edits that are one step of the history.
    Step {
        /// The step's name in the history.
        label: String,
        /// The edits, all or none of which are applied.
        edits: Vec<Edit>,
    },
    /// Opens a gesture: what follows until the commit is one step.
    Begin {
        /// The step's name in the history.
        label: String,
    },
    /// An edit inside the open gesture.
    Update(Edit),
    /// Closes the gesture.
    Commit,
    /// Takes the open gesture back.
    Cancel,
    /// Selects.
    Select(Selection),
    /// Shows a flow on the canvas.
    ShowFlow(FlowKind),
    /// Runs a command of the command table, by its id.
    Command(&'static str),
    /// Says something in the status bar, such as why a wire was refused.
    Say(String),
    /// Changes how the effect plays.
    Play(PlayChange),
    /// Moves the camera.
    Look(Look),
    /// Reads or writes a file.
    File(FileRequest),
    /// Answers the question about unsaved changes.
    Answer(Answer),
    /// Says what becomes of the document after another program changed its file.
    Outside(Outside),
    /// Says what becomes of a document that was left behind.
    Recover(Recovery),
    /// Takes a message or a file's problem off the window.
    Dismiss,
}

/// A change to how the effect plays; a view, never undone.
#[derive(Debug, Clone, PartialEq)]
pub enum PlayChange {
    /// Effect seconds a wall second.
    Speed(f64),
    /// How steps are taken.
    Mode(StepMode),
    /// Starts over with this seed.
    Seed(u32),
    /// How the air moves in the preview.
    Wind(Box<WindScene>),
}

/// A movement of the preview's camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Look {
    /// Around the target, in radians: sideways, up.
    Orbit(f32, f32),
    /// Sideways and up, in parts of the picture's height.
    Pan(f32, f32),
    /// Nearer by a factor below 1, or farther.
    Dolly(f32),
}

/// Something done with a file. Paths come from a dialog, the command line or a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileRequest {
    /// A new document from a preset.
    New(String),
    /// Opens a document.
    Open(PathBuf),
    /// Makes a new document of another tool's file.
    Import(PathBuf),
    /// Saves the document under a path.
    SaveTo(PathBuf),
    /// Writes the compiled effect, binary or JSON by the ending.
    ExportTo(PathBuf),
}

/// What to do with unsaved changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Save, then go on.
    Save,
    /// Go on without saving.
    Discard,
    /// Stay.
    Stay,
}

/// What becomes of a document with unsaved changes whose file another program changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outside {
    /// The file's version is shown; this one is a step back in the history.
    Load,
    /// This one stays, and the next save replaces the file's.
    Keep,
}

/// What becomes of a document that a window left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// It is opened, as not saved.
    Open,
    /// It is thrown away.
    Discard,
    /// It stays, and is asked about at the next start.
    Later,
}

/// Where panels put their requests.
#[derive(Debug, Default)]
pub struct Actions(Vec<Action>);

impl Actions {
    /// Asks for something.
    pub fn push(&mut self, action: Action) {
        self.0.push(action);
    }

    /// Asks for one step of one edit.
    pub fn edit(&mut self, label: &str, edit: Edit) {
        self.push(Action::Step {
            label: label.to_owned(),
            edits: vec![edit],
        });
    }

    /// Takes all requests, in order.
    pub fn take(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.0)
    }
}
