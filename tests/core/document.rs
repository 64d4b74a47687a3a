//! Documents: their file, their edits, their history.

use mote::artifact::{Emission, Parameter, ParameterRead};
use mote::base::diag::FlowKind;
use mote::compiler::compile;
use mote::document::{Changed, Document, Edit, EditError, History, file, presets};
use mote::graph::{InputMode, Node, Socket};
use mote::layout::FieldType;

use crate::authoring::{Doc, Particle, id, wire};
use crate::isa::Rolls;

fn message(text: &[u8]) -> String {
    file::load(text).unwrap_err().to_string()
}

#[test]
fn document_file_is_stable_over_load_and_save() {
    for preset in presets::presets() {
        let loaded = file::load(preset.text.as_bytes()).unwrap_or_else(|e| panic!("{}: {e}", preset.name));
        assert!(loaded.notes.is_empty(), "{:?}", loaded.notes);
        let text = file::save(&loaded.document);
        assert_eq!(text, preset.text, "{} is not canonical", preset.name);
        assert_eq!(file::load(text.as_bytes()).unwrap().document, loaded.document);
    }
}

#[test]
fn case_b30_byte_order_marks_and_line_ends_are_taken_and_not_kept() {
    let text = presets::presets().next().unwrap().text;
    let plain = file::load(text.as_bytes()).unwrap().document;
    let crlf = text.replace('\n', "\r\n");
    for odd in [
        format!("\u{feff}{text}"),
        crlf.clone(),
        format!("\u{feff}{crlf}"),
        text.replace('\n', "\r"),
    ] {
        let loaded = file::load(odd.as_bytes()).unwrap().document;
        assert_eq!(loaded, plain);
        assert_eq!(file::save(&loaded), text);
    }
    let utf16: Vec<u8> = std::iter::once(0xfeff_u16)
        .chain(text.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    assert!(message(&utf16).contains("UTF-16"), "{}", message(&utf16));
}

#[test]
fn case_b30_what_is_wrong_is_named_with_its_place() {
    let with = |emission: &str| {
        let text = format!(
            "{{\"mote\": \"document\", \"version\": 1,\n\"emitters\": [{{\"id\": \"e\",\n  \"emission\": {emission}}}]}}"
        );
        message(text.as_bytes())
    };
    assert!(with("{\"capacity\": 4294967296}").starts_with("emitters[0].emission.capacity: line 3"));
    assert!(with("{\"capacity\": 4294967296}").contains("outside 0 to 4294967295"));
    assert!(with("{\"capacity\": -1}").contains("emitters[0].emission.capacity"));
    assert!(with("{\"rate\": 1e400}").starts_with("emitters[0].emission.rate"));
    assert!(
        with("{\"bursts\": [{\"min\": 1, \"time\": 1e99}]}")
            .starts_with("emitters[0].emission.bursts[0].time")
    );
    assert!(with("{\"capacity\": 5, \"capacity\": 6}").contains("line 3, column 31: the name \"capacity\""));
    assert!(with("{\"capacity\": 5,}").contains("line 3"));
    let block = "{\"mote\":\"document\",\"version\":1,\"emitters\":[{\"id\":\"e\",\"birth\":{\"blocks\":[{\"id\":\"l\",\"kind\":\"birth_lifetime\",\"inputs\":{\"lifetime\":1e39}}]}}]}";
    assert!(message(block.as_bytes()).starts_with("emitters[0].birth.blocks[0].inputs.lifetime:"));
    let whole = b"{\"mote\":\"document\",\"version\":1,\"emitters\":[{\"id\":\"e\",\"emission\":{\"capacity\":5.0}}]}";
    assert_eq!(
        file::load(whole).unwrap().document.emitters()[0]
            .emission()
            .capacity,
        5
    );
    assert!(
        message(b"{\"mote\":\"document\",\"version\":7}")
            .contains("version 7; this build reads up to version 1")
    );
    assert!(message(b"{}").contains("no Mote document"));
    assert!(message(b"").contains("line 1"));
    assert!(message(&[b'['; 200_000]).contains("nested"));
    let curve = "{\"mote\":\"document\",\"version\":1,\"emitters\":[{\"id\":\"e\",\"every_frame\":{\"blocks\":[{\"id\":\"g\",\"kind\":\"grow\",\"inputs\":{\"growth\":{\"curve\":[]}}}]}}]}";
    assert!(
        message(curve.as_bytes()).contains("inputs.growth.curve"),
        "{}",
        message(curve.as_bytes())
    );
}

#[test]
fn document_keeps_what_it_does_not_know() {
    let text = r#"{"mote":"document","version":1,"markers":[1,2],"emitters":[{"id":"e","glow":{"deep":[true,null]},
        "birth":{"blocks":[{"id":"n","kind":"from_the_future","inputs":{"a":{"wavelet":[1,"x"]}},"settings":{"s":{"t":1}},"pinned":true}]}}]}"#;
    let loaded = file::load(text.as_bytes()).unwrap();
    assert_eq!(loaded.notes.len(), 2);
    let saved = file::save(&loaded.document);
    for kept in [
        "markers",
        "glow",
        "from_the_future",
        "wavelet",
        "\"t\": 1",
        "\"pinned\": true",
    ] {
        assert!(saved.contains(kept), "{kept} in {saved}");
    }
    assert_eq!(file::save(&file::load(saved.as_bytes()).unwrap().document), saved);
    let compiled = compile(&loaded.document);
    assert_eq!(compiled.errors().next().unwrap().code, "unknown-node");
}

