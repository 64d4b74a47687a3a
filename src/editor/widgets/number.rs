//! The number: dragged, typed or computed.
//!
//! A drag changes it, Shift finely and Ctrl coarsely; a click or the keyboard's focus opens it for typing; a
//! double click takes the default back.

use egui::{Align2, CursorIcon, Id, Rect, Sense, Ui, WidgetInfo, WidgetType, pos2};

use super::edited::Edited;
use super::expression::evaluate;
use super::look::Look;

/// A number to edit.
#[derive(Debug, Clone, Copy)]
pub struct Number<'a> {
    /// The name for those who cannot see it, such as `Gravity · acceleration x`.
    pub name: &'a str,
    /// A letter in front of it: the lane.
    pub prefix: &'a str,
    /// The value as it is.
    pub value: f32,
    /// What a double click takes back.
    pub default: Option<f32>,
    /// Smallest value taken.
    pub min: Option<f32>,
    /// Largest value taken.
    pub max: Option<f32>,
    /// The unit, in grey. An angle's decides that it is shown in degrees.
    pub unit: &'a str,
    /// Whether only whole numbers are taken.
    pub whole: bool,
    /// Whether the unit stands elsewhere already.
    pub unit_hidden: bool,
    /// What it does, for the tooltip.
    pub doc: &'a str,
}

/// How fast whole numbers are dragged at the least, a point.
const WHOLE_SPEED: f64 = 0.2;

/// A text being typed.
#[derive(Debug, Clone, Default)]
struct Typing {
    text: String,
    /// The value it was opened on; a text over another value is stale.
    value: f32,
    since: f64,
    pass: u64,
}

/// A drag in progress: where the value would be without rounding and limits.
#[derive(Debug, Clone, Copy, Default)]
struct Dragging {
    raw: f64,
    last: f32,
    speed: f64,
}

impl<'a> Number<'a> {
    /// A number without limits.
    #[must_use]
    pub fn new(name: &'a str, value: f32) -> Self {
        Self {
            name,
            prefix: "",
            value,
            default: None,
            min: None,
            max: None,
            unit: "",
            whole: false,
            unit_hidden: false,
            doc: "",
        }
    }

    /// Paints it into `rect` and says what happened to it. Angles, which are radians everywhere else, are shown
    /// and typed in degrees.
    pub fn show_at(&self, ui: &mut Ui, rect: Rect, id: Id, look: &Look<'_>) -> Edited<f32> {
        let unit = shown_unit(self.unit);
        if unit == self.unit {
            return self.plain(ui, rect, id, look);
        }
        let shown = Self {
            value: degrees(self.value),
            default: self.default.map(degrees),
            min: self.min.map(degrees),
            max: self.max.map(degrees),
            unit,
            ..*self
        };
        let edited = shown.plain(ui, rect, id, look);
        Edited {
            // A value that was not changed in degrees is not changed at all.
            value: edited.value.map(|value| {
                if value.to_bits() == shown.value.to_bits() {
                    self.value
                } else if self.default.is_some() && Some(value) == shown.default {
                    self.default.unwrap_or(value)
                } else {
                    value.to_radians()
                }
            }),
            ..edited
        }
    }

    fn plain(&self, ui: &mut Ui, rect: Rect, id: Id, look: &Look<'_>) -> Edited<f32> {
        let layer = ui.layer_id();
        let enabled = ui.is_enabled();
        let focused = enabled
            && ui.memory_mut(|memory| {
                memory.interested_in_focus(id, layer);
                memory.has_focus(id)
            });
        if focused {
            self.typed(ui, rect, id, look)
        } else {
            let left = self.left_behind(ui, id);
            left.or(self.dragged(ui, rect, id, look))
        }
    }

    /// A text whose field lost the focus without our seeing it go.
    fn left_behind(&self, ui: &Ui, id: Id) -> Edited<f32> {
        let Some(typing) = ui.data_mut(|data| data.remove_temp::<Typing>(id)) else {
            return Edited::default();
        };
        let recent = ui.ctx().cumulative_pass_nr() <= typing.pass + 1;
        if !recent || typing.value.to_bits() != self.value.to_bits() || escaped(ui) {
            return Edited::default();
        }
        self.take(&typing.text)
    }

