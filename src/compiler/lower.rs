//! One flow of one emitter, from nodes to values.
//!
//! Blocks run in order over the fields, each field threaded as one value. What is wired into a block is
//! computed at that block, inputs before their users, without recursion along wires: only groups nest, and a
//! group cannot hold itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::fields::FieldState;
use super::ir::{Code, Ir, Val};
use super::sources::Sources;
use super::special;
use crate::artifact::Parameter;
use crate::base::diag::{Diagnostic, FlowKind, Place, Severity};
use crate::base::hash::stream_of;
use crate::base::id::Id;
use crate::base::rng::{SCOPE_PARTICLE, SCOPE_STEP};
use crate::document::Emitter;
use crate::graph::flow::{Inlet, WireIndex};
use crate::graph::group::Group;
use crate::graph::groups::{DOCUMENT_PREFIX, FOLDER_PREFIX};
use crate::graph::infer::{input_types, mode_type};
use crate::graph::types::{Resolved, resolve, type_title};
use crate::graph::{
    Body, Flow, InputMode, Lanes, Node, NodeKind, Port, PortType, Registry, Scope, Signature, Special,
};
use crate::isa::Op;
use crate::layout::{FieldType, ParticleLayout, StandardField};

/// Deepest nesting of groups.
const MAX_NESTING: usize = 32;
/// Most value nodes computed for one flow, those inside groups counted each time.
const MAX_NODES: u32 = 100_000;

const VELOCITY_HELP: &str = "Add a velocity block to Birth and a Move block to Every frame.";
pub(super) const AGE_HELP: &str = "Add a Lifetime block to Birth and an Age block to Every frame.";

/// A value and what it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Typed {
    pub(super) ty: FieldType,
    pub(super) val: Val,
}

/// A flow being lowered: an emitter's, or a group's inside.
pub(super) struct Frame<'a, 'w> {
    pub(super) flow: &'a Flow,
    wires: &'w WireIndex,
    /// The flow's value nodes and their kinds, by their places.
    nodes: Vec<(&'a Node, Option<&'a NodeKind>)>,
    pub(super) scope: Scope,
    /// What the group is given, by input; nothing where that failed.
    pub(super) given: Vec<Option<Typed>>,
}

impl<'a, 'w> Frame<'a, 'w> {
    fn new(
        registry: &'a Registry,
        flow: &'a Flow,
        wires: &'w WireIndex,
        scope: Scope,
        given: Vec<Option<Typed>>,
    ) -> Self {
        let kind = |node: &Node| registry.get(&node.kind).map(AsRef::as_ref);
        Self {
            flow,
            wires,
            nodes: flow.values.values().map(|node| (node, kind(node))).collect(),
            scope,
            given,
        }
    }

    fn memo(&self) -> Memo {
        vec![Known::New; self.nodes.len()]
    }
}

/// What is known of a value node at the block at hand.
#[derive(Debug, Clone)]
enum Known {
    /// Nothing yet.
    New,
    /// What it needs is being computed.
    Waiting,
    /// Lowering it failed, or it is muted: its users see to that.
    Failed,
    /// Its outputs.
    Outputs(Outputs),
}

/// Values at a node's ports. Few nodes have more than four inputs or two outputs.
pub(super) type Vals = SmallVec<[Val; 4]>;
type Inputs = SmallVec<[Option<Val>; 4]>;
type Outputs = SmallVec<[Typed; 2]>;

/// By the nodes' places.
type Memo = Vec<Known>;

/// What is lowered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Of<'a, 'b> {
    pub(super) registry: &'a Registry,
    pub(super) parameters: &'a [Parameter],
    pub(super) emitter: &'a Emitter,
    pub(super) kind: FlowKind,
    pub(super) layout: &'b ParticleLayout,
    /// Parameters whose value at birth each particle keeps, by index, and the words they are kept in.
    pub(super) held: &'b [(usize, u32)],
}

