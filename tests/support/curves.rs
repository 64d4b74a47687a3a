//! Random curves, and inputs that matter to them.

use mote::base::curve::{Curve, Ends, Interpolation, Key};

use super::Rolls;

/// Inputs that matter: around and between the keys, far away, and none at all.
pub(crate) fn inputs(times: &[f32], rolls: &mut Rolls, count: usize) -> Vec<f32> {
    let (first, last) = (times[0], times[times.len() - 1]);
    let span = (last - first).max(1e-3);
    let mut xs: Vec<f32> = (0..count)
        .map(|_| first + span * (unit(rolls) * 3.0 - 1.0))
        .collect();
    for _ in 0..4 {
        let t = times[rolls.below(times.len() as u32) as usize];
        xs.extend([t, t.next_down(), t.next_up()]);
    }
    xs.extend([0.0, -0.0, -1e-20, 1e6 * unit(rolls), -1e6 * unit(rolls)]);
    xs.extend([f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY, f32::NAN]);
    xs
}

pub(crate) fn unit(rolls: &mut Rolls) -> f32 {
    (rolls.next() >> 8) as f32 / 16_777_216.0
}

pub(crate) fn signed(rolls: &mut Rolls, scale: f32) -> f32 {
    (unit(rolls) * 2.0 - 1.0) * scale
}

/// A curve of any kind: few keys or many, doubled, at one time, wide or narrow.
pub(crate) fn random_curve(rolls: &mut Rolls) -> Curve {
    let count = match rolls.below(20) {
        0 => 1,
        1 => 20 + rolls.below(60),
        n => n,
    };
    let (width, height) = ([0.01, 1.0, 4.0, 300.0], [0.01, 1.0, 50.0, 1e6]);
    let width = width[rolls.below(4) as usize];
    let height = height[rolls.below(4) as usize];
    let offset = if rolls.below(3) == 0 {
        0.0
    } else {
        signed(rolls, width * 2.0)
    };
    let any = rolls.below(4) == 0;
    let kind = Interpolation::ALL[rolls.below(4) as usize];
    let mut keys: Vec<Key> = Vec::new();
    for _ in 0..count {
        let doubled = keys.last().filter(|_| rolls.below(8) == 0).map(|k: &Key| k.t);
        let interpolation = if any {
            Interpolation::ALL[rolls.below(4) as usize]
        } else {
            kind
        };
        keys.push(Key {
            t: doubled.unwrap_or_else(|| offset + signed(rolls, width)),
            v: signed(rolls, height),
            interpolation,
            tangent_in: signed(rolls, 3.0 * height / width),
            tangent_out: signed(rolls, 3.0 * height / width),
        });
    }
    let ends = Ends::ALL[usize::from(rolls.below(3) == 0)];
    Curve::new(keys).unwrap().with_ends(ends)
}
