//! What the canvas shows of a flow: nodes with their rows, ports and places, made from the document and kept
//! until the document changes.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use egui::{Pos2, Rect, Vec2, pos2, vec2};

use super::place;
use crate::artifact::Parameter;
use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::document::{Document, Emitter};
use crate::editor::widgets::input::rows;
use crate::editor::widgets::look::ROW;
use crate::editor::widgets::settings;
use crate::graph::infer::infer;
use crate::graph::types::Scope;
use crate::graph::{Body, Flow, Groups, InputMode, Node, Port, PortType, Registry, Socket, Special};
use crate::layout::FieldType;

/// Height of a node's header.
pub const HEADER: f32 = 26.0;
/// Room under the last row.
pub const FOOT: f32 = 6.0;
/// Width of a block.
pub const BLOCK_WIDTH: f32 = 304.0;
/// Width of a value node without fields.
pub const VALUE_WIDTH: f32 = 176.0;
/// Width of a value node with one field a row.
pub const FIELD_WIDTH: f32 = 232.0;

/// What a row of a node is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// The output of an index.
    Output(usize),
    /// The setting of a name.
    Setting(&'static str),
    /// The input of an index.
    Input(usize),
}

/// A row of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// What it is about.
    pub kind: RowKind,
    /// Its top, below the node's.
    pub top: f32,
    /// Its height.
    pub height: f32,
}

/// An input of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The port as its kind has it.
    pub port: Port,
    /// What it takes, given what is wired and set around it.
    pub ty: FieldType,
    /// What its editor edits: of ports of any type, as wide as the value.
    pub edits: FieldType,
    /// Where its port is, from the node's corner.
    pub at: Vec2,
    /// What is wired into it.
    pub source: Option<Socket>,
}

/// An output of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The port as its kind has it.
    pub port: Port,
    /// What it gives.
    pub ty: FieldType,
    /// Where its port is, from the node's corner.
    pub at: Vec2,
}

/// A node.
#[derive(Debug, Clone)]
pub struct NodeModel {
    /// Its id.
    pub id: Id,
    /// The artist's title for it, or its kind's.
    pub title: String,
    /// What it does.
    pub description: String,
    /// Where its kind stands in the palette.
    pub category: String,
    /// The artist's colour for it.
    pub color: Option<[u8; 3]>,
    /// Its place in the chain; none for a value node.
    pub block: Option<usize>,
    /// Whether the document says where it lies; otherwise it is put somewhere fitting.
    pub placed: bool,
    /// Its kind, where it is a special one.
    pub special: Option<Special>,
    /// Whether its kind is known.
    pub known: bool,
    /// Whether it is switched off.
    pub muted: bool,
    /// Inputs in order.
    pub inputs: Vec<Input>,
    /// Outputs in order.
    pub outputs: Vec<Output>,
    /// Rows from top to bottom.
    pub rows: Vec<Row>,
    /// Corner and extent on the canvas.
    pub rect: Rect,
}

impl NodeModel {
    /// The name of a port for those who cannot see it.
    #[must_use]
    pub fn port_name(&self, port: &Port) -> String {
        format!("{} · {}", self.title, port.title.to_lowercase())
    }

    /// The input of a name.
    #[must_use]
    pub fn input(&self, port: &str) -> Option<&Input> {
        self.inputs.iter().find(|input| input.port.name == port)
    }

    /// The output of a name.
    #[must_use]
    pub fn output(&self, port: &str) -> Option<&Output> {
        self.outputs.iter().find(|output| output.port.name == port)
    }
}

/// A flow as the canvas shows it.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// Blocks in order, then value nodes.
    pub nodes: Vec<NodeModel>,
    /// Index of each node.
    pub index: HashMap<Id, usize>,
    /// What nodes can name.
    pub scope: Scope,
}

