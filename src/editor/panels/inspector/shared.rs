//! Fields of the emitter itself: values that all its particles share and that the game can set.

use egui::{Id, Ui};

use super::field::{fields, row};
use super::new_field::{NewWords, new_row};
use super::section::section;
use crate::artifact::Parameter;
use crate::document::{Edit, Emitter};
use crate::editor::action::Actions;
use crate::editor::panels::button;
use crate::editor::theme::{Tokens, icon};
use crate::editor::widgets::ValueEditor;
use crate::editor::widgets::look::{Look, ROW};
use crate::editor::widgets::value::{four, lanes_of};
use crate::graph::kind::{PortType, title_of};
use crate::graph::{FieldDecl, InputMode, Port};

const TIP: &str = "What it is until the game sets it. Emitter field nodes read it";

pub(super) fn show(
    ui: &mut Ui,
    emitter: &Emitter,
    parameters: &[Parameter],
    tokens: &Tokens,
    actions: &mut Actions,
) {
    let count = emitter.emitter_fields().len();
    let note = if count == 0 {
        String::new()
    } else {
        count.to_string()
    };
    section(ui, tokens, "Emitter fields", &note, false, |ui| {
        if count == 0 {
            let text = "Values that all particles of this emitter share, such as how hard it blows. In a graph the \
                        Emitter field node gives one; the game can set it for this emitter alone.";
            ui.label(egui::RichText::new(text).color(tokens.text_dim));
        }
        for field in emitter.emitter_fields() {
            line(ui, emitter, field, tokens, actions);
        }
        let id = Id::new(("new emitter field", emitter.id()));
        let words = NewWords {
            what: "emitter field",
            tip: "Adds the value, which Emitter field nodes can then read",
        };
        new_row(ui, id, tokens, &words, actions, |name, ty| {
            if name.is_empty() {
                return Err("A field of the emitter needs a name.".to_owned());
            }
            if emitter.emitter_fields().iter().any(|field| field.name == name) {
                return Err(format!(
                    "The emitter has a field {name} already. Choose another name."
                ));
            }
            if parameters.iter().any(|parameter| parameter.name == name) {
                return Err(format!(
                    "A parameter is called {name} already. Choose another name."
                ));
            }
            Ok(Edit::AddEmitterField {
                emitter: emitter.id().clone(),
                field: FieldDecl::new(name, ty),
            })
        });
    });
}

/// One field: what it starts with, and its bin.
fn line(ui: &mut Ui, emitter: &Emitter, field: &FieldDecl, tokens: &Tokens, actions: &mut Actions) {
    let id = Id::new(("emitter field", emitter.id(), &field.name));
    let name = format!("Emitter field {}", field.name);
    row(ui, tokens, &title_of(&field.name), TIP, |ui| {
        let rect = fields(ui, ROW + 4.0);
        let port = Port::new("value", PortType::Of(field.ty), InputMode::value(0.0)).doc(TIP);
        let title = format!("{name} · value");
        let editor = ValueEditor {
            name: &title,
            port: &port,
            ty: field.ty,
            unit: false,
            default: Some(lanes_of(field.ty, [0.0; 4])),
        };
        let value = lanes_of(field.ty, field.default.unwrap_or_default());
        let edited = editor.show_at(ui, rect, id, &Look::panel(tokens), value);
        edited.send(actions, &format!("Change {}", field.name), |value| {
            vec![Edit::SetEmitterFieldDefault {
                emitter: emitter.id().clone(),
                name: field.name.clone(),
                default: Some(four(field.ty, value)),
            }]
        });
        let bin = button::icon(
            ui,
            icon::TRASH,
            &format!("{name} · remove"),
            "Removes it, where no node reads it",
            true,
        );
        if bin.clicked() {
            let edit = Edit::RemoveEmitterField {
                emitter: emitter.id().clone(),
                name: field.name.clone(),
            };
            actions.edit(&format!("Remove {}", field.name), edit);
        }
    });
}
