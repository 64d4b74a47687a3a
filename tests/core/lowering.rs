//! Curves, chains, loops, mistakes and random graphs through the compiler.

use std::collections::BTreeMap;

use mote::base::curve::{ColorKey, Curve, Gradient, Interpolation, Key};
use mote::base::diag::{Diagnostic, FlowKind};
use mote::base::id::Id;
use mote::compiler::compile;
use mote::document::{Edit, file};
use mote::graph::{InputMode, Node, Setting, registry};
use mote::isa::verify::verify;
use mote::layout::FieldType;

use crate::authoring::{Doc, Particle, id, wire};
use crate::compiler::close;

/// The program's value of a curve or gradient node at `x`.
fn sample(setting: (&str, Setting), ty: FieldType) -> impl FnMut(f32) -> Vec<f32> {
    let mut doc = Doc::new();
    doc.field("x", FieldType::Float).field("y", ty);
    let (name, value) = setting;
    let mut node = Node::new(id("node"), name);
    node.settings.insert(name.to_owned(), value);
    doc.node(FlowKind::EveryFrame, node);
    doc.node(
        FlowKind::EveryFrame,
        Node::new(id("x"), "get_field").set("field", "x"),
    );
    doc.node(
        FlowKind::EveryFrame,
        Node::new(id("y"), "set_field").set("field", "y"),
    );
    doc.wire(FlowKind::EveryFrame, ("x", "out"), ("node", "x"));
    doc.wire(FlowKind::EveryFrame, ("node", "out"), ("y", "value"));
    let mut particle = Particle::new(&doc.0);
    move |x| {
        particle.set("x", &[x]);
        particle.step(0.0).get("y")
    }
}

fn check_curve(curve: &Curve) {
    let mut program = sample(("curve", Setting::Curve(curve.clone())), FieldType::Float);
    let bound = 1e-5 * curve.magnitude().max(1.0);
    let (first, last) = (curve.keys()[0].t, curve.keys()[curve.keys().len() - 1].t);
    let span = (last - first).max(0.1);
    let mut xs: Vec<f32> = (0..500)
        .map(|i| first - span + 3.0 * span * i as f32 / 499.0)
        .collect();
    xs.extend(curve.keys().iter().map(|k| k.t));
    xs.extend([f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY]);
    for x in xs {
        let (found, exact) = (f64::from(program(x)[0]), curve.eval(f64::from(x)));
        assert!(
            (found - exact).abs() <= bound,
            "{curve:?} at {x}: {found} for {exact}"
        );
    }
    assert!(program(f32::NAN)[0].is_finite());
}

#[test]
fn curves_compile_to_the_exact_curve() {
    let linear =
        |keys: &[(f32, f32)]| Curve::new(keys.iter().map(|&(t, v)| Key::linear(t, v)).collect()).unwrap();
    check_curve(&linear(&[
        (0.0, -1.0),
        (0.1, 0.0),
        (0.2, 0.2),
        (0.8, 0.9),
        (1.0, 2.0),
    ]));
    check_curve(&linear(&[(0.3, 7.0)]));
    check_curve(&linear(&[(0.0, 0.0), (0.5, 1.0), (0.5, 0.0), (1.0, 1.0)]));
    check_curve(&linear(&[(0.0, 2.0), (0.0, 1.0), (1.0, 0.0), (1.0, 5.0)]));
    check_curve(&linear(&[(0.5, 1.0), (0.5, 2.0)]));
    check_curve(&linear(&[(1.0, 1.0), (0.0, 0.0)]));
    let mut rolls = crate::isa::Rolls(11);
    let mut roll = move |scale: f32| (rolls.below(2_001) as f32 / 1_000.0 - 1.0) * scale;
    for round in 0..60 {
        let count = 1 + round % 24;
        let keys = (0..count).map(|_| Key {
            t: roll(4.0),
            v: roll(100.0),
            interpolation: Interpolation::ALL[(roll(1.0).abs() * 2.99) as usize],
            tangent_in: roll(20.0),
            tangent_out: roll(20.0),
        });
        check_curve(&Curve::new(keys.collect()).unwrap());
    }
}

