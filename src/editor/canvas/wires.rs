//! Wires: their shape, what they show of a conversion, and the chain's own.

use egui::epaint::CubicBezierShape;
use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};

use super::model::Model;
use super::view::View;
use crate::editor::theme::Tokens;
use crate::editor::widgets::look::faded;
use crate::graph::types::type_title;
use crate::graph::{PortType, Socket};
use crate::layout::FieldType;

/// The curve of a wire on the screen.
#[must_use]
pub fn curve(from: Pos2, to: Pos2, zoom: f32) -> [Pos2; 4] {
    let reach = ((to.x - from.x).abs() * 0.5).max(36.0 * zoom).min(160.0 * zoom);
    let back = if to.x < from.x {
        (from.x - to.x).min(120.0 * zoom) * 0.4
    } else {
        0.0
    };
    let reach = reach + back;
    [from, from + vec2(reach, 0.0), to - vec2(reach, 0.0), to]
}

/// A point of a curve.
#[must_use]
pub fn point([a, b, c, d]: [Pos2; 4], t: f32) -> Pos2 {
    let u = 1.0 - t;
    let (wa, wb, wc, wd) = (u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t);
    pos2(
        wa * a.x + wb * b.x + wc * c.x + wd * d.x,
        wa * a.y + wb * b.y + wc * c.y + wd * d.y,
    )
}

/// Whether `at` is nearer than `reach` to a curve.
fn near(curve: [Pos2; 4], at: Pos2, reach: f32) -> bool {
    let mut last = curve[0];
    (1..=24).any(|i| {
        let next = point(curve, i as f32 / 24.0);
        let along = next - last;
        let part = ((at - last).dot(along) / along.length_sq().max(1e-6)).clamp(0.0, 1.0);
        let close = (last + along * part - at).length() < reach;
        last = next;
        close
    })
}

/// Paints a wire.
pub fn paint(painter: &Painter, points: [Pos2; 4], color: Color32, width: f32) {
    painter.add(Shape::CubicBezier(CubicBezierShape::from_points_stroke(
        points,
        false,
        Color32::TRANSPARENT,
        Stroke::new(width, color),
    )));
}

/// What a wire does to its value on the way, as a sentence; none where nothing.
#[must_use]
pub fn conversion(from: FieldType, to: PortType) -> Option<(bool, String)> {
    let PortType::Of(to) = to else { return None };
    if from.width() > to.width() {
        let lost = &["x", "y", "z", "w"][to.width() as usize..from.width() as usize];
        let lost = lost.join(" and ");
        let of = if from == FieldType::Color {
            "opacity".to_owned()
        } else {
            lost
        };
        return Some((
            true,
            format!(
                "A {} goes into a {}: {of} is dropped.",
                type_title(from),
                type_title(to)
            ),
        ));
    }
    if from.width() == 1 && to.width() > 1 {
        return Some((
            false,
            format!("The number stands in every part of the {}.", type_title(to)),
        ));
    }
    if from.width() < to.width() {
        return Some((
            false,
            format!("A {} becomes an opaque {}.", type_title(from), type_title(to)),
        ));
    }
    None
}

/// Paints the wires of a flow, except the one into `hidden`; gives the one under the pointer.
pub fn show(ui: &Ui, model: &Model, view: &View, tokens: &Tokens, hidden: Option<&Socket>) -> Option<Socket> {
    let pointer = ui
        .rect_contains_pointer(view.screen)
        .then(|| ui.input(|input| input.pointer.hover_pos()))
        .flatten()
        .filter(|at| {
            !model
                .nodes
                .iter()
                .any(|n| view.rect_to_screen(n.rect).contains(*at))
        });
    let painter = ui.painter();
    let mut hovered = None;
    for node in &model.nodes {
        for input in &node.inputs {
            let Some(source) = &input.source else { continue };
            let to = Socket::new(&node.id, &input.port.name);
            if hidden == Some(&to) {
                continue;
            }
            let Some((start, output)) = model.output(source) else {
                continue;
            };
            let (start, end) = (view.to_screen(start), view.to_screen(node.rect.min + input.at));
            let points = curve(start, end, view.zoom);
            let bounds = Rect::from_points(&points);
            if !bounds.expand(4.0).intersects(view.screen) {
                continue;
            }
            let hot = pointer.is_some_and(|at| bounds.expand(6.0).contains(at) && near(points, at, 6.0));
            let color = tokens.port(output.ty);
            let muted = node.muted || model.node(&source.node).is_some_and(|n| n.muted);
            let color = if muted { faded(color, 0.35) } else { color };
            let width = (if hot { 3.0 } else { 2.0 }) * view.zoom.clamp(0.6, 1.4);
            paint(painter, points, color, width);
            if let Some((drops, sentence)) = conversion(output.ty, input.port.ty) {
                let at = point(points, 0.72);
                let radius = 4.0 * view.zoom.clamp(0.6, 1.4);
                let fill = if drops { color } else { tokens.surface_low };
                painter.circle(at, radius, fill, Stroke::new(1.5, color));
                if drops {
                    let half = radius * 0.5;
                    let dash = [at - vec2(half, 0.0), at + vec2(half, 0.0)];
                    painter.line_segment(dash, Stroke::new(1.5, tokens.surface_low));
                }
                let id = ui.id().with(("conversion", &to));
                let hit = Rect::from_center_size(at, vec2(14.0, 14.0));
                ui.interact(hit, id, egui::Sense::hover()).on_hover_text(sentence);
            }
            if hot {
                hovered = Some(to);
            }
        }
    }
    hovered
}

/// Paints the chain: from each block to the next.
pub fn chain(painter: &Painter, model: &Model, view: &View, tokens: &Tokens) {
    let color = tokens.text_dim.gamma_multiply(0.8);
    let width = 2.5 * view.zoom.clamp(0.5, 1.4);
    let blocks: Vec<_> = model.blocks().collect();
    for pair in blocks.windows(2) {
        let [above, below] = pair else { continue };
        let from = view.to_screen(above.rect.center_bottom());
        let to = view.to_screen(below.rect.center_top());
        if !Rect::from_two_pos(from, to)
            .expand(80.0 * view.zoom)
            .intersects(view.screen)
        {
            continue;
        }
        if (from.x - to.x).abs() < 1.0 && to.y > from.y {
            painter.line_segment([from, to], Stroke::new(width, color));
        } else {
            let reach = vec2(
                0.0,
                ((to.y - from.y).abs() * 0.5).clamp(18.0 * view.zoom, 90.0 * view.zoom),
            );
            paint(painter, [from, from + reach, to - reach, to], color, width);
        }
        // An arrow head where there is room for one.
        let side = 4.5 * view.zoom;
        if (to - from).length() > side * 2.0 {
            let tip = to - vec2(0.0, 1.0);
            let points = vec![tip, tip + vec2(-side, -side * 1.3), tip + vec2(side, -side * 1.3)];
            painter.add(Shape::convex_polygon(points, tokens.text_dim, Stroke::NONE));
        }
    }
}
