//! The image files of an effect: named by the hash of their content and, where asked for, carried along.

use std::io;
use std::sync::Arc;

use super::effect::{Effect, MAX_PACKED, MAX_PACKED_ALL, Packed};
use crate::base::hash::content_hash;

/// A texture whose file could not be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Its path in the effect.
    pub path: String,
    /// Why, as the rest of a sentence that starts with the path.
    pub reason: String,
}

/// Fills in the hash of every texture from its file's bytes, which `read` gives by the texture's path. With `pack` the
/// bytes go into the effect, each content once. A texture whose file is missing keeps the hash 0 and is listed.
pub fn gather(
    effect: &mut Effect,
    pack: bool,
    mut read: impl FnMut(&str) -> io::Result<Vec<u8>>,
) -> Vec<Missing> {
    let mut missing = Vec::new();
    effect.packed.clear();
    let mut packed_bytes = 0;
    for texture in &mut effect.textures {
        texture.hash = 0;
        let mut miss = |reason: String| {
            missing.push(Missing {
                path: texture.path.clone(),
                reason,
            });
        };
        let bytes = match read(&texture.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                miss("there is no such file".to_owned());
                continue;
            }
            Err(error) => {
                miss(format!("it could not be read: {error}"));
                continue;
            }
        };
        let hash = content_hash(&bytes);
        if pack && !effect.packed.iter().any(|packed| packed.hash == hash) {
            if bytes.len() > MAX_PACKED || packed_bytes + bytes.len() > MAX_PACKED_ALL {
                miss(format!(
                    "its {} bytes are too many to pack: {MAX_PACKED} are the most of a file, {MAX_PACKED_ALL} of all",
                    bytes.len()
                ));
                continue;
            }
            packed_bytes += bytes.len();
            effect.packed.push(Packed {
                hash,
                bytes: Arc::from(bytes),
            });
        }
        texture.hash = hash;
    }
    effect.packed.sort_by_key(|packed| packed.hash);
    missing
}
