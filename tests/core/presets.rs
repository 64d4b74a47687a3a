//! The presets, number by number, and the library they are made of.

use mote::artifact::{Blend, Emission};
use mote::base::diag::{Diagnostic, FlowKind};
use mote::compiler::{MAX_SLOTS, compile};
use mote::document::{Document, Emitter, presets};
use mote::graph::{Body, InputMode, Registry, registry};

use crate::authoring::{Doc, Particle, id};

/// The same table again, typed from the specification and not from the generator.
struct Row {
    name: &'static str,
    shape: (&'static str, &'static [(&'static str, &'static [f32])]),
    velocity: (&'static str, &'static [(&'static str, &'static [f32])]),
    speed: Option<[f32; 2]>,
    gravity: Option<[f32; 3]>,
    drag: Option<f32>,
    life: [f32; 2],
    size: [f32; 2],
    growth: Option<f32>,
    spin: Option<f32>,
    color: [[f32; 3]; 2],
    alpha: f32,
    blend: Blend,
    rate: f32,
    burst: Option<(u32, f32)>,
}

const FALL: Option<[f32; 3]> = Some([0.0, -9.8, 0.0]);
const UP: (&str, &[f32]) = ("direction", &[0.0, 1.0, 0.0]);

#[rustfmt::skip]
const TABLE: &[Row] = &[
    Row { name: "explosion", shape: ("shape_point", &[]), velocity: ("velocity_sphere", &[]), speed: Some([2.0, 8.0]), gravity: FALL, drag: Some(0.1), life: [0.5, 1.5], size: [0.05, 0.15], growth: Some(-0.05), spin: Some(5.0), color: [[0.8, 0.3, 0.0], [1.0, 0.8, 0.3]], alpha: 1.0, blend: Blend::Additive, rate: 0.0, burst: Some((250, 2.0)) },
    Row { name: "water_jet", shape: ("shape_point", &[]), velocity: ("velocity_cone", &[UP, ("angle", &[std::f32::consts::PI / 18.0])]), speed: Some([3.0, 5.0]), gravity: FALL, drag: Some(0.01), life: [1.0, 2.0], size: [0.03, 0.05], growth: None, spin: None, color: [[0.3, 0.5, 0.8], [0.5, 0.8, 1.0]], alpha: 0.8, blend: Blend::Alpha, rate: 400.0, burst: None },
    Row { name: "rain", shape: ("shape_plane", &[("normal", &[0.0, 1.0, 0.0]), ("size", &[20.0, 20.0]), ("center", &[0.0, 10.0, 0.0])]), velocity: ("velocity_box", &[("min", &[-0.3, -5.0, -0.3]), ("max", &[0.3, -5.0, 0.3])]), speed: None, gravity: None, drag: None, life: [3.0, 5.0], size: [0.01, 0.02], growth: None, spin: None, color: [[0.7, 0.8, 1.0], [1.0, 1.0, 1.0]], alpha: 0.3, blend: Blend::Alpha, rate: 800.0, burst: None },
    Row { name: "smoke", shape: ("shape_box", &[("half_extents", &[0.15, 0.0, 0.15])]), velocity: ("velocity_cone", &[UP, ("angle", &[std::f32::consts::FRAC_PI_4])]), speed: Some([0.3, 1.0]), gravity: Some([0.0, 0.3, 0.0]), drag: Some(0.3), life: [2.0, 4.0], size: [0.2, 0.4], growth: Some(0.3), spin: Some(2.0), color: [[0.3, 0.3, 0.3], [0.7, 0.7, 0.7]], alpha: 0.4, blend: Blend::Alpha, rate: 25.0, burst: None },
    Row { name: "fire", shape: ("shape_point", &[]), velocity: ("velocity_cone", &[UP, ("angle", &[std::f32::consts::PI / 9.0])]), speed: Some([1.0, 3.0]), gravity: Some([0.0, 0.5, 0.0]), drag: Some(0.2), life: [0.3, 0.8], size: [0.15, 0.3], growth: Some(-0.2), spin: Some(8.0), color: [[1.0, 0.3, 0.0], [1.0, 0.9, 0.2]], alpha: 1.0, blend: Blend::Additive, rate: 150.0, burst: None },
    Row { name: "snow", shape: ("shape_plane", &[("normal", &[0.0, 1.0, 0.0]), ("size", &[10.0, 10.0]), ("center", &[0.0, 5.0, 0.0])]), velocity: ("velocity_box", &[("min", &[-0.2, -0.5, -0.2]), ("max", &[0.2, -0.5, 0.2])]), speed: None, gravity: None, drag: None, life: [5.0, 10.0], size: [0.02, 0.04], growth: None, spin: Some(3.0), color: [[0.9, 0.9, 1.0], [1.0, 1.0, 1.0]], alpha: 0.8, blend: Blend::Alpha, rate: 200.0, burst: None },
    Row { name: "sparkles", shape: ("shape_sphere", &[("radius", &[0.3])]), velocity: ("velocity_sphere", &[]), speed: Some([0.1, 0.5]), gravity: None, drag: Some(0.5), life: [1.0, 3.0], size: [0.02, 0.05], growth: Some(-0.01), spin: None, color: [[1.0, 0.8, 0.4], [1.0, 1.0, 1.0]], alpha: 1.0, blend: Blend::Additive, rate: 40.0, burst: None },
    Row { name: "debris", shape: ("shape_point", &[]), velocity: ("velocity_sphere", &[]), speed: Some([1.0, 6.0]), gravity: FALL, drag: Some(0.02), life: [1.0, 3.0], size: [0.03, 0.08], growth: None, spin: Some(10.0), color: [[0.4, 0.3, 0.15], [0.8, 0.6, 0.3]], alpha: 1.0, blend: Blend::Alpha, rate: 0.0, burst: Some((80, 3.0)) },
];

