//! Rotations: against quaternions in double precision, and what they cost.

use mote::graph::InputMode;
use mote::isa::Builtin;

use crate::authoring::{Doc, Particle};
use crate::probe::{Dice, Probe, dot, wide};

type Quat = [f64; 4];

const IDENTITY: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// The turn `b`, then the turn `a`.
fn product(a: Quat, b: Quat) -> Quat {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn turned(q: Quat, v: [f64; 3]) -> [f64; 3] {
    let back = [-q[0], -q[1], -q[2], q[3]];
    let [x, y, z, _] = product(product(q, [v[0], v[1], v[2], 0.0]), back);
    [x, y, z]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn unit<const N: usize>(v: [f64; N]) -> [f64; N] {
    let length = dot(&v, &v).sqrt();
    v.map(|c| c / length)
}

fn any_rotation(dice: &mut Dice) -> [f32; 4] {
    loop {
        let q = [(); 4].map(|()| f64::from(dice.between(-1.0, 1.0)));
        if (0.1..1.0).contains(&dot(&q, &q)) {
            return unit(q).map(|c| c as f32);
        }
    }
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The same turn has two quaternions.
fn turns_apart(a: Quat, b: Quat) -> f64 {
    apart(&a, &b).min(apart(&a, &b.map(|c| -c)))
}

#[test]
fn quat_multiply_rotate_and_undo_meet_their_formulas() {
    let [mut multiply, mut rotate, mut inverse] =
        ["rotate_rotation", "rotate_vector", "quat_conjugate"].map(Probe::new);
    let mut about = Probe::new("rotate_about_axis");
    let mut from_axis = Probe::new("axis_angle");
    let mut dice = Dice::new(21);
    for _ in 0..500 {
        let (a, b, v) = (any_rotation(&mut dice), any_rotation(&mut dice), dice.point(2.0));
        let both = wide(multiply.vec4(&[&b, &a]));
        assert!(apart(&both, &product(wide(a), wide(b))) < 1e-6, "{a:?} {b:?}");
        let moved = wide(rotate.vec3(&[&v, &a]));
        assert!(apart(&moved, &turned(wide(a), wide(v))) < 2e-6, "{a:?} {v:?}");
        let back = wide(inverse.vec4(&[&a]));
        let nothing = product(back, wide(a));
        assert!(apart(&nothing, &wide(IDENTITY)) < 1e-6);
        let (axis, angle) = (dice.point(2.0), dice.between(-9.0, 9.0));
        let half = f64::from(angle) / 2.0;
        let [x, y, z] = unit(wide(axis)).map(|c| c * half.sin());
        let q = [x, y, z, half.cos()];
        assert!(apart(&wide(from_axis.vec4(&[&axis, &[angle]])), &q) < 2e-6);
        let moved = wide(about.vec3(&[&v, &axis, &[angle]]));
        assert!(
            apart(&moved, &turned(q, wide(v))) < 5e-6,
            "{v:?} {axis:?} {angle}"
        );
    }
    // The rotation 0 turns nothing.
    assert_eq!(rotate.vec3(&[&[1.0, 2.0, 3.0], &[0.0; 4]]), [1.0, 2.0, 3.0]);
}

#[test]
fn quat_integrate_has_the_closed_form_at_any_step() {
    let mut node = Probe::new("quat_integrate");
    let mut dice = Dice::new(22);
    for dt in [1.0 / 60.0, 0.5] {
        for _ in 0..300 {
            let (q, omega) = (any_rotation(&mut dice), dice.point(10.0));
            let w = wide(omega);
            let rate = dot(&w, &w).sqrt();
            let half = rate * f64::from(dt) / 2.0;
            let [x, y, z] = w.map(|c| c / rate * half.sin());
            let expected = product([x, y, z, half.cos()], wide(q));
            let found = wide(node.vec4(&[&q, &omega, &[dt]]));
            assert!(apart(&found, &expected) < 2e-6, "{q:?} {omega:?} {dt}");
        }
    }
    // The first-order step would be a sixth short here.
    let found = node.vec4(&[&IDENTITY, &[10.0, 0.0, 0.0], &[5.0 / 32.0]]);
    assert!((2.0 * found[0].atan2(found[3]) - 10.0 * 5.0 / 32.0).abs() < 1e-6);
    // No turn, a turn too slow to see, and no rotation to start from.
    assert_eq!(node.vec4(&[&IDENTITY, &[0.0; 3], &[0.5]]), IDENTITY);
    let slow = node.vec4(&[&IDENTITY, &[1e-12, 0.0, 0.0], &[0.5]]);
    assert!(slow[0].abs() < 1e-9 && slow[3] == 1.0);
    assert_eq!(node.vec4(&[&[0.0; 4], &[1.0, 0.0, 0.0], &[0.5]]), [0.0; 4]);
}

#[test]
fn quat_integrate_stays_a_unit_for_10000_steps() {
    let mut node = Probe::new("quat_integrate");
    let mut q = IDENTITY;
    for _ in 0..10_000 {
        q = node.vec4(&[&q, &[1.0, -2.0, 0.5], &[1.0 / 60.0]]);
    }
    let length = dot(&wide(q), &wide(q)).sqrt();
    assert!((length - 1.0).abs() < 1e-6, "{length}");
    let rate = 5.25_f64.sqrt();
    let half = rate * (10_000.0 / 60.0) / 2.0;
    let [x, y, z] = [1.0, -2.0, 0.5].map(|c| c / rate * half.sin());
    assert!(turns_apart(wide(q), [x, y, z, half.cos()]) < 2e-3);
}

#[test]
fn sample_rotation_is_even_over_all_turns() {
    let mut node = Probe::new("random_rotation");
    let mut second = [[0.0; 4]; 4];
    let mut bins = [0.0; 8];
    const N: u32 = 40_000;
    for ordinal in 0..N {
        node.particle.key.ordinal = ordinal;
        let q = wide(node.vec4(&[]));
        assert!((dot(&q, &q) - 1.0).abs() < 1e-5);
        for i in 0..4 {
            for j in 0..4 {
                second[i][j] += q[i] * q[j] / f64::from(N);
            }
        }
        let angle = 2.0 * q[3].abs().min(1.0).acos();
        bins[((angle / std::f64::consts::PI * 8.0) as usize).min(7)] += 1.0 / f64::from(N);
    }
    for (i, row) in second.iter().enumerate() {
        for (j, found) in row.iter().enumerate() {
            let expected = if i == j { 0.25 } else { 0.0 };
            assert!((found - expected).abs() < 0.004, "{i} {j}: {found}");
        }
    }
    // Angles are as dense as 1 − cos.
    let upto = |a: f64| (a - a.sin()) / std::f64::consts::PI;
    for (i, found) in bins.iter().enumerate() {
        let [low, high] = [i, i + 1].map(|k| upto(k as f64 * std::f64::consts::PI / 8.0));
        assert!((found - (high - low)).abs() < 0.008, "{i}: {found}");
    }
    let ends = Probe::new("sample_rotation").vec4(&[&[1.0, 1.0, 1.0]]);
    assert!(ends.iter().all(|c| c.is_finite()));
}

#[test]
fn quat_look_rotation_faces_forward_with_its_top_up() {
    let mut node = Probe::new("quat_look_rotation");
    let mut dice = Dice::new(23);
    let axes = [
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let mut pairs = Vec::new();
    for f in axes {
        pairs.extend(axes.map(|u| (f, u)));
        pairs.push((f, [0.0; 3]));
    }
    for _ in 0..2000 {
        let f = dice.point(3.0);
        pairs.push((f, dice.point(3.0)));
        let (a, b) = (dice.point(1e-5), dice.between(-2.0, 2.0));
        pairs.push((f, [0, 1, 2].map(|i| f[i] * b + a[i])));
    }
    for (forward, up) in pairs {
        let q = wide(node.vec4(&[&forward, &up]));
        assert!(
            (dot(&q, &q) - 1.0).abs() < 1e-6 && q[3] >= 0.0,
            "{forward:?} {up:?}: {q:?}"
        );
        let front = turned(q, [0.0, 0.0, 1.0]);
        assert!(apart(&front, &unit(wide(forward))) < 1e-6, "{forward:?} {up:?}");
        let top = turned(q, [0.0, 1.0, 0.0]);
        let side = cross(wide(up), unit(wide(forward)));
        let length = dot(&wide(up), &wide(up)).sqrt();
        assert!(dot(&top, &wide(up)) >= -2e-4 * length, "{forward:?} {up:?}");
        if dot(&side, &side).sqrt() > 0.05 * length {
            let right = turned(q, [1.0, 0.0, 0.0]);
            assert!(apart(&right, &unit(side)) < 2e-5, "{forward:?} {up:?}");
        }
    }
    assert_eq!(node.vec4(&[&[0.0; 3], &[0.0, 1.0, 0.0]]), IDENTITY);
    assert_eq!(node.vec4(&[&[0.0; 3], &[1.0, 0.0, 0.0]]), IDENTITY);
}

#[test]
fn emitter_rotation_is_its_axes_and_mirrors_none() {
    let [mut rotation, mut direction, mut up] =
        ["emitter_rotation", "emitter_direction", "emitter_up"].map(Probe::new);
    let mut dice = Dice::new(24);
    for round in 0..300 {
        let q = wide(any_rotation(&mut dice));
        let scale = f64::from(dice.between(0.2, 5.0));
        let mirror = if round % 3 == 0 { -1.0 } else { 1.0 };
        let axes = [[mirror, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|a| turned(q, a));
        for node in [&mut rotation, &mut direction, &mut up] {
            for (name, axis) in [
                Builtin::EmitterAxisX,
                Builtin::EmitterAxisY,
                Builtin::EmitterAxisZ,
            ]
            .into_iter()
            .zip(axes)
            {
                node.particle
                    .builtins
                    .set3(name, axis.map(|c| (c * scale) as f32));
            }
        }
        assert!(turns_apart(wide(rotation.vec4(&[])), q) < 2e-6, "{q:?}");
        assert!(apart(&wide(direction.vec3(&[])), &axes[2].map(|c| -c)) < 1e-6);
        assert!(apart(&wide(up.vec3(&[])), &axes[1]) < 1e-6);
    }
}

#[test]
fn quat_mixes_take_the_short_way() {
    let [mut slerp, mut nlerp] = ["quat_slerp", "quat_nlerp"].map(Probe::new);
    let mut dice = Dice::new(25);
    for round in 0..500 {
        let a = any_rotation(&mut dice);
        let mut b = any_rotation(&mut dice);
        if round % 5 == 0 {
            let near = dice.point(0.01);
            b = unit([0, 1, 2, 3].map(|i| f64::from(a[i]) + f64::from(*near.get(i).unwrap_or(&0.0))))
                .map(|c| c as f32);
        }
        let t = dice.between(0.0, 1.0);
        let along = dot(&wide(a), &wide(b));
        if along.abs() < 1e-3 {
            continue;
        }
        let b_near = wide(b).map(|c| c * along.signum());
        let theta = along.abs().min(1.0).acos().max(1e-9);
        let [wa, wb] = [1.0 - f64::from(t), f64::from(t)].map(|s| (s * theta).sin() / theta.sin());
        let round_way = unit([0, 1, 2, 3].map(|i| wide(a)[i] * wa + b_near[i] * wb));
        assert!(
            apart(&wide(slerp.vec4(&[&a, &b, &[t]])), &round_way) < 5e-6,
            "{a:?} {b:?} {t}"
        );
        let t = f64::from(t);
        let straight = unit([0, 1, 2, 3].map(|i| wide(a)[i] * (1.0 - t) + b_near[i] * t));
        assert!(apart(&wide(nlerp.vec4(&[&a, &b, &[t as f32]])), &straight) < 2e-6);
    }
}

#[test]
fn library_counts_of_rotations_are_small() {
    for (kind, instructions, registers) in [
        ("rotate_rotation", 22, 15),
        ("quat_integrate", 39, 17),
        ("sample_rotation", 29, 7),
        ("emitter_rotation", 105, 28),
        ("rotate_vector", 18, 15),
        ("quat_look_rotation", 60, 20),
    ] {
        let (found, slots) = Probe::new(kind).cost();
        assert!(
            found <= instructions && slots <= registers,
            "{kind}: {found} instructions, {slots} registers"
        );
    }
}

#[test]
fn library_counts_of_noise_are_small() {
    for (kind, instructions, registers) in [
        ("psrdnoise_3", 120, 56),
        ("curl_3", 70, 48),
        ("curl_4", 85, 50),
        ("value_noise", 30, 20),
        ("fbm", 210, 56),
    ] {
        let (found, slots) = Probe::new(kind).cost();
        assert!(
            found <= instructions && slots <= registers,
            "{kind}: {found} instructions, {slots} registers"
        );
    }
}

#[test]
fn tumble_turns_as_its_field_says() {
    let mut doc = Doc::new();
    doc.birth("turned", "birth_random_rotation", &[])
        .birth(
            "speed",
            "birth_angular_velocity",
            &[("angular_velocity", InputMode::value([0.0, 3.0, 0.0]))],
        )
        .update("tumble", "tumble", &[]);
    let mut particle = Particle::new(&doc.0);
    let start: [f32; 4] = particle.birth().get("orientation").try_into().unwrap();
    for _ in 0..30 {
        particle.step(1.0 / 30.0);
    }
    let expected = product([0.0, 1.5_f64.sin(), 0.0, 1.5_f64.cos()], wide(start));
    let found: [f32; 4] = particle.get("orientation").try_into().unwrap();
    assert!(apart(&wide(found), &expected) < 1e-5, "{found:?} {expected:?}");
}

#[test]
fn aims_point_top_along_velocity_and_front_at_a_point() {
    let mut doc = Doc::new();
    doc.birth("point", "shape_point", &[])
        .birth("go", "set_velocity", &[])
        .update("aim", "aim_velocity", &[]);
    let mut particle = Particle::new(&doc.0);
    particle.birth();
    let mut dice = Dice::new(26);
    for round in 0..500 {
        let v = match round {
            0 => [0.0, -2.0, 0.0],
            1 => [0.0, 3.0, 0.0],
            2..60 => {
                let [x, _, z] = dice.point(1e-3);
                [x, -1.0, z]
            }
            _ => dice.point(3.0),
        };
        particle.set("velocity", &v);
        let q: [f32; 4] = particle.step(0.1).get("orientation").try_into().unwrap();
        assert!(
            apart(&turned(wide(q), [0.0, 1.0, 0.0]), &unit(wide(v))) < 2e-6,
            "{v:?}: {q:?}"
        );
    }
    // Standing still keeps the turn.
    let before = particle.get("orientation");
    particle.set("velocity", &[0.0; 3]);
    assert_eq!(particle.step(0.1).get("orientation"), before);

    let mut doc = Doc::new();
    let target = InputMode::value([1.0, 2.0, 3.0]);
    doc.birth("point", "shape_point", &[])
        .update("look", "aim_look", &[("target", target)]);
    let mut particle = Particle::new(&doc.0);
    particle.birth().set("position", &[4.0, -1.0, 0.5]);
    let q: [f32; 4] = particle.step(0.1).get("orientation").try_into().unwrap();
    assert!(apart(&turned(wide(q), [0.0, 0.0, 1.0]), &unit([-3.0, 3.0, 2.5])) < 1e-6);
    assert!(turned(wide(q), [0.0, 1.0, 0.0])[1] > 0.0);
}

#[test]
fn rotation_about_no_axis_is_no_rotation() {
    for angle in [0.0_f32, 1.5, 3.1] {
        let mut doc = Doc::new();
        let axis = ("axis", InputMode::value([0.0; 3]));
        doc.birth(
            "turned",
            "birth_rotation",
            &[axis, ("angle", InputMode::value(angle))],
        );
        let mut particle = Particle::new(&doc.0);
        assert_eq!(
            particle.birth().get("orientation"),
            [0.0, 0.0, 0.0, 1.0],
            "{angle}"
        );
    }
}
