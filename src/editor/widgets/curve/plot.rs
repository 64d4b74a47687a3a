//! The part of the plane that a curve is drawn in.

use egui::{Align2, Painter, Pos2, Rect, Stroke, pos2};

use super::super::look::Look;
use super::super::number::short;
use super::Over;
use crate::base::curve::Curve;

/// A stretch of time and of values.
pub(super) type Plane = ([f32; 2], [f32; 2]);

/// A plane in a rectangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plot {
    pub(super) rect: Rect,
    pub(super) plane: Plane,
}

impl Plot {
    /// All of the curve: its keys, what lies between them, 0 to 1 in time, and the handles where `handles`.
    pub(super) fn of(curve: &Curve, rect: Rect, handles: bool) -> Self {
        let (mut t, mut v) = ([0.0_f32, 1.0_f32], [f32::INFINITY, f32::NEG_INFINITY]);
        for (index, key) in curve.keys().iter().enumerate() {
            t = [t[0].min(key.t), t[1].max(key.t)];
            v = [v[0].min(key.v), v[1].max(key.v)];
            if handles {
                for (_, value) in Side::BOTH
                    .into_iter()
                    .filter_map(|side| side.handle(curve, index))
                {
                    v = [v[0].min(value), v[1].max(value)];
                }
            }
        }
        for step in 0..=32 {
            let at = t[0] + (t[1] - t[0]) * step as f32 / 32.0;
            let value = curve.eval(f64::from(at)) as f32;
            v = [v[0].min(value), v[1].max(value)];
        }
        if v[1] - v[0] < 1e-6 {
            let reach = v[0].abs().max(1.0) * 0.5;
            v = [v[0] - reach, v[1] + reach];
        }
        Self { rect, plane: (t, v) }
    }

    /// Where a moment and a value lie on screen.
    pub(super) fn at(&self, t: f32, v: f32) -> Pos2 {
        let (times, values) = self.plane;
        let x = (t - times[0]) / (times[1] - times[0]);
        let y = (v - values[0]) / (values[1] - values[0]);
        pos2(
            self.rect.left() + x * self.rect.width(),
            self.rect.bottom() - y * self.rect.height(),
        )
    }

    /// The moment, held inside the plane, and the value of a place on screen.
    pub(super) fn key(&self, at: Pos2) -> (f32, f32) {
        let (times, values) = self.plane;
        let x = ((at.x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0);
        let y = (self.rect.bottom() - at.y) / self.rect.height();
        (
            times[0] + x * (times[1] - times[0]),
            values[0] + y * (values[1] - values[0]),
        )
    }

    /// Paints the curve; steps are upright.
    pub(super) fn line(&self, painter: &Painter, curve: &Curve, stroke: Stroke) {
        let times = self.plane.0;
        let steps = (self.rect.width() / 2.0).clamp(16.0, 200.0) as usize;
        let mut moments: Vec<f32> = (0..=steps)
            .map(|i| times[0] + (times[1] - times[0]) * i as f32 / steps as f32)
            .collect();
        // More keys than points would be seen as noise anyway.
        if curve.keys().len() <= steps {
            moments.extend(curve.keys().iter().flat_map(|k| [k.t.next_down(), k.t]));
        }
        // A loop that ends with the plane is shown as it arrives there, not as it begins again.
        let looped = curve.period().is_some() && curve.keys().last().is_some_and(|k| k.t == times[1]);
        let seen = |t: &f32| *t >= times[0] && (!looped || *t < times[1]);
        moments.retain(seen);
        moments.sort_by(f32::total_cmp);
        let points = moments.into_iter().map(|t| {
            let at = self.at(t, curve.eval(f64::from(t)) as f32);
            pos2(at.x, at.y.clamp(self.rect.top(), self.rect.bottom()))
        });
        painter.add(egui::Shape::line(points.collect(), stroke));
    }

    /// Paints the grid, the ends of both axes, and 0 where it is inside.
    pub(super) fn grid(&self, painter: &Painter, look: &Look<'_>, over: Over) {
        let tokens = look.tokens;
        let line = Stroke::new(1.0, tokens.line);
        for part in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let x = self.rect.left() + self.rect.width() * part;
            painter.vline(x, self.rect.y_range(), line);
            let y = self.rect.top() + self.rect.height() * part;
            painter.hline(self.rect.x_range(), y, line);
        }
        let (times, values) = self.plane;
        let font = look.mono(9.5);
        let left = self.rect.left() + 10.0;
        let below = self.rect.bottom() + 3.0;
        let text = |at, align, text: String| {
            painter.text(at, align, text, font.clone(), tokens.text_dim);
        };
        text(
            pos2(left, self.rect.top() - 3.0),
            Align2::LEFT_BOTTOM,
            short(values[1]),
        );
        text(pos2(left, below), Align2::LEFT_TOP, short(values[0]));
        let end = match over {
            Over::Life if times[1] == 1.0 => "end of life".to_owned(),
            Over::Speed([min, max]) => format!("{} m/s", short(min + times[1] * (max - min))),
            _ => short(times[1]),
        };
        text(pos2(self.rect.right(), below), Align2::RIGHT_TOP, end);
    }
}

/// A side of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Side {
    /// Where the curve arrives.
    In,
    /// Where it leaves.
    Out,
}

impl Side {
    /// Both.
    pub(super) const BOTH: [Self; 2] = [Self::In, Self::Out];

    /// How far in time its handle stands from a key, a third of the segment there; none where that segment
    /// has no handles.
    pub(super) fn reach(self, curve: &Curve, index: usize) -> Option<f32> {
        let (from, to) = match self {
            Self::In => (index.checked_sub(1)?, index),
            Self::Out => (index, index + 1),
        };
        let (from, to) = (curve.keys().get(from)?, curve.keys().get(to)?);
        let third = (to.t - from.t) / 3.0;
        (from.interpolation.has_handles() && third > 0.0).then_some(match self {
            Self::In => -third,
            Self::Out => third,
        })
    }

    /// Moment and value of its handle.
    pub(super) fn handle(self, curve: &Curve, index: usize) -> Option<(f32, f32)> {
        let reach = self.reach(curve, index)?;
        let key = curve.keys().get(index)?;
        let slope = match self {
            Self::In => key.tangent_in,
            Self::Out => key.tangent_out,
        };
        Some((key.t + reach, key.v + slope * reach))
    }

    /// Its name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
        }
    }
}
