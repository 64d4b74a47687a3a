//! Curves and gradients against their exact meaning, on the executor.

use mote::base::curve::{AlphaKey, ColorKey, Curve, Ends, Gradient, Interpolation, Key};
use mote::base::diag::{FlowKind, Severity};
use mote::base::rng::DrawKey;
use mote::compiler::{compile, curve_program, gradient_program};
use mote::document::file;
use mote::graph::{InputMode, Node, Setting};
use mote::isa::RECORD_WORDS;
use mote::isa::program::Program;
use mote::isa::verify::verify;
use mote::layout::FieldType;
use mote::vm::{Builtins, Environment, run};

use crate::authoring::{Doc, Particle, id};
use crate::support::Rolls;
use crate::support::curves::{inputs, random_curve, signed, unit};

/// What a program of one curve or gradient stores at `x`.
fn at(program: &Program, x: f32, lanes: usize) -> [f32; 4] {
    let builtins = Builtins::default();
    let environment = Environment {
        constants: &program.constants,
        emitter_fields: &[],
        globals: &[],
        builtins: &builtins,
        key: DrawKey {
            seed: 0,
            ordinal: 0,
            step: 0,
            loop_index: 0,
        },
        wind: None,
    };
    let mut record = [0; RECORD_WORDS as usize];
    record[2] = x.to_bits();
    run(&program.update, &environment, &mut record);
    let first = if lanes == 1 { 3 } else { 4 };
    std::array::from_fn(|lane| f32::from_bits(record[(first + lane).min(31)]))
}

/// Checks a curve at inputs; gives the largest part of its scale that it was off by.
fn check(curve: &Curve, program: &Program, xs: &[f32]) -> f64 {
    let scale = curve.magnitude().max(1.0);
    let mut most = 0.0_f64;
    for &x in xs {
        let (found, exact) = (f64::from(at(program, x, 1)[0]), curve.eval(f64::from(x)));
        let off = (found - exact).abs() / scale;
        assert!(off <= 1e-5, "{curve:?} at {x:e}: {found} for {exact}");
        most = most.max(off);
    }
    most
}

#[test]
fn random_curves_are_as_exact_as_is_said() {
    let start = std::env::var("MOTE_ROLLS")
        .ok()
        .and_then(|text| text.parse().ok());
    let start = start.unwrap_or(20_260_101);
    println!("MOTE_ROLLS={start}");
    let mut rolls = Rolls(start);
    let mut most = 0.0_f64;
    for _ in 0..10_000 {
        let curve = random_curve(&mut rolls);
        let program = curve_program(&curve).unwrap();
        let times: Vec<f32> = curve.keys().iter().map(|k| k.t).collect();
        most = most.max(check(&curve, &program, &inputs(&times, &mut rolls, 12)));
        if let (1, Some(last)) = (curve.keys().len(), curve.keys().last()) {
            assert_eq!(at(&program, 5.0, 1)[0], last.v);
        }
    }
    println!("off by at most {most:e} of the scale");
}

#[test]
fn random_gradients_are_as_exact_as_is_said() {
    let mut rolls = Rolls(77);
    for _ in 0..1_000 {
        let plain = [
            Interpolation::Constant,
            Interpolation::Linear,
            Interpolation::Smooth,
        ];
        let keys = (0..1 + rolls.below(8))
            .map(|_| ColorKey {
                stops: if rolls.below(2) == 0 {
                    0.0
                } else {
                    signed(&mut rolls, 4.0)
                },
                interpolation: plain[rolls.below(3) as usize],
                ..ColorKey::new(unit(&mut rolls), std::array::from_fn(|_| unit(&mut rolls)))
            })
            .collect();
        let alphas = (0..rolls.below(5))
            .map(|_| AlphaKey {
                interpolation: plain[rolls.below(3) as usize],
                ..AlphaKey::new(unit(&mut rolls), unit(&mut rolls))
            })
            .collect();
        let gradient = Gradient::new(keys).unwrap().with_alphas(alphas).unwrap();
        let gradient = gradient.with_ends(Ends::ALL[rolls.below(2) as usize]);
        let program = gradient_program(&gradient).unwrap();
        let channels = gradient.channels();
        let times: Vec<f32> = gradient.keys().iter().map(|k| k.t).collect();
        for x in inputs(&times, &mut rolls, 20) {
            let (found, exact) = (at(&program, x, 4), gradient.eval(f64::from(x)));
            for lane in 0..4 {
                let bound = 1e-5 * channels[lane].magnitude().max(1.0);
                let off = (f64::from(found[lane]) - exact[lane]).abs();
                assert!(off <= bound, "{gradient:?} at {x:e}: {found:?} for {exact:?}");
            }
        }
    }
}

