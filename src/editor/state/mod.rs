//! What the window shows: one open document with its history, what it compiles to, the player, and views that
//! are never undone.

mod carry;
mod edits;
mod files;
mod live;
mod message;
mod playing;
mod scout;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

pub use live::{Latency, Live};
pub use message::{Message, Tone};

use super::action::Selection;
use super::autosave::Orphan;
use super::canvas::CanvasInput;
use super::theme::Tokens;
use crate::artifact::Effect;
use crate::base::diag::{Diagnostic, FlowKind};
use crate::base::id::Id;
use crate::document::history::History;
use crate::document::{Document, Emitter};
use crate::play::player::Kit;
use crate::play::{Player, SwapReport};
use crate::render::OrbitCamera;
use crate::vm::WindScene;

/// A question of the system's file window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// Which document to open.
    Open,
    /// Which file of another tool to make a document of.
    Import,
    /// Where to save the document.
    SaveAs,
    /// Where to write the compiled effect.
    Export,
}

/// What waits until the document's unsaved changes are saved or given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waiting {
    /// A new document from a preset.
    New(String),
    /// The question which document to open.
    AskOpen,
    /// Opening a document.
    Open(PathBuf),
    /// The question which file to import.
    AskImport,
    /// Making a document of another tool's file.
    Import(PathBuf),
    /// Leaving.
    Quit,
}

/// Choices about the window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ViewState {
    /// Whether the theme is dark.
    pub dark: bool,
    /// Whether the preview shows the ground grid.
    pub grid: bool,
}

/// A file that could not be opened.
#[derive(Debug, Clone, PartialEq)]
pub struct FileProblem {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub finding: Diagnostic,
}

/// Everything the panels read.
#[derive(Debug)]
pub struct EditorState {
    history: History,
    path: Option<PathBuf>,
    /// What the document's file held when it was last read or written.
    on_disk: Option<u64>,
    saved_at: Option<Instant>,
    live: Live,
    file_problem: Option<FileProblem>,
    selection: Selection,
    flow: FlowKind,
    player: Player,
    camera: OrbitCamera,
    /// Counts what a paused picture must follow: edits, restarts, seeds.
    revision: u64,
    message: Option<Message>,
    view: ViewState,
    wind: WindScene,
    ask: Option<Ask>,
    /// The question that is asked in the window itself, for a typed path.
    typing: Option<Ask>,
    waiting: Option<Waiting>,
    /// Documents that windows left behind, the next to ask about last.
    orphans: Vec<Orphan>,
    recovered: Option<Orphan>,
    /// Whether another program changed the file while there are unsaved changes, which is asked about.
    outside: bool,
    leave: bool,
}

impl EditorState {
    /// A document with nothing in it, which offers the presets. Without a kit only the CPU plays and nothing is drawn.
    #[must_use]
    pub fn new(kit: Option<Kit>) -> Self {
        let shown = Player::preferred(kit.as_ref());
        let mut state = Self {
            history: History::new(Document::new("Untitled")),
            path: None,
            on_disk: None,
            saved_at: None,
            live: Live::default(),
            file_problem: None,
            selection: Selection::default(),
            flow: FlowKind::Birth,
            player: Player::new(kit, shown),
            camera: OrbitCamera::default(),
            revision: 0,
            message: None,
            view: ViewState {
                dark: true,
                grid: true,
            },
            wind: WindScene::default(),
            ask: None,
            typing: None,
            waiting: None,
            orphans: Vec::new(),
            recovered: None,
            outside: false,
            leave: false,
        };
        state.start();
        state
    }

    /// The document.
    #[must_use]
    pub fn document(&self) -> &Document {
        self.history.document()
    }

    /// Its past and future.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The document's file, where it has one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// When the document was last saved in this run.
    #[must_use]
    pub fn saved_at(&self) -> Option<Instant> {
        self.saved_at
    }

    /// What the document compiles to.
    #[must_use]
    pub fn live(&self) -> &Live {
        &self.live
    }

    /// The last version that compiled, which plays.
    #[must_use]
    pub fn effect(&self) -> Option<&Arc<Effect>> {
        self.live.effect.as_ref()
    }

    /// What is wrong or odd in the document, in its order.
    #[must_use]
    pub fn problems(&self) -> &[Diagnostic] {
        &self.live.compiled.diagnostics
    }

    /// The file that could not be opened last.
    #[must_use]
    pub fn file_problem(&self) -> Option<&FileProblem> {
        self.file_problem.as_ref()
    }

