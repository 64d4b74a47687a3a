//! What a widget reports: the parts of one gesture.

use egui::{Id, Ui};

use crate::document::Edit;
use crate::editor::action::{Action, Actions};

/// What happened to a value in one pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Edited<T> {
    /// A gesture began.
    pub begin: bool,
    /// The value asked for.
    pub value: Option<T>,
    /// The gesture ended.
    pub commit: bool,
    /// The gesture is taken back.
    pub cancel: bool,
    /// Why something typed was not taken, as a sentence.
    pub refused: Option<String>,
}

impl<T> Default for Edited<T> {
    fn default() -> Self {
        Self {
            begin: false,
            value: None,
            commit: false,
            cancel: false,
            refused: None,
        }
    }
}

impl<T> Edited<T> {
    /// A whole gesture at once: something typed, clicked or chosen.
    #[must_use]
    pub fn whole(value: T) -> Self {
        Self {
            begin: true,
            value: Some(value),
            commit: true,
            ..Self::default()
        }
    }

    /// Nothing was taken, and why.
    #[must_use]
    pub fn refusal(sentence: String) -> Self {
        Self {
            refused: Some(sentence),
            ..Self::default()
        }
    }

    /// Whether nothing happened.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        !self.begin && self.value.is_none() && !self.commit && !self.cancel && self.refused.is_none()
    }

    /// Something, or none where nothing happened.
    #[must_use]
    pub fn happened(self) -> Option<Self> {
        (!self.is_nothing()).then_some(self)
    }

    /// The same gesture with another value.
    pub fn map<U>(self, map: impl FnOnce(T) -> U) -> Edited<U> {
        Edited {
            begin: self.begin,
            value: self.value.map(map),
            commit: self.commit,
            cancel: self.cancel,
            refused: self.refused,
        }
    }

    /// This, or `other` where nothing happened here.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self.is_nothing() { other } else { self }
    }

    /// Asks for the gesture: a step where it is whole, else its parts.
    pub fn send(self, actions: &mut Actions, label: &str, edits: impl FnOnce(T) -> Vec<Edit>) {
        if let Some(sentence) = self.refused {
            actions.push(Action::Say(sentence));
        }
        let label = || label.to_owned();
        if self.begin && self.commit {
            if let Some(value) = self.value {
                actions.push(Action::Step {
                    label: label(),
                    edits: edits(value),
                });
            }
            return;
        }
        if self.begin {
            actions.push(Action::Begin { label: label() });
        }
        if let Some(value) = self.value {
            for edit in edits(value) {
                actions.push(Action::Update(edit));
            }
        }
        if self.cancel {
            actions.push(Action::Cancel);
        } else if self.commit {
            actions.push(Action::Commit);
        }
    }
}

/// Makes one gesture of a widget that only says that its value changed: it begins with the first change and
/// ends when no button is down any more.
pub fn gesture<T>(ui: &Ui, id: Id, changed: Option<T>) -> Edited<T> {
    let id = id.with("gesture");
    let open = ui.data(|data| data.get_temp::<bool>(id)).unwrap_or(false);
    let held = ui.input(|input| input.pointer.any_down());
    let begin = changed.is_some() && !open;
    let commit = (open || begin) && !held;
    if begin != commit {
        ui.data_mut(|data| data.insert_temp(id, begin));
    }
    Edited {
        begin,
        value: changed,
        commit,
        ..Edited::default()
    }
}