fn differences(emitter: &Emitter, row: &Row) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut check = |kind: &str, port: &str, expected: Option<InputMode>| {
        let node = FlowKind::ALL
            .into_iter()
            .flat_map(|flow| emitter.flow(flow).nodes())
            .find(|n| n.kind == kind);
        let found = node.and_then(|node| node.inputs.get(port).cloned());
        let same = match (&found, &expected) {
            (Some(InputMode::Value(a)), Some(InputMode::Value(b))) => {
                a.width() == b.width()
                    && a.values()
                        .iter()
                        .zip(b.values())
                        .all(|(a, b)| (a - b).abs() <= 1e-7)
            }
            (None, None) => node.is_none(),
            _ => found == expected,
        };
        if !same {
            wrong.push(format!("{kind}.{port}: {found:?}, not {expected:?}"));
        }
    };
    let value = |values: &[f32]| Some(InputMode::Value(mote::graph::Lanes::new(values).unwrap()));
    let range = |[a, b]: [f32; 2]| Some(InputMode::random(a, b));
    for (kind, ports) in [row.shape, row.velocity] {
        for (port, values) in ports {
            check(kind, port, value(values));
        }
    }
    if let Some(speed) = row.speed {
        check(row.velocity.0, "speed", range(speed));
    }
    check("gravity", "acceleration", row.gravity.and_then(|g| value(&g)));
    check("drag", "drag", row.drag.and_then(|k| value(&[k])));
    check("birth_lifetime", "lifetime", range(row.life));
    check("birth_size", "size", range(row.size));
    check("grow", "growth", row.growth.and_then(|g| value(&[g])));
    check("birth_spin", "spin", row.spin.and_then(|s| range([-s, s])));
    let [low, high] = row.color.map(|[r, g, b]| [r, g, b, 1.0]);
    check("birth_color", "color", Some(InputMode::random(low, high)));
    check("alpha_fade", "alpha_scale", value(&[row.alpha]));
    let blocks: Vec<&str> = FlowKind::ALL
        .into_iter()
        .flat_map(|f| &emitter.flow(f).blocks)
        .map(|b| b.kind.as_str())
        .collect();
    for kind in [row.shape.0, row.velocity.0, "move", "age"] {
        if !blocks.contains(&kind) {
            wrong.push(format!("no {kind}"));
        }
    }
    if blocks.contains(&"spin_roll") != row.spin.is_some() {
        wrong.push("spin without turning, or turning without spin".to_owned());
    }
    if emitter.render().blend != row.blend {
        wrong.push("blend".to_owned());
    }
    let e: &Emission = emitter.emission();
    let burst = e.bursts.first().map(|b| (b.min, e.duration.unwrap_or(0.0)));
    let endless = e.loops == 0 && e.loop_delay == 0.0 && e.delay == 0.0;
    let once = e
        .bursts
        .iter()
        .all(|b| b.time == 0.0 && b.min == b.max && b.cycles == 1 && b.chance == 1.0);
    if e.rate != row.rate || burst != row.burst || !endless || !once || e.bursts.len() > 1 {
        wrong.push(format!("emission {e:?}"));
    }
    let (count, every) = row.burst.unwrap_or((0, 1.0));
    let most = (row.rate * row.life[1]).max(count as f32 * (row.life[1] / every).ceil());
    if (e.capacity as f32) < most || e.capacity as f32 > 2.5 * most {
        wrong.push(format!("capacity {} for {most}", e.capacity));
    }
    wrong
}