fn linear(keys: &[(f32, f32)]) -> Curve {
    Curve::new(keys.iter().map(|&(t, v)| Key::linear(t, v)).collect()).unwrap()
}

#[test]
fn case_b20_values_outside_0_to_1_are_computed() {
    let curve = linear(&[(0.0, -1.0), (0.1, 0.0), (0.2, 0.2), (0.8, 0.9), (1.0, 2.0)]);
    let program = curve_program(&curve).unwrap();
    for (x, v) in [(0.1, 0.0), (0.5, 0.55), (0.9, 1.45)] {
        assert!((at(&program, x, 1)[0] - v).abs() <= 1e-6, "{x}");
    }
    for (x, v) in [(0.0, -1.0), (1.0, 2.0), (-0.5, -1.0), (1.5, 2.0)] {
        assert_eq!(at(&program, x, 1)[0], v, "{x}");
    }
}

#[test]
fn case_b21_no_key_one_key_doubled_and_unsorted_keys() {
    let wrong = |keys: &str| {
        let text = with_curve(keys);
        file::load(text.as_bytes()).unwrap_err().to_string()
    };
    let empty = wrong("[]");
    assert!(
        empty.contains("settings.curve.curve") && empty.contains("at least one key"),
        "{empty}"
    );
    assert!(wrong("{\"ends\":\"loop\",\"keys\":[]}").contains("at least one key"));
    for ends in Ends::ALL {
        let one = curve_program(&linear(&[(0.3, 7.0)]).with_ends(ends)).unwrap();
        for x in [-1.0, 0.3, 2.0, f32::NAN, f32::INFINITY] {
            assert_eq!(at(&one, x, 1)[0], 7.0);
        }
        let at_once = curve_program(&linear(&[(0.5, 1.0), (0.5, 2.0)]).with_ends(ends)).unwrap();
        assert_eq!([0.4, 0.5].map(|x| at(&at_once, x, 1)[0]), [1.0, 2.0]);
    }
    let doubled = curve_program(&linear(&[(0.0, 0.0), (0.5, 1.0), (0.5, 0.0), (1.0, 1.0)])).unwrap();
    assert!((at(&doubled, 0.4999, 1)[0] - 0.9998).abs() < 1e-6);
    assert_eq!([0.5, 0.75].map(|x| at(&doubled, x, 1)[0]), [0.0, 0.5]);

    // Out of order: in order, with a word about it that names the node, until it is saved.
    let loaded = file::load(with_curve("[[1,1],[0,0]]").as_bytes())
        .unwrap()
        .document;
    let compiled = compile(&loaded);
    let found: Vec<_> = compiled
        .diagnostics
        .iter()
        .filter(|d| d.code == "unsorted-keys")
        .collect();
    assert_eq!(found.len(), 1, "{:?}", compiled.diagnostics);
    assert_eq!(found[0].severity, Severity::Warning);
    assert!(found[0].place.to_string().contains("ramp"), "{}", found[0]);
    let mut particle = Particle::new(&loaded);
    particle.set("x", &[0.25]);
    assert_eq!(particle.step(0.0).get("x"), [0.25]);
    let saved = file::load(file::save(&loaded).as_bytes()).unwrap().document;
    assert!(
        compile(&saved)
            .diagnostics
            .iter()
            .all(|d| d.code != "unsorted-keys")
    );
}

/// A document whose field x becomes a curve of itself.
fn with_curve(keys: &str) -> String {
    r#"{"mote":"document","version":1,"emitters":[{"id":"e","fields":[{"name":"x","type":"float"}],
        "every_frame":{"blocks":[{"id":"set","kind":"set_field","settings":{"field":"x"}}],
        "values":[{"id":"get","kind":"get_field","settings":{"field":"x"}},
          {"id":"ramp","kind":"curve","settings":{"curve":{"curve":KEYS}}}],
        "wires":["get.out -> ramp.x","ramp.out -> set.value"]}}]}"#
        .replace("KEYS", keys)
}