#[test]
fn document_reads_the_older_words() {
    let text = r#"{"mote":"document","version":1,"emitters":[{"id":"e","attributes":[{"name":"x","type":"float"},{"name":"y","type":"float"}],
        "every_frame":{"blocks":[{"id":"s","kind":"setAttribute","settings":{"attribute":"y"}}],
        "values":[{"id":"g","kind":"attribute","settings":{"attribute":"x"}}],"wires":["g.out -> s.value"]}}]}"#;
    let document = file::load(text.as_bytes()).unwrap().document;
    let saved = file::save(&document);
    assert!(saved.contains("get_field") && saved.contains("\"fields\"") && !saved.contains("ttribute"));
    let mut particle = Particle::new(&document);
    particle.set("x", &[3.0]);
    assert_eq!(particle.step(0.0).get("y"), [3.0]);
}

#[test]
fn document_saves_in_place_of_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mote");
    let document = presets::preset("rain").unwrap();
    file::save_to(&Document::new("old"), &path).unwrap();
    file::save_to(&document, &path).unwrap();
    assert_eq!(file::load_from(&path).unwrap().document, document);
    let backup = file::load_from(&file::backup_of(&path)).unwrap().document;
    assert_eq!(backup, Document::new("old"), "what stood there is kept once");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    assert!(
        file::load_from(&folder.path().join("absent.mote"))
            .unwrap_err()
            .to_string()
            .contains("absent.mote")
    );
}

#[test]
fn document_damaged_text_never_panics() {
    let text = presets::presets().last().unwrap().text.as_bytes();
    for end in (0..text.len()).step_by(37) {
        assert!(file::load(&text[..end]).is_err(), "{end}");
    }
    let mut rolls = Rolls(5);
    for _ in 0..400 {
        let mut bytes = text.to_vec();
        for _ in 0..1 + rolls.below(4) {
            let at = rolls.below(bytes.len() as u32) as usize;
            bytes[at] = b"{}[]\",:0-9ex \xff"[rolls.below(14) as usize];
        }
        if let Ok(loaded) = file::load(&bytes) {
            let _ = compile(&loaded.document);
            let saved = file::save(&loaded.document);
            assert_eq!(file::save(&file::load(saved.as_bytes()).unwrap().document), saved);
        }
    }
}

#[test]
fn edits_say_how_far_they_reach() {
    let mut document = presets::preset("fire").unwrap();
    let fire = id("fire");
    let mut apply = |edit: Edit| document.apply(&edit).unwrap();
    let drag = |value: f32| Edit::SetInput {
        emitter: fire.clone(),
        node: id("drag"),
        port: "drag".to_owned(),
        mode: Some(InputMode::value(value)),
    };
    assert_eq!(apply(drag(0.2)), Changed::Nothing);
    assert_eq!(apply(drag(0.3)), Changed::Meaning);
    let positions = vec![(id("drag"), [1.0, 2.0])];
    let moved = Edit::SetNodePositions {
        emitter: fire.clone(),
        positions,
    };
    assert_eq!(apply(moved.clone()), Changed::Layout);
    assert_eq!(apply(moved), Changed::Nothing);
    let title = Some("Air".to_owned());
    assert_eq!(
        apply(Edit::RenameNode {
            emitter: fire.clone(),
            node: id("drag"),
            title
        }),
        Changed::Layout
    );
}

