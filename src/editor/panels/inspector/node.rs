//! A node: what it does, and its inputs.

use egui::{RichText, Ui};

use super::field::{Number, lanes, row};
use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::document::{Edit, Emitter};
use crate::editor::action::Actions;
use crate::editor::state::EditorState;
use crate::editor::theme::{Tokens, icon};
use crate::graph::kind::Port;
use crate::graph::{InputMode, Lanes, Node, registry};

pub(super) fn show(ui: &mut Ui, emitter: &Emitter, id: &Id, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let Some(kind) = emitter.flow_of(id) else { return };
    let flow = emitter.flow(kind);
    let Some(node) = flow.node(id) else { return };
    let Some(node_kind) = registry().get(&node.kind) else {
        ui.label(RichText::new(&node.kind).strong());
        ui.label("This version does not know this kind of node. It is kept as it was.");
        return;
    };
    let own = flow.layout.nodes.get(id).and_then(|view| view.title.as_deref());
    ui.horizontal(|ui| {
        ui.label(RichText::new(own.unwrap_or(&node_kind.title)).strong().size(15.0));
        ui.label(RichText::new(kind.title()).color(tokens.text_dim));
        if node.muted {
            ui.label(RichText::new("muted").color(tokens.warning));
        }
    });
    ui.label(RichText::new(&node_kind.description).color(tokens.text_dim));
    for finding in state.live().on_node(emitter.id(), kind, id) {
        let color = if finding.is_error() {
            tokens.error
        } else {
            tokens.warning
        };
        ui.label(RichText::new(format!("{} {}", icon::WARNING_CIRCLE, finding.message)).color(color));
    }
    ui.add_space(8.0);
    let scope = emitter.scope(kind, state.document().parameters(), registry());
    let Some(signature) = registry().signature(node, &scope) else {
        return;
    };
    for port in signature.inputs.iter() {
        ui.push_id(&port.name, |ui| {
            input(ui, emitter, kind, node, port, &tokens, actions);
        });
    }
}

fn input(
    ui: &mut Ui,
    emitter: &Emitter,
    flow: FlowKind,
    node: &Node,
    port: &Port,
    tokens: &Tokens,
    actions: &mut Actions,
) {
    if emitter.flow(flow).source(&node.id, &port.name).is_some() {
        row(ui, tokens, &port.title, &port.doc, |ui| {
            ui.label(RichText::new("wired").color(tokens.text_dim));
        });
        return;
    }
    let mode = node.inputs.get(&port.name).unwrap_or(&port.default);
    let unit = if port.unit.is_empty() {
        String::new()
    } else {
        format!(" {}", port.unit)
    };
    let bound = |bound: Option<f32>, none| bound.map_or(none, f64::from);
    let spec = Number::new(&port.title, &unit, &port.doc)
        .range(bound(port.min, f64::MIN), bound(port.max, f64::MAX))
        .speed(0.01);
    let set = |mode: InputMode| Edit::SetInput {
        emitter: emitter.id().clone(),
        node: node.id.clone(),
        port: port.name.clone(),
        mode: Some(mode),
    };
    let with = |lanes: Lanes, lane: usize, value: f32| {
        let mut values = lanes.values().to_vec();
        values[lane] = value;
        Lanes::new(&values).unwrap_or(lanes)
    };
    match mode {
        InputMode::Value(value) => row(ui, tokens, &port.title, &port.doc, |ui| {
            lanes(ui, spec, &port.title, value.values(), actions, |lane, v| {
                set(InputMode::Value(with(*value, lane, v)))
            });
        }),
        InputMode::Random { min, max } => {
            row(ui, tokens, &port.title, &port.doc, |ui| {
                let label = format!("{} from", port.title);
                lanes(ui, spec, &label, min.values(), actions, |lane, v| {
                    set(InputMode::Random {
                        min: with(*min, lane, v),
                        max: *max,
                    })
                });
            });
            row(ui, tokens, "     to", &port.doc, |ui| {
                let label = format!("{} to", port.title);
                lanes(ui, spec, &label, max.values(), actions, |lane, v| {
                    set(InputMode::Random {
                        min: *min,
                        max: with(*max, lane, v),
                    })
                });
            });
        }
        other => row(ui, tokens, &port.title, &port.doc, |ui| {
            ui.label(RichText::new(other.title()).color(tokens.text_dim));
        }),
    }
}
