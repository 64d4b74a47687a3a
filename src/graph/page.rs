//! The pages on nodes for artists, made from the registry as the palette is.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::input::{InputMode, Lanes};
use super::kind::{Body, NodeKind, Port, PortType};
use super::registry::Registry;
use super::special::{CURVES, DRAWS, Special};
use super::types::type_title;
use crate::base::curve::Curve;
use crate::isa::Builtin;
use crate::layout::FieldType;

/// The files of `docs/nodes/`: names and texts, the index first. A test holds the folder to them.
#[must_use]
pub fn node_pages(registry: &Registry) -> Vec<(String, String)> {
    let mut categories: BTreeMap<&str, Vec<&NodeKind>> = BTreeMap::new();
    for kind in registry.kinds().filter(|kind| kind.listed) {
        categories.entry(&kind.category).or_default().push(kind);
    }
    let mut index = String::from(
        "# Blocks and nodes\n\n\
         Made from the node library; do not edit by hand. \
         `MOTE_BLESS=1 cargo test --test core nodes_page` writes these pages anew.\n\n\
         Blocks stand in a flow's chain, in bold here; value nodes are wired into them. An input of the type \
         \"any\" takes a number or a vector, and works lane by lane.\n\n| category | holds |\n| --- | --- |\n",
    );
    let mut pages = Vec::new();
    for (category, mut kinds) in categories {
        kinds.sort_by_key(|kind| (!kind.block, kind.slot, &kind.title));
        let file = format!("{}.md", category.to_lowercase().replace(' ', "-"));
        let titles: Vec<String> = kinds.iter().map(|kind| marked(kind)).collect();
        let _ = writeln!(index, "| [{category}]({file}) | {} |", titles.join(", "));
        let mut page = format!("# {category}\n\nMade from the node library; do not edit by hand.\n");
        for kind in kinds {
            describe(kind, &mut page);
        }
        pages.push((file, page));
    }
    pages.insert(0, ("README.md".to_owned(), index));
    pages
}

fn marked(kind: &NodeKind) -> String {
    if kind.block {
        format!("**{}**", kind.title)
    } else {
        kind.title.clone()
    }
}

fn describe(kind: &NodeKind, page: &mut String) {
    let _ = write!(
        page,
        "\n## {}\n\n{}\n\n`{}`",
        kind.title, kind.description, kind.id
    );
    if kind.block {
        let flows: Vec<&str> = kind.flows.iter().map(|flow| flow.title()).collect();
        let slot = kind.slot.map_or("", |slot| slot.name()).replace('_', " ");
        let _ = write!(page, " · block in {}, placed with {slot}", flows.join(" and "));
    }
    page.push('\n');
    if !kind.inputs.is_empty() {
        page.push_str(
            "\n| input | in files | type | unit | at first | range | what it is |\n\
             | --- | --- | --- | --- | --- | --- | --- |\n",
        );
        for port in &kind.inputs {
            let _ = writeln!(
                page,
                "| {} | `{}` | {} | {} | {} | {} | {} |",
                port.title,
                port.name,
                type_of(port),
                dash(&port.unit),
                default_of(&port.default),
                range_of(port),
                dash(&port.doc)
            );
        }
    }
    if !kind.outputs.is_empty() {
        let outputs: Vec<String> = kind
            .outputs
            .iter()
            .map(|port| {
                let unit = if port.unit.is_empty() { "" } else { ", in " };
                format!(
                    "{} (`{}`, {}{unit}{})",
                    port.title,
                    port.name,
                    type_of(port),
                    port.unit
                )
            })
            .collect();
        let _ = writeln!(page, "\nGives: {}.", outputs.join("; "));
    }
    if let Body::Special(special) = kind.body {
        settings(special, page);
    }
    if !kind.fields.is_empty() {
        let fields: Vec<String> = kind
            .fields
            .iter()
            .map(|field| {
                let passing = if field.transient { ", for this frame" } else { "" };
                format!("`{}` ({}{passing})", field.name, type_title(field.ty))
            })
            .collect();
        let _ = writeln!(page, "\nFields: {}.", fields.join(", "));
    }
    if !kind.words.is_empty() {
        let _ = writeln!(page, "\nAlso found by: {}.", kind.words.join(", "));
    }
}

/// What else is chosen on a node, as files write it.
fn settings(special: Special, page: &mut String) {
    let quoted = |texts: Vec<&str>| {
        texts
            .iter()
            .map(|text| format!("`{text}`"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut rows: Vec<(&str, String)> = Vec::new();
    for (name, default) in special.settings() {
        let choices = match *name {
            "type" => quoted(FieldType::ALL.iter().map(|ty| ty.name()).collect()),
            "draw" => quoted(DRAWS.iter().map(|(value, _)| *value).collect()),
            "builtin" => quoted(Builtin::ALL.iter().map(|builtin| builtin.mnemonic()).collect()),
            "field" if special == Special::EmitterField => "a field of the emitter".to_owned(),
            "field" => "a field of the particles".to_owned(),
            "parameter" => "a parameter's id".to_owned(),
            "lanes" => "one to four of `x`, `y`, `z`, `w`".to_owned(),
            _ => "a name".to_owned(),
        };
        let first = match *default {
            "" => String::new(),
            default => format!("; at first `{default}`"),
        };
        rows.push((name, format!("{choices}{first}")));
    }
    match special {
        Special::Curve => rows.extend(
            CURVES
                .iter()
                .map(|name| (*name, "a curve of one part".to_owned())),
        ),
        Special::Gradient => rows.push(("gradient", "the gradient".to_owned())),
        _ => {}
    }
    for (name, choices) in rows {
        let _ = writeln!(page, "\nSetting `{name}`: {choices}.");
    }
}

fn type_of(port: &Port) -> &'static str {
    match port.ty {
        PortType::Of(ty) => type_title(ty),
        PortType::Any => "any",
    }
}

fn dash(text: &str) -> String {
    if text.is_empty() {
        "–".to_owned()
    } else {
        text.replace('|', "\\|")
    }
}

fn lanes(lanes: Lanes) -> String {
    let values: Vec<String> = lanes.values().iter().map(f32::to_string).collect();
    values.join(", ")
}

fn keys(curve: &Curve) -> String {
    let keys: Vec<String> = curve
        .keys()
        .iter()
        .map(|k| format!("{} at {}", k.v, k.t))
        .collect();
    keys.join(", ")
}

fn default_of(mode: &InputMode) -> String {
    match mode {
        InputMode::Value(value) => lanes(*value),
        InputMode::Random { min, max } => format!("random from {} to {}", lanes(*min), lanes(*max)),
        InputMode::Curve(curve) => format!("curve over life: {}", keys(curve)),
        InputMode::SpeedCurve { curve, range } => {
            let [slow, fast] = range;
            format!("curve over speed from {slow} to {fast} m/s: {}", keys(curve))
        }
        InputMode::Gradient(_) => "gradient over life".to_owned(),
        InputMode::Parameter(_) => "parameter".to_owned(),
        InputMode::Unknown(_) => "–".to_owned(),
    }
}

fn range_of(port: &Port) -> String {
    match (port.min, port.max) {
        (Some(min), Some(max)) => format!("{min} to {max}"),
        (Some(min), None) => format!("from {min}"),
        (None, Some(max)) => format!("up to {max}"),
        (None, None) => "–".to_owned(),
    }
}
