//! From instructions back to nodes, and what nodes cost.

use serde::Serialize;

use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::isa::Section;

/// Who an instruction is for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize)]
pub struct Source {
    /// The node, by the ids along its group path; empty for the loads and stores of fields.
    pub node: Vec<Id>,
    /// The port whose unwired input it computes, or the field it stores.
    pub port: Option<String>,
}

/// The sources of one emitter's program, instruction by instruction.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct EmitterMap {
    /// The emitter.
    pub emitter: Option<Id>,
    /// Index into the effect's programs.
    pub program: u32,
    /// Of the INIT section.
    pub init: Vec<Source>,
    /// Of the UPDATE section.
    pub update: Vec<Source>,
}

/// From instructions to nodes, an entry an emitter: emitters that share a program have different nodes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct SourceMap {
    /// In the effect's order.
    pub emitters: Vec<EmitterMap>,
}

impl SourceMap {
    /// Who the instruction `pc` of an emitter's section is for.
    #[must_use]
    pub fn source(&self, emitter: usize, section: Section, pc: usize) -> Option<&Source> {
        let map = self.emitters.get(emitter)?;
        match section {
            Section::Init => map.init.get(pc),
            Section::Update => map.update.get(pc),
        }
    }
}

/// What a node of a flow costs, its inside included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NodeCost {
    /// The emitter.
    pub emitter: Id,
    /// The flow.
    pub flow: FlowKind,
    /// The node of the flow.
    pub node: Id,
    /// Instructions. Work that nodes share counts at the first of them.
    pub instructions: u32,
}

/// Counts an emitter's instructions by the outermost node.
pub(super) fn costs(emitter: &Id, map: &EmitterMap, out: &mut Vec<NodeCost>) {
    for (flow, sources) in [(FlowKind::Birth, &map.init), (FlowKind::EveryFrame, &map.update)] {
        let first = out.len();
        for id in sources.iter().filter_map(|source| source.node.first()) {
            match out[first..].iter_mut().find(|cost| cost.node == *id) {
                Some(cost) => cost.instructions += 1,
                None => out.push(NodeCost {
                    emitter: emitter.clone(),
                    flow,
                    node: id.clone(),
                    instructions: 1,
                }),
            }
        }
    }
}
