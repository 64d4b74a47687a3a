//! What is typed and chosen below the plane: the selected key, the slopes of its handles, the ends, the speeds.

use egui::{Align2, Id, Rect, Ui, pos2, vec2};

use super::super::edited::Edited;
use super::super::look::{FIELD, Look, ROW, centred, column};
use super::super::menu::{icon_button, segments};
use super::super::number::Number;
use super::plot::Side;
use super::{Over, removed, with};
use crate::base::curve::{Curve, Ends, Interpolation, Key};

fn row(ui: &mut Ui) -> Rect {
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), ROW));
    centred(row, FIELD)
}

/// A word in front of a row's fields; gives the room behind it.
fn titled(ui: &Ui, row: Rect, look: &Look<'_>, text: &str) -> Rect {
    let tokens = look.tokens;
    let font = look.font(12.0);
    look.text(
        ui.painter(),
        row.left_center(),
        Align2::LEFT_CENTER,
        text,
        font,
        tokens.text_dim,
        70.0,
    );
    Rect::from_min_max(pos2(row.left() + 74.0, row.top()), row.max)
}

/// All rows for the key `index`.
pub(super) fn show(
    ui: &mut Ui,
    id: Id,
    look: &Look<'_>,
    name: &str,
    curve: &Curve,
    (index, over): (usize, Over),
) -> Edited<(Curve, Over)> {
    let index = index.min(curve.keys().len() - 1);
    let mut edited = key(ui, id, look, name, curve, (index, over));
    edited = edited.or(goes_on(ui, id, look, name, curve, index));
    edited = edited.or(slopes(ui, id, look, name, curve, index));
    edited = edited.or(ends(ui, id, look, name, curve));
    let edited = edited.map(|curve| (curve, over));
    let Over::Speed(range) = over else { return edited };
    let speeds = speeds(ui, id, look, name, range);
    edited.or(speeds.map(|range| (curve.clone(), Over::Speed(range))))
}

/// A change of one number of a key. The key keeps its place among the others.
fn changed(curve: &Curve, index: usize, edited: Edited<f32>, set: impl Fn(&mut Key, f32)) -> Edited<Curve> {
    edited.map(|value| {
        let made = with(curve, |keys| set(&mut keys[index], value));
        made.value.unwrap_or_else(|| curve.clone())
    })
}

/// The key's time and value, and its removal.
fn key(
    ui: &mut Ui,
    id: Id,
    look: &Look<'_>,
    name: &str,
    curve: &Curve,
    (index, over): (usize, Over),
) -> Edited<Curve> {
    let Some(&key) = curve.keys().get(index) else {
        return Edited::default();
    };
    let row = row(ui);
    let fields = Rect::from_min_max(row.min, pos2(row.right() - 26.0, row.bottom()));
    let near = |at: Option<usize>| at.and_then(|i| curve.keys().get(i)).map(|k| k.t);
    let time_name = format!("{name} key time");
    let time = Number {
        prefix: "t",
        min: near(index.checked_sub(1)),
        max: near(Some(index + 1)),
        doc: match over {
            Over::Life => "When, as a part of the particle's life.",
            Over::Speed(_) => "Where between the two speeds: 0 is the first, 1 the second.",
            Over::Input => "At which input.",
        },
        ..Number::new(&time_name, key.t)
    };
    let value_name = format!("{name} key value");
    let value = Number {
        prefix: "v",
        ..Number::new(&value_name, key.v)
    };
    let time = time.show_at(ui, column(fields, 2, 0, 4.0), id.with("time"), look);
    let value = value.show_at(ui, column(fields, 2, 1, 4.0), id.with("value"), look);
    let mut edited = changed(curve, index, time, |key, t| key.t = t);
    edited = edited.or(changed(curve, index, value, |key, v| key.v = v));
    let bin = Rect::from_min_max(pos2(row.right() - 20.0, row.top()), row.max);
    let icon = egui_phosphor::regular::TRASH;
    let response = icon_button(ui, bin, id.with("remove"), look, icon, "Remove key");
    if response.on_hover_text("Remove this key (Delete)").clicked() {
        edited = edited.or(removed(curve, index));
    }
    edited
}

