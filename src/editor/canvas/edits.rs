//! The canvas's wishes as edits of the document. All of them try themselves on a copy first.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hasher};

use super::model::Model;
use super::place;
use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::document::{Document, Edit, EditError};
use crate::editor::action::{Action, Actions, Selection};
use crate::graph::kind::NodeKind;
use crate::graph::types::{converts, type_title};
use crate::graph::{Body, Flow, InputMode, Node, PortType, Socket};
use crate::layout::FieldType;

/// Random bits for a new id.
#[must_use]
pub fn bits() -> u32 {
    std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish() as u32
}

/// A flow of a document.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The document.
    pub document: &'a Document,
    /// The emitter.
    pub emitter: &'a Id,
    /// Which of its flows.
    pub flow: FlowKind,
}

/// A loose end of a wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The wire comes out of here.
    Output(Socket),
    /// The wire goes in here.
    Input(Socket),
}

impl Target<'_> {
    fn of(&self) -> Option<&Flow> {
        Some(self.document.emitter(self.emitter)?.flow(self.flow))
    }

    fn model(&self) -> Option<Model> {
        let emitter = self.document.emitter(self.emitter)?;
        Some(Model::new(emitter, self.flow, self.document))
    }

    /// The edits and what else keeps the blocks apart after them.
    ///
    /// # Errors
    /// What is wrong with the edits, as a sentence.
    pub fn settled(&self, mut edits: Vec<Edit>) -> Result<Vec<Edit>, String> {
        let mut after = self.document.clone();
        after.apply_all(&edits).map_err(|error| self.explain(&error))?;
        edits.extend(place::settle(&after, self.emitter, self.flow));
        Ok(edits)
    }

    /// Wires `from` to `to`, and takes the wire off `instead_of`.
    ///
    /// # Errors
    /// Why not, as a sentence.
    pub fn connect(
        &self,
        from: &Socket,
        to: &Socket,
        instead_of: Option<&Socket>,
    ) -> Result<Vec<Edit>, String> {
        let emitter = self.emitter.clone();
        let mut edits = Vec::new();
        if let Some(old) = instead_of.filter(|old| *old != to) {
            edits.push(Edit::Disconnect {
                emitter: emitter.clone(),
                flow: self.flow,
                to: old.clone(),
            });
        }
        edits.push(Edit::Connect {
            emitter,
            flow: self.flow,
            from: from.clone(),
            to: to.clone(),
        });
        let mut after = self.document.clone();
        after.apply_all(&edits).map_err(|error| self.explain(&error))?;
        Ok(edits)
    }

    /// Adds a node of a kind: a block where its slot says, a value node at `position`; wired to `end` where
    /// there is one and the kind has a port for it.
    ///
    /// # Errors
    /// Why not, as a sentence.
    pub fn add(
        &self,
        kind: &NodeKind,
        position: [f32; 2],
        end: Option<&End>,
        preset: Vec<(String, InputMode)>,
    ) -> Result<(Id, Vec<Edit>), String> {
        let model = self.model().ok_or("The emitter is gone.")?;
        let stem = kind.id.strip_prefix("op.").unwrap_or(&kind.id);
        let id = self.document.fresh_id(stem, bits());
        let mut node = Node::new(id.clone(), &kind.id);
        node.inputs.extend(preset);
        let add = |position| Edit::AddNode {
            emitter: self.emitter.clone(),
            flow: self.flow,
            node: Box::new(node.clone()),
            index: None,
            position,
        };
        let mut position = position;
        if kind.block {
            let mut after = self.document.clone();
            after
                .apply(&add([0.0; 2]))
                .map_err(|error| self.explain(&error))?;
            let flow = after.emitter(self.emitter).map(|e| e.flow(self.flow));
            let index = flow.and_then(|flow| flow.block_index(&id)).unwrap_or(0);
            position = place::behind(&model, index.checked_sub(1)).into();
        }
        let mut edits = vec![add(position)];
        if let Some(end) = end
            && let Some(port) = fitting_port(kind, end, &model)
        {
            let new = Socket::new(&id, &port);
            let (from, to) = match end {
                End::Output(from) => (from.clone(), new),
                End::Input(to) => (new, to.clone()),
            };
            edits.push(Edit::Connect {
                emitter: self.emitter.clone(),
                flow: self.flow,
                from,
                to,
            });
        }
        Ok((id, self.settled(edits)?))
    }

    /// Copies nodes with the wires between them: blocks behind the last of them.
    ///
    /// # Errors
    /// Why not, as a sentence.
    pub fn duplicate(&self, nodes: &BTreeSet<Id>) -> Result<(BTreeSet<Id>, Vec<Edit>), String> {
        let flow = self.of().ok_or("The emitter is gone.")?;
        let model = self.model().ok_or("The emitter is gone.")?;
        let last = flow.blocks.iter().rposition(|block| nodes.contains(&block.id));
        let mut at = last.map_or(0, |last| last + 1);
        let mut names: BTreeMap<&Id, Id> = BTreeMap::new();
        let mut after = self.document.clone();
        let mut edits = Vec::new();
        for node in flow.nodes().filter(|node| nodes.contains(&node.id)) {
            let stem = node.kind.strip_prefix("op.").unwrap_or(&node.kind);
            let copy = Node {
                id: after.fresh_id(stem, bits()),
                ..node.clone()
            };
            let block = flow.block_index(&node.id).is_some();
            let corner = model.node(&node.id).map_or(egui::Pos2::ZERO, |n| n.rect.min);
            let offset = if block { 0.0 } else { 32.0 };
            names.insert(&node.id, copy.id.clone());
            let add = Edit::AddNode {
                emitter: self.emitter.clone(),
                flow: self.flow,
                node: Box::new(copy),
                index: block.then_some(at),
                position: [corner.x + offset, corner.y + offset],
            };
            at += usize::from(block);
            after.apply(&add).map_err(|error| self.explain(&error))?;
            edits.push(add);
        }
        for (id, copy) in &names {
            let Some(view) = flow.layout.nodes.get(*id) else {
                continue;
            };
            if view.title.is_some() {
                edits.push(Edit::RenameNode {
                    emitter: self.emitter.clone(),
                    node: copy.clone(),
                    title: view.title.clone(),
                });
            }
            if view.color.is_some() {
                edits.push(Edit::SetNodeColor {
                    emitter: self.emitter.clone(),
                    node: copy.clone(),
                    color: view.color,
                });
            }
        }
        for wire in flow.wires() {
            if let (Some(from), Some(to)) = (names.get(&wire.from.node), names.get(&wire.to.node)) {
                edits.push(Edit::Connect {
                    emitter: self.emitter.clone(),
                    flow: self.flow,
                    from: Socket::new(from, &wire.from.port),
                    to: Socket::new(to, &wire.to.port),
                });
            }
        }
        Ok((names.into_values().collect(), self.settled(edits)?))
    }

    /// Moves a block to an index of the chain, and its place with it.
    #[must_use]
    pub fn reorder(&self, node: &Id, index: usize) -> Vec<Edit> {
        let Some(model) = self.model() else {
            return Vec::new();
        };
        let mut order: Vec<Id> = model.blocks().map(|block| block.id.clone()).collect();
        let Some(from) = order.iter().position(|id| id == node) else {
            return Vec::new();
        };
        let to = index.min(order.len() - 1);
        if from == to {
            return Vec::new();
        }
        let moved = order.remove(from);
        order.insert(to, moved);
        let positions = place::reordered(&model, &order);
        let mut edits = vec![Edit::MoveBlock {
            emitter: self.emitter.clone(),
            node: node.clone(),
            index: to,
        }];
        if !positions.is_empty() {
            edits.push(Edit::SetNodePositions {
                emitter: self.emitter.clone(),
                positions,
            });
        }
        edits
    }

    /// Sets what an input holds; where its node grows by that, the blocks under it move down.
    #[must_use]
    pub fn set_input(&self, node: &Id, port: &str, mode: Option<InputMode>) -> Vec<Edit> {
        let grows = match (
            &mode,
            self.of()
                .and_then(|flow| flow.node(node)?.inputs.get(port).cloned()),
        ) {
            (Some(InputMode::Random { .. }), Some(InputMode::Random { .. })) => false,
            (Some(InputMode::Random { .. }), _) => true,
            _ => false,
        };
        let edits = vec![Edit::SetInput {
            emitter: self.emitter.clone(),
            node: node.clone(),
            port: port.to_owned(),
            mode,
        }];
        if grows {
            return self.settled(edits.clone()).unwrap_or(edits);
        }
        edits
    }

    /// Why an edit is refused, in the words on the screen.
    #[must_use]
    pub fn explain(&self, error: &EditError) -> String {
        let model = self.model().unwrap_or_default();
        match error {
            EditError::Cycle(path) => {
                let names: Vec<String> = path.iter().map(|id| model.title(id)).collect();
                format!("This wire would close a loop: {}.", names.join(" › "))
            }
            EditError::TypeMismatch {
                node,
                port,
                found,
                expected,
            } => {
                let title = model
                    .node(node)
                    .and_then(|n| n.input(port))
                    .map(|i| i.port.title.clone());
                let title = title.unwrap_or_else(|| port.clone());
                format!(
                    "A {} cannot go into “{title}”, which takes a {}.",
                    type_title(*found),
                    type_title(*expected)
                )
            }
            EditError::Block(id) => {
                format!("{} is a block: only value nodes become a group.", model.title(id))
            }
            other => {
                let mut text = format!("{other}.");
                if let Some(first) = text.get_mut(..1) {
                    first.make_ascii_uppercase();
                }
                text
            }
        }
    }
}

