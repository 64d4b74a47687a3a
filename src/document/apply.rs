//! Applying edits. Every arm checks first and changes after, so a refused edit leaves no trace.

use std::sync::Arc;

use super::edit::{Changed, Edit, EditError};
use super::{Document, Emitter, collapse, expand};
use crate::artifact::Parameter;
use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::graph::infer::{infer, mode_type};
use crate::graph::types::converts;
use crate::graph::{FieldDecl, Flow, InputMode, Lanes, Node, NodeView, PortType, Registry, Setting, Socket};
use crate::layout::{FieldType, ParticleLayout};

type Outcome = Result<Changed, EditError>;

/// Writes `value` and says whether that changed anything.
fn put<T: PartialEq>(place: &mut T, value: T, changed: Changed) -> Changed {
    if *place == value {
        return Changed::Nothing;
    }
    *place = value;
    changed
}

impl Document {
    /// Makes one change.
    ///
    /// # Errors
    /// [`EditError`] says why it cannot be made; the document is then as it was.
    pub fn apply(&mut self, edit: &Edit) -> Outcome {
        let groups = self.groups.clone();
        let registry = groups.registry();
        match edit {
            Edit::SetName { name } => Ok(put(&mut self.name, name.clone(), Changed::Meaning)),
            Edit::AddEmitter { id, name, index } => {
                self.free(id)?;
                let at = index.unwrap_or(usize::MAX).min(self.emitters.len());
                self.emitters.insert(at, Arc::new(Emitter::new(id.clone(), name)));
                Ok(Changed::Meaning)
            }
            Edit::RemoveEmitter { emitter } => {
                let index = self.index(emitter)?;
                self.emitters.remove(index);
                Ok(Changed::Meaning)
            }
            Edit::DuplicateEmitter { emitter, copy, name } => {
                let index = self.index(emitter)?;
                self.free(copy)?;
                let mut twin = self.emitters[index].as_ref().clone();
                twin.id = copy.clone();
                name.clone_into(&mut twin.name);
                self.emitters.insert(index + 1, Arc::new(twin));
                Ok(Changed::Meaning)
            }
            Edit::MoveEmitter { emitter, index } => {
                let from = self.index(emitter)?;
                let to = (*index).min(self.emitters.len() - 1);
                let moved = self.emitters.remove(from);
                self.emitters.insert(to, moved);
                Ok(if from == to {
                    Changed::Nothing
                } else {
                    Changed::Meaning
                })
            }
            Edit::AddParameter { parameter } => {
                self.free(&parameter.id)?;
                self.check_parameter(parameter)?;
                self.parameters.push(parameter.clone());
                Ok(Changed::Meaning)
            }
            Edit::SetParameter { parameter } => {
                let index = self.parameter_index(&parameter.id)?;
                self.check_parameter(parameter)?;
                Ok(put(
                    &mut self.parameters[index],
                    parameter.clone(),
                    Changed::Meaning,
                ))
            }
            Edit::RemoveParameter { parameter } => {
                let index = self.parameter_index(parameter)?;
                let gone = self.parameters.remove(index);
                self.replace_parameter(&gone);
                Ok(Changed::Meaning)
            }
            Edit::SetGroup { group } => {
                Id::new(&group.id).map_err(|_| EditError::NoGroup(group.id.clone()))?;
                let with = groups.with(group.as_ref().clone())?;
                Ok(put(&mut self.groups, with, Changed::Meaning))
            }
            Edit::RemoveGroup { group } => {
                if groups.get(group).is_none() {
                    return Err(EditError::NoGroup(group.clone()));
                }
                if let Some(user) = collapse::user_of(self, group) {
                    let group = group.clone();
                    return Err(EditError::GroupUsed { group, user });
                }
                self.groups = groups.without(group)?;
                Ok(Changed::Meaning)
            }
            Edit::Collapse {
                emitter,
                flow,
                nodes,
                group,
                title,
                node,
            } => {
                let index = self.index(emitter)?;
                if self.emitters[index].flow_of(node).is_some() {
                    return Err(EditError::IdTaken(node.clone()));
                }
                if groups.get(group.as_str()).is_some() {
                    return Err(EditError::IdTaken(group.clone()));
                }
                let scope = self.emitters[index].scope(*flow, &self.parameters, registry);
                let from = self.emitters[index].flow(*flow);
                let made = collapse::collapse(from, nodes, (group, title), node, registry, &scope)?;
                self.groups = groups.with(made.group)?;
                *Arc::make_mut(&mut self.emitters[index]).flow_mut(*flow) = made.flow;
                Ok(Changed::Meaning)
            }
            Edit::Expand {
                emitter,
                flow,
                node,
                names,
            } => {
                let index = self.index(emitter)?;
                for (i, (_, name)) in names.iter().enumerate() {
                    if self.emitters[index].flow_of(name).is_some()
                        || names[..i].iter().any(|(_, other)| other == name)
                    {
                        return Err(EditError::IdTaken(name.clone()));
                    }
                }
                let from = self.emitters[index].flow(*flow);
                let kind = from.node(node).map(|of| of.kind.clone());
                let kind = kind.ok_or_else(|| EditError::NoNode(node.clone()))?;
                let kind = registry.get(&kind).ok_or(EditError::NoKind(kind))?;
                let names = names.iter().map(|(inner, name)| (inner, name)).collect();
                let made = expand::expand(from, node, kind, &names)?;
                *Arc::make_mut(&mut self.emitters[index]).flow_mut(*flow) = made;
                Ok(Changed::Meaning)
            }
            Edit::RenameEmitter { emitter, .. }
            | Edit::AddNode { emitter, .. }
            | Edit::RemoveNodes { emitter, .. }
            | Edit::MoveBlock { emitter, .. }
            | Edit::Connect { emitter, .. }
            | Edit::Disconnect { emitter, .. }
            | Edit::SetInput { emitter, .. }
            | Edit::SetSetting { emitter, .. }
            | Edit::SetMuted { emitter, .. }
            | Edit::SetNodePositions { emitter, .. }
            | Edit::RenameNode { emitter, .. }
            | Edit::SetNodeColor { emitter, .. }
            | Edit::SetFrames { emitter, .. }
            | Edit::SetNotes { emitter, .. }
            | Edit::SetEmission { emitter, .. }
            | Edit::SetRender { emitter, .. }
            | Edit::SetSpace { emitter, .. }
            | Edit::SetTexture { emitter, .. }
            | Edit::SetTransform { emitter, .. }
            | Edit::AddField { emitter, .. }
            | Edit::RemoveField { emitter, .. }
            | Edit::RenameField { emitter, .. }
            | Edit::SetFieldDefault { emitter, .. }
            | Edit::AddEmitterField { emitter, .. }
            | Edit::RemoveEmitterField { emitter, .. }
            | Edit::SetEmitterFieldDefault { emitter, .. }
            | Edit::SetBinding { emitter, .. } => {
                let index = self.index(emitter)?;
                let parameters = &self.parameters;
                let emitter = Arc::make_mut(&mut self.emitters[index]);
                apply_to_emitter(emitter, edit, parameters, registry)
            }
        }
    }

