//! What the optimiser does and what it must not do.

use mote::artifact::Effect;
use mote::base::diag::FlowKind;
use mote::compiler::{Compiled, Options, compile_as};
use mote::document::{Document, presets};
use mote::graph::{InputMode, Node, registry};
use mote::inspect::parity::generate::{Rolls, world};
use mote::inspect::parity::same_word;
use mote::isa::{Op, Section};
use mote::layout::FieldType;
use mote::vm::trial::{Job, Record, World, run_scalar};

use crate::authoring::{Doc, id};
use crate::lowering::random_graph;

fn compiled(document: &Document, optimise: bool) -> Compiled {
    compile_as(document, registry(), Options { optimise })
}

/// The records of an effect's first emitter after birth and two steps, and after a step from given records.
fn run(effect: &Effect, world: &World, given: &[Record]) -> Vec<Record> {
    let emitter = &effect.emitters[0];
    let program = &effect.programs[emitter.program as usize];
    let world = World {
        emitter_fields: emitter.emitter_fields.clone(),
        ..world.clone()
    };
    let section = |section: Section, records: Vec<Record>| {
        let globals: Vec<u32> = (0..program.globals.len() as u32).collect();
        let job = Job {
            code: program
                .section(section)
                .iter()
                .map(|&i| mote::isa::link::link(i, &globals))
                .collect(),
            constants: program.constants.clone(),
            registers: program.registers,
            records,
        };
        run_scalar(&world, &[job]).remove(0)
    };
    let blank = given.iter().map(|record| {
        let mut blank = [0; 32];
        blank[..2].copy_from_slice(&record[..2]);
        blank
    });
    let mut born = section(Section::Init, blank.collect()).records;
    let mut killed = Vec::new();
    for _ in 0..2 {
        let ran = section(Section::Update, born);
        killed.extend(ran.killed);
        born = ran.records;
    }
    let stepped = section(Section::Update, given.to_vec());
    killed.extend(stepped.killed);
    born.extend(stepped.records);
    // Which particles ended is one more record a bit at a time.
    born.extend(killed.chunks(32).map(|flags| {
        let mut record = [0; 32];
        for (word, flag) in record.iter_mut().zip(flags) {
            *word = u32::from(*flag);
        }
        record
    }));
    born
}

/// Whether optimised and unoptimised programs of a document give the same records; none where one of them has
/// no program.
fn agree(document: &Document, seed: u32) -> Option<bool> {
    let effects = [true, false].map(|optimise| compiled(document, optimise).effect);
    let [Some(optimised), Some(plain)] = effects else {
        return None;
    };
    let mut rolls = Rolls::new(seed);
    let world = world(&mut rolls);
    let given: Vec<Record> = (0..24)
        .map(|i| {
            std::array::from_fn(|word| match word {
                0 => 1 << 16,
                1 => i,
                _ if i % 3 == 0 => rolls.number(),
                _ => rolls.ordinary(),
            })
        })
        .collect();
    let [a, b] = [&optimised, &plain].map(|effect| run(effect, &world, &given));
    let same = a
        .as_flattened()
        .iter()
        .zip(b.as_flattened())
        .all(|(a, b)| same_word(*a, *b));
    Some(same)
}

#[test]
fn optimiser_keeps_every_record_of_random_graphs() {
    let (mut compared, mut shorter) = (0, 0);
    for seed in 0..400 {
        let doc = random_graph(seed);
        if let Some(same) = agree(&doc.0, seed) {
            compared += 1;
            assert!(same, "seed {seed}");
            let length = |optimise| {
                let effect = compiled(&doc.0, optimise).effect.unwrap();
                effect.programs.iter().map(mote::isa::Program::len).sum::<usize>()
            };
            let (optimised, plain) = (length(true), length(false));
            assert!(optimised <= plain, "seed {seed}: {optimised} of {plain}");
            shorter += usize::from(optimised < plain);
        }
    }
    assert!(
        compared > 80 && shorter > 40,
        "{compared} compared, {shorter} shorter"
    );
}

#[test]
fn optimiser_keeps_every_record_of_the_presets() {
    for preset in presets::presets() {
        let document = presets::preset(preset.name).unwrap();
        assert_eq!(agree(&document, 3), Some(true), "{}", preset.name);
    }
}

