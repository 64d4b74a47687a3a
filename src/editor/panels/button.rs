//! Buttons of the command table, and the one way to name a widget.

use egui::{Button, Response, RichText, Ui, vec2};

use crate::editor::action::{Action, Actions};
use crate::editor::commands;
use crate::editor::state::EditorState;
use crate::editor::theme::style::ROW;

/// Gives a widget the name that screen readers and tests find it by.
pub(super) fn name(response: &Response, name: &str) {
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_label(name.to_owned());
    });
}

/// A square button with an icon, a tooltip and a name.
pub(super) fn icon(ui: &mut Ui, glyph: &str, label: &str, tooltip: &str, enabled: bool) -> Response {
    let button = Button::new(RichText::new(glyph).size(16.0))
        .frame_when_inactive(false)
        .min_size(vec2(ROW, ROW));
    let response = ui.add_enabled(enabled, button);
    name(&response, label);
    response.on_hover_text(tooltip).on_disabled_hover_text(tooltip)
}

/// An icon button that runs a command.
pub(super) fn command_icon(
    ui: &mut Ui,
    glyph: &str,
    id: &'static str,
    state: &EditorState,
    actions: &mut Actions,
) -> Option<Response> {
    let command = commands::find(id)?;
    let tooltip = command.tooltip(state, ui.ctx());
    let response = icon(
        ui,
        glyph,
        &command.title(state),
        &tooltip,
        command.is_enabled(state),
    );
    if response.clicked() {
        actions.push(Action::Command(id));
    }
    Some(response)
}
