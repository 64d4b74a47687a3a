//! Noise: range, slope, repeats, and flows that pile nothing up.

use mote::graph::InputMode;
use mote::layout::FieldType;

use crate::probe::{Dice, Probe, dot, wide};

fn noise(period: [f32; 3], alpha: f32) -> Probe {
    let set = [
        ("period", InputMode::value(period)),
        ("alpha", InputMode::value(alpha)),
    ];
    Probe::with("psrdnoise_3", FieldType::Float, &set)
}

/// A point whose lanes and small steps of it are exact.
fn lattice_point(dice: &mut Dice, reach: f32) -> [f32; 3] {
    dice.point(reach).map(|c| (c * 1024.0).round() / 1024.0)
}

fn step(mut at: [f32; 3], axis: usize, by: f32) -> [f32; 3] {
    at[axis] += by;
    at
}

const H: f32 = 1.0 / 256.0;

#[test]
fn psrdnoise_has_its_range_and_spread() {
    for alpha in [0.0, 2.1] {
        let mut node = noise([0.0; 3], alpha);
        let mut dice = Dice::new(11);
        let (mut sum, mut squares, mut steepest) = (0.0, 0.0, 0.0_f64);
        const N: u32 = 30_000;
        for _ in 0..N {
            let out = node.all(&[&dice.point(50.0)]);
            let value = f64::from(out[0]);
            assert!(value.abs() <= 1.02, "{value}");
            let gradient = wide([out[1], out[2], out[3]]);
            steepest = steepest.max(dot(&gradient, &gradient).sqrt());
            sum += value;
            squares += value * value;
        }
        let n = f64::from(N);
        assert!((sum / n).abs() < 0.01, "mean {}", sum / n);
        assert!(
            ((squares / n).sqrt() - 0.38).abs() < 0.01,
            "rms {}",
            (squares / n).sqrt()
        );
        assert!(steepest < 6.5, "{steepest}");
    }
}

#[test]
fn psrdnoise_gradient_is_the_slope() {
    for alpha in [0.0, 0.9, -4.0] {
        let mut node = noise([0.0; 3], alpha);
        let mut dice = Dice::new(12);
        for _ in 0..500 {
            let at = lattice_point(&mut dice, 8.0);
            let gradient = node.all(&[&at])[1..].to_vec();
            for axis in 0..3 {
                let ahead = node.all(&[&step(at, axis, H)])[0];
                let behind = node.all(&[&step(at, axis, -H)])[0];
                let slope = (ahead - behind) / (2.0 * H);
                // The kernel's third derivative jumps, so a step this wide misses by up to a thousandth.
                assert!(
                    (slope - gradient[axis]).abs() < 3e-3,
                    "{at:?}: {slope} {gradient:?}"
                );
            }
        }
    }
}

#[test]
fn psrdnoise_repeats_after_its_period_and_not_before() {
    let period = [7.0, 3.0, 5.0];
    let mut node = noise(period, 0.4);
    let mut plain = noise([0.0; 3], 0.4);
    let mut dice = Dice::new(13);
    let mut differs = 0;
    for _ in 0..500 {
        let at = lattice_point(&mut dice, 8.0);
        let here = node.all(&[&at]);
        let shifted = [at[0] + 7.0, at[1] - 6.0, at[2] + 15.0];
        let there = node.all(&[&shifted]);
        assert!(
            here.iter().zip(&there).all(|(a, b)| (a - b).abs() < 2e-5),
            "{at:?}: {here:?} {there:?}"
        );
        let half = node.all(&[&[at[0] + 3.0, at[1], at[2]]]);
        differs += u32::from((here[0] - half[0]).abs() > 1e-3);
        assert!((plain.all(&[&shifted])[0]).is_finite());
    }
    assert!(differs > 450, "{differs}");
}

#[test]
fn psrdnoise_is_smooth_where_coordinates_are_equal() {
    // Corners are ranked by coordinates: ties must not count one twice.
    let mut node = noise([0.0; 3], 0.0);
    for at in [
        [0.0; 3],
        [0.25; 3],
        [1.0; 3],
        [0.3, 0.3, 0.7],
        [0.3, 0.7, 0.3],
        [0.7, 0.3, 0.3],
    ] {
        let here = node.all(&[&at]);
        for axis in 0..3 {
            for by in [1e-4, -1e-4] {
                let there = node.all(&[&step(at, axis, by)]);
                assert!(
                    here.iter().zip(&there).all(|(a, b)| (a - b).abs() < 0.02),
                    "{at:?}: {here:?} {there:?}"
                );
            }
        }
    }
}

#[test]
fn psrdnoise_turns_in_place() {
    let at = [0.3, 1.7, -2.2];
    let turned: Vec<f32> = [0.0, 1.0, std::f32::consts::TAU]
        .map(|alpha| noise([0.0; 3], alpha).all(&[&at])[0])
        .to_vec();
    assert!((turned[0] - turned[1]).abs() > 0.01);
    assert!((turned[0] - turned[2]).abs() < 1e-5);
    // A turn that is wired in is the turn that is set.
    let set = [("period", InputMode::value([0.0; 3]))];
    let mut wired = Probe::with("psrdnoise_3", FieldType::Float, &set);
    for (alpha, expected) in [0.0, 1.0].into_iter().zip(&turned) {
        assert!((wired.all(&[&at, &[alpha]])[0] - expected).abs() < 1e-6);
    }
}

