//! The middle of the window: the canvas of the flow shown, or a way to begin.

use egui::Ui;

use super::empty;
use crate::editor::action::Actions;
use crate::editor::canvas::{self, CanvasState};
use crate::editor::state::EditorState;

pub(super) fn show(ui: &mut Ui, canvas: &mut CanvasState, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    match state.canvas_input(&tokens) {
        Some(input) => canvas::show(ui, canvas, &input, actions),
        None => empty::document(ui, state, actions),
    }
}
