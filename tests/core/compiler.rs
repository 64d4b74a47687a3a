//! What compiled programs do, run by the executor that defines them.

use mote::base::diag::{FlowKind, Severity};
use mote::base::id::Id;
use mote::compiler::compile;
use mote::document::{Document, Edit, file};
use mote::graph::{FieldDecl, InputMode, Node, Socket};
use mote::isa::Builtin;
use mote::layout::FieldType;

use crate::authoring::{Doc, Particle, id};

pub(crate) fn close(found: &[f32], expected: &[f64], tolerance: f64) -> bool {
    found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(f, e)| (f64::from(*f) - e).abs() <= tolerance)
}

#[test]
fn close_can_fail() {
    assert!(close(&[1.0], &[1.0], 0.0));
    assert!(!close(&[1.0], &[1.1], 0.05));
    assert!(!close(&[1.0], &[1.0, 2.0], 1.0));
    assert!(!close(&[f32::NAN], &[1.0], 1.0));
}

fn mover(forces: &[(&str, &str, InputMode)]) -> Doc {
    let mut doc = Doc::new();
    doc.birth("point", "shape_point", &[]);
    for (name, port, mode) in forces {
        doc.update(name, name, &[(port, mode.clone())]);
    }
    doc.update("move", "move", &[]);
    doc
}

/// Velocity and position after a second from `v0` at so many steps a second.
fn second(doc: &Doc, v0: [f32; 3], fps: u32) -> (Vec<f32>, Vec<f32>) {
    let mut particle = Particle::new(&doc.0);
    particle.birth().set("velocity", &v0);
    for _ in 0..fps {
        particle.step(1.0 / fps as f32);
    }
    (particle.get("velocity"), particle.get("position"))
}

#[test]
fn case_b09_drag_and_gravity_are_exact_at_any_frame_rate() {
    let drag = mover(&[("drag", "drag", InputMode::value(2.0))]);
    let gravity = mover(&[("gravity", "acceleration", InputMode::value([0.0, -9.81, 0.0]))]);
    let e2 = (-2.0_f64).exp();
    for fps in [15, 30, 60, 144, 1000] {
        let (v, x) = second(&drag, [10.0, 0.0, 0.0], fps);
        assert!(close(&v, &[10.0 * e2, 0.0, 0.0], 1e-4), "{fps}: {v:?}");
        assert!(close(&x, &[5.0 * (1.0 - e2), 0.0, 0.0], 1e-3), "{fps}: {x:?}");
        let (v, x) = second(&gravity, [0.0; 3], fps);
        assert!(close(&v, &[0.0, -9.81, 0.0], 1e-4), "{fps}: {v:?}");
        assert!(close(&x, &[0.0, -4.905, 0.0], 1e-3), "{fps}: {x:?}");
    }
}

