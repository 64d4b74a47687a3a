//! Parameters, fields of the emitter and global fields, from their declaration to what a program reads.

use std::sync::Arc;

use mote::artifact::{Effect, Parameter, ParameterRead};
use mote::base::diag::FlowKind;
use mote::compiler::compile;
use mote::document::{Edit, EditError, file};
use mote::graph::{FieldDecl, InputMode, Node};
use mote::host::{Placement, Stage};
use mote::isa::asm::assemble;
use mote::layout::FieldType;
use mote::reference::Reference;

use crate::authoring::{Doc, id};
use crate::support::{drift, effect};

const EVERY: FlowKind = FlowKind::EveryFrame;

fn parameter(name: &str, ty: FieldType, default: [f32; 4], read: ParameterRead) -> Edit {
    Edit::AddParameter {
        parameter: Parameter {
            id: id(name),
            name: name.to_owned(),
            ty,
            default,
            range: None,
            unit: String::new(),
            read,
        },
    }
}

/// An emitter of ten particles a second that all live, whose field `v` is set every frame to what `node` gives.
fn setting(node: Node, ty: FieldType, before: &[Edit]) -> Doc {
    let mut doc = Doc::new();
    for edit in before {
        doc.0.apply(edit).unwrap();
    }
    doc.field("v", ty);
    doc.node(EVERY, node);
    doc.node(EVERY, Node::new(id("set"), "set_field").set("field", "v"));
    doc.wire(EVERY, ("node", "out"), ("set", "value"));
    let mut emission = doc.0.emitters()[0].emission().clone();
    emission.rate = 10.0;
    doc.0
        .apply(&Edit::SetEmission {
            emitter: id("e"),
            emission,
        })
        .unwrap();
    doc
}

struct Playing {
    stage: Stage,
    reference: Reference,
    effect: Arc<Effect>,
    id: mote::host::InstanceId,
}

impl Playing {
    fn new(doc: &Doc) -> Self {
        let compiled = compile(&doc.0);
        let effect = Arc::new(
            compiled
                .effect
                .unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics)),
        );
        // Through the file: what ships is what plays.
        let bytes = mote::artifact::binary::write(&effect);
        let effect = Effect::load(&bytes).unwrap();
        let mut stage = Stage::new(100);
        let id = stage.place(Arc::clone(&effect), Placement::default()).unwrap();
        Self {
            stage,
            reference: Reference::new(100),
            effect,
            id,
        }
    }

    /// The values of `v` by age, youngest first, after a step of a tenth of a second.
    fn step(&mut self) -> Vec<Vec<f32>> {
        let frame = self.stage.begin_step(0.1).unwrap();
        self.reference.step(&self.stage, &frame);
        self.stage.end_step();
        let slot = self.effect.emitters[0].layout.get("v").unwrap();
        let mut found: Vec<_> = self.reference.live_records().collect();
        found.sort_by_key(|record| std::cmp::Reverse(record[1]));
        let value = |record: &[u32; 32]| slot.words().map(|w| f32::from_bits(record[w as usize])).collect();
        found.into_iter().map(value).collect()
    }
}

#[test]
fn parameters_read_every_step_reach_all_particles_and_those_read_at_birth_the_newborn() {
    for (read, expected) in [
        (ParameterRead::Step, [[7.0, 8.0], [7.0, 8.0], [7.0, 8.0]]),
        (ParameterRead::Birth, [[7.0, 8.0], [1.0, 2.0], [1.0, 2.0]]),
    ] {
        let add = parameter("wide", FieldType::Vec2, [1.0, 2.0, 0.0, 0.0], read);
        let node = Node::new(id("node"), "parameter").set("parameter", "wide");
        let doc = setting(node, FieldType::Vec2, &[add]);
        let mut playing = Playing::new(&doc);
        let kept = playing.effect.emitters[0].layout.get("parameter.wide").is_some();
        assert_eq!(
            kept,
            read == ParameterRead::Birth,
            "a place only where it is needed"
        );
        playing.step();
        assert_eq!(playing.step(), [[1.0, 2.0], [1.0, 2.0]]);
        playing
            .stage
            .set_parameter(playing.id, "wide", [7.0, 8.0, 9.0, 9.0])
            .unwrap();
        assert_eq!(playing.step(), expected, "{read:?}");
    }
}

