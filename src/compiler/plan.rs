//! Flows as lowering walks them: what feeds each input, and what an unwired one holds.
//!
//! The names of ports depend on a node, its kind and the group it stands in alone, so all names are looked up
//! once a compile, however often a group is used and however many blocks its nodes are computed at. Types depend
//! on what comes, and are found while lowering.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::base::id::Id;
use crate::graph::group::Group;
use crate::graph::{Body, Flow, InputMode, Node, NodeKind, Port, Registry, Scope, Socket, Special};

/// A wire: the input it leads into, and the output it comes from.
type Ends<'a> = (&'a Socket, &'a Socket);
/// A part of one of a plan's lists, from and to.
type Part = (u32, u32);

/// A flow: an emitter's, or a group's inside.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    /// The chain.
    pub(super) blocks: Vec<Step<'a>>,
    /// The value nodes.
    pub(super) values: Vec<Step<'a>>,
    /// The place among the value nodes of the one that takes the group's outputs.
    pub(super) output: Option<u32>,
    inputs: Vec<Input<'a>>,
    before: Vec<u32>,
}

/// A node.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) node: &'a Node,
    pub(super) kind: Option<&'a NodeKind>,
    /// The special kind, where its ports have the type of something that the emitter or the document has.
    pub(super) follows: Option<Special>,
    /// Its inputs' ports.
    takes: &'a [Port],
    pub(super) outputs: &'a [Port],
    /// Wires that are wrong, to be said where the node is lowered.
    pub(super) faults: Vec<Fault<'a>>,
    inputs: Part,
    before: Part,
}

/// An input of a node.
#[derive(Debug)]
pub(super) struct Input<'a> {
    pub(super) port: &'a Port,
    /// What it holds where nothing is wired in.
    pub(super) mode: &'a InputMode,
    pub(super) from: From,
}

/// What is wired into an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// Nothing, or what a muted node gives.
    Nothing,
    /// What nobody computes.
    Nobody,
    /// An output of the value node at a place.
    Value { place: u32, output: u32 },
}

/// A wire that is wrong.
#[derive(Debug)]
pub(super) struct Fault<'a> {
    pub(super) code: &'static str,
    /// The input it leads into.
    pub(super) port: &'a str,
    pub(super) message: String,
}

impl<'a> Plan<'a> {
    /// A node's inputs, by port.
    pub(super) fn inputs(&self, step: &Step<'a>) -> &[Input<'a>] {
        &self.inputs[step.inputs.0 as usize..step.inputs.1 as usize]
    }

    /// The places of the value nodes that a node needs, in the order in which they are computed.
    pub(super) fn before(&self, step: &Step<'a>) -> &[u32] {
        &self.before[step.before.0 as usize..step.before.1 as usize]
    }
}

/// The plans of one compile.
#[derive(Debug)]
pub(super) struct Plans<'a> {
    registry: &'a Registry,
    /// Of groups, by their kinds.
    groups: FxHashMap<*const NodeKind, Rc<Plan<'a>>>,
    /// What ports are named in: no name depends on it.
    nowhere: Scope,
}

impl<'a> Plans<'a> {
    pub(super) fn new(registry: &'a Registry) -> Self {
        Self {
            registry,
            groups: FxHashMap::default(),
            nowhere: Scope::default(),
        }
    }

    pub(super) fn registry(&self) -> &'a Registry {
        self.registry
    }

    /// A group's inside.
    pub(super) fn group(&mut self, kind: &'a NodeKind, group: &'a Group) -> Rc<Plan<'a>> {
        let key = std::ptr::from_ref(kind);
        if let Some(plan) = self.groups.get(&key) {
            return Rc::clone(plan);
        }
        let plan = Rc::new(self.flow(&group.flow, Some(kind)));
        self.groups.insert(key, Rc::clone(&plan));
        plan
    }

    /// A flow, of a group or of an emitter.
    pub(super) fn flow(&self, flow: &'a Flow, group: Option<&'a NodeKind>) -> Plan<'a> {
        let wires: Vec<Ends<'a>> = flow.wires.iter().collect();
        let named = |node| self.named(node, group);
        let mut blocks: Vec<Step<'a>> = flow.blocks.iter().map(named).collect();
        let mut values: Vec<Step<'a>> = flow.values.values().map(named).collect();
        let ports = blocks.iter().chain(&values).map(|step| step.takes.len()).sum();
        let mut wiring = Wiring {
            inputs: Vec::with_capacity(ports),
            before: Vec::with_capacity(wires.len()),
            wires,
            next: 0,
        };
        for at in 0..values.len() {
            let wired = wiring.node(&values[at], &blocks, &values);
            wired.put(&mut values[at]);
        }
        for at in 0..blocks.len() {
            let wired = wiring.node(&blocks[at], &blocks, &values);
            wired.put(&mut blocks[at]);
        }
        let output = values.iter().position(|step| step.node.kind == "group_output");
        Plan {
            blocks,
            values,
            output: output.map(|at| at as u32),
            inputs: wiring.inputs,
            before: wiring.before,
        }
    }

    /// A node that is not wired yet.
    fn named(&self, node: &'a Node, group: Option<&'a NodeKind>) -> Step<'a> {
        let kind = self.registry.get(&node.kind).map(AsRef::as_ref);
        let (takes, outputs) = kind.map_or((&[][..], &[][..]), |kind| self.ports(node, kind, group));
        let follows = match kind.map(|kind| &kind.body) {
            Some(Body::Special(special)) if special.follows_scope() => Some(*special),
            _ => None,
        };
        Step {
            node,
            kind,
            follows,
            takes,
            outputs,
            faults: Vec::new(),
            inputs: (0, 0),
            before: (0, 0),
        }
    }

    /// The inputs and outputs of a node.
    fn ports(
        &self,
        node: &Node,
        kind: &'a NodeKind,
        group: Option<&'a NodeKind>,
    ) -> (&'a [Port], &'a [Port]) {
        match kind.body {
            Body::Special(Special::GroupInput) => (&[], group.map_or(&[], |group| &group.inputs)),
            Body::Special(Special::GroupOutput) => (group.map_or(&[], |group| &group.outputs), &[]),
            Body::Special(special) => special.ports_as(special.type_of(node, &self.nowhere)),
            _ => (&kind.inputs, &kind.outputs),
        }
    }
}