#[test]
fn gradients_compile_to_the_exact_gradient() {
    let key = ColorKey::new;
    let gradient = Gradient::new(vec![
        key(0.0, [0.0, 0.5, 8.0, 0.0]),
        key(0.3, [1.0, 0.25, 2.0, 1.0]),
        key(0.3, [0.0, 0.0, 0.0, 0.5]),
        key(0.9, [1.0, 1.0, 1.0, 0.0]),
    ])
    .unwrap();
    let mut program = sample(
        ("gradient", Setting::Gradient(gradient.clone())),
        FieldType::Color,
    );
    for i in -50..150 {
        let x = i as f32 / 100.0;
        let exact = gradient.eval(f64::from(x));
        assert!(
            close(&program(x), &exact, 8e-5),
            "{x}: {:?} for {exact:?}",
            program(x)
        );
    }
}

#[test]
fn compiler_takes_a_chain_of_10000_nodes() {
    let mut text = String::from(
        "{\"mote\":\"document\",\"version\":1,\"emitters\":[{\"id\":\"e\",\"fields\":[{\"name\":\"x\",\"type\":\"float\"}],\"every_frame\":{\"blocks\":[{\"id\":\"set\",\"kind\":\"set_field\",\"settings\":{\"field\":\"x\"}}],\"values\":[{\"id\":\"n0\",\"kind\":\"get_field\",\"settings\":{\"field\":\"x\"}}",
    );
    const LENGTH: usize = 10_000;
    for i in 1..=LENGTH {
        text.push_str(&format!(
            ",{{\"id\":\"n{i}\",\"kind\":\"op.add\",\"inputs\":{{\"b\":1}}}}"
        ));
    }
    text.push_str("],\"wires\":[");
    for i in 1..=LENGTH {
        text.push_str(&format!("\"n{}.out -> n{i}.a\",", i - 1));
    }
    text.push_str(&format!("\"n{LENGTH}.out -> set.value\"]}}}}]}}"));
    let document = file::load(text.as_bytes()).unwrap().document;
    let mut particle = Particle::new(&document);
    assert_eq!(particle.step(0.0).get("x"), [LENGTH as f32]);
    assert_eq!(
        file::save(&file::load(file::save(&document).as_bytes()).unwrap().document),
        file::save(&document)
    );
}

#[test]
fn case_b24_cycles_are_refused_by_edits_and_reported_from_files() {
    let mut doc = Doc::new();
    doc.field("x", FieldType::Float);
    doc.node(
        FlowKind::EveryFrame,
        Node::new(id("set"), "set_field").set("field", "x"),
    );
    for name in ["a", "b", "c"] {
        doc.update(name, "op.add", &[]);
    }
    let flow = FlowKind::EveryFrame;
    doc.wire(flow, ("a", "out"), ("b", "a"))
        .wire(flow, ("b", "out"), ("c", "a"));
    doc.wire(flow, ("c", "out"), ("set", "value"));
    let before = doc.0.clone();
    let error = doc.0.apply(&wire(flow, ("a", "out"), ("a", "a"))).unwrap_err();
    assert_eq!(error.to_string(), "this wire would close a loop: a › a");
    let error = doc.0.apply(&wire(flow, ("c", "out"), ("a", "a"))).unwrap_err();
    assert_eq!(error.to_string(), "this wire would close a loop: a › b › c › a");
    assert_eq!(doc.0, before);
    let text = file::save(&doc.0).replace("\"a.out -> b.a\"", "\"a.out -> b.a\",\n\"c.out -> a.a\"");
    let looped = file::load(text.as_bytes()).unwrap().document;
    let compiled = compile(&looped);
    assert!(compiled.effect.is_none());
    let cycles: Vec<&Diagnostic> = compiled.errors().filter(|d| d.code == "cycle").collect();
    assert_eq!(cycles.len(), 1, "{:?}", compiled.diagnostics);
    for name in ["a", "b", "c"] {
        assert!(cycles[0].message.contains(name), "{}", cycles[0].message);
    }
}

