//! What lies behind the nodes: the grid, the artist's frames and notes, and which flow this is.

use egui::{Align2, Rect, Ui, pos2, vec2};

use super::CanvasInput;
use super::view::View;
use crate::base::diag::FlowKind;
use crate::editor::theme::Tokens;
use crate::editor::widgets::Look;

/// The dots, coarser where they would be too dense.
pub(super) fn grid(ui: &Ui, view: &View, tokens: &Tokens) {
    let mut step = 24.0;
    while step * view.zoom < 16.0 {
        step *= 4.0;
    }
    let seen = view.seen();
    let ink = tokens.line;
    let (first_x, first_y) = (
        (seen.left() / step).floor() as i32,
        (seen.top() / step).floor() as i32,
    );
    let (last_x, last_y) = (
        (seen.right() / step).ceil() as i32,
        (seen.bottom() / step).ceil() as i32,
    );
    let mut mesh = egui::Mesh::default();
    for y in first_y..=last_y {
        for x in first_x..=last_x {
            let at = view.to_screen(pos2(x as f32 * step, y as f32 * step)).round();
            mesh.add_colored_rect(Rect::from_min_size(at, vec2(1.5, 1.5)), ink);
        }
    }
    ui.painter().add(egui::Shape::mesh(mesh));
}

/// The frames and notes that the artist put on the canvas.
pub(super) fn frames(ui: &Ui, input: &CanvasInput<'_>, view: &View) {
    let Some(emitter) = input.document.emitter(input.emitter) else {
        return;
    };
    let look = Look {
        tokens: input.tokens,
        scale: view.zoom,
    };
    let layout = &emitter.flow(input.flow).layout;
    for frame in &layout.frames {
        let [x, y, width, height] = frame.rect;
        let rect = view.rect_to_screen(Rect::from_min_size(pos2(x, y), vec2(width, height)));
        let color = frame.color.map_or(input.tokens.text_dim, |[r, g, b]| {
            egui::Color32::from_rgb(r, g, b)
        });
        let stroke = egui::Stroke::new(1.0, color.gamma_multiply(0.6));
        let fill = color.gamma_multiply(0.10);
        ui.painter()
            .rect(rect, look.px(6.0), fill, stroke, egui::StrokeKind::Inside);
        let at = rect.min + vec2(look.px(8.0), look.px(5.0));
        look.text(
            ui.painter(),
            at,
            Align2::LEFT_TOP,
            &frame.title,
            look.font(13.0),
            color,
            rect.width(),
        );
    }
    for note in &layout.notes {
        let at = view.to_screen(note.position.into());
        let galley = ui.painter().layout(
            note.text.clone(),
            look.font(12.5),
            input.tokens.text_dim,
            look.px(260.0),
        );
        ui.painter().galley(at, galley, input.tokens.text_dim);
    }
}

/// Which flow this is, in a corner.
pub(super) fn title(ui: &Ui, input: &CanvasInput<'_>, view: &View) {
    let look = Look::panel(input.tokens);
    let at = view.screen.min + vec2(14.0, 10.0);
    let dim = input.tokens.text_dim;
    let shown = ui
        .painter()
        .text(at, Align2::LEFT_TOP, input.flow.title(), look.font(15.0), dim);
    let text = match input.flow {
        FlowKind::Birth => "what a new particle starts with",
        FlowKind::EveryFrame => "what happens to a particle over and over",
    };
    if view.screen.width() > 420.0 {
        let at = shown.right_center() + vec2(10.0, 1.0);
        let dimmer = dim.gamma_multiply(0.75);
        ui.painter()
            .text(at, Align2::LEFT_CENTER, text, look.font(12.0), dimmer);
    }
    let zoom = format!("{:.0} %", view.zoom * 100.0);
    let at = view.screen.right_bottom() - vec2(12.0, 10.0);
    ui.painter().text(
        at,
        Align2::RIGHT_BOTTOM,
        zoom,
        look.mono(11.0),
        dim.gamma_multiply(0.8),
    );
}
