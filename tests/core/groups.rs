//! Groups of one's own: in the document, in a folder, one in another.

use std::sync::Arc;

use mote::base::diag::FlowKind;
use mote::base::id::Id;
use mote::compiler::{compile, compile_with};
use mote::document::{Document, Edit, EditError, History, file};
use mote::graph::group::{read_group, write_group};
use mote::graph::groups::{DOCUMENT_PREFIX, FOLDER_PREFIX, GroupError, read_folder};
use mote::graph::{Body, InputMode, Node, NodeKind, Registry, registry};
use mote::layout::FieldType;

use crate::authoring::{Doc, Particle, id};

const EVERY: FlowKind = FlowKind::EveryFrame;

/// Value node group `id` of one number: `inner` of it, where `inner` has an input `a` or `value` and gives `out`.
fn wrapping(id: &str, inner: &str, port: &str) -> NodeKind {
    let text = format!(
        r#"{{"id": "{id}", "inputs": [{{"name": "x", "type": "float", "default": 2}}],
            "outputs": [{{"name": "y", "type": "float"}}],
            "graph": {{"values": [{{"id": "in", "kind": "group_input"}}, {{"id": "n", "kind": "{inner}"}},
                                  {{"id": "out", "kind": "group_output"}}],
                       "wires": ["in.x -> n.{port}", "n.{from} -> out.y"]}}}}"#,
        from = if inner.starts_with("op.") { "out" } else { "y" }
    );
    read_group(text.as_bytes()).unwrap()
}

fn set(doc: &mut Document, group: NodeKind) -> Result<(), EditError> {
    let group = Box::new(group);
    doc.apply(&Edit::SetGroup { group }).map(|_| ())
}

/// A document whose field `v` is set to a node of a kind at 9.
fn using(kind: &str, groups: &[NodeKind]) -> Doc {
    let mut doc = Doc::new();
    for group in groups {
        set(&mut doc.0, group.clone()).unwrap();
    }
    doc.field("v", FieldType::Float);
    doc.node(EVERY, Node::new(id("g"), kind).input("x", InputMode::value(9.0)));
    doc.node(EVERY, Node::new(id("set"), "set_field").set("field", "v"));
    doc.wire(EVERY, ("g", "y"), ("set", "value"));
    doc
}

#[test]
fn groups_of_a_document_compile_nest_and_survive_the_file() {
    let groups = [
        wrapping("root", "op.sqrt", "a"),
        wrapping("twice", "group.root", "x"),
        wrapping("thrice", "group.twice", "x"),
    ];
    let doc = using("group.thrice", &groups);
    assert_eq!(Particle::new(&doc.0).step(0.1).get("v"), [3.0]);
    let text = file::save(&doc.0);
    let loaded = file::load(text.as_bytes()).unwrap();
    assert!(loaded.notes.is_empty());
    assert_eq!(loaded.document, doc.0);
    assert_eq!(file::save(&loaded.document), text);
    assert_eq!(compile(&loaded.document).effect, compile(&doc.0).effect);
    // What is wrong inside is told with the way in.
    let mut broken = groups.to_vec();
    broken[0] = wrapping("root", "op.no_such", "a");
    let compiled = compile(&using("group.thrice", &broken).0);
    let error = compiled.errors().next().unwrap();
    assert_eq!(error.code, "unknown-node");
    let path: Vec<&str> = error.place.node.iter().map(Id::as_str).collect();
    assert_eq!(path, ["set", "g", "n", "n", "n"]);
}

#[test]
fn case_b24_d_a_group_that_holds_itself_is_refused_with_its_path() {
    let mut doc = Doc::new();
    let own = wrapping("loop", "group.loop", "x");
    let refused = set(&mut doc.0, own).unwrap_err();
    assert_eq!(
        refused,
        EditError::Group(GroupError::HoldsItself(vec!["loop".into(), "loop".into()]))
    );
    set(&mut doc.0, wrapping("a", "group.b", "x")).unwrap();
    let before = file::save(&doc.0);
    let refused = set(&mut doc.0, wrapping("b", "group.a", "x")).unwrap_err();
    assert!(refused.to_string().contains("a › b › a"), "{refused}");
    assert_eq!(file::save(&doc.0), before, "a refused edit leaves no trace");

    // A file that has it says where, and does not load.
    let mut text = file::save(&using("group.a", &[wrapping("a", "group.b", "x")]).0);
    text = text.replace("group.b", "group.a");
    let error = file::load(text.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("groups") && error.contains("a › a"), "{error}");

    // Through other files too.
    let folder = tempfile::tempdir().unwrap();
    for (name, inner) in [("p", "library.q"), ("q", "library.p"), ("fine", "op.sqrt")] {
        let text = write_group(&wrapping(name, inner, if inner == "op.sqrt" { "a" } else { "x" })).print();
        std::fs::write(folder.path().join(format!("{name}.json")), text).unwrap();
    }
    let (kinds, problems) = read_folder(folder.path());
    assert_eq!(problems.len(), 1);
    let message = &problems[0].message;
    assert!(
        message.contains('p') && message.contains('q') && message.contains("holds itself"),
        "{message}"
    );
    assert!(kinds.get("library.fine").is_some() && kinds.get("library.p").is_none());
}

