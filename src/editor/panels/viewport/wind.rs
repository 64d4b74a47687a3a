//! The preview's wind: a view of how the effect behaves in moving air, never part of the document.

use egui::{
    Align2, Color32, Id, Popup, PopupCloseBehavior, Rect, RichText, Sense, Ui, WidgetInfo, WidgetType,
};
use egui::{pos2, vec2};

use crate::editor::action::{Action, Actions, PlayChange};
use crate::editor::state::EditorState;
use crate::editor::theme::{Tokens, icon};
use crate::editor::widgets::Number;
use crate::editor::widgets::look::{FIELD, Look, ROW, centred, column};
use crate::editor::widgets::number::short;

/// Fastest wind on an axis, in metres a second: a storm.
const FASTEST: f32 = 50.0;
const HEIGHT: f32 = 22.0;

/// Shows the button in the picture's corner, and its popup.
pub(super) fn show(ui: &mut Ui, rect: Rect, state: &EditorState, actions: &mut Actions) {
    let wind = state.view().wind;
    let speed = wind.iter().map(|v| v * v).sum::<f32>().sqrt();
    let blows = speed > 0.0;
    let text = if blows {
        format!("{}  Wind {} m/s", icon::WIND, short(speed))
    } else {
        format!("{}  Wind", icon::WIND)
    };
    // The picture is dark in both themes.
    let over = Tokens::dark();
    let look = Look::panel(&over);
    let font = look.font(11.5);
    let width = look.width(ui, &text, font.clone()) + 16.0;
    let corner = pos2(rect.right() - 8.0 - width, rect.top() + 8.0);
    let chip = Rect::from_min_size(corner, vec2(width, HEIGHT));
    let response = ui.interact(chip, Id::new("preview wind"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Preview wind"));
    let painter = ui.painter().with_clip_rect(rect);
    let shade = if response.hovered() { 200 } else { 130 };
    painter.rect_filled(chip, 4.0, Color32::from_black_alpha(shade));
    let color = if blows {
        over.accent
    } else {
        Color32::from_gray(190)
    };
    painter.text(chip.center(), Align2::CENTER_CENTER, text, font, color);
    let tip = "The air that Wind blocks feel in this preview. In a game, the game sets it.";
    let response = response.on_hover_text(tip);
    Popup::from_toggle_button_response(&response)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            let margin = egui::Frame::NONE.inner_margin(egui::Margin::same(6));
            margin.show(ui, |ui| popup(ui, wind, state, actions));
        });
}

fn popup(ui: &mut Ui, wind: [f32; 3], state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let look = Look::panel(&tokens);
    ui.set_width(228.0);
    ui.label(RichText::new("Preview wind").strong());
    let text =
        "What Wind blocks feel here, in metres a second. It is a view: the effect is saved without it.";
    ui.label(RichText::new(text).color(tokens.text_dim));
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
    let rect = centred(rect, FIELD);
    let id = Id::new("preview wind numbers");
    for (lane, letter) in ["x", "y", "z"].into_iter().enumerate() {
        let name = format!("Wind {letter}");
        let number = Number {
            prefix: letter,
            min: Some(-FASTEST),
            max: Some(FASTEST),
            default: Some(0.0),
            unit: "m/s",
            doc: "0 on all axes is still air",
            ..Number::new(&name, wind[lane])
        };
        let edited = number.show_at(ui, column(rect, 3, lane, 3.0), id.with(lane), &look);
        if edited.begin {
            ui.data_mut(|data| data.insert_temp(id, wind));
        }
        let mut set = edited.value.map(|value| {
            let mut wind = wind;
            wind[lane] = value;
            wind
        });
        if edited.cancel {
            set = ui.data(|data| data.get_temp::<[f32; 3]>(id));
        }
        if let Some(wind) = set {
            actions.push(Action::Play(PlayChange::Wind(wind)));
        }
        if let Some(sentence) = edited.refused {
            actions.push(Action::Say(sentence));
        }
    }
    let still = wind == [0.0; 3];
    if ui.add_enabled(!still, egui::Button::new("Still air")).clicked() {
        actions.push(Action::Play(PlayChange::Wind([0.0; 3])));
    }
}