#[test]
fn parameters_read_at_birth_by_birth_alone_take_no_place() {
    let add = parameter("size", FieldType::Float, [0.5; 4], ParameterRead::Birth);
    let mut doc = Doc::new();
    doc.0.apply(&add).unwrap();
    doc.birth(
        "size-block",
        "birth_size",
        &[("size", InputMode::Parameter(id("size")))],
    );
    let effect = compile(&doc.0).effect.unwrap();
    assert!(effect.emitters[0].layout.get("parameter.size").is_none());
    // An input over life takes one, and a record without room for it says so.
    doc.field("x", FieldType::Float);
    doc.node(EVERY, Node::new(id("set"), "set_field").set("field", "x"));
    let mode = Some(InputMode::Parameter(id("size")));
    let edit = Edit::SetInput {
        emitter: id("e"),
        node: id("set"),
        port: "value".to_owned(),
        mode,
    };
    doc.0.apply(&edit).unwrap();
    assert!(
        compile(&doc.0).effect.unwrap().emitters[0]
            .layout
            .get("parameter.size")
            .is_some()
    );
    for n in 0.. {
        let field = FieldDecl::new(&format!("f{n}"), FieldType::Float);
        if doc
            .0
            .apply(&Edit::AddField {
                emitter: id("e"),
                field,
            })
            .is_err()
        {
            break;
        }
    }
    let compiled = compile(&doc.0);
    assert!(compiled.effect.is_none());
    let error = compiled.errors().next().unwrap();
    assert_eq!(error.code, "fields-full");
    assert!(error.message.contains("parameter.size"), "{}", error.message);
}

#[test]
fn emitter_fields_are_declared_read_set_and_saved() {
    let add = |name: &str, default: f32| Edit::AddEmitterField {
        emitter: id("e"),
        field: FieldDecl {
            default: Some([default; 4]),
            ..FieldDecl::new(name, FieldType::Vec3)
        },
    };
    let node = Node::new(id("node"), "emitter_field").set("field", "push");
    let doc = setting(node, FieldType::Vec3, &[add("unread", 5.0), add("push", 2.0)]);
    let mut playing = Playing::new(&doc);
    let names: Vec<&str> = playing.effect.emitters[0]
        .emitter_layout
        .fields()
        .iter()
        .map(|f| f.name.as_str())
        .collect();
    assert_eq!(names, ["push"], "what nobody reads takes no place");
    assert_eq!(playing.step(), [[2.0; 3]]);
    playing
        .stage
        .set_emitter_field(playing.id, 0, "push", [3.0, 4.0, 5.0, 0.0])
        .unwrap();
    assert_eq!(playing.step(), [[3.0, 4.0, 5.0]; 2]);
    assert!(
        playing
            .stage
            .set_emitter_field(playing.id, 0, "unread", [0.0; 4])
            .is_err()
    );
    assert!(
        playing
            .stage
            .set_emitter_field(playing.id, 9, "push", [0.0; 4])
            .is_err()
    );

    let text = file::save(&doc.0);
    assert_eq!(file::load(text.as_bytes()).unwrap().document, doc.0);
    // A value changes no program: the edit is played without compiling into another place.
    let before = compile(&doc.0).effect.unwrap();
    let mut other = doc.0.clone();
    let default = Some([9.0; 4]);
    let edit = Edit::SetEmitterFieldDefault {
        emitter: id("e"),
        name: "push".to_owned(),
        default,
    };
    other.apply(&edit).unwrap();
    let after = compile(&other).effect.unwrap();
    assert_eq!(after.programs, before.programs);
    assert_eq!(after.emitters[0].emitter_fields, [9.0_f32.to_bits(); 3]);
}