#[test]
fn compiler_names_the_place_of_every_kind_of_mistake() {
    let text = r#"{"mote":"document","version":1,"emitters":[{"id":"e","emission":{"capacity":0},
        "fields":[{"name":"x","type":"float"},{"name":"d","type":"vec3"}],
        "birth":{"blocks":[{"id":"new","kind":"from_the_future"},{"id":"drag","kind":"drag"},{"id":"sum","kind":"op.add"}]},
        "every_frame":{"blocks":[
            {"id":"set-x","kind":"set_field","settings":{"field":"x"}},
            {"id":"nowhere","kind":"set_field","settings":{"field":"nowhere"}},
            {"id":"size","kind":"size_over_life"},
            {"id":"wind","kind":"add_velocity","inputs":{"velocity":{"parameter":"gone"}}},
            {"id":"odd","kind":"gravity","inputs":{"acceleration":{"wavelet":3}}},
            {"id":"lost","kind":"grow"}],
          "values":[{"id":"dir","kind":"get_field","settings":{"field":"d"}},{"id":"flow","kind":"flow_noise"}],
          "wires":["dir.out -> set-x.value","ghost.out -> lost.growth","flow.out -> nowhere.value","dir.out -> lost.sideways"]}}]}"#;
    let compiled = compile(&file::load(text.as_bytes()).unwrap().document);
    assert!(compiled.effect.is_none());
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for d in compiled.errors() {
        found.entry(d.code).or_default().push(d.place.to_string());
    }
    let has = |code: &str, place: &str| {
        let places = found
            .get(code)
            .unwrap_or_else(|| panic!("no {code} in {found:#?}"));
        assert!(places.iter().any(|p| p.contains(place)), "{code}: {places:?}");
    };
    has("capacity-zero", "emission.capacity");
    has("unknown-node", "new");
    has("unknown-node", "flow");
    has("wrong-flow", "Birth / drag");
    has("not-a-block", "sum");
    has("type-mismatch", "set-x / value");
    has("missing-field", "nowhere");
    has("missing-field", "size");
    has("missing-parameter", "wind / velocity");
    has("unknown-mode", "odd / acceleration");
    has("broken-wire", "lost / growth");
    has("unknown-port", "lost / sideways");
    let sentence = |m: &str| m.ends_with('.') && !m.contains("vec3") && !m.contains("f32");
    for d in &compiled.diagnostics {
        assert!(sentence(&d.message), "{}", d.message);
    }
}

#[test]
fn random_inputs_keep_their_draw_for_a_particle_and_their_stream_for_a_node() {
    let mut doc = Doc::new();
    doc.birth("size", "birth_size", &[("size", InputMode::random(1.0, 2.0))])
        .field("drawn", FieldType::Float)
        .node(
            FlowKind::EveryFrame,
            Node::new(id("set"), "set_field")
                .set("field", "drawn")
                .input("value", InputMode::random(0.0, 1.0)),
        );
    let draws = |doc: &Doc| {
        (0..50)
            .map(|ordinal| {
                let mut particle = Particle::new(&doc.0);
                particle.key.ordinal = ordinal;
                let size = particle.birth().get("size")[0];
                let first = particle.step(0.1).get("drawn")[0];
                assert_eq!(particle.step(0.1).get("drawn")[0], first);
                assert!((1.0..2.0).contains(&size) && (0.0..1.0).contains(&first));
                (size.to_bits(), first.to_bits())
            })
            .collect::<Vec<_>>()
    };
    let before = draws(&doc);
    let mut distinct = before.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), 50);
    // Another node, before it in the chain and drawing too, reshuffles nothing.
    doc.at(
        FlowKind::Birth,
        Node::new(id("first"), "velocity_sphere").input("speed", InputMode::random(0.0, 1.0)),
        Some(0),
    );
    assert_eq!(draws(&doc), before);
    // A redraw is another setting.
    let mut redraw = Doc::new();
    redraw.field("drawn", FieldType::Float);
    redraw.node(
        FlowKind::EveryFrame,
        Node::new(id("set"), "set_field").set("field", "drawn"),
    );
    redraw.node(
        FlowKind::EveryFrame,
        Node::new(id("dice"), "random").set("draw", "frame"),
    );
    redraw.wire(FlowKind::EveryFrame, ("dice", "out"), ("set", "value"));
    let mut particle = Particle::new(&redraw.0);
    assert_ne!(
        particle.birth().step(0.1).get("drawn"),
        particle.step(0.1).get("drawn")
    );
}

