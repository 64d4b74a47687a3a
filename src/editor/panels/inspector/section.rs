//! A part of the inspector that folds away.

use egui::{Align2, CursorIcon, Id, Sense, Ui, WidgetInfo, WidgetType, vec2};

use crate::editor::theme::{Tokens, icon};
use crate::editor::widgets::look::{Look, ROW};

/// Width of a button that unfolds something.
pub(super) const CARET: f32 = 18.0;

/// A title with a note beside it, and below it what belongs to it while it is unfolded.
pub(super) fn section(
    ui: &mut Ui,
    tokens: &Tokens,
    name: &str,
    note: &str,
    open: bool,
    add: impl FnOnce(&mut Ui),
) {
    let id = Id::new(("inspector section", name));
    let open = ui.data(|data| data.get_temp::<bool>(id)).unwrap_or(open);
    let look = Look::panel(tokens);
    ui.add_space(6.0);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::selected(WidgetType::CollapsingHeader, true, open, name));
    if response.clicked() {
        ui.data_mut(|data| data.insert_temp(id, !open));
    }
    let painter = ui.painter();
    if response.hovered() {
        painter.rect_filled(rect, 3.0, tokens.surface_high.gamma_multiply(0.5));
    }
    let font = look.font(13.0);
    let at = rect.left_center();
    let caret = if open { icon::CARET_DOWN } else { icon::CARET_RIGHT };
    painter.text(at, Align2::LEFT_CENTER, caret, look.font(11.0), tokens.text_dim);
    let at = at + vec2(CARET - 2.0, 0.0);
    let color = ui.visuals().strong_text_color();
    let shown = look.text(painter, at, Align2::LEFT_CENTER, name, font, color, rect.width());
    let right = rect.right_center() - vec2(4.0, 0.0);
    let room = (right.x - shown.right() - 8.0).max(1.0);
    let font = look.font(11.5);
    look.text(
        painter,
        right,
        Align2::RIGHT_CENTER,
        note,
        font,
        tokens.text_dim,
        room,
    );
    response.on_hover_cursor(CursorIcon::PointingHand);
    if open {
        add(ui);
    }
}
