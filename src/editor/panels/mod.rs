//! The panels of the window and where they stand.

mod button;
mod canvas;
mod emitters;
mod empty;
mod inspector;
mod menu;
mod problems;
mod prompt;
mod status;
mod transport;
mod viewport;

use eframe::egui_wgpu::RenderState;
use egui::{CentralPanel, Frame, Margin, Panel, Ui};

use super::action::Actions;
use super::canvas::CanvasState;
use super::state::EditorState;
use super::theme::style::BAR;
use viewport::Viewport;

/// What panels remember between frames.
#[derive(Debug)]
pub struct Panels {
    viewport: Viewport,
    emitters: emitters::Renaming,
    canvas: CanvasState,
    /// Whether the list of problems is unfolded.
    problems: bool,
}

impl Panels {
    /// Panels whose viewport draws on the window's device, where there is one.
    #[must_use]
    pub fn new(render_state: Option<RenderState>) -> Self {
        Self {
            viewport: Viewport::new(render_state),
            emitters: emitters::Renaming::default(),
            canvas: CanvasState::default(),
            problems: false,
        }
    }

    /// Whether the pointer is over the viewport.
    #[must_use]
    pub fn over_viewport(&self, ctx: &egui::Context) -> bool {
        self.viewport.is_hovered(ctx)
    }

    /// What the canvas remembers.
    #[must_use]
    pub fn canvas(&self) -> &CanvasState {
        &self.canvas
    }

    /// Draws the pictures that the panels of this frame show.
    pub fn draw(&mut self, state: &mut EditorState) {
        self.viewport.draw(state);
    }
}

/// Shows the window.
pub fn show(panels: &mut Panels, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let bar = Frame::NONE
        .fill(tokens.surface)
        .inner_margin(Margin::symmetric(8, 0));
    let side = Frame::NONE.fill(tokens.surface);
    let height = ui.available_height();

    Panel::top("menu")
        .exact_size(BAR)
        .resizable(false)
        .frame(
            Frame::NONE
                .fill(tokens.surface)
                .inner_margin(Margin::symmetric(8, 6)),
        )
        .show(ui, |ui| menu::show(ui, state, actions));
    Panel::bottom("status")
        .exact_size(28.0)
        .resizable(false)
        .frame(bar)
        .show(ui, |ui| status::show(ui, state, actions));
    problems::panel(ui, &mut panels.problems, state, actions);
    Panel::bottom("transport")
        .exact_size(BAR)
        .resizable(false)
        .frame(bar)
        .show(ui, |ui| transport::show(ui, state, actions));
    let width = ui.available_width();
    Panel::left("left")
        .default_size(288.0)
        .size_range(200.0..=(width * 0.4).max(200.0))
        .frame(side)
        .show(ui, |ui| {
            Panel::bottom("inspector")
                .default_size(height * 0.46)
                .size_range(96.0..=(height * 0.7).max(96.0))
                .frame(side)
                .show(ui, |ui| inspector::show(ui, state, actions));
            CentralPanel::no_frame().show(ui, |ui| {
                emitters::show(ui, &mut panels.emitters, state, actions);
            });
        });
    Panel::right("viewport")
        .default_size(width * 0.36)
        .size_range(160.0..=(width * 0.7).max(160.0))
        .frame(Frame::NONE.fill(tokens.surface_low))
        .show(ui, |ui| panels.viewport.show(ui, state, actions));
    CentralPanel::no_frame()
        .frame(Frame::NONE.fill(tokens.surface_low))
        .show(ui, |ui| canvas::show(ui, &mut panels.canvas, state, actions));
    prompt::show(ui.ctx(), state, actions);
}
