//! Curves and gradients: keys in time, evaluated in `f64`.
//!
//! What is here is the exact meaning; the compiler lowers the same polynomials to instructions and is held to
//! this. Keys are sorted by time on the way in, stably. Of two keys at one time the later counts from that
//! time on, so a doubled key is a step. Outside the keys the end values hold. Values are never clamped.

use thiserror::Error;

/// How a curve goes from a key to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Interpolation {
    /// The key's value holds until the next key.
    Constant,
    /// A straight line.
    #[default]
    Linear,
    /// A cubic through both keys with the keys' tangents.
    Smooth,
}

impl Interpolation {
    /// All, in menu order.
    pub const ALL: [Self; 3] = [Self::Constant, Self::Linear, Self::Smooth];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Linear => "linear",
            Self::Smooth => "smooth",
        }
    }

    /// The interpolation of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|i| i.name() == name)
    }
}

/// A key of a [`Curve`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Key {
    /// Time: the curve's input.
    pub t: f32,
    /// Value.
    pub v: f32,
    /// How it goes on to the next key.
    pub interpolation: Interpolation,
    /// Slope on arriving here, in value per unit of time; read where the segment before is smooth.
    pub tangent_in: f32,
    /// Slope on leaving here; read where the segment after is smooth.
    pub tangent_out: f32,
}

impl Key {
    /// A key that goes on in a straight line.
    #[must_use]
    pub fn linear(t: f32, v: f32) -> Self {
        Self {
            t,
            v,
            ..Self::default()
        }
    }
}

/// A key of a [`Gradient`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ColorKey {
    /// Time: the gradient's input.
    pub t: f32,
    /// Linear red, green, blue and straight alpha.
    pub color: [f32; 4],
}

/// Why keys make no curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CurveError {
    /// There are no keys.
    #[error("a curve needs at least one key")]
    Empty,
    /// A time, value or tangent is infinite or no number.
    #[error("key {index} has a part that is not a finite number")]
    NotFinite {
        /// Which key, from 0, as given.
        index: usize,
    },
}

/// One segment between two keys of different times, with its cubic in the local `u` in 0 to 1:
/// `((a·u + b)·u + c)·u + d`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// Start time.
    pub t0: f64,
    /// End time, above `t0`.
    pub t1: f64,
    /// `a`, `b`, `c`, `d`.
    pub cubic: [f64; 4],
}

/// A number over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    keys: Vec<Key>,
}

impl Curve {
    /// Sorts the keys by time, stably.
    ///
    /// # Errors
    /// [`CurveError`] for no keys and for keys that are not finite.
    pub fn new(mut keys: Vec<Key>) -> Result<Self, CurveError> {
        if keys.is_empty() {
            return Err(CurveError::Empty);
        }
        let finite = |k: &Key| {
            k.t.is_finite() && k.v.is_finite() && k.tangent_in.is_finite() && k.tangent_out.is_finite()
        };
        if let Some(index) = keys.iter().position(|k| !finite(k)) {
            return Err(CurveError::NotFinite { index });
        }
        keys.sort_by(|a, b| a.t.total_cmp(&b.t));
        Ok(Self { keys })
    }

    /// A straight line from `v0` at 0 to `v1` at 1.
    #[must_use]
    pub fn line(v0: f32, v1: f32) -> Self {
        Self {
            keys: vec![Key::linear(0.0, v0), Key::linear(1.0, v1)],
        }
    }

    /// The keys, by time.
    #[must_use]
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The segments between keys of different times, by time.
    pub fn segments(&self) -> impl Iterator<Item = Segment> + '_ {
        self.keys.windows(2).filter(|w| w[1].t > w[0].t).map(|w| {
            let (k0, k1) = (w[0], w[1]);
            let (t0, t1) = (f64::from(k0.t), f64::from(k1.t));
            let (p0, p1) = (f64::from(k0.v), f64::from(k1.v));
            let h = t1 - t0;
            let cubic = match k0.interpolation {
                Interpolation::Constant => [0.0, 0.0, 0.0, p0],
                Interpolation::Linear => [0.0, 0.0, p1 - p0, p0],
                Interpolation::Smooth => {
                    let (m0, m1) = (f64::from(k0.tangent_out) * h, f64::from(k1.tangent_in) * h);
                    [
                        2.0 * (p0 - p1) + m0 + m1,
                        -3.0 * (p0 - p1) - 2.0 * m0 - m1,
                        m0,
                        p0,
                    ]
                }
            };
            Segment { t0, t1, cubic }
        })
    }

    /// The value of the first key: what holds before it.
    #[must_use]
    pub fn first(&self) -> f32 {
        // Of doubled first keys the earliest holds before them.
        self.keys.first().map_or(0.0, |k| k.v)
    }

    /// The value of the last key: what holds from it on.
    #[must_use]
    pub fn last(&self) -> f32 {
        self.keys.last().map_or(0.0, |k| k.v)
    }

    /// The exact value at `t`. NaN counts as before the first key.
    #[must_use]
    pub fn eval(&self, t: f64) -> f64 {
        let end = self.keys.last().map_or(0.0, |k| f64::from(k.t));
        if t >= end {
            return f64::from(self.last());
        }
        let mut value = f64::from(self.first());
        for s in self.segments() {
            if t >= s.t0 {
                let u = (t.min(s.t1) - s.t0) / (s.t1 - s.t0);
                let [a, b, c, d] = s.cubic;
                value = ((a * u + b) * u + c) * u + d;
            }
        }
        value
    }

    /// The largest absolute value of keys and of the handles of smooth segments: the scale of its tolerance.
    #[must_use]
    pub fn magnitude(&self) -> f64 {
        let keys = self.keys.iter().map(|k| f64::from(k.v).abs());
        let handles = self.keys.windows(2).flat_map(|w| {
            let h = f64::from(w[1].t) - f64::from(w[0].t);
            [
                (f64::from(w[0].v) + f64::from(w[0].tangent_out) * h / 3.0).abs(),
                (f64::from(w[1].v) - f64::from(w[1].tangent_in) * h / 3.0).abs(),
            ]
        });
        keys.chain(handles).fold(0.0, f64::max)
    }
}

