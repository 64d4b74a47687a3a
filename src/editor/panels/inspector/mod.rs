//! What is selected, with everything that can be set on it.

mod emission;
mod field;
mod fields;
mod look;
mod new_field;
mod node;
mod parameters;
mod rate;
mod section;
mod shared;

use egui::{Frame, Margin, RichText, ScrollArea, Ui};

use crate::editor::action::Actions;
use crate::editor::state::EditorState;
use crate::editor::widgets::value::type_label;
use crate::layout::FieldType;

pub(super) fn show(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let margin = Frame::NONE.inner_margin(Margin {
        left: 8,
        right: 4,
        top: 4,
        bottom: 4,
    });
    margin.show(ui, |ui| {
        // A panel shrinks to what is in it; this one stays as high as the artist made it.
        ui.set_min_size(ui.available_size());
        ScrollArea::vertical()
            .id_salt("inspector")
            .auto_shrink(false)
            .show(ui, |ui| {
                selected(ui, state, actions);
                parameters::show(ui, state, actions);
            });
    });
}

/// What can be set on what is selected.
fn selected(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let Some(emitter) = state.emitter() else {
        ui.label(RichText::new("Inspector").strong());
        ui.label(RichText::new("Nothing is selected.").color(tokens.text_dim));
        return;
    };
    match (state.node(), state.selection().nodes.len()) {
        (Some(node), _) => node::show(ui, emitter, node, state, actions),
        (None, 0) => {
            emission::show(ui, emitter, &tokens, actions);
            look::show(ui, emitter, &tokens, actions);
            let document = state.document();
            fields::show(ui, emitter, document.registry(), &tokens, actions);
            shared::show(ui, emitter, document.parameters(), &tokens, actions);
        }
        (None, count) => {
            ui.label(RichText::new(format!("{count} nodes")).strong());
            ui.label(
                RichText::new("Select one to see its inputs. Delete removes them, M mutes them.")
                    .color(tokens.text_dim),
            );
        }
    }
}

/// The types that a value can have: names in files and on screen.
fn types() -> Vec<(String, String)> {
    FieldType::ALL
        .into_iter()
        .map(|ty| (ty.name().to_owned(), type_label(ty)))
        .collect()
}
