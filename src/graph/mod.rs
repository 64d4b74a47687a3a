//! Graphs: nodes, ports, wires, and the registry of node kinds.
//!
//! An emitter has two flows. A [`Flow`] is one ordered chain of blocks, plus value nodes and wires. A block
//! reads and writes fields; a value node is pure, and what is wired into a block is computed at that block.
//! A node's kind is a text; what it means is in the [`Registry`]: an opcode's node, a special one, or a group
//! of the library, which is itself a [`Flow`] with named inputs and outputs. A node of an unknown kind is kept
//! as it is, so that a file from a newer version loses nothing.

pub mod codec;
mod curve_codec;
pub mod flow;
pub mod group;
pub mod groups;
pub mod infer;
pub mod input;
pub mod kind;
mod library;
pub mod node;
pub mod opcode;
pub mod page;
pub mod registry;
pub mod special;
pub mod types;

pub use flow::{Flow, Frame, Layout, NodeView, Note, Socket, Wire};
pub use groups::{GroupError, Groups};
pub use input::{InputMode, Lanes};
pub use kind::{Body, FieldDecl, NodeKind, Port, PortType, Signature, Slot};
pub use node::{Node, Setting};
pub use registry::{Registry, registry};
pub use special::Special;
pub use types::Scope;
