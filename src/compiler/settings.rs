//! Choices on nodes that are none, and wires that lead nowhere, as only a hand-edited file has them.

use super::lower::unknown_kind;
use crate::base::diag::{Diagnostic, FlowKind, Place};
use crate::document::Emitter;
use crate::graph::special::{CURVES, DRAWS};
use crate::graph::{Body, Registry, Setting, Special};
use crate::layout::FieldType;

/// Reports the settings of a flow's nodes and the wires to nodes that do not exist.
pub(super) fn check(emitter: &Emitter, kind: FlowKind, registry: &Registry, out: &mut Vec<Diagnostic>) {
    let flow = emitter.flow(kind);
    for node in flow.nodes().filter(|node| !node.muted) {
        let place = || Place::node(&emitter.id, kind, vec![node.id.clone()]);
        let Some(of) = registry.get(&node.kind) else {
            // Where it stands in the chain or is wired in, lowering says so as an error.
            let used =
                flow.block_index(&node.id).is_some() || flow.wires.values().any(|from| from.node == node.id);
            if !used {
                let (message, help) = unknown_kind(&node.kind);
                out.push(Diagnostic::warning("unknown-node", place(), message).help(help));
            }
            continue;
        };
        let special = match of.body {
            Body::Special(special) => Some(special),
            _ => None,
        };
        for (name, setting) in &node.settings {
            if let Some((code, message, help)) = wrong(special, name, setting, &of.title) {
                let mut place = place();
                place.port = Some(name.clone());
                out.push(if code == "unknown-setting" {
                    Diagnostic::warning(code, place, message).help(help)
                } else {
                    Diagnostic::error(code, place, message).help(help)
                });
            }
        }
    }
    for (to, from) in &flow.wires {
        if flow.node(&to.node).is_none() {
            let place = Place::node(&emitter.id, kind, vec![to.node.clone()]).port(&to.port);
            let message = format!(
                "A wire leads from {from} to \"{}\", which does not exist.",
                to.node
            );
            out.push(Diagnostic::warning("broken-wire", place, message).help("Remove the wire."));
        }
    }
}

/// What is wrong with a setting: code, message, help.
fn wrong(
    special: Option<Special>,
    name: &str,
    setting: &Setting,
    title: &str,
) -> Option<(&'static str, String, String)> {
    let known: Vec<&str> = match special {
        Some(Special::Curve) => CURVES.iter().copied().chain(["type"]).collect(),
        Some(Special::Gradient) => vec!["gradient"],
        Some(special) => special.settings().iter().map(|(name, _)| *name).collect(),
        None => Vec::new(),
    };
    if !known.contains(&name) {
        let message = format!("{title} has no setting {name:?}; what is set there does nothing.");
        let help = if known.is_empty() {
            "It has none at all. What it takes is set under inputs.".to_owned()
        } else {
            format!("Its settings are {}.", known.join(", "))
        };
        return Some(("unknown-setting", message, help));
    }
    let form = |what: &str, help: &str| {
        let message = format!("The setting {name:?} of {title} is no {what}.");
        Some(("bad-setting", message, help.to_owned()))
    };
    match (name, setting) {
        ("gradient", Setting::Gradient(_)) => None,
        ("gradient", _) => form(
            "gradient",
            "Write {\"gradient\": …}, as docs/file-format.md says.",
        ),
        (name, Setting::Curve(_)) if CURVES.contains(&name) => None,
        (name, _) if CURVES.contains(&name) => {
            form("curve", "Write {\"curve\": …}, as docs/file-format.md says.")
        }
        (_, Setting::Text(text)) => {
            let choices: Vec<&str> = match name {
                "type" => FieldType::ALL.iter().map(|ty| ty.name()).collect(),
                "draw" => DRAWS.iter().map(|(value, _)| *value).collect(),
                _ => return None,
            };
            if choices.contains(&text.as_str()) {
                return None;
            }
            let message =
                format!("The setting {name:?} of {title} is {text:?}, which is none of its choices.");
            Some((
                "bad-setting",
                message,
                format!("They are {}.", choices.join(", ")),
            ))
        }
        _ => form("text", "Write a text."),
    }
}
