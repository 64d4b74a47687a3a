//! Every block and value node of the library on the device, against its CPU twin.

use std::sync::Arc;

use mote::artifact::{Emission, Space};
use mote::base::diag::FlowKind;
use mote::base::id::Id;
use mote::compiler::compile;
use mote::document::{Document, Edit};
use mote::graph::{Body, FieldDecl, InputMode, Node, NodeKind, PortType, Socket, Special, registry};
use mote::host::{Placement, Pose};
use mote::layout::FieldType;
use mote::vm::WindField;

use crate::support::Pair;
use crate::twins::assert_equal;

fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

fn node(doc: &mut Document, flow: FlowKind, name: &str, node: Node) {
    let edit = Edit::AddNode {
        emitter: id("e"),
        flow,
        node: Box::new(Node { id: id(name), ..node }),
        index: None,
        position: [0.0; 2],
    };
    doc.apply(&edit).unwrap_or_else(|error| panic!("{name}: {error}"));
}

fn kind(name: &str) -> Node {
    Node::new(id("new"), name)
}

/// Eighty particles a second that fly out of a box and live for half a second.
fn lively(space: Space) -> Document {
    let mut doc = Document::new("test");
    let emitter = Edit::AddEmitter {
        id: id("e"),
        name: "E".to_owned(),
        index: None,
    };
    doc.apply(&emitter).unwrap();
    for block in ["shape_box", "velocity_sphere", "birth_lifetime", "birth_size"] {
        let lifetime = kind(block).input("lifetime", InputMode::random(0.2, 0.6));
        let block_node = if block == "birth_lifetime" {
            lifetime
        } else {
            kind(block)
        };
        node(&mut doc, FlowKind::Birth, block, block_node);
    }
    let emission = Emission {
        rate: 80.0,
        capacity: 64,
        duration: Some(0.25),
        ..Emission::default()
    };
    doc.apply(&Edit::SetEmission {
        emitter: id("e"),
        emission,
    })
    .unwrap();
    doc.apply(&Edit::SetSpace {
        emitter: id("e"),
        space,
    })
    .unwrap();
    doc
}

/// Plays a document on both while its emitter turns and moves.
fn play(doc: &Document, what: &str) {
    let compiled = compile(doc);
    let Some(effect) = compiled.effect else {
        panic!("{what}: {:#?}", compiled.diagnostics);
    };
    let mut pair = Pair::new(64);
    let placed = pair.stage.place(Arc::new(effect), Placement::default()).unwrap();
    let points = [[1.0, 0.0, -0.5], [0.0, 2.0, 0.5]];
    let wind = WindField::new([-1.0, 0.0, 0.0], [2.0, 1.0, 1.0], [2, 1, 1], &points).unwrap();
    pair.stage.set_wind(Some(Arc::new(wind)));
    for step in 0..12 {
        let turn = step as f32 * 0.2;
        let pose = Pose([
            [turn.cos(), 0.0, turn.sin(), turn],
            [0.0, 1.5, 0.0, 0.1],
            [-turn.sin(), 0.0, turn.cos(), -0.4],
        ]);
        pair.stage.set_pose(placed, pose).unwrap();
        pair.step(1.0 / 20.0);
    }
    assert!(pair.reference.alive().len() > 3, "{what}: nothing lives");
    assert_equal(&pair, what);
}

fn listed() -> impl Iterator<Item = &'static Arc<NodeKind>> {
    registry().kinds().filter(|kind| kind.listed)
}

#[test]
fn library_blocks_play_on_the_device_as_on_the_cpu() {
    let blocks: Vec<_> = listed()
        .filter(|kind| kind.block && kind.id != "kill_if")
        .collect();
    assert!(blocks.len() > 50);
    for (index, block) in blocks.iter().enumerate() {
        // Every other one in its emitter's frame.
        let space = [Space::World, Space::Local][index % 2];
        let mut doc = lively(space);
        for &flow in &block.flows {
            // A block that is there already stands twice: that is nothing special.
            node(&mut doc, flow, &format!("it-{}", flow.name()), kind(&block.id));
        }
        for last in ["move", "age"] {
            if block.id != last {
                node(&mut doc, FlowKind::EveryFrame, last, kind(last));
            }
        }
        play(&doc, &block.id);
    }
}

#[test]
fn library_values_are_on_the_device_what_they_are_on_the_cpu() {
    let values: Vec<_> = listed()
        .filter(|kind| !kind.block && !kind.outputs.is_empty())
        .filter(|kind| !matches!(kind.id.as_str(), "parameter" | "emitter_field"))
        .collect();
    assert!(values.len() > 80);
    for value in values {
        let mut doc = lively(Space::World);
        let every = FlowKind::EveryFrame;
        for field in ["position", "velocity", "age"] {
            node(
                &mut doc,
                every,
                &format!("get-{field}"),
                kind("get_field").set("field", field),
            );
        }
        let mut made = kind(&value.id);
        if matches!(value.body, Body::Special(Special::Global)) {
            made = made.set("name", "gust");
        }
        node(&mut doc, every, "it", made);
        // Wired where that fits, so that nothing is known when it is compiled.
        for (index, port) in value.inputs.iter().enumerate() {
            let from = match port.ty {
                PortType::Of(FieldType::Vec3) => ["get-position", "get-velocity"][index % 2],
                PortType::Of(FieldType::Quat) => continue,
                PortType::Any if value.id.contains("cross") => "get-velocity",
                _ => "get-age",
            };
            let edit = Edit::Connect {
                emitter: id("e"),
                flow: every,
                from: Socket::new(&id(from), "out"),
                to: Socket::new(&id("it"), &port.name),
            };
            let _ = doc.apply(&edit);
        }
        for (index, port) in value.outputs.iter().enumerate() {
            let (name, set) = (format!("kept{index}"), format!("set-{index}"));
            let ty = match port.ty {
                PortType::Of(ty) => ty,
                PortType::Any => FieldType::Float,
            };
            let field = FieldDecl::new(&name, ty);
            if doc
                .apply(&Edit::AddField {
                    emitter: id("e"),
                    field,
                })
                .is_err()
            {
                break;
            }
            node(&mut doc, every, &set, kind("set_field").set("field", &name));
            let edit = Edit::Connect {
                emitter: id("e"),
                flow: every,
                from: Socket::new(&id("it"), &port.name),
                to: Socket::new(&id(&set), "value"),
            };
            doc.apply(&edit)
                .unwrap_or_else(|error| panic!("{}: {error}", value.id));
        }
        for last in ["move", "age"] {
            let name = format!("then-{last}");
            node(&mut doc, every, &name, kind(last));
        }
        play(&doc, &value.id);
    }
}