#[test]
fn groups_of_a_folder_are_kinds_and_bad_files_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "root.json",
        &write_group(&wrapping("root", "op.sqrt", "a")).print(),
    );
    write(
        "again.json",
        &write_group(&wrapping("root", "op.abs", "a")).print(),
    );
    write("broken.json", "{\"id\": 3");
    write("notes.txt", "not a group");
    let (kinds, problems) = read_folder(folder.path());
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems.iter().any(|p| p.path.ends_with("broken.json")));
    assert!(kinds.get("library.root").is_some() && FOLDER_PREFIX == "library.");
    let doc = {
        let mut doc = Doc::new();
        doc.field("v", FieldType::Float);
        doc
    };
    assert!(compile_with(&doc.0, &kinds).effect.is_some());
    let (none, problems) = read_folder(&folder.path().join("nowhere"));
    assert_eq!(problems.len(), 1);
    assert_eq!(none.kinds().count(), Registry::standard().0.kinds().count());
}

#[test]
fn groups_with_blocks_are_blocks_and_need_what_theirs_need() {
    let text = r#"{"id": "fall", "title": "Fall", "inputs": [{"name": "g", "type": "float", "default": -5}],
        "graph": {"blocks": [{"id": "pull", "kind": "gravity"}, {"id": "go", "kind": "move"}],
                  "values": [{"id": "in", "kind": "group_input"},
                             {"id": "v", "kind": "combine", "settings": {"type": "vec3"}}],
                  "wires": ["in.g -> v.y", "v.out -> pull.acceleration"]}}"#;
    let group = read_group(text.as_bytes()).unwrap();
    assert!(group.block);
    let mut doc = Doc::new();
    set(&mut doc.0, group).unwrap();
    let kind = doc.0.registry().get("group.fall").unwrap();
    assert_eq!(kind.flows, [EVERY], "its blocks belong in no other flow");
    doc.update("f", "group.fall", &[("g", InputMode::value(-4.0))]);
    assert!(
        doc.0.emitters()[0].field("velocity").is_some(),
        "declared with the block"
    );
    let mut particle = Particle::new(&doc.0);
    particle.birth().step(0.5);
    assert_eq!(particle.get("velocity"), [0.0, -2.0, 0.0]);
    assert_eq!(particle.get("position"), [0.0, -0.5, 0.0]);
    // Blocks of no common flow make no group.
    let torn = text.replace("\"gravity\"", "\"birth_size\"");
    let error = set(&mut doc.0, read_group(torn.as_bytes()).unwrap()).unwrap_err();
    assert_eq!(error, EditError::Group(GroupError::NoFlow("fall".into())));
}

#[test]
fn groups_every_library_file_is_what_writing_it_gives() {
    for kind in registry().kinds() {
        let Body::Group(_) = &kind.body else { continue };
        let back = read_group(write_group(kind).print().as_bytes()).unwrap();
        assert_eq!(&back, kind.as_ref(), "{}", kind.id);
    }
}

/// v = √(x·x + y) · 2, of which √(x·x + y) will be chosen.
fn chain() -> Doc {
    let mut doc = Doc::new();
    doc.field("x", FieldType::Float)
        .field("y", FieldType::Float)
        .field("v", FieldType::Float);
    for field in ["x", "y"] {
        doc.node(EVERY, Node::new(id(field), "get_field").set("field", field));
    }
    doc.update("square", "op.mul", &[])
        .update("sum", "op.add", &[])
        .update("root", "op.sqrt", &[])
        .update("double", "op.mul", &[("b", InputMode::value(2.0))])
        .node(EVERY, Node::new(id("set"), "set_field").set("field", "v"));
    for (from, to, port) in [
        ("x", "square", "a"),
        ("x", "square", "b"),
        ("square", "sum", "a"),
        ("y", "sum", "b"),
        ("sum", "root", "a"),
        ("root", "double", "a"),
        ("double", "set", "value"),
    ] {
        doc.wire(EVERY, (from, "out"), (to, port));
    }
    doc
}

