//! The preview: the player's pictures, what they cost, and the camera.

mod hud;
mod picture;
mod wind;

use std::fmt;

use eframe::egui_wgpu::RenderState;
use egui::{Align2, Context, FontId, PointerButton, Rect, Response, Sense, Ui, pos2, vec2};

use crate::editor::action::{Action, Actions, Look};
use crate::editor::state::EditorState;
use crate::play::{Driver, Shown};
use picture::Picture;

/// Radians a point of dragging turns the camera.
const TURN: f32 = 0.008;

/// The viewport.
pub(super) struct Viewport {
    render_state: Option<RenderState>,
    /// The GPU's picture and the CPU's.
    pictures: [Picture; 2],
    rect: Rect,
}

impl fmt::Debug for Viewport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Viewport")
            .field("pictures", &self.pictures)
            .field("rect", &self.rect)
            .finish_non_exhaustive()
    }
}

impl Viewport {
    pub(super) fn new(render_state: Option<RenderState>) -> Self {
        Self {
            render_state,
            pictures: [Picture::new(Driver::Gpu), Picture::new(Driver::Cpu)],
            rect: Rect::NOTHING,
        }
    }

    /// Whether the pointer is over the viewport and nothing lies between.
    pub(super) fn is_hovered(&self, ctx: &Context) -> bool {
        let Some(pointer) = ctx.pointer_latest_pos() else {
            return false;
        };
        let top = ctx
            .layer_id_at(pointer)
            .is_none_or(|layer| layer.order == egui::Order::Background);
        top && self.rect.contains(pointer)
    }

    pub(super) fn show(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let size = ui.available_size().max(vec2(0.0, 0.0));
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        self.rect = rect;
        response.ctx.accesskit_node_builder(response.id, |node| {
            node.set_role(egui::accesskit::Role::Canvas);
            node.set_label("Viewport");
        });
        for picture in &mut self.pictures {
            picture.wanted = [0, 0];
        }
        if rect.is_positive() {
            self.pictures(ui, rect, state);
        }
        camera(ui, &response, state.player().shown(), actions);
        if rect.is_positive() {
            wind::show(ui, rect, state, actions);
        }
        if response.double_clicked() {
            actions.push(Action::Command("view.frame"));
        }
    }

    fn pictures(&mut self, ui: &Ui, rect: Rect, state: &EditorState) {
        let tokens = state.tokens();
        let split = state.player().shown() == Shown::Split;
        let (left, right) = rect.split_left_right_at_fraction(0.5);
        for picture in &mut self.pictures {
            if !state.player().shown().has(picture.driver()) {
                continue;
            }
            let part = match (split, picture.driver()) {
                (false, _) => rect,
                (true, Driver::Gpu) => left,
                (true, Driver::Cpu) => right,
            };
            if let Some(render_state) = &self.render_state {
                picture.fit(part.size() * ui.pixels_per_point(), render_state, state);
                picture.paint(ui, part);
            }
            if split {
                let name = match picture.driver() {
                    Driver::Gpu => "GPU",
                    Driver::Cpu => "CPU",
                };
                let at = pos2(part.center().x, part.top() + 8.0);
                let font = FontId::proportional(12.0);
                ui.painter()
                    .text(at, Align2::CENTER_TOP, name, font, tokens.text_dim);
            }
        }
        if split {
            ui.painter()
                .vline(left.right(), rect.y_range(), (1.0, tokens.line));
        }
        hud::show(ui, rect, state, self.render_state.is_some());
    }

    /// Draws the pictures this frame shows, where they are out of date.
    pub(super) fn draw(&mut self, state: &mut EditorState) {
        for picture in &mut self.pictures {
            picture.draw(state);
        }
    }
}

/// The pointer moves the camera: left drag turns, middle or Shift drag pans, the wheel goes nearer.
fn camera(ui: &Ui, response: &Response, shown: Shown, actions: &mut Actions) {
    let pictures = if shown == Shown::Split { 2.0 } else { 1.0 };
    let size = response.rect.size();
    let side = size.y.min(size.x / pictures).max(1.0);
    let moved = response.drag_delta();
    if moved != egui::Vec2::ZERO {
        let shift = ui.input(|input| input.modifiers.shift);
        let pan = response.dragged_by(PointerButton::Middle)
            || (shift && response.dragged_by(PointerButton::Primary));
        if pan {
            actions.push(Action::Look(Look::Pan(-moved.x / side, moved.y / side)));
        } else if response.dragged_by(PointerButton::Primary) {
            actions.push(Action::Look(Look::Orbit(-moved.x * TURN, moved.y * TURN)));
        } else if response.dragged_by(PointerButton::Secondary) {
            actions.push(Action::Look(Look::Dolly((moved.y * 0.01).exp())));
        }
    }
    if response.hovered() {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        if scroll != 0.0 {
            actions.push(Action::Look(Look::Dolly((-scroll * 0.002).exp())));
        }
        if (pinch - 1.0).abs() > f32::EPSILON && pinch > 0.0 {
            actions.push(Action::Look(Look::Dolly(1.0 / pinch)));
        }
    }
}
