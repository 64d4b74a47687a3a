//! The question about unsaved changes.

use egui::{Button, Context, Id, Modal, RichText};

use crate::editor::action::{Action, Actions, Answer};
use crate::editor::state::EditorState;

pub(super) fn show(ctx: &Context, state: &EditorState, actions: &mut Actions) {
    if state.waiting().is_none() {
        return;
    }
    let tokens = state.tokens();
    let modal = Modal::new(Id::new("unsaved")).show(ctx, |ui| {
        ui.set_width(360.0);
        ui.heading(format!("Save the changes to {}?", state.document().name()));
        ui.add_space(4.0);
        ui.label(RichText::new("Without saving, they are lost.").color(tokens.text_dim));
        ui.add_space(12.0);
        ui.horizontal(|ui| {
            let save = Button::new(RichText::new("Save").color(tokens.on_accent)).fill(tokens.accent);
            if ui.add(save).clicked() {
                actions.push(Action::Answer(Answer::Save));
            }
            if ui.button("Don't save").clicked() {
                actions.push(Action::Answer(Answer::Discard));
            }
            if ui.button("Cancel").clicked() {
                actions.push(Action::Answer(Answer::Stay));
            }
        });
    });
    if modal.should_close() {
        actions.push(Action::Answer(Answer::Stay));
    }
}