/// The port of a new node of a kind that a wire's end could go to.
#[must_use]
pub fn fitting_port(kind: &NodeKind, end: &End, model: &Model) -> Option<String> {
    match end {
        End::Output(from) => {
            let (_, output) = model.output(from)?;
            let ports = &kind.inputs;
            let exact = |ty: PortType| matches!(ty, PortType::Of(ty) if ty == output.ty);
            let port = ports
                .iter()
                .find(|port| exact(port.ty))
                .or_else(|| ports.iter().find(|port| takes(port.ty, output.ty)))?;
            Some(port.name.clone())
        }
        End::Input(to) => {
            let (_, input) = model.input(to)?;
            let fits = |ty: PortType| match ty {
                PortType::Of(ty) => takes(input.port.ty, ty),
                PortType::Any => input.ty != FieldType::Quat,
            };
            Some(kind.outputs.iter().find(|port| fits(port.ty))?.name.clone())
        }
    }
}

/// Whether a port takes a type, as far as the two alone can tell.
#[must_use]
pub fn takes(port: PortType, ty: FieldType) -> bool {
    match port {
        PortType::Of(of) => converts(ty, of),
        PortType::Any => ty != FieldType::Quat,
    }
}

/// Deletes nodes; the chain closes.
pub fn delete(target: Target<'_>, nodes: &BTreeSet<Id>, actions: &mut Actions) {
    let Some(flow) = target.of() else { return };
    let gone: Vec<Id> = nodes
        .iter()
        .filter(|id| flow.node(id).is_some())
        .cloned()
        .collect();
    if gone.is_empty() {
        return;
    }
    let label = counted("Delete", gone.len(), &gone, target);
    actions.edit(
        &label,
        Edit::RemoveNodes {
            emitter: target.emitter.clone(),
            nodes: gone,
        },
    );
    select(target.emitter, BTreeSet::new(), actions);
}