/// The instructions of every frame's flow, field reads and stores aside.
fn ops(build: impl Fn(&mut Doc)) -> Vec<Op> {
    let mut doc = Doc::new();
    doc.field("p", FieldType::Vec3)
        .field("q", FieldType::Vec3)
        .field("s", FieldType::Float);
    for field in ["p", "q", "s"] {
        doc.node(
            FlowKind::EveryFrame,
            Node::new(id(&format!("get-{field}")), "get_field").set("field", field),
        );
    }
    build(&mut doc);
    assert_eq!(agree(&doc.0, 5), Some(true));
    let effect = compiled(&doc.0, true).effect.unwrap();
    let all = effect.programs[0].update.iter().filter_map(|i| i.op());
    all.filter(|op| !matches!(op, Op::LoadField | Op::StoreField))
        .collect()
}

/// A node of a kind with wired and set inputs.
fn node(doc: &mut Doc, name: &str, kind: &str, wires: &[(&str, (&str, &str))], set: &[(&str, InputMode)]) {
    doc.update(name, kind, set);
    for (port, from) in wires {
        doc.wire(FlowKind::EveryFrame, *from, (name, port));
    }
}

fn store(doc: &mut Doc, field: &str, from: (&str, &str)) {
    let set = Node::new(id(&format!("set-{field}")), "set_field").set("field", field);
    doc.node(FlowKind::EveryFrame, set);
    doc.wire(FlowKind::EveryFrame, from, (&format!("set-{field}"), "value"));
}

const P: (&str, &str) = ("get-p", "out");
const Q: (&str, &str) = ("get-q", "out");
const S: (&str, &str) = ("get-s", "out");

#[test]
fn optimiser_fuses_products_that_feed_sums_alone() {
    let sum = |kind: &'static str, sides: [(&'static str, (&'static str, &'static str)); 2]| {
        ops(|doc| {
            node(doc, "mul", "op.mul", &[("a", P), ("b", S)], &[]);
            node(doc, "sum", kind, &sides, &[]);
            store(doc, "q", ("sum", "out"));
        })
    };
    assert_eq!(sum("op.add", [("a", ("mul", "out")), ("b", Q)]), [Op::Mad]);
    assert_eq!(sum("op.add", [("a", Q), ("b", ("mul", "out"))]), [Op::Mad]);
    // Neither factor is a number whose sign could be turned.
    assert_eq!(
        sum("op.sub", [("a", Q), ("b", ("mul", "out"))]),
        [Op::Mul, Op::Sub]
    );
    let less = ops(|doc| {
        node(doc, "mul", "op.mul", &[("a", P)], &[("b", InputMode::value(3.0))]);
        node(doc, "sum", "op.sub", &[("a", Q), ("b", ("mul", "out"))], &[]);
        store(doc, "q", ("sum", "out"));
    });
    assert_eq!(less, [Op::Mad]);
    let kept = ops(|doc| {
        node(doc, "mul", "op.mul", &[("a", P), ("b", S)], &[]);
        node(doc, "sum", "op.add", &[("a", ("mul", "out")), ("b", Q)], &[]);
        store(doc, "q", ("sum", "out"));
        store(doc, "p", ("mul", "out"));
    });
    assert_eq!(
        kept,
        [Op::Mul, Op::Add],
        "a product that is stored is needed anyway"
    );
}

#[test]
fn optimiser_computes_only_the_lanes_that_are_read() {
    let mut doc = Doc::new();
    doc.field("p", FieldType::Vec3).field("s", FieldType::Float);
    doc.node(
        FlowKind::EveryFrame,
        Node::new(id("get-p"), "get_field").set("field", "p"),
    );
    node(&mut doc, "sin", "op.sin", &[("a", P)], &[]);
    node(&mut doc, "split", "split", &[("value", ("sin", "out"))], &[]);
    store(&mut doc, "s", ("split", "z"));
    assert_eq!(agree(&doc.0, 5), Some(true));
    let effect = compiled(&doc.0, true).effect.unwrap();
    let widths: Vec<u32> = effect.programs[0].update.iter().map(|i| i.width()).collect();
    assert_eq!(widths, [1, 1, 1], "load, sine, store of one lane");
    assert_eq!(effect.programs[0].registers, 1);
}

