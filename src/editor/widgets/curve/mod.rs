//! Curves: a small preview in a row, and the editor it opens.

mod plot;
mod rows;

use egui::{
    Id, Key as Button, Modifiers, Popup, PopupCloseBehavior, Rect, Response, Sense, Stroke, Ui, WidgetInfo,
    WidgetType, vec2,
};

use super::edited::Edited;
use super::look::Look;
use super::number::short;
use crate::base::curve::{Curve, Interpolation, Key};
use plot::{Plane, Plot, Side};

/// What a curve goes over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Over {
    /// The particle's life.
    Life,
    /// The particle's speed: the speeds at its 0 and its 1, in metres a second.
    Speed([f32; 2]),
    /// Whatever is wired in.
    Input,
}

/// The curve in a small field that opens the editor, which also edits the speeds it goes over.
pub fn curve_field(
    ui: &mut Ui,
    rect: Rect,
    id: Id,
    look: &Look<'_>,
    name: &str,
    curve: &Curve,
    over: Over,
) -> Edited<(Curve, Over)> {
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, ui.is_enabled(), name));
    look.field(ui.painter(), rect, response.hovered(), None);
    let inner = rect.shrink2(vec2(look.px(4.0), look.px(3.0)));
    let plot = Plot::of(curve, inner, false);
    plot.line(ui.painter(), curve, Stroke::new(look.px(1.5), look.tokens.accent));
    let reach = match over {
        Over::Life => " over the particle's life".to_owned(),
        Over::Speed([min, max]) => format!(" over {} to {} m/s", short(min), short(max)),
        Over::Input => String::new(),
    };
    let (first, last) = (short(curve.first()), short(curve.last()));
    let response = response.on_hover_text(format!("From {first} to {last}{reach}. Click to edit."));
    let mut edited = Edited::default();
    let tokens = look.tokens;
    Popup::from_toggle_button_response(&response)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| edited = editor(ui, id.with("editor"), &Look::panel(tokens), name, curve, over));
    edited
}

/// What the editor remembers between passes.
#[derive(Debug, Clone, Default)]
struct State {
    selected: usize,
    /// The plane while something is dragged, so that it does not move under the pointer.
    held: Option<Plane>,
    drag: Option<Drag>,
}

/// A drag in the plane. The curve as it was decides what comes out, so going back and forth leaves no trace.
#[derive(Debug, Clone)]
struct Drag {
    origin: Curve,
    index: usize,
    /// A handle, or the key itself.
    side: Option<Side>,
}