#[test]
fn motion_solves_gravity_with_drag_in_either_order() {
    let gravity = ("gravity", "acceleration", InputMode::value([0.5, -9.8, 0.0]));
    let drag = |k: f32| ("drag", "drag", InputMode::value(k));
    for k in [1e-4, 0.1, 1.0, 3.0, 40.0] {
        let doc = |gravity_first: bool| {
            let mut doc = Doc::new();
            doc.birth("point", "shape_point", &[]).update("move", "move", &[]);
            let forces = [gravity.clone(), drag(k)];
            for (i, (name, port, mode)) in forces.into_iter().enumerate() {
                let at = if gravity_first { i } else { 0 };
                doc.at(
                    FlowKind::EveryFrame,
                    Node::new(id(name), name).input(port, mode),
                    Some(at),
                );
            }
            doc
        };
        let (one, two) = (doc(true), doc(false));
        let order = |doc: &Doc| {
            let blocks = &doc.0.emitters()[0].flow(FlowKind::EveryFrame).blocks;
            blocks.iter().map(|b| b.id.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(order(&one), ["gravity", "drag", "move"]);
        assert_eq!(order(&two), ["drag", "gravity", "move"]);
        for fps in [30, 60] {
            let results = [&one, &two].map(|doc| second(doc, [3.0, 4.0, -1.0], fps));
            assert_eq!(results[0], results[1], "drag {k}");
            let (kd, e) = (f64::from(k), (-f64::from(k)).exp());
            let exact = |v0: f64, a: f64| {
                let phi = -(-kd).exp_m1() / kd;
                (v0 * e + a * phi, v0 * phi + a * (1.0 - phi) / kd)
            };
            let lanes = [(3.0, 0.5), (4.0, f64::from(-9.8_f32)), (-1.0, 0.0)].map(|(v, a)| exact(v, a));
            assert!(
                close(&results[0].0, &lanes.map(|l| l.0), 2e-4),
                "drag {k}: {results:?} {lanes:?}"
            );
            assert!(
                close(&results[0].1, &lanes.map(|l| l.1), 2e-3),
                "drag {k}: {results:?} {lanes:?}"
            );
        }
    }
}

#[test]
fn scale_velocity_before_and_after_add_velocity_gives_the_hand_calculated_results() {
    let order = |scale_first: bool| {
        let mut doc = Doc::new();
        doc.birth("point", "shape_point", &[]).birth(
            "start",
            "set_velocity",
            &[("velocity", InputMode::value([1.0, 2.0, 3.0]))],
        );
        let scale = Node::new(id("scale"), "scale_velocity").input("factor", InputMode::value(2.0));
        let add = Node::new(id("add"), "add_velocity").input("velocity", InputMode::value([10.0, 0.0, 0.0]));
        let (first, then) = if scale_first { (scale, add) } else { (add, scale) };
        doc.node(FlowKind::Birth, first).node(FlowKind::Birth, then);
        Particle::new(&doc.0).birth().get("velocity")
    };
    assert_eq!(order(true), [12.0, 4.0, 6.0]);
    assert_eq!(order(false), [22.0, 4.0, 6.0]);
}

#[test]
fn a_field_read_has_the_value_at_the_block_it_is_wired_into() {
    // One read of the velocity, wired into a block before and a block after it changes.
    let mut doc = Doc::new();
    doc.field("before", FieldType::Vec3)
        .field("after", FieldType::Vec3);
    doc.birth(
        "v",
        "set_velocity",
        &[("velocity", InputMode::value([1.0, 0.0, 0.0]))],
    );
    doc.node(
        FlowKind::EveryFrame,
        Node::new(id("read"), "get_field").set("field", "velocity"),
    );
    let set = |name: &str| Node::new(id(name), "set_field").set("field", name);
    doc.at(FlowKind::EveryFrame, set("before"), Some(0));
    doc.update("double", "scale_velocity", &[("factor", InputMode::value(2.0))]);
    doc.at(FlowKind::EveryFrame, set("after"), Some(2));
    doc.wire(FlowKind::EveryFrame, ("read", "out"), ("before", "value"));
    doc.wire(FlowKind::EveryFrame, ("read", "out"), ("after", "value"));
    let mut particle = Particle::new(&doc.0);
    particle.birth().step(0.1);
    assert_eq!(particle.get("before"), [1.0, 0.0, 0.0]);
    assert_eq!(particle.get("after"), [2.0, 0.0, 0.0]);
    assert_eq!(particle.get("velocity"), [2.0, 0.0, 0.0]);
}

#[test]
fn case_b04_lifetime_zero_is_finite_and_ends_at_once() {
    let mut doc = Doc::new();
    doc.birth("point", "shape_point", &[])
        .birth(
            "lifetime",
            "birth_lifetime",
            &[("lifetime", InputMode::value(0.0))],
        )
        .birth("color", "birth_color", &[])
        .update("fade", "alpha_fade", &[])
        .update("age", "age", &[]);
    doc.field("t", FieldType::Float);
    doc.at(
        FlowKind::EveryFrame,
        Node::new(id("set"), "set_field").set("field", "t"),
        Some(0),
    );
    doc.node(FlowKind::EveryFrame, Node::new(id("fraction"), "age_fraction"));
    doc.wire(FlowKind::EveryFrame, ("fraction", "out"), ("set", "value"));
    let compiled = compile(&doc.0);
    let warning = compiled
        .diagnostics
        .iter()
        .find(|d| d.code == "lifetime-zero")
        .unwrap();
    assert_eq!(warning.severity, Severity::Warning);
    assert_eq!(
        warning.message,
        "Lifetime is 0: every particle dies at birth. Give it a value above 0."
    );
    assert_eq!(warning.place.node, [id("lifetime")]);
    for lifetime in [0.0, -1.0, 1e-30, f32::NAN, 1.0] {
        for dt in [0.0, 1.0 / 60.0] {
            let mut particle = Particle::new(&doc.0);
            particle.birth().set("lifetime", &[lifetime]);
            particle.step(dt).step(dt);
            let alive = lifetime == 1.0 || (lifetime == 1e-30 && dt == 0.0);
            assert_eq!(particle.killed, !alive, "lifetime {lifetime}, dt {dt}");
            let t = particle.get("t")[0];
            assert!((0.0..=1.0).contains(&t), "lifetime {lifetime}: {t}");
            assert!(alive || dt == 0.0 || t == 1.0, "lifetime {lifetime}: {t}");
            assert!(particle.get("color").iter().all(|c| c.is_finite()));
        }
    }
    // Below 0 it is refused in the field, and in a file it is an error that names the node.
    let edit = Edit::SetInput {
        emitter: id("e"),
        node: id("lifetime"),
        port: "lifetime".to_owned(),
        mode: Some(InputMode::value(-1.0)),
    };
    assert!(doc.0.apply(&edit).unwrap_err().to_string().contains("Lifetime"));
    let text = file::save(&doc.0).replace("\"lifetime\": 0}", "\"lifetime\": -1}");
    let compiled = compile(&file::load(text.as_bytes()).unwrap().document);
    let error = compiled.errors().next().unwrap();
    assert_eq!(
        (error.code, &error.place.node[..]),
        ("out-of-range", &[id("lifetime")][..])
    );
}

fn program_bytes(document: &Document) -> Vec<u32> {
    let compiled = compile(document);
    let effect = compiled
        .effect
        .unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let program = &effect.programs[effect.emitters[0].program as usize];
    let code = program.init.iter().chain(&program.update);
    let constants = program.constants.iter().flatten().copied();
    code.flat_map(|i| i.0)
        .chain(constants)
        .chain([program.registers])
        .collect()
}

#[test]
fn case_b16_layout_names_and_unconnected_nodes_leave_the_program() {
    let document = mote::document::presets::preset("fire").unwrap();
    let before = program_bytes(&document);
    let fire = id("fire");
    let emitter = || fire.clone();
    let flow = FlowKind::EveryFrame;
    let add = |node: Node| Edit::AddNode {
        emitter: emitter(),
        flow,
        node: Box::new(node),
        index: None,
        position: [5.0, 5.0],
    };
    let everywhere: Vec<(Id, [f32; 2])> = FlowKind::ALL
        .into_iter()
        .flat_map(|kind| {
            document.emitters()[0]
                .flow(kind)
                .nodes()
                .map(|n| (n.id.clone(), [7.0, -3.5]))
        })
        .collect();
    let note = mote::graph::Note {
        id: id("note"),
        text: "hot".to_owned(),
        position: [0.0; 2],
    };
    let harmless: Vec<(&str, Vec<Edit>)> = vec![
        (
            "moved",
            vec![Edit::SetNodePositions {
                emitter: emitter(),
                positions: everywhere,
            }],
        ),
        (
            "renamed",
            vec![Edit::RenameNode {
                emitter: emitter(),
                node: id("gravity"),
                title: Some("Lift".to_owned()),
            }],
        ),
        (
            "emitter renamed",
            vec![Edit::RenameEmitter {
                emitter: emitter(),
                name: "Blaze".to_owned(),
            }],
        ),
        (
            "noted",
            vec![Edit::SetNotes {
                emitter: emitter(),
                flow,
                notes: vec![note],
            }],
        ),
        ("unconnected random", vec![add(Node::new(id("dice"), "random"))]),
        (
            "unconnected pair",
            vec![
                add(Node::new(id("dice"), "random")),
                add(Node::new(id("sine"), "op.sin")),
                Edit::Connect {
                    emitter: emitter(),
                    flow,
                    from: Socket::new(&id("dice"), "out"),
                    to: Socket::new(&id("sine"), "a"),
                },
            ],
        ),
        (
            "muted block",
            vec![
                add(Node::new(id("scale"), "scale_velocity").input("factor", InputMode::random(0.0, 1.0))),
                Edit::SetMuted {
                    emitter: emitter(),
                    node: id("scale"),
                    muted: true,
                },
            ],
        ),
    ];
    for (name, edits) in harmless {
        let mut changed = document.clone();
        changed.apply_all(&edits).unwrap();
        assert_ne!(file::save(&changed), file::save(&document), "{name}");
        assert_eq!(program_bytes(&changed), before, "{name}");
    }
    // The comparison can fail: a value that is played does change the program.
    let mut changed = document.clone();
    changed
        .apply(&Edit::SetInput {
            emitter: emitter(),
            node: id("drag"),
            port: "drag".to_owned(),
            mode: Some(InputMode::value(0.25)),
        })
        .unwrap();
    assert_ne!(program_bytes(&changed), before);
}

#[test]
fn emitters_of_one_meaning_share_a_program() {
    let mut document = mote::document::presets::preset("smoke").unwrap();
    let twin = Edit::DuplicateEmitter {
        emitter: id("smoke"),
        copy: id("twin"),
        name: "Twin".to_owned(),
    };
    document.apply(&twin).unwrap();
    let effect = compile(&document).effect.unwrap();
    assert_eq!((effect.emitters.len(), effect.programs.len()), (2, 1));
    document
        .apply(&Edit::SetMuted {
            emitter: id("twin"),
            node: id("drag"),
            muted: true,
        })
        .unwrap();
    assert_eq!(compile(&document).effect.unwrap().programs.len(), 2);
}

#[test]
fn shapes_and_velocities_follow_the_emitter_and_its_axes() {
    let mut doc = Doc::new();
    doc.birth(
        "point",
        "shape_point",
        &[("center", InputMode::value([1.0, 2.0, 3.0]))],
    );
    doc.birth(
        "velocity",
        "velocity_fixed",
        &[
            ("direction", InputMode::value([0.0, 5.0, 0.0])),
            ("speed", InputMode::value(2.0)),
        ],
    );
    let mut particle = Particle::new(&doc.0);
    particle.builtins.set3(Builtin::EmitterPosition, [10.0, 0.0, 0.0]);
    particle.builtins.set3(Builtin::EmitterAxisX, [0.0, 1.0, 0.0]);
    particle.builtins.set3(Builtin::EmitterAxisY, [0.0, 0.0, 2.0]);
    particle.builtins.set3(Builtin::EmitterAxisZ, [1.0, 0.0, 0.0]);
    particle.birth();
    assert_eq!(particle.get("position"), [13.0, 1.0, 4.0]);
    assert_eq!(particle.get("velocity"), [0.0, 0.0, 4.0]);
}

#[test]
fn fields_that_no_block_writes_have_their_defaults() {
    let mut doc = Doc::new();
    for name in [
        "position",
        "velocity",
        "lifetime",
        "size",
        "color",
        "additive",
        "orientation",
        "uv_rect",
    ] {
        let standard = mote::layout::StandardField::by_name(name).unwrap();
        doc.field(name, standard.ty);
    }
    doc.0
        .apply(&Edit::AddField {
            emitter: id("e"),
            field: FieldDecl {
                default: Some([0.25, 0.0, 0.0, 0.0]),
                ..FieldDecl::new("heat", FieldType::Float)
            },
        })
        .unwrap();
    let mut render = *doc.0.emitters()[0].render();
    let mut born = |blend| {
        render.blend = blend;
        doc.0
            .apply(&Edit::SetRender {
                emitter: id("e"),
                render,
            })
            .unwrap();
        let mut particle = Particle::new(&doc.0);
        particle.builtins.set3(Builtin::EmitterPosition, [4.0, 5.0, 6.0]);
        particle.birth();
        particle
    };
    let particle = born(mote::artifact::Blend::Alpha);
    assert_eq!(particle.get("position"), [4.0, 5.0, 6.0]);
    assert_eq!(particle.get("velocity"), [0.0; 3]);
    assert_eq!(particle.get("lifetime"), [1.0]);
    assert_eq!(particle.get("size"), [0.1]);
    assert_eq!(particle.get("color"), [1.0; 4]);
    assert_eq!(particle.get("orientation"), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(particle.get("uv_rect"), [0.0, 0.0, 1.0, 1.0]);
    assert_eq!(particle.get("heat"), [0.25]);
    assert_eq!(particle.get("additive"), [0.0]);
    assert_eq!(born(mote::artifact::Blend::Additive).get("additive"), [1.0]);
}
