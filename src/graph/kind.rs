//! Node kinds: ports, documentation, and what they are made of.

use std::borrow::Cow;
use std::sync::Arc;

use super::group::Group;
use super::input::InputMode;
use super::node::Node;
use super::special::Special;
use super::types::Scope;
use crate::base::diag::FlowKind;
use crate::isa::Op;
use crate::layout::FieldType;

/// What a port carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PortType {
    /// One type; what can be converted to it may be wired in.
    Of(FieldType),
    /// The widest type that is wired into such ports of the node; single numbers stand in every lane.
    Any,
}

impl PortType {
    /// The port's type where the node's ports of any type have a type.
    #[must_use]
    pub const fn given(self, joined: FieldType) -> FieldType {
        match self {
            Self::Of(ty) => ty,
            Self::Any => joined,
        }
    }
}

/// An input or output of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Port {
    /// Stable name.
    pub name: String,
    /// The name on screen.
    pub title: String,
    /// What it carries.
    pub ty: PortType,
    /// What an unwired input holds until it is set.
    pub default: InputMode,
    /// The unit, for labels.
    pub unit: String,
    /// Smallest value accepted.
    pub min: Option<f32>,
    /// Largest value accepted.
    pub max: Option<f32>,
    /// What it does.
    pub doc: String,
}

impl Port {
    /// A port with a title made from its name.
    #[must_use]
    pub fn new(name: &str, ty: PortType, default: InputMode) -> Self {
        Self {
            name: name.to_owned(),
            title: title_of(name),
            ty,
            default,
            unit: String::new(),
            min: None,
            max: None,
            doc: String::new(),
        }
    }

    /// An output.
    #[must_use]
    pub fn output(name: &str, ty: PortType) -> Self {
        Self::new(name, ty, InputMode::value(0.0))
    }

    /// The same port with a word on what it does.
    #[must_use]
    pub fn doc(mut self, doc: &str) -> Self {
        doc.clone_into(&mut self.doc);
        self
    }
}

/// `half_extents` → `Half extents`.
#[must_use]
pub fn title_of(name: &str) -> String {
    let mut title = name.replace(['_', '-'], " ");
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    title
}

/// The inputs and outputs of one node: of its kind, or of its kind and settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Signature<'a> {
    /// Inputs in order.
    pub inputs: Cow<'a, [Port]>,
    /// Outputs in order.
    pub outputs: Cow<'a, [Port]>,
}

impl Signature<'_> {
    /// The input of a name.
    #[must_use]
    pub fn input(&self, name: &str) -> Option<&Port> {
        self.inputs.iter().find(|port| port.name == name)
    }

    /// The output of a name.
    #[must_use]
    pub fn output(&self, name: &str) -> Option<&Port> {
        self.outputs.iter().find(|port| port.name == name)
    }
}

/// Where in its flow a block belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// Where particles are born.
    Shape,
    /// What they are born with.
    Birth,
    /// What pushes them.
    Force,
    /// What moves them.
    Motion,
    /// How they change as they age.
    OverLife,
    /// What ends them.
    End,
}

impl Slot {
    /// All, in the order of a flow.
    pub const ALL: [Self; 6] = [
        Self::Shape,
        Self::Birth,
        Self::Force,
        Self::Motion,
        Self::OverLife,
        Self::End,
    ];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shape => "shape",
            Self::Birth => "birth",
            Self::Force => "force",
            Self::Motion => "motion",
            Self::OverLife => "over_life",
            Self::End => "end",
        }
    }

    /// The slot of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|slot| slot.name() == name)
    }

    /// The flows its blocks belong in unless their kind says otherwise.
    #[must_use]
    pub const fn flows(self) -> &'static [FlowKind] {
        match self {
            Self::Shape | Self::Birth => &[FlowKind::Birth],
            _ => &[FlowKind::EveryFrame],
        }
    }
}

/// A field that a block needs or an emitter has.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldDecl {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub ty: FieldType,
    /// What a particle is born with where no block writes it; none is the standard field's own, or 0.
    pub default: Option<[f32; 4]>,
    /// Zero at the flow's start and never stored.
    pub transient: bool,
}

impl FieldDecl {
    /// A stored field with its usual default.
    #[must_use]
    pub fn new(name: &str, ty: FieldType) -> Self {
        Self {
            name: name.to_owned(),
            ty,
            default: None,
            transient: false,
        }
    }
}

/// What a kind is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// One opcode.
    Op(Op),
    /// Its own lowering in the compiler.
    Special(Special),
    /// A graph.
    Group(Arc<Group>),
}

/// A kind of node.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeKind {
    /// Stable text id.
    pub id: String,
    /// Grows when the meaning of saved nodes would change.
    pub version: u32,
    /// The name on screen.
    pub title: String,
    /// What it does, in a sentence or two.
    pub description: String,
    /// Further words it is found by.
    pub words: Vec<String>,
    /// Where it stands in the palette.
    pub category: String,
    /// Whether it stands in the chain.
    pub block: bool,
    /// Where in the chain it belongs.
    pub slot: Option<Slot>,
    /// The flows it may stand in.
    pub flows: Vec<FlowKind>,
    /// Whether the palette offers it.
    pub listed: bool,
    /// Inputs; of a special kind those of a node as new.
    pub inputs: Vec<Port>,
    /// Outputs; of a special kind those of a node as new.
    pub outputs: Vec<Port>,
    /// Fields a block needs.
    pub fields: Vec<FieldDecl>,
    /// What it is made of.
    pub body: Body,
}

impl NodeKind {
    /// The ports of a node of this kind as it is set.
    #[must_use]
    pub fn signature(&self, node: &Node, scope: &Scope) -> Signature<'_> {
        match self.body {
            Body::Special(special) => special.signature(node, scope),
            _ => Signature {
                inputs: Cow::Borrowed(&self.inputs),
                outputs: Cow::Borrowed(&self.outputs),
            },
        }
    }

    /// A listed value node, to be filled in.
    #[must_use]
    pub fn value(id: &str, title: &str, category: &str, body: Body) -> Self {
        Self {
            id: id.to_owned(),
            version: 1,
            title: title.to_owned(),
            description: String::new(),
            words: Vec::new(),
            category: category.to_owned(),
            block: false,
            slot: None,
            flows: FlowKind::ALL.to_vec(),
            listed: true,
            inputs: Vec::new(),
            outputs: Vec::new(),
            fields: Vec::new(),
            body,
        }
    }
}