impl Model {
    /// The model of a flow.
    #[must_use]
    pub fn new(emitter: &Emitter, kind: FlowKind, document: &Document) -> Self {
        let (parameters, registry) = (document.parameters(), document.registry());
        let flow = emitter.flow(kind);
        let scope = emitter.scope(kind, parameters, registry);
        let types = infer(flow, registry, &scope).outputs;
        let mut nodes = Vec::new();
        for (index, node) in flow.blocks.iter().enumerate() {
            nodes.push(node_model(node, Some(index), flow, registry, &scope, &types));
        }
        for node in flow.values.values() {
            nodes.push(node_model(node, None, flow, registry, &scope, &types));
        }
        let index = nodes.iter().enumerate().map(|(i, n)| (n.id.clone(), i)).collect();
        let mut model = Self { nodes, index, scope };
        place::unplaced(&mut model, flow);
        model
    }

    /// A node.
    #[must_use]
    pub fn node(&self, id: &Id) -> Option<&NodeModel> {
        self.index.get(id).and_then(|&index| self.nodes.get(index))
    }

    /// The blocks, in order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = &NodeModel> {
        self.nodes.iter().filter(|node| node.block.is_some())
    }

    /// Where an input's port is on the canvas, and the input.
    #[must_use]
    pub fn input(&self, socket: &Socket) -> Option<(Pos2, &Input)> {
        let node = self.node(&socket.node)?;
        let input = node.input(&socket.port)?;
        Some((node.rect.min + input.at, input))
    }

    /// Where an output's port is on the canvas, and the output.
    #[must_use]
    pub fn output(&self, socket: &Socket) -> Option<(Pos2, &Output)> {
        let node = self.node(&socket.node)?;
        let output = node.output(&socket.port)?;
        Some((node.rect.min + output.at, output))
    }

    /// The title of a node, or its id where it is gone.
    #[must_use]
    pub fn title(&self, id: &Id) -> String {
        self.node(id)
            .map_or_else(|| id.to_string(), |node| node.title.clone())
    }

    /// What encloses the nodes that `include` names; none where there are none.
    #[must_use]
    pub fn bounds(&self, include: impl Fn(&Id) -> bool) -> Option<Rect> {
        let rects = self.nodes.iter().filter(|n| include(&n.id)).map(|n| n.rect);
        rects.reduce(|a, b| a.union(b))
    }
}

fn node_model(
    node: &Node,
    block: Option<usize>,
    flow: &Flow,
    registry: &Registry,
    scope: &Scope,
    types: &BTreeMap<Id, BTreeMap<String, FieldType>>,
) -> NodeModel {
    let kind = registry.get(&node.kind);
    let signature = registry.signature(node, scope);
    let special = kind.and_then(|kind| match kind.body {
        Body::Special(special) => Some(special),
        _ => None,
    });
    let view = flow.layout.nodes.get(&node.id);
    let title = view
        .and_then(|view| view.title.clone())
        .or_else(|| kind.map(|kind| kind.title.clone()))
        .unwrap_or_else(|| format!("Unknown ({})", node.kind));
    let (inputs, outputs) = signature.map_or_else(Default::default, |signature| {
        (signature.inputs.into_owned(), signature.outputs.into_owned())
    });
    let given = |socket: &Socket| types.get(&socket.node)?.get(&socket.port).copied();
    let of = |ty: PortType, any: FieldType| match ty {
        PortType::Of(ty) => ty,
        PortType::Any => any,
    };
    let outputs: Vec<Output> = outputs
        .into_iter()
        .map(|port| {
            let known = given(&Socket::new(&node.id, &port.name));
            Output {
                ty: known.unwrap_or(of(port.ty, FieldType::Float)),
                port,
                at: Vec2::ZERO,
            }
        })
        .collect();
    let joined = outputs.first().map_or(FieldType::Float, |output| output.ty);
    let inputs: Vec<Input> = inputs
        .into_iter()
        .map(|port| {
            let source = flow.source(&node.id, &port.name).cloned();
            let mode = node.inputs.get(&port.name).unwrap_or(&port.default);
            Input {
                ty: of(port.ty, joined),
                edits: of(port.ty, width_of(mode)),
                port,
                at: Vec2::ZERO,
                source,
            }
        })
        .collect();
    let mut made = NodeModel {
        id: node.id.clone(),
        title,
        description: kind.map_or_else(String::new, |kind| kind.description.clone()),
        category: kind.map_or_else(String::new, |kind| kind.category.clone()),
        color: view.and_then(|view| view.color),
        block,
        special,
        known: kind.is_some(),
        muted: node.muted,
        inputs,
        outputs,
        rows: Vec::new(),
        rect: Rect::NOTHING,
        placed: view.is_some(),
    };
    let corner = view.map_or(egui::Pos2::ZERO, |view| pos2(view.position[0], view.position[1]));
    lay_out(&mut made, node);
    let width = width(&made);
    let height = made.rows.last().map_or(HEADER, |row| row.top + row.height + FOOT);
    for output in &mut made.outputs {
        output.at.x = width;
    }
    made.rect = Rect::from_min_size(corner, vec2(width, height));
    made
}

