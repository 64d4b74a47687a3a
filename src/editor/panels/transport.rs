//! The transport: time and who simulates.

use egui::{Align, ComboBox, DragValue, Layout, RichText, Slider, TextStyle, Ui};

use super::button::{self, command_icon};
use crate::editor::action::{Action, Actions, PlayChange};
use crate::editor::canvas::edits::bits;
use crate::editor::commands;
use crate::editor::state::EditorState;
use crate::editor::theme::icon;
use crate::play::StepMode;
use crate::play::transport::EXACT_STEP;

/// Room that step mode, seed and driver need, in points.
const NEEDED: f32 = 440.0;

pub(super) fn show(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let player = state.player();
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        command_icon(ui, icon::SKIP_BACK, "play.restart", state, actions);
        let playing = player.transport.playing;
        let glyph = if playing { icon::PAUSE } else { icon::PLAY };
        command_icon(ui, glyph, "play.toggle", state, actions);
        command_icon(ui, icon::SKIP_FORWARD, "play.step", state, actions);
        command_icon(ui, icon::SPARKLE, "play.burst", state, actions);
        ui.add_space(8.0);
        let time = RichText::new(format!("{:8.3} s", player.time()))
            .text_style(TextStyle::Monospace)
            .size(14.0)
            .color(if playing { tokens.text } else { tokens.text_dim });
        ui.label(time).on_hover_text("Effect time since its start");
        ui.add_space(12.0);
        speed(ui, state, actions);
        // What is set once gives way in a narrow window.
        if ui.available_width() > NEEDED {
            ui.add_space(12.0);
            step_mode(ui, state, actions);
            ui.add_space(12.0);
            seed(ui, state, actions);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (id, text) in [("play.split", "Split"), ("play.cpu", "CPU"), ("play.gpu", "GPU")] {
                let Some(command) = commands::find(id) else {
                    continue;
                };
                let chosen = command.is_checked(state) == Some(true);
                let text = if chosen {
                    RichText::new(text).color(tokens.on_accent)
                } else {
                    RichText::new(text)
                };
                let mut button = egui::Button::new(text);
                if chosen {
                    button = button.fill(tokens.accent);
                }
                let response = ui.add_enabled(command.is_enabled(state), button);
                button::name(&response, &command.title(state));
                let tip = command.tooltip(state, ui.ctx());
                let why = "There is no graphics device, so only the CPU simulates.";
                if response.on_hover_text(tip).on_disabled_hover_text(why).clicked() {
                    actions.push(Action::Command(id));
                }
            }
        });
    });
}

fn speed(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let before = state.player().transport.speed;
    let mut speed = before;
    let label = ui.label("Speed");
    let slider = Slider::new(&mut speed, 0.1..=4.0)
        .logarithmic(true)
        .show_value(false);
    let response = ui.add(slider).labelled_by(label.id);
    let tip = "Effect seconds a second. Double click for 1.";
    if response.on_hover_text(tip).double_clicked() {
        speed = 1.0;
    }
    let field = DragValue::new(&mut speed)
        .range(0.1..=4.0)
        .speed(0.01)
        .suffix("×")
        .fixed_decimals(2)
        .update_while_editing(false);
    let response = ui.add(field);
    button::name(&response, "Speed value");
    response.on_hover_text(tip);
    if speed.to_bits() != before.to_bits() {
        actions.push(Action::Play(PlayChange::Speed(speed)));
    }
}

fn step_mode(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let label = ui.label("Step");
    let mode = state.player().transport.mode;
    let title = |mode: StepMode| match mode {
        StepMode::Live => "Live",
        StepMode::Fixed(_) => "Fixed 1/60 s",
    };
    let response = ComboBox::from_id_salt("step-mode")
        .selected_text(title(mode))
        .width(104.0)
        .show_ui(ui, |ui| {
            for choice in [StepMode::Fixed(EXACT_STEP), StepMode::Live] {
                if ui.selectable_label(choice == mode, title(choice)).clicked() {
                    actions.push(Action::Play(PlayChange::Mode(choice)));
                }
            }
        })
        .response
        .labelled_by(label.id);
    response
        .on_hover_text("Fixed steps give the same run every time; live steps are as long as a picture took.");
}

fn seed(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let mut seed = state.player().seed();
    let label = ui.label("Seed");
    let field = DragValue::new(&mut seed).update_while_editing(false).speed(1);
    let response = ui.add(field).labelled_by(label.id);
    let changed = response.changed();
    response.on_hover_text("Another seed gives another run of the same effect.");
    if changed {
        actions.push(Action::Play(PlayChange::Seed(seed)));
    }
    if button::icon(
        ui,
        icon::DICE_FIVE,
        "Random seed",
        "Starts over with a random seed",
        true,
    )
    .clicked()
    {
        actions.push(Action::Play(PlayChange::Seed(bits() % 100_000)));
    }
}
