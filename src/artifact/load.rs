//! Loading: either form, any version, whole checks.

use std::sync::Arc;

use super::effect::Effect;
use super::error::LoadError;
use super::{binary, json, upgrade, validate};
use crate::base::diag::Diagnostic;
use crate::base::hash::content_hash;

/// An effect as loaded.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The effect, as a file of [`super::VERSION`] would have it.
    pub effect: Arc<Effect>,
    /// The version of the file.
    pub version: u32,
    /// What upgrading could not carry over. Empty for a file of [`super::VERSION`].
    pub notes: Vec<Diagnostic>,
}

/// Reads a `.motefx` or `.motefx.json` file as [`Effect::load`] does, and says of which version it was.
///
/// # Errors
/// As [`Effect::load`].
pub fn load_noted(bytes: &[u8]) -> Result<Loaded, LoadError> {
    let draft = if binary::is_binary(bytes) {
        binary::read(bytes)?
    } else {
        json::read(bytes)?
    };
    let version = draft.version;
    let (effect, notes) = upgrade::upgrade(draft)?;
    validate::validate(&effect)?;
    for packed in &effect.packed {
        let found = content_hash(&packed.bytes);
        if found != packed.hash {
            let stated = packed.hash;
            return Err(LoadError::Packed { found, stated });
        }
    }
    Ok(Loaded {
        effect: Arc::new(effect),
        version,
        notes,
    })
}
