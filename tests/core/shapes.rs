//! Shapes: every one is as dense everywhere, by moments and by shares of known parts.

use mote::graph::InputMode;

use crate::authoring::{Doc, Particle};

const N: u32 = 20_000;

/// Places of many newborns.
fn born(kind: &str, inputs: &[(&str, InputMode)]) -> Vec<[f64; 3]> {
    let mut doc = Doc::new();
    doc.birth("shape", kind, inputs);
    let mut particle = Particle::new(&doc.0);
    (0..N)
        .map(|ordinal| {
            particle.key.ordinal = ordinal;
            let p = particle.birth().get("position");
            [p[0], p[1], p[2]].map(f64::from)
        })
        .collect()
}

fn mean(points: &[[f64; 3]], of: impl Fn([f64; 3]) -> f64) -> f64 {
    points.iter().map(|&p| of(p)).sum::<f64>() / points.len() as f64
}

fn share(points: &[[f64; 3]], of: impl Fn([f64; 3]) -> bool) -> f64 {
    mean(points, |p| f64::from(u8::from(of(p))))
}

fn length(p: [f64; 3]) -> f64 {
    p.iter().map(|c| c * c).sum::<f64>().sqrt()
}

fn value<const K: usize>(v: [f32; K]) -> InputMode {
    InputMode::value(v)
}

/// Shares of 20,000 draws differ by no more than four times their spread.
const SHARE: f64 = 0.015;

#[test]
fn shape_line_is_even_from_end_to_end() {
    let points = born(
        "shape_line",
        &[("from", value([1.0, 0.0, 0.0])), ("to", value([1.0, 4.0, 0.0]))],
    );
    assert!(
        points
            .iter()
            .all(|p| p[0] == 1.0 && (0.0..=4.0).contains(&p[1]) && p[2] == 0.0)
    );
    for k in 1..4 {
        assert!((share(&points, |p| p[1] < f64::from(k)) - f64::from(k) / 4.0).abs() < SHARE);
    }
}

#[test]
fn shape_box_and_plane_are_even() {
    let points = born("shape_box", &[("half_extents", value([1.0, 2.0, 3.0]))]);
    for (axis, half) in [1.0, 2.0, 3.0].into_iter().enumerate() {
        assert!(points.iter().all(|p| p[axis].abs() <= half));
        let spread = mean(&points, |p| p[axis] * p[axis]) / (half * half);
        assert!((spread - 1.0 / 3.0).abs() < 0.01, "{axis}: {spread}");
    }
    let points = born(
        "shape_plane",
        &[("size", value([2.0, 2.0])), ("normal", value([0.0, 0.0, -3.0]))],
    );
    assert!(
        points
            .iter()
            .all(|p| p[2].abs() < 1e-6 && p[0].abs() <= 1.0 && p[1].abs() <= 1.0)
    );
    assert!((share(&points, |p| p[0].abs() < 0.5 && p[1].abs() < 0.5) - 0.25).abs() < SHARE);
}

#[test]
fn shape_sphere_and_shell_are_as_dense_everywhere() {
    let ball = |points: &[[f64; 3]], inner: f64, what: &str| {
        assert!(
            points
                .iter()
                .all(|&p| (inner - 1e-5..=1.0 + 1e-5).contains(&length(p))),
            "{what}"
        );
        let i3 = inner.powi(3);
        for r in [0.5, 0.7, 0.9] {
            let expected = ((f64::powi(r, 3) - i3) / (1.0 - i3)).max(0.0);
            let found = share(points, |p| length(p) < r);
            assert!(
                (found - expected).abs() < SHARE,
                "{what}, within {r}: {found} {expected}"
            );
        }
        let square = mean(points, |p| length(p).powi(2));
        for axis in 0..3 {
            assert!(mean(points, |p| p[axis]).abs() < 0.02, "{what}");
            let third = mean(points, |p| p[axis] * p[axis]) / square;
            assert!((third - 1.0 / 3.0).abs() < 0.01, "{what}: {third}");
        }
        assert!(
            (share(points, |p| p[0] * p[1] * p[2] > 0.0) - 0.5).abs() < SHARE,
            "{what}"
        );
    };
    let one = ("radius", InputMode::value(1.0));
    ball(&born("shape_sphere", std::slice::from_ref(&one)), 0.0, "sphere");
    for (thickness, inner) in [(1.0, 0.0), (0.5, 0.5), (0.2, 0.8)] {
        let points = born(
            "shape_shell",
            &[one.clone(), ("thickness", InputMode::value(thickness))],
        );
        ball(&points, inner, "shell");
    }
    let surface = born("shape_shell", &[one]);
    assert!(surface.iter().all(|&p| (length(p) - 1.0).abs() < 1e-5));
    for z in [-0.5, 0.0, 0.5] {
        // Slices of a sphere have areas like their heights.
        assert!((share(&surface, |p| p[2] < z) - (z + 1.0) / 2.0).abs() < SHARE);
    }
}

#[test]
fn shape_disk_and_ring_are_as_dense_everywhere() {
    let flat = |points: &[[f64; 3]], inner: f64, what: &str| {
        assert!(points.iter().all(|p| p[1].abs() < 1e-6), "{what}");
        assert!(
            points
                .iter()
                .all(|&p| (inner - 1e-5..=2.0 + 1e-5).contains(&length(p))),
            "{what}"
        );
        for r in [0.8, 1.2, 1.7] {
            let expected = ((r * r - inner * inner) / (4.0 - inner * inner)).max(0.0);
            assert!(
                (share(points, |p| length(p) < r) - expected).abs() < SHARE,
                "{what}"
            );
        }
        for turn in 0..8 {
            let from = f64::from(turn) * std::f64::consts::FRAC_PI_4 - std::f64::consts::PI;
            let found = share(points, |p| {
                (from..from + std::f64::consts::FRAC_PI_4).contains(&p[2].atan2(p[0]))
            });
            assert!((found - 0.125).abs() < 0.01, "{what}: {found}");
        }
    };
    let two = ("radius", InputMode::value(2.0));
    flat(&born("shape_disk", std::slice::from_ref(&two)), 0.0, "disk");
    let ring = |thickness: f32| {
        born(
            "shape_ring",
            &[two.clone(), ("thickness", InputMode::value(thickness))],
        )
    };
    flat(&ring(1.0), 1.0, "ring");
    flat(&ring(9.0), 0.0, "ring wider than it is large");
    assert!(ring(0.0).iter().all(|&p| (length(p) - 2.0).abs() < 1e-5));
}

