//! Many documents in one call: on several threads, and only what changed since the last.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use super::{Failure, output};
use crate::artifact::save::save_atomic;
use crate::base::hash::content_hash;

/// What the folder remembers of the last call.
const RECORDS: &str = ".mote-compiled.json";

/// What an output was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// Hash of the program, its options and the document.
    pub made_from: u64,
    /// The textures read beside it, with the hashes of their bytes; none is a file that was missing.
    pub textures: Vec<(String, Option<u64>)>,
    /// Hash of the output's bytes.
    pub output: u64,
}

impl Record {
    /// Whether the output is still what compiling would give.
    pub(super) fn holds(&self, made_from: u64, folder: &Path, output: &Path) -> bool {
        let same = |(path, hash): &(String, Option<u64>)| hash_of(&folder.join(path)) == *hash;
        self.made_from == made_from && hash_of(output) == Some(self.output) && self.textures.iter().all(same)
    }
}

/// A hash of a file's bytes.
pub(super) fn hash_of(path: &Path) -> Option<u64> {
    Some(content_hash(&std::fs::read(path).ok()?))
}

/// A hash of this very program: another build may compile otherwise.
pub(super) fn hash_of_program() -> u64 {
    std::env::current_exe()
        .ok()
        .and_then(|path| hash_of(&path))
        .unwrap_or_default()
}

/// The records of a folder, by the names of its files; none where they cannot be read.
pub(super) fn records(folder: &Path) -> BTreeMap<String, Record> {
    let bytes = std::fs::read(folder.join(RECORDS)).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// Writes the records down.
pub(super) fn remember(folder: &Path, records: &BTreeMap<String, Record>) -> Result<(), Failure> {
    save_atomic(&folder.join(RECORDS), &serde_json::to_vec_pretty(records)?)?;
    Ok(())
}

/// The file of each document in a folder, refused where two documents would write one.
pub(super) fn outputs(documents: &[PathBuf], folder: &Path, ending: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut taken: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    let mut all = Vec::with_capacity(documents.len());
    for document in documents {
        let name = document
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let name = name.ok_or_else(|| format!("{} is no file", document.display()))?;
        let stem = [".mote", ".motefx.json", ".motefx"]
            .iter()
            .find_map(|of| name.strip_suffix(of));
        let path = folder.join(format!("{}.{ending}", stem.unwrap_or(&name)));
        if let Some(other) = taken.insert(path.clone(), document) {
            let (other, document, path) = (other.display(), document.display(), path.display());
            return Err(format!("{other} and {document} would both be written to {path}").into());
        }
        output::distinct(&path, &[document])?;
        all.push(path);
    }
    Ok(all)
}

/// Runs every job on so many threads and gives the results in the jobs' order.
pub(super) fn run<T: Send>(count: usize, threads: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let bar = output::progress(count as u64, "compiling");
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(count));
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    let result = job(index);
                    bar.inc(1);
                    done.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push((index, result));
                }
            });
        }
    });
    bar.finish_and_clear();
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}
