//! One flow of one emitter, from nodes to values.
//!
//! Blocks run in order over the fields, each field threaded as one value. What is wired into a block is
//! computed at that block, inputs before their users, without recursion along wires: only groups nest, and a
//! group cannot hold itself.

use std::collections::BTreeMap;
use std::ops::Range;

use smallvec::SmallVec;

use super::fields::FieldState;
use super::ir::{Ir, Val};
use super::plan::{From, Input, Plan, Plans, Step};
use super::sources::Sources;
use super::special;
use crate::artifact::Parameter;
use crate::base::diag::{Diagnostic, FlowKind, Place, Severity};
use crate::base::id::Id;
use crate::document::Emitter;
use crate::graph::groups::{DOCUMENT_PREFIX, FOLDER_PREFIX};
use crate::graph::infer::mode_type_as;
use crate::graph::types::{fits, joined, type_title};
use crate::graph::{Body, NodeKind, PortType, Registry, Scope, Special};
use crate::layout::{FieldType, ParticleLayout, StandardField};

/// Deepest nesting of groups.
const MAX_NESTING: usize = 32;
/// Most value nodes computed for one flow, those inside groups counted each time.
const MAX_NODES: u32 = 100_000;

pub(super) const AGE_HELP: &str = "Add a Lifetime block to Birth and an Age block to Every frame.";

/// A value and what it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Typed {
    pub(super) ty: FieldType,
    pub(super) val: Val,
}

/// What a node is given at an input.
#[derive(Debug, Clone, Copy)]
struct Given {
    ty: FieldType,
    /// Nothing where what feeds the input failed.
    val: Option<Val>,
}

/// A flow being lowered: an emitter's, or a group's inside.
struct Frame<'p, 'a> {
    plan: &'p Plan<'a>,
    /// What the group is given, by input, among what is given.
    given: Range<usize>,
}

/// What is known of a value node at the block at hand.
#[derive(Debug, Clone, Copy)]
enum Known {
    /// Nothing yet.
    New,
    /// What it needs is being computed.
    Waiting,
    /// Lowering it failed, or it is muted: its users see to that.
    Failed,
    /// Its outputs: where they begin, and how many there are.
    Outputs(u32, u32),
}

/// Values at a node's ports. Few nodes have more than four.
pub(super) type Vals = SmallVec<[Val; 4]>;

/// What a node is given, and what that makes of its ports.
struct Inputs {
    /// By input, among what is given.
    given: Range<usize>,
    /// The type of the ports that follow what comes.
    joined: FieldType,
    /// The type of all ports, where they follow the emitter.
    own: Option<PortType>,
}

/// What lowering works with, one upon the other as groups stand in groups: kept, so that no node makes lists of
/// its own.
#[derive(Debug, Default)]
struct Stacks {
    /// What is known of the value nodes of each flow on the way, by their places.
    known: Vec<Known>,
    /// Outputs of value nodes.
    outputs: Vec<Typed>,
    /// What nodes are given, by input.
    given: Vec<Given>,
    /// Nodes on the way to what is asked for, and how many of their wires have been followed.
    asked: Vec<(u32, u32)>,
}

/// What is lowered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Of<'a, 'b> {
    pub(super) registry: &'a Registry,
    pub(super) parameters: &'a [Parameter],
    pub(super) emitter: &'a Emitter,
    pub(super) kind: FlowKind,
    /// Whether nothing is shared, folded or dropped.
    pub(super) plain: bool,
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
    pub(super) drawn: Vec<&'a Id>,
    pub(super) diagnostics: &'b mut Vec<Diagnostic>,
    /// Global fields read, with their widths.
    pub(super) globals: &'b mut Vec<(String, u32)>,
    /// Parameters whose value at birth each particle keeps, by index, and the words they are kept in.
    pub(super) held: &'b [(usize, u32)],
    pub(super) fields: BTreeMap<&'a str, FieldState>,
    pub(super) sources: Sources<'a>,
    /// What the flow's nodes can name.
    pub(super) scope: Scope,
    pub(super) plans: &'b mut Plans<'a>,
    stacks: Stacks,
    nesting: usize,
    /// Value nodes computed so far.
    computed: u32,
    /// Whether groups were found to stand too deep or to come to too much: then nothing more is lowered.
    hopeless: bool,
}

