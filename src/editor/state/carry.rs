//! Carrying out what panels and keys ask for.

use super::message::sentence;
use super::{EditorState, Waiting};
use crate::document::{Changed, EditError};
use crate::editor::action::{Action, Answer, FileRequest, Look, PlayChange, Selection};
use crate::editor::commands;

impl EditorState {
    /// Carries out a request.
    pub fn carry_out(&mut self, action: Action) {
        match action {
            Action::Step { label, edits } => {
                let outcome = self.history.step(&label, &edits);
                self.follow(outcome);
            }
            Action::Begin { label } => self.history.begin(&label),
            // A gesture that was taken back while the pointer is still down stays taken back.
            Action::Update(edit) if self.history.is_open() => {
                let outcome = self.history.update(&edit);
                self.follow(outcome);
            }
            Action::Update(_) => {}
            Action::Commit => self.history.commit(),
            Action::Cancel => self.cancel_gesture(),
            Action::Select(selection) => self.select(selection),
            Action::ShowFlow(flow) => self.flow = flow,
            Action::Command(id) => self.run_command(id),
            Action::Say(text) => self.say(text),
            Action::Play(change) => self.change_play(change),
            Action::Look(look) => self.look(look),
            Action::File(request) => self.file(request),
            Action::Answer(answer) => self.answer(answer),
            Action::Outside(outside) => self.settle_outside(outside),
            Action::Recover(recovery) => self.recover(recovery),
            Action::Dismiss => self.dismiss(),
        }
    }

    /// Runs a command of the table where it is enabled.
    pub fn run_command(&mut self, id: &str) {
        match commands::find(id) {
            Some(command) if command.is_enabled(self) => command.run(self),
            Some(_) => {}
            None => tracing::error!(id, "there is no such command"),
        }
    }

    fn follow(&mut self, outcome: Result<Changed, EditError>) {
        match outcome {
            Ok(changed) => self.after(changed),
            Err(error) => self.fail(sentence(&error)),
        }
    }

    /// Brings selection, problems and the running effect up to a changed document.
    pub(super) fn after(&mut self, changed: Changed) {
        if changed == Changed::Nothing {
            return;
        }
        self.prune_selection();
        if changed == Changed::Meaning {
            self.recompile();
        }
    }

    /// Takes the open gesture back.
    pub fn cancel_gesture(&mut self) {
        if self.history.is_open() {
            self.history.cancel();
            self.after(Changed::Meaning);
        }
    }

    /// Closes a gesture whose widget went away before it could.
    pub fn close_forgotten_gesture(&mut self) {
        if self.history.is_open() {
            tracing::debug!("a gesture was left open");
            self.history.commit();
        }
    }

    /// Takes the last step back.
    pub(in crate::editor) fn undo(&mut self) {
        if let Some(label) = self.history.undo() {
            self.after(Changed::Meaning);
            self.say(format!("Undone: {label}."));
        }
    }

    /// Makes a step that was taken back again.
    pub(in crate::editor) fn redo(&mut self) {
        if let Some(label) = self.history.redo() {
            self.after(Changed::Meaning);
            self.say(format!("Redone: {label}."));
        }
    }

    /// Selects what exists of `selection`.
    pub(in crate::editor) fn select(&mut self, selection: Selection) {
        if let (Some(id), Some(node)) = (&selection.emitter, selection.nodes.first())
            && let Some(flow) = self.document().emitter(id).and_then(|e| e.flow_of(node))
        {
            self.flow = flow;
        }
        self.selection = selection;
        self.prune_selection();
    }

    pub(super) fn prune_selection(&mut self) {
        let document = self.history.document();
        let known = self
            .selection
            .emitter
            .as_ref()
            .and_then(|id| document.emitter(id));
        match known {
            Some(emitter) => self.selection.nodes.retain(|id| emitter.flow_of(id).is_some()),
            None => {
                self.selection = Selection {
                    emitter: document.emitters().first().map(|e| e.id().clone()),
                    ..Selection::default()
                };
            }
        }
    }

    fn change_play(&mut self, change: PlayChange) {
        match change {
            PlayChange::Speed(speed) => {
                if speed.is_finite() {
                    self.player.transport.speed = speed.clamp(0.1, 4.0);
                }
            }
            PlayChange::Mode(mode) => self.player.transport.mode = mode,
            PlayChange::Wind(wind) => self.blow(*wind),
            PlayChange::Seed(seed) => {
                let outcome = self.player.set_seed(seed);
                self.revision += 1;
                if let Err(error) = outcome {
                    self.fail(sentence(&error));
                }
            }
        }
    }

    fn look(&mut self, look: Look) {
        match look {
            Look::Orbit(yaw, pitch) => self.camera.orbit(yaw, pitch),
            Look::Pan(right, up) => self.camera.pan(right, up),
            Look::Dolly(factor) => self.camera.dolly(factor),
        }
    }

    fn file(&mut self, request: FileRequest) {
        self.typing = None;
        match request {
            FileRequest::New(preset) => self.when_safe(Waiting::New(preset)),
            FileRequest::Open(path) => self.when_safe(Waiting::Open(path)),
            FileRequest::Import(path) => self.when_safe(Waiting::Import(path)),
            FileRequest::SaveTo(path) => {
                if self.save_to(&path) {
                    self.go_on();
                }
            }
            FileRequest::ExportTo(path) => {
                self.export_to(&path);
            }
        }
    }

    /// Does `next` at once, or after the question about unsaved changes.
    pub(in crate::editor) fn when_safe(&mut self, next: Waiting) {
        self.waiting = Some(next);
        if !self.history.is_dirty() {
            self.go_on();
        }
    }

    fn answer(&mut self, answer: Answer) {
        match answer {
            Answer::Stay => self.stop_waiting(),
            Answer::Discard => self.go_on(),
            Answer::Save => match self.path.clone() {
                Some(path) => {
                    if self.save_to(&path) {
                        self.go_on();
                    } else {
                        self.waiting = None;
                    }
                }
                // It goes on once a path is chosen.
                None => self.ask(super::Ask::SaveAs),
            },
        }
    }

    /// Forgets what waits: the file window was closed without a choice.
    pub fn stop_waiting(&mut self) {
        self.waiting = None;
        self.typing = None;
    }

    fn go_on(&mut self) {
        match self.waiting.take() {
            Some(Waiting::New(preset)) => self.new_from(&preset),
            Some(Waiting::AskOpen) => self.ask(super::Ask::Open),
            Some(Waiting::Open(path)) => {
                self.open(&path);
            }
            Some(Waiting::AskImport) => self.ask(super::Ask::Import),
            Some(Waiting::Import(path)) => {
                self.import(&path);
            }
            Some(Waiting::Quit) => self.leave = true,
            None => {}
        }
    }
}
