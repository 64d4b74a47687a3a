//! Curves: a small preview in a row, and the editor it opens.

use egui::{
    Align2, Id, Painter, Popup, PopupCloseBehavior, Pos2, Rect, Sense, Stroke, Ui, WidgetInfo, WidgetType,
    pos2, vec2,
};

use super::edited::Edited;
use super::look::{FIELD, Look, ROW, column};
use super::menu::choice;
use super::number::{Number, short};
use crate::base::curve::{Curve, Interpolation, Key};

/// The curve in a small field that opens the editor.
pub fn curve_field(
    ui: &mut Ui,
    rect: Rect,
    id: Id,
    look: &Look<'_>,
    name: &str,
    curve: &Curve,
) -> Edited<Curve> {
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, ui.is_enabled(), name));
    look.field(ui.painter(), rect, response.hovered(), None);
    let inner = rect.shrink2(vec2(look.px(4.0), look.px(3.0)));
    let plot = Plot::of(curve, inner);
    plot.line(ui.painter(), curve, Stroke::new(look.px(1.5), look.tokens.accent));
    let response = response.on_hover_text(format!(
        "From {} to {} over the particle's life. Click to edit.",
        short(curve.first()),
        short(curve.last())
    ));
    let mut edited = Edited::default();
    let tokens = look.tokens;
    Popup::from_toggle_button_response(&response)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| edited = editor(ui, id.with("editor"), &Look::panel(tokens), name, curve));
    edited
}

/// The part of the plane that a curve is drawn in.
struct Plot {
    rect: Rect,
    t: [f32; 2],
    v: [f32; 2],
}

impl Plot {
    fn of(curve: &Curve, rect: Rect) -> Self {
        let (mut t, mut v) = ([0.0_f32, 1.0_f32], [f32::INFINITY, f32::NEG_INFINITY]);
        for key in curve.keys() {
            t = [t[0].min(key.t), t[1].max(key.t)];
            v = [v[0].min(key.v), v[1].max(key.v)];
        }
        for step in 0..=32 {
            let at = t[0] + (t[1] - t[0]) * step as f32 / 32.0;
            let value = curve.eval(f64::from(at)) as f32;
            v = [v[0].min(value), v[1].max(value)];
        }
        if v[1] - v[0] < 1e-6 {
            let reach = v[0].abs().max(1.0) * 0.5;
            v = [v[0] - reach, v[1] + reach];
        }
        Self { rect, t, v }
    }

    fn at(&self, t: f32, v: f32) -> Pos2 {
        let x = (t - self.t[0]) / (self.t[1] - self.t[0]);
        let y = (v - self.v[0]) / (self.v[1] - self.v[0]);
        pos2(
            self.rect.left() + x * self.rect.width(),
            self.rect.bottom() - y * self.rect.height(),
        )
    }

    fn key(&self, at: Pos2) -> (f32, f32) {
        let x = ((at.x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0);
        let y = (self.rect.bottom() - at.y) / self.rect.height();
        (
            self.t[0] + x * (self.t[1] - self.t[0]),
            self.v[0] + y * (self.v[1] - self.v[0]),
        )
    }

    fn line(&self, painter: &Painter, curve: &Curve, stroke: Stroke) {
        let steps = (self.rect.width() / 2.0).clamp(16.0, 200.0) as usize;
        let points = (0..=steps).map(|i| {
            let t = self.t[0] + (self.t[1] - self.t[0]) * i as f32 / steps as f32;
            let at = self.at(t, curve.eval(f64::from(t)) as f32);
            pos2(at.x, at.y.clamp(self.rect.top(), self.rect.bottom()))
        });
        painter.add(egui::Shape::line(points.collect(), stroke));
    }
}

/// What the editor remembers between passes.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    selected: usize,
    /// The plane while a key is dragged, so that it does not move under the pointer.
    held: Option<([f32; 2], [f32; 2])>,
}

