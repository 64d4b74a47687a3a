//! Double-float arithmetic: a number as the unevaluated sum of two `f32`, about 48 bits in all.
//!
//! The emitter tick adds up thousands of steps and must count the same births however a span is cut into
//! steps, which one `f32` cannot do. Error-free sums are Knuth's, products Dekker's with Veltkamp's split.
//! `shaders/lib/dd.wgsl` is the same arithmetic, fenced so that no driver may reorder or fuse it.

/// A sum of two `f32`, `hi` the rounded value and `lo` what rounding lost.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Dd {
    /// The value rounded to `f32`.
    pub hi: f32,
    /// The rest, at most half an ulp of `hi`.
    pub lo: f32,
}

/// Veltkamp's splitting constant for a 24-bit significand: 2¹² + 1.
pub const SPLITTER: f32 = 4097.0;

impl Dd {
    /// Zero.
    pub const ZERO: Self = Self { hi: 0.0, lo: 0.0 };

    /// An `f32`, exactly.
    #[must_use]
    pub const fn new(hi: f32) -> Self {
        Self { hi, lo: 0.0 }
    }

    /// The nearest double-float to an `f64`.
    #[must_use]
    pub fn from_f64(value: f64) -> Self {
        let hi = value as f32;
        let lo = if hi.is_finite() {
            (value - f64::from(hi)) as f32
        } else {
            0.0
        };
        Self { hi, lo }
    }

    /// As an `f64`.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.hi) + f64::from(self.lo)
    }

    /// `self + other`.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let s = two_sum(self.hi, other.hi);
        quick_two_sum(s.hi, s.lo + (self.lo + other.lo))
    }

    /// `self − other`.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        self.plus(Self {
            hi: -other.hi,
            lo: -other.lo,
        })
    }

    /// `self · factor`.
    #[must_use]
    pub fn times(self, factor: f32) -> Self {
        let p = two_product(self.hi, factor);
        quick_two_sum(p.hi, p.lo + self.lo * factor)
    }

    /// `self · other`.
    #[must_use]
    pub fn by(self, other: Self) -> Self {
        let p = two_product(self.hi, other.hi);
        quick_two_sum(p.hi, p.lo + (self.hi * other.lo + self.lo * other.hi))
    }

    /// `self / other`.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        let first = self.hi / other.hi;
        let rest = self.minus(other.times(first));
        quick_two_sum(first, rest.hi / other.hi)
    }

    /// The root of a number above 0.
    #[must_use]
    pub fn root(self) -> Self {
        let first = self.hi.sqrt();
        let rest = self.minus(two_product(first, first));
        quick_two_sum(first, rest.hi / (first + first))
    }

    /// `a · b`, exactly.
    #[must_use]
    pub fn product(a: f32, b: f32) -> Self {
        two_product(a, b)
    }

    /// Whether `self < other`.
    #[must_use]
    pub fn less(self, other: Self) -> bool {
        self.hi < other.hi || (self.hi == other.hi && self.lo < other.lo)
    }

    /// The smaller of two.
    #[must_use]
    pub fn smaller(self, other: Self) -> Self {
        if self.less(other) { self } else { other }
    }
}

fn two_sum(a: f32, b: f32) -> Dd {
    let hi = a + b;
    let bb = hi - a;
    Dd {
        hi,
        lo: (a - (hi - bb)) + (b - bb),
    }
}

fn quick_two_sum(a: f32, b: f32) -> Dd {
    let hi = a + b;
    Dd { hi, lo: b - (hi - a) }
}

fn split(a: f32) -> (f32, f32) {
    let c = SPLITTER * a;
    let hi = c - (c - a);
    (hi, a - hi)
}

fn two_product(a: f32, b: f32) -> Dd {
    let hi = a * b;
    let (ah, al) = split(a);
    let (bh, bl) = split(b);
    let lo = ((ah * bh - hi) + ah * bl + al * bh) + al * bl;
    Dd { hi, lo }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dd_keeps_a_million_sixtieths() {
        let dt = Dd::from_f64(1.0 / 60.0);
        let mut sum = Dd::ZERO;
        for _ in 0..600_000 {
            sum = sum.plus(dt);
        }
        assert!((sum.to_f64() - 10_000.0).abs() < 1e-6, "{}", sum.to_f64());
        let product = Dd::from_f64(0.1).times(3.0);
        assert!((product.to_f64() - 0.3).abs() < 1e-13);
        let (a, b) = (Dd::from_f64(0.7), Dd::from_f64(1.0 / 3.0));
        assert!((a.by(b).to_f64() - 0.7 / 3.0).abs() < 1e-13);
        assert!((a.over(b).to_f64() - 2.1).abs() < 1e-12);
        assert!((a.root().to_f64() - 0.7f64.sqrt()).abs() < 1e-13);
    }
}
