//! Encoding, assembler, verifier, scalar executor.

use mote::base::rng::{DrawKey, SCOPE_STEP, draw_bits, pcg, unit};
use mote::isa::asm::assemble;
use mote::isa::disasm::disassemble;
use mote::isa::ops::{OPS, RESERVED};
use mote::isa::verify::{FaultKind, verify};
use mote::isa::{Instruction, Op, Operand, Program, Section};
use mote::vm::{Builtins, Environment, run};

pub(crate) use crate::support::Rolls;
use crate::support::drift;

#[test]
fn isa_numbers_are_unique_and_ordered() {
    let mut codes: Vec<u8> = OPS.iter().map(|info| info.code).collect();
    let before = codes.clone();
    codes.extend(RESERVED.iter().map(|r| r.0));
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), OPS.len() + RESERVED.len());
    assert!(before.is_sorted());
    for info in OPS {
        assert_eq!(Op::from_code(info.code), Some(info.op));
        assert_eq!(Op::from_mnemonic(info.mnemonic), Some(info.op));
        assert_eq!(info.op.code(), info.code);
        assert!(!info.doc.is_empty() && !info.edges.is_empty());
    }
}

#[test]
fn isa_text_round_trips_any_words() {
    let mut rolls = Rolls(7);
    for round in 0..20_000 {
        let mut words = [rolls.next(), rolls.next(), rolls.next(), rolls.next()];
        if round % 2 == 0 {
            // Half of them near valid ones, so that the readable forms are tried too.
            let op = OPS[rolls.below(OPS.len() as u32) as usize].code;
            words[0] = words[0] & 0xff15_0700 & !0x0400 | u32::from(op);
            words[1] &= 0xffff;
            words[2] &= 0xffff;
        }
        let program = Program {
            update: vec![Instruction(words)],
            ..Program::default()
        };
        let text = disassemble(&program);
        let back = assemble(&text).unwrap_or_else(|error| panic!("seed 7, {words:x?}: {error}\n{text}"));
        assert_eq!(back, program, "seed 7, {text}");
    }
}

#[test]
fn isa_a_program_round_trips_with_its_constants_and_imports() {
    let mut program = assemble(&drift(2.0)).unwrap();
    program.constants = vec![[0, 0x8000_0000, 0x7fc0_1234, 1], [1.5f32.to_bits(); 4]];
    program.globals.push(mote::isa::GlobalImport {
        name: "wind".to_owned(),
        width: 3,
    });
    assert_eq!(assemble(&disassemble(&program)).unwrap(), program);
    assert!(disassemble(&program).contains("load_builtin.3 r0, emitter_position"));
}

#[test]
fn isa_older_words_for_fields_load() {
    let program = assemble(".registers 1\nupdate:\n load_attr.1 r0, w2\n store_attr.1 w3, r0\n").unwrap();
    assert_eq!(program.update[0].op(), Some(Op::LoadField));
    assert_eq!(program.update[1].op(), Some(Op::StoreField));
}

