//! The default tone curve and the screen's encoding. Twin of `shaders/view/tone.wgsl`.

/// Up to here the curve is the identity.
pub const SHOULDER: f32 = 0.8;

/// The sRGB code's parameters (IEC 61966-2-1): end and slope of its straight part, scale, offset and exponent of
/// the curve; by the names the shader knows them by.
pub const SRGB: [(&str, f32); 5] = [
    ("SRGB_STRAIGHT_END", 0.003_130_8),
    ("SRGB_SLOPE", 12.92),
    ("SRGB_SCALE", 1.055),
    ("SRGB_OFFSET", 0.055),
    ("SRGB_EXPONENT", 1.0 / 2.4),
];

/// Light to display light: the identity up to [`SHOULDER`], then rolling off toward 1.
#[must_use]
pub fn tone(x: f32) -> f32 {
    if x <= SHOULDER {
        x
    } else {
        let rest = 1.0 - SHOULDER;
        SHOULDER + rest * (1.0 - (-(x - SHOULDER) / rest).exp())
    }
}

/// Linear display light to the sRGB code, both 0 to 1.
#[must_use]
pub fn srgb(x: f32) -> f32 {
    let [end, slope, scale, offset, exponent] = SRGB.map(|(_, value)| value);
    if x <= end {
        x * slope
    } else {
        scale * x.powf(exponent) - offset
    }
}
