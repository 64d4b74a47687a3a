//! The default tone curve and the screen's encoding. Twin of `shaders/view/tone.wgsl`.

/// Up to here the curve is the identity.
pub const SHOULDER: f32 = 0.8;

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
    if x <= 0.003_130_8 {
        x * 12.92
    } else {
        1.055 * x.powf(1.0 / 2.4) - 0.055
    }
}
