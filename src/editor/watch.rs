//! Sees when another program writes the document's file.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use egui::Context;
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

/// Watches the folder of one file at a time: files are replaced by others of their name, and a watch of the file alone
/// would end with the first.
pub(super) struct Watch {
    watcher: Option<RecommendedWatcher>,
    file: Arc<Mutex<Option<PathBuf>>>,
    folder: Option<PathBuf>,
    changed: Arc<AtomicBool>,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch")
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

impl Watch {
    /// A watch of nothing yet; what it sees later wakes the window.
    pub(super) fn new(ctx: &Context) -> Self {
        let file: Arc<Mutex<Option<PathBuf>>> = Arc::default();
        let changed = Arc::new(AtomicBool::new(false));
        let (wanted, flag, ctx) = (Arc::clone(&file), Arc::clone(&changed), ctx.clone());
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let Ok(event) = event else { return };
            let wanted = wanted.lock().unwrap_or_else(PoisonError::into_inner);
            let name = wanted.as_deref().and_then(Path::file_name);
            if name.is_some() && event.paths.iter().any(|path| path.file_name() == name) {
                flag.store(true, Ordering::Release);
                ctx.request_repaint();
            }
        });
        Self {
            watcher: watcher
                .inspect_err(|error| tracing::warn!(%error, "files changed by other programs are not seen"))
                .ok(),
            file,
            folder: None,
            changed,
        }
    }

    /// Whether the file was touched since last asked, after seeing to it that it is this one.
    pub(super) fn touched(&mut self, path: Option<&Path>) -> bool {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if file.as_deref() != path {
            *file = path.map(Path::to_owned);
            let folder = path.map(|path| match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
                _ => PathBuf::from("."),
            });
            drop(file);
            self.follow(folder);
            self.changed.store(false, Ordering::Release);
            return false;
        }
        drop(file);
        self.changed.swap(false, Ordering::AcqRel)
    }

    fn follow(&mut self, folder: Option<PathBuf>) {
        if self.folder == folder {
            return;
        }
        let Some(watcher) = &mut self.watcher else { return };
        if let Some(old) = self.folder.take() {
            // It may be gone by now.
            let _ = watcher.unwatch(&old);
        }
        if let Some(folder) = folder {
            match watcher.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => self.folder = Some(folder),
                Err(error) => tracing::warn!(%error, "changes by other programs are not seen"),
            }
        }
    }
}
