//! Colours: linear RGB and opacity, brighter than white where wanted.

use egui::ecolor::Hsva;
use egui::{
    Align2, Color32, Id, Popup, PopupCloseBehavior, Rect, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

use super::edited::{Edited, gesture};
use super::look::{FIELD, Look, ROW, column, shown};
use super::number::Number;

/// The picker's own state: hue and saturation of colours that have none, such as black.
#[derive(Debug, Clone, Copy)]
struct Picked {
    color: [f32; 4],
    hsva: Hsva,
    intensity: f32,
}

/// A swatch that opens the picker.
pub fn swatch(
    ui: &mut Ui,
    rect: Rect,
    id: Id,
    look: &Look<'_>,
    name: &str,
    color: [f32; 4],
    default: Option<[f32; 4]>,
) -> Edited<[f32; 4]> {
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::ColorButton, ui.is_enabled(), name));
    paint(ui, rect, color, look);
    if response.hovered() {
        ui.painter().rect_stroke(
            rect,
            look.px(3.0),
            egui::Stroke::new(1.0, look.tokens.text_dim),
            egui::StrokeKind::Inside,
        );
    }
    response.clone().on_hover_ui(|ui| {
        let [r, g, b, a] = color.map(super::number::short);
        ui.label(format!("Red {r}, green {g}, blue {b}, opacity {a}"));
        ui.weak("Linear light; above 1 is brighter than white. Double click resets.");
    });
    if response.double_clicked()
        && let Some(default) = default
    {
        Popup::close_id(ui.ctx(), Popup::default_response_id(&response));
        if default != color {
            return Edited::whole(default);
        }
    }
    let mut edited = Edited::default();
    let tokens = look.tokens;
    Popup::from_toggle_button_response(&response)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            edited = editor(ui, id, &Look::panel(tokens), name, color, true);
        });
    let changed = edited.value.is_some();
    if changed || !edited.is_nothing() {
        return edited;
    }
    // Ends a gesture of the picker after its popup has closed.
    gesture(ui, id.with("picker"), None)
}

/// The picker and the numbers, laid out from the top of `ui`; opacity among them where that counts.
pub fn editor(
    ui: &mut Ui,
    id: Id,
    look: &Look<'_>,
    name: &str,
    color: [f32; 4],
    opacity: bool,
) -> Edited<[f32; 4]> {
    ui.set_width(ui.available_width().clamp(240.0, 300.0));
    let known = ui.data(|data| data.get_temp::<Picked>(id));
    let mut state = known
        .filter(|state| state.color == color)
        .unwrap_or_else(|| picked(color));
    ui.spacing_mut().item_spacing.y = 6.0;
    let mut changed = None;
    if let Some(hsva) = super::picker::show(ui, id.with("eye"), look, name, state.hsva, opacity) {
        state.hsva = hsva;
        let base = state.hsva.to_rgb();
        let [r, g, b] = base.map(|c| c * state.intensity);
        state.color = [r, g, b, state.hsva.a];
        changed = Some(state.color);
        ui.data_mut(|data| data.insert_temp(id, state));
    }
    let mut edited = gesture(ui, id.with("picker"), changed);
    let row = |ui: &mut Ui| {
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
        super::look::centred(rect, FIELD)
    };
    let rect = row(ui);
    let lanes = if opacity { 4 } else { 3 };
    for (lane, (letter, word)) in [("R", "red"), ("G", "green"), ("B", "blue"), ("A", "opacity")]
        .into_iter()
        .take(lanes)
        .enumerate()
    {
        let name = format!("{name} {word}");
        let number = Number {
            prefix: letter,
            min: Some(0.0),
            max: (lane == 3).then_some(1.0),
            ..Number::new(&name, color[lane])
        };
        let at = column(rect, lanes, lane, 3.0);
        let one = number.show_at(ui, at, id.with(("lane", lane)), look);
        edited = edited.or(one.map(|value| {
            let mut color = color;
            color[lane] = value;
            color
        }));
    }
    let rect = row(ui);
    let left = rect.left_center();
    let tokens = look.tokens;
    look.text(
        ui.painter(),
        left,
        Align2::LEFT_CENTER,
        "Brightness",
        look.font(12.0),
        tokens.text,
        100.0,
    );
    let at = Rect::from_min_max(pos2(rect.left() + 110.0, rect.top()), rect.max);
    let name = format!("{name} brightness");
    let peak = color[0].max(color[1]).max(color[2]);
    let number = Number {
        min: Some(0.0),
        unit: "×",
        default: Some(1.0),
        ..Number::new(&name, peak)
    };
    let one = number.show_at(ui, at, id.with("brightness"), look);
    edited.or(one.map(|value| {
        let scale = if peak > 0.0 { value / peak } else { 0.0 };
        let [r, g, b, a] = color;
        if peak > 0.0 {
            [r * scale, g * scale, b * scale, a]
        } else {
            [value, value, value, a]
        }
    }))
}

fn picked(color: [f32; 4]) -> Picked {
    let intensity = color[0].max(color[1]).max(color[2]).max(1.0);
    let [r, g, b, a] = color;
    let base = [r, g, b].map(|c| (c / intensity).clamp(0.0, 1.0));
    Picked {
        color,
        hsva: Hsva::from_rgba_unmultiplied(base[0], base[1], base[2], a.clamp(0.0, 1.0)),
        intensity,
    }
}

/// Paints a colour: opaque on the left, over a chequered ground on the right.
pub fn paint(ui: &Ui, rect: Rect, color: [f32; 4], look: &Look<'_>) {
    let painter = ui.painter();
    let opaque = shown(color);
    let alpha = color[3].clamp(0.0, 1.0);
    painter.rect_filled(rect, look.px(3.0), opaque);
    if alpha < 1.0 {
        let right = Rect::from_min_max(pos2(rect.center().x, rect.top()), rect.max);
        chequer(painter, right, look);
        painter.rect_filled(right, 0.0, opaque.gamma_multiply(alpha));
    }
    let peak = color[0].max(color[1]).max(color[2]);
    if peak > 1.0 {
        let text = format!("×{}", super::number::short(peak));
        let luma = 0.3 * f32::from(opaque.r()) + 0.6 * f32::from(opaque.g()) + 0.1 * f32::from(opaque.b());
        let ink = if luma > 128.0 {
            Color32::from_gray(20)
        } else {
            Color32::from_gray(235)
        };
        let at = rect.left_center() + vec2(look.px(5.0), 0.0);
        look.text(
            painter,
            at,
            Align2::LEFT_CENTER,
            &text,
            look.mono(10.0),
            ink,
            rect.width(),
        );
    }
    painter.rect_stroke(
        rect,
        look.px(3.0),
        egui::Stroke::new(1.0, look.tokens.line),
        egui::StrokeKind::Inside,
    );
}

/// Paints the ground that see-through colours are shown on.
pub fn chequer(painter: &egui::Painter, rect: Rect, look: &Look<'_>) {
    painter.rect_filled(rect, 0.0, Color32::from_gray(0x66));
    let side = look.px(5.0).max(2.0);
    let (columns, rows) = (
        (rect.width() / side).ceil() as i32,
        (rect.height() / side).ceil() as i32,
    );
    for y in 0..rows.min(64) {
        for x in (y % 2..columns.min(256)).step_by(2) {
            let at = rect.min + vec2(x as f32, y as f32) * side;
            let cell = Rect::from_min_size(at, egui::Vec2::splat(side)).intersect(rect);
            painter.rect_filled(cell, 0.0, Color32::from_gray(0x99));
        }
    }
}