    /// Makes several changes, all or none.
    ///
    /// # Errors
    /// The first that cannot be made.
    pub fn apply_all(&mut self, edits: &[Edit]) -> Outcome {
        let before = self.clone();
        let mut changed = Changed::Nothing;
        for edit in edits {
            match self.apply(edit) {
                Ok(more) => changed = changed.max(more),
                Err(error) => {
                    *self = before;
                    return Err(error);
                }
            }
        }
        Ok(changed)
    }

    fn index(&self, emitter: &Id) -> Result<usize, EditError> {
        self.emitters
            .iter()
            .position(|e| e.id == *emitter)
            .ok_or_else(|| EditError::NoEmitter(emitter.clone()))
    }

    fn parameter_index(&self, id: &Id) -> Result<usize, EditError> {
        self.parameters
            .iter()
            .position(|p| p.id == *id)
            .ok_or_else(|| EditError::NoParameter(id.clone()))
    }

    fn free(&self, id: &Id) -> Result<(), EditError> {
        let taken = self.emitters.iter().any(|e| e.id == *id) || self.parameter(id).is_some();
        if taken {
            Err(EditError::IdTaken(id.clone()))
        } else {
            Ok(())
        }
    }

    fn check_parameter(&self, parameter: &Parameter) -> Result<(), EditError> {
        if parameter.name.is_empty() {
            return Err(EditError::NoName);
        }
        let twin = |p: &Parameter| p.name == parameter.name && p.id != parameter.id;
        let own = |e: &Arc<Emitter>| e.emitter_fields.iter().any(|field| field.name == parameter.name);
        if self.parameters.iter().any(twin) || self.emitters.iter().any(own) {
            return Err(EditError::NameTaken(parameter.name.clone()));
        }
        let range = parameter.range.unwrap_or_default();
        if !parameter.default.iter().chain(&range).all(|v| v.is_finite()) {
            return Err(EditError::NotFinite(parameter.name.clone()));
        }
        Ok(())
    }

