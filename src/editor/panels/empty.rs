//! What an empty document offers.

use egui::{Button, RichText, Ui, vec2};

use crate::document::presets::presets;
use crate::editor::action::{Action, Actions, FileRequest};
use crate::editor::commands;
use crate::editor::state::EditorState;

/// An empty document offers the presets.
pub(super) fn document(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let space = ((ui.available_height() - 280.0) * 0.4).max(16.0);
    ui.add_space(space);
    ui.vertical_centered(|ui| {
        ui.heading("Start with an effect that plays");
        ui.label(RichText::new("Change anything: every edit shows at once.").color(tokens.text_dim));
        ui.add_space(12.0);
    });
    let card = vec2(132.0, 56.0);
    let columns = ((ui.available_width() - 32.0) / (card.x + 8.0))
        .floor()
        .clamp(1.0, 3.0);
    let side = ((ui.available_width() - columns * (card.x + 8.0) + 8.0) * 0.5).max(0.0);
    let all: Vec<_> = presets().collect();
    ui.spacing_mut().item_spacing = vec2(8.0, 8.0);
    for row in all.chunks(columns as usize) {
        ui.horizontal(|ui| {
            ui.add_space(side);
            for preset in row {
                let text = RichText::new(preset.title).size(14.0);
                let button = ui.add_sized(card, Button::new(text));
                if button.on_hover_text(preset.description).clicked() {
                    actions.push(Action::File(FileRequest::New(preset.name.to_owned())));
                }
            }
        });
    }
    ui.vertical_centered(|ui| {
        ui.add_space(12.0);
        if let Some(add) = commands::find("emitter.add")
            && ui.button("Or add an emitter").on_hover_text(add.hint).clicked()
        {
            actions.push(Action::Command(add.id));
        }
    });
}
