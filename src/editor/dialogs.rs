//! The system's file windows, on a thread of their own so that the editor plays on while one is open.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use super::action::FileRequest;
use super::state::{Ask, EditorState};
use crate::document::import::IMPORTERS;

/// A file window that is closed sooner than this was never there: the system has none, which it does not say.
const NEVER_SEEN: Duration = Duration::from_millis(400);

/// An open file window.
#[derive(Debug)]
struct Open {
    ask: Ask,
    since: Instant,
    receiver: Receiver<Option<PathBuf>>,
}

/// At most one open file window.
#[derive(Debug, Default)]
pub(super) struct Dialogs {
    open: Option<Open>,
    /// Paths are always typed in the editor's own window.
    pub(super) typed: bool,
}

/// What a file window gave.
#[derive(Debug)]
pub(super) enum Outcome {
    /// A path was chosen.
    Chosen(FileRequest),
    /// It was closed.
    Closed,
    /// The system has none for this question.
    Missing(Ask),
}

impl Dialogs {
    /// Opens a file window. One that is open already stays the only one.
    pub(super) fn open(&mut self, ask: Ask, state: &EditorState, ctx: &egui::Context) {
        if self.open.is_some() {
            return;
        }
        let dialog = dialog(ask, state);
        let (sender, receiver) = channel();
        let ctx = ctx.clone();
        let work = move || {
            let chosen = match ask {
                Ask::Open | Ask::Import => pollster::block_on(dialog.pick_file()),
                Ask::SaveAs | Ask::Export => pollster::block_on(dialog.save_file()),
            };
            // The window may be gone by now; then nobody waits for the answer.
            let _ = sender.send(chosen.map(|file| file.path().to_owned()));
            ctx.request_repaint();
        };
        match std::thread::Builder::new()
            .name("mote-dialog".to_owned())
            .spawn(work)
        {
            Ok(_) => {
                self.open = Some(Open {
                    ask,
                    since: Instant::now(),
                    receiver,
                });
            }
            Err(error) => tracing::error!(%error, "no thread for the file window"),
        }
    }

    /// What an open file window has given, once.
    pub(super) fn poll(&mut self) -> Option<Outcome> {
        let open = self.open.as_ref()?;
        let outcome = match open.receiver.try_recv() {
            Ok(Some(path)) => Outcome::Chosen(open.ask.request(path)),
            Ok(None) if open.since.elapsed() < NEVER_SEEN => Outcome::Missing(open.ask),
            Ok(None) => Outcome::Closed,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Outcome::Missing(open.ask),
        };
        self.open = None;
        Some(outcome)
    }
}

fn dialog(ask: Ask, state: &EditorState) -> rfd::AsyncFileDialog {
    let mut dialog = rfd::AsyncFileDialog::new();
    if let Some(folder) = state.path().and_then(std::path::Path::parent)
        && folder.is_dir()
    {
        dialog = dialog.set_directory(folder);
    }
    if let Some(name) = ask.proposal(state).file_name() {
        dialog = dialog.set_file_name(name.to_string_lossy());
    }
    match ask {
        Ask::Open => dialog
            .set_title("Open a document")
            .add_filter("Mote documents", &["mote"]),
        Ask::Import => {
            let endings: Vec<&str> = IMPORTERS.iter().flat_map(|i| i.endings()).copied().collect();
            dialog
                .set_title("Import another tool's effect")
                .add_filter("Effects that can be imported", &endings)
        }
        Ask::SaveAs => dialog
            .set_title("Save the document")
            .add_filter("Mote documents", &["mote"]),
        Ask::Export => dialog
            .set_title("Export the effect")
            .add_filter("Compiled effect", &["motefx"])
            .add_filter("Compiled effect as JSON", &["json"]),
    }
}