    /// Inputs that read a parameter that is gone hold its default.
    fn replace_parameter(&mut self, gone: &Parameter) {
        let width = gone.ty.width() as usize;
        let Some(lanes) = Lanes::new(&gone.default[..width]) else {
            return;
        };
        let reads = |mode: &InputMode| matches!(mode, InputMode::Parameter(id) if *id == gone.id);
        for emitter in &mut self.emitters {
            for kind in FlowKind::ALL {
                if !emitter.flow(kind).nodes().any(|n| n.inputs.values().any(reads)) {
                    continue;
                }
                let flow = Arc::make_mut(emitter).flow_mut(kind);
                for node in flow.blocks.iter_mut().chain(flow.values.values_mut()) {
                    for mode in node.inputs.values_mut().filter(|mode| reads(mode)) {
                        *mode = InputMode::Value(lanes);
                    }
                }
            }
        }
    }
}

fn apply_to_emitter(
    emitter: &mut Emitter,
    edit: &Edit,
    parameters: &[Parameter],
    registry: &Registry,
) -> Outcome {
    match edit {
        Edit::RenameEmitter { name, .. } => Ok(put(&mut emitter.name, name.clone(), Changed::Meaning)),
        Edit::AddNode {
            flow,
            node,
            index,
            position,
            ..
        } => add_node(emitter, *flow, node, *index, *position, registry),
        Edit::RemoveNodes { nodes, .. } => remove_nodes(emitter, nodes),
        Edit::MoveBlock { node, index, .. } => {
            let kind = flow_of(emitter, node)?;
            let flow = emitter.flow(kind);
            let from = flow
                .block_index(node)
                .ok_or_else(|| EditError::NotABlock(node.clone()))?;
            let to = (*index).min(flow.blocks.len() - 1);
            if from == to {
                return Ok(Changed::Nothing);
            }
            let blocks = &mut emitter.flow_mut(kind).blocks;
            let block = blocks.remove(from);
            blocks.insert(to, block);
            Ok(Changed::Meaning)
        }
        Edit::Connect { flow, from, to, .. } => connect(emitter, *flow, from, to, parameters, registry),
        Edit::Disconnect { flow, to, .. } => Ok(match emitter.flow_mut(*flow).wires.remove(to) {
            Some(_) => Changed::Meaning,
            None => Changed::Nothing,
        }),
        Edit::SetInput { node, port, mode, .. } => {
            set_input(emitter, node, port, mode.as_ref(), parameters, registry)
        }
        Edit::SetSetting {
            node, name, value, ..
        } => set_setting(emitter, node, name, value.as_ref()),
        Edit::SetMuted { node, muted, .. } => {
            Ok(put(&mut node_mut(emitter, node)?.muted, *muted, Changed::Meaning))
        }
        Edit::SetNodePositions { positions, .. } => {
            for (node, position) in positions {
                flow_of(emitter, node)?;
                finite("a position", position)?;
            }
            let mut changed = Changed::Nothing;
            for (node, position) in positions {
                let view = view_mut(emitter, node)?;
                changed = changed.max(put(&mut view.position, *position, Changed::Layout));
            }
            Ok(changed)
        }
        Edit::RenameNode { node, title, .. } => {
            let title = title.clone().filter(|title| !title.is_empty());
            Ok(put(&mut view_mut(emitter, node)?.title, title, Changed::Layout))
        }
        Edit::SetNodeColor { node, color, .. } => {
            Ok(put(&mut view_mut(emitter, node)?.color, *color, Changed::Layout))
        }
        Edit::SetFrames { flow, frames, .. } => Ok(put(
            &mut emitter.flow_mut(*flow).layout.frames,
            frames.clone(),
            Changed::Layout,
        )),
        Edit::SetNotes { flow, notes, .. } => Ok(put(
            &mut emitter.flow_mut(*flow).layout.notes,
            notes.clone(),
            Changed::Layout,
        )),
        Edit::SetEmission { emission, .. } => {
            let e = emission;
            finite(
                "the emission's settings",
                &[
                    e.delay,
                    e.loop_delay,
                    e.rate,
                    e.prewarm,
                    e.duration.unwrap_or(0.0),
                    e.rate_per_metre,
                    e.inherit_velocity,
                    e.time_scale,
                    e.max_catchup,
                ],
            )?;
            for key in &e.rate_keys {
                finite("a key of the rate", &[key.time, key.rate])?;
            }
            for b in &e.bursts {
                finite("a burst's settings", &[b.time, b.interval, b.chance])?;
            }
            Ok(put(&mut emitter.emission, emission.clone(), Changed::Meaning))
        }
        Edit::SetRender { render, .. } => {
            let r = render;
            finite(
                "the drawing settings",
                &[r.stretch, r.stretch_limit, r.pivot[0], r.pivot[1], r.depth_offset],
            )?;
            Ok(put(&mut emitter.render, *render, Changed::Meaning))
        }
        Edit::SetSpace { space, .. } => Ok(put(&mut emitter.space, *space, Changed::Meaning)),
        Edit::SetTexture { texture, .. } => Ok(put(&mut emitter.texture, texture.clone(), Changed::Meaning)),
        Edit::SetTransform { transform, .. } => {
            finite("the transform", transform.as_flattened())?;
            Ok(put(&mut emitter.transform, *transform, Changed::Meaning))
        }
        Edit::AddField { field, .. } => {
            declare(emitter, field)?;
            Ok(Changed::Meaning)
        }
        Edit::RemoveField { name, .. } => {
            let index = field_index(emitter, name)?;
            not_needed(emitter, name, registry, true)?;
            emitter.fields.remove(index);
            Ok(Changed::Meaning)
        }
        Edit::RenameField { name, to, .. } => rename_field(emitter, name, to, registry),
        Edit::SetFieldDefault { name, default, .. } => {
            let index = field_index(emitter, name)?;
            finite(name, &default.unwrap_or_default())?;
            let field = &mut emitter.fields[index];
            let default = default.map(|default| of_width(default, field.ty));
            Ok(put(&mut field.default, default, Changed::Meaning))
        }
        Edit::AddEmitterField { field, .. } => {
            if field.name.is_empty() {
                return Err(EditError::NoName);
            }
            let taken = emitter
                .emitter_fields
                .iter()
                .any(|known| known.name == field.name)
                || parameters.iter().any(|parameter| parameter.name == field.name);
            if taken {
                return Err(EditError::NameTaken(field.name.clone()));
            }
            finite(&field.name, &field.default.unwrap_or_default())?;
            emitter.emitter_fields.push(FieldDecl {
                transient: false,
                default: field.default.map(|default| of_width(default, field.ty)),
                ..field.clone()
            });
            Ok(Changed::Meaning)
        }
        Edit::RemoveEmitterField { name, .. } => {
            let index = emitter_field_index(emitter, name)?;
            let reads = |node: &&Node| node.kind == "emitter_field" && node.text("field") == Some(name);
            let reader = FlowKind::ALL
                .into_iter()
                .find_map(|flow| emitter.flow(flow).nodes().find(reads));
            if let Some(reader) = reader {
                return Err(EditError::FieldNeeded {
                    field: name.clone(),
                    node: reader.id.clone(),
                });
            }
            emitter.emitter_fields.remove(index);
            Ok(Changed::Meaning)
        }
        Edit::SetEmitterFieldDefault { name, default, .. } => {
            let index = emitter_field_index(emitter, name)?;
            finite(name, &default.unwrap_or_default())?;
            let field = &mut emitter.emitter_fields[index];
            let default = default.map(|default| of_width(default, field.ty));
            Ok(put(&mut field.default, default, Changed::Meaning))
        }
        Edit::SetBinding { channel, binding, .. } => {
            if let Some(Some(name)) = binding {
                let index = field_index(emitter, name)?;
                if !channel.accepts(emitter.fields[index].ty.width()) {
                    return Err(EditError::Binding {
                        channel: *channel,
                        field: name.clone(),
                    });
                }
            }
            let mut bindings = emitter.bindings.clone();
            bindings.retain(|(bound, _)| bound != channel);
            if let Some(binding) = binding {
                bindings.push((*channel, binding.clone()));
                bindings.sort_by_key(|(channel, _)| *channel);
            }
            Ok(put(&mut emitter.bindings, bindings, Changed::Meaning))
        }
        // The edits of the document as a whole never come here.
        _ => Ok(Changed::Nothing),
    }
}

