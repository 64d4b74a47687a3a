//! What a panel asks for. Panels change nothing themselves.

use std::collections::BTreeSet;

use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::document::Edit;

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