#[test]
fn isa_the_verifier_names_each_breach() {
    let faults = |text: &str| -> Vec<FaultKind> {
        verify(&assemble(text).unwrap(), 4)
            .err()
            .unwrap_or_default()
            .into_iter()
            .map(|f| f.reason)
            .collect()
    };
    assert!(faults(&drift(1.0)).is_empty());
    assert!(matches!(
        faults("update:\n add.1 r0, 1.0, 2.0")[..],
        [FaultKind::Destination { .. }]
    ));
    assert!(matches!(
        faults(".registers 4\nupdate:\n add.1 r0, r1, 2.0")[..],
        [FaultKind::Undefined { .. }]
    ));
    assert!(matches!(
        faults(".registers 4\nupdate:\n add.1 r0, r9, 2.0")[..],
        [FaultKind::Source { .. }]
    ));
    assert!(matches!(
        faults(".registers 4\nupdate:\n load_field.3 r0, w2")[..],
        [FaultKind::FieldWord { .. }]
    ));
    assert!(matches!(
        faults(".registers 4\nupdate:\n load_field.1 r0, w1")[..],
        [FaultKind::FieldWord { .. }]
    ));
    assert!(matches!(
        faults(".registers 4\nupdate:\n load_const.1 r0, c0")[..],
        [FaultKind::Constant { .. }]
    ));
    assert!(matches!(
        faults(".registers 4\nupdate:\n load_builtin.3 r0, time")[..],
        [FaultKind::BuiltinWidth { .. }]
    ));
    assert!(matches!(
        faults(".registers 4\nupdate:\n load_builtin.1 r0, emitter[4]")[..],
        [FaultKind::EmitterField { .. }]
    ));
    assert!(faults(".registers 4\nupdate:\n load_builtin.1 r0, emitter[3]").is_empty());
    assert!(matches!(
        faults(".registers 4\nupdate:\n load_builtin.1 r0, global[0]")[..],
        [FaultKind::Import { .. }]
    ));
    assert!(matches!(
        faults("init:\n kill.1 1.0")[..],
        [FaultKind::KillInInit]
    ));
    assert!(matches!(
        faults("update:\n .word 0xff 0 0 0")[..],
        [FaultKind::UnknownOp { .. }]
    ));
    assert!(matches!(
        faults("update:\n .word 0x0 0 0 0")[..],
        [FaultKind::Width { .. }]
    ));
}

#[test]
fn isa_a_verified_random_program_never_leaves_its_record() {
    let mut rolls = Rolls(11);
    let mut verified = 0;
    for _ in 0..200_000 {
        let info = OPS[rolls.below(OPS.len() as u32) as usize];
        let mut operand = |slot: usize| {
            if info.shape.value_sources().contains(&slot) {
                Operand::imm(f32::from_bits(rolls.next()))
            } else if info.shape.raw_sources().contains(&slot) {
                Operand::Raw(rolls.below(40))
            } else {
                Operand::Raw(0)
            }
        };
        let sources = [operand(0), operand(1), operand(2)];
        let width = 1 + rolls.below(4);
        let dst = if info.shape.result_width(width) > 0 {
            rolls.below(70) as u8
        } else {
            0
        };
        let program = Program {
            update: vec![Instruction::new(info.op, width, dst, sources)],
            registers: 64,
            ..Program::default()
        };
        if verify(&program, 8).is_ok() {
            verified += 1;
            let mut record = [7; 32];
            let env = Environment {
                constants: &[],
                emitter_fields: &[1; 8],
                globals: &[],
                builtins: &Builtins::default(),
                key: DrawKey {
                    seed: 1,
                    ordinal: 2,
                    step: 3,
                    loop_index: 0,
                },
                wind: None,
            };
            run(program.section(Section::Update), &env, &mut record);
            assert_eq!(record[..2], [7, 7], "the header and the ordinal are nobody's");
        }
    }
    assert!(verified > 10_000, "{verified}");
}

fn eval(op: &str, width: u32, operands: &[f32]) -> f32 {
    let list: Vec<String> = operands
        .iter()
        .map(|v| format!("bits:0x{:08x}", v.to_bits()))
        .collect();
    let text = format!(
        ".registers 4\nupdate:\n {op}.{width} r0, {}\n store_field.1 w2, r0\n",
        list.join(", ")
    );
    let program = assemble(&text).unwrap();
    verify(&program, 0).unwrap();
    let mut record = [0; 32];
    let env = Environment {
        constants: &[],
        emitter_fields: &[],
        globals: &[],
        builtins: &Builtins::default(),
        key: DrawKey {
            seed: 0,
            ordinal: 0,
            step: 0,
            loop_index: 0,
        },
        wind: None,
    };
    run(&program.update, &env, &mut record);
    f32::from_bits(record[2])
}