    fn take(&self, text: &str) -> Edited<f32> {
        match self.read(text) {
            Ok(value) if value.to_bits() == self.value.to_bits() => Edited::default(),
            Ok(value) => Edited::whole(value),
            Err(sentence) => Edited::refusal(sentence),
        }
    }

    /// The value of a typed text.
    ///
    /// # Errors
    /// A sentence that says why it is not taken.
    pub fn read(&self, text: &str) -> Result<f32, String> {
        // In a field of degrees the sign says what the number is anyway.
        let bare = text.trim().trim_end_matches(['°']).trim_end_matches("deg");
        let value = evaluate(if self.unit.starts_with('°') { bare } else { text })? as f32;
        if !value.is_finite() {
            return Err(format!("{text} is too large."));
        }
        let value = if self.whole { value.round() } else { value };
        match (self.min, self.max) {
            (Some(min), Some(max)) if value < min || value > max => Err(format!(
                "{} takes {} to {}.",
                self.title(),
                short(min),
                short(max)
            )),
            (Some(min), _) if value < min => Err(format!("{} takes {} or more.", self.title(), short(min))),
            (_, Some(max)) if value > max => Err(format!("{} takes {} or less.", self.title(), short(max))),
            _ => Ok(value),
        }
    }

    fn title(&self) -> String {
        let last = self.name.rsplit(['·', ':']).next().unwrap_or(self.name).trim();
        crate::graph::kind::title_of(last.strip_suffix(" value").unwrap_or(last))
    }

    fn typed(&self, ui: &mut Ui, rect: Rect, id: Id, look: &Look<'_>) -> Edited<f32> {
        let now = ui.input(|input| input.time);
        let pass = ui.ctx().cumulative_pass_nr();
        let opened = ui.data(|data| data.get_temp::<Typing>(id));
        let fresh = opened.is_none();
        let mut typing = opened.unwrap_or_else(|| Typing {
            text: full(self.value),
            value: self.value,
            since: now,
            pass,
        });
        typing.pass = pass;
        let wrong = self.read(&typing.text).err();
        let tokens = look.tokens;
        let outline = if wrong.is_some() {
            tokens.error
        } else {
            tokens.accent
        };
        look.field(ui.painter(), rect, false, Some(outline));
        let font = look.mono(11.5);
        let edit = egui::TextEdit::singleline(&mut typing.text)
            .id(id)
            .font(font)
            .frame(egui::Frame::NONE)
            .margin(egui::Margin::ZERO)
            .clip_text(true)
            .text_color(tokens.text)
            .vertical_align(egui::Align::Center)
            .desired_width(f32::INFINITY);
        let response = ui.put(rect.shrink2(egui::vec2(look.px(5.0), 1.0)), edit);
        ui.ctx()
            .accesskit_node_builder(id, |node| node.set_label(self.name));
        if fresh {
            let mut state = egui::TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
            state.cursor.set_char_range(Some(egui::text::CCursorRange::two(
                egui::text::CCursor::default(),
                egui::text::CCursor::new(typing.text.chars().count()),
            )));
            state.store(ui.ctx(), id);
        }
        if let Some(sentence) = &wrong {
            response.show_tooltip_text(sentence.as_str());
        }
        if response.double_clicked() && now - typing.since < 0.8 {
            ui.data_mut(|data| data.remove_temp::<Typing>(id));
            response.surrender_focus();
            return self.reset();
        }
        if response.lost_focus() {
            ui.data_mut(|data| data.remove_temp::<Typing>(id));
            if escaped(ui) {
                return Edited::default();
            }
            return self.take(&typing.text);
        }
        ui.data_mut(|data| data.insert_temp(id, typing));
        Edited::default()
    }

    fn reset(&self) -> Edited<f32> {
        match self.default {
            Some(default) if default.to_bits() != self.value.to_bits() => Edited::whole(default),
            _ => Edited::default(),
        }
    }

