//! Value nodes become a group of the document.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Document;
use super::edit::EditError;
use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::graph::group::{Group, OWN_CATEGORY};
use crate::graph::groups::DOCUMENT_PREFIX;
use crate::graph::infer::infer;
use crate::graph::kind::title_of;
use crate::graph::{
    Body, Flow, InputMode, Node, NodeKind, NodeView, Port, PortType, Registry, Scope, Socket,
};
use crate::layout::FieldType;

/// What collapsing makes: the group, and the flow with a node of it.
pub(super) struct Collapsed {
    pub(super) group: NodeKind,
    pub(super) flow: Flow,
}

/// A node of the document or of one of its groups that is of a group.
pub(super) fn user_of(document: &Document, group: &str) -> Option<Id> {
    let kind = format!("{DOCUMENT_PREFIX}{group}");
    let emitters = document.emitters.iter();
    let flows = emitters.flat_map(|e| FlowKind::ALL.map(|kind| e.flow(kind)));
    let inside = document.groups.list().iter().filter_map(|held| match &held.body {
        Body::Group(group) => Some(&group.flow),
        _ => None,
    });
    flows
        .chain(inside)
        .flat_map(Flow::nodes)
        .find(|node| node.kind == kind)
        .map(|node| node.id.clone())
}

/// Makes `nodes` of a flow a group.
pub(super) fn collapse(
    flow: &Flow,
    nodes: &[Id],
    (group, title): (&Id, &str),
    node: &Id,
    registry: &Registry,
    scope: &Scope,
) -> Result<Collapsed, EditError> {
    let chosen: BTreeSet<&Id> = nodes.iter().collect();
    if chosen.is_empty() {
        return Err(EditError::NoNodes);
    }
    for id in &chosen {
        if flow.block_index(id).is_some() {
            return Err(EditError::Block((*id).clone()));
        }
        if !flow.values.contains_key(*id) {
            return Err(EditError::NoNode((*id).clone()));
        }
    }
    refuse_loops(flow, &chosen, node)?;

    let types = infer(flow, registry, scope).outputs;
    let type_of =
        |socket: &Socket| -> Option<FieldType> { types.get(&socket.node)?.get(&socket.port).copied() };
    let port = |name: &str, from: &Socket| {
        Port::new(
            name,
            PortType::Of(type_of(from).unwrap_or(FieldType::Float)),
            InputMode::value(0.0),
        )
    };
    let (input_node, output_node) = (free(flow, "in"), free(flow, "out"));
    let mut inside = Flow::default();
    let mut outside = flow.clone();
    outside.wires.clear();
    let mut inputs: Vec<(Socket, Port)> = Vec::new();
    let mut outputs: Vec<(Socket, Port)> = Vec::new();
    for (to, from) in &flow.wires {
        match (chosen.contains(&from.node), chosen.contains(&to.node)) {
            (true, true) => {
                inside.wires.insert(to.clone(), from.clone());
            }
            (false, false) => {
                outside.wires.insert(to.clone(), from.clone());
            }
            (false, true) => {
                let at = place(&mut inputs, from, &to.port, &port);
                inside.wires.insert(to.clone(), Socket::new(&input_node, &at));
                outside.wires.insert(Socket::new(node, &at), from.clone());
            }
            (true, false) => {
                let at = place(&mut outputs, from, &from.port, &port);
                inside.wires.insert(Socket::new(&output_node, &at), from.clone());
                outside.wires.insert(to.clone(), Socket::new(node, &at));
            }
        }
    }
    // What nobody inside or outside reads is a result too: a group without outputs would be of no use.
    let read = |id: &Id| flow.wires.values().any(|from| from.node == *id);
    for id in chosen.iter().filter(|id| !read(id)) {
        for name in types.get(*id).into_iter().flat_map(|outputs| outputs.keys()) {
            let from = Socket::new(id, name);
            let at = place(&mut outputs, &from, name, &port);
            inside.wires.insert(Socket::new(&output_node, &at), from);
        }
    }
    let mut corner = [f32::INFINITY; 2];
    for id in &chosen {
        if let Some(value) = outside.values.remove(*id) {
            inside.values.insert((*id).clone(), value);
        }
        if let Some(view) = outside.layout.nodes.remove(*id) {
            corner = [corner[0].min(view.position[0]), corner[1].min(view.position[1])];
            inside.layout.nodes.insert((*id).clone(), view);
        }
    }
    let at = if corner[0].is_finite() { corner } else { [0.0; 2] };
    for (id, kind) in [(&input_node, "group_input"), (&output_node, "group_output")] {
        inside.values.insert(id.clone(), Node::new(id.clone(), kind));
    }
    let kind = format!("{DOCUMENT_PREFIX}{group}");
    outside
        .values
        .insert(node.clone(), Node::new(node.clone(), &kind));
    let view = NodeView {
        position: at,
        ..NodeView::default()
    };
    outside.layout.nodes.insert(node.clone(), view);

    let mut made = NodeKind::value(
        group.as_str(),
        if title.trim().is_empty() { "Group" } else { title },
        OWN_CATEGORY,
        Body::Group(Arc::new(Group::new(inside))),
    );
    made.inputs = inputs.into_iter().map(|(_, port)| port).collect();
    made.outputs = outputs.into_iter().map(|(_, port)| port).collect();
    Ok(Collapsed {
        group: made,
        flow: outside,
    })
}

/// The name of the port for an outer socket, made where it is new: `wanted`, with a number where that is taken.
fn place(
    ports: &mut Vec<(Socket, Port)>,
    socket: &Socket,
    wanted: &str,
    make: &impl Fn(&str, &Socket) -> Port,
) -> String {
    if let Some((_, port)) = ports.iter().find(|(known, _)| known == socket) {
        return port.name.clone();
    }
    let taken = |name: &str| ports.iter().any(|(_, port)| port.name == name);
    let mut name = wanted.to_owned();
    let mut number = 2;
    while taken(&name) {
        name = format!("{wanted}_{number}");
        number += 1;
    }
    let mut port = make(&name, socket);
    port.title = title_of(&name);
    ports.push((socket.clone(), port));
    name
}

/// A node between two of the chosen ones that is not chosen would read the group and feed it.
fn refuse_loops(flow: &Flow, chosen: &BTreeSet<&Id>, node: &Id) -> Result<(), EditError> {
    let mut users: BTreeMap<&Id, Vec<&Id>> = BTreeMap::new();
    for (to, from) in &flow.wires {
        users.entry(&from.node).or_default().push(&to.node);
    }
    // Everything outside that something chosen leads to.
    let mut stack: Vec<&Id> = chosen.iter().copied().collect();
    let mut reached: BTreeSet<&Id> = BTreeSet::new();
    while let Some(id) = stack.pop() {
        for user in users.get(id).into_iter().flatten() {
            if chosen.contains(*user) {
                // A chosen node that is reached from outside closes the loop.
                if !chosen.contains(id) {
                    return Err(EditError::Cycle(vec![node.clone(), id.clone(), node.clone()]));
                }
            } else if reached.insert(user) {
                stack.push(user);
            }
        }
    }
    Ok(())
}

/// An id that no node of the flow has.
fn free(flow: &Flow, stem: &str) -> Id {
    let mut id = Id::fresh(stem, 0);
    let mut number = 0;
    while let Ok(next) = Id::new(&if number == 0 {
        stem.to_owned()
    } else {
        format!("{stem}-{number}")
    }) {
        id = next;
        if flow.node(&id).is_none() {
            break;
        }
        number += 1;
    }
    id
}
