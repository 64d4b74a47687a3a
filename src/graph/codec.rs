//! Nodes, inputs, curves and flows as JSON, for documents and for the library's groups.

use std::collections::BTreeMap;

use thiserror::Error;

pub use super::curve_codec::{read_curve, read_gradient, write_curve, write_gradient};
use super::flow::{Flow, Frame, Layout, NodeView, Note, Socket};
use super::input::{InputMode, Lanes, SPEEDS};
use super::kind::FieldDecl;
use super::node::{Node, Setting};
use crate::base::id::Id;
use crate::base::json::{Item, Json, JsonError};
use crate::layout::FieldType;

/// Why a file is no graph: the item, its place, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}line {line}, column {column}: {message}", prefix(.path))]
pub struct FormatError {
    /// Path of the item, such as `emitters[0].birth.blocks[3].inputs.lifetime`; empty for the whole file.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

fn prefix(path: &str) -> String {
    if path.is_empty() {
        String::new()
    } else {
        format!("{path}: ")
    }
}

impl From<JsonError> for FormatError {
    fn from(error: JsonError) -> Self {
        Self {
            path: String::new(),
            line: error.line,
            column: error.column,
            message: error.message,
        }
    }
}

/// An item with the path to it.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    item: &'a Item,
    path: String,
}

impl<'a> Cursor<'a> {
    /// A whole file.
    #[must_use]
    pub fn root(item: &'a Item) -> Self {
        Self {
            item,
            path: String::new(),
        }
    }

