//! The middle of the window: the canvas of the flow shown, or a way to begin.

use egui::{Align, Button, Frame, Layout, Margin, Panel, RichText, Ui, vec2};

use super::{button, empty};
use crate::base::diag::FlowKind;
use crate::editor::action::{Action, Actions};
use crate::editor::canvas::{self, CanvasState};
use crate::editor::state::EditorState;
use crate::editor::theme::icon;
use crate::editor::theme::style::ROW;

/// Height of the flows' bar, in points.
const BAR: f32 = 32.0;

pub(super) fn show(ui: &mut Ui, canvas: &mut CanvasState, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let Some(input) = state.canvas_input(&tokens) else {
        empty::document(ui, state, actions);
        return;
    };
    Panel::top("flows")
        .exact_size(BAR)
        .resizable(false)
        .frame(
            Frame::NONE
                .fill(tokens.surface)
                .inner_margin(Margin::symmetric(8, 4)),
        )
        .show(ui, |ui| flows(ui, state, actions));
    canvas::show(ui, canvas, &input, actions);
}

/// The two flows, of which one is shown, with the number of errors in each.
fn flows(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let Some(emitter) = state.emitter() else { return };
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for flow in FlowKind::ALL {
            let shown = state.flow() == flow;
            let errors = state
                .live()
                .errors()
                .filter(|d| d.place.emitter.as_ref() == Some(emitter.id()) && d.place.flow == Some(flow))
                .count();
            let mut text = RichText::new(flow.title());
            if errors > 0 {
                text = RichText::new(format!("{}  {} {errors}", flow.title(), icon::WARNING_CIRCLE))
                    .color(tokens.error);
            } else if shown {
                text = text.color(tokens.on_accent);
            }
            let mut tab = Button::new(text).min_size(vec2(88.0, ROW));
            if shown {
                tab = tab.fill(if errors > 0 { tokens.line } else { tokens.accent });
            }
            let response = ui.add(tab);
            button::name(&response, &format!("{} flow", flow.title()));
            let tip = match flow {
                FlowKind::Birth => "What a new particle starts with",
                FlowKind::EveryFrame => "What happens to every particle in every frame",
            };
            if response.on_hover_text(tip).clicked() {
                actions.push(Action::ShowFlow(flow));
            }
        }
        ui.add_space(8.0);
        ui.add(egui::Label::new(RichText::new(emitter.name()).color(tokens.text_dim)).truncate());
    });
}