/// What is found out about the wires into one node.
struct Wired<'a> {
    inputs: Part,
    before: Part,
    faults: Vec<Fault<'a>>,
}

impl<'a> Wired<'a> {
    fn put(self, step: &mut Step<'a>) {
        (step.inputs, step.before, step.faults) = (self.inputs, self.before, self.faults);
    }
}

/// Wires of a flow on their way from names to places.
struct Wiring<'a> {
    /// In order.
    wires: Vec<Ends<'a>>,
    /// The first of them that leads into no node before the last one asked about.
    next: usize,
    inputs: Vec<Input<'a>>,
    before: Vec<u32>,
}

impl<'a> Wiring<'a> {
    /// The place of the first wire into a node. Value nodes are asked about in the wires' own order.
    fn first_into(&self, id: &Id) -> usize {
        let all_before = self.next == 0 || self.wires[self.next - 1].0.node < *id;
        let none_left_out = self.wires.get(self.next).is_none_or(|(to, _)| to.node >= *id);
        if all_before && none_left_out {
            return self.next;
        }
        self.wires.partition_point(|(to, _)| to.node < *id)
    }

    /// The wires into a node.
    fn node(&mut self, step: &Step<'a>, blocks: &[Step<'a>], values: &[Step<'a>]) -> Wired<'a> {
        let id = &step.node.id;
        let first = self.first_into(id);
        let into = |wire: &&Ends<'_>| wire.0.node == *id;
        let count = self.wires[first..].iter().take_while(into).count();
        self.next = first + count;
        let starts = [self.inputs.len() as u32, self.before.len() as u32];
        let set = &step.node.inputs;
        self.inputs.extend(step.takes.iter().map(|port| Input {
            port,
            mode: set.get(&port.name).unwrap_or(&port.default),
            from: From::Nothing,
        }));
        let inputs = &mut self.inputs[starts[0] as usize..];
        let mut faults = Vec::new();
        for &(to, from) in &self.wires[first..first + count] {
            let place = values.binary_search_by(|step| step.node.id.cmp(&from.node)).ok();
            self.before.extend(place.map(|at| at as u32));
            // A group's file may give two inputs one name.
            let mut named = inputs
                .iter_mut()
                .filter(|input| input.port.name == to.port)
                .peekable();
            let wrong = if named.peek().is_none() {
                let title = step.kind.map_or("", |kind| kind.title.as_str());
                let message = format!("A wire leads to \"{}\", which {title} does not have.", to.port);
                Some(("unknown-port", message))
            } else {
                let (source, wrong) = source(from, place, blocks, values);
                named.for_each(|input| input.from = source);
                wrong
            };
            faults.extend(wrong.map(|(code, message)| Fault {
                code,
                port: &to.port,
                message,
            }));
        }
        Wired {
            inputs: (starts[0], self.inputs.len() as u32),
            before: (starts[1], self.before.len() as u32),
            faults,
        }
    }
}

/// What comes from a socket, whose node is the value node at `place` if it is one, and what is wrong with it: code and
/// message.
fn source(
    from: &Socket,
    place: Option<usize>,
    blocks: &[Step<'_>],
    values: &[Step<'_>],
) -> (From, Option<(&'static str, String)>) {
    let block = || blocks.iter().find(|step| step.node.id == from.node);
    let Some(step) = place.map(|at| &values[at]).or_else(block) else {
        let message = format!("A wire comes from \"{}\", which does not exist.", from.node);
        return (From::Nobody, Some(("broken-wire", message)));
    };
    if step.node.muted {
        return (From::Nothing, None);
    }
    let output = step.outputs.iter().position(|port| port.name == from.port);
    match place.zip(output) {
        Some((place, output)) => {
            let (place, output) = (place as u32, output as u32);
            (From::Value { place, output }, None)
        }
        // Of a kind that is not known, nor are its outputs.
        None if output.is_some() || step.kind.is_none() => (From::Nobody, None),
        None => {
            let message = format!("A wire comes from \"{from}\", which does not exist.");
            (From::Nobody, Some(("unknown-port", message)))
        }
    }
}
