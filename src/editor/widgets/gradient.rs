//! Gradients: a bar in a row, and the editor it opens.

use egui::{
    Color32, Id, Mesh, Painter, Popup, PopupCloseBehavior, Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo,
    WidgetType, pos2, vec2,
};

use super::color;
use super::edited::Edited;
use super::look::{FIELD, Look, ROW, shown};
use super::number::{Number, short};
use crate::base::curve::{ColorKey, Gradient};

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
    bar(ui.painter(), rect, gradient, look);
    let line = if response.hovered() {
        look.tokens.text_dim
    } else {
        look.tokens.line
    };
    let stroke = Stroke::new(1.0, line);
    ui.painter()
        .rect_stroke(rect, look.px(3.0), stroke, egui::StrokeKind::Inside);
    let response = response.on_hover_text("The colour over the particle's life. Click to edit.");
    let mut edited = Edited::default();
    let tokens = look.tokens;
    Popup::from_toggle_button_response(&response)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| edited = editor(ui, id.with("editor"), &Look::panel(tokens), name, gradient));
    edited
}

/// Paints the colours, and under them the colours with their opacity over a chequered ground.
fn bar(painter: &Painter, rect: Rect, gradient: &Gradient, look: &Look<'_>) {
    let split = rect.top() + rect.height() * 0.55;
    let lower = Rect::from_min_max(pos2(rect.left(), split), rect.max);
    color::chequer(painter, lower, look);
    let mut mesh = Mesh::default();
    let steps = 48;
    for step in 0..=steps {
        let part = step as f32 / steps as f32;
        let color = gradient.eval(f64::from(part)).map(|c| c as f32);
        let alpha = color[3].clamp(0.0, 1.0);
        let ink: Color32 = shown(color).gamma_multiply(alpha);
        let x = rect.left() + rect.width() * part;
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

/// The editor, laid out from the top of `ui`.
pub fn editor(ui: &mut Ui, id: Id, look: &Look<'_>, name: &str, gradient: &Gradient) -> Edited<Gradient> {
    const WIDTH: f32 = 300.0;
    ui.set_width(WIDTH);
    let tokens = look.tokens;
    let keys = gradient.keys();
    let mut selected = ui
        .data(|data| data.get_temp::<usize>(id))
        .unwrap_or(0)
        .min(keys.len() - 1);
    let (_, frame) = ui.allocate_space(vec2(WIDTH, 40.0));
    let rect = Rect::from_min_max(
        frame.min + vec2(8.0, 0.0),
        pos2(frame.right() - 8.0, frame.top() + 24.0),
    );
    bar(ui.painter(), rect, gradient, look);
    let ground = ui.interact(rect, id.with("ground"), Sense::click());
    ground.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, format!("{name} ground")));
    let part = |at: Pos2| ((at.x - rect.left()) / rect.width()).clamp(0.0, 1.0);
    let mut edited = Edited::default();
    if ground.double_clicked()
        && let Some(at) = ground.interact_pointer_pos()
    {
        let t = part(at);
        let color = gradient.eval(f64::from(t)).map(|c| c as f32);
        edited = with(gradient, |keys| keys.push(ColorKey::new(t, color)));
        if let Some(made) = &edited.value {
            selected = made.keys().iter().position(|k| k.t == t).unwrap_or(0);
        }
    }
    ground.on_hover_text("Double click adds a colour.");
    for (index, key) in keys.iter().enumerate() {
        let tip = pos2(
            rect.left() + rect.width() * key.t.clamp(0.0, 1.0),
            rect.bottom() + 1.0,
        );
        let hit = Rect::from_center_size(tip + vec2(0.0, 7.0), vec2(14.0, 16.0));
        let response = ui.interact(hit, id.with(("key", index)), Sense::click_and_drag());
        response.widget_info(|| {
            let label = format!("{name} colour {}", index + 1);
            WidgetInfo::selected(WidgetType::SelectableLabel, true, index == selected, label)
        });
        if response.clicked() || response.drag_started() {
            selected = index;
        }
        edited.begin |= response.drag_started();
        if response.dragged()
            && let Some(at) = response.interact_pointer_pos()
        {
            let low = index
                .checked_sub(1)
                .and_then(|i| keys.get(i))
                .map_or(0.0, |k| k.t);
            let high = keys.get(index + 1).map_or(1.0, |k| k.t);
            let t = ((part(at) * 1000.0).round() / 1000.0).clamp(low, high.max(low));
            if t != key.t {
                edited.value = with(gradient, |keys| keys[index].t = t).value;
            }
        }
        edited.commit |= response.drag_stopped();
        if response.secondary_clicked() {
            edited = removed(gradient, index);
        }
        let line = if index == selected {
            tokens.selection
        } else {
            tokens.text_dim
        };
        let points = vec![
            tip,
            tip + vec2(6.0, 6.0),
            tip + vec2(6.0, 14.0),
            tip + vec2(-6.0, 14.0),
            tip + vec2(-6.0, 6.0),
        ];
        let shape = Shape::convex_polygon(points, shown(key.color), Stroke::new(1.5, line));
        ui.painter().add(shape);
        response.on_hover_text(short(key.t));
    }
    let index = selected.min(keys.len() - 1);
    let row = stop(ui, id, look, name, gradient, index);
    ui.data_mut(|data| data.insert_temp(id, selected));
    edited.or(row)
}

/// The selected colour, its time, and its removal.
fn stop(
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
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), ROW));
    let row = super::look::centred(row, FIELD);
    let time_name = format!("{name} colour time");
    let time = Number {
        prefix: "t",
        min: Some(index.checked_sub(1).map_or(0.0, |i| gradient.keys()[i].t)),
        max: Some(gradient.keys().get(index + 1).map_or(1.0, |k| k.t)),
        doc: "When, as a part of the particle's life.",
        ..Number::new(&time_name, key.t)
    };
    let at = Rect::from_min_max(row.min, pos2(row.left() + 120.0, row.bottom()));
    let keep = |edited: Edited<Gradient>| edited.value.unwrap_or_else(|| gradient.clone());
    let mut edited = time
        .show_at(ui, at, id.with("time"), look)
        .map(|t| keep(with(gradient, |keys| keys[index].t = t)));
    let bin = Rect::from_min_max(pos2(row.right() - 20.0, row.top()), row.max);
    let icon = egui_phosphor::regular::TRASH;
    let response = super::menu::icon_button(ui, bin, id.with("remove"), look, icon, "Remove colour");
    if response.on_hover_text("Remove this colour").clicked() {
        edited = edited.or(removed(gradient, index));
    }
    let picked = color::editor(ui, id.with(("stop", index)), look, name, key.color);
    edited.or(picked.map(|color| keep(with(gradient, |keys| keys[index].color = color))))
}

fn removed(gradient: &Gradient, index: usize) -> Edited<Gradient> {
    if gradient.keys().len() == 1 {
        return Edited::refusal("A gradient needs at least one colour.".to_owned());
    }
    with(gradient, |keys| {
        keys.remove(index);
    })
}

fn with(gradient: &Gradient, change: impl FnOnce(&mut Vec<ColorKey>)) -> Edited<Gradient> {
    let mut keys = gradient.keys().to_vec();
    change(&mut keys);
    match Gradient::new(keys) {
        Ok(gradient) => Edited::whole(gradient),
        Err(error) => Edited::refusal(format!("{error}.")),
    }
}
