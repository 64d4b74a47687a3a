//! Picking a colour by eye: saturation and brightness in a square, hue and opacity in bars.

use egui::ecolor::{Hsva, HsvaGamma};
use egui::{Color32, Id, Mesh, Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2};

use super::color::chequer;
use super::look::Look;

/// Cells of the square and of the bars that colours are blended in.
const CELLS: usize = 24;
const SQUARE: f32 = 132.0;
const BAR: f32 = 16.0;

/// Shows the picker from the top of `ui` as wide as there is room, with a bar for opacity where that counts;
/// gives the colour newly picked.
pub fn show(ui: &mut Ui, id: Id, look: &Look<'_>, name: &str, color: Hsva, opacity: bool) -> Option<Hsva> {
    let now = HsvaGamma::from(color);
    let width = ui.available_width();
    let mut picked = None;
    let area = |ui: &mut Ui, what: &str, height: f32| {
        let (_, rect) = ui.allocate_space(vec2(width, height));
        let response = ui.interact(rect, id.with(what), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Slider, true, format!("{name} {what}")));
        let held = response.is_pointer_button_down_on() || response.clicked();
        let at = response.interact_pointer_pos().filter(|_| held);
        let part = at.map(|at| {
            let part = (at - rect.min) / rect.size();
            vec2(part.x.clamp(0.0, 1.0), part.y.clamp(0.0, 1.0))
        });
        (rect, part)
    };
    let (square, part) = area(ui, "saturation and brightness", SQUARE);
    if let Some(part) = part {
        picked = Some(HsvaGamma {
            s: part.x,
            v: 1.0 - part.y,
            ..now
        });
    }
    let (hue, part) = area(ui, "hue", BAR);
    if let Some(part) = part {
        picked = Some(HsvaGamma { h: part.x, ..now });
    }
    let opacity = opacity.then(|| area(ui, "opacity bar", BAR));
    if let Some((_, Some(part))) = opacity {
        picked = Some(HsvaGamma { a: part.x, ..now });
    }
    let shown = picked.unwrap_or(now);
    let opaque = HsvaGamma { a: 1.0, ..shown };
    fill(ui, square, |x, y| {
        HsvaGamma {
            s: x,
            v: 1.0 - y,
            ..opaque
        }
        .into()
    });
    let full = |h| HsvaGamma {
        h,
        s: 1.0,
        v: 1.0,
        a: 1.0,
    };
    fill(ui, hue, |x, _| full(x).into());
    if let Some((bar, _)) = opacity {
        chequer(ui.painter(), bar, look);
        fill(ui, bar, |x, _| Color32::from(opaque).gamma_multiply(x));
        mark(ui, bar, bar.left() + bar.width() * shown.a, look);
    }
    let knob = pos2(
        square.left() + square.width() * shown.s,
        square.bottom() - square.height() * shown.v,
    );
    let ring = if shown.v > 0.6 && shown.s < 0.6 {
        Color32::BLACK
    } else {
        Color32::WHITE
    };
    ui.painter().circle(knob, 6.0, opaque, Stroke::new(2.0, ring));
    mark(ui, hue, hue.left() + hue.width() * shown.h, look);
    picked.filter(|picked| *picked != now).map(Hsva::from)
}

fn mark(ui: &Ui, bar: Rect, x: f32, look: &Look<'_>) {
    let x = x.clamp(bar.left() + 2.0, bar.right() - 2.0);
    let rect = Rect::from_center_size(pos2(x, bar.center().y), vec2(5.0, bar.height() + 2.0));
    let stroke = Stroke::new(1.0, look.tokens.surface_low);
    ui.painter()
        .rect(rect, 2.0, Color32::WHITE, stroke, egui::StrokeKind::Inside);
}

/// Fills a rectangle with the colours that `color` has for parts of its width and height.
fn fill(ui: &Ui, rect: Rect, color: impl Fn(f32, f32) -> Color32) {
    let mut mesh = Mesh::default();
    let side = CELLS + 1;
    for y in 0..side {
        for x in 0..side {
            let (u, v) = (x as f32 / CELLS as f32, y as f32 / CELLS as f32);
            let at: Pos2 = rect.lerp_inside(vec2(u, v));
            mesh.colored_vertex(at, color(u, v));
            if x > 0 && y > 0 {
                let here = (y * side + x) as u32;
                let above = here - side as u32;
                mesh.add_triangle(above - 1, above, here);
                mesh.add_triangle(above - 1, here, here - 1);
            }
        }
    }
    ui.painter().add(Shape::mesh(mesh));
}