impl<'a, 'b> Lowering<'a, 'b> {
    pub(super) fn new(
        of: Of<'a, 'b>,
        plans: &'b mut Plans<'a>,
        diagnostics: &'b mut Vec<Diagnostic>,
        globals: &'b mut Vec<(String, u32)>,
    ) -> Self {
        let Of {
            registry,
            parameters,
            emitter,
            kind,
            plain,
            layout,
            held,
        } = of;
        let mut fields = BTreeMap::new();
        for decl in &emitter.fields {
            let standard = StandardField::by_name(&decl.name).map(|s| s.default);
            fields.insert(
                decl.name.as_str(),
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
                    fields.entry(decl.name.as_str()).or_insert(FieldState {
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
            ir: Ir::new(plain),
            path: Vec::new(),
            drawn: Vec::new(),
            diagnostics,
            globals,
            held,
            fields,
            sources: Sources::default(),
            scope: emitter.scope(kind, parameters, registry),
            plans,
            stacks: Stacks::default(),
            nesting: 0,
            computed: 0,
            hopeless: false,
        }
    }

    /// Lowers the whole flow.
    pub(super) fn run(&mut self) {
        let plan = self.plans.flow(self.emitter.flow(self.kind), None);
        let given = 0..0;
        self.chain(&Frame { plan: &plan, given });
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

    pub(super) fn enter(&mut self, port: Option<&'a str>) {
        self.ir.source = self.sources.add(port);
    }

    fn chain(&mut self, frame: &Frame<'_, 'a>) {
        for block in frame.plan.blocks.iter().filter(|block| !block.node.muted) {
            self.step_in(&block.node.id);
            self.block(frame, block);
            self.step_out();
        }
    }

    fn block(&mut self, frame: &Frame<'_, 'a>, block: &Step<'a>) {
        let Some(kind) = self.kind_of(block) else {
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
        let (known, outputs) = self.begin(frame);
        let own = self.drawn.pop();
        self.evaluate_before(frame, known, block);
        self.drawn.extend(own);
        let inputs = self.inputs(frame, known, block);
        // What is given has been taken from the nodes: they are done with.
        self.stacks.known.truncate(known);
        self.stacks.outputs.truncate(outputs);
        let Some(Inputs { given, .. }) = inputs else {
            return;
        };
        let start = given.start;
        self.enter(None);
        match &kind.body {
            Body::Special(special) => {
                let input = self.stacks.given[given].first().and_then(|given| given.val);
                special::run_block(self, *special, block.node, input);
            }
            Body::Group(group) => {
                let plan = self.plans.group(kind, group);
                let inner = Frame { plan: &plan, given };
                self.nested(|this| this.chain(&inner));
            }
            Body::Op(_) => {}
        }
        self.stacks.given.truncate(start);
    }

    /// Makes room for what becomes known of a flow's value nodes: where that is, and where their outputs begin.
    fn begin(&mut self, frame: &Frame<'_, 'a>) -> (usize, usize) {
        let known = self.stacks.known.len();
        let all = known + frame.plan.values.len();
        self.stacks.known.resize(all, Known::New);
        (known, self.stacks.outputs.len())
    }

    fn kind_of(&mut self, step: &Step<'a>) -> Option<&'a NodeKind> {
        if step.kind.is_none() {
            let (message, help) = unknown_kind(&step.node.kind);
            self.report(Severity::Error, "unknown-node", None, message, Some(help));
        }
        step.kind
    }

    pub(super) fn nested<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> Option<T> {
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

    /// Computes the value nodes that a node needs.
    fn evaluate_before(&mut self, frame: &Frame<'_, 'a>, known: usize, step: &Step<'a>) {
        for &place in frame.plan.before(step) {
            self.evaluate(frame, known, place);
        }
    }

    /// Computes a value node and what it needs, inputs first. What is known of the flow's nodes begins at `known`.
    fn evaluate(&mut self, frame: &Frame<'_, 'a>, known: usize, target: u32) {
        if !matches!(self.stacks.known[known + target as usize], Known::New) {
            return;
        }
        let bottom = self.stacks.asked.len();
        self.stacks.asked.push((target, 0));
        while self.stacks.asked.len() > bottom {
            let top = self.stacks.asked.len() - 1;
            let (place, followed) = self.stacks.asked[top];
            let at = known + place as usize;
            let step = &frame.plan.values[place as usize];
            if step.node.muted {
                self.stacks.known[at] = Known::Failed;
                self.stacks.asked.pop();
                continue;
            }
            self.stacks.known[at] = Known::Waiting;
            let sources = frame.plan.before(step);
            if let Some(&source) = sources.get(followed as usize) {
                self.stacks.asked[top].1 += 1;
                match self.stacks.known[known + source as usize] {
                    Known::New => self.stacks.asked.push((source, 0)),
                    // A loop, which has been reported: this node fails.
                    Known::Waiting => {
                        self.stacks.known[at] = Known::Failed;
                        self.stacks.asked.pop();
                    }
                    _ => {}
                }
                continue;
            }
            self.step_in(&step.node.id);
            let first = self.stacks.outputs.len();
            let done = self.value(frame, known, step);
            self.step_out();
            let count = self.stacks.outputs.len() - first;
            self.stacks.known[at] = match done {
                Some(()) => Known::Outputs(first as u32, count as u32),
                None => Known::Failed,
            };
            self.stacks.asked.pop();
        }
    }

    /// Lowers a value node, and adds its outputs to those there are.
    fn value(&mut self, frame: &Frame<'_, 'a>, known: usize, step: &Step<'a>) -> Option<()> {
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
        let kind = self.kind_of(step)?;
        if kind.block {
            let message = format!("{} is a block and gives no value.", kind.title);
            self.report(Severity::Error, "block-output", None, message, None);
            return None;
        }
        if let Body::Special(Special::GroupInput) = kind.body {
            return self.give_out(frame.given.clone());
        }
        let inputs = self.inputs(frame, known, step)?;
        self.enter(None);
        let start = inputs.given.start;
        let done = self.outputs(step, kind, inputs);
        self.stacks.given.truncate(start);
        done
    }

    /// The outputs of a value node that is given its inputs.
    fn outputs(&mut self, step: &Step<'a>, kind: &'a NodeKind, inputs: Inputs) -> Option<()> {
        let of_port = |ty: PortType| inputs.own.unwrap_or(ty).given(inputs.joined);
        match &kind.body {
            Body::Op(op) => {
                let val = match &self.stacks.given[inputs.given] {
                    [] => self.ir.op(*op, &[]),
                    [a] => self.ir.op(*op, &[a.val?]),
                    [a, b] => self.ir.op(*op, &[a.val?, b.val?]),
                    [a, b, c] => self.ir.op(*op, &[a.val?, b.val?, c.val?]),
                    _ => return None,
                };
                let ty = of_port(step.outputs.first()?.ty);
                self.stacks.outputs.push(Typed { ty, val });
            }
            Body::Special(special) => {
                let vals: Option<Vals> = all(&self.stacks.given[inputs.given]);
                let outputs = special::value(self, *special, step.node, &vals?)?;
                for (&val, port) in outputs.iter().zip(step.outputs) {
                    let ty = of_port(port.ty);
                    self.stacks.outputs.push(Typed { ty, val });
                }
            }
            Body::Group(group) => {
                let plan = self.plans.group(kind, group);
                let inner = Frame {
                    plan: &plan,
                    given: inputs.given,
                };
                self.nested(|this| this.group_outputs(&inner, kind))??;
            }
        }
        Some(())
    }

    /// Adds what is given to the outputs there are, unless some of it failed.
    fn give_out(&mut self, given: Range<usize>) -> Option<()> {
        for &Given { ty, val } in &self.stacks.given[given] {
            let val = val?;
            self.stacks.outputs.push(Typed { ty, val });
        }
        Some(())
    }

    /// A group's outputs, from the node inside that takes them, added to the outputs there are.
    fn group_outputs(&mut self, inner: &Frame<'_, 'a>, kind: &NodeKind) -> Option<()> {
        let Some(at) = inner.plan.output else {
            let message = format!("The group {} has no outputs inside.", kind.title);
            self.report(Severity::Error, "missing-input", None, message, None);
            return None;
        };
        let (known, outputs) = self.begin(inner);
        let step = &inner.plan.values[at as usize];
        self.evaluate_before(inner, known, step);
        let inputs = step.kind.and_then(|_| self.inputs(inner, known, step));
        self.stacks.known.truncate(known);
        self.stacks.outputs.truncate(outputs);
        let given = inputs?.given;
        let start = given.start;
        let done = self.give_out(given);
        self.stacks.given.truncate(start);
        done
    }

    /// The first output of a group that is given nothing.
    pub(super) fn group_value(&mut self, kind: &'a NodeKind) -> Option<Val> {
        let Body::Group(group) = &kind.body else {
            return None;
        };
        let plan = self.plans.group(kind, group);
        let inner = Frame {
            plan: &plan,
            given: 0..0,
        };
        let outputs = self.stacks.outputs.len();
        let done = self.nested(|this| this.group_outputs(&inner, kind));
        let first = self.stacks.outputs.get(outputs).map(|typed| typed.val);
        self.stacks.outputs.truncate(outputs);
        done.flatten().and(first)
    }

    /// Puts the values at a node's inputs, converted to what the node takes, to what is given; an input is nothing
    /// where what feeds it failed, and there are none at all where types do not fit.
    fn inputs(&mut self, frame: &Frame<'_, 'a>, known: usize, step: &Step<'a>) -> Option<Inputs> {
        for fault in &step.faults {
            let message = fault.message.clone();
            let help = Some("Remove the wire.");
            self.report(Severity::Error, fault.code, Some(fault.port), message, help);
        }
        let own = step
            .follows
            .map(|special| special.type_of(step.node, &self.scope));
        let own = own.map(PortType::Of);
        let carries = |input: &Input<'a>| own.unwrap_or(input.port.ty);
        let inputs = frame.plan.inputs(step);
        let start = self.stacks.given.len();
        // What comes, and the types that decide what becomes of it.
        let mut widest = None;
        for input in inputs {
            let (ty, val) = match self.wired(known, input.from) {
                Some(typed) => (typed.ty, Some(typed.val)),
                None => {
                    let ty = carries(input);
                    let held = mode_type_as(input.mode, ty, &self.scope);
                    (held.unwrap_or(ty.given(FieldType::Float)), None)
                }
            };
            widest = joined(widest, carries(input), ty);
            self.stacks.given.push(Given { ty, val });
        }
        let joined = widest.unwrap_or(FieldType::Float);
        let found = |this: &Self, index: usize| this.stacks.given[start + index].ty;
        let fit = |(index, input)| fits(found(self, index), carries(input), joined);
        if !inputs.iter().enumerate().all(fit) {
            for (index, input) in inputs.iter().enumerate() {
                self.mismatch(input, found(self, index), carries(input), joined);
            }
            self.stacks.given.truncate(start);
            return None;
        }
        for (index, input) in inputs.iter().enumerate() {
            let to = carries(input).given(joined);
            if input.from == From::Nothing {
                self.stacks.given[start + index].val = self.mode(input.mode, input.port);
            }
            let given = &mut self.stacks.given[start + index];
            if let Some(val) = &mut given.val {
                convert(val, given.ty, to);
            }
            given.ty = to;
        }
        Some(Inputs {
            given: start..self.stacks.given.len(),
            joined,
            own,
        })
    }

    /// Says so where what comes does not go into an input.
    fn mismatch(&mut self, input: &Input<'a>, found: FieldType, port: PortType, joined: FieldType) {
        if fits(found, port, joined) {
            return;
        }
        let (found, taken) = (type_title(found), type_title(port.given(joined)));
        let title = &input.port.title;
        let message = format!("A {found} cannot go into {title}, which takes a {taken}.");
        let port = Some(input.port.name.as_str());
        self.report(Severity::Error, "type-mismatch", port, message, None);
    }

    /// What comes along a wire.
    fn wired(&self, known: usize, from: From) -> Option<Typed> {
        let From::Value { place, output } = from else {
            return None;
        };
        match self.stacks.known[known + place as usize] {
            Known::Outputs(first, count) if output < count => {
                Some(self.stacks.outputs[(first + output) as usize])
            }
            _ => None,
        }
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

/// What is given, unless some of it failed.
fn all(given: &[Given]) -> Option<Vals> {
    let mut vals = Vals::new();
    for given in given {
        vals.push(given.val?);
    }
    Some(vals)
}

/// Makes a value one of another type: see [`crate::graph::types::converts`].
fn convert(val: &mut Val, from: FieldType, to: FieldType) {
    if from == FieldType::Vec3 && to == FieldType::Color {
        *val = Val::join(&[*val, Val::imm(1.0)]);
    } else if val.width() != to.width() {
        *val = val.resized(to.width());
    }
}
