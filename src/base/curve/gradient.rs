//! Colours over time.

use super::{Curve, CurveError, Ends, Interpolation, Key, check, sort};

/// Most stops of intensity, up or down.
pub const MAX_STOPS: f32 = 32.0;

/// A colour of a [`Gradient`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColorKey {
    /// Time: the gradient's input.
    pub t: f32,
    /// Linear red, green and blue, and straight alpha, which counts where the gradient has no alpha keys.
    pub color: [f32; 4],
    /// Intensity in stops, −32 to 32: red, green and blue count times 2 to the power of it.
    pub stops: f32,
    /// How it goes on to the next colour. Smooth starts and ends at rest; it has no handles.
    pub interpolation: Interpolation,
}

impl ColorKey {
    /// A colour as it is, going on in a straight line in linear light.
    #[must_use]
    pub const fn new(t: f32, color: [f32; 4]) -> Self {
        Self {
            t,
            color,
            stops: 0.0,
            interpolation: Interpolation::Linear,
        }
    }

    /// Red, green and blue with the intensity, and alpha.
    #[must_use]
    pub fn light(&self) -> [f32; 4] {
        let [r, g, b, a] = self.color;
        let times = self.stops.exp2();
        [r * times, g * times, b * times, a]
    }
}

/// An opacity of a [`Gradient`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlphaKey {
    /// Time: the gradient's input.
    pub t: f32,
    /// Straight alpha.
    pub alpha: f32,
    /// How it goes on to the next one.
    pub interpolation: Interpolation,
}

impl AlphaKey {
    /// An opacity that goes on in a straight line.
    #[must_use]
    pub const fn new(t: f32, alpha: f32) -> Self {
        Self {
            t,
            alpha,
            interpolation: Interpolation::Linear,
        }
    }
}

/// A colour over time, mixed in linear light. Alpha goes with the colours, or has keys of its own.
#[derive(Debug, Clone)]
pub struct Gradient {
    keys: Vec<ColorKey>,
    alphas: Vec<AlphaKey>,
    ends: Ends,
    unsorted: bool,
}

impl PartialEq for Gradient {
    /// The same meaning: in which order the keys came does not count.
    fn eq(&self, other: &Self) -> bool {
        (&self.keys, &self.alphas, self.ends) == (&other.keys, &other.alphas, other.ends)
    }
}

impl Gradient {
    /// Sorts the keys by time, stably. Alpha goes with the colours, and the ends hold.
    ///
    /// # Errors
    /// [`CurveError`] for no keys and for keys that are not finite or too large.
    pub fn new(mut keys: Vec<ColorKey>) -> Result<Self, CurveError> {
        check(&keys, |k| {
            let [r, g, b, a] = k.color;
            [k.t, r, g, b, a, k.stops]
        })?;
        if let Some(index) = keys.iter().position(|k| k.stops.abs() > MAX_STOPS) {
            return Err(CurveError::TooLarge { index });
        }
        let unsorted = sort(&mut keys, |k| k.t);
        Ok(Self {
            keys,
            alphas: Vec::new(),
            ends: Ends::Hold,
            unsorted,
        })
    }

    /// The same colours with alpha keys of its own, sorted by time; none gives alpha back to the colours.
    ///
    /// # Errors
    /// [`CurveError`] for keys that are not finite or too large.
    pub fn with_alphas(mut self, mut alphas: Vec<AlphaKey>) -> Result<Self, CurveError> {
        if !alphas.is_empty() {
            check(&alphas, |k| [k.t, k.alpha])?;
        }
        self.unsorted |= sort(&mut alphas, |k| k.t);
        self.alphas = alphas;
        Ok(self)
    }

    /// The same keys with other ends.
    #[must_use]
    pub fn with_ends(mut self, ends: Ends) -> Self {
        self.ends = ends;
        self
    }

    /// The colours, by time.
    #[must_use]
    pub fn keys(&self) -> &[ColorKey] {
        &self.keys
    }

