//! Content hashes that are the same on every machine and in every run (XXH3), unlike the standard library's.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::id::Id;

/// 64-bit hash of `bytes`.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// 64-bit hash of words, in little-endian order.
#[must_use]
pub fn hash_words(words: impl IntoIterator<Item = u32>) -> u64 {
    let mut hasher = Xxh3::new();
    for word in words {
        hasher.update(&word.to_le_bytes());
    }
    hasher.digest()
}

/// The random stream of a node, from the ids along its group path (outermost first) and a salt that tells
/// the draws of one node apart. A node keeps its stream whatever is added, muted or moved around it.
#[must_use]
pub fn stream_of<'a>(path: impl IntoIterator<Item = &'a Id>, salt: &str) -> u32 {
    let mut hasher = Xxh3::new();
    for id in path {
        hasher.update(id.as_str().as_bytes());
        hasher.update(b"/");
    }
    hasher.update(salt.as_bytes());
    let hash = hasher.digest();
    (hash ^ (hash >> 32)) as u32
}

/// The seed of one emitter of an instance.
#[must_use]
pub fn emitter_seed(instance_seed: u32, emitter: &Id) -> u32 {
    let hash = content_hash(emitter.as_str().as_bytes());
    super::rng::pcg(instance_seed ^ super::rng::pcg((hash ^ (hash >> 32)) as u32))
}