fn finite(what: &str, values: &[f32]) -> Result<(), EditError> {
    if values.iter().all(|v| v.is_finite()) {
        Ok(())
    } else {
        Err(EditError::NotFinite(what.to_owned()))
    }
}

fn flow_of(emitter: &Emitter, node: &Id) -> Result<FlowKind, EditError> {
    emitter
        .flow_of(node)
        .ok_or_else(|| EditError::NoNode(node.clone()))
}

fn node_mut<'a>(emitter: &'a mut Emitter, node: &Id) -> Result<&'a mut Node, EditError> {
    let kind = flow_of(emitter, node)?;
    emitter
        .flow_mut(kind)
        .node_mut(node)
        .ok_or_else(|| EditError::NoNode(node.clone()))
}

fn view_mut<'a>(emitter: &'a mut Emitter, node: &Id) -> Result<&'a mut NodeView, EditError> {
    let kind = flow_of(emitter, node)?;
    Ok(emitter
        .flow_mut(kind)
        .layout
        .nodes
        .entry(node.clone())
        .or_default())
}

/// A default with 0 in the lanes that its type has not, as files keep it.
fn of_width(mut default: [f32; 4], ty: FieldType) -> [f32; 4] {
    default[ty.width() as usize..].fill(0.0);
    default
}

