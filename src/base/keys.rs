//! Floats as unsigned words of the same order, so that integer minimum and maximum find the least and the
//! greatest. The order is `f32::total_cmp`'s: -0 comes just below +0. Twin of `shaders/lib/keys.wgsl`.

/// The key of a float.
#[must_use]
pub const fn key_of(x: f32) -> u32 {
    let bits = x.to_bits();
    bits ^ if bits >> 31 == 1 { u32::MAX } else { 1 << 31 }
}

/// The float that a key stands for.
#[must_use]
pub const fn float_of(key: u32) -> f32 {
    f32::from_bits(key ^ if key >> 31 == 1 { 1 << 31 } else { u32::MAX })
}
