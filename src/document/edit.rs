//! The complete list of changes to a document.

use thiserror::Error;

use crate::artifact::{Emission, Parameter, RenderSettings, Space};
use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::graph::{FieldDecl, Frame, GroupError, InputMode, Node, NodeKind, Note, Setting, Socket};
use crate::layout::{Channel, FieldType};

/// One change.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the fields are what the variants' own lines say")]
pub enum Edit {
    /// Renames the effect.
    SetName { name: String },
    /// Adds an emitter with empty flows, at an index or at the end.
    AddEmitter {
        id: Id,
        name: String,
        index: Option<usize>,
    },
    /// Removes an emitter.
    RemoveEmitter { emitter: Id },
    /// Renames an emitter.
    RenameEmitter { emitter: Id, name: String },
    /// Copies an emitter under a new id, right after it.
    DuplicateEmitter { emitter: Id, copy: Id, name: String },
    /// Moves an emitter to an index.
    MoveEmitter { emitter: Id, index: usize },
    /// Adds a node. A block goes to `index` of the chain, or where its slot says; the fields it needs are
    /// declared.
    AddNode {
        emitter: Id,
        flow: FlowKind,
        node: Box<Node>,
        index: Option<usize>,
        position: [f32; 2],
    },
    /// Removes nodes with their wires; the chain closes.
    RemoveNodes { emitter: Id, nodes: Vec<Id> },
    /// Moves a block to an index of its chain.
    MoveBlock { emitter: Id, node: Id, index: usize },
    /// Wires an output to an input, in place of what was wired there.
    Connect {
        emitter: Id,
        flow: FlowKind,
        from: Socket,
        to: Socket,
    },
    /// Takes away what is wired into an input.
    Disconnect { emitter: Id, flow: FlowKind, to: Socket },
    /// Sets what an unwired input holds; none takes the default back.
    SetInput {
        emitter: Id,
        node: Id,
        port: String,
        mode: Option<InputMode>,
    },
    /// Makes a choice on a node; none takes it back.
    SetSetting {
        emitter: Id,
        node: Id,
        name: String,
        value: Option<Setting>,
    },
    /// Switches a node off or on.
    SetMuted { emitter: Id, node: Id, muted: bool },
    /// Moves nodes on the canvas.
    SetNodePositions {
        emitter: Id,
        positions: Vec<(Id, [f32; 2])>,
    },
    /// Gives a node a title of its own, or its kind's back.
    RenameNode {
        emitter: Id,
        node: Id,
        title: Option<String>,
    },
    /// Colours a node's header.
    SetNodeColor {
        emitter: Id,
        node: Id,
        color: Option<[u8; 3]>,
    },
    /// Replaces the frames of a flow.
    SetFrames {
        emitter: Id,
        flow: FlowKind,
        frames: Vec<Frame>,
    },
    /// Replaces the notes of a flow.
    SetNotes {
        emitter: Id,
        flow: FlowKind,
        notes: Vec<Note>,
    },
    /// Replaces the emission settings.
    SetEmission { emitter: Id, emission: Emission },
    /// Replaces the drawing settings.
    SetRender { emitter: Id, render: RenderSettings },
    /// Sets where particles live.
    SetSpace { emitter: Id, space: Space },
    /// Sets the texture, or takes the built-in one.
    SetTexture { emitter: Id, texture: Option<String> },
    /// Places the emitter in the effect.
    SetTransform { emitter: Id, transform: [[f32; 3]; 4] },
    /// Declares a field.
    AddField { emitter: Id, field: FieldDecl },
    /// Removes a field that no block needs.
    RemoveField { emitter: Id, name: String },
    /// Renames a field that no library block needs, and the nodes that name it.
    RenameField { emitter: Id, name: String, to: String },
    /// Sets what particles are born with where no block writes the field.
    SetFieldDefault {
        emitter: Id,
        name: String,
        default: Option<[f32; 4]>,
    },
    /// Declares a value that all particles of the emitter share.
    AddEmitterField { emitter: Id, field: FieldDecl },
    /// Removes such a value that no node reads.
    RemoveEmitterField { emitter: Id, name: String },
    /// Sets what such a value starts with; none is 0.
    SetEmitterFieldDefault {
        emitter: Id,
        name: String,
        default: Option<[f32; 4]>,
    },
    /// Binds a channel to a field (`Some(Some)`), to nothing (`Some(None)`), or to the field of its name.
    SetBinding {
        emitter: Id,
        channel: Channel,
        binding: Option<Option<String>>,
    },
    /// Declares a parameter.
    AddParameter { parameter: Parameter },
    /// Removes a parameter; inputs that read it take its default.
    RemoveParameter { parameter: Id },
    /// Replaces a parameter, except its id.
    SetParameter { parameter: Parameter },
    /// Adds a group, or replaces that of its id. Nodes of it keep their wires where ports keep their names.
    SetGroup { group: Box<NodeKind> },
    /// Removes a group that nothing uses.
    RemoveGroup { group: String },
    /// Makes value nodes of a flow a group of the document, and puts one node of it in their place. Wires into
    /// and out of them become its ports.
    Collapse {
        emitter: Id,
        flow: FlowKind,
        nodes: Vec<Id>,
        group: Id,
        title: String,
        node: Id,
    },
    /// Puts the nodes inside a group in the place of its node, each under an id given for it.
    Expand {
        emitter: Id,
        flow: FlowKind,
        node: Id,
        names: Vec<(Id, Id)>,
    },
}