fn emitter_field_index(emitter: &Emitter, name: &str) -> Result<usize, EditError> {
    let fields = &emitter.emitter_fields;
    let index = fields.iter().position(|field| field.name == name);
    index.ok_or_else(|| EditError::NoField(name.to_owned()))
}

fn field_index(emitter: &Emitter, name: &str) -> Result<usize, EditError> {
    emitter
        .fields
        .iter()
        .position(|f| f.name == name)
        .ok_or_else(|| EditError::NoField(name.to_owned()))
}

fn declare(emitter: &mut Emitter, field: &FieldDecl) -> Result<(), EditError> {
    if field.name.is_empty() {
        return Err(EditError::NoName);
    }
    if emitter.field(&field.name).is_some() {
        return Err(EditError::NameTaken(field.name.clone()));
    }
    finite(&field.name, &field.default.unwrap_or_default())?;
    let fields = emitter.fields.iter().chain([field]);
    ParticleLayout::pack(fields.map(|f| (f.name.as_str(), f.ty)))
        .map_err(|_| EditError::RecordFull(field.name.clone()))?;
    emitter.fields.push(FieldDecl {
        default: field.default.map(|default| of_width(default, field.ty)),
        ..field.clone()
    });
    Ok(())
}

fn add_node(
    emitter: &mut Emitter,
    kind: FlowKind,
    node: &Node,
    index: Option<usize>,
    position: [f32; 2],
    registry: &Registry,
) -> Outcome {
    if emitter.flow_of(&node.id).is_some() {
        return Err(EditError::IdTaken(node.id.clone()));
    }
    finite("a position", &position)?;
    let of = registry
        .get(&node.kind)
        .ok_or_else(|| EditError::NoKind(node.kind.clone()))?;
    if !of.flows.contains(&kind) {
        return Err(EditError::WrongFlow {
            title: of.title.clone(),
            flow: kind,
        });
    }
    let mut grown = emitter.clone();
    let mut needed: Vec<FieldDecl> = of.fields.iter().filter(|f| !f.transient).cloned().collect();
    if node.inputs.values().any(over_life) {
        needed.extend(LIFE.map(|name| FieldDecl::new(name, crate::layout::FieldType::Float)));
    }
    if node
        .inputs
        .values()
        .any(|mode| matches!(mode, InputMode::SpeedCurve { .. }))
    {
        needed.push(FieldDecl::new("velocity", crate::layout::FieldType::Vec3));
    }
    for field in needed {
        if grown.field(&field.name).is_none() {
            declare(&mut grown, &field)?;
        }
    }
    let flow = grown.flow_mut(kind);
    if of.block {
        let by_slot = || {
            let slot_of = |b: &Node| registry.get(&b.kind).and_then(|k| k.slot);
            let before = |b: &Node| slot_of(b) <= of.slot;
            flow.blocks.iter().rposition(before).map_or(0, |i| i + 1)
        };
        let at = index.unwrap_or_else(by_slot).min(flow.blocks.len());
        flow.blocks.insert(at, node.clone());
    } else {
        flow.values.insert(node.id.clone(), node.clone());
    }
    flow.layout.nodes.entry(node.id.clone()).or_default().position = position;
    *emitter = grown;
    Ok(Changed::Meaning)
}