/// A section in the making.
pub(super) struct Lowering<'a, 'b> {
    pub(super) registry: &'a Registry,
    pub(super) parameters: &'a [Parameter],
    pub(super) emitter: &'a Emitter,
    pub(super) kind: FlowKind,
    pub(super) ir: Ir,
    pub(super) path: Vec<&'a Id>,
    /// Where random draws come from: the groups on the way and the node, but not the block a value is computed for,
    /// so that two blocks read one and the same number.
    drawn: Vec<&'a Id>,
    pub(super) diagnostics: &'b mut Vec<Diagnostic>,
    /// Global fields read, with their widths.
    pub(super) globals: &'b mut Vec<(String, u32)>,
    /// Parameters whose value at birth each particle keeps, by index, and the words they are kept in.
    pub(super) held: &'b [(usize, u32)],
    pub(super) fields: BTreeMap<String, FieldState>,
    pub(super) order: Vec<String>,
    pub(super) sources: Sources<'a>,
    nesting: usize,
    /// Value nodes computed so far.
    computed: u32,
    /// Whether groups were found to stand too deep or to come to too much: then nothing more is lowered.
    hopeless: bool,
}

impl<'a, 'b> Lowering<'a, 'b> {
    pub(super) fn new(
        of: Of<'a, 'b>,
        diagnostics: &'b mut Vec<Diagnostic>,
        globals: &'b mut Vec<(String, u32)>,
    ) -> Self {
        let Of {
            registry,
            parameters,
            emitter,
            kind,
            layout,
            held,
        } = of;
        let mut fields = BTreeMap::new();
        for decl in &emitter.fields {
            let standard = StandardField::by_name(&decl.name).map(|s| s.default);
            fields.insert(
                decl.name.clone(),
                FieldState {
                    ty: decl.ty,
                    word: layout.get(&decl.name).map(|slot| slot.word),
                    start: None,
                    now: None,
                    unread: None,
                    default: decl.default.or(standard).unwrap_or_default(),
                },
            );
        }
        for block in &emitter.flow(kind).blocks {
            for decl in registry.get(&block.kind).iter().flat_map(|k| &k.fields) {
                if decl.transient {
                    fields.entry(decl.name.clone()).or_insert(FieldState {
                        ty: decl.ty,
                        word: None,
                        start: None,
                        now: None,
                        unread: None,
                        default: [0.0; 4],
                    });
                }
            }
        }
        Self {
            registry,
            parameters,
            emitter,
            kind,
            ir: Ir::default(),
            path: Vec::new(),
            drawn: Vec::new(),
            diagnostics,
            globals,
            held,
            fields,
            order: emitter.fields.iter().map(|f| f.name.clone()).collect(),
            sources: Sources::default(),
            nesting: 0,
            computed: 0,
            hopeless: false,
        }
    }

    /// Lowers the whole flow.
    pub(super) fn run(&mut self) {
        let wires = WireIndex::new(self.emitter.flow(self.kind));
        let flow = self.emitter.flow(self.kind);
        let scope = self.emitter.scope(self.kind, self.parameters, self.registry);
        let frame = Frame::new(self.registry, flow, &wires, scope, Vec::new());
        self.chain(&frame);
        self.finish();
    }

