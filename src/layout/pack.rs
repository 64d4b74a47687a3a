//! First-fit packing, in declared order: an appended field moves none.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::field::{FieldSlot, FieldType};
use crate::isa::{FIRST_FIELD_WORD, MAX_EMITTER_FIELD_WORDS, QUAD_WORDS, RECORD_WORDS};

/// Why fields cannot be laid out.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// Two fields of one name.
    #[error("the field {name:?} is declared twice")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// No place is left.
    #[error("the field {name:?} ({words} words) does not fit: {used} of {available} words are taken")]
    Full {
        /// The field.
        name: String,
        /// Its words.
        words: u32,
        /// Words taken before it.
        used: u32,
        /// Words there are.
        available: u32,
    },
    /// A stated place is not one a field can have.
    #[error(
        "the field {name:?} cannot lie at word {word}: it must be inside one quad of the record and overlap no other field"
    )]
    Place {
        /// The field.
        name: String,
        /// Its stated word.
        word: u32,
    },
    /// An empty name.
    #[error("a field has an empty name")]
    Unnamed,
}

/// The fields of a particle's record.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<FieldSlot>", into = "Vec<FieldSlot>")]
pub struct ParticleLayout {
    fields: Vec<FieldSlot>,
}

impl ParticleLayout {
    /// Packs fields in order, each at the first place where it fits inside one quad.
    ///
    /// # Errors
    /// [`LayoutError`] for a doubled name or a full record.
    pub fn pack<'a>(fields: impl IntoIterator<Item = (&'a str, FieldType)>) -> Result<Self, LayoutError> {
        let mut layout = Self::default();
        for (name, ty) in fields {
            layout.push(name, ty)?;
        }
        Ok(layout)
    }

    /// Takes fields with their places, as a file states them.
    ///
    /// # Errors
    /// [`LayoutError`] where names repeat or places are impossible.
    pub fn from_slots(slots: Vec<FieldSlot>) -> Result<Self, LayoutError> {
        let mut layout = Self::default();
        for slot in slots {
            layout.check_name(&slot.name)?;
            let free = slot.word >= FIRST_FIELD_WORD
                && slot.word < RECORD_WORDS
                && slot.word / QUAD_WORDS == (slot.word + slot.ty.width() - 1) / QUAD_WORDS
                && layout.is_free(&slot.words());
            if !free {
                return Err(LayoutError::Place {
                    name: slot.name,
                    word: slot.word,
                });
            }
            layout.fields.push(slot);
        }
        Ok(layout)
    }

    /// Appends a field and gives its place.
    ///
    /// # Errors
    /// [`LayoutError`] for a doubled name or a full record.
    pub fn push(&mut self, name: &str, ty: FieldType) -> Result<u32, LayoutError> {
        self.check_name(name)?;
        let words = ty.width();
        let place = (FIRST_FIELD_WORD..=RECORD_WORDS - words).find(|&word| {
            word / QUAD_WORDS == (word + words - 1) / QUAD_WORDS && self.is_free(&(word..word + words))
        });
        let Some(word) = place else {
            let used = self.fields.iter().map(|f| f.ty.width()).sum();
            let available = RECORD_WORDS - FIRST_FIELD_WORD;
            return Err(LayoutError::Full {
                name: name.to_owned(),
                words,
                used,
                available,
            });
        };
        self.fields.push(FieldSlot {
            name: name.to_owned(),
            ty,
            word,
        });
        Ok(word)
    }

    fn check_name(&self, name: &str) -> Result<(), LayoutError> {
        if name.is_empty() {
            return Err(LayoutError::Unnamed);
        }
        match self.get(name) {
            Some(_) => Err(LayoutError::Duplicate {
                name: name.to_owned(),
            }),
            None => Ok(()),
        }
    }

    fn is_free(&self, words: &std::ops::Range<u32>) -> bool {
        self.fields
            .iter()
            .all(|f| f.words().end <= words.start || f.word >= words.end)
    }

    /// The fields in declared order.
    #[must_use]
    pub fn fields(&self) -> &[FieldSlot] {
        &self.fields
    }

    /// The field of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FieldSlot> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// The fields of an emitter's block: packed from word 0 with no gaps.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<Declared>", into = "Vec<Declared>")]
pub struct EmitterLayout {
    fields: Vec<FieldSlot>,
}

impl EmitterLayout {
    /// Packs fields in order.
    ///
    /// # Errors
    /// [`LayoutError`] for a doubled name or too many words.
    pub fn pack<'a>(fields: impl IntoIterator<Item = (&'a str, FieldType)>) -> Result<Self, LayoutError> {
        let mut layout = Self::default();
        for (name, ty) in fields {
            if name.is_empty() {
                return Err(LayoutError::Unnamed);
            }
            if layout.get(name).is_some() {
                return Err(LayoutError::Duplicate {
                    name: name.to_owned(),
                });
            }
            let (word, words) = (layout.words(), ty.width());
            if word + words > MAX_EMITTER_FIELD_WORDS {
                let (used, available) = (word, MAX_EMITTER_FIELD_WORDS);
                return Err(LayoutError::Full {
                    name: name.to_owned(),
                    words,
                    used,
                    available,
                });
            }
            layout.fields.push(FieldSlot {
                name: name.to_owned(),
                ty,
                word,
            });
        }
        Ok(layout)
    }

    /// The fields in declared order.
    #[must_use]
    pub fn fields(&self) -> &[FieldSlot] {
        &self.fields
    }

    /// The field of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FieldSlot> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Words of the block.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.fields.last().map_or(0, |field| field.words().end)
    }
}

/// An emitter field as files state it: its place follows from the order.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Declared {
    name: String,
    #[serde(rename = "type")]
    ty: FieldType,
}

impl TryFrom<Vec<FieldSlot>> for ParticleLayout {
    type Error = LayoutError;
    fn try_from(slots: Vec<FieldSlot>) -> Result<Self, LayoutError> {
        Self::from_slots(slots)
    }
}

impl From<ParticleLayout> for Vec<FieldSlot> {
    fn from(layout: ParticleLayout) -> Self {
        layout.fields
    }
}

impl TryFrom<Vec<Declared>> for EmitterLayout {
    type Error = LayoutError;
    fn try_from(fields: Vec<Declared>) -> Result<Self, LayoutError> {
        Self::pack(fields.iter().map(|field| (field.name.as_str(), field.ty)))
    }
}

impl From<EmitterLayout> for Vec<Declared> {
    fn from(layout: EmitterLayout) -> Self {
        layout
            .fields
            .into_iter()
            .map(|f| Declared {
                name: f.name,
                ty: f.ty,
            })
            .collect()
    }
}
