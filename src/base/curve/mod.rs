//! Curves and gradients: keys in time, evaluated in `f64`.
//!
//! What is here is the exact meaning; the compiler lowers the same polynomials to instructions and is held to
//! this. Keys are sorted by time on the way in, stably. Of two keys at one time the later counts from that
//! time on, so a doubled key is a step. Outside the keys the end values hold, or the whole repeats ([`Ends`]).
//! Values are never clamped.

mod gradient;

use thiserror::Error;

pub use gradient::{AlphaKey, ColorKey, Gradient, MAX_STOPS};

/// Largest absolute time, value and tangent of a key: below it no arithmetic on keys overflows an `f32`.
pub const MAX_PART: f32 = 1e18;

/// Keys nearer in time than this count as at one time: no `f32` holds one over their distance.
const CLOSE: f32 = 1e-37;

/// How often a looped curve repeats to either side before it stays where it is: so far an `f32` still tells
/// the moments of one period apart.
pub const MAX_REPEATS: f32 = 4_194_304.0;

/// How a curve goes from a key to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Interpolation {
    /// The key's value holds until the next key.
    Constant,
    /// A straight line.
    #[default]
    Linear,
    /// A cubic through both keys with the keys' tangents. The editor turns both handles of a key as one.
    Smooth,
    /// The same cubic with free handles: a Bézier curve whose handles stand at a third of the segment in time
    /// is the Hermite curve of the handles' slopes, so tangents say both.
    Bezier,
}

impl Interpolation {
    /// All, in menu order.
    pub const ALL: [Self; 4] = [Self::Constant, Self::Linear, Self::Smooth, Self::Bezier];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Linear => "linear",
            Self::Smooth => "smooth",
            Self::Bezier => "bezier",
        }
    }

    /// Whether the keys' tangents are read.
    #[must_use]
    pub const fn has_handles(self) -> bool {
        matches!(self, Self::Smooth | Self::Bezier)
    }

    /// The interpolation of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|i| i.name() == name)
    }
}

/// What a curve does before its first and after its last key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Ends {
    /// The end values hold.
    #[default]
    Hold,
    /// It repeats, from its first key to its last, [`MAX_REPEATS`] times to either side. Keys that span no
    /// time have nothing to repeat and hold.
    Loop,
}

impl Ends {
    /// Both, in menu order.
    pub const ALL: [Self; 2] = [Self::Hold, Self::Loop];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Loop => "loop",
        }
    }

    /// The ends of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|e| e.name() == name)
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
    /// Slope on arriving here, in value per unit of time; read where the segment before has handles.
    pub tangent_in: f32,
    /// Slope on leaving here; read where the segment after has handles.
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

/// Why keys make no curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
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
    /// A time, value or tangent is past [`MAX_PART`], or an intensity past [`MAX_STOPS`].
    #[error("key {index} has a part that is too large; ±1e18 is the most, and ±32 stops of intensity")]
    TooLarge {
        /// Which key, from 0, as given.
        index: usize,
    },
}