    /// Says something about the node at hand, once.
    pub(super) fn report(
        &mut self,
        severity: Severity,
        code: &'static str,
        port: Option<&str>,
        message: String,
        help: Option<&str>,
    ) {
        let path = self.path.iter().map(|&id| id.clone()).collect::<Vec<_>>();
        let mut place = Place::node(&self.emitter.id, self.kind, path);
        place.port = port.map(str::to_owned);
        let diagnostic = Diagnostic {
            code,
            severity,
            place,
            message,
            help: help.map(str::to_owned),
        };
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn step_in(&mut self, node: &'a Id) {
        self.path.push(node);
        self.drawn.push(node);
        self.sources.step_in(node);
    }

    fn step_out(&mut self) {
        self.path.pop();
        self.drawn.pop();
        self.sources.step_out();
    }

    fn enter(&mut self, port: Option<&str>) {
        self.ir.source = self.sources.add(port);
    }

    fn chain(&mut self, frame: &Frame<'a, '_>) {
        for block in frame.flow.blocks.iter().filter(|block| !block.muted) {
            self.step_in(&block.id);
            self.block(frame, block);
            self.step_out();
        }
    }

    fn block(&mut self, frame: &Frame<'a, '_>, block: &'a Node) {
        let kind = self.registry.get(&block.kind).map(AsRef::as_ref);
        let Some(kind) = self.kind_of(block, kind) else {
            return;
        };
        if !kind.block {
            let message = format!("{} is no block and cannot stand in the chain.", kind.title);
            return self.report(Severity::Error, "not-a-block", None, message, None);
        }
        if self.nesting == 0 && !kind.flows.contains(&self.kind) {
            let message = format!("{} does not belong in {}.", kind.title, self.kind.title());
            return self.report(Severity::Error, "wrong-flow", None, message, None);
        }
        let mut memo = frame.memo();
        let inlets = frame.wires.into_block(&block.id);
        let own = self.drawn.pop();
        for inlet in inlets {
            self.evaluate(frame, inlet.source, &mut memo);
        }
        self.drawn.extend(own);
        let Some((inputs, resolved)) = self.inputs(frame, block, inlets, kind, &memo) else {
            return;
        };
        self.enter(None);
        match &kind.body {
            Body::Special(special) => special::run_block(self, *special, block, &inputs),
            Body::Group(group) => {
                let given = typed(&inputs, &resolved);
                let inner = self.group_frame(frame, kind, group, given);
                self.nested(|this| this.chain(&inner));
            }
            Body::Op(_) => {}
        }
    }

    fn kind_of(&mut self, node: &Node, kind: Option<&'a NodeKind>) -> Option<&'a NodeKind> {
        if kind.is_none() {
            let (message, help) = unknown_kind(&node.kind);
            self.report(Severity::Error, "unknown-node", None, message, Some(help));
        }
        kind
    }

    fn nested<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.hopeless {
            return None;
        }
        if self.nesting >= MAX_NESTING {
            let message = format!("Groups stand inside one another more than {MAX_NESTING} deep.");
            let help = "Put what is inside the innermost ones into fewer groups.";
            self.report(Severity::Error, "nesting", None, message, Some(help));
            self.hopeless = true;
            return None;
        }
        self.nesting += 1;
        let out = run(self);
        self.nesting -= 1;
        Some(out)
    }

    fn group_frame(
        &self,
        outer: &Frame<'a, '_>,
        kind: &'a NodeKind,
        group: &'a Group,
        given: Vec<Option<Typed>>,
    ) -> Frame<'a, 'a> {
        let mut scope = Scope {
            fields: Arc::clone(&outer.scope.fields),
            parameters: Arc::clone(&outer.scope.parameters),
            emitter_fields: Arc::clone(&outer.scope.emitter_fields),
            ..Scope::default()
        };
        let (inputs, outputs) = group.ports(kind);
        scope.group_outputs = Arc::clone(outputs);
        scope.group_inputs = Arc::clone(inputs);
        // Inside, a port has the type that came.
        for (index, given) in given.iter().enumerate() {
            if let Some(given) = given
                && inputs
                    .get(index)
                    .is_some_and(|port| port.ty != PortType::Of(given.ty))
            {
                Arc::make_mut(&mut scope.group_inputs)[index].ty = PortType::Of(given.ty);
            }
        }
        Frame::new(self.registry, &group.flow, group.wires(), scope, given)
    }

    /// Computes a value node and what it needs, inputs first.
    fn evaluate(&mut self, frame: &Frame<'a, '_>, target: Option<u32>, memo: &mut Memo) {
        let new = |memo: &Memo, place: u32| matches!(memo[place as usize], Known::New);
        let Some(target) = target.filter(|&place| new(memo, place)) else {
            return;
        };
        // A node and how many of its wires have been followed.
        let mut stack = vec![(target, 0)];
        while let Some((place, followed)) = stack.last_mut() {
            let (place, (node, kind)) = (*place, frame.nodes[*place as usize]);
            if node.muted {
                memo[place as usize] = Known::Failed;
                stack.pop();
                continue;
            }
            memo[place as usize] = Known::Waiting;
            let inlets = frame.wires.into_value(place);
            if let Some(inlet) = inlets.get(*followed) {
                *followed += 1;
                match inlet.source.map(|source| (source, &memo[source as usize])) {
                    Some((source, Known::New)) => stack.push((source, 0)),
                    // A loop, which has been reported: this node fails.
                    Some((_, Known::Waiting)) => {
                        memo[place as usize] = Known::Failed;
                        stack.pop();
                    }
                    _ => {}
                }
                continue;
            }
            self.step_in(&node.id);
            let outputs = self.value(frame, node, kind, inlets, memo);
            self.step_out();
            memo[place as usize] = outputs.map_or(Known::Failed, Known::Outputs);
            stack.pop();
        }
    }

    fn value(
        &mut self,
        frame: &Frame<'a, '_>,
        node: &'a Node,
        kind: Option<&'a NodeKind>,
        inlets: &[Inlet],
        memo: &Memo,
    ) -> Option<Outputs> {
        if self.hopeless {
            return None;
        }
        self.computed += 1;
        if self.computed > MAX_NODES {
            let message =
                format!("This flow comes to more than {MAX_NODES} nodes, those inside groups counted.");
            let help = "Use groups that hold fewer groups, or split the effect into two emitters.";
            self.report(Severity::Error, "too-large", None, message, Some(help));
            self.hopeless = true;
            return None;
        }
        let kind = self.kind_of(node, kind)?;
        if kind.block {
            let message = format!("{} is a block and gives no value.", kind.title);
            self.report(Severity::Error, "block-output", None, message, None);
            return None;
        }
        if let Body::Special(Special::GroupInput) = kind.body {
            return frame.given.iter().copied().collect();
        }
        let (inputs, resolved) = self.inputs(frame, node, inlets, kind, memo)?;
        self.enter(None);
        let outputs = match &kind.body {
            Body::Op(op) => {
                let vals: Option<Vals> = inputs.iter().copied().collect();
                smallvec![self.ir.op(*op, &vals?)]
            }
            Body::Special(special) => {
                let vals: Option<Vals> = inputs.iter().copied().collect();
                special::value(self, *special, node, &vals?)?
            }
            Body::Group(group) => {
                let given = typed(&inputs, &resolved);
                let inner = self.group_frame(frame, kind, group, given);
                return self.nested(|this| this.group_outputs(&inner, kind))?;
            }
        };
        let typed = outputs.iter().zip(&resolved.outputs);
        Some(typed.map(|(&val, &ty)| Typed { ty, val }).collect())
    }

    /// A group's outputs, from the node inside that takes them.
    fn group_outputs(&mut self, inner: &Frame<'a, '_>, kind: &NodeKind) -> Option<Outputs> {
        let Some(at) = inner
            .nodes
            .iter()
            .position(|(node, _)| node.kind == "group_output")
        else {
            let message = format!("The group {} has no outputs inside.", kind.title);
            self.report(Severity::Error, "missing-input", None, message, None);
            return None;
        };
        let mut memo = inner.memo();
        let inlets = inner.wires.into_value(at as u32);
        for inlet in inlets {
            self.evaluate(inner, inlet.source, &mut memo);
        }
        let (node, output) = inner.nodes[at];
        let (inputs, resolved) = self.inputs(inner, node, inlets, output?, &memo)?;
        let inputs: Option<Vals> = inputs.into_iter().collect();
        let typed = inputs?.into_iter().zip(resolved.inputs);
        Some(typed.map(|(val, ty)| Typed { ty, val }).collect())
    }

    /// The values at a node's inputs, converted to what the node takes; an input is nothing where what feeds
    /// it failed, and there are none at all where types do not fit.
    fn inputs(
        &mut self,
        frame: &Frame<'a, '_>,
        node: &Node,
        inlets: &[Inlet],
        kind: &NodeKind,
        memo: &Memo,
    ) -> Option<(Inputs, Resolved)> {
        let signature = kind.signature(node, &frame.scope);
        let mut wired: SmallVec<[(&str, Option<Typed>); 4]> = SmallVec::new();
        for inlet in inlets {
            let (port, source) = (inlet.port.as_str(), &inlet.from);
            if signature.input(port).is_none() {
                let message = format!("A wire leads to \"{port}\", which {} does not have.", kind.title);
                self.report(
                    Severity::Error,
                    "unknown-port",
                    Some(port),
                    message,
                    Some("Remove the wire."),
                );
                continue;
            }
            let from = match inlet.source {
                Some(place) => Some(frame.nodes[place as usize]),
                None => frame.flow.node(&source.node).map(|node| {
                    let kind = self.registry.get(&node.kind).map(AsRef::as_ref);
                    (node, kind)
                }),
            };
            match from {
                // A muted node is as if it were not wired.
                Some((from, _)) if from.muted => continue,
                Some((from, kind)) => {
                    let outputs = match inlet.source.map(|place| &memo[place as usize]) {
                        Some(Known::Outputs(outputs)) => Some(outputs),
                        _ => None,
                    };
                    let index = kind.map(|kind| {
                        let signature = kind.signature(from, &frame.scope);
                        signature.outputs.iter().position(|p| p.name == source.port)
                    });
                    if index == Some(None) {
                        let message = format!("A wire comes from \"{source}\", which does not exist.");
                        self.report(
                            Severity::Error,
                            "unknown-port",
                            Some(port),
                            message,
                            Some("Remove the wire."),
                        );
                    }
                    let value = index.flatten().and_then(|i| outputs?.get(i).copied());
                    wired.push((port, value));
                }
                None => {
                    let message = format!("A wire comes from \"{}\", which does not exist.", source.node);
                    self.report(
                        Severity::Error,
                        "broken-wire",
                        Some(port),
                        message,
                        Some("Remove the wire."),
                    );
                    wired.push((port, None));
                }
            }
        }
        let types = input_types(node, &signature, &frame.scope, |port| {
            at_port(&wired, port).flatten().map(|typed| typed.ty)
        });
        let resolved = match resolve(&signature, &types) {
            Ok(resolved) => resolved,
            Err(wrong) => {
                for mismatch in wrong {
                    let title = signature
                        .input(&mismatch.port)
                        .map_or(mismatch.port.as_str(), |p| p.title.as_str());
                    let message = format!(
                        "A {} cannot go into {title}, which takes a {}.",
                        type_title(mismatch.found),
                        type_title(mismatch.expected)
                    );
                    self.report(
                        Severity::Error,
                        "type-mismatch",
                        Some(&mismatch.port),
                        message,
                        None,
                    );
                }
                return None;
            }
        };
        let vals = self.values(node, &signature, &resolved, &types, &wired, &frame.scope);
        Some((vals, resolved))
    }

    fn values(
        &mut self,
        node: &Node,
        signature: &Signature<'_>,
        resolved: &Resolved,
        types: &[FieldType],
        wired: &[(&str, Option<Typed>)],
        scope: &Scope,
    ) -> Inputs {
        let mut vals = Inputs::with_capacity(types.len());
        for ((port, &to), &from) in signature.inputs.iter().zip(&resolved.inputs).zip(types) {
            let val = match at_port(wired, &port.name) {
                Some(Some(typed)) => Some(convert(typed.val, typed.ty, to)),
                Some(None) => None,
                None => {
                    let mode = node.inputs.get(&port.name).unwrap_or(&port.default);
                    self.mode(mode, port, scope).map(|val| convert(val, from, to))
                }
            };
            vals.push(val);
        }
        vals
    }

    /// What an unwired input holds.
    fn mode(&mut self, mode: &InputMode, port: &Port, scope: &Scope) -> Option<Val> {
        let name = port.name.as_str();
        // A number computes nothing, and is nobody's instruction.
        if !matches!(mode, InputMode::Value(_)) {
            self.enter(Some(name));
        }
        match mode {
            InputMode::Value(lanes) => Some(Val::constant(lanes.values())),
            InputMode::Random { min, max } => {
                let width = min.width().max(max.width());
                let ends = [min, max].map(|end: &Lanes| Val::constant(end.values()).resized(width));
                if ends[0] == ends[1] {
                    return Some(ends[0]);
                }
                let scope = match self.kind {
                    FlowKind::Birth => SCOPE_STEP,
                    FlowKind::EveryFrame => SCOPE_PARTICLE,
                };
                let draw = self.draw(name, width, scope);
                Some(self.between(ends[0], ends[1], draw))
            }
            InputMode::Curve(curve) => {
                let age = self.age_fraction(scope, port)?;
                self.curves(std::slice::from_ref(curve), age, Some(name))
            }
            InputMode::Gradient(gradient) => {
                let age = self.age_fraction(scope, port)?;
                self.gradient(gradient, age, Some(name))
            }
            InputMode::SpeedCurve { curve, range } => {
                let speed = self.speed(scope, port)?;
                let x = self.part_of(*range, speed);
                self.curves(std::slice::from_ref(curve), x, Some(name))
            }
            InputMode::Parameter(id) => {
                if mode_type(mode, port, scope).is_none() {
                    let message = format!("The effect has no parameter \"{id}\".");
                    self.report(Severity::Error, "missing-parameter", Some(name), message, None);
                }
                self.parameter(id).map(|typed| typed.val)
            }
            InputMode::Unknown(_) => {
                let message = format!("{} holds something this version does not know.", port.title);
                self.report(Severity::Error, "unknown-mode", Some(name), message, None);
                None
            }
        }
    }

    /// Random lanes of the node at hand.
    pub(super) fn draw(&mut self, salt: &str, width: u32, scope: u32) -> Val {
        let stream = stream_of(self.drawn.iter().copied(), salt);
        self.ir.load(Code::Random { stream, scope }, width)
    }

    /// From `min` at 0 to `max` at 1.
    pub(super) fn between(&mut self, min: Val, max: Val, t: Val) -> Val {
        let span = self.ir.op(Op::Sub, &[max, min]);
        self.ir.op(Op::Mad, &[t, span, min])
    }

    pub(super) fn parameter(&mut self, id: &Id) -> Option<Typed> {
        let index = self.parameters.iter().position(|p| p.id == *id)?;
        let ty = self.parameters[index].ty;
        // What is read at birth is each particle's own afterwards.
        let code = match (self.kind, self.held.iter().find(|held| held.0 == index)) {
            (FlowKind::EveryFrame, Some((_, word))) => Code::Field(*word),
            _ => Code::Parameter(index),
        };
        let val = self.ir.load(code, ty.width());
        Some(Typed { ty, val })
    }

    /// The particle's age over its lifetime, by the library's own node.
    fn age_fraction(&mut self, scope: &Scope, port: &Port) -> Option<Val> {
        if scope.field("age").is_none() || scope.field("lifetime").is_none() {
            let message = format!(
                "{} changes over life, but the particles have no age or no lifetime.",
                port.title
            );
            let help = Some(AGE_HELP);
            self.report(Severity::Error, "missing-field", Some(&port.name), message, help);
            return None;
        }
        self.library_value("age_fraction", scope)
    }

    /// The particle's speed, by the library's own node.
    fn speed(&mut self, scope: &Scope, port: &Port) -> Option<Val> {
        if scope.field("velocity").is_none() {
            let message = format!(
                "{} changes over speed, but the particles have no velocity.",
                port.title
            );
            let help = Some(VELOCITY_HELP);
            self.report(Severity::Error, "missing-field", Some(&port.name), message, help);
            return None;
        }
        self.library_value("speed", scope)
    }

    /// Where a value lies between two: 0 at the first, 1 at the second. Between equal ones it is a step.
    fn part_of(&mut self, [min, max]: [f32; 2], value: Val) -> Val {
        if max == min {
            return self.ir.op(Op::CmpLe, &[Val::imm(min), value]);
        }
        let over = self.ir.op(Op::Sub, &[value, Val::imm(min)]);
        self.ir.op(Op::Mul, &[over, Val::imm(1.0 / (max - min))])
    }

    /// The first output of a group of the library that has no inputs.
    fn library_value(&mut self, id: &str, scope: &Scope) -> Option<Val> {
        let kind: &'a NodeKind = self.registry.get(id)?;
        let Body::Group(group) = &kind.body else {
            return None;
        };
        let outer = Frame::new(
            self.registry,
            &group.flow,
            group.wires(),
            scope.clone(),
            Vec::new(),
        );
        let inner = self.group_frame(&outer, kind, group, Vec::new());
        let source = self.ir.source;
        let outputs = self.nested(|this| this.group_outputs(&inner, kind))??;
        self.ir.source = source;
        outputs.first().map(|typed| typed.val)
    }
}

/// What to say of a kind that does not exist, and what to do.
pub(super) fn unknown_kind(kind: &str) -> (String, &'static str) {
    if let Some(group) = kind.strip_prefix(DOCUMENT_PREFIX) {
        let message = format!("The document has no group \"{group}\".");
        (message, "Remove the node, or add the group to the document.")
    } else if let Some(group) = kind.strip_prefix(FOLDER_PREFIX) {
        let message = format!("No library folder has a group \"{group}\".");
        (
            message,
            "Name the folder with --library DIR or in MOTE_LIBRARY, or remove the node.",
        )
    } else {
        let message = format!("This version has no node called \"{kind}\".");
        (message, "Remove it, or open the document in a newer Mote.")
    }
}

/// What is wired into a port: nothing, something that failed, or a value.
fn at_port(wired: &[(&str, Option<Typed>)], port: &str) -> Option<Option<Typed>> {
    wired
        .iter()
        .find(|(name, _)| *name == port)
        .map(|(_, value)| *value)
}

fn typed(inputs: &[Option<Val>], resolved: &Resolved) -> Vec<Option<Typed>> {
    let typed = inputs.iter().zip(&resolved.inputs);
    typed.map(|(val, &ty)| val.map(|val| Typed { ty, val })).collect()
}

/// A value as another type: see [`crate::graph::types::converts`].
fn convert(val: Val, from: FieldType, to: FieldType) -> Val {
    if from == FieldType::Vec3 && to == FieldType::Color {
        return Val::join(&[val, Val::imm(1.0)]);
    }
    val.resized(to.width())
}
