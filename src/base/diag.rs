//! Diagnostics: what is wrong with a document, where, and what to do, in the artist's words.

use std::fmt;

use serde::Serialize;

use super::id::Id;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// It plays, probably not as meant.
    Warning,
    /// It does not play.
    Error,
}

impl Severity {
    /// The name on screen.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One of the two flows of an emitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FlowKind {
    /// What a newborn particle starts with.
    Birth,
    /// What happens to a particle every frame.
    EveryFrame,
}

impl FlowKind {
    /// Both, in order.
    pub const ALL: [Self; 2] = [Self::Birth, Self::EveryFrame];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Birth => "birth",
            Self::EveryFrame => "every_frame",
        }
    }

    /// The name on screen.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Birth => "Birth",
            Self::EveryFrame => "Every frame",
        }
    }
}

/// Where in a document or a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Place {
    /// The emitter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emitter: Option<Id>,
    /// Its flow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow: Option<FlowKind>,
    /// The node, by the ids along its group path, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub node: Vec<Id>,
    /// The port of the node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<String>,
    /// Path of a field in a file, such as `emitters[0].emission.capacity`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Line in a file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Column in a file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

impl Place {
    /// An emitter as a whole.
    #[must_use]
    pub fn emitter(id: &Id) -> Self {
        Self {
            emitter: Some(id.clone()),
            ..Self::default()
        }
    }

    /// A node.
    #[must_use]
    pub fn node(emitter: &Id, flow: FlowKind, path: Vec<Id>) -> Self {
        Self {
            emitter: Some(emitter.clone()),
            flow: Some(flow),
            node: path,
            ..Self::default()
        }
    }

    /// The same place, at a port.
    #[must_use]
    pub fn port(mut self, port: &str) -> Self {
        self.port = Some(port.to_owned());
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(emitter) = &self.emitter {
            parts.push(emitter.to_string());
        }
        if let Some(flow) = self.flow {
            parts.push(flow.title().to_owned());
        }
        if !self.node.is_empty() {
            let path: Vec<&str> = self.node.iter().map(Id::as_str).collect();
            parts.push(path.join(" › "));
        }
        if let Some(port) = &self.port {
            parts.push(port.clone());
        }
        if let Some(field) = &self.field {
            parts.push(field.clone());
        }
        f.write_str(&parts.join(" / "))?;
        if let Some(line) = self.line {
            let sep = if parts.is_empty() { "" } else { ", " };
            write!(f, "{sep}line {line}")?;
            if let Some(column) = self.column {
                write!(f, ", column {column}")?;
            }
        }
        Ok(())
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Stable code, such as `type-mismatch`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub place: Place,
    /// What is wrong, as a sentence.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error.
    #[must_use]
    pub fn error(code: &'static str, place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, place, message.into())
    }

    /// A warning.
    #[must_use]
    pub fn warning(code: &'static str, place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, place, message.into())
    }

    /// A note.
    #[must_use]
    pub fn note(code: &'static str, place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, place, message.into())
    }

    fn new(severity: Severity, code: &'static str, place: Place, message: String) -> Self {
        Self {
            code,
            severity,
            place,
            message,
            help: None,
        }
    }

    /// The same finding with a word on what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Whether it keeps the document from playing.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: ", self.severity.name(), self.code)?;
        let place = self.place.to_string();
        if !place.is_empty() {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)?;
        if let Some(help) = &self.help {
            write!(f, " {help}")?;
        }
        Ok(())
    }
}
