//! What an empty document and an empty flow offer.

use egui::{Align, Button, Layout, RichText, Ui, vec2};

use crate::document::Edit;
use crate::document::presets::presets;
use crate::editor::action::{Action, Actions, FileRequest};
use crate::editor::commands;
use crate::editor::state::{EditorState, fresh_bits};
use crate::graph::{Node, registry};

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

/// Blocks that an empty flow offers.
const FIRST_BLOCKS: [&str; 3] = ["gravity", "drag", "color_over_life"];

/// An empty flow offers a few blocks.
pub(super) fn flow(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let Some(emitter) = state.emitter() else { return };
    let tokens = state.tokens();
    ui.with_layout(Layout::top_down(Align::Min), |ui| {
        ui.label(RichText::new("Nothing happens here yet. Add:").color(tokens.text_dim));
        ui.horizontal_wrapped(|ui| {
            for id in FIRST_BLOCKS {
                let Some(kind) = registry().get(id) else { continue };
                let Some(&flow) = kind.flows.first() else { continue };
                if ui.button(&kind.title).on_hover_text(&kind.description).clicked() {
                    let node = Node::new(state.document().fresh_id(id, fresh_bits()), id);
                    actions.edit(
                        &format!("Add {}", kind.title),
                        Edit::AddNode {
                            emitter: emitter.id().clone(),
                            flow,
                            node: Box::new(node),
                            index: None,
                            position: [0.0, 0.0],
                        },
                    );
                }
            }
        });
    });
}