/// The editor, laid out from the top of `ui`.
pub fn editor(
    ui: &mut Ui,
    id: Id,
    look: &Look<'_>,
    name: &str,
    curve: &Curve,
    over: Over,
) -> Edited<(Curve, Over)> {
    const WIDTH: f32 = 340.0;
    ui.set_width(WIDTH);
    ui.spacing_mut().item_spacing.y = 4.0;
    let tokens = look.tokens;
    let mut state = ui.data(|data| data.get_temp::<State>(id)).unwrap_or_default();
    state.selected = state.selected.min(curve.keys().len() - 1);
    let (_, frame) = ui.allocate_space(vec2(WIDTH, 180.0));
    look.field(ui.painter(), frame, false, None);
    let mut plot = Plot::of(curve, frame.shrink2(vec2(14.0, 18.0)), true);
    plot.plane = state.held.unwrap_or(plot.plane);
    plot.grid(ui.painter(), look, over);
    let painter = ui.painter().with_clip_rect(frame);
    plot.line(&painter, curve, Stroke::new(2.0, tokens.accent));

    let mut edited = ground(ui, id, name, frame, &plot, curve, &mut state);
    for (index, key) in curve.keys().iter().enumerate() {
        let at = plot.at(key.t, key.v);
        let hit = Rect::from_center_size(at, vec2(14.0, 14.0)).intersect(frame.expand(7.0));
        let response = ui.interact(hit, id.with(("key", index)), Sense::click_and_drag());
        response.widget_info(|| {
            let label = format!("{name} key {}", index + 1);
            WidgetInfo::selected(WidgetType::SelectableLabel, true, index == state.selected, label)
        });
        if response.clicked() || response.drag_started() {
            state.selected = index;
        }
        if response.secondary_clicked() {
            edited = removed(curve, index);
        }
        edited = edited.or(dragged(&response, &plot, curve, &mut state, (index, None)));
        let chosen = index == state.selected;
        let (size, color) = if chosen {
            (5.0, tokens.selection)
        } else {
            (4.0, tokens.accent)
        };
        painter.circle(at, size, color, Stroke::new(1.5, tokens.surface_low));
        response.on_hover_text(format!("{}: {}", short(key.t), short(key.v)));
    }
    for side in Side::BOTH {
        let index = state.selected;
        let (Some((t, v)), Some(key)) = (side.handle(curve, index), curve.keys().get(index)) else {
            continue;
        };
        let at = plot.at(t, v);
        painter.line_segment([plot.at(key.t, key.v), at], Stroke::new(1.0, tokens.text_dim));
        let hit = Rect::from_center_size(at, vec2(12.0, 12.0));
        let response = ui.interact(hit, id.with(("handle", side)), Sense::click_and_drag());
        response.widget_info(|| {
            let label = format!("{name} handle {}", side.name());
            WidgetInfo::labeled(WidgetType::Other, true, label)
        });
        edited = edited.or(dragged(&response, &plot, curve, &mut state, (index, Some(side))));
        let square = Rect::from_center_size(at, vec2(7.0, 7.0));
        painter.rect_filled(square, 1.0, tokens.selection);
        response.on_hover_text("Drag up and down to turn the curve here.");
    }
    if state.drag.is_some() && ui.input(|input| input.key_pressed(Button::Escape)) {
        ui.ctx().stop_dragging();
        state.drag = None;
        edited = Edited {
            cancel: true,
            ..Edited::default()
        };
    }
    edited = edited.or(by_key(ui, curve, &state));
    let rows = rows::show(ui, id, look, name, curve, (state.selected, over));
    let edited = edited.map(|curve| (curve, over)).or(rows);

    let left = edited
        .value
        .as_ref()
        .map_or(curve, |(curve, _)| curve)
        .keys()
        .len();
    state.selected = state.selected.min(left - 1);
    if edited.begin && !edited.commit {
        state.held = Some(plot.plane);
    }
    // Also where the end of a gesture went unseen because the popup was closed over it.
    if edited.commit || edited.cancel || !ui.input(|input| input.pointer.any_down()) {
        (state.held, state.drag) = (None, None);
    }
    ui.weak("Double click adds a key, Delete or right click removes it.");
    ui.data_mut(|data| data.insert_temp(id, state));
    edited
}

/// What lies behind the keys: a double click adds one.
fn ground(
    ui: &Ui,
    id: Id,
    name: &str,
    frame: Rect,
    plot: &Plot,
    curve: &Curve,
    state: &mut State,
) -> Edited<Curve> {
    let ground = ui.interact(frame, id.with("ground"), Sense::click());
    ground.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, format!("{name} ground")));
    let mut edited = Edited::default();
    if ground.double_clicked()
        && let Some(at) = ground.interact_pointer_pos()
    {
        let (t, v) = plot.key(at);
        let (t, v) = (rounded(t), rounded(v));
        // It goes on as the segment it falls into.
        let before = curve.keys().partition_point(|k| k.t <= t).saturating_sub(1);
        let interpolation = curve
            .keys()
            .get(before)
            .map_or(Interpolation::Linear, |k| k.interpolation);
        edited = with(curve, |keys| {
            keys.push(Key {
                interpolation,
                ..Key::linear(t, v)
            });
        });
        if let Some(curve) = &edited.value {
            state.selected = curve.keys().partition_point(|k| k.t <= t).saturating_sub(1);
        }
    }
    ground.on_hover_text("Double click adds a key.");
    edited
}