#[test]
fn optimiser_stores_gathered_lanes_from_where_they_are() {
    let gathered = ops(|doc| {
        node(doc, "sin", "op.sin", &[("a", S)], &[]);
        node(doc, "cos", "op.cos", &[("a", S)], &[]);
        doc.node(
            FlowKind::EveryFrame,
            Node::new(id("vec"), "combine").set("type", "vec3"),
        );
        doc.wire(FlowKind::EveryFrame, ("sin", "out"), ("vec", "x"));
        doc.wire(FlowKind::EveryFrame, ("cos", "out"), ("vec", "z"));
        store(doc, "p", ("vec", "out"));
    });
    assert_eq!(gathered, [Op::Sin, Op::Cos]);
    // Read side by side they are computed side by side: only the number between is moved.
    let together = ops(|doc| {
        node(doc, "sin", "op.sin", &[("a", S)], &[]);
        node(doc, "cos", "op.cos", &[("a", S)], &[]);
        doc.node(
            FlowKind::EveryFrame,
            Node::new(id("vec"), "combine").set("type", "vec3"),
        );
        doc.wire(FlowKind::EveryFrame, ("sin", "out"), ("vec", "x"));
        doc.wire(FlowKind::EveryFrame, ("cos", "out"), ("vec", "z"));
        node(doc, "dot", "op.dot", &[("a", ("vec", "out")), ("b", P)], &[]);
        store(doc, "s", ("dot", "out"));
    });
    assert_eq!(together, [Op::Sin, Op::Cos, Op::Mov, Op::Dot]);
}

#[test]
fn optimiser_takes_exact_short_cuts_and_no_others() {
    let of = |kind: &'static str, value: f32| {
        ops(|doc| {
            node(doc, "op", kind, &[("a", P)], &[("b", InputMode::value(value))]);
            store(doc, "q", ("op", "out"));
        })
    };
    assert_eq!(of("op.div", 8.0), [Op::Mul]);
    assert_eq!(of("op.div", -0.25), [Op::Mul]);
    assert_eq!(of("op.div", 3.0), [Op::Div]);
    assert_eq!(of("op.div", 1.0), []);
    assert_eq!(of("op.mul", 1.0), []);
    assert_eq!(of("op.mul", 0.0), [Op::Mul], "0 · inf is not 0");
    assert_eq!(of("op.sub", 0.0), []);
    assert_eq!(of("op.add", -0.0), []);
    assert_eq!(of("op.add", 0.0), [Op::Add], "it makes 0 of −0");
    let choice = ops(|doc| {
        node(
            doc,
            "zero",
            "op.cmp_eq",
            &[("a", P)],
            &[("b", InputMode::value(0.0))],
        );
        node(
            doc,
            "choose",
            "op.select",
            &[("condition", ("zero", "out")), ("if_true", Q), ("if_false", P)],
            &[],
        );
        store(doc, "q", ("choose", "out"));
    });
    assert_eq!(choice, [Op::Select]);
}

#[test]
fn compiler_takes_a_hungry_graph_and_says_what_it_costs() {
    let mut doc = Doc::new();
    doc.field("p", FieldType::Vec4).field("q", FieldType::Vec4);
    // Forty vectors that are summed, and multiplied the other way round: all are alive in between.
    let count = 40;
    for n in 0..count {
        let random = Node::new(id(&format!("r{n}")), "random").set("type", "vec4");
        doc.node(FlowKind::EveryFrame, random);
    }
    for (chain, kind, set) in [("sum", "op.add", "p"), ("product", "op.mul", "q")] {
        let value = |n: usize| format!("r{}", if chain == "sum" { n } else { count - 1 - n });
        let mut last = value(0);
        for n in 1..count {
            let name = format!("{chain}{n}");
            node(
                &mut doc,
                &name,
                kind,
                &[("a", (&last, "out")), ("b", (&value(n), "out"))],
                &[],
            );
            last = name;
        }
        store(&mut doc, set, (&last, "out"));
    }
    let compiled = compiled(&doc.0, true);
    let warning = compiled
        .diagnostics
        .iter()
        .find(|d| d.code == "many-registers")
        .unwrap();
    assert!(!warning.is_error() && warning.help.is_some());
    let effect = compiled.effect.unwrap();
    let registers = effect.programs[0].registers;
    assert!((65..=256).contains(&registers), "{registers}");
    assert!(warning.message.contains(&registers.to_string()));
    assert_eq!(agree(&doc.0, 9), Some(true));
}
