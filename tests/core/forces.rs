//! What force, motion, over-life and kill blocks do to a particle.

use mote::graph::InputMode;
use mote::isa::Builtin;

use crate::authoring::{Doc, Particle};
use crate::probe::Dice;

fn number(value: f32) -> InputMode {
    InputMode::value(value)
}

/// A particle at a place with a velocity, under one force and Move.
fn pushed(kind: &str, inputs: &[(&str, InputMode)], at: [f32; 3], v: [f32; 3]) -> Particle {
    let mut doc = Doc::new();
    doc.birth("point", "shape_point", &[])
        .update("force", kind, inputs)
        .update("move", "move", &[]);
    let mut particle = Particle::new(&doc.0);
    particle.birth().set("position", &at);
    particle.set("velocity", &v);
    particle
}

/// The acceleration a force gives a particle at a place.
fn acceleration(kind: &str, inputs: &[(&str, InputMode)], at: [f32; 3]) -> [f32; 3] {
    let mut particle = pushed(kind, inputs, at, [0.0; 3]);
    let v = particle.step(1.0 / 64.0).get("velocity");
    [v[0] * 64.0, v[1] * 64.0, v[2] * 64.0]
}

fn near(found: &[f32], expected: &[f32], tolerance: f32) -> bool {
    found
        .iter()
        .zip(expected)
        .all(|(f, e)| (f - e).abs() <= tolerance)
}

#[test]
fn case_b18_an_attractor_does_nothing_in_its_centre() {
    for radius in [0.0, 2.0] {
        let inputs = [("strength", number(3.0)), ("radius", number(radius))];
        let mut particle = pushed("attract", &inputs, [0.0; 3], [0.0; 3]);
        for _ in 0..60 {
            particle.step(1.0 / 60.0);
        }
        assert_eq!(particle.get("velocity"), [0.0; 3]);
        assert_eq!(particle.get("position"), [0.0; 3]);
    }
    for kind in ["vortex", "conform_sphere"] {
        let a = acceleration(kind, &[], [0.0; 3]);
        assert_eq!(a, [0.0; 3], "{kind}");
    }
}

#[test]
fn attract_pulls_to_its_centre_and_fades() {
    let center = ("center", InputMode::value([1.0, 0.0, 0.0]));
    let a = |strength: f32, radius: f32, at: [f32; 3]| {
        let inputs = [
            ("strength", number(strength)),
            ("radius", number(radius)),
            center.clone(),
        ];
        acceleration("attract", &inputs, at)
    };
    assert!(near(&a(3.0, 0.0, [11.0, 0.0, 0.0]), &[-3.0, 0.0, 0.0], 1e-5));
    assert!(near(&a(-3.0, 0.0, [1.0, 0.5, 0.0]), &[0.0, 3.0, 0.0], 1e-5));
    assert!(near(&a(3.0, 4.0, [2.0, 0.0, 0.0]), &[-2.25, 0.0, 0.0], 1e-5));
    assert!(near(&a(3.0, 4.0, [6.0, 0.0, 0.0]), &[0.0; 3], 0.0));
}

#[test]
fn vortex_pushes_round_and_in() {
    let inputs = [
        ("strength", number(2.0)),
        ("pull", number(0.5)),
        ("axis", InputMode::value([0.0, 7.0, 0.0])),
    ];
    let a = acceleration("vortex", &inputs, [3.0, 5.0, 0.0]);
    assert!(near(&a, &[-0.5, 0.0, -2.0], 1e-5), "{a:?}");
    assert_eq!(acceleration("vortex", &inputs, [0.0, 5.0, 0.0]), [0.0; 3]);
}

#[test]
fn conform_sphere_ends_on_its_surface() {
    let inputs = [("radius", number(2.0))];
    for at in [[0.5, 0.2, 0.0], [6.0, -3.0, 1.0]] {
        let mut particle = pushed("conform_sphere", &inputs, at, [1.0, 0.0, 0.0]);
        for _ in 0..600 {
            particle.step(1.0 / 60.0);
        }
        let p = particle.get("position");
        let d = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
        assert!((d - 2.0).abs() < 1e-3, "{d}");
        assert!(particle.get("velocity").iter().all(|v| v.abs() < 1e-3));
    }
}