/// How far a change reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Changed {
    /// The document is as it was.
    #[default]
    Nothing,
    /// Only where things lie, or names: nothing to compile.
    Layout,
    /// What is played.
    Meaning,
}

/// Why an edit is refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "each case is its message")]
pub enum EditError {
    #[error("there is no emitter {0:?}")]
    NoEmitter(Id),
    #[error("there is no node {0:?} in this emitter")]
    NoNode(Id),
    #[error("there is no parameter {0:?}")]
    NoParameter(Id),
    #[error("there is no field {0:?} in this emitter")]
    NoField(String),
    #[error("{0:?} has no port of that name")]
    NoPort(Socket),
    #[error("no node kind is called {0:?}")]
    NoKind(String),
    #[error("the id {0:?} is taken")]
    IdTaken(Id),
    #[error("the name {0:?} is taken")]
    NameTaken(String),
    #[error("a name cannot be empty")]
    NoName,
    #[error("{title} does not belong in {}", flow.title())]
    WrongFlow { title: String, flow: FlowKind },
    #[error("{0:?} is no block: only blocks stand in the chain")]
    NotABlock(Id),
    #[error("this wire would close a loop: {}", loop_text(.0))]
    Cycle(Vec<Id>),
    #[error("a {} cannot go into {port}, which takes a {}", crate::graph::types::type_title(*found), crate::graph::types::type_title(*expected))]
    TypeMismatch {
        node: Id,
        port: String,
        found: FieldType,
        expected: FieldType,
    },
    #[error("{port} takes {} to {}, not {value}", bound(*min, "anything"), bound(*max, "anything"))]
    OutOfRange {
        port: String,
        value: f32,
        min: Option<f32>,
        max: Option<f32>,
    },
    #[error("{0} must be a finite number")]
    NotFinite(String),
    #[error("the field {field:?} is needed by {node:?}")]
    FieldNeeded { field: String, node: Id },
    #[error("the record is full: the field {0:?} does not fit")]
    RecordFull(String),
    #[error(transparent)]
    Group(#[from] GroupError),
    #[error("there is no group {0:?}")]
    NoGroup(String),
    #[error("the group {group:?} is used by {user:?}")]
    GroupUsed { group: String, user: Id },
    #[error("{0:?} is a block: only value nodes become a group")]
    Block(Id),
    #[error("{0:?} is no group")]
    NotAGroup(Id),
    #[error("no nodes are chosen")]
    NoNodes,
    #[error("the field {field:?} cannot feed the {} channel", channel.name())]
    Binding { channel: Channel, field: String },
}

fn loop_text(path: &[Id]) -> String {
    let names: Vec<&str> = path.iter().map(Id::as_str).collect();
    names.join(" › ")
}

fn bound(value: Option<f32>, none: &str) -> String {
    value.map_or_else(|| none.to_owned(), |v| v.to_string())
}
