//! Global fields: the words that all effects share by name, append-only from the field section's start.

use super::HeapError;
use crate::isa::{GLOBAL_FIELD_WORDS, GlobalImport, Program};

/// Names, widths and words of the global fields declared so far. A field once declared never moves.
#[derive(Debug, Default)]
pub struct GlobalFields {
    known: Vec<(GlobalImport, u32)>,
}

impl GlobalFields {
    /// First word and width of a field.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<(u32, u32)> {
        let (import, word) = self.known.iter().find(|(known, _)| known.name == name)?;
        Some((*word, import.width))
    }

    /// Names, widths and first words, in the order they were declared.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u32, u32)> + '_ {
        self.known
            .iter()
            .map(|(import, word)| (import.name.as_str(), import.width, *word))
    }

    fn end(&self) -> u32 {
        self.known.last().map_or(0, |(import, word)| word + import.width)
    }

    /// Whether the imports of all these programs could be declared together.
    pub(super) fn check<'a>(&self, programs: impl IntoIterator<Item = &'a Program>) -> Result<(), HeapError> {
        let mut end = self.end();
        let mut new: Vec<&GlobalImport> = Vec::new();
        for import in programs.into_iter().flat_map(|program| &program.globals) {
            let declared = self.get(&import.name).map(|(_, width)| width);
            let known = declared.or_else(|| new.iter().find(|n| n.name == import.name).map(|n| n.width));
            match known {
                Some(declared) if declared < import.width => {
                    return Err(HeapError::GlobalWidth {
                        name: import.name.clone(),
                        declared,
                        wanted: import.width,
                    });
                }
                Some(_) => {}
                None => {
                    end += import.width;
                    new.push(import);
                }
            }
            if end > GLOBAL_FIELD_WORDS {
                return Err(HeapError::GlobalsFull {
                    name: import.name.clone(),
                });
            }
        }
        Ok(())
    }

    /// The word of a field, declared where it is new. The caller has checked that it fits.
    pub(super) fn declare(&mut self, name: &str, width: u32) -> u32 {
        match self.get(name) {
            Some((word, _)) => word,
            None => {
                let word = self.end();
                let name = name.to_owned();
                self.known.push((GlobalImport { name, width }, word));
                word
            }
        }
    }

    /// The word of a field of exactly this width, declared where it is new.
    pub(super) fn exact(&mut self, name: &str, width: u32) -> Result<u32, HeapError> {
        match self.get(name) {
            Some((word, declared)) if declared == width => Ok(word),
            Some((_, declared)) => Err(HeapError::GlobalWidth {
                name: name.to_owned(),
                declared,
                wanted: width,
            }),
            None if self.end() + width > GLOBAL_FIELD_WORDS => Err(HeapError::GlobalsFull {
                name: name.to_owned(),
            }),
            None => Ok(self.declare(name, width)),
        }
    }
}
