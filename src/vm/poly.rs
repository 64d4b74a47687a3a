//! Sine, cosine, exponential and logarithm as polynomials of plain products and sums.
//!
//! The built-in functions of GPUs differ from one another by up to 10⁻³ and are undefined past ±π; these are
//! within 2 ulp everywhere in their domain and equal on every device that rounds to nearest even. Coefficients
//! are the single-precision ones of the Cephes library (Moshier). `shaders/vm/poly.wgsl` is the same
//! arithmetic in the same order; the constants are injected there from [`CONSTANTS`].

macro_rules! constants {
    ($($name:ident = $value:expr;)*) => {
        $(const $name: f32 = $value;)*
        /// Every constant by the name the shader knows it by.
        pub const CONSTANTS: &[(&str, f32)] = &[$((stringify!($name), $name),)*];
    };
}

constants! {
    TRIG_LIMIT = 65_536.0;
    TWO_OVER_PI = std::f32::consts::FRAC_2_PI;
    PIO2_A = 1.570_312_5;
    PIO2_B = 4.837_513e-4;
    PIO2_C = 7.549_79e-8;
    SIN_A = -1.666_665_4e-1;
    SIN_B = 8.332_161e-3;
    SIN_C = -1.951_529_6e-4;
    COS_A = 4.166_664_6e-2;
    COS_B = -1.388_731_6e-3;
    COS_C = 2.443_315_7e-5;
    EXP_MIN = -126.0;
    EXP_MAX = 127.0;
    EXP_A = 6.931_472e-1;
    EXP_B = 2.402_264_8e-1;
    EXP_C = 5.550_332_4e-2;
    EXP_D = 9.618_437e-3;
    EXP_E = 1.339_887_4e-3;
    EXP_F = 1.535_336_2e-4;
    LOG_A = 7.037_683_6e-2;
    LOG_B = -1.151_461e-1;
    LOG_C = 1.167_699_9e-1;
    LOG_D = -1.242_014_1e-1;
    LOG_E = 1.424_932_3e-1;
    LOG_F = -1.666_805_8e-1;
    LOG_G = 2.000_071_5e-1;
    LOG_H = -2.499_999_4e-1;
    LOG_I = 3.333_333e-1;
    LOG2E_MINUS_1 = 0.442_695_04;
    LOG_MIN = -126.0;
}

/// Bits of √½, where the logarithm's significand is cut.
pub const LOG_CUT: u32 = std::f32::consts::FRAC_1_SQRT_2.to_bits();

/// The quadrant (0–3) and what is left of `x` after taking out so many quarter turns.
fn reduce(x: f32) -> (f32, f32) {
    let x = if x.abs() > TRIG_LIMIT { 0.0 } else { x };
    let q = (x * TWO_OVER_PI + 0.5).floor();
    let r = ((x - q * PIO2_A) - q * PIO2_B) - q * PIO2_C;
    (q - 4.0 * (q * 0.25).floor(), r)
}

fn sin_part(r: f32) -> f32 {
    let s = r * r;
    r + r * s * (SIN_A + s * (SIN_B + s * SIN_C))
}

fn cos_part(r: f32) -> f32 {
    let s = r * r;
    (1.0 - 0.5 * s) + s * s * (COS_A + s * (COS_B + s * COS_C))
}

fn quarter_turn(quadrant: f32, s: f32, c: f32) -> f32 {
    let odd = quadrant == 1.0 || quadrant == 3.0;
    let value = if odd { c } else { s };
    if quadrant >= 2.0 { -value } else { value }
}

/// Sine, `x` in radians. Past ±65,536 the argument counts as 0.
#[must_use]
pub fn sin(x: f32) -> f32 {
    let (quadrant, r) = reduce(x);
    quarter_turn(quadrant, sin_part(r), cos_part(r))
}

/// Cosine, `x` in radians. Past ±65,536 the argument counts as 0.
#[must_use]
pub fn cos(x: f32) -> f32 {
    let (quadrant, r) = reduce(x);
    let next = if quadrant == 3.0 { 0.0 } else { quadrant + 1.0 };
    quarter_turn(next, sin_part(r), cos_part(r))
}

/// 2 to the `x`; 0 below −126, held at 2¹²⁷ above 127 and for NaN.
#[must_use]
pub fn exp2(x: f32) -> f32 {
    let below = if x < EXP_MAX { x } else { EXP_MAX };
    let clamped = if below > EXP_MIN { below } else { EXP_MIN };
    let i = (clamped + 0.5).floor();
    let f = clamped - i;
    let p = 1.0 + f * (EXP_A + f * (EXP_B + f * (EXP_C + f * (EXP_D + f * (EXP_E + f * EXP_F)))));
    let scale = f32::from_bits(((i as i32 + 127) as u32) << 23);
    if x < EXP_MIN { 0.0 } else { p * scale }
}

/// Binary logarithm of a positive normal number; −126 for what is not above 0 and for denormals. NaN is kept.
#[must_use]
pub fn log2(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = (bits as i32).wrapping_sub(LOG_CUT as i32) >> 23;
    let m = f32::from_bits(bits.wrapping_sub((exponent as u32) << 23));
    let f = m - 1.0;
    let mut y = LOG_A;
    for k in [LOG_B, LOG_C, LOG_D, LOG_E, LOG_F, LOG_G, LOG_H, LOG_I] {
        y = y * f + k;
    }
    y = (y * f) * (f * f);
    y -= 0.5 * (f * f);
    let result = (((y + f) * LOG2E_MINUS_1 + y) + f) + exponent as f32;
    // Zero, denormals and everything with the sign bit set. Which NaN it is must not show.
    if x.is_nan() {
        x
    } else if bits < 0x0080_0000 || bits >> 31 == 1 {
        LOG_MIN
    } else {
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_close_to_f64() {
        for i in -200_000..200_000 {
            let x = i as f32 * 0.01;
            assert!((f64::from(sin(x)) - f64::from(x).sin()).abs() < 3e-7, "sin {x}");
            assert!((f64::from(cos(x)) - f64::from(x).cos()).abs() < 3e-7, "cos {x}");
            let y = x * 0.05;
            let exact = f64::from(y).exp2();
            assert!((f64::from(exp2(y)) / exact - 1.0).abs() < 3e-7, "exp2 {y}");
            if x > 0.0 {
                assert!(
                    (f64::from(log2(x)) - f64::from(x).log2()).abs() < 1e-6,
                    "log2 {x}"
                );
            }
        }
        assert_eq!(exp2(-1000.0), 0.0);
        assert_eq!(exp2(3.0), 8.0);
        assert_eq!(log2(0.0), -126.0);
        assert_eq!(log2(-1.0), -126.0);
        assert!(sin(f32::NAN).is_nan());
        assert_eq!(sin(f32::INFINITY), 0.0);
        assert_eq!(cos(1e9), 1.0);
    }
}