#[test]
fn presets_have_the_numbers_of_the_table() {
    for row in TABLE {
        let document = presets::preset(row.name).unwrap();
        let wrong = differences(&document.emitters()[0], row);
        assert!(wrong.is_empty(), "{}: {wrong:#?}", row.name);
    }
    assert_eq!(presets::presets().count(), TABLE.len() + 1);
}

#[test]
fn presets_are_what_their_generator_makes() {
    let made = crate::make_presets::documents().unwrap();
    assert_eq!(made.len(), presets::presets().count());
    for (name, document) in made {
        let shipped = presets::presets().find(|preset| preset.name == name).unwrap();
        let text = mote::document::file::save(&document);
        assert!(
            text == shipped.text,
            "effects/{name}.mote is not what examples/make_presets.rs makes"
        );
    }
}

#[test]
fn presets_comparison_can_fail() {
    let fire = presets::preset("fire").unwrap();
    for row in TABLE {
        let wrong = differences(&fire.emitters()[0], row);
        assert_eq!(wrong.is_empty(), row.name == "fire", "{}", row.name);
    }
}

#[test]
fn presets_compile_cleanly_and_are_small() {
    for preset in presets::presets() {
        let document = presets::preset(preset.name).unwrap();
        let compiled = compile(&document);
        let said: Vec<String> = compiled.diagnostics.iter().map(Diagnostic::to_string).collect();
        assert!(said.is_empty(), "{}: {said:#?}", preset.name);
        let effect = compiled.effect.unwrap();
        mote::artifact::validate::validate(&effect).unwrap();
        for program in &effect.programs {
            assert!(program.registers <= MAX_SLOTS);
        }
        for emitter in document.emitters() {
            let nodes: usize = FlowKind::ALL
                .into_iter()
                .map(|f| emitter.flow(f).nodes().count())
                .sum();
            assert!(nodes <= 14, "{}: {nodes} nodes", preset.name);
            for flow in FlowKind::ALL.map(|f| emitter.flow(f)) {
                assert_eq!(flow.layout.nodes.len(), flow.nodes().count());
            }
        }
        assert_eq!(
            effect.emitters.len(),
            if preset.name == "bonfire" { 4 } else { 1 }
        );
    }
}

fn born(document: &Document, count: u32) -> Vec<Particle> {
    (0..count)
        .map(|ordinal| {
            let mut particle = Particle::new(document);
            particle.key.ordinal = ordinal;
            particle.birth();
            particle
        })
        .collect()
}