/// An emitter of a few random nodes with random wires between them.
pub(crate) fn random_graph(seed: u32) -> Doc {
    let kinds: Vec<_> = registry().kinds().filter(|k| k.listed).cloned().collect();
    let mut rolls = crate::isa::Rolls(seed * 7 + 1);
    let mut doc = Doc::new();
    let mut names: Vec<(FlowKind, Id)> = Vec::new();
    for n in 0..4 + rolls.below(14) {
        let kind = &kinds[rolls.below(kinds.len() as u32) as usize];
        let flow = kind.flows[rolls.below(kind.flows.len() as u32) as usize];
        let mut node = Node::new(id(&format!("n{n}")), &kind.id);
        for port in &kind.inputs {
            let mode = match rolls.below(8) {
                0 => InputMode::value(rolls.below(100) as f32 / 10.0),
                1 => InputMode::random(0.0, 1.0),
                2 => InputMode::Curve(Curve::line(0.0, 1.0)),
                3 => InputMode::value([0.0, 1.0, 0.5]),
                _ => continue,
            };
            node = node.input(&port.name, mode);
        }
        names.push((flow, node.id.clone()));
        // A full record refuses; the others go on.
        let _ = doc.0.apply(&Edit::AddNode {
            emitter: id("e"),
            flow,
            node: Box::new(node),
            index: None,
            position: [0.0; 2],
        });
    }
    for _ in 0..60 {
        let pick = |rolls: &mut crate::isa::Rolls| names[rolls.below(names.len() as u32) as usize].clone();
        let ((flow, from), (_, to)) = (pick(&mut rolls), pick(&mut rolls));
        let port = |node: &Id, output: bool, rolls: &mut crate::isa::Rolls| {
            let node = doc.0.emitters()[0].flow(flow).node(node)?.clone();
            let kind = registry().get(&node.kind)?.clone();
            let ports = if output { &kind.outputs } else { &kind.inputs };
            let count = ports.len() as u32;
            (count > 0).then(|| ports[rolls.below(count) as usize].name.clone())
        };
        let (Some(out), Some(into)) = (port(&from, true, &mut rolls), port(&to, false, &mut rolls)) else {
            continue;
        };
        let before = file::save(&doc.0);
        if doc
            .0
            .apply(&wire(flow, (from.as_str(), &out), (to.as_str(), &into)))
            .is_err()
        {
            assert_eq!(file::save(&doc.0), before);
        }
    }
    doc
}

#[test]
fn compiler_gives_every_random_graph_a_program_or_a_reason() {
    let (mut compiled_count, mut refused) = (0, 0);
    for seed in 0..300 {
        let doc = random_graph(seed);
        let compiled = compile(&doc.0);
        match compiled.effect {
            Some(effect) => {
                compiled_count += 1;
                for emitter in &effect.emitters {
                    let program = &effect.programs[emitter.program as usize];
                    verify(program, emitter.emitter_layout.words()).unwrap();
                    let map = &compiled.map.emitters[0];
                    assert_eq!(
                        (map.init.len(), map.update.len()),
                        (program.init.len(), program.update.len())
                    );
                }
                mote::artifact::validate::validate(&effect).unwrap();
            }
            None => {
                refused += 1;
                assert!(compiled.diagnostics.iter().any(Diagnostic::is_error));
            }
        }
    }
    assert!(
        compiled_count > 60 && refused > 10,
        "{compiled_count} compiled, {refused} refused"
    );
}

#[test]
fn compiler_warns_of_what_cannot_be_meant() {
    let mut doc = Doc::new();
    doc.update("gravity", "gravity", &[]);
    let codes = |doc: &Doc| {
        let compiled = compile(&doc.0);
        assert!(compiled.effect.is_some());
        compiled.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>()
    };
    assert!(codes(&doc).contains(&"no-effect") && codes(&doc).contains(&"no-births"));
    doc.update("move", "move", &[]);
    assert!(!codes(&doc).contains(&"no-effect"));
    doc.birth("lifetime", "birth_lifetime", &[]);
    assert!(codes(&doc).contains(&"no-end"));
    doc.update("age", "age", &[]);
    assert!(!codes(&doc).contains(&"no-end"));
    let set = |doc: &mut Doc, change: fn(&mut mote::artifact::Emission)| {
        let mut emission = doc.0.emitters()[0].emission().clone();
        change(&mut emission);
        let emitter = id("e");
        doc.0.apply(&Edit::SetEmission { emitter, emission }).unwrap();
    };
    set(&mut doc, |e| e.rate = 1_500.0);
    assert!(codes(&doc).contains(&"capacity-small"));
    set(&mut doc, |e| {
        e.rate = 0.0;
        e.duration = Some(0.0);
        e.bursts = vec![mote::artifact::Burst::once(3)];
    });
    assert!(codes(&doc).contains(&"endless-loop"));
    set(&mut doc, |e| e.loops = 1);
    assert!(!codes(&doc).contains(&"endless-loop"));
}