#[test]
fn case_b21_10000_keys_compile_where_fewer_say_the_same() {
    let keys = |value: &dyn Fn(f64) -> f64| {
        let keys = (0..10_000).map(|i| Key::linear(i as f32, value(f64::from(i)) as f32));
        Curve::new(keys.collect()).unwrap()
    };
    // Every seventh key turns: two straight lines a turn are left.
    let saw = keys(&|i| i % 7.0);
    let sine = keys(&|i| (i * 0.002).sin() * 40.0);
    let straight = keys(&|i| i * 0.25);
    let mut rolls = Rolls(5);
    for (curve, most) in [(&saw, 9_000), (&sine, 600), (&straight, 12)] {
        let program = curve_program(curve).unwrap();
        verify(&program, 0).unwrap();
        println!(
            "{} instructions, {} constants",
            program.update.len(),
            program.constants.len()
        );
        assert!(program.update.len() <= most, "{}", program.update.len());
        assert!(program.registers <= 32, "{}", program.registers);
        let times: Vec<f32> = curve.keys().iter().map(|k| k.t).collect();
        check(curve, &program, &inputs(&times, &mut rolls, 300));
    }
    let program = curve_program(&saw).unwrap();
    assert_eq!(at(&program, 9_998.0, 1)[0], (9_998 % 7) as f32);
    let text: Vec<String> = (0..10_000).map(|i| format!("[{i},{}]", i % 7)).collect();
    let document = file::load(with_curve(&format!("[{}]", text.join(","))).as_bytes())
        .unwrap()
        .document;
    assert!(compile(&document).effect.is_some());
    let noise = keys(&|i| f64::from((i as u32 * i as u32) % 7_919 % 101));
    assert_eq!(curve_program(&noise), None);
}

#[test]
fn many_keys_are_joined_within_what_is_said() {
    let mut rolls = Rolls(9);
    let (mut keys, mut pieces) = (0, 0);
    for _ in 0..40 {
        // Waves of several lengths through many keys, straight or with their slopes, with a step here and there.
        let waves: Vec<[f32; 3]> = (0..3)
            .map(|_| {
                [
                    signed(&mut rolls, 20.0),
                    2.0 + 20.0 * unit(&mut rolls),
                    unit(&mut rolls),
                ]
            })
            .collect();
        let straight = rolls.below(2) == 0;
        let count = 50 + rolls.below(1_500);
        let mut step = 0.0;
        let made = (0..count).map(|i| {
            let t = i as f32 / count as f32 * 3.0;
            let sum = |f: &dyn Fn(&[f32; 3]) -> f32| waves.iter().map(f).sum::<f32>();
            if rolls.below(200) == 0 {
                step = signed(&mut rolls, 10.0);
            }
            let slope = sum(&|[a, w, p]| a * w * (w * t + p).cos());
            Key {
                interpolation: if straight {
                    Interpolation::Linear
                } else {
                    Interpolation::Bezier
                },
                tangent_in: slope,
                tangent_out: slope,
                ..Key::linear(t, step + sum(&|[a, w, p]| a * (w * t + p).sin()))
            }
        });
        let ends = Ends::ALL[(count % 2) as usize];
        let curve = Curve::new(made.collect()).unwrap().with_ends(ends);
        let program = curve_program(&curve).unwrap();
        // Straight lines far apart are what they are; curved ones hide how many keys they were cut into.
        if !straight {
            keys += curve.keys().len();
            pieces += program.update.len() / 5;
        }
        assert!(
            program.registers <= mote::compiler::MAX_SLOTS,
            "{}",
            program.registers
        );
        let times: Vec<f32> = curve.keys().iter().map(|k| k.t).collect();
        check(&curve, &program, &inputs(&times, &mut rolls, 200));
    }
    println!("{keys} keys in {pieces} pieces");
    assert!(pieces * 4 < keys, "{pieces} of {keys}");
}

#[test]
fn case_b23_the_last_segment_ends_at_its_last_key() {
    let curve = linear(&[(0.0, 0.0), (10.0, 10.0)]);
    let program = curve_program(&curve).unwrap();
    for frame in 0..=10 {
        assert_eq!(at(&program, frame as f32, 1)[0], frame as f32);
    }
    assert_eq!(at(&program, 10.0_f32.next_down(), 1)[0], 10.0_f32.next_down());
}

