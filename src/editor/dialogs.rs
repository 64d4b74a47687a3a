//! The system's file windows, on a thread of their own so that the editor plays on while one is open.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use super::action::FileRequest;
use super::state::{Ask, EditorState};

/// At most one open file window.
#[derive(Debug, Default)]
pub(super) struct Dialogs {
    open: Option<(Ask, Receiver<Option<PathBuf>>)>,
}

/// What a file window gave.
#[derive(Debug)]
pub(super) enum Outcome {
    /// A path was chosen.
    Chosen(FileRequest),
    /// It was closed.
    Closed,
    /// The system has none.
    Failed,
}

impl Dialogs {
    /// Opens a file window. One that is open already stays the only one.
    pub(super) fn open(&mut self, ask: Ask, state: &EditorState, ctx: &egui::Context) {
        if self.open.is_some() {
            return;
        }
        let dialog = dialog(&ask, state);
        let (sender, receiver) = channel();
        let ctx = ctx.clone();
        let kind = ask.clone();
        let work = move || {
            let chosen = match kind {
                Ask::Open => pollster::block_on(dialog.pick_file()),
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
            Ok(_) => self.open = Some((ask, receiver)),
            Err(error) => tracing::error!(%error, "no thread for the file window"),
        }
    }

    /// What an open file window has given, once.
    pub(super) fn poll(&mut self) -> Option<Outcome> {
        let (ask, receiver) = self.open.as_ref()?;
        let outcome = match receiver.try_recv() {
            Ok(Some(path)) => Outcome::Chosen(match ask {
                Ask::Open => FileRequest::Open(path),
                Ask::SaveAs => FileRequest::SaveTo(path),
                Ask::Export => FileRequest::ExportTo(path),
            }),
            Ok(None) => Outcome::Closed,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Outcome::Failed,
        };
        self.open = None;
        Some(outcome)
    }
}

fn dialog(ask: &Ask, state: &EditorState) -> rfd::AsyncFileDialog {
    let mut dialog = rfd::AsyncFileDialog::new();
    if let Some(folder) = state.path().and_then(std::path::Path::parent)
        && folder.is_dir()
    {
        dialog = dialog.set_directory(folder);
    }
    let stem = state.path().and_then(std::path::Path::file_stem).map_or_else(
        || file_name(state.document().name()),
        |s| s.to_string_lossy().into_owned(),
    );
    match ask {
        Ask::Open => dialog
            .set_title("Open a document")
            .add_filter("Mote documents", &["mote"]),
        Ask::SaveAs => dialog
            .set_title("Save the document")
            .set_file_name(format!("{stem}.mote"))
            .add_filter("Mote documents", &["mote"]),
        Ask::Export => dialog
            .set_title("Export the effect")
            .set_file_name(format!("{stem}.motefx"))
            .add_filter("Compiled effect", &["motefx"])
            .add_filter("Compiled effect as JSON", &["json"]),
    }
}

/// A document's name as the name of its file.
fn file_name(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .collect();
    if name.is_empty() {
        "effect".to_owned()
    } else {
        name
    }
}
