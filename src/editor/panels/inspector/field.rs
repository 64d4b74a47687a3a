//! Rows of the inspector: a name, then fields that share what is left of the row.

use egui::{Align, Id, Layout, Rect, RichText, Ui, vec2};

use crate::document::Edit;
use crate::editor::action::Actions;
use crate::editor::theme::Tokens;
use crate::editor::widgets::look::{FIELD, Look, ROW, centred, column};
use crate::editor::widgets::{self, Edited};

/// Width of the names' column, in points.
const NAMES: f32 = 96.0;

/// A number of the inspector: everything but its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number<'a> {
    /// The name on screen.
    pub(super) name: &'a str,
    /// The unit, after the number.
    unit: &'a str,
    /// What it does.
    pub(super) tip: &'a str,
    min: Option<f32>,
    max: Option<f32>,
    /// Largest value taken, too far away to drag toward.
    limit: f32,
    default: Option<f32>,
    whole: bool,
}

impl<'a> Number<'a> {
    pub(super) const fn new(name: &'a str, unit: &'a str, tip: &'a str) -> Self {
        Self {
            name,
            unit,
            tip,
            min: None,
            max: None,
            limit: f32::MAX,
            default: None,
            whole: false,
        }
    }

    /// From `min` up, with a limit that only a mistake reaches.
    pub(super) const fn at_least(mut self, min: f32, limit: f32) -> Self {
        self.min = Some(min);
        self.limit = limit;
        self
    }

    /// Between two ends, both of which make sense; the field shows where it stands.
    pub(super) const fn range(mut self, min: f32, max: f32) -> Self {
        self.min = Some(min);
        self.max = Some(max);
        self
    }

    /// What a double click takes back.
    pub(super) const fn default(mut self, default: f32) -> Self {
        self.default = Some(default);
        self
    }

    /// A count.
    pub(super) const fn whole(mut self) -> Self {
        self.whole = true;
        self
    }
}

/// A row: a name, and the rectangle of the fields beside it.
pub(super) fn row<R>(
    ui: &mut Ui,
    tokens: &Tokens,
    name: &str,
    tip: &str,
    add: impl FnOnce(&mut Ui) -> R,
) -> R {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let size = vec2(NAMES, ROW);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_size(size);
            let text = RichText::new(name).color(tokens.text_dim);
            let label = ui.add(egui::Label::new(text).truncate());
            if !tip.is_empty() {
                label.on_hover_text(tip);
            }
        });
        add(ui)
    })
    .inner
}

/// The fields' part of a row, less `keep` points at its end.
pub(super) fn fields(ui: &mut Ui, keep: f32) -> Rect {
    let width = (ui.available_width() - keep - 4.0).max(24.0);
    let (_, rect) = ui.allocate_space(vec2(width, ROW));
    centred(rect, FIELD)
}

/// A number on a row of its own.
pub(super) fn number_row(
    ui: &mut Ui,
    tokens: &Tokens,
    spec: Number<'_>,
    value: f32,
    actions: &mut Actions,
    edit: impl Fn(f32) -> Edit,
) {
    row(ui, tokens, spec.name, spec.tip, |ui| {
        let rect = fields(ui, 0.0);
        number(ui, rect, tokens, spec, spec.name, value, actions, edit);
    });
}

/// A number in a rectangle: one drag is one step of the history; what is no number, or out of its range, is
/// refused with a sentence.
#[allow(
    clippy::too_many_arguments,
    reason = "a widget, its place, its value and what it changes"
)]
pub(super) fn number(
    ui: &mut Ui,
    rect: Rect,
    tokens: &Tokens,
    spec: Number<'_>,
    label: &str,
    value: f32,
    actions: &mut Actions,
    edit: impl Fn(f32) -> Edit,
) {
    let mut edited = show(ui, rect, tokens, spec, label, "", value);
    if edited.value.is_some_and(|value| value > spec.limit) {
        edited.value = None;
        edited.refused = Some(format!("{label} takes {} at most.", spec.limit));
    }
    edited.send(actions, &format!("Change {}", lower(label)), |value| {
        vec![edit(if spec.whole { value.round() } else { value })]
    });
}

fn show(
    ui: &mut Ui,
    rect: Rect,
    tokens: &Tokens,
    spec: Number<'_>,
    label: &str,
    prefix: &str,
    value: f32,
) -> Edited<f32> {
    let field = widgets::Number {
        prefix,
        default: spec.default,
        min: spec.min,
        max: spec.max,
        unit: spec.unit,
        doc: spec.tip,
        whole: spec.whole,
        ..widgets::Number::new(label, value)
    };
    field.show_at(ui, rect, Id::new(("inspector", label)), &Look::panel(tokens))
}

/// Three numbers side by side. `edit` makes the edit of one of them.
pub(super) fn vector(
    ui: &mut Ui,
    tokens: &Tokens,
    spec: Number<'_>,
    values: [f32; 3],
    actions: &mut Actions,
    edit: impl Fn(usize, f32) -> Edit,
) {
    row(ui, tokens, spec.name, spec.tip, |ui| {
        let rect = fields(ui, 0.0);
        for (lane, value) in values.into_iter().enumerate() {
            let letter = ["x", "y", "z"][lane];
            let label = format!("{} {letter}", spec.name);
            let edited = show(
                ui,
                column(rect, 3, lane, 3.0),
                tokens,
                spec,
                &label,
                letter,
                value,
            );
            edited.send(actions, &format!("Change {}", lower(&label)), |value| {
                vec![edit(lane, value)]
            });
        }
    });
}

fn lower(label: &str) -> String {
    let mut text = label.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    text
}

/// A group's title.
pub(super) fn title(ui: &mut Ui, text: &str) {
    ui.add_space(6.0);
    ui.label(RichText::new(text).strong());
}
