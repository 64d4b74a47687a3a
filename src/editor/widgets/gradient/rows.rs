//! What is typed and chosen below the bar: the selected colour or opacity, and what holds for all.

use egui::{Align2, Id, Rect, Ui, pos2, vec2};

use super::super::color;
use super::super::edited::Edited;
use super::super::look::{FIELD, Look, ROW, centred, column};
use super::super::menu::{icon_button, segments};
use super::super::number::Number;
use super::{Pick, removed, with};
use crate::base::curve::{AlphaKey, Ends, Gradient, Interpolation, MAX_STOPS};

const PLAIN: [(Interpolation, &str); 3] = [
    (Interpolation::Constant, "Constant"),
    (Interpolation::Linear, "Linear"),
    (Interpolation::Smooth, "Smooth"),
];

fn row(ui: &mut Ui) -> Rect {
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), ROW));
    centred(row, FIELD)
}

/// All rows.
pub(super) fn show(
    ui: &mut Ui,
    id: Id,
    look: &Look<'_>,
    name: &str,
    gradient: &Gradient,
    pick: Pick,
) -> Edited<Gradient> {
    let mut edited = key(ui, id, look, name, gradient, pick);
    if let Pick::Color(index) = pick {
        edited = edited.or(light(ui, id, look, name, gradient, index));
    }
    ui.separator();
    edited.or(whole(ui, id, look, name, gradient))
}

/// The gradient with a change, or as it was where the change is none.
fn keep(gradient: &Gradient, edited: Edited<Gradient>) -> Gradient {
    edited.value.unwrap_or_else(|| gradient.clone())
}

/// The key's time, its opacity where it is one, how it goes on, and its removal.
fn key(
    ui: &mut Ui,
    id: Id,
    look: &Look<'_>,
    name: &str,
    gradient: &Gradient,
    pick: Pick,
) -> Edited<Gradient> {
    let (times, index, word): (Vec<f32>, usize, &str) = match pick {
        Pick::Color(index) => (gradient.keys().iter().map(|k| k.t).collect(), index, "colour"),
        Pick::Alpha(index) => (gradient.alphas().iter().map(|k| k.t).collect(), index, "opacity"),
    };
    let (now, alpha) = match pick {
        Pick::Color(index) => (gradient.keys()[index].interpolation, None),
        Pick::Alpha(index) => {
            let key = gradient.alphas()[index];
            (key.interpolation, Some(key.alpha))
        }
    };
    let row = row(ui);
    let fields = Rect::from_min_max(row.min, pos2(row.right() - 26.0, row.bottom()));
    let count = 2;
    let time_name = format!("{name} {word} time");
    let time = Number {
        prefix: "t",
        min: index.checked_sub(1).map(|i| times[i]),
        max: times.get(index + 1).copied(),
        doc: "When; over life 0 is birth and 1 the end.",
        ..Number::new(&time_name, times[index])
    };
    let mut edited = time
        .show_at(ui, column(fields, count, 0, 4.0), id.with(("time", word)), look)
        .map(|t| {
            let made = with(gradient, |keys, alphas| match pick {
                Pick::Color(index) => keys[index].t = t,
                Pick::Alpha(index) => alphas[index].t = t,
            });
            keep(gradient, made)
        });
    if let Some(alpha) = alpha {
        let alpha_name = format!("{name} opacity value");
        let number = Number {
            prefix: "A",
            min: Some(0.0),
            max: Some(1.0),
            ..Number::new(&alpha_name, alpha)
        };
        let at = column(fields, count, 1, 4.0);
        let one = number.show_at(ui, at, id.with("opacity"), look);
        edited = edited.or(one.map(|value| {
            let made = with(gradient, |_, alphas| alphas[index].alpha = value);
            keep(gradient, made)
        }));
    }
    let bin = Rect::from_min_max(pos2(row.right() - 20.0, row.top()), row.max);
    let icon = egui_phosphor::regular::TRASH;
    let response = icon_button(ui, bin, id.with("remove"), look, icon, &format!("Remove {word}"));
    if response.on_hover_text("Remove this key (Delete)").clicked() {
        edited = edited.or(removed(gradient, pick));
    }
    let at = titled(ui, look, "Goes on");
    if let Some(interpolation) = segments(ui, at, id.with("interpolation"), look, name, now, &PLAIN) {
        edited = edited.or(with(gradient, |keys, alphas| match pick {
            Pick::Color(index) => keys[index].interpolation = interpolation,
            Pick::Alpha(index) => alphas[index].interpolation = interpolation,
        }));
    }
    edited
}

/// A colour and its intensity.
fn light(
    ui: &mut Ui,
    id: Id,
    look: &Look<'_>,
    name: &str,
    gradient: &Gradient,
    index: usize,
) -> Edited<Gradient> {
    let Some(&key) = gradient.keys().get(index) else {
        return Edited::default();
    };
    let picked = color::editor(
        ui,
        id.with(("stop", index)),
        look,
        name,
        key.color,
        gradient.alphas().is_empty(),
    );
    let edited = picked.map(|color| keep(gradient, with(gradient, |keys, _| keys[index].color = color)));
    let at = titled(ui, look, "Intensity");
    let stops_name = format!("{name} intensity");
    let stops = Number {
        min: Some(-MAX_STOPS),
        max: Some(MAX_STOPS),
        default: Some(0.0),
        unit: "stops",
        doc: "Each stop doubles the light of this colour.",
        ..Number::new(&stops_name, key.stops)
    };
    let one = stops.show_at(ui, at, id.with("stops"), look);
    edited.or(one.map(|stops| keep(gradient, with(gradient, |keys, _| keys[index].stops = stops))))
}

/// Where opacity comes from, and the ends.
fn whole(ui: &mut Ui, id: Id, look: &Look<'_>, name: &str, gradient: &Gradient) -> Edited<Gradient> {
    let at = titled(ui, look, "Opacity");
    let own = !gradient.alphas().is_empty();
    let kinds = [(false, "With colours"), (true, "Own keys")];
    let label = format!("{name} opacity");
    let mut edited = match segments(ui, at, id.with("own"), look, &label, own, &kinds) {
        Some(wanted) => with(gradient, |keys, alphas| {
            alphas.clear();
            if wanted {
                // It begins as it was.
                alphas.extend(keys.iter().map(|k| AlphaKey {
                    interpolation: k.interpolation,
                    ..AlphaKey::new(k.t, k.color[3])
                }));
            }
        }),
        None => Edited::default(),
    };
    let at = titled(ui, look, "Ends");
    let kinds = [(Ends::Hold, "Hold"), (Ends::Loop, "Loop")];
    let label = format!("{name} ends");
    if let Some(ends) = segments(ui, at, id.with("ends"), look, &label, gradient.ends(), &kinds) {
        edited = edited.or(Edited::whole(gradient.clone().with_ends(ends).settled()));
    }
    edited
}

/// A row with a word in front; gives the room behind it.
fn titled(ui: &mut Ui, look: &Look<'_>, text: &str) -> Rect {
    let row = row(ui);
    let tokens = look.tokens;
    let font = look.font(12.0);
    look.text(
        ui.painter(),
        row.left_center(),
        Align2::LEFT_CENTER,
        text,
        font,
        tokens.text,
        100.0,
    );
    Rect::from_min_max(pos2(row.left() + 110.0, row.top()), row.max)
}
