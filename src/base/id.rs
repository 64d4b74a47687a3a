//! Persistent names of things in a document.
//!
//! An id is short readable text (`gravity-k3f9`) rather than a number: two people who each add a node get
//! different ids, a merge conflict reads as words, and a diagnostic can name a node a person recognises.
//! An id never follows an index, a title or a place on a canvas, so moving and renaming change no meaning.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Longest id accepted, in bytes.
pub const MAX_ID_LEN: usize = 64;

/// A persistent id: 1 to [`MAX_ID_LEN`] characters of `a–z`, `0–9`, `-`, `_`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Id(Arc<str>);

/// Why a text is no id.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IdError {
    /// The text is empty or longer than [`MAX_ID_LEN`].
    #[error("an id has 1 to {MAX_ID_LEN} characters, this one has {len}")]
    Length {
        /// Bytes found.
        len: usize,
    },
    /// A character outside the allowed set.
    #[error("the id {text:?} has the character {found:?}; only a-z, 0-9, '-' and '_' may stand in one")]
    Character {
        /// The offending text.
        text: String,
        /// Its first character that is not allowed.
        found: char,
    },
}

impl Id {
    /// Checks `text` and makes an id of it.
    ///
    /// # Errors
    /// [`IdError`] for an empty, over-long or badly spelled text.
    pub fn new(text: &str) -> Result<Self, IdError> {
        if text.is_empty() || text.len() > MAX_ID_LEN {
            return Err(IdError::Length { len: text.len() });
        }
        match text
            .chars()
            .find(|c| !matches!(c, 'a'..='z' | '0'..='9' | '-' | '_'))
        {
            Some(found) => Err(IdError::Character {
                text: text.to_owned(),
                found,
            }),
            None => Ok(Self(text.into())),
        }
    }

    /// A new id from a readable stem and 32 random bits: `stem-xxxx`, in base 32. Characters of the stem
    /// that may not stand in an id are dropped.
    #[must_use]
    pub fn fresh(stem: &str, bits: u32) -> Self {
        const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
        let mut text: String = stem
            .chars()
            .flat_map(char::to_lowercase)
            .map(|c| if c == ' ' || c == '.' { '-' } else { c })
            .filter(|c| matches!(c, 'a'..='z' | '0'..='9' | '-' | '_'))
            .take(MAX_ID_LEN - 8)
            .collect();
        if text.is_empty() {
            text.push('x');
        }
        text.push('-');
        for i in 0..5 {
            text.push(char::from(DIGITS[(bits >> (i * 5)) as usize & 31]));
        }
        Self(text.into())
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Id {
    type Error = IdError;
    fn try_from(text: String) -> Result<Self, IdError> {
        Self::new(&text)
    }
}

impl From<Id> for String {
    fn from(id: Id) -> Self {
        id.0.as_ref().to_owned()
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}