#[test]
fn emitter_fields_are_refused_where_names_clash_or_nodes_read_them() {
    let field = |name: &str| FieldDecl::new(name, FieldType::Float);
    let add = |name: &str| Edit::AddEmitterField {
        emitter: id("e"),
        field: field(name),
    };
    let mut doc = Doc::new();
    doc.0
        .apply(&parameter(
            "taken",
            FieldType::Float,
            [0.0; 4],
            ParameterRead::Step,
        ))
        .unwrap();
    doc.0.apply(&add("gust")).unwrap();
    for name in ["gust", "taken"] {
        assert_eq!(
            doc.0.apply(&add(name)),
            Err(EditError::NameTaken(name.to_owned()))
        );
    }
    assert_eq!(doc.0.apply(&add("")), Err(EditError::NoName));
    let other = parameter("gust", FieldType::Float, [0.0; 4], ParameterRead::Step);
    assert!(doc.0.apply(&other).is_err(), "nor the other way round");
    doc.node(EVERY, Node::new(id("read"), "emitter_field").set("field", "gust"));
    let remove = |name: &str| Edit::RemoveEmitterField {
        emitter: id("e"),
        name: name.to_owned(),
    };
    assert!(matches!(
        doc.0.apply(&remove("gust")),
        Err(EditError::FieldNeeded { .. })
    ));
    assert!(matches!(
        doc.0.apply(&remove("nobody")),
        Err(EditError::NoField(_))
    ));
    let mut missing = Doc::new();
    missing.field("x", FieldType::Float);
    missing.node(EVERY, Node::new(id("read"), "emitter_field").set("field", "gone"));
    missing.node(EVERY, Node::new(id("set"), "set_field").set("field", "x"));
    missing.wire(EVERY, ("read", "out"), ("set", "value"));
    let compiled = compile(&missing.0);
    assert_eq!(compiled.errors().next().unwrap().code, "missing-emitter-field");
}

#[test]
fn global_fields_are_shared_by_name_and_a_wider_reader_harms_nobody() {
    let reading = |width: u32| {
        let text = format!(
            ".registers 4\n.global gust {width}\ninit:\nupdate:\n load_builtin.{width} r0, global[0]\n \
             store_field.1 w7, r0\n"
        );
        effect(
            &text,
            mote::artifact::Emission {
                rate: 10.0,
                ..Default::default()
            },
        )
    };
    let mut stage = Stage::new(50);
    let first = stage.place(reading(1), Placement::default()).unwrap();
    stage.heap_mut().set_global("gust", &[4.0]).unwrap();
    let second = stage
        .place(
            reading(1),
            Placement {
                seed: 2,
                ..Placement::default()
            },
        )
        .unwrap();
    let before = stage.heap().words().to_vec();
    let refused = stage
        .place(reading(3), Placement::default())
        .unwrap_err()
        .to_string();
    assert!(refused.contains("gust") && refused.contains('3'), "{refused}");
    assert_eq!(stage.heap().words(), before, "what is refused leaves nothing");
    assert!(stage.heap_mut().set_global("gust", &[1.0, 2.0]).is_err());
    // No number and five numbers are no field, and declare none.
    for wrong in [&[][..], &[0.0; 5]] {
        let message = stage
            .heap_mut()
            .set_global("squall", wrong)
            .unwrap_err()
            .to_string();
        assert!(message.contains("1 to 4"), "{message}");
    }
    stage.heap_mut().set_global("squall", &[1.0]).unwrap();
    let mut reference = Reference::new(50);
    for _ in 0..3 {
        let frame = stage.begin_step(0.1).unwrap();
        reference.step(&stage, &frame);
        stage.end_step();
    }
    assert!(reference.live_records().count() >= 4);
    assert!(
        reference
            .live_records()
            .all(|record| f32::from_bits(record[7]) == 4.0)
    );
    stage.remove(first).unwrap();
    stage.remove(second).unwrap();
    // A program of no globals goes on beside.
    stage
        .place(
            effect(&drift(1.0), mote::artifact::Emission::default()),
            Placement::default(),
        )
        .unwrap();
    assert!(assemble(".global gust 3\nupdate:\n").unwrap().globals[0].width == 3);
}

#[test]
fn older_words_for_fields_load_everywhere() {
    let text = r#"{"mote": "document", "version": 1, "emitters": [{"id": "e", "name": "E",
        "attributes": [{"name": "x", "type": "float"}],
        "every_frame": {"blocks": [{"id": "s", "kind": "setAttribute", "settings": {"attribute": "x"}}],
                        "values": [{"id": "g", "kind": "attribute", "settings": {"attribute": "x"}}],
                        "wires": ["g.out -> s.value"]}}]}"#;
    let loaded = file::load(text.as_bytes()).unwrap();
    assert!(loaded.notes.is_empty(), "{:?}", loaded.notes);
    assert!(compile(&loaded.document).effect.is_some());
    let saved = file::save(&loaded.document);
    assert!(
        saved.contains("set_field") && !saved.contains("ttribute"),
        "{saved}"
    );
    assert!(assemble("update:\n load_attr.1 r0, w2\n").is_ok());
}
