//! A node: what it does, its choices and its inputs.

use egui::{Id as UiId, RichText, Ui, vec2};

use super::field::{fields, row};
use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::document::{Edit, Emitter};
use crate::editor::action::Actions;
use crate::editor::canvas::CanvasInput;
use crate::editor::canvas::model::{Input, Model, NodeModel};
use crate::editor::state::EditorState;
use crate::editor::theme::icon;
use crate::editor::widgets::input::{InputEditor, rows};
use crate::editor::widgets::look::{Look, ROW};
use crate::editor::widgets::settings::{self, SettingEditor};
use crate::graph::Node;
use crate::graph::kind::title_of;

pub(super) fn show(ui: &mut Ui, emitter: &Emitter, id: &Id, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let Some(flow) = emitter.flow_of(id) else { return };
    let Some(input) = state.canvas_input(&tokens) else {
        return;
    };
    let input = CanvasInput { flow, ..input };
    let model = Model::new(emitter, flow, state.document().parameters());
    let made = model.index.get(id).and_then(|&at| model.nodes.get(at));
    let (Some(node), Some(made)) = (emitter.flow(flow).node(id), made) else {
        return;
    };
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
    choices(ui, emitter, &model, made, node, &input, actions);
    for entry in &made.inputs {
        one(ui, &model, made, entry, node, &input, actions);
    }
}

/// The choices of a special node.
fn choices(
    ui: &mut Ui,
    emitter: &Emitter,
    model: &Model,
    made: &NodeModel,
    node: &Node,
    input: &CanvasInput<'_>,
    actions: &mut Actions,
) {
    let Some(special) = made.special else { return };
    for name in settings::names(special) {
        let title = format!("{} ›", made.title);
        let editor = SettingEditor {
            title: &title,
            node,
            special,
            name,
            emitter,
            scope: &model.scope,
            parameters: input.document.parameters(),
        };
        row(ui, input.tokens, &title_of(name), "", |ui| {
            let rect = fields(ui, 0.0);
            let id = UiId::new(("inspector-setting", &made.id, name));
            let edited = editor.show_at(ui, rect, id, &Look::panel(input.tokens));
            edited.send(actions, &format!("Change {name} of {}", made.title), |value| {
                vec![Edit::SetSetting {
                    emitter: emitter.id().clone(),
                    node: made.id.clone(),
                    name: name.to_owned(),
                    value: Some(value),
                }]
            });
        });
    }
}

/// An input: what is wired into it, or its value.
fn one(
    ui: &mut Ui,
    model: &Model,
    made: &NodeModel,
    entry: &Input,
    node: &Node,
    input: &CanvasInput<'_>,
    actions: &mut Actions,
) {
    let (tokens, port) = (input.tokens, &entry.port);
    if let Some(source) = &entry.source {
        row(ui, tokens, &port.title, &port.doc, |ui| {
            let text = format!("from {}", model.title(&source.node));
            ui.label(RichText::new(text).color(tokens.text_dim));
        });
        return;
    }
    let mode = node.inputs.get(&port.name).unwrap_or(&port.default);
    let name = format!("{} › {}", made.title, port.title.to_lowercase());
    let editor = InputEditor {
        name: &name,
        port,
        ty: entry.edits,
        mode,
        parameters: input.document.parameters(),
        over_life: input.flow == FlowKind::EveryFrame,
    };
    row(ui, tokens, &port.title, &port.doc, |ui| {
        let size = vec2(ui.available_width() - 4.0, ROW * rows(mode, entry.edits) as f32);
        let (_, rect) = ui.allocate_space(size);
        let id = UiId::new(("inspector-input", &made.id, &port.name));
        let Some(edited) = editor.show_at(ui, rect, id, &Look::panel(tokens)) else {
            return;
        };
        let label = format!("Change {} of {}", port.title.to_lowercase(), made.title);
        edited.send(actions, &label, |mode| {
            input.target().set_input(&made.id, &port.name, mode)
        });
    });
}