fn collapse(doc: &mut Document, nodes: &[&str]) -> Result<(), EditError> {
    let edit = Edit::Collapse {
        emitter: id("e"),
        flow: EVERY,
        nodes: nodes.iter().map(|n| id(n)).collect(),
        group: id("hypot"),
        title: "Hypot".to_owned(),
        node: id("made"),
    };
    doc.apply(&edit).map(|_| ())
}

#[test]
fn groups_are_made_of_chosen_nodes_and_compute_the_same() {
    let doc = chain();
    let plain = compile(&doc.0).effect.unwrap();
    let mut history = History::new(doc.0.clone());
    let edit = Edit::Collapse {
        emitter: id("e"),
        flow: EVERY,
        nodes: ["square", "sum", "root"].map(id).to_vec(),
        group: id("hypot"),
        title: "Hypot".to_owned(),
        node: id("made"),
    };
    history.step("Group", &[edit]).unwrap();
    let made = history.document().clone();
    let group = made.groups().get("hypot").unwrap();
    // One port for a source that is read twice.
    let ports = |ports: &[mote::graph::Port]| ports.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
    assert_eq!(
        [ports(&group.inputs), ports(&group.outputs)],
        [vec!["a", "b"], vec!["out"]]
    );
    assert_eq!(group.title, "Hypot");
    assert_eq!(compile(&made).effect.unwrap().programs, plain.programs);
    let flow = made.emitters()[0].flow(EVERY);
    assert!(flow.node(&id("square")).is_none() && flow.node(&id("made")).is_some());
    let text = file::save(&made);
    assert_eq!(file::load(text.as_bytes()).unwrap().document, made);

    // It is used, so it stays; without its node it can go.
    let remove = Edit::RemoveGroup {
        group: "hypot".to_owned(),
    };
    let used = made.clone().apply(&remove).unwrap_err();
    assert!(matches!(used, EditError::GroupUsed { .. }), "{used}");
    history.undo();
    assert_eq!(history.document(), &doc.0);
    history.redo();
    assert_eq!(history.document(), &made);
    let mut made = made;
    let nodes = vec![id("made")];
    made.apply(&Edit::RemoveNodes {
        emitter: id("e"),
        nodes,
    })
    .unwrap();
    made.apply(&remove).unwrap();
    assert!(made.groups().list().is_empty());
    assert!(made.registry().get(&format!("{DOCUMENT_PREFIX}hypot")).is_none());
}

#[test]
fn groups_are_refused_where_they_could_not_be() {
    let mut doc = chain();
    let before = file::save(&doc.0);
    assert_eq!(collapse(&mut doc.0, &[]), Err(EditError::NoNodes));
    assert_eq!(collapse(&mut doc.0, &["set"]), Err(EditError::Block(id("set"))));
    assert_eq!(
        collapse(&mut doc.0, &["nobody"]),
        Err(EditError::NoNode(id("nobody")))
    );
    // "sum" would read the group and feed it.
    let torn = collapse(&mut doc.0, &["square", "root"]).unwrap_err();
    assert!(matches!(torn, EditError::Cycle(_)), "{torn}");
    assert_eq!(file::save(&doc.0), before);
    collapse(&mut doc.0, &["square", "sum"]).unwrap();
    let again = Edit::Collapse {
        emitter: id("e"),
        flow: EVERY,
        nodes: vec![id("root")],
        group: id("hypot"),
        title: String::new(),
        node: id("other"),
    };
    assert_eq!(doc.0.apply(&again), Err(EditError::IdTaken(id("hypot"))));
    let kind = Arc::clone(doc.0.groups().get("hypot").unwrap());
    let no_id = NodeKind {
        id: String::new(),
        ..kind.as_ref().clone()
    };
    assert!(set(&mut doc.0, no_id).is_err());
}