    /// What is selected.
    #[must_use]
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// The selected emitter.
    #[must_use]
    pub fn emitter(&self) -> Option<&Emitter> {
        self.document().emitter(self.selection.emitter.as_ref()?)
    }

    /// The selected emitter's place in the document.
    #[must_use]
    pub fn emitter_index(&self) -> Option<usize> {
        let id = self.selection.emitter.as_ref()?;
        self.document().emitters().iter().position(|e| e.id() == id)
    }

    /// The selected node, where it is a single one.
    #[must_use]
    pub fn node(&self) -> Option<&Id> {
        let mut nodes = self.selection.nodes.iter();
        nodes.next().filter(|_| nodes.next().is_none())
    }

    /// The flow on the canvas.
    #[must_use]
    pub fn flow(&self) -> FlowKind {
        self.flow
    }

    /// The player.
    #[must_use]
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// The player, to let time pass and to draw.
    pub fn player_mut(&mut self) -> &mut Player {
        &mut self.player
    }

    /// What the canvas and the block list are given, where an emitter is selected.
    #[must_use]
    pub fn canvas_input<'a>(&'a self, tokens: &'a Tokens) -> Option<CanvasInput<'a>> {
        Some(CanvasInput {
            document: self.document(),
            emitter: self.selection.emitter.as_ref()?,
            flow: self.flow,
            compiled: &self.live.compiled,
            selection: &self.selection,
            tokens,
        })
    }

    /// The preview's camera.
    #[must_use]
    pub fn camera(&self) -> &OrbitCamera {
        &self.camera
    }

    /// Grows whenever a paused picture is out of date.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What the status bar says.
    #[must_use]
    pub fn message(&self) -> Option<&Message> {
        self.message.as_ref()
    }

    /// Choices about the window.
    #[must_use]
    pub fn view(&self) -> ViewState {
        self.view
    }

    /// Choices about the window, to change.
    pub fn view_mut(&mut self) -> &mut ViewState {
        &mut self.view
    }

    /// How the air moves in the preview.
    #[must_use]
    pub fn wind(&self) -> &WindScene {
        &self.wind
    }

    /// The colours in use.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        if self.view.dark {
            Tokens::dark()
        } else {
            Tokens::light()
        }
    }

    /// What waits for an answer about unsaved changes.
    #[must_use]
    pub fn waiting(&self) -> Option<&Waiting> {
        self.waiting.as_ref()
    }

    /// Whether it is asked what becomes of the document after another program changed its file.
    #[must_use]
    pub fn was_changed_outside(&self) -> bool {
        self.outside
    }

    /// A hash of what the document's file held when it was last read or written.
    #[must_use]
    pub fn on_disk(&self) -> Option<u64> {
        self.on_disk
    }

    /// The document left behind that is asked about.
    #[must_use]
    pub fn orphan(&self) -> Option<&Orphan> {
        self.orphans.last()
    }

    /// Asks what becomes of documents that were left behind, the first of them first.
    pub fn ask_about(&mut self, mut orphans: Vec<Orphan>) {
        orphans.reverse();
        self.orphans = orphans;
    }

    /// Takes the open question to the system's file window.
    pub fn take_ask(&mut self) -> Option<Ask> {
        self.ask.take()
    }

    /// The question that is asked in the window itself.
    #[must_use]
    pub fn typing(&self) -> Option<Ask> {
        self.typing
    }

    /// Asks for a typed path: the system has no file window.
    pub fn ask_in_window(&mut self, ask: Ask) {
        self.typing = Some(ask);
    }

    /// Asks for a file.
    pub fn ask(&mut self, ask: Ask) {
        self.ask = Some(ask);
    }

    /// Whether the window may close.
    #[must_use]
    pub fn may_leave(&self) -> bool {
        self.leave
    }

    /// The document's name, with a mark where it has unsaved changes.
    #[must_use]
    pub fn title(&self) -> String {
        let name = match &self.path {
            Some(path) => path.file_name().map_or_else(
                || path.display().to_string(),
                |n| n.to_string_lossy().into_owned(),
            ),
            None => self.document().name().to_owned(),
        };
        let mark = if self.history.is_dirty() { " •" } else { "" };
        format!("{name}{mark} – Mote")
    }

    /// What the last swap did to the particles.
    #[must_use]
    pub fn last_swap(&self) -> Option<SwapReport> {
        self.live.last_swap
    }
}
