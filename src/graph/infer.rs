//! The types along a flow's wires.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::flow::Flow;
use super::input::InputMode;
use super::kind::{Port, PortType, Signature};
use super::node::Node;
use super::registry::Registry;
use super::types::{Mismatch, PortTypes, Scope, resolve};
use crate::base::id::Id;
use crate::layout::FieldType;

/// What [`infer`] finds.
#[derive(Debug, Clone, Default)]
pub struct Inferred {
    /// The types of each node's outputs, by the ports' names. Nodes of unknown kinds and on cycles have none.
    pub outputs: BTreeMap<Id, BTreeMap<String, FieldType>>,
    /// Inputs that cannot take what is wired or set.
    pub mismatches: Vec<(Id, Mismatch)>,
    /// Nodes on or behind a cycle.
    pub stuck: Vec<Id>,
}

/// The type that an unwired input's mode gives to `port`.
#[must_use]
pub fn mode_type(mode: &InputMode, port: &Port, scope: &Scope) -> Option<FieldType> {
    mode_type_as(mode, port.ty, scope)
}

/// The type that an unwired input's mode gives to a port that carries `ty`.
#[must_use]
pub fn mode_type_as(mode: &InputMode, ty: PortType, scope: &Scope) -> Option<FieldType> {
    let of_width = |width: u32| match ty {
        PortType::Of(ty) if ty.width() == width => ty,
        _ => match width {
            1 => FieldType::Float,
            2 => FieldType::Vec2,
            3 => FieldType::Vec3,
            _ => FieldType::Vec4,
        },
    };
    match mode {
        InputMode::Value(lanes) => Some(of_width(lanes.width())),
        InputMode::Random { min, max } => Some(of_width(min.width().max(max.width()))),
        InputMode::Curve(_) | InputMode::SpeedCurve { .. } => Some(FieldType::Float),
        InputMode::Gradient(_) => Some(FieldType::Color),
        InputMode::Parameter(id) => scope.parameters.get(id).copied(),
        InputMode::Unknown(_) => None,
    }
}

/// The types at a node's inputs in order, from `wired` where something is wired in. What is not known counts
/// as fitting.
#[must_use]
pub fn input_types(
    node: &Node,
    signature: &Signature<'_>,
    scope: &Scope,
    mut wired: impl FnMut(&str) -> Option<FieldType>,
) -> PortTypes {
    signature
        .inputs
        .iter()
        .map(|port| {
            wired(&port.name)
                .or_else(|| {
                    let mode = node.inputs.get(&port.name).unwrap_or(&port.default);
                    mode_type(mode, port, scope)
                })
                .unwrap_or(port.ty.given(FieldType::Float))
        })
        .collect()
}

/// Types of all outputs of a flow, and what does not fit. Never recurses.
#[must_use]
pub fn infer(flow: &Flow, registry: &Registry, scope: &Scope) -> Inferred {
    let mut inferred = Inferred::default();
    let mut waiting: FxHashMap<&Id, usize> = FxHashMap::default();
    let mut users: FxHashMap<&Id, Vec<&Node>> = FxHashMap::default();
    let mut ready = Vec::new();
    for node in flow.nodes() {
        let mut count = 0;
        for (_, source) in flow.wires_into(&node.id) {
            if flow.node(&source.node).is_some() {
                count += 1;
                users.entry(&source.node).or_default().push(node);
            }
        }
        waiting.insert(&node.id, count);
        if count == 0 {
            ready.push(node);
        }
    }
    while let Some(node) = ready.pop() {
        waiting.remove(&node.id);
        if let Some(signature) = registry.signature(node, scope) {
            let types = input_types(node, &signature, scope, |port| {
                let source = flow.source(&node.id, port)?;
                inferred.outputs.get(&source.node)?.get(&source.port).copied()
            });
            match resolve(&signature, &types) {
                Ok(resolved) => {
                    let outputs = signature.outputs.iter().map(|p| p.name.clone());
                    let outputs = outputs.zip(resolved.outputs).collect();
                    inferred.outputs.insert(node.id.clone(), outputs);
                }
                Err(wrong) => {
                    let wrong = wrong.into_iter().map(|m| (node.id.clone(), m));
                    inferred.mismatches.extend(wrong);
                }
            }
        }
        for user in users.get(&node.id).into_iter().flatten() {
            if let Some(count) = waiting.get_mut(&user.id) {
                *count -= 1;
                if *count == 0 {
                    ready.push(user);
                }
            }
        }
    }
    inferred.stuck = waiting.into_keys().cloned().collect();
    inferred.stuck.sort_unstable();
    inferred
}
