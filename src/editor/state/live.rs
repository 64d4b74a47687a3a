//! From an edit to the running effect: compile, swap, and how long that took.

use std::sync::Arc;

use super::message::sentence;
use super::{EditorState, scout};
use crate::artifact::Effect;
use crate::base::diag::{Diagnostic, FlowKind};
use crate::base::id::Id;
use crate::compiler::{Compiled, compile};
use crate::play::{Driver, Shown, SwapReport};

/// How far an edit has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Latency {
    /// Nothing has been edited.
    #[default]
    None,
    /// Swapped in at this frame; no step has been taken since.
    Waiting(u64),
    /// The first step with it went out this many frames after the edit, its own frame counted.
    Frames(u64),
}

/// What the document compiles to.
#[derive(Debug, Clone, Default)]
pub struct Live {
    /// The last version that compiled.
    pub effect: Option<Arc<Effect>>,
    /// What the last compile gave: what is wrong or odd, what nodes cost, how long it took. Its effect has been
    /// given to the player.
    pub compiled: Compiled,
    /// How many compiles there were.
    pub compiles: u64,
    /// Whether the document as it is does not compile, so that an older version plays.
    pub behind: bool,
    /// What the last swap did to the particles.
    pub last_swap: Option<SwapReport>,
    /// From the last edit to the first step with it.
    pub latency: Latency,
    /// Frames shown so far.
    pub frame: u64,
}

impl Live {
    /// Findings of a severity of error.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.compiled.errors()
    }

    /// Findings on a node, its inside included.
    pub fn on_node<'a>(
        &'a self,
        emitter: &'a Id,
        flow: FlowKind,
        node: &'a Id,
    ) -> impl Iterator<Item = &'a Diagnostic> + 'a {
        self.compiled.diagnostics.iter().filter(move |d| {
            d.place.emitter.as_ref() == Some(emitter)
                && d.place.flow == Some(flow)
                && d.place.node.first() == Some(node)
        })
    }
}

impl EditorState {
    /// Compiles the document and gives the running effect the result. With an error in it the last good
    /// version plays on.
    pub(super) fn recompile(&mut self) {
        let mut compiled = compile(self.history.document());
        let effect = compiled.effect.take();
        let live = &mut self.live;
        live.compiles += 1;
        live.compiled = compiled;
        live.behind = effect.is_none();
        let Some(effect) = effect else { return };
        if live.effect.as_deref() == Some(&effect) {
            return;
        }
        let effect = Arc::new(effect);
        match self.player.swap(Arc::clone(&effect)) {
            Ok(report) => {
                // A file that would not open is no problem of what is being edited now.
                self.file_problem = None;
                self.live.effect = Some(effect);
                self.live.last_swap = Some(report);
                self.live.latency = Latency::Waiting(self.live.frame);
                self.revision += 1;
                match report {
                    SwapReport::Kept => {}
                    SwapReport::Resimulated => {
                        self.say("Living particles could not be kept: the effect was run again to its time.");
                    }
                    SwapReport::Restarted => {
                        self.say("Living particles could not be kept: the effect started over.");
                    }
                }
            }
            Err(error) => self.fail(format!("The change cannot play: {}", sentence(&error))),
        }
    }

    /// Compiles a document that has just come and plays it from its start.
    pub(super) fn start(&mut self) {
        let mut compiled = compile(self.history.document());
        let effect = compiled.effect.take();
        self.live = Live {
            compiled,
            compiles: self.live.compiles + 1,
            behind: effect.is_none(),
            frame: self.live.frame,
            ..Live::default()
        };
        self.revision += 1;
        // What played before is another document's: where this one does not compile, nothing plays.
        let plays = effect.is_some();
        let effect = Arc::new(effect.unwrap_or_default());
        match self.player.load(Arc::clone(&effect)) {
            Ok(()) => {
                self.camera = scout::look_at(&effect);
                if plays {
                    self.live.effect = Some(effect);
                }
            }
            Err(error) => self.fail(format!("The effect cannot play: {}", sentence(&error))),
        }
    }

    /// Lets `wall` seconds pass in the running effect. One call a frame.
    pub fn advance(&mut self, wall: f64) -> u32 {
        self.live.frame += 1;
        let steps = self.player.advance(wall);
        self.note_steps(steps);
        steps
    }

    /// Notes that steps went out with the last edit in them.
    pub(super) fn note_steps(&mut self, steps: u32) {
        if steps > 0
            && let Latency::Waiting(since) = self.live.latency
        {
            self.live.latency = Latency::Frames((self.live.frame - since).max(1));
        }
    }

    /// Moves the camera so that what lives fills the picture.
    pub(in crate::editor) fn frame_view(&mut self) {
        let driver = match self.player.shown() {
            Shown::Gpu => Driver::Gpu,
            Shown::Cpu | Shown::Split => Driver::Cpu,
        };
        match self.player.bounds(driver) {
            Ok(Some((min, max))) => {
                self.camera.frame(min, max);
                self.revision += 1;
            }
            Ok(None) => self.say("Nothing lives now, so there is nothing to frame."),
            Err(error) => self.fail(sentence(&error)),
        }
    }
}