#[test]
fn turbulence_and_curl_noise_push_about_as_hard_as_they_say() {
    let mut dice = Dice::new(41);
    let mut squares = 0.0;
    for _ in 0..100 {
        let a = acceleration("turbulence", &[("strength", number(3.0))], dice.point(9.0));
        squares += a.iter().map(|c| c * c).sum::<f32>() / 100.0;
    }
    assert!((2.0..4.0).contains(&squares.sqrt()), "{}", squares.sqrt());
    // Curl noise ends at the flow's speed whatever the particle had.
    let still = [
        ("evolution", number(0.0)),
        ("frequency", number(0.0)),
        ("speed", number(2.0)),
    ];
    let flow = |v: [f32; 3]| {
        let mut particle = pushed("curl_noise", &still, [0.0; 3], v);
        for _ in 0..600 {
            particle.step(1.0 / 60.0);
        }
        particle.get("velocity")
    };
    let (one, two) = (flow([9.0, 0.0, -5.0]), flow([0.0; 3]));
    assert!(near(&one, &two, 1e-4), "{one:?} {two:?}");
    assert!(one.iter().map(|c| c * c).sum::<f32>().sqrt() > 0.1);
    // It changes with time where it evolves.
    let mut particle = pushed("turbulence", &[], [0.3, 0.2, 0.1], [0.0; 3]);
    let first = particle.step(1e-3).get("velocity");
    particle.builtins.set(Builtin::Time, 1.0);
    particle.set("velocity", &[0.0; 3]);
    particle.set("position", &[0.3, 0.2, 0.1]);
    assert!(!near(&first, &particle.step(1e-3).get("velocity"), 1e-5));
}

#[test]
fn limit_speed_holds_fast_ones_and_leaves_slow_ones() {
    let mut doc = Doc::new();
    doc.birth("v", "set_velocity", &[])
        .update("limit", "limit_speed", &[("limit", number(2.0))]);
    let mut particle = Particle::new(&doc.0);
    particle.birth();
    for (v, expected) in [
        ([3.0, 4.0, 0.0], [1.2, 1.6, 0.0]),
        ([0.3, 0.4, 0.0], [0.3, 0.4, 0.0]),
        ([0.0; 3], [0.0; 3]),
    ] {
        particle.set("velocity", &v);
        let found = particle.step(0.1).get("velocity");
        assert!(near(&found, &expected, 1e-6), "{v:?}: {found:?}");
    }
}

#[test]
fn orbit_stays_on_its_circle_at_any_frame_rate() {
    let inputs = [
        ("speed", number(2.0)),
        ("center", InputMode::value([1.0, 2.0, 3.0])),
    ];
    for fps in [4, 60] {
        let mut doc = Doc::new();
        doc.birth("point", "shape_point", &[])
            .update("orbit", "orbit", &inputs);
        let mut particle = Particle::new(&doc.0);
        particle.birth().set("position", &[3.0, 7.0, 3.0]);
        for _ in 0..fps {
            particle.step(1.0 / fps as f32);
        }
        let expected = [1.0 + 2.0 * 2.0_f32.cos(), 7.0, 3.0 - 2.0 * 2.0_f32.sin()];
        let found = particle.get("position");
        assert!(near(&found, &expected, 1e-5), "{fps}: {found:?} {expected:?}");
    }
}

#[test]
fn wrap_box_brings_back_from_any_distance() {
    let mut doc = Doc::new();
    doc.birth("point", "shape_point", &[]).update(
        "wrap",
        "wrap_box",
        &[("size", InputMode::value([4.0, 2.0, 0.0]))],
    );
    let mut particle = Particle::new(&doc.0);
    particle.birth();
    particle.builtins.set3(Builtin::EmitterPosition, [10.0, 0.0, 0.0]);
    for (at, expected) in [
        ([11.0, 0.5, 70.0], [11.0, 0.5, 70.0]),
        ([12.5, -1.25, 0.0], [8.5, 0.75, 0.0]),
        ([1000.0, 801.0 - 0.5, -3.0], [8.0, 0.5, -3.0]),
    ] {
        particle.set("position", &at);
        let found = particle.step(0.1).get("position");
        let on_edge = (found[0] - expected[0]).abs() == 4.0;
        assert!(near(&found, &expected, 1e-4) || on_edge, "{at:?}: {found:?}");
        assert!((found[0] - 10.0).abs() <= 2.0 && found[1].abs() <= 1.0);
    }
}

