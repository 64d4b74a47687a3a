//! What is selected, with everything that can be set on it.

mod emission;
mod field;
mod look;
mod node;

use egui::{Frame, Margin, RichText, ScrollArea, Ui};

use crate::editor::action::Actions;
use crate::editor::state::EditorState;

pub(super) fn show(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let margin = Frame::NONE.inner_margin(Margin {
        left: 8,
        right: 4,
        top: 4,
        bottom: 4,
    });
    margin.show(ui, |ui| {
        // A panel shrinks to what is in it; this one stays as high as the artist made it.
        ui.set_min_size(ui.available_size());
        let Some(emitter) = state.emitter() else {
            ui.label(RichText::new("Inspector").strong());
            ui.label(RichText::new("Nothing is selected.").color(tokens.text_dim));
            return;
        };
        ScrollArea::vertical()
            .id_salt("inspector")
            .auto_shrink(false)
            .show(ui, |ui| match (state.node(), state.selection().nodes.len()) {
                (Some(node), _) => node::show(ui, emitter, node, state, actions),
                (None, 0) => {
                    emission::show(ui, emitter, &tokens, actions);
                    look::show(ui, emitter, &tokens, actions);
                }
                (None, count) => {
                    ui.label(RichText::new(format!("{count} nodes")).strong());
                    ui.label(
                        RichText::new("Select one to see its inputs. Delete removes them, M mutes them.")
                            .color(tokens.text_dim),
                    );
                }
            });
    });
}
