//! Rows of the inspector: a name, a widget, a unit; one gesture is one step of the history.

use egui::{Align, DragValue, Layout, Response, RichText, Ui, vec2};

use crate::document::Edit;
use crate::editor::action::{Action, Actions};
use crate::editor::theme::Tokens;
use crate::editor::theme::style::ROW;

/// Width of the names' column, in points.
const NAMES: f32 = 104.0;

/// A number of the inspector.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number<'a> {
    /// The name on screen.
    pub(super) name: &'a str,
    /// The unit, after the number.
    pub(super) unit: &'a str,
    /// What it does.
    pub(super) tip: &'a str,
    /// Smallest value.
    pub(super) min: f64,
    /// Largest value.
    pub(super) max: f64,
    /// Change a point of dragging.
    pub(super) speed: f64,
    /// Whether it is a count.
    pub(super) whole: bool,
}

impl<'a> Number<'a> {
    pub(super) const fn new(name: &'a str, unit: &'a str, tip: &'a str) -> Self {
        Self {
            name,
            unit,
            tip,
            min: f64::MIN,
            max: f64::MAX,
            speed: 0.01,
            whole: false,
        }
    }

    pub(super) const fn range(mut self, min: f64, max: f64) -> Self {
        self.min = min;
        self.max = max;
        self
    }

    pub(super) const fn speed(mut self, speed: f64) -> Self {
        self.speed = speed;
        self
    }

    pub(super) const fn whole(mut self) -> Self {
        self.whole = true;
        self
    }
}

/// A row: a name and widgets beside it.
pub(super) fn row<R>(
    ui: &mut Ui,
    tokens: &Tokens,
    name: &str,
    tip: &str,
    add: impl FnOnce(&mut Ui) -> R,
) -> R {
    ui.horizontal(|ui| {
        let size = vec2(NAMES, ROW);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_size(size);
            let text = RichText::new(name).color(tokens.text_dim);
            ui.add(egui::Label::new(text).truncate()).on_hover_text(tip);
        });
        add(ui)
    })
    .inner
}

/// A number on a row of its own.
pub(super) fn number_row(
    ui: &mut Ui,
    tokens: &Tokens,
    spec: Number<'_>,
    value: f64,
    actions: &mut Actions,
    edit: impl Fn(f64) -> Edit,
) {
    row(ui, tokens, spec.name, spec.tip, |ui| {
        number(ui, spec, spec.name, value, actions, edit);
    });
}

/// A number: dragged, it is a gesture; typed, a step. What is no number, or out of its range, is refused with
/// a sentence.
pub(super) fn number(
    ui: &mut Ui,
    spec: Number<'_>,
    label: &str,
    value: f64,
    actions: &mut Actions,
    edit: impl Fn(f64) -> Edit,
) -> Response {
    let mut changed = value;
    let mut field = DragValue::new(&mut changed)
        .speed(spec.speed)
        .update_while_editing(false)
        .clamp_existing_to_range(false)
        .suffix(spec.unit)
        .max_decimals(4);
    if spec.whole {
        field = field.max_decimals(0);
    }
    let response = ui.add(field);
    super::super::button::name(&response, label);
    let step = format!("Change {}", lower(label));
    if response.drag_started() {
        actions.push(Action::Begin { label: step.clone() });
    }
    if response.changed() && changed.to_bits() != value.to_bits() {
        let typed = !response.dragged();
        if spec.whole {
            changed = changed.round();
        }
        let outside = !changed.is_finite() || changed < spec.min || changed > spec.max;
        if outside && (typed || changed.is_nan()) {
            actions.push(Action::Say(refusal(label, spec)));
        } else {
            let edit = edit(changed.clamp(spec.min, spec.max));
            if typed {
                actions.edit(&step, edit);
            } else {
                actions.push(Action::Update(edit));
            }
        }
    }
    if response.drag_stopped() {
        actions.push(Action::Commit);
    }
    if spec.tip.is_empty() {
        response
    } else {
        response.on_hover_text(spec.tip)
    }
}

fn refusal(label: &str, spec: Number<'_>) -> String {
    match (spec.min > f64::MIN, spec.max < f64::MAX) {
        (true, true) => format!("{label} takes {} to {}.", spec.min, spec.max),
        (true, false) if spec.min == 0.0 => format!("{label} cannot be below 0."),
        (true, false) => format!("{label} takes {} or more.", spec.min),
        _ => format!("{label} must be a finite number."),
    }
}

fn lower(label: &str) -> String {
    let mut text = label.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    text
}

/// Several numbers side by side: the lanes of a vector. `set` makes the edit of one lane.
pub(super) fn lanes(
    ui: &mut Ui,
    spec: Number<'_>,
    label: &str,
    values: &[f32],
    actions: &mut Actions,
    edit: impl Fn(usize, f32) -> Edit,
) {
    const NAMES: [&str; 4] = ["X", "Y", "Z", "W"];
    ui.spacing_mut().item_spacing.x = 4.0;
    if values.len() == 1 {
        number(ui, spec, label, f64::from(values[0]), actions, |v| {
            edit(0, v as f32)
        });
        return;
    }
    for (lane, &value) in values.iter().enumerate() {
        let label = format!("{label} {}", NAMES.get(lane).unwrap_or(&""));
        number(ui, spec, &label, f64::from(value), actions, |v| {
            edit(lane, v as f32)
        });
    }
}

/// A group's title.
pub(super) fn title(ui: &mut Ui, text: &str) {
    ui.add_space(4.0);
    ui.label(RichText::new(text).strong());
}
