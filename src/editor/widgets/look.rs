//! How large and in which colours widgets are painted.

use egui::{Align2, Color32, FontFamily, FontId, Painter, Pos2, Rect, Stroke, StrokeKind, Ui, pos2, vec2};

use crate::editor::theme::Tokens;

/// Colours and scale. In panels the scale is 1; on the canvas it is the zoom.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// Colours.
    pub tokens: &'a Tokens,
    /// Screen points a point.
    pub scale: f32,
}

/// Height of a row.
pub const ROW: f32 = 24.0;
/// Height of a field in a row.
pub const FIELD: f32 = 20.0;

impl<'a> Look<'a> {
    /// The look of a panel.
    #[must_use]
    pub const fn panel(tokens: &'a Tokens) -> Self {
        Self { tokens, scale: 1.0 }
    }

    /// A length in screen points.
    #[must_use]
    pub fn px(&self, points: f32) -> f32 {
        points * self.scale
    }

    /// The interface's font at a size in points. Sizes on screen go in half points, so that zooming makes few
    /// glyph images.
    #[must_use]
    pub fn font(&self, size: f32) -> FontId {
        FontId::new(self.size(size), FontFamily::Proportional)
    }

    /// The numbers' font.
    #[must_use]
    pub fn mono(&self, size: f32) -> FontId {
        FontId::new(self.size(size), FontFamily::Monospace)
    }

    fn size(&self, size: f32) -> f32 {
        ((size * self.scale * 2.0).round() / 2.0).max(1.0)
    }

    /// Paints the ground of a field and its outline.
    pub fn field(&self, painter: &Painter, rect: Rect, hovered: bool, outline: Option<Color32>) {
        let tokens = self.tokens;
        let line = match outline {
            Some(color) => color,
            None if hovered => tokens.text_dim,
            None => tokens.line,
        };
        painter.rect(
            rect,
            self.px(3.0),
            tokens.surface_low,
            Stroke::new(1.0, line),
            StrokeKind::Inside,
        );
    }

    /// Paints text that ends with an ellipsis where it would be wider than `width`; gives its rectangle.
    #[allow(
        clippy::too_many_arguments,
        reason = "a text and all that is said of how it looks"
    )]
    pub fn text(
        &self,
        painter: &Painter,
        at: Pos2,
        align: Align2,
        text: &str,
        font: FontId,
        color: Color32,
        width: f32,
    ) -> Rect {
        let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), font, color);
        job.wrap.max_width = width.max(1.0);
        job.wrap.max_rows = 1;
        job.wrap.break_anywhere = true;
        let galley = painter.layout_job(job);
        let rect = align.anchor_size(at, galley.size());
        painter.galley(rect.min, galley, color);
        rect
    }

    /// Width of a text.
    #[must_use]
    pub fn width(&self, ui: &Ui, text: &str, font: FontId) -> f32 {
        ui.painter()
            .layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER)
            .size()
            .x
    }
}

/// The rectangle of a field `height` high, centred in a row.
#[must_use]
pub fn centred(row: Rect, height: f32) -> Rect {
    Rect::from_center_size(row.center(), vec2(row.width(), height))
}

/// `rect` cut into `count` equal columns with a gap between them.
#[must_use]
pub fn column(rect: Rect, count: usize, index: usize, gap: f32) -> Rect {
    let count = count.max(1) as f32;
    let width = ((rect.width() - gap * (count - 1.0)) / count).max(1.0);
    let left = rect.left() + index as f32 * (width + gap);
    Rect::from_min_max(pos2(left, rect.top()), pos2(left + width, rect.bottom()))
}

/// A colour with its opacity multiplied.
#[must_use]
pub fn faded(color: Color32, opacity: f32) -> Color32 {
    color.gamma_multiply(opacity)
}

/// A linear colour on screen, as if it were opaque; what is brighter than white is shown as bright as can be.
#[must_use]
pub fn shown(color: [f32; 4]) -> Color32 {
    let [r, g, b, _] = color.map(|c| c.clamp(0.0, 1.0));
    egui::Rgba::from_rgb(r, g, b).into()
}