/// The type that an unwired input of any type edits.
fn width_of(mode: &InputMode) -> FieldType {
    let width = match mode {
        InputMode::Value(lanes) => lanes.width(),
        InputMode::Random { min, max } => min.width().max(max.width()),
        InputMode::Gradient(_) => return FieldType::Color,
        _ => 1,
    };
    match width {
        1 => FieldType::Float,
        2 => FieldType::Vec2,
        3 => FieldType::Vec3,
        _ => FieldType::Vec4,
    }
}

/// The rows and the ports' places.
fn lay_out(made: &mut NodeModel, node: &Node) {
    let mut top = HEADER + 3.0;
    let mut rows_made = Vec::new();
    let mut push = |kind, count: usize| {
        let row = Row {
            kind,
            top,
            height: ROW * count as f32,
        };
        rows_made.push(row);
        top += row.height;
        row.top + ROW * 0.5
    };
    if let [only] = made.outputs.as_mut_slice() {
        // A single output needs no row: its port is on the header.
        only.at.y = HEADER * 0.5;
    } else {
        for (index, output) in made.outputs.iter_mut().enumerate() {
            output.at.y = push(RowKind::Output(index), 1);
        }
    }
    if let Some(special) = made.special {
        for name in settings::names(special, node) {
            push(RowKind::Setting(name), 1);
        }
    }
    for (index, input) in made.inputs.iter_mut().enumerate() {
        let mode = node.inputs.get(&input.port.name).unwrap_or(&input.port.default);
        let count = if input.source.is_some() {
            1
        } else {
            rows(mode, input.edits)
        };
        input.at.y = push(RowKind::Input(index), count);
    }
    made.rows = rows_made;
}

fn width(made: &NodeModel) -> f32 {
    if made.block.is_some() {
        return BLOCK_WIDTH;
    }
    let unwired = || made.inputs.iter().filter(|input| input.source.is_none());
    if unwired().any(|input| input.edits.width() > 1) {
        BLOCK_WIDTH
    } else if unwired().next().is_some()
        || made
            .rows
            .iter()
            .any(|row| matches!(row.kind, RowKind::Setting(_)))
    {
        FIELD_WIDTH
    } else {
        VALUE_WIDTH
    }
}

/// A model and what it was made from: an emitter that is still the same one has not changed.
type Made = (Arc<Emitter>, Vec<Parameter>, Groups, Arc<Model>);

/// The models of flows, made anew when they change.
#[derive(Debug, Clone, Default)]
pub struct Cache {
    made: HashMap<(Id, FlowKind), Made>,
}

impl Cache {
    /// The model of a flow, made anew where the emitter, the parameters or the groups changed.
    pub fn get(&mut self, document: &Document, emitter: &Id, kind: FlowKind) -> Option<Arc<Model>> {
        let now = document.emitters().iter().find(|e| e.id() == emitter)?;
        let key = (emitter.clone(), kind);
        if let Some((of, parameters, groups, model)) = self.made.get(&key)
            && Arc::ptr_eq(of, now)
            && parameters.as_slice() == document.parameters()
            && groups == document.groups()
        {
            return Some(Arc::clone(model));
        }
        let model = Arc::new(Model::new(now, kind, document));
        self.made.retain(|(id, _), _| document.emitter(id).is_some());
        let entry = (
            Arc::clone(now),
            document.parameters().to_vec(),
            document.groups().clone(),
            Arc::clone(&model),
        );
        self.made.insert(key, entry);
        Some(model)
    }
}