#[test]
fn groups_that_come_to_too_much_are_refused_at_once() {
    // Each holds the one before twice: forty of them would come to a million million nodes.
    let twice = |n: usize| {
        let inner = if n == 0 {
            "op.sqrt".to_owned()
        } else {
            format!("group.d{}", n - 1)
        };
        let (port, out) = if n == 0 { ("a", "out") } else { ("x", "y") };
        let text = format!(
            r#"{{"id": "d{n}", "inputs": [{{"name": "x", "type": "float"}}], "outputs": [{{"name": "y", "type": "float"}}],
                "graph": {{"values": [{{"id": "in", "kind": "group_input"}}, {{"id": "a", "kind": "{inner}"}},
                                      {{"id": "b", "kind": "{inner}"}}, {{"id": "out", "kind": "group_output"}}],
                           "wires": ["in.x -> a.{port}", "a.{out} -> b.{port}", "b.{out} -> out.y"]}}}}"#
        );
        read_group(text.as_bytes()).unwrap()
    };
    for (depth, code) in [(25, "too-large"), (40, "nesting")] {
        let groups: Vec<NodeKind> = (0..=depth).map(twice).collect();
        let compiled = compile(&using(&format!("group.d{depth}"), &groups).0);
        assert!(compiled.effect.is_none());
        let codes: Vec<_> = compiled.errors().map(|d| d.code).collect();
        assert_eq!(codes, [code], "said once, and nothing after it");
        assert!(compiled.errors().all(|d| d.help.is_some()));
    }
    // Ten deep is a thousand nodes, and fine.
    let groups: Vec<NodeKind> = (0..=9).map(twice).collect();
    assert!(compile(&using("group.d9", &groups).0).effect.is_some());
}

#[test]
fn groups_opened_again_compute_the_same() {
    let doc = chain();
    let plain = compile(&doc.0).effect.unwrap();
    let mut made = doc.0.clone();
    collapse(&mut made, &["square", "sum", "root"]).unwrap();
    let names = ["square", "sum", "root"]
        .map(|n| (id(n), id(&format!("{n}-again"))))
        .to_vec();
    let expand = |node: &str, names: &[(Id, Id)]| Edit::Expand {
        emitter: id("e"),
        flow: EVERY,
        node: id(node),
        names: names.to_vec(),
    };
    let before = file::save(&made);
    assert_eq!(
        made.apply(&expand("double", &names)),
        Err(EditError::NotAGroup(id("double")))
    );
    assert_eq!(
        made.apply(&expand("set", &names)),
        Err(EditError::Block(id("set")))
    );
    assert!(
        made.apply(&expand("made", &names[..2])).is_err(),
        "every node needs a name"
    );
    let taken = vec![(id("square"), id("x")), names[1].clone(), names[2].clone()];
    assert_eq!(
        made.apply(&expand("made", &taken)),
        Err(EditError::IdTaken(id("x")))
    );
    assert_eq!(file::save(&made), before);
    made.apply(&expand("made", &names)).unwrap();
    let flow = made.emitters()[0].flow(EVERY);
    assert!(flow.node(&id("made")).is_none() && flow.node(&id("sum-again")).is_some());
    assert_eq!(compile(&made).effect.unwrap().programs, plain.programs);

    // A library group opens too, and keeps what its own inputs were set to.
    let mut doc = Doc::new();
    doc.field("v", FieldType::Float);
    doc.update(
        "mix",
        "lerp",
        &[("a", InputMode::value(2.0)), ("t", InputMode::value(0.25))],
    );
    doc.node(EVERY, Node::new(id("set"), "set_field").set("field", "v"));
    doc.wire(EVERY, ("mix", "out"), ("set", "value"));
    let expected = Particle::new(&doc.0).step(0.1).get("v");
    let Body::Group(group) = &registry().get("lerp").unwrap().body else {
        panic!()
    };
    let names: Vec<(Id, Id)> = group
        .flow
        .values
        .keys()
        .map(|inner| (inner.clone(), id(&format!("{inner}-out"))))
        .collect();
    doc.0.apply(&expand("mix", &names)).unwrap();
    assert_eq!(Particle::new(&doc.0).step(0.1).get("v"), expected);
}

#[test]
fn groups_of_nodes_that_nobody_reads_give_what_they_make() {
    let mut doc = chain();
    doc.update("alone", "op.sin", &[]);
    let edit = Edit::Collapse {
        emitter: id("e"),
        flow: EVERY,
        nodes: vec![id("alone")],
        group: id("lone"),
        title: String::new(),
        node: id("made"),
    };
    doc.0.apply(&edit).unwrap();
    let group = doc.0.groups().get("lone").unwrap();
    assert_eq!(group.outputs.len(), 1);
    assert_eq!(group.title, "Group");
}
