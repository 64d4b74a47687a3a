//! Particle files of Cocos2d-x and Particle Designer: property lists, as XML or binary.
//!
//! A file is read in three steps: its keys and values (`table`), what they mean in the format's own units
//! (`particles`), and a document that plays so (`effect`).

mod effect;
mod particles;
mod table;

use super::{ImportError, Imported, Importer, Options};
use crate::base::diag::{Diagnostic, Place};

/// The importer.
#[derive(Debug, Clone, Copy)]
pub struct Plist;

impl Importer for Plist {
    fn title(&self) -> &'static str {
        "Cocos2d-x and Particle Designer particles"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["plist"]
    }

    fn knows(&self, bytes: &[u8]) -> bool {
        let head = &bytes[..bytes.len().min(1024)];
        table::is_binary(bytes) || head.windows(6).any(|part| part == b"<plist")
    }

    fn read(&self, name: &str, bytes: &[u8], options: &Options) -> Result<Imported, ImportError> {
        let mut table = table::read(bytes)?;
        let mut notes = Notes::default();
        let particles = particles::read(&mut table, &mut notes)?;
        let document = effect::build(&particles, name, options)?;
        let mut notes = notes.0;
        for note in &mut notes {
            note.place.line = note.place.field.as_deref().and_then(|key| table.line(key));
        }
        Ok(Imported { document, notes })
    }
}

/// What is to be said about keys.
#[derive(Debug, Default)]
struct Notes(Vec<Diagnostic>);

impl Notes {
    /// The key says something that the document does not.
    fn not_carried(&mut self, key: &str, message: impl Into<String>) {
        self.0
            .push(Diagnostic::note("not-carried-over", at(key), message));
    }

    /// The document does not do quite what the key says.
    fn otherwise(&mut self, key: &str, message: impl Into<String>) {
        self.0
            .push(Diagnostic::warning("carried-otherwise", at(key), message));
    }
}

fn at(key: &str) -> Place {
    Place {
        field: Some(key.to_owned()),
        ..Place::default()
    }
}
