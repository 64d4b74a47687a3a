//! Wind, and directions of the world for particles that live in their emitter's frame.

use mote::artifact::Space;
use mote::base::diag::FlowKind;
use mote::document::Edit;
use mote::graph::{InputMode, Node};
use mote::isa::Builtin;
use mote::layout::FieldType;
use mote::vm::WindField;
use mote::vm::wind::{MAX_WIND_POINTS, WindError};

use crate::authoring::{Doc, Particle, id};

fn close(found: &[f32], expected: &[f32], tolerance: f32) -> bool {
    found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(f, e)| (f - e).abs() <= tolerance)
}

/// An emitter whose frame is turned a quarter about +Z, twice as large, and elsewhere.
fn turned(particle: &mut Particle) {
    particle
        .builtins
        .set3(Builtin::EmitterWorldPosition, [10.0, 0.0, 5.0]);
    particle
        .builtins
        .set3(Builtin::EmitterWorldAxisX, [0.0, 2.0, 0.0]);
    particle
        .builtins
        .set3(Builtin::EmitterWorldAxisY, [-2.0, 0.0, 0.0]);
    particle
        .builtins
        .set3(Builtin::EmitterWorldAxisZ, [0.0, 0.0, 2.0]);
}

fn local(doc: &mut Doc) {
    let edit = Edit::SetSpace {
        emitter: id("e"),
        space: Space::Local,
    };
    doc.0.apply(&edit).unwrap();
}