/// What a drag of a key or a handle comes to in this pass.
fn dragged(
    response: &Response,
    plot: &Plot,
    curve: &Curve,
    state: &mut State,
    (index, side): (usize, Option<Side>),
) -> Edited<Curve> {
    let mut edited = Edited::default();
    if response.drag_started_by(egui::PointerButton::Primary) {
        state.drag = Some(Drag {
            origin: curve.clone(),
            index,
            side,
        });
        edited.begin = true;
    }
    if response.dragged()
        && let (Some(at), Some(drag)) = (response.interact_pointer_pos(), &state.drag)
    {
        let (t, v) = plot.key(at);
        let (made, selected) = match drag.side {
            None => moved(&drag.origin, drag.index, rounded(t), rounded(v)),
            Some(side) => (turned(&drag.origin, drag.index, side, rounded(v)), drag.index),
        };
        state.selected = selected;
        if made.as_ref().is_some_and(|made| made != curve) {
            edited.value = made;
        }
    }
    if response.drag_stopped() {
        edited.commit = true;
    }
    edited
}

/// The curve with a key elsewhere, and which key that is then: it may have passed others.
fn moved(curve: &Curve, index: usize, t: f32, v: f32) -> (Option<Curve>, usize) {
    let mut keys: Vec<(Key, bool)> = curve.keys().iter().map(|key| (*key, false)).collect();
    if let Some((key, chosen)) = keys.get_mut(index) {
        (key.t, key.v, *chosen) = (t, v, true);
    }
    keys.sort_by(|(a, _), (b, _)| a.t.total_cmp(&b.t));
    let place = keys.iter().position(|(_, chosen)| *chosen).unwrap_or(index);
    let keys = keys.into_iter().map(|(key, _)| key).collect();
    (with(curve, |all| *all = keys).value, place)
}

/// The curve with a handle at another value. Smooth keys turn as one.
fn turned(curve: &Curve, index: usize, side: Side, v: f32) -> Option<Curve> {
    let reach = side.reach(curve, index)?;
    let slope = (v - curve.keys().get(index)?.v) / reach;
    // The last key's own interpolation counts for nothing; it goes with the segment before.
    let last = index + 1 == curve.keys().len();
    let says = if last { index.saturating_sub(1) } else { index };
    let as_one = curve.keys().get(says)?.interpolation == Interpolation::Smooth;
    with(curve, |keys| {
        if as_one || side == Side::In {
            keys[index].tangent_in = slope;
        }
        if as_one || side == Side::Out {
            keys[index].tangent_out = slope;
        }
    })
    .value
}

/// Delete takes the selected key away, unless a number is being typed.
fn by_key(ui: &Ui, curve: &Curve, state: &State) -> Edited<Curve> {
    if ui.ctx().text_edit_focused() || state.drag.is_some() {
        return Edited::default();
    }
    let pressed = ui.input_mut(|input| {
        input.consume_key(Modifiers::NONE, Button::Delete)
            || input.consume_key(Modifiers::NONE, Button::Backspace)
    });
    if pressed {
        removed(curve, state.selected)
    } else {
        Edited::default()
    }
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
        Ok(made) => Edited::whole(made.with_ends(curve.ends()).settled()),
        Err(error) => Edited::refusal(format!("{error}.")),
    }
}

fn rounded(value: f32) -> f32 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_dragged_past_another_stays_the_same_key() {
        let curve = Curve::new(vec![
            Key::linear(0.0, 0.0),
            Key::linear(0.4, 1.0),
            Key::linear(0.6, 2.0),
        ])
        .unwrap();
        let (past, place) = moved(&curve, 1, 0.9, 1.0);
        assert_eq!((place, past.unwrap().keys()[2].v), (2, 1.0));
        let (back, place) = moved(&curve, 1, 0.4, 1.0);
        assert_eq!((place, back), (1, Some(curve)));
    }

    #[test]
    fn smooth_handles_turn_as_one_and_free_ones_do_not() {
        let key = |t, interpolation| Key {
            interpolation,
            ..Key::linear(t, 0.0)
        };
        for (interpolation, other) in [(Interpolation::Smooth, 3.0), (Interpolation::Bezier, 0.0)] {
            let keys = [0.0, 1.0, 2.0].map(|t| key(t, interpolation)).to_vec();
            let curve = turned(&Curve::new(keys).unwrap(), 1, Side::Out, 1.0).unwrap();
            assert!((curve.keys()[1].tangent_out - 3.0).abs() < 1e-6);
            assert!((curve.keys()[1].tangent_in - other).abs() < 1e-6);
            assert!((Side::Out.handle(&curve, 1).unwrap().1 - 1.0).abs() < 1e-6);
        }
    }
}