/// Mutes nodes, or unmutes them where all are muted.
pub fn mute(target: Target<'_>, nodes: &BTreeSet<Id>, actions: &mut Actions) {
    let Some(flow) = target.of() else { return };
    let chosen: Vec<&Node> = flow.nodes().filter(|node| nodes.contains(&node.id)).collect();
    let muted = chosen.iter().any(|node| !node.muted);
    let edits: Vec<Edit> = chosen
        .iter()
        .filter(|node| node.muted != muted)
        .map(|node| Edit::SetMuted {
            emitter: target.emitter.clone(),
            node: node.id.clone(),
            muted,
        })
        .collect();
    if edits.is_empty() {
        return;
    }
    let ids: Vec<Id> = chosen.iter().map(|node| node.id.clone()).collect();
    let label = counted(if muted { "Mute" } else { "Unmute" }, ids.len(), &ids, target);
    actions.push(Action::Step { label, edits });
}

/// Copies nodes and selects the copies.
pub fn duplicate(target: Target<'_>, nodes: &BTreeSet<Id>, actions: &mut Actions) {
    match target.duplicate(nodes) {
        Ok((copies, edits)) if !copies.is_empty() => {
            let ids: Vec<Id> = nodes.iter().cloned().collect();
            let label = counted("Duplicate", copies.len(), &ids, target);
            actions.push(Action::Step { label, edits });
            select(target.emitter, copies, actions);
        }
        Ok(_) => {}
        Err(sentence) => actions.push(Action::Say(sentence)),
    }
}

