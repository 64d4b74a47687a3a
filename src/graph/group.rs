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

/// A group's inside.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The graph.
    pub flow: Flow,
}

/// Reads a group's file as a node kind.
///
/// # Errors
/// [`FormatError`] with the path of the item that is wrong.
pub fn read_group(bytes: &[u8]) -> Result<NodeKind, FormatError> {
    let item = Json::parse(bytes)?;
    let root = codec::Cursor::root(&item);
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
    Ok(NodeKind {
        id: root.need("id")?.text()?.to_owned(),
        version: root.need("version")?.u32()?,
        title: root.need("title")?.text()?.to_owned(),
        description: root.need("description")?.text()?.to_owned(),
        words: texts("words")?,
        category: root.need("category")?.text()?.to_owned(),
        block,
        slot,
        flows,
        listed: true,
        inputs: ports("inputs")?,
        outputs: ports("outputs")?,
        fields,
        body: Body::Group(std::sync::Arc::new(Group { flow })),
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