/// The fields that a value over life is read from.
const LIFE: [&str; 2] = ["age", "lifetime"];

fn over_life(mode: &InputMode) -> bool {
    matches!(mode, InputMode::Curve(_) | InputMode::Gradient(_))
}

fn remove_nodes(emitter: &mut Emitter, nodes: &[Id]) -> Outcome {
    for node in nodes {
        flow_of(emitter, node)?;
    }
    for kind in FlowKind::ALL {
        let gone = |id: &Id| nodes.contains(id);
        if !emitter.flow(kind).nodes().any(|node| gone(&node.id)) {
            continue;
        }
        let flow = emitter.flow_mut(kind);
        flow.blocks.retain(|block| !gone(&block.id));
        flow.values.retain(|id, _| !gone(id));
        flow.wires.retain(|to, from| !gone(&to.node) && !gone(&from.node));
        flow.layout.nodes.retain(|id, _| !gone(id));
    }
    Ok(if nodes.is_empty() {
        Changed::Nothing
    } else {
        Changed::Meaning
    })
}

fn connect(
    emitter: &mut Emitter,
    kind: FlowKind,
    from: &Socket,
    to: &Socket,
    parameters: &[Parameter],
    registry: &Registry,
) -> Outcome {
    let flow = emitter.flow(kind);
    let scope = emitter.scope(kind, parameters, registry);
    let node = |id: &Id| flow.node(id).ok_or_else(|| EditError::NoNode(id.clone()));
    let (source, target) = (node(&from.node)?, node(&to.node)?);
    let kind_of = |node: &Node| {
        registry
            .signature(node, &scope)
            .ok_or_else(|| EditError::NoKind(node.kind.clone()))
    };
    if kind_of(source)?.output(&from.port).is_none() {
        return Err(EditError::NoPort(from.clone()));
    }
    if kind_of(target)?.input(&to.port).is_none() {
        return Err(EditError::NoPort(to.clone()));
    }
    if let Some(mut path) = flow.path(&to.node, &from.node) {
        path.push(to.node.clone());
        return Err(EditError::Cycle(path));
    }
    if flow.wires.get(to) == Some(from) {
        return Ok(Changed::Nothing);
    }
    let before = infer(flow, registry, &scope).mismatches;
    let mut wired: Flow = flow.clone();
    wired.wires.insert(to.clone(), from.clone());
    let after = infer(&wired, registry, &scope).mismatches;
    if let Some((node, wrong)) = after.into_iter().find(|wrong| !before.contains(wrong)) {
        return Err(EditError::TypeMismatch {
            node,
            port: wrong.port,
            found: wrong.found,
            expected: wrong.expected,
        });
    }
    emitter.flow_mut(kind).wires.insert(to.clone(), from.clone());
    Ok(Changed::Meaning)
}

