//! Puts blocks, and the value nodes that feed them, into one emitter, through the edits an artist makes.

use std::collections::BTreeMap;

use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::document::edit::EditError;
use crate::document::{Document, Edit};
use crate::graph::{FieldDecl, InputMode, Node, PortType, Setting, Socket};
use crate::layout::FieldType;

/// What a node takes on the canvas besides its rows, the gap to the next one included.
const NODE_HEIGHT: f32 = 54.0;
/// What each input takes.
const ROW_HEIGHT: f32 = 24.0;
/// From one column of value nodes to the next.
const COLUMN: f32 = 240.0;

/// A node to be: its inputs hold what they hold, or another node's output.
#[derive(Debug, Clone)]
pub(super) struct Made {
    id: &'static str,
    kind: &'static str,
    title: Option<&'static str>,
    settings: Vec<(&'static str, Setting)>,
    inputs: Vec<(&'static str, Feed)>,
}

/// What an input gets.
#[derive(Debug, Clone)]
pub(super) enum Feed {
    /// A mode of its own.
    Mode(InputMode),
    /// A wire from a node's output. A node of the same id is the same node, and is put down once.
    Wire(Box<Made>, &'static str),
}

impl From<InputMode> for Feed {
    fn from(mode: InputMode) -> Self {
        Self::Mode(mode)
    }
}

impl From<Made> for Feed {
    /// The output of the common name.
    fn from(made: Made) -> Self {
        made.output("out")
    }
}

/// A node of a kind with an id of its own in the emitter.
pub(super) fn made(id: &'static str, kind: &'static str) -> Made {
    Made {
        id,
        kind,
        title: None,
        settings: Vec::new(),
        inputs: Vec::new(),
    }
}

impl Made {
    /// The same node with what an input gets.
    pub(super) fn feed(mut self, port: &'static str, feed: impl Into<Feed>) -> Self {
        self.inputs.push((port, feed.into()));
        self
    }

    /// The same node with a choice made.
    pub(super) fn set(mut self, name: &'static str, value: &str) -> Self {
        self.settings.push((name, Setting::Text(value.to_owned())));
        self
    }

    /// The same node with a title of its own.
    pub(super) fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// One of its outputs.
    pub(super) fn output(self, port: &'static str) -> Feed {
        Feed::Wire(Box::new(self), port)
    }
}

/// Builds one emitter of a document.
#[derive(Debug)]
pub(super) struct Builder {
    document: Document,
    emitter: Id,
    /// How far down the chain of each flow reaches.
    next: [f32; 2],
}

impl Builder {
    /// A document with one empty emitter, both of this name.
    pub(super) fn new(name: &str) -> Result<Self, EditError> {
        let mut document = Document::new(name);
        let emitter = document.free_id(name);
        document.apply(&Edit::AddEmitter {
            id: emitter.clone(),
            name: name.to_owned(),
            index: None,
        })?;
        Ok(Self {
            document,
            emitter,
            next: [0.0; 2],
        })
    }

    /// Makes an edit of the emitter.
    pub(super) fn edit(&mut self, edit: impl FnOnce(Id) -> Edit) -> Result<(), EditError> {
        self.document.apply(&edit(self.emitter.clone()))?;
        Ok(())
    }

    /// Declares a field that no block brings.
    pub(super) fn field(&mut self, name: &str, ty: FieldType) -> Result<(), EditError> {
        let field = FieldDecl {
            name: name.to_owned(),
            ty,
            default: None,
            transient: false,
        };
        self.edit(|emitter| Edit::AddField { emitter, field })
    }

    /// Puts a block at the end of a chain, with the nodes that feed it on its left.
    pub(super) fn block(&mut self, flow: FlowKind, block: Made) -> Result<(), EditError> {
        let top = self.next[flow as usize];
        let mut columns = BTreeMap::new();
        self.put(flow, block, 0, top, &mut columns)?;
        self.next[flow as usize] = columns.into_values().fold(top, f32::max);
        Ok(())
    }

    /// `columns` says how far down each column is taken.
    fn put(
        &mut self,
        flow: FlowKind,
        of: Made,
        column: u32,
        top: f32,
        columns: &mut BTreeMap<u32, f32>,
    ) -> Result<Id, EditError> {
        let id = Id::new(of.id).map_err(|_| EditError::NoName)?;
        let known = self.document.emitter(&self.emitter);
        if known.is_some_and(|emitter| emitter.flow(flow).node(&id).is_some()) {
            return Ok(id);
        }
        let mut node = Node::new(id.clone(), of.kind);
        node.settings.extend(
            of.settings
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value)),
        );
        let mut wires = Vec::new();
        for (port, feed) in of.inputs {
            match feed {
                Feed::Mode(mode) => node = node.input(port, mode),
                Feed::Wire(from, output) => wires.push((port, from, output)),
            }
        }
        let y = columns.get(&column).copied().unwrap_or(top);
        let height = NODE_HEIGHT + ROW_HEIGHT * self.rows(&node) as f32;
        columns.insert(column, y + height);
        let index = (column == 0).then_some(usize::MAX);
        self.edit(|emitter| Edit::AddNode {
            emitter,
            flow,
            node: Box::new(node),
            index,
            // Not times −COLUMN: the chain's own column is at 0, not at −0.
            position: [0.0 - COLUMN * column as f32, y],
        })?;
        if let Some(title) = of.title {
            let (node, title) = (id.clone(), Some(title.to_owned()));
            self.edit(|emitter| Edit::RenameNode { emitter, node, title })?;
        }
        for (port, from, output) in wires {
            let from = self.put(flow, *from, column + 1, top, columns)?;
            let (from, to) = (Socket::new(&from, output), Socket::new(&id, port));
            self.edit(|emitter| Edit::Connect {
                emitter,
                flow,
                from,
                to,
            })?;
        }
        Ok(id)
    }

    fn rows(&self, node: &Node) -> usize {
        let kind = self.document.registry().get(&node.kind);
        let ports = kind.iter().flat_map(|kind| &kind.inputs);
        let rows = ports.map(|port| {
            let wide = matches!(port.ty, PortType::Of(ty) if ty.width() > 1 && ty != FieldType::Color);
            match node.inputs.get(&port.name).unwrap_or(&port.default) {
                InputMode::Random { .. } if wide => 2,
                _ => 1,
            }
        });
        rows.sum()
    }

    /// The document.
    pub(super) fn finish(self) -> Document {
        self.document
    }
}
