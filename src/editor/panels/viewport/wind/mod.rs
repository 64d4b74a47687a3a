//! The preview's wind: a view of how the effect behaves in moving air, never part of the document.

mod parts;

use egui::{
    Align2, Color32, Id, Popup, PopupCloseBehavior, Rect, RectAlign, RichText, ScrollArea, Sense, Ui,
    WidgetInfo, WidgetType,
};
use egui::{pos2, vec2};

use crate::editor::action::{Action, Actions, PlayChange};
use crate::editor::state::EditorState;
use crate::editor::theme::{Tokens, icon};
use crate::editor::widgets::look::Look;
use crate::editor::widgets::number::short;
use crate::vm::WindScene;

/// Height of the button.
const HEIGHT: f32 = 22.0;
/// Width of the popup.
const WIDTH: f32 = 268.0;
/// Part of the window's height that the popup takes at the most.
const TALLEST: f32 = 0.7;

/// Shows the button in the picture's corner, and its popup.
pub(super) fn show(ui: &mut Ui, rect: Rect, state: &EditorState, actions: &mut Actions) {
    let wind = state.wind();
    let text = format!("{}  {}", icon::WIND, said(wind));
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
    let color = if wind.is_still() {
        Color32::from_gray(190)
    } else {
        over.accent
    };
    painter.text(chip.center(), Align2::CENTER_CENTER, text, font, color);
    let tip = "The air that Wind blocks feel in this preview. In a game, the game sets it.";
    let response = response.on_hover_text(tip);
    // Its right end stands still while the text grows and shrinks.
    Popup::from_toggle_button_response(&response)
        .align(RectAlign::BOTTOM_END)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            let margin = egui::Frame::NONE.inner_margin(egui::Margin::same(6));
            margin.show(ui, |ui| popup(ui, state, actions));
        });
}

/// What blows, in few words.
fn said(wind: &WindScene) -> String {
    let speed = wind.uniform.iter().map(|v| v * v).sum::<f32>().sqrt();
    let counted = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    };
    let parts = [
        (speed > 0.0).then(|| format!("{} m/s", short(speed))),
        counted(wind.gusts.len(), "gust", "gusts"),
        counted(wind.vortices.len(), "vortex", "vortices"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("Wind {}", parts.join(" · ")).trim_end().to_owned()
}

fn popup(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let wind = state.wind();
    ui.set_width(WIDTH);
    ui.label(RichText::new("Preview wind").strong());
    let text = "What Wind blocks feel here. It is a view: the effect is saved without it.";
    ui.label(RichText::new(text).color(tokens.text_dim));
    let height = ui.ctx().content_rect().height() * TALLEST;
    let scroll = ScrollArea::vertical()
        .max_height(height)
        .auto_shrink([false, true]);
    let mut wanted = scroll
        .show(ui, |ui| parts::show(ui, wind, &tokens, actions))
        .inner;
    let nothing = wind.is_still() && wind.gusts.is_empty() && wind.vortices.is_empty();
    if ui.add_enabled(!nothing, egui::Button::new("Still air")).clicked() {
        wanted = Some(WindScene {
            region: wind.region,
            ..WindScene::default()
        });
    }
    if let Some(wind) = wanted {
        actions.push(Action::Play(PlayChange::Wind(Box::new(wind))));
    }
}