/// A colour over time, linear between keys in linear light.
#[derive(Debug, Clone, PartialEq)]
pub struct Gradient {
    keys: Vec<ColorKey>,
}

impl Gradient {
    /// Sorts the keys by time, stably.
    ///
    /// # Errors
    /// [`CurveError`] for no keys and for keys that are not finite.
    pub fn new(mut keys: Vec<ColorKey>) -> Result<Self, CurveError> {
        if keys.is_empty() {
            return Err(CurveError::Empty);
        }
        let finite = |k: &ColorKey| k.t.is_finite() && k.color.iter().all(|c| c.is_finite());
        if let Some(index) = keys.iter().position(|k| !finite(k)) {
            return Err(CurveError::NotFinite { index });
        }
        keys.sort_by(|a, b| a.t.total_cmp(&b.t));
        Ok(Self { keys })
    }

    /// The keys, by time.
    #[must_use]
    pub fn keys(&self) -> &[ColorKey] {
        &self.keys
    }

    /// One of its four channels as a curve.
    #[must_use]
    pub fn channel(&self, channel: usize) -> Curve {
        let value = |k: &ColorKey| k.color.get(channel).copied().unwrap_or(0.0);
        Curve {
            keys: self.keys.iter().map(|k| Key::linear(k.t, value(k))).collect(),
        }
    }

    /// The exact colour at `t`.
    #[must_use]
    pub fn eval(&self, t: f64) -> [f64; 4] {
        [0, 1, 2, 3].map(|c| self.channel(c).eval(t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(keys: &[(f32, f32)]) -> Curve {
        Curve::new(keys.iter().map(|&(t, v)| Key::linear(t, v)).collect()).unwrap()
    }

    #[test]
    fn case_b20_values_outside_0_to_1_are_kept() {
        let c = curve(&[(0.0, -1.0), (0.1, 0.0), (0.2, 0.2), (0.8, 0.9), (1.0, 2.0)]);
        for (t, v) in [
            (0.0, -1.0),
            (0.1, 0.0),
            (0.5, 0.55),
            (0.9, 1.45),
            (1.0, 2.0),
            (-0.5, -1.0),
            (1.5, 2.0),
        ] {
            assert!((c.eval(t) - v).abs() < 1e-6, "{t}: {}", c.eval(t));
        }
    }

    #[test]
    fn case_b21_odd_keys() {
        assert_eq!(Curve::new(vec![]), Err(CurveError::Empty));
        let one = curve(&[(0.3, 7.0)]);
        assert_eq!([one.eval(-1.0), one.eval(0.3), one.eval(2.0)], [7.0; 3]);
        let doubled = curve(&[(0.0, 0.0), (0.5, 1.0), (0.5, 0.0), (1.0, 1.0)]);
        assert!((doubled.eval(0.4999) - 0.9998).abs() < 1e-6);
        assert_eq!(doubled.eval(0.5), 0.0);
        assert_eq!(doubled.eval(0.75), 0.5);
        assert_eq!(curve(&[(1.0, 1.0), (0.0, 0.0)]).eval(0.25), 0.25);
        let all_at_once = curve(&[(0.5, 1.0), (0.5, 2.0)]);
        assert_eq!([all_at_once.eval(0.4), all_at_once.eval(0.5)], [1.0, 2.0]);
        let many: Vec<_> = (0..10_000).map(|i| (i as f32, (i % 7) as f32)).collect();
        assert_eq!(curve(&many).eval(9_998.0), f64::from(9_998 % 7));
    }
}