#[test]
fn presets_are_born_inside_their_ranges() {
    let length = |v: &[f32]| v.iter().map(|x| x * x).sum::<f32>().sqrt();
    for row in TABLE {
        let particles = born(&presets::preset(row.name).unwrap(), 200);
        let inside = |values: Vec<f32>, [low, high]: [f32; 2], what: &str| {
            for v in &values {
                assert!((low - 1e-5..=high + 1e-5).contains(v), "{}: {what} {v}", row.name);
            }
            let (min, max) = values
                .iter()
                .fold((f32::MAX, f32::MIN), |(a, b), &v| (a.min(v), b.max(v)));
            assert!(
                max - min >= 0.85 * (high - low),
                "{}: {what} spreads over {min} to {max}",
                row.name
            );
        };
        let all = |field: &str, lane: usize| particles.iter().map(|p| p.get(field)[lane]).collect::<Vec<_>>();
        inside(all("lifetime", 0), row.life, "lifetime");
        inside(all("size", 0), row.size, "size");
        for lane in 0..3 {
            inside(
                all("color", lane),
                [row.color[0][lane], row.color[1][lane]],
                "color",
            );
        }
        if let Some(speed) = row.speed {
            inside(
                particles.iter().map(|p| length(&p.get("velocity"))).collect(),
                speed,
                "speed",
            );
        }
        if let Some(spin) = row.spin {
            inside(all("spin", 0), [-spin, spin], "spin");
        }
        for (port, values) in row.velocity.1 {
            if *port == "angle" {
                let angle = |v: Vec<f32>| (v[1] / length(&v)).clamp(-1.0, 1.0).acos();
                inside(
                    particles.iter().map(|p| angle(p.get("velocity"))).collect(),
                    [0.0, values[0]],
                    "angle",
                );
            }
        }
        for particle in &particles {
            let p = particle.get("position");
            let at = match row.name {
                "rain" => p[0].abs() <= 10.0 && p[1] == 10.0 && p[2].abs() <= 10.0,
                "snow" => p[0].abs() <= 5.0 && p[1] == 5.0 && p[2].abs() <= 5.0,
                "smoke" => p[0].abs() <= 0.15 && p[1] == 0.0 && p[2].abs() <= 0.15,
                "sparkles" => length(&p) <= 0.3 + 1e-6,
                _ => p == [0.0; 3],
            };
            assert!(at, "{}: {p:?}", row.name);
        }
    }
}

#[test]
fn presets_fade_evenly_and_never_shrink_below_nothing() {
    for row in TABLE {
        for mut particle in born(&presets::preset(row.name).unwrap(), 5) {
            let life = particle.get("lifetime")[0];
            let mut steps = 0;
            while !particle.killed {
                particle.step(1.0 / 60.0);
                steps += 1;
                assert!(steps < 1_000);
                let age = particle.get("age")[0];
                // The fade stands before the age in the flow.
                let before = age - 1.0 / 60.0;
                let alpha = row.alpha * (1.0 - before / life).clamp(0.0, 1.0);
                assert!((particle.get("color")[3] - alpha).abs() < 1e-4, "{}", row.name);
                assert!(particle.get("size")[0] >= 0.0);
                if row.spin.is_some() {
                    let q = particle.get("orientation");
                    assert!((q.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-5);
                    let turned = particle.get("spin")[0] * age;
                    assert!((q[3] - (turned / 2.0).cos()).abs() < 1e-3 && q[0] == 0.0 && q[1] == 0.0);
                }
            }
            assert_eq!(
                steps,
                (f64::from(life) * 60.0).ceil() as u32,
                "{}: {life}",
                row.name
            );
        }
    }
}

#[test]
fn library_files_all_read_and_say_what_they_are() {
    let (registry, failed) = Registry::standard();
    assert!(failed.is_empty(), "{failed:#?}");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/library");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let kind = registry
            .get(&name)
            .unwrap_or_else(|| panic!("{name} is not in the library's list"));
        assert!(matches!(kind.body, Body::Group(_)));
        let text = std::fs::read_to_string(&path).unwrap();
        let printed = mote::base::json::Json::parse(text.as_bytes())
            .unwrap()
            .value
            .print();
        assert_eq!(text, printed, "{name} is not canonical");
        files += 1;
    }
    assert_eq!(
        files,
        registry
            .kinds()
            .filter(|k| matches!(k.body, Body::Group(_)))
            .count()
    );
    let specials = registry
        .kinds()
        .filter(|k| matches!(k.body, Body::Special(_)))
        .count();
    assert!(specials <= 25, "{specials}");
    for kind in registry.kinds() {
        assert!(
            !kind.title.is_empty() && !kind.description.is_empty() && !kind.category.is_empty(),
            "{}",
            kind.id
        );
        assert!(
            kind.version >= 1 && (!kind.block || kind.slot.is_some()),
            "{}",
            kind.id
        );
        for port in kind.inputs.iter().chain(&kind.outputs) {
            assert!(!port.title.is_empty());
        }
    }
}

