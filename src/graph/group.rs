//! A group: a flow with named inputs and outputs, used as a node.
//!
//! Inside, one node of kind `group_input` offers the group's inputs as its outputs, and one of kind
//! `group_output` takes its outputs as inputs. A group whose flow has blocks is itself a block.

use super::codec::{self, FormatError};
use super::flow::Flow;
use super::input::InputMode;
use super::kind::{Body, FieldDecl, NodeKind, Port, PortType, Slot, title_of};
use crate::base::diag::FlowKind;
use crate::base::json::Json;
use crate::layout::FieldType;

/// Where groups stand in the palette that name no category.
pub const OWN_CATEGORY: &str = "Group";

/// A group's inside.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The graph. It does not change once the group is made.
    pub flow: Flow,
}

impl Group {
    /// A group of a flow.
    #[must_use]
    pub fn new(flow: Flow) -> Self {
        Self { flow }
    }
}

/// Reads a group's file as a node kind.
///
/// # Errors
/// [`FormatError`] with the path of the item that is wrong.
pub fn read_group(bytes: &[u8]) -> Result<NodeKind, FormatError> {
    let item = Json::parse(bytes)?;
    read_group_item(&codec::Cursor::root(&item))
}

/// Reads a group as an item of a file.
///
/// # Errors
/// [`FormatError`] with the path of the item that is wrong.
pub fn read_group_item(root: &codec::Cursor<'_>) -> Result<NodeKind, FormatError> {
    let flow = codec::read_flow(&root.need("graph")?)?;
    let slot = match root.get("slot") {
        None => None,
        Some(slot) => {
            let name = slot.text()?;
            Some(Slot::from_name(name).ok_or_else(|| slot.error(format!("there is no slot {name:?}")))?)
        }
    };
    let block = !flow.blocks.is_empty();
    let mut flows = match (slot, block) {
        (Some(slot), true) => slot.flows().to_vec(),
        _ => FlowKind::ALL.to_vec(),
    };
    if let Some(list) = root.get("flows") {
        flows = list
            .elements()?
            .iter()
            .map(|item| {
                let name = item.text()?;
                FlowKind::ALL
                    .into_iter()
                    .find(|flow| flow.name() == name)
                    .ok_or_else(|| item.error(format!("there is no flow {name:?}")))
            })
            .collect::<Result<_, _>>()?;
    }
    let ports = |name: &str| -> Result<Vec<Port>, FormatError> {
        match root.get(name) {
            Some(list) => list.elements()?.iter().map(read_port).collect(),
            None => Ok(Vec::new()),
        }
    };
    let texts = |name: &str| -> Result<Vec<String>, FormatError> {
        match root.get(name) {
            Some(list) => list
                .elements()?
                .iter()
                .map(|t| Ok(t.text()?.to_owned()))
                .collect(),
            None => Ok(Vec::new()),
        }
    };
    let fields = match root.get("fields") {
        Some(list) => list
            .elements()?
            .iter()
            .map(codec::read_field)
            .collect::<Result<Vec<FieldDecl>, _>>()?,
        None => Vec::new(),
    };
    let text = |name: &str, usual: &str| -> Result<String, FormatError> {
        root.get(name).map_or(Ok(usual), |t| t.text()).map(str::to_owned)
    };
    let id = root.need("id")?.text()?.to_owned();
    Ok(NodeKind {
        version: root.get("version").map_or(Ok(1), |v| v.u32())?,
        title: text("title", &title_of(&id))?,
        description: text("description", "")?,
        words: texts("words")?,
        category: text("category", OWN_CATEGORY)?,
        id,
        block,
        slot,
        flows,
        listed: true,
        inputs: ports("inputs")?,
        outputs: ports("outputs")?,
        fields,
        body: Body::Group(std::sync::Arc::new(Group::new(flow))),
    })
}

fn read_port(item: &codec::Cursor<'_>) -> Result<Port, FormatError> {
    let name = item.need("name")?.text()?.to_owned();
    let ty = item.need("type")?;
    let ty = match ty.text()? {
        "any" => PortType::Any,
        name => PortType::Of(
            FieldType::ALL
                .into_iter()
                .find(|t| t.name() == name)
                .ok_or_else(|| ty.error(format!("there is no type {name:?}")))?,
        ),
    };
    let text = |key: &str| -> Result<Option<String>, FormatError> {
        item.get(key).map(|t| Ok(t.text()?.to_owned())).transpose()
    };
    let number =
        |key: &str| -> Result<Option<f32>, FormatError> { item.get(key).map(|n| n.f32()).transpose() };
    Ok(Port {
        title: text("title")?.unwrap_or_else(|| title_of(&name)),
        ty,
        default: match item.get("default") {
            Some(mode) => codec::read_input(&mode)?,
            None => InputMode::value(0.0),
        },
        unit: text("unit")?.unwrap_or_default(),
        min: number("min")?,
        max: number("max")?,
        doc: text("doc")?.unwrap_or_default(),
        name,
    })
}

/// The inverse of [`read_group`], for a kind that is a group.
#[must_use]
pub fn write_group(kind: &NodeKind) -> Json {
    let mut items = vec![
        ("id", Json::text(kind.id.as_str())),
        ("version", Json::u32(kind.version)),
        ("title", Json::text(kind.title.as_str())),
        ("category", Json::text(kind.category.as_str())),
    ];
    if let Body::Group(group) = &kind.body {
        items.push(("graph", codec::write_flow(&group.flow)));
    }
    if !kind.description.is_empty() {
        items.push(("description", Json::text(kind.description.as_str())));
    }
    if !kind.words.is_empty() {
        items.push((
            "words",
            Json::array(kind.words.iter().map(|w| Json::text(w.as_str()))),
        ));
    }
    if let Some(slot) = kind.slot {
        items.push(("slot", Json::text(slot.name())));
    }
    if kind.block {
        let flows = kind.flows.iter().map(|flow| Json::text(flow.name()));
        items.push(("flows", Json::array(flows)));
    }
    for (name, ports) in [("inputs", &kind.inputs), ("outputs", &kind.outputs)] {
        if !ports.is_empty() {
            items.push((name, Json::array(ports.iter().map(write_port))));
        }
    }
    if !kind.fields.is_empty() {
        items.push(("fields", Json::array(kind.fields.iter().map(codec::write_field))));
    }
    Json::object(items)
}

fn write_port(port: &Port) -> Json {
    let ty = match port.ty {
        PortType::Any => "any",
        PortType::Of(ty) => ty.name(),
    };
    let mut items = vec![("name", Json::text(port.name.as_str())), ("type", Json::text(ty))];
    if port.title != title_of(&port.name) {
        items.push(("title", Json::text(port.title.as_str())));
    }
    if port.default != InputMode::value(0.0) {
        items.push(("default", codec::write_input(&port.default)));
    }
    for (name, text) in [("unit", &port.unit), ("doc", &port.doc)] {
        if !text.is_empty() {
            items.push((name, Json::text(text.as_str())));
        }
    }
    for (name, bound) in [("min", port.min), ("max", port.max)] {
        if let Some(bound) = bound {
            items.push((name, Json::f32(bound)));
        }
    }
    Json::object(items)
}
