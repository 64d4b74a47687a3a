//! A node: an id, a kind, and what the artist set on it.

use std::collections::BTreeMap;

use super::input::InputMode;
use crate::base::curve::{Curve, Gradient};
use crate::base::id::Id;
use crate::base::json::Json;

/// A choice made on a node that is no input: which field, which type, which curve.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// A name.
    Text(String),
    /// A curve.
    Curve(Curve),
    /// A gradient.
    Gradient(Gradient),
    /// Something a newer version knows.
    Unknown(Json),
}

/// A node of a flow.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Persistent id, unique in its emitter. Random streams come from it.
    pub id: Id,
    /// The kind's id in the registry.
    pub kind: String,
    /// Choices, by name.
    pub settings: BTreeMap<String, Setting>,
    /// What unwired inputs hold, by port. A port that is not here has its kind's default.
    pub inputs: BTreeMap<String, InputMode>,
    /// Whether the node is switched off.
    pub muted: bool,
    /// Items of the file that this version does not know.
    pub extra: Vec<(String, Json)>,
}

impl Node {
    /// A node as its kind's defaults make it.
    #[must_use]
    pub fn new(id: Id, kind: &str) -> Self {
        Self {
            id,
            kind: kind.to_owned(),
            settings: BTreeMap::new(),
            inputs: BTreeMap::new(),
            muted: false,
            extra: Vec::new(),
        }
    }

    /// The same node with an input set.
    #[must_use]
    pub fn input(mut self, port: &str, mode: InputMode) -> Self {
        self.inputs.insert(port.to_owned(), mode);
        self
    }

    /// The same node with a choice made.
    #[must_use]
    pub fn set(mut self, name: &str, value: &str) -> Self {
        self.settings
            .insert(name.to_owned(), Setting::Text(value.to_owned()));
        self
    }

    /// A choice that is a name.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.settings.get(name) {
            Some(Setting::Text(text)) => Some(text),
            _ => None,
        }
    }
}