#[test]
fn library_blocks_and_nodes_each_compile_alone() {
    for kind in registry().kinds().filter(|k| k.listed) {
        let mut doc = Doc::new();
        for field in ["age", "lifetime"] {
            doc.field(field, mote::layout::FieldType::Float);
        }
        doc.field("velocity", mote::layout::FieldType::Vec3)
            .field("position", mote::layout::FieldType::Vec3);
        let needs_choice = matches!(kind.id.as_str(), "parameter" | "emitter_field" | "global");
        if needs_choice {
            continue;
        }
        for &flow in &kind.flows {
            let name = format!("n-{}", flow.name());
            doc.node(flow, mote::graph::Node::new(id(&name), &kind.id));
            if let Some(output) = kind.outputs.first() {
                // Something must use it, or it is dropped before it is looked at.
                let names = ["s", "c", "b"].map(|stem| format!("{stem}-{}", flow.name()));
                let [split, combine, block] = names.each_ref().map(String::as_str);
                let (target, port) = match flow {
                    FlowKind::Birth => ("set_velocity", "velocity"),
                    FlowKind::EveryFrame => ("gravity", "acceleration"),
                };
                for (name, kind) in [(split, "split"), (combine, "combine"), (block, target)] {
                    doc.node(flow, mote::graph::Node::new(id(name), kind));
                }
                doc.wire(flow, (&name, &output.name), (split, "value"));
                doc.wire(flow, (split, "x"), (combine, "x"))
                    .wire(flow, (combine, "out"), (block, port));
            }
        }
        let compiled = compile(&doc.0);
        let errors: Vec<String> = compiled.errors().map(Diagnostic::to_string).collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", kind.id);
    }
}

#[test]
fn search_finds_by_title_words_and_flow() {
    let first = |query: &str, flow| registry().search(query, flow).first().map(|k| k.id.clone());
    assert_eq!(first("gravity", None).as_deref(), Some("gravity"));
    assert_eq!(
        first("grav", Some(FlowKind::EveryFrame)).as_deref(),
        Some("gravity")
    );
    assert_eq!(first("friction", None).as_deref(), Some("drag"));
    assert_eq!(first("colour life", None).as_deref(), Some("color_over_life"));
    assert!(
        registry()
            .search("gravity", Some(FlowKind::Birth))
            .iter()
            .all(|k| k.id != "gravity")
    );
    assert!(registry().search("", Some(FlowKind::Birth)).len() > 40);
    assert!(registry().search("zzzz", None).is_empty());
}

#[test]
fn presets_programs_are_text_and_no_raw_words() {
    for preset in presets::presets() {
        let document = presets::preset(preset.name).unwrap();
        for program in compile(&document).effect.unwrap().programs {
            let text = mote::isa::disasm::disassemble(&program);
            assert!(!text.contains(".word"), "{}:\n{text}", preset.name);
        }
    }
}