    /// The item.
    #[must_use]
    pub fn item(&self) -> &'a Item {
        self.item
    }

    /// The path to it.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// An error here.
    #[must_use]
    pub fn error(&self, message: impl Into<String>) -> FormatError {
        FormatError {
            path: self.path.clone(),
            line: self.item.line,
            column: self.item.column,
            message: message.into(),
        }
    }

    fn child(&self, key: &str, item: &'a Item) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        Self {
            item,
            path: format!("{}{dot}{key}", self.path),
        }
    }

    /// An item of this object, where it has one of that name.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Self> {
        match &self.item.value {
            Json::Object(items) => items
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, item)| self.child(key, item)),
            _ => None,
        }
    }

    /// An item that must be there.
    ///
    /// # Errors
    /// Says what is missing.
    pub fn need(&self, key: &str) -> Result<Self, FormatError> {
        self.get(key)
            .ok_or_else(|| self.error(format!("{key:?} is missing")))
    }

    /// The named items.
    ///
    /// # Errors
    /// Where this is no object.
    pub fn entries(&self) -> Result<Vec<(&'a str, Self)>, FormatError> {
        match &self.item.value {
            Json::Object(items) => Ok(items
                .iter()
                .map(|(name, item)| (name.as_str(), self.child(name, item)))
                .collect()),
            _ => Err(self.error("an object in braces is expected here")),
        }
    }

    /// The list's items.
    ///
    /// # Errors
    /// Where this is no list.
    pub fn elements(&self) -> Result<Vec<Self>, FormatError> {
        match &self.item.value {
            Json::Array(items) => Ok(items
                .iter()
                .enumerate()
                .map(|(i, item)| Self {
                    item,
                    path: format!("{}[{i}]", self.path),
                })
                .collect()),
            _ => Err(self.error("a list in brackets is expected here")),
        }
    }

    /// The text.
    ///
    /// # Errors
    /// Where this is no text.
    pub fn text(&self) -> Result<&'a str, FormatError> {
        match &self.item.value {
            Json::Text(text) => Ok(text),
            _ => Err(self.error("a text in quotes is expected here")),
        }
    }

    /// The id.
    ///
    /// # Errors
    /// Where this is no id.
    pub fn id(&self) -> Result<Id, FormatError> {
        Id::new(self.text()?).map_err(|e| self.error(e.to_string()))
    }

    /// True or false.
    ///
    /// # Errors
    /// Where this is neither.
    pub fn bool(&self) -> Result<bool, FormatError> {
        match self.item.value {
            Json::Bool(value) => Ok(value),
            _ => Err(self.error("true or false is expected here")),
        }
    }

    /// The number.
    ///
    /// # Errors
    /// Where this is no number or one that no float can hold.
    pub fn f32(&self) -> Result<f32, FormatError> {
        let Json::Number(text) = &self.item.value else {
            return Err(self.error("a number is expected here"));
        };
        match text.parse::<f32>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(self.error(format!("the number {text} is too large; ±3.4e38 is the most"))),
        }
    }

    /// The whole number. `5.0` counts as one.
    ///
    /// # Errors
    /// Where this is no number, negative, broken or above 4,294,967,295.
    pub fn u32(&self) -> Result<u32, FormatError> {
        let Json::Number(text) = &self.item.value else {
            return Err(self.error("a whole number is expected here"));
        };
        let value = text.parse::<f64>().unwrap_or(f64::INFINITY);
        if value.fract() != 0.0 && value.is_finite() {
            Err(self.error(format!("a whole number is expected here, not {text}")))
        } else if !(0.0..=f64::from(u32::MAX)).contains(&value) {
            Err(self.error(format!("the number {text} is outside 0 to 4294967295")))
        } else {
            Ok(value as u32)
        }
    }

    /// One to four numbers.
    ///
    /// # Errors
    /// Where this is neither a number nor such a list.
    pub fn lanes(&self) -> Result<Lanes, FormatError> {
        if !matches!(self.item.value, Json::Array(_)) {
            return Ok(Lanes::scalar(self.f32()?));
        }
        let values = self.numbers()?;
        Lanes::new(&values).ok_or_else(|| self.error("one to four numbers belong here"))
    }

    /// A list of numbers.
    ///
    /// # Errors
    /// Where this is none.
    pub fn numbers(&self) -> Result<Vec<f32>, FormatError> {
        self.elements()?.iter().map(Self::f32).collect()
    }

    /// A list of exactly `N` numbers.
    ///
    /// # Errors
    /// Where this is none.
    pub fn numbers_of<const N: usize>(&self) -> Result<[f32; N], FormatError> {
        self.numbers()?
            .try_into()
            .map_err(|list: Vec<f32>| self.error(format!("{N} numbers belong here, not {}", list.len())))
    }

    /// A field type by name.
    ///
    /// # Errors
    /// Where there is none of that name.
    pub fn field_type(&self) -> Result<FieldType, FormatError> {
        let name = self.text()?;
        FieldType::ALL
            .into_iter()
            .find(|ty| ty.name() == name)
            .ok_or_else(|| self.error(format!("there is no type {name:?}")))
    }

    /// The items of this object whose names are not in `known`, as they are.
    #[must_use]
    pub fn others(&self, known: &[&str]) -> Vec<(String, Json)> {
        match &self.item.value {
            Json::Object(items) => items
                .iter()
                .filter(|(name, _)| !known.contains(&name.as_str()))
                .map(|(name, item)| (name.clone(), item.value.clone()))
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// Lanes as a number or a list of numbers.
#[must_use]
pub fn write_lanes(lanes: Lanes) -> Json {
    match lanes.values() {
        [single] => Json::f32(*single),
        several => write_numbers(several),
    }
}

/// A list of numbers.
#[must_use]
pub fn write_numbers(values: &[f32]) -> Json {
    Json::array(values.iter().map(|&v| Json::f32(v)))
}

/// What an unwired input holds.
///
/// # Errors
/// Where a known mode is malformed. An unknown mode is kept.
pub fn read_input(cursor: &Cursor<'_>) -> Result<InputMode, FormatError> {
    match &cursor.item().value {
        Json::Number(_) | Json::Array(_) => return Ok(InputMode::Value(cursor.lanes()?)),
        Json::Bool(value) => return Ok(InputMode::value(if *value { 1.0 } else { 0.0 })),
        _ => {}
    }
    if let Some(ends) = cursor.get("random") {
        let [min, max] = &ends.elements()?[..] else {
            return Err(ends.error("two ends belong here"));
        };
        return Ok(InputMode::Random {
            min: min.lanes()?,
            max: max.lanes()?,
        });
    }
    if let Some(curve) = cursor.get("curve") {
        let over = cursor.get("over").map(|over| over.text()).transpose()?;
        return Ok(match over {
            None | Some("life") => InputMode::Curve(read_curve(&curve)?),
            Some("speed") => InputMode::SpeedCurve {
                curve: read_curve(&curve)?,
                range: cursor
                    .get("range")
                    .map_or(Ok(SPEEDS), |range| range.numbers_of())?,
            },
            Some(_) => InputMode::Unknown(cursor.item().value.clone()),
        });
    }
    if let Some(gradient) = cursor.get("gradient") {
        return Ok(InputMode::Gradient(read_gradient(&gradient)?));
    }
    if let Some(parameter) = cursor.get("parameter") {
        return Ok(InputMode::Parameter(parameter.id()?));
    }
    Ok(InputMode::Unknown(cursor.item().value.clone()))
}

/// The inverse of [`read_input`].
#[must_use]
pub fn write_input(mode: &InputMode) -> Json {
    match mode {
        InputMode::Value(lanes) => write_lanes(*lanes),
        InputMode::Random { min, max } => {
            Json::object([("random", Json::array([write_lanes(*min), write_lanes(*max)]))])
        }
        InputMode::Curve(curve) => Json::object([("curve", write_curve(curve))]),
        InputMode::SpeedCurve { curve, range } => {
            let mut items = vec![("curve", write_curve(curve)), ("over", Json::text("speed"))];
            if *range != SPEEDS {
                items.push(("range", write_numbers(range)));
            }
            Json::object(items)
        }
        InputMode::Gradient(gradient) => Json::object([("gradient", write_gradient(gradient))]),
        InputMode::Parameter(id) => Json::object([("parameter", Json::text(id.as_str()))]),
        InputMode::Unknown(json) => json.clone(),
    }
}

fn read_setting(cursor: &Cursor<'_>) -> Result<Setting, FormatError> {
    Ok(match &cursor.item().value {
        Json::Text(text) => Setting::Text(text.clone()),
        _ => match (cursor.get("curve"), cursor.get("gradient")) {
            (Some(curve), _) => Setting::Curve(read_curve(&curve)?),
            (_, Some(gradient)) => Setting::Gradient(read_gradient(&gradient)?),
            _ => Setting::Unknown(cursor.item().value.clone()),
        },
    })
}

fn write_setting(setting: &Setting) -> Json {
    match setting {
        Setting::Text(text) => Json::text(text.as_str()),
        Setting::Curve(curve) => Json::object([("curve", write_curve(curve))]),
        Setting::Gradient(gradient) => Json::object([("gradient", write_gradient(gradient))]),
        Setting::Unknown(json) => json.clone(),
    }
}

/// Kinds under their older names.
const OLD_KINDS: [(&str, &str); 2] = [("attribute", "get_field"), ("setAttribute", "set_field")];

/// A node.
///
/// # Errors
/// Where it is malformed. A node of an unknown kind is none.
pub fn read_node(cursor: &Cursor<'_>) -> Result<Node, FormatError> {
    let kind = cursor.need("kind")?.text()?;
    let kind = OLD_KINDS
        .iter()
        .find(|(old, _)| *old == kind)
        .map_or(kind, |(_, new)| new);
    let mut node = Node::new(cursor.need("id")?.id()?, kind);
    if let Some(inputs) = cursor.get("inputs") {
        for (name, item) in inputs.entries()? {
            node.inputs.insert(name.to_owned(), read_input(&item)?);
        }
    }
    if let Some(settings) = cursor.get("settings") {
        for (name, item) in settings.entries()? {
            let name = if name == "attribute" { "field" } else { name };
            node.settings.insert(name.to_owned(), read_setting(&item)?);
        }
    }
    if let Some(muted) = cursor.get("muted") {
        node.muted = muted.bool()?;
    }
    node.extra = cursor.others(&["kind", "id", "inputs", "settings", "muted"]);
    Ok(node)
}

/// The inverse of [`read_node`].
#[must_use]
pub fn write_node(node: &Node) -> Json {
    let mut items = vec![
        ("id".to_owned(), Json::text(node.id.as_str())),
        ("kind".to_owned(), Json::text(node.kind.as_str())),
    ];
    if !node.inputs.is_empty() {
        let inputs = node
            .inputs
            .iter()
            .map(|(name, mode)| (name.as_str(), write_input(mode)));
        items.push(("inputs".to_owned(), Json::object(inputs)));
    }
    if !node.settings.is_empty() {
        let settings = node
            .settings
            .iter()
            .map(|(name, s)| (name.as_str(), write_setting(s)));
        items.push(("settings".to_owned(), Json::object(settings)));
    }
    if node.muted {
        items.push(("muted".to_owned(), Json::Bool(true)));
    }
    items.extend(node.extra.iter().cloned());
    Json::object(items)
}

/// A field as it is declared.
///
/// # Errors
/// Where it is malformed.
pub fn read_field(cursor: &Cursor<'_>) -> Result<FieldDecl, FormatError> {
    let default = match cursor.get("default") {
        Some(item) => {
            let lanes = item.lanes()?;
            Some([0, 1, 2, 3].map(|lane| lanes.lane(lane)))
        }
        None => None,
    };
    Ok(FieldDecl {
        name: cursor.need("name")?.text()?.to_owned(),
        ty: cursor.need("type")?.field_type()?,
        default,
        transient: cursor.get("transient").map_or(Ok(false), |t| t.bool())?,
    })
}

/// The inverse of [`read_field`].
#[must_use]
pub fn write_field(field: &FieldDecl) -> Json {
    let mut items = vec![
        ("name", Json::text(field.name.as_str())),
        ("type", Json::text(field.ty.name())),
    ];
    if let Some(default) = field.default {
        items.push(("default", write_numbers(&default[..field.ty.width() as usize])));
    }
    if field.transient {
        items.push(("transient", Json::Bool(true)));
    }
    Json::object(items)
}

fn read_socket(cursor: &Cursor<'_>, text: &str) -> Result<Socket, FormatError> {
    let (node, port) = text
        .trim()
        .split_once('.')
        .ok_or_else(|| cursor.error(format!("{text:?} names no port; write node.port")))?;
    let node = Id::new(node).map_err(|e| cursor.error(e.to_string()))?;
    Ok(Socket {
        node,
        port: port.to_owned(),
    })
}

/// A flow: `blocks`, `values`, `wires` as `"node.port -> node.port"`, and `layout`.
///
/// # Errors
/// Where it is malformed, two nodes have one id or two wires one input.
pub fn read_flow(cursor: &Cursor<'_>) -> Result<Flow, FormatError> {
    let mut flow = Flow::default();
    let mut seen = std::collections::BTreeSet::new();
    for (list, block) in [("blocks", true), ("values", false)] {
        for item in cursor.get(list).map_or(Ok(Vec::new()), |l| l.elements())? {
            let node = read_node(&item)?;
            if !seen.insert(node.id.clone()) {
                return Err(item.error(format!("two nodes have the id {:?}", node.id.as_str())));
            }
            if block {
                flow.blocks.push(node);
            } else {
                flow.values.insert(node.id.clone(), node);
            }
        }
    }
    for item in cursor.get("wires").map_or(Ok(Vec::new()), |l| l.elements())? {
        let text = item.text()?;
        let (from, to) = text
            .split_once("->")
            .ok_or_else(|| item.error("a wire is written \"node.port -> node.port\""))?;
        let (from, to) = (read_socket(&item, from)?, read_socket(&item, to)?);
        if flow.wires.insert(to.clone(), from).is_some() {
            return Err(item.error(format!("two wires lead into {to}")));
        }
    }
    if let Some(layout) = cursor.get("layout") {
        flow.layout = read_layout(&layout)?;
    }
    Ok(flow)
}

/// The inverse of [`read_flow`].
#[must_use]
pub fn write_flow(flow: &Flow) -> Json {
    let mut items = Vec::new();
    if !flow.blocks.is_empty() {
        items.push(("blocks", Json::array(flow.blocks.iter().map(write_node))));
    }
    if !flow.values.is_empty() {
        items.push(("values", Json::array(flow.values.values().map(write_node))));
    }
    if !flow.wires.is_empty() {
        let wires = flow
            .wires
            .iter()
            .map(|(to, from)| Json::text(format!("{from} -> {to}")));
        items.push(("wires", Json::array(wires)));
    }
    if flow.layout != Layout::default() {
        items.push(("layout", write_layout(&flow.layout)));
    }
    Json::object(items)
}

fn read_color(cursor: &Cursor<'_>) -> Result<[u8; 3], FormatError> {
    let text = cursor.text()?;
    let bits = text
        .strip_prefix('#')
        .filter(|hex| hex.len() == 6)
        .and_then(|hex| u32::from_str_radix(hex, 16).ok())
        .ok_or_else(|| cursor.error("a colour is written \"#rrggbb\""))?;
    Ok([(bits >> 16) as u8, (bits >> 8) as u8, bits as u8])
}

fn write_color([r, g, b]: [u8; 3]) -> Json {
    Json::text(format!("#{r:02x}{g:02x}{b:02x}"))
}

fn read_layout(cursor: &Cursor<'_>) -> Result<Layout, FormatError> {
    let mut layout = Layout::default();
    let color = |item: &Cursor<'_>| item.get("color").map(|c| read_color(&c)).transpose();
    if let Some(nodes) = cursor.get("nodes") {
        let mut views = BTreeMap::new();
        for (name, item) in nodes.entries()? {
            let id = Id::new(name).map_err(|e| item.error(e.to_string()))?;
            let view = NodeView {
                position: item.need("at")?.numbers_of()?,
                title: item
                    .get("title")
                    .map(|t| Ok::<_, FormatError>(t.text()?.to_owned()))
                    .transpose()?,
                color: color(&item)?,
            };
            views.insert(id, view);
        }
        layout.nodes = views;
    }
    for item in cursor.get("frames").map_or(Ok(Vec::new()), |l| l.elements())? {
        layout.frames.push(Frame {
            id: item.need("id")?.id()?,
            title: item.need("title")?.text()?.to_owned(),
            rect: item.need("rect")?.numbers_of()?,
            color: color(&item)?,
        });
    }
    for item in cursor.get("notes").map_or(Ok(Vec::new()), |l| l.elements())? {
        layout.notes.push(Note {
            id: item.need("id")?.id()?,
            text: item.need("text")?.text()?.to_owned(),
            position: item.need("at")?.numbers_of()?,
        });
    }
    Ok(layout)
}

fn write_layout(layout: &Layout) -> Json {
    let mut items = Vec::new();
    if !layout.nodes.is_empty() {
        let nodes = layout.nodes.iter().map(|(id, view)| {
            let mut parts = vec![("at", write_numbers(&view.position))];
            if let Some(title) = &view.title {
                parts.push(("title", Json::text(title.as_str())));
            }
            if let Some(color) = view.color {
                parts.push(("color", write_color(color)));
            }
            (id.as_str(), Json::object(parts))
        });
        items.push(("nodes", Json::object(nodes)));
    }
    if !layout.frames.is_empty() {
        let frames = layout.frames.iter().map(|frame| {
            let mut parts = vec![
                ("id", Json::text(frame.id.as_str())),
                ("title", Json::text(frame.title.as_str())),
                ("rect", write_numbers(&frame.rect)),
            ];
            if let Some(color) = frame.color {
                parts.push(("color", write_color(color)));
            }
            Json::object(parts)
        });
        items.push(("frames", Json::array(frames)));
    }
    if !layout.notes.is_empty() {
        let notes = layout.notes.iter().map(|note| {
            Json::object([
                ("id", Json::text(note.id.as_str())),
                ("text", Json::text(note.text.as_str())),
                ("at", write_numbers(&note.position)),
            ])
        });
        items.push(("notes", Json::array(notes)));
    }
    Json::object(items)
}