    fn dragged(&self, ui: &mut Ui, rect: Rect, id: Id, look: &Look<'_>) -> Edited<f32> {
        let response = ui
            .interact(rect, id, Sense::click_and_drag())
            .on_hover_and_drag_cursor(CursorIcon::ResizeHorizontal);
        response.widget_info(|| WidgetInfo {
            label: Some(self.name.to_owned()),
            value: Some(f64::from(self.value)),
            ..WidgetInfo::new(WidgetType::DragValue)
        });
        self.paint(ui, rect, &response, look);
        if response.double_clicked() {
            return self.reset();
        }
        if response.clicked() {
            ui.memory_mut(|memory| memory.request_focus(id));
            return Edited::default();
        }
        let drag = id.with("drag");
        let mut edited = Edited::default();
        if response.drag_started_by(egui::PointerButton::Primary) {
            let state = Dragging {
                raw: f64::from(self.value),
                last: self.value,
                speed: if self.whole {
                    self.speed().max(WHOLE_SPEED)
                } else {
                    self.speed()
                },
            };
            ui.data_mut(|data| data.insert_temp(drag, state));
            edited.begin = true;
        }
        if let Some(mut state) = ui.data(|data| data.get_temp::<Dragging>(drag)) {
            if escaped(ui) {
                ui.data_mut(|data| data.remove_temp::<Dragging>(drag));
                edited.cancel = true;
                ui.ctx().stop_dragging();
                return edited;
            }
            let (shift, ctrl) = ui.input(|i| (i.modifiers.shift, i.modifiers.command));
            let factor = match (shift, ctrl) {
                (true, false) => 0.1,
                (false, true) => 10.0,
                _ => 1.0,
            };
            let delta = response.drag_delta().x;
            if delta != 0.0 {
                let speed = state.speed * factor;
                state.raw += f64::from(delta) * speed;
                let low = self.min.map_or(f64::NEG_INFINITY, f64::from);
                let high = self.max.map_or(f64::INFINITY, f64::from);
                state.raw = state.raw.max(low).min(high);
                let unit = if self.whole {
                    1.0
                } else {
                    10.0_f64.powf(speed.log10().floor())
                };
                let rounded = ((state.raw / unit).round() * unit).max(low).min(high);
                let value = clean(rounded) as f32;
                if value.is_finite() && value.to_bits() != state.last.to_bits() {
                    state.last = value;
                    edited.value = Some(value);
                }
                ui.data_mut(|data| data.insert_temp(drag, state));
            }
            if response.drag_stopped() || !response.dragged() {
                ui.data_mut(|data| data.remove_temp::<Dragging>(drag));
                edited.commit = true;
            }
        }
        edited
    }

    /// Change a point of drag.
    fn speed(&self) -> f64 {
        let span = match (self.min, self.max) {
            (Some(min), Some(max)) if max > min => f64::from(max - min) / 300.0,
            _ => (f64::from(self.value).abs() * 0.01).max(0.005),
        };
        if span.is_finite() {
            span.clamp(1e-6, 1e6)
        } else {
            1.0
        }
    }

    fn paint(&self, ui: &Ui, rect: Rect, response: &egui::Response, look: &Look<'_>) {
        let tokens = look.tokens;
        let painter = ui.painter();
        let hot = response.hovered() || response.dragged();
        look.field(painter, rect, hot, response.dragged().then_some(tokens.accent));
        if let (Some(min), Some(max)) = (self.min, self.max)
            && max > min
        {
            let part = ((self.value - min) / (max - min)).clamp(0.0, 1.0);
            let bar = Rect::from_min_max(
                pos2(rect.left() + 1.0, rect.bottom() - look.px(2.5)),
                pos2(
                    rect.left() + 1.0 + (rect.width() - 2.0) * part,
                    rect.bottom() - 1.0,
                ),
            );
            painter.rect_filled(bar, look.px(1.0), tokens.accent.gamma_multiply(0.7));
        }
        let pad = look.px(5.0);
        let mut left = rect.left() + pad;
        let mut right = rect.right() - pad;
        let middle = rect.center().y;
        if !self.prefix.is_empty() {
            let at = pos2(left - look.px(1.0), middle);
            let font = look.font(10.5);
            let shown = look.text(
                painter,
                at,
                Align2::LEFT_CENTER,
                self.prefix,
                font,
                tokens.text_dim,
                99.0,
            );
            left = shown.right() + look.px(2.0);
        }
        let font = look.mono(11.5);
        let mut text = short(self.value);
        let mut width = look.width(ui, &text, font.clone());
        if !self.unit.is_empty() && !self.unit_hidden {
            let unit = look.width(ui, self.unit, look.font(11.0));
            if width + unit + look.px(4.0) <= right - left {
                let at = pos2(right, middle);
                let font = look.font(11.0);
                look.text(
                    painter,
                    at,
                    Align2::RIGHT_CENTER,
                    self.unit,
                    font,
                    tokens.text_dim,
                    unit + 1.0,
                );
                right -= unit + look.px(4.0);
            }
        }
        for decimals in (0..3).rev() {
            if width <= right - left {
                break;
            }
            text = trimmed(format!("{:.decimals$}", self.value));
            width = look.width(ui, &text, font.clone());
        }
        let color = if ui.is_enabled() {
            tokens.text
        } else {
            tokens.text_dim
        };
        let at = pos2(right, middle);
        look.text(
            painter,
            at,
            Align2::RIGHT_CENTER,
            &text,
            font,
            color,
            right - left + 1.0,
        );
        if !response.dragged() {
            response.clone().on_hover_ui(|ui| self.tooltip(ui));
        }
    }