#[test]
fn a_loop_keeps_its_step_exact_a_million_periods_away() {
    for period in [1.0_f32, 0.1, 0.7, 3.3] {
        let saw = linear(&[(0.0, 0.0), (period, 1.0)]).with_ends(Ends::Loop);
        let program = curve_program(&saw).unwrap();
        for n in [1, 7, 1_000, 99_999, 1_000_000] {
            let x = (f64::from(period) * f64::from(n)) as f32;
            let xs = [x.next_down(), x, x.next_up(), -x, -x.next_up()];
            check(&saw, &program, &xs);
        }
        assert!(program.update.len() < 30, "{}", program.update.len());
    }
}

#[test]
fn keys_cost_as_little_as_is_said() {
    let count = |n: u32, interpolation| {
        let key = |i: u32| Key {
            interpolation,
            tangent_in: 1.0,
            tangent_out: (i % 3) as f32,
            ..Key::linear(i as f32, (i * i % 7) as f32)
        };
        curve_program(&Curve::new((0..n).map(key).collect()).unwrap())
            .unwrap()
            .update
            .len()
    };
    for (interpolation, each) in [
        (Interpolation::Constant, 2),
        (Interpolation::Linear, 3),
        (Interpolation::Bezier, 5),
    ] {
        assert_eq!(
            count(12, interpolation) - count(8, interpolation),
            4 * each,
            "{interpolation:?}"
        );
    }
}

#[test]
fn a_curve_node_has_one_to_four_channels() {
    let (a, b, c) = (
        linear(&[(0.0, 0.0), (1.0, 2.0)]),
        linear(&[(0.0, 1.0), (0.25, 5.0), (1.0, 0.0)]),
        linear(&[(0.0, -1.0), (1.0, 1.0)]).with_ends(Ends::Loop),
    );
    let mut doc = Doc::new();
    doc.field("x", FieldType::Float).field("y", FieldType::Vec3);
    let mut node = Node::new(id("node"), "curve").set("type", "vec3");
    for (name, curve) in [("curve", &a), ("curve_y", &b), ("curve_z", &c)] {
        node.settings
            .insert(name.to_owned(), Setting::Curve(curve.clone()));
    }
    let flow = FlowKind::EveryFrame;
    doc.node(flow, node);
    doc.node(flow, Node::new(id("x"), "get_field").set("field", "x"));
    doc.node(flow, Node::new(id("y"), "set_field").set("field", "y"));
    doc.wire(flow, ("x", "out"), ("node", "x"));
    doc.wire(flow, ("node", "out"), ("y", "value"));
    let saved = file::load(file::save(&doc.0).as_bytes()).unwrap().document;
    assert_eq!(file::save(&saved), file::save(&doc.0));
    let mut particle = Particle::new(&saved);
    for x in [-0.5, 0.0, 0.1, 0.25, 0.6, 1.0, 1.75] {
        particle.set("x", &[x]);
        let found = particle.step(0.0).get("y");
        for (lane, curve) in [&a, &b, &c].into_iter().enumerate() {
            assert!(
                (f64::from(found[lane]) - curve.eval(f64::from(x))).abs() < 1e-5,
                "{x}: {found:?}"
            );
        }
    }
}

#[test]
fn curves_baked_at_the_same_times_fit_one_program() {
    let mut rolls = Rolls(3);
    let mut baked = || {
        let keys = (0..120).map(|i| Key::linear(i as f32 / 119.0, signed(&mut rolls, 2.0)));
        Curve::new(keys.collect()).unwrap()
    };
    let curves = [baked(), baked(), baked()];
    let flow = FlowKind::EveryFrame;
    let mut doc = Doc::new();
    doc.field("x", FieldType::Float);
    doc.node(flow, Node::new(id("x"), "get_field").set("field", "x"));
    for (name, curve) in ["a", "b", "c"].into_iter().zip(&curves) {
        doc.field(name, FieldType::Float);
        let mut node = Node::new(id(&format!("curve-{name}")), "curve");
        node.settings
            .insert("curve".to_owned(), Setting::Curve(curve.clone()));
        doc.node(flow, node);
        doc.node(
            flow,
            Node::new(id(&format!("set-{name}")), "set_field").set("field", name),
        );
        doc.wire(flow, ("x", "out"), (&format!("curve-{name}"), "x"));
        doc.wire(
            flow,
            (&format!("curve-{name}"), "out"),
            (&format!("set-{name}"), "value"),
        );
    }
    let compiled = compile(&doc.0);
    assert!(compiled.effect.is_some(), "{:?}", compiled.diagnostics);
    let mut particle = Particle::new(&doc.0);
    for x in [0.0, 0.31, 0.5, 0.999] {
        particle.set("x", &[x]);
        particle.step(0.0);
        for (name, curve) in ["a", "b", "c"].into_iter().zip(&curves) {
            assert!((f64::from(particle.get(name)[0]) - curve.eval(f64::from(x))).abs() < 2e-5);
        }
    }
}

