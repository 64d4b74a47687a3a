//! The window's frame: input to actions, panels, actions to state, time, pictures. In that order, so that an
//! edit made in a frame is in the picture of the same frame.

use std::path::Path;
use std::time::Duration;

use eframe::CreationContext;
use egui::{Context, Key, ViewportCommand};

use super::action::{Action, Actions};
use super::autosave::{self, Autosave};
use super::commands;
use super::dialogs::{Dialogs, Outcome};
use super::panels::{self, Panels};
use super::state::EditorState;
use super::theme::style;
use super::watch::Watch;
use crate::gpu::Gpu;
use crate::play::player::Kit;

/// Registers that the first frame's programs may use; larger classes are made on a thread.
const FIRST_REGISTERS: u32 = 32;

/// The application.
#[derive(Debug)]
pub struct EditorApp {
    state: EditorState,
    panels: Panels,
    dialogs: Dialogs,
    actions: Actions,
    title: String,
    dark: Option<bool>,
    frame: Option<u64>,
    autosave: Option<Autosave>,
    watch: Option<Watch>,
}

impl EditorApp {
    /// The application on the window's device. Without one it plays on the CPU and shows counts.
    #[must_use]
    pub fn new(cc: &CreationContext<'_>) -> Self {
        style::install_fonts(&cc.egui_ctx);
        let kit = cc.wgpu_render_state.as_ref().map(|state| {
            let gpu = Gpu::from_parts(
                state.instance.clone(),
                state.adapter.clone(),
                state.device.clone(),
                state.queue.clone(),
            );
            Kit::new(gpu, FIRST_REGISTERS)
        });
        let app = Self {
            state: EditorState::new(kit),
            panels: Panels::new(cc.wgpu_render_state.clone()),
            dialogs: Dialogs::default(),
            actions: Actions::default(),
            title: String::new(),
            dark: None,
            frame: None,
            autosave: None,
            watch: None,
        };
        style::apply(&cc.egui_ctx, &app.state.tokens());
        app
    }

    /// What the window shows.
    #[must_use]
    pub fn state(&self) -> &EditorState {
        &self.state
    }

    /// What the window shows, to change between two frames.
    pub fn state_mut(&mut self) -> &mut EditorState {
        &mut self.state
    }

    /// Paths are typed in the window from now on, never chosen in the system's.
    pub fn type_paths(&mut self) {
        self.dialogs.typed = true;
    }

    /// Copies what is not saved into a folder from now on, and asks about what windows left behind there.
    pub fn keep_copies(&mut self, folder: &Path) {
        self.state.ask_about(autosave::orphans(folder));
        match Autosave::new(folder) {
            Ok(autosave) => self.autosave = Some(autosave),
            Err(error) => {
                let folder = folder.display();
                tracing::warn!(%error, "{folder} cannot be written to: what is not saved is lost in a crash");
            }
        }
    }

    /// Follows what other programs write into the document's file from now on.
    pub fn watch_files(&mut self, ctx: &Context) {
        self.watch = Some(Watch::new(ctx));
    }

    /// What the panels remember.
    #[must_use]
    pub fn panels(&self) -> &Panels {
        &self.panels
    }

    fn keys(&mut self, ctx: &Context) {
        // A question on the screen takes the keys.
        let asked = self.state.orphan().is_some()
            || self.state.waiting().is_some()
            || self.state.was_changed_outside();
        if asked || self.state.typing().is_some() {
            return;
        }
        if self.state.history().is_open() && ctx.input(|input| input.key_pressed(Key::Escape)) {
            self.state.carry_out(Action::Cancel);
        }
        for command in commands::pressed(ctx, self.panels.over_viewport(ctx)) {
            self.state.run_command(command.id);
        }
    }

    fn files(&mut self, ctx: &Context) {
        if let Some(watch) = &mut self.watch
            && watch.touched(self.state.path())
        {
            self.state.look_at_disk();
        }
        match self.dialogs.poll() {
            Some(Outcome::Chosen(request)) => self.state.carry_out(Action::File(request)),
            Some(Outcome::Closed) => self.state.stop_waiting(),
            Some(Outcome::Missing(ask)) => self.state.ask_in_window(ask),
            None => {}
        }
        let dropped = ctx.input(|input| input.raw.dropped_files.first().map(|file| file.path().to_owned()));
        if let Some(path) = dropped {
            self.state
                .carry_out(Action::File(super::action::FileRequest::Open(path)));
        }
        match self.state.take_ask() {
            Some(ask) if self.dialogs.typed => self.state.ask_in_window(ask),
            Some(ask) => self.dialogs.open(ask, &self.state, ctx),
            None => {}
        }
    }

    /// Keeps the system's window up to date: its title, its theme, whether it may close.
    fn window(&mut self, ctx: &Context) {
        if ctx.input(|input| input.viewport().close_requested()) && !self.state.may_leave() {
            self.state.when_safe(super::state::Waiting::Quit);
            if !self.state.may_leave() {
                ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            }
        } else if self.state.may_leave() {
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
        let title = self.state.title();
        if title != self.title {
            ctx.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
        let dark = self.state.view().dark;
        if self.dark != Some(dark) {
            self.dark = Some(dark);
            style::apply(ctx, &self.state.tokens());
        }
    }

    /// Lets time pass once a frame, whatever number of passes the toolkit takes for it.
    fn time(&mut self, ctx: &Context) {
        let frame = ctx.cumulative_frame_nr();
        if self.frame.replace(frame) != Some(frame) {
            let wall = ctx.input(|input| f64::from(input.stable_dt));
            self.state.advance(wall);
        }
        self.state.expire_message();
        if let Some(left) = self.state.message().and_then(|message| message.left()) {
            ctx.request_repaint_after(left);
        }
        if let Some(autosave) = &mut self.autosave {
            if let Some(orphan) = self.state.take_recovered() {
                autosave.keep(&self.state);
                autosave::discard(&orphan);
            }
            let now = ctx.input(|input| input.time);
            if let Some(left) = autosave.tick(&self.state, now) {
                ctx.request_repaint_after(Duration::from_secs_f64(left));
            }
        }
        let player = self.state.player();
        if (player.transport.playing || player.counts_are_late()) && self.state.effect().is_some() {
            ctx.request_repaint();
        }
    }
}

impl eframe::App for EditorApp {
    fn logic(&mut self, ctx: &Context, _frame: &mut eframe::Frame) {
        self.files(ctx);
        self.keys(ctx);
        self.window(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        panels::show(&mut self.panels, ui, &self.state, &mut self.actions);
        let actions = self.actions.take();
        if !actions.is_empty() {
            // What an action changes shows in panels that were drawn before it.
            ctx.request_repaint();
        }
        for action in actions {
            self.state.carry_out(action);
        }
        let idle = ctx.input(|input| !input.pointer.any_down() && !input.pointer.any_released());
        if idle && !ctx.text_edit_focused() {
            self.state.close_forgotten_gesture();
        }
        self.time(&ctx);
        self.panels.draw(&mut self.state);
    }
}