#[test]
fn wind_fields_mix_their_points_and_hold_past_their_sides() {
    let points: Vec<[f32; 3]> = (0..8).map(|i| [i as f32, (i * i) as f32, -1.0]).collect();
    let field = WindField::new([1.0, 2.0, 3.0], [2.0, 1.0, 0.5], [2, 2, 2], &points).unwrap();
    assert_eq!(field.sample([1.0, 2.0, 3.0]), [0.0, 0.0, -1.0]);
    assert_eq!(field.sample([3.0, 3.0, 3.5]), [7.0, 49.0, -1.0]);
    assert_eq!(field.sample([2.0, 2.0, 3.0]), [0.5, 0.5, -1.0]);
    assert_eq!(field.sample([2.0, 2.5, 3.25]), [3.5, 17.5, -1.0]);
    assert_eq!(field.sample([-9.0, 99.0, 3.0]), points[2]);
    let odd = field.sample([f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
    assert_eq!(odd, points[2], "NaN and the infinities are somewhere too");
    assert_eq!(
        WindField::uniform([1.0, 2.0, 3.0]).unwrap().sample([1e30; 3]),
        [1.0, 2.0, 3.0]
    );

    let none: &[[f32; 3]] = &[];
    assert_eq!(
        WindField::new([0.0; 3], [1.0; 3], [0, 1, 1], none),
        Err(WindError::Size)
    );
    assert_eq!(
        WindField::new([0.0; 3], [1.0; 3], [2, 1, 1], &points),
        Err(WindError::Size)
    );
    assert_eq!(
        WindField::new([0.0; 3], [1.0; 3], [u32::MAX; 3], &points),
        Err(WindError::Size)
    );
    let many = vec![[0.0; 3]; MAX_WIND_POINTS as usize + 1];
    let size = [MAX_WIND_POINTS + 1, 1, 1];
    assert_eq!(
        WindField::new([0.0; 3], [1.0; 3], size, &many),
        Err(WindError::Size)
    );
    for cell in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-45] {
        let made = WindField::new([0.0; 3], [1.0, cell, 1.0], [1, 1, 1], &points[..1]);
        // An endless cell is no grid; one too small has no inverse.
        assert_eq!(made, Err(WindError::NotFinite), "{cell}");
    }
    assert_eq!(
        WindField::uniform([0.0, f32::NAN, 0.0]),
        Err(WindError::NotFinite)
    );
}

/// The velocity after a second in a wind of (0, 1, 0).
fn blown(kind: &str, inputs: &[(&str, InputMode)], still: bool) -> Vec<f32> {
    let mut doc = Doc::new();
    doc.update("wind", kind, inputs).update("move", "move", &[]);
    let mut particle = Particle::new(&doc.0);
    if !still {
        particle.wind = Some(WindField::uniform([0.0, 1.0, 0.0]).unwrap());
    }
    particle.birth();
    for _ in 0..64 {
        particle.step(1.0 / 64.0);
    }
    particle.get("velocity")
}

#[test]
fn case_b18_a_wind_acts_in_full_on_a_particle_in_its_centre() {
    let two = ("strength", InputMode::value(2.0));
    assert_eq!(blown("wind", std::slice::from_ref(&two), false), [0.0, 2.0, 0.0]);
    let zone = [
        two.clone(),
        ("inner", InputMode::value(5.0)),
        ("outer", InputMode::value(5.0)),
    ];
    assert_eq!(blown("wind_zone", &zone, true), [0.0, 2.0, 0.0]);
    // With no inner radius the very centre still has all of it.
    let mut doc = Doc::new();
    doc.update("wind", "wind_zone", &[two])
        .update("move", "move", &[]);
    let mut particle = Particle::new(&doc.0);
    particle.birth().step(0.5);
    assert_eq!(particle.get("velocity"), [0.0, 1.0, 0.0]);
    particle.set("position", &[2.5, 0.0, 0.0]);
    particle.set("velocity", &[0.0; 3]);
    assert!(close(&particle.step(0.5).get("velocity"), &[0.0, 0.5, 0.0], 1e-6));
    particle.set("position", &[5.0, 0.1, 0.0]);
    particle.set("velocity", &[0.0; 3]);
    assert_eq!(particle.step(0.5).get("velocity"), [0.0; 3]);
}

#[test]
fn wind_carries_particles_along_and_still_air_slows_them() {
    let carry = [
        ("strength", InputMode::value(0.0)),
        ("carry", InputMode::value(3.0)),
    ];
    let expected = 1.0 - (-3.0_f32).exp();
    assert!(close(&blown("wind", &carry, false), &[0.0, expected, 0.0], 1e-4));
    assert_eq!(blown("wind", &[], true), [0.0; 3]);
}

#[test]
fn gravity_and_wind_point_the_same_way_however_the_emitter_is_turned() {
    let mut doc = Doc::new();
    doc.update(
        "gravity",
        "gravity",
        &[("acceleration", InputMode::value([0.0, -8.0, 0.0]))],
    )
    .update("wind", "wind", &[])
    .update("move", "move", &[]);
    local(&mut doc);
    let mut particle = Particle::new(&doc.0);
    turned(&mut particle);
    // Wind that differs from place to place, so that the place in the world is seen too.
    let points = [[0.0; 3], [4.0, 0.0, 0.0]];
    particle.wind = Some(WindField::new([8.0, 0.0, 0.0], [4.0, 1.0, 1.0], [2, 1, 1], &points).unwrap());
    particle.birth().step(1.0 / 64.0);
    let v = particle.get("velocity");
    // The world's −Y is the frame's −X, its +X the frame's −Y; a metre of the world is half a unit here. The
    // particle stands at x = 10, half way between the points.
    assert!(close(&v, &[-4.0 / 64.0, -1.0 / 64.0, 0.0], 1e-6), "{v:?}");
}

#[test]
fn directions_of_the_world_are_taken_in_and_out_of_the_emitters_frame() {
    let mut doc = Doc::new();
    doc.field("p", FieldType::Vec3)
        .field("q", FieldType::Vec3)
        .field("r", FieldType::Vec3);
    let every = FlowKind::EveryFrame;
    doc.node(every, Node::new(id("p"), "get_field").set("field", "p"));
    for (kind, field) in [("to_world", "q"), ("direction_from_world", "r")] {
        doc.update(kind.replace('_', "-").as_str(), kind, &[]);
        let node = kind.replace('_', "-");
        doc.wire(every, ("p", "out"), (&node, "value"));
        let set = format!("set-{field}");
        doc.node(every, Node::new(id(&set), "set_field").set("field", field));
        doc.wire(every, (&node, "out"), (&set, "value"));
    }
    let mut world = Particle::new(&doc.0);
    turned(&mut world);
    world.set("p", &[1.0, 2.0, 3.0]);
    world.step(0.1);
    assert_eq!(
        [world.get("q"), world.get("r")],
        [[1.0, 2.0, 3.0]; 2],
        "they live in the world"
    );
    // In the world the conversions cost nothing at all.
    assert_eq!(world.update_cost().0, 3);
    local(&mut doc);
    let mut own = Particle::new(&doc.0);
    turned(&mut own);
    own.set("p", &[1.0, 2.0, 3.0]);
    own.step(0.1);
    assert!(
        close(&own.get("q"), &[6.0, 2.0, 11.0], 1e-5),
        "{:?}",
        own.get("q")
    );
    assert!(
        close(&own.get("r"), &[1.0, -0.5, 1.5], 1e-5),
        "{:?}",
        own.get("r")
    );
    own.builtins.set3(Builtin::EmitterWorldAxisZ, [0.0; 3]);
    assert_eq!(
        own.step(0.1).get("r"),
        [0.0; 3],
        "an emitter without extent has no direction"
    );
}

#[test]
fn random_draws_stay_as_long_as_they_say() {
    let mut doc = Doc::new();
    for draw in ["particle", "frame", "loop", "emitter"] {
        doc.field(draw, FieldType::Float);
        let random = Node::new(id(&format!("random-{draw}")), "random").set("draw", draw);
        doc.node(FlowKind::EveryFrame, random);
        let set = Node::new(id(&format!("set-{draw}")), "set_field").set("field", draw);
        doc.node(FlowKind::EveryFrame, set);
        let (from, to) = (format!("random-{draw}"), format!("set-{draw}"));
        doc.wire(FlowKind::EveryFrame, (&from, "out"), (&to, "value"));
    }
    let mut particle = Particle::new(&doc.0);
    let mut all = |seed: u32, ordinal: u32, step: u32, loop_index: u32| {
        particle.key.seed = seed;
        particle.key.ordinal = ordinal;
        particle.key.step = step;
        particle.key.loop_index = loop_index;
        particle.step(0.1);
        ["particle", "frame", "loop", "emitter"].map(|field| particle.get(field)[0])
    };
    let first = all(1, 1, 1, 1);
    let changes = |other: [f32; 4]| [0, 1, 2, 3].map(|i| other[i] != first[i]);
    assert_eq!(
        changes(all(1, 1, 2, 1)),
        [false, true, false, false],
        "the next step"
    );
    assert_eq!(
        changes(all(1, 2, 1, 1)),
        [true, true, false, false],
        "another particle"
    );
    assert_eq!(
        changes(all(1, 1, 1, 2)),
        [false, false, true, false],
        "the next loop"
    );
    assert_eq!(changes(all(2, 1, 1, 1)), [true; 4], "another emitter");
}

#[test]
fn random_node_gives_every_block_the_same_number() {
    let mut doc = Doc::new();
    doc.field("a", FieldType::Vec3).field("b", FieldType::Vec3);
    doc.node(
        FlowKind::EveryFrame,
        Node::new(id("draw"), "random").set("type", "vec3"),
    );
    for field in ["a", "b"] {
        let set = format!("set-{field}");
        doc.node(
            FlowKind::EveryFrame,
            Node::new(id(&set), "set_field").set("field", field),
        );
        doc.wire(FlowKind::EveryFrame, ("draw", "out"), (&set, "value"));
    }
    // One that is drawn inside a group too.
    doc.field("c", FieldType::Vec3).field("d", FieldType::Vec3);
    doc.update("way", "random_direction", &[]);
    for field in ["c", "d"] {
        let set = format!("set-{field}");
        doc.node(
            FlowKind::EveryFrame,
            Node::new(id(&set), "set_field").set("field", field),
        );
        doc.wire(FlowKind::EveryFrame, ("way", "out"), (&set, "value"));
    }
    let mut particle = Particle::new(&doc.0);
    particle.step(0.1);
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|field| particle.get(field));
    assert_eq!(a, b);
    assert_eq!(c, d);
    assert_ne!(a, c);
}