#[test]
fn shape_cone_is_as_dense_everywhere() {
    let inputs = [
        ("radius", InputMode::value(1.5)),
        ("height", InputMode::value(3.0)),
    ];
    let points = born("shape_cone", &inputs);
    let out = |p: [f64; 3]| (p[0] * p[0] + p[2] * p[2]).sqrt();
    assert!(
        points
            .iter()
            .all(|&p| (-1e-6..=3.0 + 1e-5).contains(&p[1]) && out(p) <= p[1] * 0.5 + 1e-5)
    );
    for h in [0.5_f64, 0.7, 0.9] {
        assert!((share(&points, |p| p[1] < 3.0 * h) - h.powi(3)).abs() < SHARE);
        assert!((share(&points, |p| out(p) < p[1] * 0.5 * h) - h * h).abs() < SHARE);
    }
    assert!((share(&points, |p| p[0] * p[2] > 0.0) - 0.5).abs() < SHARE);
}

#[test]
fn samplers_are_the_shapes_from_given_numbers() {
    let mut surface = crate::probe::Probe::new("sample_sphere_surface");
    let mut volume = crate::probe::Probe::new("sample_sphere_volume");
    let mut disk = crate::probe::Probe::new("sample_disk");
    let mut dice = crate::probe::Dice::new(31);
    let (mut inside, mut low, mut near) = (0, 0, 0);
    for _ in 0..N {
        let u = [(); 3].map(|()| dice.between(0.0, 1.0));
        let p = surface.vec3(&[&u[..2]]).map(f64::from);
        assert!((length(p) - 1.0).abs() < 1e-5);
        low += u32::from(p[2] < -0.5);
        let p = volume.vec3(&[&u]).map(f64::from);
        assert!(length(p) < 1.0 + 1e-5);
        inside += u32::from(length(p) < 0.5);
        let p = disk.all(&[&u[..2]]);
        near += u32::from(p[0].hypot(p[1]) < 0.5);
    }
    for (count, expected) in [(low, 0.25), (inside, 0.125), (near, 0.25)] {
        assert!(
            (f64::from(count) / f64::from(N) - expected).abs() < SHARE,
            "{count}"
        );
    }
    for ends in [0.0, 0.999_999_94, 1.0] {
        assert!(surface.all(&[&[ends; 2]]).iter().all(|c| c.is_finite()));
        assert!(volume.all(&[&[ends; 3]]).iter().all(|c| c.is_finite()));
    }
}

#[test]
fn births_write_their_fields() {
    let mut doc = Doc::new();
    doc.birth(
        "colour",
        "birth_color_range",
        &[
            ("from", value([0.0, 0.5, 1.0, 1.0])),
            ("to", value([1.0, 0.5, 3.0, 0.0])),
        ],
    )
    .birth(
        "inherit",
        "inherit_velocity",
        &[("amount", InputMode::value(0.5))],
    )
    .birth("add", "birth_additive", &[("additive", InputMode::value(0.25))])
    .birth("palette", "birth_uv_palette", &[("count", InputMode::value(3.0))])
    .birth("turn", "birth_rotation", &[("angle", InputMode::value(1.0))]);
    let mut particle = Particle::new(&doc.0);
    particle
        .builtins
        .set3(mote::isa::Builtin::EmitterVelocity, [2.0, -4.0, 0.0]);
    let mut sums = [0.0; 4];
    let mut rects = std::collections::BTreeMap::new();
    for ordinal in 0..9000 {
        particle.key.ordinal = ordinal;
        particle.birth();
        let c = particle.get("color");
        assert!((0.0..=1.0).contains(&c[0]) && c[1] == 0.5 && (1.0..=3.0).contains(&c[2]));
        sums[0] += c[0] * c[3];
        sums[1] += c[0];
        sums[2] += c[2];
        sums[3] += c[3];
        let rect: Vec<u32> = particle.get("uv_rect").iter().map(|v| v.to_bits()).collect();
        *rects.entry(rect).or_insert(0) += 1;
    }
    let [product, red, blue, alpha] = sums.map(|s| s / 9000.0);
    assert!((red - 0.5).abs() < 0.02 && (blue - 2.0).abs() < 0.04 && (alpha - 0.5).abs() < 0.02);
    // Channels are drawn apart from one another.
    assert!((product - red * alpha).abs() < 0.01);
    assert_eq!(rects.len(), 3);
    assert!(
        rects.values().all(|count| (count - 3000_i32).abs() < 200),
        "{rects:?}"
    );
    assert!(rects.contains_key([0.25_f32, 0.0, 0.25, 0.5].map(f32::to_bits).as_slice()));
    assert_eq!(particle.get("velocity"), [1.0, -2.0, 0.0]);
    assert_eq!(particle.get("additive"), [0.25]);
    let q = particle.get("orientation");
    assert!((q[2] - 0.5_f32.sin()).abs() < 1e-6 && (q[3] - 0.5_f32.cos()).abs() < 1e-6);
}
