//! Pan and zoom: from canvas points to screen points and back.

use egui::{Pos2, Rect, Vec2, pos2};

/// Smallest zoom.
pub const MIN_ZOOM: f32 = 0.2;
/// Largest zoom.
pub const MAX_ZOOM: f32 = 2.5;

/// Where a flow is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// The canvas point in the middle.
    pub center: Pos2,
    /// Screen points a canvas point.
    pub zoom: f32,
    /// The part of the screen.
    pub screen: Rect,
}

impl View {
    /// Looks at `content` as a whole, never larger than life.
    #[must_use]
    pub fn fitting(content: Option<Rect>, screen: Rect) -> Self {
        let content = content.unwrap_or(Rect::from_center_size(Pos2::ZERO, Vec2::splat(400.0)));
        let room = (screen.size() - Vec2::splat(64.0)).max(Vec2::splat(64.0));
        let scale = room / content.size().max(Vec2::splat(1.0));
        Self {
            center: content.center(),
            zoom: scale.min_elem().clamp(MIN_ZOOM, 1.0),
            screen,
        }
    }

    /// A canvas point on the screen.
    #[must_use]
    pub fn to_screen(&self, at: Pos2) -> Pos2 {
        self.screen.center() + (at - self.center) * self.zoom
    }

    /// A screen point on the canvas.
    #[must_use]
    pub fn to_canvas(&self, at: Pos2) -> Pos2 {
        self.center + (at - self.screen.center()) / self.zoom
    }

    /// A canvas rectangle on the screen, on whole pixels.
    #[must_use]
    pub fn rect_to_screen(&self, rect: Rect) -> Rect {
        let min = self.to_screen(rect.min);
        let min = pos2(min.x.round(), min.y.round());
        Rect::from_min_size(min, rect.size() * self.zoom)
    }

    /// The part of the canvas that is seen.
    #[must_use]
    pub fn seen(&self) -> Rect {
        Rect::from_min_max(self.to_canvas(self.screen.min), self.to_canvas(self.screen.max))
    }

    /// Moves the content by a screen distance.
    pub fn pan(&mut self, by: Vec2) {
        self.center -= by / self.zoom;
    }

    /// Zooms so that what is at a screen point stays there.
    pub fn zoom_at(&mut self, at: Pos2, factor: f32) {
        let fixed = self.to_canvas(at);
        self.zoom = (self.zoom * factor).clamp(MIN_ZOOM, MAX_ZOOM);
        self.center = fixed - (at - self.screen.center()) / self.zoom;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_keeps_what_is_under_the_pointer() {
        let screen = Rect::from_min_size(pos2(100.0, 50.0), Vec2::new(800.0, 600.0));
        let mut view = View::fitting(None, screen);
        let at = pos2(300.0, 200.0);
        let before = view.to_canvas(at);
        view.zoom_at(at, 0.7);
        assert!((view.to_canvas(at) - before).length() < 1e-3);
        assert!((view.to_screen(view.to_canvas(at)) - at).length() < 1e-3);
        view.zoom_at(at, 1e9);
        assert_eq!(view.zoom, MAX_ZOOM);
        view.zoom_at(at, 0.0);
        assert_eq!(view.zoom, MIN_ZOOM);
    }
}
