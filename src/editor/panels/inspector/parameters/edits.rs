//! What is done to parameters, as edits.

use std::sync::Arc;

use crate::artifact::{Parameter, ParameterRead};
use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::document::{Document, Edit, Emitter};
use crate::editor::canvas::edits::bits;
use crate::editor::widgets::value::{converted, first_value, lanes_of};
use crate::graph::kind::Body;
use crate::graph::{InputMode, Node, Socket, Special, registry};
use crate::layout::FieldType;

/// A new parameter under a name that is free.
pub(super) fn new(document: &Document) -> Parameter {
    let taken = |name: &str| document.parameters().iter().any(|p| p.name == name);
    let name = (1_u32..)
        .map(|n| match n {
            1 => "Parameter".to_owned(),
            n => format!("Parameter {n}"),
        })
        .find(|name| !taken(name))
        .unwrap_or_default();
    Parameter {
        id: document.fresh_id("parameter", bits()),
        name,
        ty: FieldType::Float,
        default: first_value(FieldType::Float),
        range: None,
        unit: String::new(),
        read: ParameterRead::default(),
    }
}

/// Why a parameter cannot be called that.
pub(super) fn check_name(document: &Document, id: &Id, name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("A parameter needs a name.".to_owned());
    }
    match document
        .parameters()
        .iter()
        .find(|p| p.name == name && p.id != *id)
    {
        Some(_) => Err(format!(
            "Another parameter is called {name}. Choose another name."
        )),
        None => Ok(()),
    }
}

/// Gives a parameter another type: its value goes along, and its range where the type has one.
pub(super) fn set_type(parameter: &mut Parameter, ty: FieldType) {
    parameter.default = converted(parameter.default, parameter.ty, ty);
    parameter.ty = ty;
    if !has_range(ty) {
        parameter.range = None;
    }
    keep_in_range(parameter);
}

/// Whether a type's values lie between two ends.
pub(super) const fn has_range(ty: FieldType) -> bool {
    !matches!(ty, FieldType::Color | FieldType::Quat | FieldType::Bool)
}

/// A range to begin with: 0 to 1, widened to hold the value.
pub(super) fn first_range(parameter: &Parameter) -> [f32; 2] {
    let values = &parameter.default[..parameter.ty.width() as usize];
    let low = values.iter().copied().fold(0.0, f32::min);
    let high = values.iter().copied().fold(1.0, f32::max);
    [low, high]
}

/// Gives a parameter another range. An end that passes the other takes it along, and the value stays inside.
pub(super) fn set_end(parameter: &mut Parameter, end: usize, value: f32) {
    if let Some([low, high]) = &mut parameter.range {
        if end == 0 {
            *low = value;
            *high = high.max(value);
        } else {
            *high = value;
            *low = low.min(value);
        }
    }
    keep_in_range(parameter);
}

/// Moves what lies outside of the range to its nearest end.
pub(super) fn keep_in_range(parameter: &mut Parameter) {
    if let Some([low, high]) = parameter.range
        && low <= high
    {
        let width = parameter.ty.width() as usize;
        for lane in &mut parameter.default[..width] {
            *lane = lane.clamp(low, high);
        }
    }
}

/// Inputs and nodes that read a parameter.
pub(super) fn readers(document: &Document, parameter: &Id) -> usize {
    let flows = document
        .emitters()
        .iter()
        .flat_map(|e| FlowKind::ALL.map(|flow| e.flow(flow)));
    flows
        .flat_map(|flow| flow.nodes())
        .map(|node| {
            let by_input = |mode: &&InputMode| matches!(mode, InputMode::Parameter(id) if id == parameter);
            node.inputs.values().filter(by_input).count() + usize::from(names(node, parameter))
        })
        .sum()
}

/// Whether a node is the one that gives a parameter.
fn names(node: &Node, parameter: &Id) -> bool {
    let gives = registry()
        .get(&node.kind)
        .is_some_and(|kind| matches!(kind.body, Body::Special(Special::Parameter)));
    gives && node.text("parameter") == Some(parameter.as_str())
}

/// Removes a parameter. What reads it goes on with its default: an input by the edit itself, a node by another
/// in its place that gives the default.
pub(super) fn remove(document: &Document, parameter: &Parameter) -> Vec<Edit> {
    let mut edits = Vec::new();
    for emitter in document.emitters() {
        for flow in FlowKind::ALL {
            let nodes = emitter.flow(flow).nodes();
            for node in nodes.filter(|node| names(node, &parameter.id)) {
                replace(document, emitter, flow, node, parameter, &mut edits);
            }
        }
    }
    edits.push(Edit::RemoveParameter {
        parameter: parameter.id.clone(),
    });
    edits
}

fn replace(
    document: &Document,
    emitter: &Arc<Emitter>,
    kind: FlowKind,
    node: &Node,
    parameter: &Parameter,
    edits: &mut Vec<Edit>,
) {
    let flow = emitter.flow(kind);
    let id = document.fresh_id(parameter.ty.name(), bits());
    let value = lanes_of(parameter.ty, parameter.default);
    let mut constant = Node::new(id.clone(), parameter.ty.name()).input("value", InputMode::Value(value));
    constant.muted = node.muted;
    let view = flow.layout.nodes.get(&node.id);
    edits.push(Edit::AddNode {
        emitter: emitter.id().clone(),
        flow: kind,
        node: Box::new(constant),
        index: None,
        position: view.map(|view| view.position).unwrap_or_default(),
    });
    // The title says what the number is, now that no parameter does.
    let title = view.and_then(|view| view.title.clone());
    edits.push(Edit::RenameNode {
        emitter: emitter.id().clone(),
        node: id.clone(),
        title: title.or_else(|| Some(parameter.name.clone())),
    });
    for (to, from) in flow.wires.iter().filter(|(_, from)| from.node == node.id) {
        edits.push(Edit::Connect {
            emitter: emitter.id().clone(),
            flow: kind,
            from: Socket::new(&id, &from.port),
            to: to.clone(),
        });
    }
    edits.push(Edit::RemoveNodes {
        emitter: emitter.id().clone(),
        nodes: vec![node.id.clone()],
    });
}
