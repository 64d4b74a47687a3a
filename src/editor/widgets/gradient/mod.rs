//! Gradients: a bar in a row, and the editor it opens.

mod rows;
mod tracks;

use egui::{
    Color32, Id, Key as Button, Mesh, Modifiers, Painter, Popup, PopupCloseBehavior, Rect, Sense, Shape,
    Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

use super::color;
use super::edited::Edited;
use super::look::{Look, shown};
use crate::base::curve::{AlphaKey, ColorKey, Gradient};
use tracks::Track;

/// The gradient in a bar that opens the editor.
pub fn gradient_field(
    ui: &mut Ui,
    rect: Rect,
    id: Id,
    look: &Look<'_>,
    name: &str,
    gradient: &Gradient,
) -> Edited<Gradient> {
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, ui.is_enabled(), name));
    bar(ui.painter(), rect, gradient, look, times(gradient));
    let line = if response.hovered() {
        look.tokens.text_dim
    } else {
        look.tokens.line
    };
    let stroke = Stroke::new(1.0, line);
    ui.painter()
        .rect_stroke(rect, look.px(3.0), stroke, egui::StrokeKind::Inside);
    let response = response.on_hover_text("The colour from its first to its last key. Click to edit.");
    let mut edited = Edited::default();
    let tokens = look.tokens;
    Popup::from_toggle_button_response(&response)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| edited = editor(ui, id.with("editor"), &Look::panel(tokens), name, gradient));
    edited
}

/// The times shown: 0 to 1, and where keys lie outside, as far as they reach.
fn times(gradient: &Gradient) -> [f32; 2] {
    let colors = gradient.keys().iter().map(|k| k.t);
    let all = colors.chain(gradient.alphas().iter().map(|k| k.t));
    all.fold([0.0, 1.0], |[low, high], t| [low.min(t), high.max(t)])
}