#[test]
fn refused_edits_change_nothing_and_say_why() {
    let mut doc = Doc::new();
    doc.birth("point", "shape_point", &[]).update("move", "move", &[]);
    doc.update("dir", "vec3", &[])
        .update("number", "op.add", &[])
        .update("gravity", "gravity", &[]);
    let flow = FlowKind::EveryFrame;
    let before = doc.0.clone();
    let mut refused = |edit: Edit, says: &str| {
        let error = doc.0.apply(&edit).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
        assert_eq!(doc.0, before);
    };
    let e = || id("e");
    let add = |name: &str, kind: &str, flow| Edit::AddNode {
        emitter: e(),
        flow,
        node: Box::new(Node::new(id(name), kind)),
        index: None,
        position: [0.0; 2],
    };
    refused(add("gravity", "drag", flow), "taken");
    refused(add("x", "nonsense", flow), "nonsense");
    refused(add("x", "drag", FlowKind::Birth), "does not belong in Birth");
    refused(
        Edit::RemoveNodes {
            emitter: e(),
            nodes: vec![id("absent")],
        },
        "absent",
    );
    refused(
        Edit::MoveBlock {
            emitter: e(),
            node: id("dir"),
            index: 0,
        },
        "no block",
    );
    refused(
        wire(flow, ("dir", "nothing"), ("gravity", "acceleration")),
        "port",
    );
    refused(wire(flow, ("dir", "out"), ("gravity", "nothing")), "port");
    refused(
        Edit::RemoveField {
            emitter: e(),
            name: "position".to_owned(),
        },
        "needed by",
    );
    refused(
        Edit::SetInput {
            emitter: e(),
            node: id("gravity"),
            port: "acceleration".to_owned(),
            mode: Some(InputMode::value(f32::NAN)),
        },
        "finite",
    );
    refused(
        Edit::SetInput {
            emitter: e(),
            node: id("gravity"),
            port: "acceleration".to_owned(),
            mode: Some(InputMode::Parameter(id("gone"))),
        },
        "no parameter",
    );
    refused(
        Edit::AddEmitter {
            id: e(),
            name: String::new(),
            index: None,
        },
        "taken",
    );
    refused(
        Edit::SetEmission {
            emitter: e(),
            emission: Emission {
                rate: f32::INFINITY,
                ..Emission::default()
            },
        },
        "finite",
    );
    doc.update("size", "grow", &[]);
    let error = doc
        .0
        .apply(&wire(flow, ("dir", "out"), ("size", "growth")))
        .unwrap_err();
    assert!(matches!(
        error,
        EditError::TypeMismatch {
            found: FieldType::Vec3,
            expected: FieldType::Float,
            ..
        }
    ));
    assert_eq!(
        error.to_string(),
        "a 3-vector cannot go into growth, which takes a number"
    );
}

#[test]
fn adding_a_block_declares_its_fields_and_finds_its_place() {
    let mut doc = Doc::new();
    for name in ["age", "move", "gravity", "grow", "drag"] {
        doc.update(name, name, &[]);
    }
    let emitter = &doc.0.emitters()[0];
    let order: Vec<&str> = emitter
        .flow(FlowKind::EveryFrame)
        .blocks
        .iter()
        .map(|b| b.id.as_str())
        .collect();
    assert_eq!(order, ["gravity", "drag", "move", "grow", "age"]);
    let fields: Vec<&str> = emitter.fields().iter().map(|f| f.name.as_str()).collect();
    assert_eq!(fields, ["age", "lifetime", "position", "velocity", "size"]);
    // Forces take no place in the record.
    assert!(emitter.fields().iter().all(|f| !f.transient));
    let edit = Edit::SetInput {
        emitter: id("e"),
        node: id("grow"),
        port: "growth".to_owned(),
        mode: Some(InputMode::Curve(mote::base::curve::Curve::line(0.0, 1.0))),
    };
    let mut other = Doc::new();
    other.update("grow", "grow", &[]);
    other.0.apply(&edit).unwrap();
    assert!(other.0.emitters()[0].field("lifetime").is_some());
}