/// The editor, laid out from the top of `ui`.
pub fn editor(ui: &mut Ui, id: Id, look: &Look<'_>, name: &str, curve: &Curve) -> Edited<Curve> {
    const WIDTH: f32 = 320.0;
    ui.set_width(WIDTH);
    let tokens = look.tokens;
    let mut state = ui.data(|data| data.get_temp::<State>(id)).unwrap_or_default();
    state.selected = state.selected.min(curve.keys().len() - 1);
    let (_, frame) = ui.allocate_space(vec2(WIDTH, 170.0));
    look.field(ui.painter(), frame, false, None);
    let mut plot = Plot::of(curve, frame.shrink2(vec2(14.0, 18.0)));
    if let Some((t, v)) = state.held {
        (plot.t, plot.v) = (t, v);
    }
    grid(ui.painter(), &plot, look);
    let painter = ui.painter().with_clip_rect(frame);
    plot.line(&painter, curve, Stroke::new(2.0, tokens.accent));
    let ground = ui.interact(frame, id.with("ground"), Sense::click());
    ground.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, format!("{name} ground")));
    let mut edited = Edited::default();
    if ground.double_clicked()
        && let Some(at) = ground.interact_pointer_pos()
    {
        let (t, v) = plot.key(at);
        edited = with(curve, |keys| keys.push(Key::linear(t, v)));
        if let Some(curve) = &edited.value {
            state.selected = curve.keys().iter().position(|k| k.t == t).unwrap_or(0);
        }
    }
    ground.on_hover_text("Double click adds a key.");
    for (index, key) in curve.keys().iter().enumerate() {
        let at = plot.at(key.t, key.v);
        let hit = Rect::from_center_size(at, vec2(14.0, 14.0));
        let response = ui.interact(hit, id.with(("key", index)), Sense::click_and_drag());
        response.widget_info(|| {
            let label = format!("{name} key {}", index + 1);
            WidgetInfo::selected(WidgetType::SelectableLabel, true, index == state.selected, label)
        });
        if response.clicked() || response.drag_started() {
            state.selected = index;
        }
        if response.drag_started() {
            state.held = Some((plot.t, plot.v));
            edited.begin = true;
        }
        if response.dragged()
            && let Some(at) = response.interact_pointer_pos()
        {
            let (t, v) = plot.key(at);
            let low = index
                .checked_sub(1)
                .and_then(|i| curve.keys().get(i))
                .map_or(plot.t[0], |k| k.t);
            let high = curve.keys().get(index + 1).map_or(plot.t[1], |k| k.t);
            let (t, v) = (rounded(t).clamp(low, high), rounded(v));
            if (t, v) != (key.t, key.v) {
                edited.value = with(curve, |keys| (keys[index].t, keys[index].v) = (t, v)).value;
            }
        }
        if response.drag_stopped() {
            state.held = None;
            edited.commit = true;
        }
        if response.secondary_clicked() {
            edited = removed(curve, index);
        }
        let chosen = index == state.selected;
        let color = if chosen { tokens.selection } else { tokens.accent };
        painter.circle(
            at,
            if chosen { 5.0 } else { 4.0 },
            color,
            Stroke::new(1.5, tokens.surface_low),
        );
        response.on_hover_text(format!("{}: {}", short(key.t), short(key.v)));
    }
    state.selected = state
        .selected
        .min(edited.value.as_ref().map_or(curve, |c| c).keys().len() - 1);
    let row = numbers(
        ui,
        id,
        look,
        name,
        curve,
        state.selected.min(curve.keys().len() - 1),
    );
    ui.weak("Double click adds a key, right click removes it.");
    ui.data_mut(|data| data.insert_temp(id, state));
    edited.or(row)
}

