//! The soft disc that stands in where an emitter names no texture.

/// Texels on a side.
pub const DISC_SIZE: u32 = 16;

/// The disc as straight RGBA8: white, its alpha falling smoothly from the middle to 0 at the rim.
#[must_use]
pub fn soft_disc() -> Vec<u8> {
    let half = DISC_SIZE as f32 * 0.5;
    let mut texels = Vec::with_capacity((DISC_SIZE * DISC_SIZE * 4) as usize);
    for y in 0..DISC_SIZE {
        for x in 0..DISC_SIZE {
            let (dx, dy) = ((x as f32 + 0.5 - half) / half, (y as f32 + 0.5 - half) / half);
            let falloff = (1.0 - dx.hypot(dy)).clamp(0.0, 1.0);
            let alpha = falloff * falloff * (3.0 - 2.0 * falloff);
            texels.extend_from_slice(&[255, 255, 255, (alpha * 255.0).round() as u8]);
        }
    }
    texels
}

#[cfg(test)]
mod tests {
    #[test]
    fn disc_is_round_soft_and_clear_at_its_corners() {
        let texels = super::soft_disc();
        let alpha = |x: usize, y: usize| texels[(y * 16 + x) * 4 + 3];
        assert_eq!((alpha(0, 0), alpha(15, 15), alpha(0, 8)), (0, 0, alpha(15, 7)));
        assert!(alpha(8, 8) > 240 && alpha(8, 8) == alpha(7, 7));
        assert!((8..15).all(|x| alpha(x, 8) >= alpha(x + 1, 8)));
    }
}