#[test]
fn removing_a_parameter_leaves_its_value_behind() {
    let mut doc = Doc::new();
    doc.update("gravity", "gravity", &[])
        .update("move", "move", &[])
        .birth("point", "shape_point", &[]);
    let parameter = Parameter {
        id: id("pull"),
        name: "Pull".to_owned(),
        ty: FieldType::Vec3,
        default: [0.0, -3.0, 0.0, 0.0],
        range: Some([-10.0, 10.0]),
        unit: "m/s²".to_owned(),
        read: ParameterRead::Step,
    };
    doc.0
        .apply(&Edit::AddParameter {
            parameter: parameter.clone(),
        })
        .unwrap();
    let mode = Some(InputMode::Parameter(id("pull")));
    doc.0
        .apply(&Edit::SetInput {
            emitter: id("e"),
            node: id("gravity"),
            port: "acceleration".to_owned(),
            mode,
        })
        .unwrap();
    let effect = compile(&doc.0).effect.unwrap();
    assert_eq!(
        effect.emitters[0].emitter_layout.get("Pull").unwrap().ty,
        FieldType::Vec3
    );
    assert_eq!(f32::from_bits(effect.emitters[0].emitter_fields[1]), -3.0);
    assert_eq!(file::load(file::save(&doc.0).as_bytes()).unwrap().document, doc.0);
    let mut particle = Particle::new(&doc.0);
    assert_eq!(particle.birth().step(1.0).get("velocity"), [0.0, -3.0, 0.0]);
    doc.0
        .apply(&Edit::RemoveParameter {
            parameter: id("pull"),
        })
        .unwrap();
    let effect = compile(&doc.0).effect.unwrap();
    assert!(effect.emitters[0].emitter_fields.is_empty());
    let mut particle = Particle::new(&doc.0);
    assert_eq!(particle.birth().step(1.0).get("velocity"), [0.0, -3.0, 0.0]);
}

#[test]
fn case_b25_deleting_nodes_is_one_step_and_undo_restores_every_byte() {
    let mut doc = Doc::new();
    let flow = FlowKind::EveryFrame;
    doc.update("dice", "random", &[]).update(
        "sum",
        "op.add",
        &[("a", InputMode::value(3.5)), ("b", InputMode::value(0.25))],
    );
    doc.update("grow", "grow", &[("growth", InputMode::value(0.125))])
        .update("drag", "drag", &[])
        .update("move", "move", &[]);
    doc.wire(flow, ("dice", "out"), ("sum", "a"))
        .wire(flow, ("dice", "out"), ("sum", "b"));
    doc.wire(flow, ("sum", "out"), ("grow", "growth"))
        .wire(flow, ("sum", "out"), ("drag", "drag"));
    let mut history = History::new(doc.0.clone());
    let before = (file::save(history.document()), compile(history.document()).effect);
    let nodes = vec![id("dice"), id("sum"), id("drag")];
    history
        .step(
            "Delete 3 nodes",
            &[Edit::RemoveNodes {
                emitter: id("e"),
                nodes,
            }],
        )
        .unwrap();
    assert!(history.is_dirty());
    let left = history.document().emitters()[0].flow(flow);
    assert_eq!((left.blocks.len(), left.wires.len()), (2, 0));
    assert_eq!(
        left.node(&id("grow")).unwrap().inputs["growth"],
        InputMode::value(0.125)
    );
    let after = file::save(history.document());
    assert_eq!(history.undo().as_deref(), Some("Delete 3 nodes"));
    assert_eq!(
        (file::save(history.document()), compile(history.document()).effect),
        before
    );
    assert!(!history.is_dirty());
    history.redo();
    assert_eq!(file::save(history.document()), after);
    history.undo();
    assert_eq!(file::save(history.document()), before.0);
    let all = Edit::RemoveEmitter { emitter: id("e") };
    history.step("Delete emitter", &[all]).unwrap();
    assert!(compile(history.document()).effect.is_some());
}