    /// The alpha keys, by time; none where alpha goes with the colours.
    #[must_use]
    pub fn alphas(&self) -> &[AlphaKey] {
        &self.alphas
    }

    /// What it does outside its keys.
    #[must_use]
    pub const fn ends(&self) -> Ends {
        self.ends
    }

    /// Whether keys were given in another order than by time.
    #[must_use]
    pub const fn unsorted(&self) -> bool {
        self.unsorted
    }

    /// The same gradient, as if its keys had been given in order.
    #[must_use]
    pub fn settled(mut self) -> Self {
        self.unsorted = false;
        self
    }

    /// Its four channels as curves. Where it repeats, all four do so over the time that colours and alpha keys
    /// span together.
    #[must_use]
    pub fn channels(&self) -> [Curve; 4] {
        let key = |t: f32, v: f32, interpolation| Key {
            interpolation,
            ..Key::linear(t, v)
        };
        let color = |c: usize| {
            let of = |k: &ColorKey| key(k.t, k.light()[c], k.interpolation);
            self.keys.iter().map(of).collect::<Vec<_>>()
        };
        let alpha = if self.alphas.is_empty() {
            color(3)
        } else {
            let of = |k: &AlphaKey| key(k.t, k.alpha, k.interpolation);
            self.alphas.iter().map(of).collect()
        };
        let mut channels = [color(0), color(1), color(2), alpha];
        if self.ends == Ends::Loop {
            let ends = |keys: &Vec<Key>| [keys[0].t, keys[keys.len() - 1].t];
            let [a, b] = [ends(&channels[0]), ends(&channels[3])];
            let (start, end) = (a[0].min(b[0]), a[1].max(b[1]));
            for keys in &mut channels {
                let (first, last) = (keys[0], keys[keys.len() - 1]);
                if first.t > start {
                    keys.insert(0, key(start, first.v, Interpolation::Constant));
                }
                if last.t < end {
                    if let Some(held) = keys.last_mut() {
                        held.interpolation = Interpolation::Constant;
                    }
                    keys.push(key(end, last.v, Interpolation::Constant));
                }
            }
        }
        channels.map(|keys| Curve {
            keys,
            ends: self.ends,
            unsorted: false,
        })
    }

    /// The exact colour at `t`.
    #[must_use]
    pub fn eval(&self, t: f64) -> [f64; 4] {
        self.channels().map(|channel| channel.eval(t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_has_its_own_keys_and_light_its_stops() {
        let bright = ColorKey {
            stops: 3.0,
            ..ColorKey::new(1.0, [1.0, 0.5, 0.0, 0.25])
        };
        let colors = Gradient::new(vec![ColorKey::new(0.0, [0.0, 0.0, 0.0, 1.0]), bright]).unwrap();
        assert_eq!(colors.eval(0.5), [4.0, 2.0, 0.0, 0.625]);
        let alphas = vec![AlphaKey::new(0.75, 0.0), AlphaKey::new(0.25, 1.0)];
        let both = colors.with_alphas(alphas).unwrap();
        assert!(both.unsorted() && !both.clone().settled().unsorted());
        assert_eq!(both.eval(0.5), [4.0, 2.0, 0.0, 0.5]);
        assert_eq!(both.eval(0.1)[3], 1.0);
        let looped = both.with_ends(Ends::Loop);
        assert_eq!(looped.eval(5.5), [4.0, 2.0, 0.0, 0.5]);
        assert_eq!(looped.eval(5.9)[3], 0.0);
    }

    #[test]
    fn colours_step_and_ease() {
        let key = |t: f32, v: f32, interpolation| ColorKey {
            interpolation,
            ..ColorKey::new(t, [v; 4])
        };
        let gradient = Gradient::new(vec![
            key(0.0, 0.0, Interpolation::Constant),
            key(1.0, 1.0, Interpolation::Smooth),
            key(2.0, 0.0, Interpolation::Linear),
        ])
        .unwrap();
        assert_eq!(gradient.eval(0.9), [0.0; 4]);
        assert_eq!(gradient.eval(1.25), [0.84375; 4]);
    }
}
