//! Reading a file of either kind: a document, which is compiled, or a compiled effect.

use std::path::Path;
use std::sync::Arc;

use super::Failure;
use crate::artifact::{Effect, binary, json, load_noted};
use crate::base::diag::{Diagnostic, Place};
use crate::compiler::{Compiled, compile};
use crate::document::{Document, file};

/// A file, read.
#[derive(Debug)]
pub(super) struct Input {
    /// The effect, where there is one.
    pub effect: Option<Arc<Effect>>,
    /// What was found, in order.
    pub diagnostics: Vec<Diagnostic>,
    /// The file's version, where it could be read.
    pub version: Option<u32>,
    /// The document and what compiling it gave, where the file is one.
    pub document: Option<(Document, Compiled)>,
}

/// What a file holds, before anything is compiled.
#[derive(Debug)]
pub(super) struct Content {
    pub kind: Kind,
    /// The file's version, where it could be read.
    pub version: Option<u32>,
    /// What reading and upgrading found, in order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Either kind of file; nothing where it has errors.
#[derive(Debug)]
pub(super) enum Kind {
    Document(Option<Document>),
    Effect(Option<Arc<Effect>>),
}

/// Reads a file. Only one that cannot be read at all is a failure here; faults of its content are diagnostics.
pub(super) fn content(path: &Path) -> Result<Content, Failure> {
    let bytes = std::fs::read(path).map_err(|error| {
        let path = path.display();
        match error.kind() {
            std::io::ErrorKind::NotFound => {
                format!("{path}: there is no such file. Check the name and the folder")
            }
            _ => format!("{path} could not be read: {error}"),
        }
    })?;
    if binary::is_binary(&bytes) || is_compiled_json(&bytes) {
        let (effect, version, diagnostics) = match load_noted(&bytes) {
            Ok(loaded) => (Some(loaded.effect), Some(loaded.version), loaded.notes),
            Err(error) => {
                let fault = Diagnostic::error("effect-file", Place::default(), error.to_string());
                (None, None, vec![fault])
            }
        };
        return Ok(Content {
            kind: Kind::Effect(effect),
            version,
            diagnostics,
        });
    }
    let (document, version, diagnostics) = match file::load(&bytes) {
        Ok(loaded) => (Some(loaded.document), Some(loaded.version), loaded.notes),
        Err(error) => (None, None, vec![error.diagnostic()]),
    };
    Ok(Content {
        kind: Kind::Document(document),
        version,
        diagnostics,
    })
}

/// Reads and compiles or loads a file, as [`content`].
pub(super) fn read(path: &Path) -> Result<Input, Failure> {
    let content = content(path)?;
    let mut input = Input {
        effect: None,
        diagnostics: content.diagnostics,
        version: content.version,
        document: None,
    };
    match content.kind {
        Kind::Effect(effect) => input.effect = effect,
        Kind::Document(None) => {}
        Kind::Document(Some(document)) => {
            let compiled = compile(&document);
            input.diagnostics.extend(compiled.diagnostics.iter().cloned());
            input.effect = compiled.effect.clone().map(Arc::new);
            input.document = Some((document, compiled));
        }
    }
    Ok(input)
}

fn is_compiled_json(bytes: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Mark {
        mote: String,
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    serde_json::from_slice::<Mark>(bytes).is_ok_and(|mark| mark.mote == json::KIND)
}

/// The effect of a file, or its errors as one failure.
pub(super) fn effect(path: &Path) -> Result<Arc<Effect>, Failure> {
    let input = read(path)?;
    let name = path.display().to_string();
    match input.effect {
        Some(effect) => Ok(effect),
        None => {
            let errors = input.diagnostics.iter().filter(|d| d.is_error());
            let lines: Vec<String> = errors.map(|d| super::output::diagnostic(&name, d)).collect();
            Err(lines.join("\n").into())
        }
    }
}
