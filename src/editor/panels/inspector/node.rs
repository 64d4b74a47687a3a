//! A node: what it does, its choices and its inputs.

use egui::{RichText, Ui};

use crate::base::id::Id;
use crate::document::Emitter;
use crate::editor::action::Actions;
use crate::editor::blocks;
use crate::editor::canvas::CanvasInput;
use crate::editor::canvas::model::Model;
use crate::editor::state::EditorState;
use crate::editor::theme::icon;

pub(super) fn show(ui: &mut Ui, emitter: &Emitter, id: &Id, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let Some(flow) = emitter.flow_of(id) else { return };
    let Some(input) = state.canvas_input(&tokens) else {
        return;
    };
    let input = CanvasInput { flow, ..input };
    let model = Model::new(emitter, flow, state.document());
    let Some(made) = model.node(id) else { return };
    ui.horizontal(|ui| {
        ui.label(RichText::new(&made.title).strong().size(15.0));
        ui.label(RichText::new(flow.title()).color(tokens.text_dim));
        if made.muted {
            ui.label(RichText::new("muted").color(tokens.warning));
        }
    });
    let text = if made.known {
        made.description.as_str()
    } else {
        "This version does not know this kind of node. It is kept as it was."
    };
    ui.label(RichText::new(text).color(tokens.text_dim));
    for finding in state.live().on_node(emitter.id(), flow, id) {
        let color = if finding.is_error() {
            tokens.error
        } else {
            tokens.warning
        };
        ui.label(RichText::new(format!("{} {}", icon::WARNING_CIRCLE, finding.message)).color(color));
    }
    ui.add_space(4.0);
    blocks::inputs(ui, &input, id, actions);
}