/// How the key goes on to the next.
fn goes_on(ui: &mut Ui, id: Id, look: &Look<'_>, name: &str, curve: &Curve, index: usize) -> Edited<Curve> {
    const KINDS: [(Interpolation, &str); 4] = [
        (Interpolation::Constant, "Constant"),
        (Interpolation::Linear, "Linear"),
        (Interpolation::Smooth, "Smooth"),
        (Interpolation::Bezier, "Bézier"),
    ];
    let at = row(ui);
    let at = titled(ui, at, look, "Goes on");
    let Some(key) = curve.keys().get(index) else {
        return Edited::default();
    };
    match segments(
        ui,
        at,
        id.with("interpolation"),
        look,
        name,
        key.interpolation,
        &KINDS,
    ) {
        Some(interpolation) => with(curve, |keys| keys[index].interpolation = interpolation),
        None => Edited::default(),
    }
}

/// The slopes of the handles that the key has.
fn slopes(ui: &mut Ui, id: Id, look: &Look<'_>, name: &str, curve: &Curve, index: usize) -> Edited<Curve> {
    let sides: Vec<Side> = Side::BOTH
        .into_iter()
        .filter(|side| side.reach(curve, index).is_some())
        .collect();
    let Some(&key) = curve.keys().get(index).filter(|_| !sides.is_empty()) else {
        return Edited::default();
    };
    let fields = row(ui);
    let fields = titled(ui, fields, look, "Slope");
    let mut edited = Edited::default();
    for side in sides {
        let label = format!("{name} slope {}", side.name());
        let (column_of, value) = match side {
            Side::In => (0, key.tangent_in),
            Side::Out => (1, key.tangent_out),
        };
        let number = Number {
            prefix: side.name(),
            default: Some(0.0),
            doc: "How steep the curve is here: value for each unit of time.",
            ..Number::new(&label, value)
        };
        let at = column(fields, 2, column_of, 4.0);
        let slope = number.show_at(ui, at, id.with(("slope", side)), look);
        edited = edited.or(changed(curve, index, slope, |key, slope| match side {
            Side::In => key.tangent_in = slope,
            Side::Out => key.tangent_out = slope,
        }));
    }
    edited
}

/// What the curve does outside its keys.
fn ends(ui: &mut Ui, id: Id, look: &Look<'_>, name: &str, curve: &Curve) -> Edited<Curve> {
    let at = row(ui);
    let at = titled(ui, at, look, "Ends");
    let kinds = [(Ends::Hold, "Hold"), (Ends::Loop, "Loop")];
    let at = column(at, 2, 0, 4.0);
    match segments(
        ui,
        at,
        id.with("ends"),
        look,
        &format!("{name} ends"),
        curve.ends(),
        &kinds,
    ) {
        Some(ends) => Edited::whole(curve.clone().with_ends(ends).settled()),
        None => Edited::default(),
    }
}

/// The speeds at 0 and at 1.
fn speeds(ui: &mut Ui, id: Id, look: &Look<'_>, name: &str, range: [f32; 2]) -> Edited<[f32; 2]> {
    let fields = row(ui);
    let fields = titled(ui, fields, look, "Speeds");
    let mut edited = Edited::default();
    for (index, (word, doc)) in [
        ("first", "The speed at the curve's 0."),
        ("second", "The speed at the curve's 1."),
    ]
    .into_iter()
    .enumerate()
    {
        let label = format!("{name} {word} speed");
        let number = Number {
            min: Some(0.0),
            unit: "m/s",
            default: Some(crate::graph::input::SPEEDS[index]),
            doc,
            ..Number::new(&label, range[index])
        };
        let at = column(fields, 2, index, 4.0);
        let one = number.show_at(ui, at, id.with(("speed", index)), look);
        edited = edited.or(one.map(|value| {
            let mut range = range;
            range[index] = value;
            range
        }));
    }
    edited
}