/// Makes the chosen value nodes a group of the document and selects its node.
pub fn group(target: Target<'_>, nodes: &BTreeSet<Id>, actions: &mut Actions) {
    let node = target.document.fresh_id("group", bits());
    let mut number = 1;
    while target.document.groups().get(&format!("group-{number}")).is_some() {
        number += 1;
    }
    // A number after a stem always makes an id.
    let Ok(group) = Id::new(&format!("group-{number}")) else {
        return;
    };
    let edit = Edit::Collapse {
        emitter: target.emitter.clone(),
        flow: target.flow,
        nodes: nodes.iter().cloned().collect(),
        group,
        title: format!("Group {number}"),
        node: node.clone(),
    };
    let ids: Vec<Id> = nodes.iter().cloned().collect();
    match target.document.clone().apply(&edit) {
        Ok(_) => {
            let label = counted("Group", nodes.len(), &ids, target);
            let edits = vec![edit];
            actions.push(Action::Step { label, edits });
            select(target.emitter, BTreeSet::from([node]), actions);
        }
        Err(error) => actions.push(Action::Say(target.explain(&error))),
    }
}

/// Puts what is inside the chosen groups in their place, and selects it.
pub fn ungroup(target: Target<'_>, nodes: &BTreeSet<Id>, actions: &mut Actions) {
    let Some(flow) = target.of() else { return };
    let (mut after, mut edits, mut made) = (target.document.clone(), Vec::new(), BTreeSet::new());
    for node in nodes {
        let kind = flow
            .values
            .get(node)
            .and_then(|of| target.document.registry().get(&of.kind));
        let Some(Body::Group(group)) = kind.map(|kind| &kind.body) else {
            continue;
        };
        let mut names = Vec::new();
        for inner in group.flow.values.values() {
            if matches!(inner.kind.as_str(), "group_input" | "group_output") {
                continue;
            }
            let stem = inner
                .kind
                .strip_prefix("op.")
                .unwrap_or(&inner.kind)
                .replace('.', "-");
            let mut name = after.fresh_id(&stem, bits());
            while made.contains(&name) {
                name = after.fresh_id(&stem, bits());
            }
            made.insert(name.clone());
            names.push((inner.id.clone(), name));
        }
        let edit = Edit::Expand {
            emitter: target.emitter.clone(),
            flow: target.flow,
            node: node.clone(),
            names,
        };
        if let Err(error) = after.apply(&edit) {
            return actions.push(Action::Say(target.explain(&error)));
        }
        edits.push(edit);
    }
    if edits.is_empty() {
        return actions.push(Action::Say("No group is selected.".to_owned()));
    }
    let ids: Vec<Id> = nodes.iter().cloned().collect();
    let label = counted("Ungroup", nodes.len(), &ids, target);
    actions.push(Action::Step { label, edits });
    select(target.emitter, made, actions);
}

/// Moves a block one place up or down the chain.
pub fn nudge(target: Target<'_>, node: &Id, down: bool, actions: &mut Actions) {
    let Some(index) = target.of().and_then(|flow| flow.block_index(node)) else {
        return;
    };
    let to = if down { index + 1 } else { index.saturating_sub(1) };
    let edits = target.reorder(node, to);
    if !edits.is_empty() {
        let label = counted("Move", 1, std::slice::from_ref(node), target);
        actions.push(Action::Step { label, edits });
    }
}

/// Asks to select nodes of an emitter.
pub fn select(emitter: &Id, nodes: BTreeSet<Id>, actions: &mut Actions) {
    actions.push(Action::Select(Selection {
        emitter: Some(emitter.clone()),
        nodes,
    }));
}

/// `Delete Gravity`, `Delete 3 nodes`.
fn counted(verb: &str, count: usize, ids: &[Id], target: Target<'_>) -> String {
    match (count, ids) {
        (1, [only]) => {
            let title = target.model().map_or_else(String::new, |model| model.title(only));
            format!("{verb} {title}")
        }
        _ => format!("{verb} {count} nodes"),
    }
}
