//! The middle of the window.

use egui::Ui;

use super::empty;
use crate::editor::action::Actions;
use crate::editor::state::EditorState;

pub(super) fn show(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    if state.document().emitters().is_empty() {
        empty::document(ui, state, actions);
    }
}