#[test]
fn history_makes_one_step_of_a_gesture_and_none_of_nothing() {
    let mut history = History::new(presets::preset("fire").unwrap());
    let drag = |value: f32| Edit::SetInput {
        emitter: id("fire"),
        node: id("drag"),
        port: "drag".to_owned(),
        mode: Some(InputMode::value(value)),
    };
    for _ in 0..2 {
        history.begin("Drag");
        for i in 0..100 {
            history.update(&drag(1.0 + i as f32)).unwrap();
        }
        history
            .update(&drag(history.past().count() as f32 + 5.0))
            .unwrap();
        history.commit();
    }
    assert_eq!(history.past().collect::<Vec<_>>(), ["Drag", "Drag"]);
    history.begin("Nothing");
    history.commit();
    history.begin("Cancelled");
    history.update(&drag(50.0)).unwrap();
    history.cancel();
    assert_eq!(history.past().count(), 2);
    history.begin("Open");
    history.update(&drag(60.0)).unwrap();
    assert_eq!(history.undo().as_deref(), Some("Open"));
    assert_eq!(history.past().count(), 2);
}

#[test]
fn history_undoes_200_random_edits_to_the_first_byte() {
    let mut rolls = Rolls(99);
    let mut history = History::new(presets::preset("bonfire").unwrap());
    let first = file::save(history.document());
    let kinds: Vec<_> = mote::graph::registry()
        .kinds()
        .filter(|k| k.listed)
        .cloned()
        .collect();
    let mut steps = 0;
    let mut n = 0;
    while steps < 200 {
        n += 1;
        let document = history.document();
        let Some(emitter) = document
            .emitters()
            .get(rolls.below(document.emitters().len().max(1) as u32) as usize)
        else {
            break;
        };
        let e = emitter.id().clone();
        let flow = FlowKind::ALL[rolls.below(2) as usize];
        let nodes: Vec<_> = emitter.flow(flow).nodes().map(|node| node.id.clone()).collect();
        let pick = |rolls: &mut Rolls| {
            nodes
                .get(rolls.below(nodes.len().max(1) as u32) as usize)
                .cloned()
                .unwrap_or(id("none"))
        };
        let edit = match rolls.below(9) {
            0..=2 => {
                let kind = &kinds[rolls.below(kinds.len() as u32) as usize];
                Edit::AddNode {
                    emitter: e,
                    flow,
                    node: Box::new(Node::new(id(&format!("r{n}")), &kind.id)),
                    index: None,
                    position: [n as f32, 0.0],
                }
            }
            3 => Edit::RemoveNodes {
                emitter: e,
                nodes: vec![pick(&mut rolls)],
            },
            4 => Edit::MoveBlock {
                emitter: e,
                node: pick(&mut rolls),
                index: rolls.below(9) as usize,
            },
            5 => Edit::Connect {
                emitter: e,
                flow,
                from: Socket::new(&pick(&mut rolls), "out"),
                to: Socket::new(
                    &pick(&mut rolls),
                    ["a", "b", "value", "x"][rolls.below(4) as usize],
                ),
            },
            6 => Edit::SetMuted {
                emitter: e,
                node: pick(&mut rolls),
                muted: rolls.below(2) == 0,
            },
            7 => Edit::RenameEmitter {
                emitter: e,
                name: format!("name {n}"),
            },
            _ => Edit::DuplicateEmitter {
                emitter: e,
                copy: id(&format!("copy{n}")),
                name: "copy".to_owned(),
            },
        };
        let before = history.past().count();
        let _ = history.step("edit", &[edit]);
        steps += history.past().count() - before;
    }
    let last = file::save(history.document());
    assert_ne!(first, last);
    while history.undo().is_some() {}
    assert_eq!(file::save(history.document()), first);
    while history.redo().is_some() {}
    assert_eq!(file::save(history.document()), last);
}

#[test]
fn document_every_emission_setting_survives_its_file_and_ships() {
    for emission in crate::artifact::emission_settings() {
        let mut document = file::load(presets::presets().next().unwrap().text.as_bytes())
            .unwrap()
            .document;
        let emitter = document.emitters()[0].id().clone();
        let edit = Edit::SetEmission {
            emitter,
            emission: emission.clone(),
        };
        document.apply(&edit).unwrap();
        let text = file::save(&document);
        let loaded = file::load(text.as_bytes()).unwrap();
        assert!(loaded.notes.is_empty(), "{:?}", loaded.notes);
        assert_eq!(loaded.document, document);
        assert_eq!(file::save(&loaded.document), text);
        assert_eq!(compile(&document).effect.unwrap().emitters[0].emission, emission);
    }
}
