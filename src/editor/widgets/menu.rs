//! A choice out of a list, and the small buttons that open menus.

use egui::{Align2, Id, Popup, PopupCloseBehavior, Rect, Response, Sense, Ui, WidgetInfo, WidgetType};

use super::look::Look;

/// A button of one icon, with its name for those who cannot see it and as its tooltip.
pub fn icon_button(ui: &Ui, rect: Rect, id: Id, look: &Look<'_>, icon: &str, name: &str) -> Response {
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, ui.is_enabled(), name));
    let tokens = look.tokens;
    if response.hovered() {
        ui.painter()
            .rect_filled(rect, look.px(3.0), tokens.text_dim.gamma_multiply(0.25));
    }
    let color = if response.hovered() {
        tokens.text
    } else {
        tokens.text_dim
    };
    ui.painter()
        .text(rect.center(), Align2::CENTER_CENTER, icon, look.font(13.0), color);
    response
}

/// A field that shows the choice made and opens a list; gives the choice newly made.
pub fn choice(
    ui: &mut Ui,
    rect: Rect,
    id: Id,
    look: &Look<'_>,
    name: &str,
    shown: &str,
    choices: &[(String, String)],
) -> Option<String> {
    choice_or(
        ui,
        rect,
        id,
        look,
        name,
        shown,
        choices,
        "There is nothing to choose.",
    )
}

/// [`choice`], with what an empty list says.
#[allow(clippy::too_many_arguments, reason = "a widget, its place and its choices")]
pub fn choice_or(
    ui: &mut Ui,
    rect: Rect,
    id: Id,
    look: &Look<'_>,
    name: &str,
    shown: &str,
    choices: &[(String, String)],
    none: &str,
) -> Option<String> {
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo {
        current_text_value: Some(shown.to_owned()),
        ..WidgetInfo::labeled(WidgetType::ComboBox, ui.is_enabled(), name)
    });
    let tokens = look.tokens;
    look.field(ui.painter(), rect, response.hovered(), None);
    let left = rect.left_center() + egui::vec2(look.px(6.0), 0.0);
    let width = rect.width() - look.px(24.0);
    let font = look.font(12.0);
    look.text(
        ui.painter(),
        left,
        Align2::LEFT_CENTER,
        shown,
        font,
        tokens.text,
        width,
    );
    let right = rect.right_center() - egui::vec2(look.px(5.0), 0.0);
    let caret = egui_phosphor::regular::CARET_DOWN;
    let font = look.font(10.0);
    ui.painter()
        .text(right, Align2::RIGHT_CENTER, caret, font, tokens.text_dim);
    let mut chosen = None;
    Popup::menu(&response)
        .close_behavior(PopupCloseBehavior::CloseOnClick)
        .show(|ui| {
            ui.set_min_width(rect.width().max(140.0));
            if choices.is_empty() {
                ui.label(egui::RichText::new(none).weak());
            }
            egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                for (value, title) in choices {
                    if ui.selectable_label(title == shown, title).clicked() {
                        chosen = Some(value.clone());
                    }
                }
            });
        });
    chosen
}

/// Choices side by side, for few of them and for popups, in which no list can open; gives the one newly made.
/// Each is named by `name` and its own text.
pub fn segments<T: Copy + PartialEq>(
    ui: &Ui,
    rect: Rect,
    id: Id,
    look: &Look<'_>,
    name: &str,
    now: T,
    choices: &[(T, &str)],
) -> Option<T> {
    let tokens = look.tokens;
    look.field(ui.painter(), rect, false, None);
    let mut chosen = None;
    for (index, (value, text)) in choices.iter().enumerate() {
        let at = super::look::column(rect, choices.len(), index, 0.0);
        let response = ui.interact(at, id.with(index), Sense::click());
        let on = *value == now;
        response.widget_info(|| {
            let label = format!("{name} {}", text.to_lowercase());
            WidgetInfo::selected(WidgetType::RadioButton, ui.is_enabled(), on, label)
        });
        if on {
            let inner = at.shrink(look.px(1.5));
            ui.painter().rect_filled(inner, look.px(2.0), tokens.accent);
        }
        let color = match (on, response.hovered()) {
            (true, _) => tokens.on_accent,
            (false, true) => tokens.text,
            (false, false) => tokens.text_dim,
        };
        let font = look.font(11.5);
        let width = at.width() - look.px(4.0);
        look.text(
            ui.painter(),
            at.center(),
            Align2::CENTER_CENTER,
            text,
            font,
            color,
            width,
        );
        if response.clicked() && !on {
            chosen = Some(*value);
        }
    }
    chosen
}

/// A checkbox without text.
pub fn checkbox(ui: &Ui, rect: Rect, id: Id, look: &Look<'_>, name: &str, on: bool) -> bool {
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, ui.is_enabled(), on, name));
    let side = look.px(14.0);
    let square = Rect::from_center_size(rect.center(), egui::Vec2::splat(side));
    let tokens = look.tokens;
    if on {
        ui.painter().rect_filled(square, look.px(3.0), tokens.accent);
        let at = |x: f32, y: f32| square.min + egui::vec2(x, y) * side;
        let stroke = egui::Stroke::new(look.px(1.8), tokens.on_accent);
        let tick = vec![at(0.22, 0.52), at(0.43, 0.72), at(0.78, 0.30)];
        ui.painter().add(egui::Shape::line(tick, stroke));
    } else {
        look.field(ui.painter(), square, response.hovered(), None);
    }
    response.clicked()
}