#[test]
fn curl_noise_piles_nothing_up() {
    let turn = [("turn", InputMode::value(0.7))];
    for (kind, set) in [("curl_3", &[][..]), ("curl_4", &turn[..])] {
        let mut node = Probe::with(kind, FieldType::Float, set);
        let mut dice = Dice::new(14);
        let (mut squares, mut strongest, mut worst) = (0.0, 0.0_f64, 0.0_f64);
        for _ in 0..1000 {
            let at = lattice_point(&mut dice, 8.0);
            let flow = wide(node.vec3(&[&at]));
            squares += dot(&flow, &flow);
            strongest = strongest.max(dot(&flow, &flow).sqrt());
            let mut divergence = 0.0;
            for axis in 0..3 {
                let ahead = node.vec3(&[&step(at, axis, H)])[axis];
                let behind = node.vec3(&[&step(at, axis, -H)])[axis];
                divergence += f64::from((ahead - behind) / (2.0 * H));
            }
            worst = worst.max(divergence.abs());
        }
        let rms = (squares / 1000.0).sqrt();
        assert!((0.9..1.1).contains(&rms), "{kind}: {rms}");
        assert!(strongest < 4.0, "{kind}: {strongest}");
        assert!(worst < 0.03, "{kind}: {worst}");
    }
    // The check of divergence can fail: a gradient has one.
    let mut node = noise([0.0; 3], 0.0);
    let mut dice = Dice::new(15);
    let worst = (0..100).map(|_| {
        let at = lattice_point(&mut dice, 8.0);
        let part = |axis: usize| {
            let ahead = node.all(&[&step(at, axis, H)])[1 + axis];
            let behind = node.all(&[&step(at, axis, -H)])[1 + axis];
            (ahead - behind) / (2.0 * H)
        };
        [0, 1, 2].map(part).iter().sum::<f32>().abs()
    });
    assert!(worst.fold(0.0, f32::max) > 1.0);
}

#[test]
fn value_noise_is_even_smooth_and_between_0_and_1() {
    let mut node = Probe::new("value_noise");
    let mut dice = Dice::new(16);
    let mut sum = 0.0;
    for _ in 0..5000 {
        let at = dice.point(40.0);
        let value = node.all(&[&at, &[0.0]])[0];
        assert!((0.0..=1.0).contains(&value), "{value}");
        sum += f64::from(value);
    }
    assert!((sum / 5000.0 - 0.5).abs() < 0.02, "{}", sum / 5000.0);
    // Flat at whole positions, the same from both sides, another for another seed.
    let near: Vec<f32> = [-1e-3, 0.0, 1e-3]
        .map(|d| node.all(&[&[3.0 + d, 2.0, 1.0], &[0.0]])[0])
        .to_vec();
    assert!((near[0] - near[1]).abs() < 1e-6 && (near[2] - near[1]).abs() < 1e-6);
    assert!((node.all(&[&[3.0, 2.0, 1.0], &[1.0]])[0] - near[1]).abs() > 1e-3);
}

#[test]
fn fractal_noise_is_its_octaves() {
    let mut fbm = Probe::new("fbm");
    let mut octave = noise([0.0; 3], 0.0);
    let mut dice = Dice::new(17);
    for _ in 0..500 {
        let at = dice.point(5.0);
        let first = octave.all(&[&at])[0];
        let alone = fbm.all(&[&at, &[0.0], &[2.0]])[0];
        assert!((first - alone).abs() < 1e-6, "{first} {alone}");
        let (mut expected, mut weight, mut total, mut p) = (0.0, 1.0, 0.0, at);
        for _ in 0..4 {
            expected += weight * octave.all(&[&p])[0];
            total += weight;
            weight *= 0.5;
            p = p.map(|c| c * 2.0 + 17.3);
        }
        let found = fbm.all(&[&at, &[0.5], &[2.0]])[0];
        assert!(
            (found - expected / total).abs() < 1e-5,
            "{found} {}",
            expected / total
        );
    }
}

#[test]
fn noise_is_finite_far_away() {
    for (kind, inputs) in [
        ("psrdnoise_3", 3),
        ("curl_4", 2),
        ("value_noise", 2),
        ("curl_3", 1),
    ] {
        let mut node = Probe::new(kind);
        for reach in [1e4, 1e8, 1e15] {
            let rest: [&[f32]; 2] = if inputs == 3 {
                [&[0.0; 3], &[1.0]]
            } else {
                [&[1.0], &[]]
            };
            let at = [reach, -reach, reach * 0.5];
            let mut given: Vec<&[f32]> = vec![&at];
            given.extend(&rest[..inputs - 1]);
            assert!(
                node.all(&given).iter().all(|v| v.is_finite()),
                "{kind} at {reach}"
            );
        }
    }
}

/// Sums over the pinned points.
const PLAIN: f64 = 22.284_80;
const WEIGHTED: f64 = 130.536_37;

#[test]
fn psrdnoise_values_are_pinned() {
    // Sixty-four points, by two sums; a change of the noise changes every effect that uses it.
    let mut node = noise([0.0; 3], 0.3);
    let mut dice = Dice::new(18);
    let (mut plain, mut weighted) = (0.0, 0.0);
    for k in 1..=64 {
        let value = f64::from(node.all(&[&dice.point(20.0)])[0]);
        plain += value.abs();
        weighted += value * f64::from(k);
    }
    assert!((plain - PLAIN).abs() < 1e-4, "{plain}");
    assert!((weighted - WEIGHTED).abs() < 1e-3, "{weighted}");
}
