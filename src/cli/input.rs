//! Reading a file of either kind: a document, which is compiled, or a compiled effect.

use std::path::Path;
use std::sync::Arc;

use super::Failure;
use crate::artifact::{Effect, binary, json};
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
    /// The document and what compiling it gave, where the file is one.
    pub document: Option<(Document, Compiled)>,
}

/// Reads and compiles or loads a file. Only a file that cannot be read at all is a failure here; faults of its
/// content are diagnostics.
pub(super) fn read(path: &Path) -> Result<Input, Failure> {
    let bytes = std::fs::read(path).map_err(|error| {
        let path = path.display();
        match error.kind() {
            std::io::ErrorKind::NotFound => {
                format!("{path}: there is no such file. Check the name and the folder")
            }
            _ => format!("{path} could not be read: {error}"),
        }
    })?;
    Ok(from_bytes(&bytes))
}

fn from_bytes(bytes: &[u8]) -> Input {
    let compiled_effect = binary::is_binary(bytes) || is_compiled_json(bytes);
    if compiled_effect {
        return match Effect::load(bytes) {
            Ok(effect) => Input {
                effect: Some(effect),
                diagnostics: Vec::new(),
                document: None,
            },
            Err(error) => {
                let diagnostic = Diagnostic::error("effect-file", Place::default(), error.to_string());
                Input {
                    effect: None,
                    diagnostics: vec![diagnostic],
                    document: None,
                }
            }
        };
    }
    match file::load(bytes) {
        Ok(loaded) => {
            let compiled = compile(&loaded.document);
            let mut diagnostics = loaded.notes;
            diagnostics.extend(compiled.diagnostics.iter().cloned());
            let effect = compiled.effect.clone().map(Arc::new);
            Input {
                effect,
                diagnostics,
                document: Some((loaded.document, compiled)),
            }
        }
        Err(error) => Input {
            effect: None,
            diagnostics: vec![error.diagnostic()],
            document: None,
        },
    }
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
