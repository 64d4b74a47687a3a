//! What is not saved is kept in a place of its own, and found again after a window that did not end as it should.
//!
//! Each window holds a lock in the folder for as long as it lives. A document whose lock nobody holds was left behind.
//! The document's own file is never touched here.

use std::fs::{File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::state::EditorState;
use crate::base::hash::content_hash;
use crate::document::file;

/// Seconds between two copies of a document that is being changed.
pub const INTERVAL: f64 = 10.0;

const LOCK: &str = "lock";
const DOCUMENT: &str = "mote";
const ABOUT: &str = "json";

/// A document that a window left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orphan {
    /// The copy.
    pub copy: PathBuf,
    /// The document's own file, where it had one.
    pub file: Option<PathBuf>,
    /// A hash of what that file held when it was last read or written.
    pub on_disk: Option<u64>,
    /// The document's name.
    pub name: String,
    /// When the copy was made.
    pub written: SystemTime,
}

/// What stands beside a copy.
#[derive(Serialize, Deserialize)]
struct About {
    file: Option<PathBuf>,
    on_disk: Option<u64>,
    name: String,
}

/// Keeps the document of one window.
#[derive(Debug)]
pub struct Autosave {
    /// The window's files, less their endings.
    own: PathBuf,
    /// Held until the window is gone.
    _lock: File,
    /// The copy's content, where there is one.
    copied: Option<u64>,
    /// When it is looked at next, on the window's clock; none while there is nothing to keep.
    next: Option<f64>,
}

/// The folder of this person's copies; none where the system names none.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    let dirs = directories::ProjectDirs::from("", "", "mote")?;
    Some(dirs.data_local_dir().join("autosave"))
}

impl Autosave {
    /// Makes the folder, and in it a name of this window's own.
    ///
    /// # Errors
    /// What the system says where it cannot be written to.
    pub fn new(folder: &Path) -> std::io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let ending = format!(".{LOCK}");
        let lock = tempfile::Builder::new()
            .prefix("")
            .suffix(&ending)
            .tempfile_in(folder)?;
        let (lock, path) = lock.keep().map_err(|error| error.error)?;
        lock.lock()?;
        Ok(Self {
            own: path.with_extension(""),
            _lock: lock,
            copied: None,
            next: None,
        })
    }

    /// Copies the document when it is time to. Seconds until it is next, where it will be.
    pub fn tick(&mut self, state: &EditorState, now: f64) -> Option<f64> {
        if !state.history().is_dirty() {
            self.forget();
            return None;
        }
        let next = *self.next.get_or_insert(now + INTERVAL);
        if now < next {
            return Some(next - now);
        }
        // A gesture that goes on is looked at when it has ended.
        if !state.history().is_open() {
            self.keep(state);
        }
        self.next = Some(now + INTERVAL);
        Some(INTERVAL)
    }

    /// Copies the document now, where it has changed since it was copied last.
    pub fn keep(&mut self, state: &EditorState) {
        let text = file::save(state.document());
        let hash = content_hash(text.as_bytes());
        if self.copied == Some(hash) {
            return;
        }
        let about = About {
            file: state.path().map(absolute),
            on_disk: state.on_disk(),
            name: state.document().name().to_owned(),
        };
        let about = serde_json::to_vec(&about).unwrap_or_default();
        let written = self
            .write(ABOUT, &about)
            .and_then(|()| self.write(DOCUMENT, text.as_bytes()));
        match written {
            Ok(()) => self.copied = Some(hash),
            Err(error) => tracing::warn!(%error, "the document could not be copied aside"),
        }
    }

    /// Beside and into place, without waiting for the disk: a window must not stand still for a copy.
    fn write(&self, ending: &str, bytes: &[u8]) -> std::io::Result<()> {
        let target = self.own.with_extension(ending);
        let folder = target.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::Builder::new().prefix(".part-").tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.persist(&target).map_err(|error| error.error)?;
        Ok(())
    }

    fn forget(&mut self) {
        self.next = None;
        if self.copied.take().is_some() {
            remove(&self.own);
        }
    }
}

impl Drop for Autosave {
    fn drop(&mut self) {
        // A window that goes down in a panic leaves its copy behind.
        if !std::thread::panicking() {
            remove(&self.own);
            let _ = std::fs::remove_file(self.own.with_extension(LOCK));
        }
    }
}

fn remove(own: &Path) {
    for ending in [DOCUMENT, ABOUT] {
        let _ = std::fs::remove_file(own.with_extension(ending));
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The documents that windows left behind, the latest first. What is left of windows without one is cleared away.
#[must_use]
pub fn orphans(folder: &Path) -> Vec<Orphan> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.extension().is_none_or(|ending| ending != LOCK) {
            continue;
        }
        let held = File::open(&path).map(|file| file.try_lock());
        if !matches!(held, Ok(Ok(()))) {
            if let Ok(Err(TryLockError::Error(error))) = held {
                tracing::debug!(%error, "a lock that cannot be looked at");
            }
            continue;
        }
        let copy = path.with_extension(DOCUMENT);
        let Ok(written) = std::fs::metadata(&copy).and_then(|data| data.modified()) else {
            let _ = std::fs::remove_file(&path);
            continue;
        };
        let about = std::fs::read(path.with_extension(ABOUT)).ok();
        let about: Option<About> = about.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let about = about.unwrap_or(About {
            file: None,
            on_disk: None,
            name: "a document".to_owned(),
        });
        found.push(Orphan {
            copy,
            file: about.file,
            on_disk: about.on_disk,
            name: about.name,
            written,
        });
    }
    found.sort_by_key(|orphan| std::cmp::Reverse(orphan.written));
    found
}

/// Removes what was left behind.
pub fn discard(orphan: &Orphan) {
    let own = orphan.copy.with_extension("");
    remove(&own);
    let _ = std::fs::remove_file(own.with_extension(LOCK));
}