fn grid(painter: &Painter, plot: &Plot, look: &Look<'_>) {
    let tokens = look.tokens;
    let line = Stroke::new(1.0, tokens.line);
    for part in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let x = plot.rect.left() + plot.rect.width() * part;
        painter.vline(x, plot.rect.y_range(), line);
        let y = plot.rect.top() + plot.rect.height() * part;
        painter.hline(plot.rect.x_range(), y, line);
    }
    let font = look.mono(9.5);
    for (v, y, align) in [
        (plot.v[1], plot.rect.top() - 3.0, Align2::LEFT_BOTTOM),
        (plot.v[0], plot.rect.bottom() + 3.0, Align2::LEFT_TOP),
    ] {
        painter.text(
            pos2(plot.rect.left() + 10.0, y),
            align,
            short(v),
            font.clone(),
            tokens.text_dim,
        );
    }
    let at = pos2(plot.rect.right(), plot.rect.bottom() + 3.0);
    painter.text(
        at,
        Align2::RIGHT_TOP,
        "end of life",
        look.font(9.5),
        tokens.text_dim,
    );
}

/// The selected key's numbers, its interpolation, and its removal.
fn numbers(ui: &mut Ui, id: Id, look: &Look<'_>, name: &str, curve: &Curve, index: usize) -> Edited<Curve> {
    let Some(&key) = curve.keys().get(index) else {
        return Edited::default();
    };
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), ROW));
    let row = super::look::centred(row, FIELD);
    let fields = Rect::from_min_max(row.min, pos2(row.right() - 26.0, row.bottom()));
    let low = index
        .checked_sub(1)
        .and_then(|i| curve.keys().get(i))
        .map(|k| k.t);
    let high = curve.keys().get(index + 1).map(|k| k.t);
    let time_name = format!("{name} key time");
    let time = Number {
        prefix: "t",
        min: low,
        max: high,
        doc: "When, as a part of the particle's life.",
        ..Number::new(&time_name, key.t)
    };
    let value_name = format!("{name} key value");
    let value = Number {
        prefix: "v",
        ..Number::new(&value_name, key.v)
    };
    let mut edited = time
        .show_at(ui, column(fields, 3, 0, 4.0), id.with("time"), look)
        .map(|t| {
            with(curve, |keys| keys[index].t = t)
                .value
                .unwrap_or_else(|| curve.clone())
        });
    edited = edited.or(value
        .show_at(ui, column(fields, 3, 1, 4.0), id.with("value"), look)
        .map(|v| {
            with(curve, |keys| keys[index].v = v)
                .value
                .unwrap_or_else(|| curve.clone())
        }));
    let title = |i: Interpolation| crate::graph::kind::title_of(i.name());
    let choices: Vec<_> = Interpolation::ALL.map(|i| (i.name().to_owned(), title(i))).into();
    let chosen = choice(
        ui,
        column(fields, 3, 2, 4.0),
        id.with("interpolation"),
        look,
        &format!("{name} interpolation"),
        &title(key.interpolation),
        &choices,
    );
    if let Some(interpolation) = chosen.and_then(|name| Interpolation::from_name(&name)) {
        edited = edited.or(with(curve, |keys| keys[index].interpolation = interpolation));
    }
    let bin = Rect::from_min_max(pos2(row.right() - 20.0, row.top()), row.max);
    let icon = egui_phosphor::regular::TRASH;
    let response = super::menu::icon_button(ui, bin, id.with("remove"), look, icon, "Remove key");
    if response.on_hover_text("Remove this key").clicked() {
        edited = edited.or(removed(curve, index));
    }
    edited
}

fn removed(curve: &Curve, index: usize) -> Edited<Curve> {
    if curve.keys().len() == 1 {
        return Edited::refusal("A curve needs at least one key.".to_owned());
    }
    with(curve, |keys| {
        keys.remove(index);
    })
}

fn with(curve: &Curve, change: impl FnOnce(&mut Vec<Key>)) -> Edited<Curve> {
    let mut keys = curve.keys().to_vec();
    change(&mut keys);
    match Curve::new(keys) {
        Ok(curve) => Edited::whole(curve),
        Err(error) => Edited::refusal(format!("{error}.")),
    }
}

fn rounded(value: f32) -> f32 {
    (value * 1000.0).round() / 1000.0
}