fn set_input(
    emitter: &mut Emitter,
    id: &Id,
    port: &str,
    mode: Option<&InputMode>,
    parameters: &[Parameter],
    registry: &Registry,
) -> Outcome {
    let kind = flow_of(emitter, id)?;
    let scope = emitter.scope(kind, parameters, registry);
    let node = emitter
        .flow(kind)
        .node(id)
        .ok_or_else(|| EditError::NoNode(id.clone()))?;
    if node.inputs.get(port) == mode {
        return Ok(Changed::Nothing);
    }
    if let Some(mode) = mode {
        let signature = registry
            .signature(node, &scope)
            .ok_or_else(|| EditError::NoKind(node.kind.clone()))?;
        let of = signature
            .input(port)
            .ok_or_else(|| EditError::NoPort(Socket::new(id, port)))?;
        if let InputMode::Parameter(parameter) = mode
            && !scope.parameters.contains_key(parameter)
        {
            return Err(EditError::NoParameter(parameter.clone()));
        }
        if let (PortType::Of(expected), Some(found)) = (of.ty, mode_type(mode, of, &scope))
            && !converts(found, expected)
        {
            return Err(EditError::TypeMismatch {
                node: id.clone(),
                port: of.title.clone(),
                found,
                expected,
            });
        }
        for value in crate::graph::input::values_of(mode) {
            if !value.is_finite() {
                return Err(EditError::NotFinite(of.title.clone()));
            }
            if of.min.is_some_and(|min| value < min) || of.max.is_some_and(|max| value > max) {
                return Err(EditError::OutOfRange {
                    port: of.title.clone(),
                    value,
                    min: of.min,
                    max: of.max,
                });
            }
        }
    }
    if mode.is_some_and(over_life) {
        let mut grown = emitter.clone();
        for name in LIFE {
            if grown.field(name).is_none() {
                declare(&mut grown, &FieldDecl::new(name, crate::layout::FieldType::Float))?;
            }
        }
        *emitter = grown;
    }
    let inputs = &mut node_mut(emitter, id)?.inputs;
    match mode {
        Some(mode) => inputs.insert(port.to_owned(), mode.clone()),
        None => inputs.remove(port),
    };
    Ok(Changed::Meaning)
}

fn set_setting(emitter: &mut Emitter, id: &Id, name: &str, value: Option<&Setting>) -> Outcome {
    let settings = &mut node_mut(emitter, id)?.settings;
    if settings.get(name) == value {
        return Ok(Changed::Nothing);
    }
    match value {
        Some(value) => settings.insert(name.to_owned(), value.clone()),
        None => settings.remove(name),
    };
    Ok(Changed::Meaning)
}

/// Refuses where a block needs the field by its name, or, with `nodes`, where any node names it.
fn not_needed(emitter: &Emitter, name: &str, registry: &Registry, nodes: bool) -> Result<(), EditError> {
    for kind in FlowKind::ALL {
        for node in emitter.flow(kind).nodes() {
            let by_kind = registry
                .get(&node.kind)
                .is_some_and(|k| k.fields.iter().any(|f| f.name == name));
            if by_kind || (nodes && node.text("field") == Some(name)) {
                return Err(EditError::FieldNeeded {
                    field: name.to_owned(),
                    node: node.id.clone(),
                });
            }
        }
    }
    Ok(())
}

fn rename_field(emitter: &mut Emitter, name: &str, to: &str, registry: &Registry) -> Outcome {
    let index = field_index(emitter, name)?;
    if name == to {
        return Ok(Changed::Nothing);
    }
    if to.is_empty() {
        return Err(EditError::NoName);
    }
    if emitter.field(to).is_some() {
        return Err(EditError::NameTaken(to.to_owned()));
    }
    not_needed(emitter, name, registry, false)?;
    to.clone_into(&mut emitter.fields[index].name);
    for kind in FlowKind::ALL {
        let flow = emitter.flow_mut(kind);
        for node in flow.blocks.iter_mut().chain(flow.values.values_mut()) {
            if node.text("field") == Some(name) {
                node.settings
                    .insert("field".to_owned(), Setting::Text(to.to_owned()));
            }
        }
    }
    for (_, binding) in &mut emitter.bindings {
        if binding.as_deref() == Some(name) {
            *binding = Some(to.to_owned());
        }
    }
    Ok(Changed::Meaning)
}