    fn tooltip(&self, ui: &mut Ui) {
        if !self.doc.is_empty() {
            ui.label(self.doc);
        }
        let mut line = format!("{} {}", full(self.value), self.unit)
            .trim_end()
            .to_owned();
        if let Some(default) = self.default {
            line += &format!("; default {}", short(default));
        }
        ui.label(line);
        match (self.min, self.max) {
            (Some(min), Some(max)) => drop(ui.weak(format!("From {} to {}", short(min), short(max)))),
            (Some(min), None) => drop(ui.weak(format!("{} or more", short(min)))),
            (None, Some(max)) => drop(ui.weak(format!("{} or less", short(max)))),
            (None, None) => {}
        }
        ui.weak("Drag, or click to type. Shift fine, Ctrl coarse, double click resets.");
    }
}

fn escaped(ui: &Ui) -> bool {
    ui.input(|input| input.key_pressed(egui::Key::Escape))
}

/// A negative zero, and what rounding in binary left over, taken away.
fn clean(value: f64) -> f64 {
    let rounded = (value * 1e9).round() / 1e9;
    if value.abs() > 1e6 { value } else { rounded + 0.0 }
}

/// A number with all its digits.
#[must_use]
pub fn full(value: f32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.abs() >= 1e7 || value.abs() < 1e-5 {
        return format!("{value:e}");
    }
    value.to_string()
}

/// A number as shown in a field: about four digits.
#[must_use]
pub fn short(value: f32) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return value.to_string();
    }
    if size != 0.0 && !(1e-4..1e7).contains(&size) {
        return format!("{value:.2e}");
    }
    let decimals = match size {
        s if s >= 1000.0 => 1,
        s if s >= 100.0 => 2,
        s if s >= 0.1 || s == 0.0 => 3,
        s if s >= 0.01 => 4,
        _ => 5,
    };
    trimmed(format!("{value:.decimals$}"))
}

fn trimmed(text: String) -> String {
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    };
    if text == "-0" { "0".to_owned() } else { text }
}

/// A unit as it is shown: degrees for radians.
#[must_use]
pub fn shown_unit(unit: &str) -> &str {
    match unit {
        "rad" => "°",
        "rad/s" => "°/s",
        other => other,
    }
}

/// Radians in degrees, rounded to what an artist reads: a ten-thousandth.
fn degrees(radians: f32) -> f32 {
    let exact = f64::from(radians).to_degrees();
    if exact.abs() < 1e6 {
        ((exact * 1e4).round() / 1e4) as f32
    } else {
        exact as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_short_and_kept_whole() {
        assert_eq!(short(0.349_065_84), "0.349");
        assert_eq!(short(-9.81), "-9.81");
        assert_eq!(short(1234.5), "1234.5");
        assert_eq!(short(-0.0), "0");
        assert_eq!(short(0.0021), "0.0021");
        assert_eq!(full(0.1), "0.1");
        assert_eq!(full(1e-7), "1e-7");
    }

    #[test]
    fn a_refusal_names_what_it_is_about() {
        let number = Number {
            min: Some(0.0),
            ..Number::new("Lifetime · lifetime value", 1.0)
        };
        assert_eq!(number.read("-1"), Err("Lifetime takes 0 or more.".to_owned()));
        assert_eq!(number.read("0,5"), Ok(0.5));
        assert!(number.read("1e39").is_err());
    }
}