/// Paints the colours, and under them the colours with their opacity over a chequered ground.
fn bar(painter: &Painter, rect: Rect, gradient: &Gradient, look: &Look<'_>, times: [f32; 2]) {
    let split = rect.top() + rect.height() * 0.55;
    let lower = Rect::from_min_max(pos2(rect.left(), split), rect.max);
    color::chequer(painter, lower, look);
    let mut mesh = Mesh::default();
    let channels = gradient.channels();
    let steps = 64;
    let mut moments: Vec<f32> = (0..=steps)
        .map(|step| times[0] + (times[1] - times[0]) * step as f32 / steps as f32)
        .collect();
    // Both sides of each key, so that steps are sharp.
    if channels.iter().all(|channel| channel.keys().len() <= steps) {
        let keys = [&channels[0], &channels[3]].into_iter().flat_map(|c| c.keys());
        moments.extend(keys.flat_map(|k| [k.t.next_down().max(times[0]), k.t]));
        moments.sort_by(f32::total_cmp);
    }
    for (step, t) in moments.into_iter().enumerate() {
        let color = [0, 1, 2, 3].map(|c| channels[c].eval(f64::from(t)) as f32);
        let alpha = color[3].clamp(0.0, 1.0);
        let ink: Color32 = shown(color).gamma_multiply(alpha);
        let x = rect.left() + rect.width() * (t - times[0]) / (times[1] - times[0]);
        let next = mesh.vertices.len() as u32;
        mesh.colored_vertex(pos2(x, rect.top()), shown(color));
        mesh.colored_vertex(pos2(x, split), shown(color));
        mesh.colored_vertex(pos2(x, split), ink);
        mesh.colored_vertex(pos2(x, rect.bottom()), ink);
        if step > 0 {
            for at in [next, next + 2] {
                mesh.add_triangle(at - 4, at - 3, at);
                mesh.add_triangle(at - 3, at, at + 1);
            }
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// A key of one of the two tracks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Pick {
    Color(usize),
    Alpha(usize),
}

/// What the editor remembers between passes.
#[derive(Debug, Clone)]
struct State {
    selected: Pick,
    /// The times while something is dragged, so that the bar does not move under the pointer.
    held: Option<[f32; 2]>,
    /// The gradient as it was when a drag began, and the key that is dragged.
    drag: Option<(Gradient, Pick)>,
}

/// The editor, laid out from the top of `ui`.
pub fn editor(ui: &mut Ui, id: Id, look: &Look<'_>, name: &str, gradient: &Gradient) -> Edited<Gradient> {
    const WIDTH: f32 = 320.0;
    const TRACK: f32 = 16.0;
    ui.set_width(WIDTH);
    ui.spacing_mut().item_spacing.y = 4.0;
    let mut state = ui.data(|data| data.get_temp::<State>(id)).unwrap_or(State {
        selected: Pick::Color(0),
        held: None,
        drag: None,
    });
    state.selected = within(gradient, state.selected);
    let own = !gradient.alphas().is_empty();
    let above = if own { TRACK } else { 0.0 };
    let (_, frame) = ui.allocate_space(vec2(WIDTH, above + 26.0 + TRACK));
    let rect = Rect::from_min_size(frame.min + vec2(8.0, above), vec2(WIDTH - 16.0, 26.0));
    let times = state.held.unwrap_or_else(|| times(gradient));
    bar(ui.painter(), rect, gradient, look, times);

    let track = Track {
        rect,
        times,
        name,
        look,
    };
    let mut edited = track.ground(ui, id, gradient, &mut state);
    let colors = (0..gradient.keys().len()).map(Pick::Color);
    let alphas = (0..gradient.alphas().len()).map(Pick::Alpha);
    for pick in colors.chain(alphas) {
        edited = edited.or(track.key(ui, id, gradient, &mut state, pick));
    }
    if state.drag.is_some() && ui.input(|input| input.key_pressed(Button::Escape)) {
        ui.ctx().stop_dragging();
        state.drag = None;
        edited = Edited {
            cancel: true,
            ..Edited::default()
        };
    }
    edited = edited.or(by_key(ui, gradient, &state));
    let rows = rows::show(ui, id, look, name, gradient, state.selected);
    let edited = edited.or(rows);

    state.selected = within(edited.value.as_ref().unwrap_or(gradient), state.selected);
    if edited.begin && !edited.commit {
        state.held = Some(times);
    }
    // Also where the end of a gesture went unseen because the popup was closed over it.
    if edited.commit || edited.cancel || !ui.input(|input| input.pointer.any_down()) {
        (state.held, state.drag) = (None, None);
    }
    ui.data_mut(|data| data.insert_temp(id, state));
    edited
}

/// A key that there is.
fn within(gradient: &Gradient, pick: Pick) -> Pick {
    let colors = gradient.keys().len() - 1;
    match pick {
        Pick::Color(index) => Pick::Color(index.min(colors)),
        Pick::Alpha(index) => match gradient.alphas().len().checked_sub(1) {
            Some(last) => Pick::Alpha(index.min(last)),
            None => Pick::Color(index.min(colors)),
        },
    }
}

/// Delete takes the selected key away, unless a number is being typed.
fn by_key(ui: &Ui, gradient: &Gradient, state: &State) -> Edited<Gradient> {
    if ui.ctx().text_edit_focused() || state.drag.is_some() {
        return Edited::default();
    }
    let pressed = ui.input_mut(|input| {
        input.consume_key(Modifiers::NONE, Button::Delete)
            || input.consume_key(Modifiers::NONE, Button::Backspace)
    });
    if pressed {
        removed(gradient, state.selected)
    } else {
        Edited::default()
    }
}

fn removed(gradient: &Gradient, pick: Pick) -> Edited<Gradient> {
    match pick {
        Pick::Color(_) if gradient.keys().len() == 1 => {
            Edited::refusal("A gradient needs at least one colour.".to_owned())
        }
        Pick::Alpha(_) if gradient.alphas().len() == 1 => {
            Edited::refusal("An opacity of its own needs at least one key.".to_owned())
        }
        Pick::Color(index) => with(gradient, |keys, _| {
            keys.remove(index);
        }),
        Pick::Alpha(index) => with(gradient, |_, alphas| {
            alphas.remove(index);
        }),
    }
}

fn with(
    gradient: &Gradient,
    change: impl FnOnce(&mut Vec<ColorKey>, &mut Vec<AlphaKey>),
) -> Edited<Gradient> {
    let (mut keys, mut alphas) = (gradient.keys().to_vec(), gradient.alphas().to_vec());
    change(&mut keys, &mut alphas);
    let made = Gradient::new(keys).and_then(|made| made.with_alphas(alphas));
    match made {
        Ok(made) => Edited::whole(made.with_ends(gradient.ends()).settled()),
        Err(error) => Edited::refusal(format!("{error}.")),
    }
}