#[test]
fn over_life_blocks_follow_age() {
    let mut doc = Doc::new();
    doc.birth("life", "birth_lifetime", &[("lifetime", number(1.0))])
        .update("additive", "additive_over_life", &[])
        .update(
            "frame",
            "frame_over_life",
            &[("count", number(4.0)), ("cycles", number(2.0))],
        )
        .update("spin", "spin_over_life", &[("spin", number(2.0))]);
    let mut particle = Particle::new(&doc.0);
    particle.birth();
    for (age, frame) in [
        (0.0, 0.0),
        (0.124, 0.0),
        (0.13, 1.0),
        (0.49, 3.0),
        (0.51, 0.0),
        (0.99, 3.0),
        (1.0, 3.0),
        (5.0, 3.0),
    ] {
        particle.set("age", &[age]);
        particle.step(0.25);
        assert_eq!(particle.get("frame"), [frame], "at {age}");
        assert!((particle.get("additive")[0] - (1.0 - age.min(1.0))).abs() < 1e-5);
    }
    // Eight quarter seconds at 2 radians a second.
    assert!((particle.get("roll")[0] - 4.0).abs() < 1e-5);
    let q = particle.get("orientation");
    assert!((q[2] - 2.0_f32.sin()).abs() < 1e-5 && (q[3] - 2.0_f32.cos()).abs() < 1e-5);
}

#[test]
fn kill_blocks_end_what_is_outside() {
    let killed = |kind: &str, inputs: &[(&str, InputMode)], at: [f32; 3]| {
        let mut doc = Doc::new();
        doc.birth("point", "shape_point", &[])
            .update("kill", kind, inputs);
        let mut particle = Particle::new(&doc.0);
        particle.birth().set("position", &at);
        particle.step(0.1).killed
    };
    let ground = [("point", InputMode::value([0.0, 1.0, 0.0]))];
    assert!(killed("kill_below", &ground, [5.0, 0.9, 0.0]));
    assert!(!killed("kill_below", &ground, [5.0, 1.1, 0.0]));
    let inside = ("inside", number(1.0));
    let walls = ("half_extents", InputMode::value([1.0, 2.0, 3.0]));
    let radius = ("radius", number(2.0));
    for (kind, size, within, without) in [
        ("kill_outside_box", walls, [0.9, -1.9, 2.9], [0.0, 0.0, -3.1]),
        ("kill_outside_sphere", radius, [1.0, 1.0, 1.0], [1.5, 1.5, 0.0]),
    ] {
        assert!(!killed(kind, std::slice::from_ref(&size), within), "{kind}");
        assert!(killed(kind, std::slice::from_ref(&size), without), "{kind}");
        assert!(killed(kind, &[size.clone(), inside.clone()], within), "{kind}");
        assert!(!killed(kind, &[size, inside.clone()], without), "{kind}");
    }
}

#[test]
fn forces_follow_the_emitter() {
    // Turned a quarter about X and moved: the axis is in the emitter's frame, the centre from it.
    let mut doc = Doc::new();
    doc.birth("point", "shape_point", &[])
        .update(
            "force",
            "vortex",
            &[("strength", number(2.0)), ("pull", number(0.0))],
        )
        .update("move", "move", &[]);
    let mut particle = Particle::new(&doc.0);
    particle.builtins.set3(Builtin::EmitterPosition, [10.0, 0.0, 0.0]);
    particle.builtins.set3(Builtin::EmitterAxisY, [0.0, 0.0, 3.0]);
    particle.builtins.set3(Builtin::EmitterAxisZ, [0.0, -3.0, 0.0]);
    particle.birth().set("position", &[11.0, 0.0, 8.0]);
    let v = particle.step(1.0 / 64.0).get("velocity");
    assert!(near(&v, &[0.0, 2.0 / 64.0, 0.0], 1e-6), "{v:?}");
}
