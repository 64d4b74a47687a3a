//! Choices on a node that are no inputs: which field, which value of the engine, which type, which curve.

use egui::{Id, Rect, Ui};

use super::curve::{Over, curve_field};
use super::edited::Edited;
use super::gradient::gradient_field;
use super::lanes::LETTERS;
use super::look::Look;
use super::menu::choice_or;
use super::text::Text;
use super::value::type_label;
use crate::artifact::Parameter;
use crate::document::Emitter;
use crate::graph::kind::title_of;
use crate::graph::special::{CURVES, DRAWS};
use crate::graph::{Node, Scope, Setting, Special};
use crate::isa::Builtin;
use crate::layout::FieldType;

/// What the list of an effect without parameters says.
const NO_PARAMETERS: &str = "The effect has no parameters yet. Add one\nunder Parameters in the inspector.";

/// The names of a special kind's choices, in order of rows.
#[must_use]
pub fn names(special: Special, node: &Node) -> Vec<&'static str> {
    match special {
        Special::Curve => {
            let count = special.chosen_type(node).width() as usize;
            [&["type"], &CURVES[..count]].concat()
        }
        Special::Gradient => vec!["gradient"],
        _ => special.settings().iter().map(|(name, _)| *name).collect(),
    }
}

/// The name of a choice on screen: a curve of several goes by the part that it makes.
#[must_use]
pub fn title(special: Special, node: &Node, name: &str) -> String {
    let part = CURVES.iter().position(|curve| *curve == name);
    match (name, part) {
        ("builtin", _) => "Value".to_owned(),
        (_, Some(part)) if special == Special::Curve => match special.chosen_type(node) {
            FieldType::Float => "Curve".to_owned(),
            FieldType::Color => ["Red", "Green", "Blue", "Opacity"][part].to_owned(),
            _ => LETTERS[part].to_uppercase(),
        },
        _ => title_of(name),
    }
}

/// A choice to edit.
#[derive(Debug, Clone, Copy)]
pub struct SettingEditor<'a> {
    /// The node's title, for those who cannot see it.
    pub title: &'a str,
    /// The node.
    pub node: &'a Node,
    /// Its kind.
    pub special: Special,
    /// Which choice.
    pub name: &'a str,
    /// The emitter.
    pub emitter: &'a Emitter,
    /// What nodes of the flow can name.
    pub scope: &'a Scope,
    /// The effect's parameters.
    pub parameters: &'a [Parameter],
}

impl SettingEditor<'_> {
    /// Paints it into `rect` and says what happened.
    pub fn show_at(&self, ui: &mut Ui, rect: Rect, id: Id, look: &Look<'_>) -> Edited<Setting> {
        let name = format!("{} · {}", self.title, self.name);
        match self.name {
            curve if CURVES.contains(&curve) => {
                let new = Special::new_curve();
                let curve = match self.node.settings.get(curve) {
                    Some(Setting::Curve(curve)) => curve,
                    _ => &new,
                };
                curve_field(ui, rect, id, look, &name, curve, Over::Input)
                    .map(|(curve, _)| Setting::Curve(curve))
            }
            "gradient" => {
                let new = Special::new_gradient();
                let gradient = match self.node.settings.get("gradient") {
                    Some(Setting::Gradient(gradient)) => gradient,
                    _ => &new,
                };
                gradient_field(ui, rect, id, look, &name, gradient).map(Setting::Gradient)
            }
            "name" | "lanes" => self.text(ui, rect, id, look, &name),
            _ => {
                let choices = self.choices();
                let now = self.special.text(self.node, self.name);
                let known = choices.iter().find(|(value, _)| value == now);
                let shown = match known {
                    Some((_, title)) => title.clone(),
                    None if now.is_empty() => "Choose…".to_owned(),
                    None => format!("{now} (missing)"),
                };
                let none = match self.name {
                    "parameter" => NO_PARAMETERS,
                    _ => "There is nothing to choose.",
                };
                let chosen = choice_or(ui, rect, id, look, &name, &shown, &choices, none);
                match chosen {
                    Some(value) if value != now => Edited::whole(Setting::Text(value)),
                    _ => Edited::default(),
                }
            }
        }
    }

    fn choices(&self) -> Vec<(String, String)> {
        let pair = |value: &str, title: String| (value.to_owned(), title);
        match self.name {
            "field" if self.special == Special::EmitterField => {
                let fields = self.emitter.emitter_fields().iter();
                fields
                    .map(|field| pair(&field.name, title_of(&field.name)))
                    .collect()
            }
            "field" => {
                let mut fields: Vec<_> = self.emitter.fields().iter().map(|f| f.name.clone()).collect();
                for name in self.scope.fields.keys() {
                    if !fields.contains(name) {
                        fields.push(name.clone());
                    }
                }
                fields.iter().map(|name| pair(name, title_of(name))).collect()
            }
            "builtin" => {
                let named = |b: &Builtin| pair(b.mnemonic(), title_of(b.mnemonic()));
                Builtin::ALL.iter().map(named).collect()
            }
            "parameter" => self
                .parameters
                .iter()
                .map(|p| pair(p.id.as_str(), p.name.clone()))
                .collect(),
            "type" => {
                let fits = |ty: &FieldType| match self.special {
                    Special::Combine => ty.width() > 1,
                    Special::Curve => !matches!(ty, FieldType::Quat | FieldType::Bool),
                    _ => true,
                };
                let types = FieldType::ALL.into_iter().filter(fits);
                types.map(|ty| pair(ty.name(), type_label(ty))).collect()
            }
            "draw" => DRAWS
                .iter()
                .map(|(value, title)| pair(value, (*title).to_owned()))
                .collect(),
            _ => Vec::new(),
        }
    }

    fn text(&self, ui: &mut Ui, rect: Rect, id: Id, look: &Look<'_>, name: &str) -> Edited<Setting> {
        let text = Text {
            name,
            value: self.special.text(self.node, self.name),
            hint: "",
            doc: "",
        };
        text.show_at(ui, rect, id, look, |_| Ok(())).map(Setting::Text)
    }
}
