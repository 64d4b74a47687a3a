//! A group's node becomes the nodes inside.

use std::collections::BTreeMap;

use super::edit::EditError;
use crate::base::id::Id;
use crate::graph::{Body, Flow, InputMode, Node, NodeKind, NodeView, Socket};

/// Where an output of the group comes from, or what its input holds that goes straight through.
enum Source {
    Socket(Socket),
    Mode(InputMode),
}

/// The flow with `node`, which is of `kind`, replaced by what is inside; `names` gives each inner node its id here.
pub(super) fn expand(
    flow: &Flow,
    node: &Id,
    kind: &NodeKind,
    names: &BTreeMap<&Id, &Id>,
) -> Result<Flow, EditError> {
    let Some(outer) = flow.values.get(node) else {
        return Err(match flow.block_index(node) {
            Some(_) => EditError::Block(node.clone()),
            None => EditError::NoNode(node.clone()),
        });
    };
    let Body::Group(group) = &kind.body else {
        return Err(EditError::NotAGroup(node.clone()));
    };
    let inside = &group.flow;
    let ends = |id: &Id, end: &str| inside.values.get(id).is_some_and(|inner| inner.kind == end);
    let renamed = |id: &Id| -> Result<Id, EditError> {
        let name = names.get(id).ok_or_else(|| EditError::NoNode(id.clone()))?;
        Ok((*name).clone())
    };
    // What the group is given at a port, from outside.
    let given = |port: &str| match flow.source(node, port) {
        Some(source) => Source::Socket(source.clone()),
        None => {
            let default = kind.inputs.iter().find(|p| p.name == port).map(|p| &p.default);
            let mode = outer.inputs.get(port).or(default).cloned();
            Source::Mode(mode.unwrap_or_else(|| InputMode::value(0.0)))
        }
    };
    let source_of = |from: &Socket| -> Result<Source, EditError> {
        if ends(&from.node, "group_input") {
            return Ok(given(&from.port));
        }
        Ok(Source::Socket(Socket::new(&renamed(&from.node)?, &from.port)))
    };

    let mut out = flow.clone();
    out.values.remove(node);
    out.wires.retain(|to, _| to.node != *node);
    let here = out
        .layout
        .nodes
        .remove(node)
        .map_or([0.0; 2], |view| view.position);
    let inner_views = inside.layout.nodes.values().map(|view| view.position);
    let corner = inner_views.fold([f32::NEG_INFINITY, f32::INFINITY], |corner, at| {
        [corner[0].max(at[0]), corner[1].min(at[1])]
    });
    for (id, value) in &inside.values {
        if ends(id, "group_input") || ends(id, "group_output") {
            continue;
        }
        let name = renamed(id)?;
        if let Some(view) = inside.layout.nodes.get(id) {
            // The last column stands where the group stood.
            let position = [0, 1].map(|axis| here[axis] + view.position[axis] - corner[axis]);
            let view = NodeView {
                position,
                ..view.clone()
            };
            out.layout.nodes.insert(name.clone(), view);
        }
        let mut value: Node = value.clone();
        value.id = name.clone();
        out.values.insert(name, value);
    }
    let mut outputs: BTreeMap<&str, Source> = BTreeMap::new();
    for (to, from) in &inside.wires {
        let source = source_of(from)?;
        if ends(&to.node, "group_output") {
            outputs.insert(&to.port, source);
        } else {
            connect(&mut out, &Socket::new(&renamed(&to.node)?, &to.port), source);
        }
    }
    for (to, from) in flow.wires.iter().filter(|(_, from)| from.node == *node) {
        out.wires.remove(to);
        if let Some(source) = outputs.get(from.port.as_str()) {
            let source = match source {
                Source::Socket(socket) => Source::Socket(socket.clone()),
                Source::Mode(mode) => Source::Mode(mode.clone()),
            };
            connect(&mut out, to, source);
        }
    }
    Ok(out)
}

fn connect(flow: &mut Flow, to: &Socket, source: Source) {
    match source {
        Source::Socket(socket) => {
            flow.wires.insert(to.clone(), socket);
        }
        Source::Mode(mode) => {
            if let Some(node) = flow.node_mut(&to.node) {
                node.inputs.insert(to.port.clone(), mode);
            }
        }
    }
}