/// Looks at the parts of each key.
fn check<'k, K: 'k, const N: usize>(
    keys: &'k [K],
    parts: impl Fn(&'k K) -> [f32; N],
) -> Result<(), CurveError> {
    if keys.is_empty() {
        return Err(CurveError::Empty);
    }
    for (index, key) in keys.iter().enumerate() {
        if parts(key).iter().any(|part| !part.is_finite()) {
            return Err(CurveError::NotFinite { index });
        }
        if parts(key).iter().any(|part| part.abs() > MAX_PART) {
            return Err(CurveError::TooLarge { index });
        }
    }
    Ok(())
}

/// Sorts by time, stably, and says whether that moved anything.
fn sort<K>(keys: &mut [K], time: impl Fn(&K) -> f32) -> bool {
    let moved = keys.windows(2).any(|w| time(&w[1]) < time(&w[0]));
    keys.sort_by(|a, b| time(a).total_cmp(&time(b)));
    moved
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

impl Segment {
    /// Its value at a time; outside the segment that of its nearer end.
    #[must_use]
    pub fn at(&self, t: f64) -> f64 {
        let u = ((t - self.t0) / (self.t1 - self.t0)).clamp(0.0, 1.0);
        let [a, b, c, d] = self.cubic;
        ((a * u + b) * u + c) * u + d
    }
}

/// A number over time.
#[derive(Debug, Clone)]
pub struct Curve {
    keys: Vec<Key>,
    ends: Ends,
    unsorted: bool,
}

impl PartialEq for Curve {
    /// The same meaning: in which order the keys came does not count.
    fn eq(&self, other: &Self) -> bool {
        self.keys == other.keys && self.ends == other.ends
    }
}

impl Curve {
    /// Sorts the keys by time, stably. The ends hold.
    ///
    /// # Errors
    /// [`CurveError`] for no keys and for keys that are not finite or too large.
    pub fn new(mut keys: Vec<Key>) -> Result<Self, CurveError> {
        check(&keys, |k| [k.t, k.v, k.tangent_in, k.tangent_out])?;
        let unsorted = sort(&mut keys, |k| k.t);
        Ok(Self {
            keys,
            ends: Ends::Hold,
            unsorted,
        })
    }

    /// A straight line from `v0` at 0 to `v1` at 1.
    #[must_use]
    pub fn line(v0: f32, v1: f32) -> Self {
        Self {
            keys: vec![Key::linear(0.0, v0), Key::linear(1.0, v1)],
            ends: Ends::Hold,
            unsorted: false,
        }
    }

    /// The same keys with other ends.
    #[must_use]
    pub fn with_ends(mut self, ends: Ends) -> Self {
        self.ends = ends;
        self
    }

    /// The keys, by time.
    #[must_use]
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// What it does outside its keys.
    #[must_use]
    pub const fn ends(&self) -> Ends {
        self.ends
    }

    /// Whether the keys were given in another order than by time: a file says so by mistake.
    #[must_use]
    pub const fn unsorted(&self) -> bool {
        self.unsorted
    }

    /// The same curve, as if its keys had been given in order: an artist who drags a key past another means it.
    #[must_use]
    pub fn settled(mut self) -> Self {
        self.unsorted = false;
        self
    }

    /// After how much time it repeats: from the first key to the last, rounded to an `f32`. None where it
    /// holds, and where that is no time to speak of.
    #[must_use]
    pub fn period(&self) -> Option<f32> {
        let (first, last) = (self.keys.first()?, self.keys.last()?);
        let period = last.t - first.t;
        (self.ends == Ends::Loop && period > 1e-30).then_some(period)
    }

    /// The segments between keys of different times, by time.
    pub fn segments(&self) -> impl Iterator<Item = Segment> + '_ {
        self.keys.windows(2).filter_map(|w| segment(&w[0], &w[1]))
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

    /// The exact value at `t`. NaN counts as before everything.
    #[must_use]
    pub fn eval(&self, t: f64) -> f64 {
        if let Some(period) = self.period() {
            return self.looped(t, f64::from(period));
        }
        let before = self.keys.partition_point(|k| f64::from(k.t) <= t);
        match (before.checked_sub(1), self.keys.get(before)) {
            (None, _) => f64::from(self.first()),
            (Some(_), None) => f64::from(self.last()),
            (Some(i), Some(next)) => between(&self.keys[i], next, t),
        }
    }

    fn looped(&self, t: f64, period: f64) -> f64 {
        let far = period * f64::from(MAX_REPEATS);
        let start = f64::from(self.keys.first().map_or(0.0, |k| k.t));
        // NaN goes where the smallest goes, as in the instructions.
        let t = if t > -far { t.min(far) } else { -far };
        let t = start + (t - start).rem_euclid(period);
        // Of the last moment only the time before it is seen: there the first key begins.
        let count = self.keys.len();
        let end = self.keys.partition_point(|k| k.t < self.keys[count - 1].t);
        let after = self.keys.partition_point(|k| f64::from(k.t) <= t).clamp(1, end);
        between(&self.keys[after - 1], &self.keys[after], t)
    }

    /// The largest absolute value of keys and of the handles of segments that have some: the scale of its
    /// tolerance.
    #[must_use]
    pub fn magnitude(&self) -> f64 {
        let keys = self.keys.iter().map(|k| f64::from(k.v).abs());
        let with_handles = |w: &&[Key]| w[0].interpolation.has_handles();
        let handles = self.keys.windows(2).filter(with_handles).flat_map(|w| {
            let h = f64::from(w[1].t) - f64::from(w[0].t);
            [
                (f64::from(w[0].v) + f64::from(w[0].tangent_out) * h / 3.0).abs(),
                (f64::from(w[1].v) - f64::from(w[1].tangent_in) * h / 3.0).abs(),
            ]
        });
        keys.chain(handles).fold(0.0, f64::max)
    }
}

fn segment(k0: &Key, k1: &Key) -> Option<Segment> {
    if k1.t - k0.t < CLOSE {
        return None;
    }
    let (t0, t1) = (f64::from(k0.t), f64::from(k1.t));
    let (p0, p1) = (f64::from(k0.v), f64::from(k1.v));
    let h = t1 - t0;
    let cubic = match k0.interpolation {
        Interpolation::Constant => [0.0, 0.0, 0.0, p0],
        Interpolation::Linear => [0.0, 0.0, p1 - p0, p0],
        Interpolation::Smooth | Interpolation::Bezier => {
            let (m0, m1) = (f64::from(k0.tangent_out) * h, f64::from(k1.tangent_in) * h);
            [
                2.0 * (p0 - p1) + m0 + m1,
                -3.0 * (p0 - p1) - 2.0 * m0 - m1,
                m0,
                p0,
            ]
        }
    };
    Some(Segment { t0, t1, cubic })
}

/// The value at `t` from one key on, which the next follows; keys at one time are a step.
fn between(k0: &Key, k1: &Key, t: f64) -> f64 {
    segment(k0, k1).map_or(f64::from(k0.v), |s| s.at(t))
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

    #[test]
    fn case_b21_loops_never_divide_by_zero() {
        let one = curve(&[(0.3, 7.0)]).with_ends(Ends::Loop);
        assert_eq!([one.eval(-1.0), one.eval(0.3), one.eval(2.0)], [7.0; 3]);
        let at_once = curve(&[(0.5, 1.0), (0.5, 2.0)]).with_ends(Ends::Loop);
        assert_eq!([at_once.eval(0.4), at_once.eval(0.5)], [1.0, 2.0]);
        let saw = curve(&[(1.0, 0.0), (3.0, 10.0), (3.0, 99.0)]).with_ends(Ends::Loop);
        for (t, v) in [
            (1.0, 0.0),
            (2.0, 5.0),
            (3.0, 0.0),
            (4.0, 5.0),
            (0.0, 5.0),
            (-1e-20, 5.0),
        ] {
            assert_eq!(saw.eval(t), v, "{t}");
        }
        assert!((saw.eval(1.0 - 1e-9) - 10.0).abs() < 1e-6);
        assert!(saw.eval(f64::NAN).is_finite() && saw.eval(f64::INFINITY).is_finite());
    }

    #[test]
    fn keys_past_all_reason_are_refused_and_order_is_told() {
        let large = Curve::new(vec![Key::linear(0.0, 1e19)]);
        assert_eq!(large, Err(CurveError::TooLarge { index: 0 }));
        assert!(curve(&[(1.0, 1.0), (0.0, 0.0)]).unsorted());
        assert!(!curve(&[(0.0, 1.0), (0.0, 0.0)]).unsorted());
    }
}