#[test]
fn isa_edge_cases_are_what_the_table_says() {
    let nan = f32::NAN;
    assert_eq!(eval("min", 1, &[nan, 3.0]), 3.0);
    assert!(eval("min", 1, &[3.0, nan]).is_nan());
    assert_eq!(eval("max", 1, &[nan, 3.0]), 3.0);
    assert_eq!(eval("select", 1, &[-0.0, 1.0, 2.0]), 2.0);
    assert_eq!(eval("select", 1, &[nan, 1.0, 2.0]), 1.0);
    assert_eq!(eval("cmp_lt", 1, &[nan, 1.0]), 0.0);
    assert_eq!(eval("cmp_eq", 1, &[-0.0, 0.0]), 1.0);
    assert_eq!(eval("div", 1, &[1.0, 0.0]), f32::INFINITY);
    assert_eq!(eval("exp2", 1, &[-1000.0]), 0.0);
    assert_eq!(eval("log2", 1, &[0.0]), -126.0);
    assert_eq!(eval("mad", 1, &[2.0, 3.0, 4.0]), 10.0);
    assert_eq!(eval("dot", 3, &[2.0, 3.0]), 18.0);
    assert_eq!(eval("neg", 1, &[0.0]).to_bits(), 0x8000_0000);
    assert!(eval("log2", 1, &[nan]).is_nan() && eval("log2", 1, &[-nan]).is_nan());
    assert_eq!(eval("log2", 1, &[f32::INFINITY]), 128.0);
    assert_eq!(eval("ceil", 1, &[-0.5]).to_bits(), 0x8000_0000);
    assert_eq!(eval("round", 1, &[2.5]), 2.0);
    assert_eq!(eval("round", 1, &[-3.5]), -4.0);
    assert_eq!(eval("trunc", 1, &[-3.9]), -3.0);
    assert_eq!(eval("sign", 1, &[-3.9]), -1.0);
    assert_eq!(eval("sign", 1, &[-0.0]).to_bits(), 0x8000_0000);
    assert!(eval("sign", 1, &[nan]).is_nan());
    assert_eq!(eval("hash", 1, &[0.0, -0.0]), eval("hash", 1, &[-0.0, 0.0]));
    assert_eq!(eval("hash", 1, &[nan, 1.0]), eval("hash", 1, &[-nan, 1.0]));
    assert_ne!(eval("hash", 1, &[1.0, 2.0]), eval("hash", 1, &[2.0, 1.0]));
    assert_eq!(
        [eval("and", 1, &[nan, 2.0]), eval("and", 1, &[-0.0, 2.0])],
        [1.0, 0.0]
    );
    assert_eq!(
        [eval("or", 1, &[nan, 0.0]), eval("or", 1, &[-0.0, 0.0])],
        [1.0, 0.0]
    );
    assert_eq!([eval("not", 1, &[nan]), eval("not", 1, &[-0.0])], [0.0, 1.0]);
}

#[test]
fn rng_draws_are_pinned_even_and_independent() {
    let key = DrawKey {
        seed: 1,
        ordinal: 0,
        step: 0,
        loop_index: 0,
    };
    assert_eq!(pcg(0), 129_708_002);
    assert_ne!(draw_bits(key, SCOPE_STEP, 5, 0), draw_bits(key, SCOPE_STEP, 5, 1));
    let draw = |seed: u32, ordinal: u32| {
        f64::from(unit(draw_bits(
            DrawKey {
                seed,
                ordinal,
                step: 0,
                loop_index: 0,
            },
            SCOPE_STEP,
            99,
            0,
        )))
    };
    let n = 100_000;
    let (mut sum, mut product) = (0.0, 0.0);
    for i in 0..n {
        let (a, b) = (draw(1, i) - 0.5, draw(2, i) - 0.5);
        sum += a;
        product += a * b;
    }
    let n = f64::from(n);
    assert!((sum / n).abs() < 0.003, "mean {}", sum / n);
    assert!(
        (product / n * 12.0).abs() < 0.01,
        "near seeds share nothing: r = {}",
        product / n * 12.0
    );
    assert!(unit(u32::MAX) < 1.0);
}

#[test]
fn page_of_instructions_is_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/instructions.md");
    let measured = mote::inspect::parity::page::measured();
    assert!(measured.contains("no failures") && measured.lines().count() > 30);
    let page = mote::isa::page::reference_page() + &measured + &mote::compiler::page::counts();
    if std::env::var_os("MOTE_BLESS").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let file = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        file == page,
        "docs/instructions.md differs from the tables; run with MOTE_BLESS=1"
    );
}