#[test]
fn compiler_refuses_a_curve_that_no_program_can_hold() {
    let keys = (0..10_000_u32)
        // No two neighbours lie on one line, and no cubic follows them.
        .map(|i| Key::linear(i as f32, (i * i % 7_919 % 101) as f32))
        .collect();
    let mut doc = Doc::new();
    doc.field("x", FieldType::Float);
    let mut node = Node::new(id("curve"), "curve");
    node.settings
        .insert("curve".to_owned(), Setting::Curve(Curve::new(keys).unwrap()));
    doc.node(FlowKind::EveryFrame, node);
    doc.node(
        FlowKind::EveryFrame,
        Node::new(id("read"), "get_field").set("field", "x"),
    );
    doc.node(
        FlowKind::EveryFrame,
        Node::new(id("set"), "set_field").set("field", "x"),
    );
    doc.wire(FlowKind::EveryFrame, ("read", "out"), ("curve", "x"));
    doc.wire(FlowKind::EveryFrame, ("curve", "out"), ("set", "value"));
    let compiled = compile(&doc.0);
    assert!(compiled.effect.is_none());
    assert!(
        compiled.errors().all(|d| d.code == "too-large"),
        "{:?}",
        compiled.diagnostics
    );
}

#[test]
fn compiler_says_what_is_wrong_with_settings_and_wires_of_a_file() {
    let check = |node: &str, more: &str| -> Vec<(&'static str, String)> {
        let text = format!(
            r#"{{"mote": "document", "version": 1, "emitters": [{{"id": "e", "name": "E", "emission": {{"rate": 1}},
                "fields": [{{"name": "position", "type": "vec3"}}],
                "every_frame": {{"blocks": [{{"id": "s", "kind": "set_field"}}], "values": [{node}], "wires": [{more}]}}}}]}}"#
        );
        let compiled = compile(&file::load(text.as_bytes()).unwrap().document);
        let found = compiled.diagnostics.into_iter();
        let found = found.filter(|d| !matches!(d.code, "no-births" | "no-end"));
        found
            .map(|d| (d.code, format!("{} {}", d.message, d.help.unwrap_or_default())))
            .collect()
    };
    let of =
        |kind: &str, settings: &str| format!(r#"{{"id": "n", "kind": "{kind}", "settings": {settings}}}"#);
    for (node, code, says) in [
        (
            of("gradient", r#"{"gradient": "red"}"#),
            "bad-setting",
            "gradient",
        ),
        (
            of("gradient", r#"{"gradient": {"colors": [[0, 1, 0, 0]]}}"#),
            "bad-setting",
            "gradient",
        ),
        (
            of("curve", r#"{"curvee": {"curve": [[0, 1]]}}"#),
            "unknown-setting",
            "curve_y",
        ),
        (of("curve", r#"{"curve": "linear"}"#), "bad-setting", "curve"),
        (of("random", r#"{"draw": "fram"}"#), "bad-setting", "emitter"),
        (of("random", r#"{"type": "vec9"}"#), "bad-setting", "vec3"),
        (of("op.add", r#"{"a": "1"}"#), "unknown-setting", "inputs"),
        (of("library.nowhere", "{}"), "unknown-node", "--library"),
        (of("group.nope", "{}"), "unknown-node", "group"),
    ] {
        let found = check(&node, "");
        assert!(
            found.iter().any(|(c, text)| *c == code && text.contains(says)),
            "{node}: {found:?}"
        );
    }
    let fine = of("random", r#"{"draw": "loop", "type": "vec3"}"#);
    assert_eq!(check(&fine, ""), []);
    let found = check(&fine, r#""n.out -> nobody.x""#);
    assert!(
        found[0].0 == "broken-wire" && found[0].1.contains("nobody"),
        "{found:?}"
    );
    let found = check(&of("builtin", r#"{"builtin": "tme"}"#), r#""n.out -> s.value""#);
    assert!(found[0].1.contains("delta_time"), "{found:?}");
}

#[test]
fn compiler_gives_no_advice_on_what_it_refuses_and_gives_it_on_the_next_emitter() {
    let emitter =
        |id: &str, rate: &str| format!(r#"{{"id": "{id}", "name": "{id}", "emission": {{"rate": {rate}}}}}"#);
    let text = format!(
        r#"{{"mote": "document", "version": 1, "emitters": [{}, {}]}}"#,
        emitter("a", "-5"),
        emitter("b", "0")
    );
    let compiled = compile(&file::load(text.as_bytes()).unwrap().document);
    let of = |code: &str| -> Vec<String> {
        let found = compiled.diagnostics.iter().filter(|d| d.code == code);
        found
            .map(|d| d.place.emitter.clone().unwrap().to_string())
            .collect()
    };
    assert_eq!(of("out-of-range"), ["a"]);
    assert_eq!(of("no-births"), ["b"]);
}