#[test]
fn a_curve_over_speed_reads_the_velocity() {
    let speed = |range| InputMode::SpeedCurve {
        curve: linear(&[(0.0, 1.0), (1.0, 3.0)]),
        range,
    };
    let size = |doc: &Doc, velocity: [f32; 3]| {
        let mut particle = Particle::new(&doc.0);
        particle.set("velocity", &velocity);
        particle.step(0.0).get("size")[0]
    };
    for (range, expected) in [
        ([0.0, 10.0], 2.0),
        ([4.0, 6.0], 2.0),
        ([5.0, 5.0], 3.0),
        ([0.0, 2.5], 3.0),
    ] {
        let mut doc = Doc::new();
        doc.field("velocity", FieldType::Vec3)
            .field("size", FieldType::Float);
        let node = Node::new(id("set"), "set_field").set("field", "size");
        doc.node(FlowKind::EveryFrame, node.input("value", speed(range)));
        assert!((size(&doc, [3.0, 4.0, 0.0]) - expected).abs() < 1e-5, "{range:?}");
        let text = file::save(&doc.0);
        assert_eq!(text.contains("\"range\""), range != [0.0, 10.0], "{text}");
        assert_eq!(file::load(text.as_bytes()).unwrap().document, doc.0);
    }
    let text = r#"{"mote":"document","version":1,"emitters":[{"id":"e","fields":[{"name":"size","type":"float"}],
        "every_frame":{"blocks":[{"id":"set","kind":"set_field","settings":{"field":"size"},
          "inputs":{"value":{"curve":[[0,1]],"over":"speed"}}}]}}]}"#;
    let compiled = compile(&file::load(text.as_bytes()).unwrap().document);
    let found: Vec<_> = compiled.errors().collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].code == "missing-field" && found[0].message.contains("velocity"),
        "{}",
        found[0]
    );
    let newer = text.replace("\"speed\"", "\"heat\"");
    let document = file::load(newer.as_bytes()).unwrap().document;
    assert!(file::save(&document).contains("\"heat\""));
}

#[test]
fn curves_and_gradients_are_written_in_their_shortest_form() {
    let forms = [
        ("curve", "[[0, 1], [1, 2, \"bezier\", 3, 4]]"),
        (
            "curve",
            "{\"ends\": \"loop\", \"keys\": [[0, 1], [1, 2, \"constant\"]]}",
        ),
        ("gradient", "[[0, 1, 0.5, 0, 1], [1, 1, 1, 1, 0, \"smooth\", 2]]"),
        (
            "gradient",
            "{\"alphas\": [[0, 1], [1, 0, \"smooth\"]], \"colors\": [[0, 1, 0.5, 0], [1, 1, 1, 1, \"constant\"]]}",
        ),
        (
            "gradient",
            "{\"colors\": [[0, 1, 0.5, 0, 1]], \"ends\": \"loop\"}",
        ),
    ];
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    for (kind, form) in forms {
        let text = with_curve("KEYS").replace(
            "\"curve\":{\"curve\":KEYS}",
            &format!("\"{kind}\":{{\"{kind}\":{form}}}"),
        );
        let text = text.replace("\"kind\":\"curve\"", &format!("\"kind\":\"{kind}\""));
        let document = file::load(text.as_bytes()).unwrap().document;
        let saved = file::save(&document);
        assert!(
            squeezed(&saved).contains(&squeezed(form)),
            "{form} became {saved}"
        );
        assert_eq!(file::load(saved.as_bytes()).unwrap().document, document);
    }
    let held = with_curve("{\"ends\":\"hold\",\"keys\":[[0,1]]}");
    let saved = file::save(&file::load(held.as_bytes()).unwrap().document);
    assert!(!saved.contains("ends"), "{saved}");
    let wrong = with_curve("{\"ends\":\"bounce\",\"keys\":[[0,1]]}");
    assert!(
        file::load(wrong.as_bytes())
            .unwrap_err()
            .to_string()
            .contains("bounce")
    );
}
