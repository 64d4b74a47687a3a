//! The batched executor against the scalar one, bit for bit.

use std::sync::Arc;

use mote::base::rng::DrawKey;
use mote::compiler::compile;
use mote::document::presets::presets;
use mote::host::{Placement, Stage};
use mote::isa::ops::{OPS, Shape};
use mote::isa::verify::verify;
use mote::isa::{Builtin, Instruction, ORDINAL_WORD, Op, Operand, Program};
use mote::reference::Reference;
use mote::reference::twin::Executor;
use mote::vm::batch::{Batch, LANES, Shared};
use mote::vm::{Builtins, Environment, WindField, run};

use crate::isa::Rolls;

const SPECIAL: [u32; 14] = [
    0,
    0x8000_0000,
    1,
    0x8000_0001,
    0x3f80_0000,
    0xbf80_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x7f7f_ffff,
    0x0080_0000,
    0x4b00_0000,
    0x42f6_0000,
    0xc2f6_0000,
];

fn number(rolls: &mut Rolls) -> u32 {
    match rolls.below(4) {
        0 => SPECIAL[rolls.below(SPECIAL.len() as u32) as usize],
        1 => rolls.next(),
        _ => (rolls.next() as i32 as f32 * 1e-8).to_bits(),
    }
}

/// A verified program of all opcodes over 24 registers, all of which are written first.
fn random_program(rolls: &mut Rolls) -> Program {
    let mut program = Program {
        registers: 28,
        ..Program::default()
    };
    for _ in 0..3 {
        program.constants.push(std::array::from_fn(|_| number(rolls)));
    }
    for slot in (0..28).step_by(4) {
        program.update.push(Instruction::new(
            Op::LoadField,
            4,
            slot,
            [Operand::Raw(4 + slot as u32), Operand::Raw(0), Operand::Raw(0)],
        ));
    }
    for _ in 0..24 {
        let info = OPS[rolls.below(OPS.len() as u32) as usize];
        let width = 1 + rolls.below(4);
        let raw = |rolls: &mut Rolls, op: Op, operand: usize| match (op, operand) {
            (Op::LoadConst, _) => rolls.below(3),
            (Op::LoadField | Op::StoreField, 0) => 4 + 4 * rolls.below(7),
            (Op::LoadBuiltin, _) => [0x1000, 0, 3, Builtin::ParticleOrdinal as u32][rolls.below(4) as usize],
            (Op::Random, 1) => rolls.below(4),
            _ => rolls.next(),
        };
        let sources = [0, 1, 2].map(|operand| {
            if info.shape.raw_sources().contains(&operand) {
                Operand::Raw(raw(rolls, info.op, operand))
            } else if info.shape.value_sources().contains(&operand) {
                if rolls.below(3) == 0 {
                    Operand::Imm(number(rolls))
                } else {
                    Operand::Reg {
                        base: rolls.below(25) as u8,
                        swizzle: rolls.next() as u8,
                    }
                }
            } else {
                Operand::Raw(0)
            }
        });
        let dst = if info.shape.result_width(width) > 0 {
            rolls.below(24) as u8
        } else {
            0
        };
        let one = Program {
            update: [
                &program.update[..],
                &[Instruction::new(info.op, width, dst, sources)],
            ]
            .concat(),
            ..program.clone()
        };
        if verify(&one, 8).is_ok() {
            program = one;
        }
    }
    for slot in (0..28).step_by(4) {
        let sources = [
            Operand::Raw(4 + u32::from(slot)),
            Operand::reg(slot),
            Operand::Raw(0),
        ];
        program
            .update
            .push(Instruction::new(Op::StoreField, 4, 0, sources));
    }
    verify(&program, 8).unwrap();
    program
}

/// Equal bits, any NaN equal to any other: which payload comes out of an operation is nobody's promise.
fn same(a: u32, b: u32) -> bool {
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    a == b || (x.is_nan() && y.is_nan())
}

#[test]
fn batch_equals_scalar_on_random_programs_with_special_values() {
    let mut rolls = Rolls(5);
    let mut batch = Batch::default();
    let mut used = std::collections::BTreeSet::new();
    let points: Vec<[f32; 3]> = (0..24).map(|i| [i as f32, -0.5 * i as f32, 7.0]).collect();
    let wind = WindField::new([-1.0, 0.5, 2.0], [0.75, 2.0, 1.5], [2, 3, 4], &points).unwrap();
    for round in 0..400 {
        let program = random_program(&mut rolls);
        used.extend(program.update.iter().filter_map(|i| i.op()));
        let count = [1, 7, LANES - 1, LANES][round % 4];
        let mut records: Vec<[u32; 32]> = (0..200)
            .map(|_| std::array::from_fn(|_| number(&mut rolls)))
            .collect();
        let slots: Vec<u32> = (0..count as u32).map(|i| (i * 37 + 11) % 200).collect();
        let mut builtins = Builtins::default();
        builtins.set(Builtin::DeltaTime, 0.25);
        builtins.set3(Builtin::EmitterPosition, [1.0, -2.0, f32::INFINITY]);
        let fields = [1, 2, 3, 0x7fc0_0000, 5, 6, 7, 8];
        let expected: Vec<([u32; 32], bool)> = slots
            .iter()
            .map(|&slot| {
                let mut record = records[slot as usize];
                let ordinal = record[ORDINAL_WORD as usize];
                let mut own = builtins;
                own.set(Builtin::ParticleOrdinal, ordinal as f32);
                let env = Environment {
                    constants: &program.constants,
                    emitter_fields: &fields,
                    globals: &[],
                    builtins: &own,
                    key: DrawKey {
                        seed: 9,
                        ordinal,
                        step: 3,
                        loop_index: 2,
                    },
                    wind: Some(&wind),
                };
                let killed = run(&program.update, &env, &mut record).killed;
                (record, killed)
            })
            .collect();
        let shared = Shared {
            constants: &program.constants,
            emitter_fields: &fields,
            globals: &[],
            builtins: &builtins,
            seed: 9,
            step: 3,
            loop_index: 2,
            wind: Some(&wind),
        };
        let ended = batch.run(&program.update, &shared, &mut records, &slots, ORDINAL_WORD);
        for (i, (&slot, (record, killed))) in slots.iter().zip(&expected).enumerate() {
            let found = &records[slot as usize];
            let equal = found.iter().zip(record).all(|(a, b)| same(*a, *b)) && ended[i] == *killed;
            assert!(
                equal,
                "seed 5, round {round}, particle {i}:\n{}",
                mote::isa::disasm::disassemble(&program)
            );
        }
    }
    let missing: Vec<_> = OPS
        .iter()
        .filter(|info| info.shape != Shape::Nop && !used.contains(&info.op))
        .collect();
    assert!(missing.is_empty(), "never tried: {missing:?}");
}

#[test]
fn batch_and_scalar_play_the_presets_to_one_state() {
    for preset in presets() {
        let document = mote::document::presets::preset(preset.name).unwrap();
        let effect = Arc::new(compile(&document).effect.unwrap());
        let capacity = effect.emitters.iter().map(|e| e.emission.capacity).sum();
        let mut stage = Stage::new(capacity);
        stage.place(effect, Placement::default()).unwrap();
        let mut twins = [Executor::Scalar, Executor::Batched].map(|e| Reference::with(capacity, e));
        for _ in 0..65 {
            let frame = stage.begin_step(1.0 / 30.0).unwrap();
            twins.iter_mut().for_each(|twin| twin.step(&stage, &frame));
            stage.end_step();
        }
        let [scalar, batched] = twins.each_ref().map(|twin| {
            mote::reference::digest(
                &stage,
                &mote::reference::digest::live_particles(&stage, twin.live_records()),
            )
        });
        assert_eq!(scalar, batched, "{}", preset.name);
        assert!(twins[0].live_records().count() > 10, "{}", preset.name);
    }
}

#[test]
fn batch_a_planted_difference_is_seen() {
    assert!(same(0x7fc0_0000, 0xffc0_0001) && same(1, 1));
    assert!(!same(0, 0x8000_0000) && !same(1, 2) && !same(0x7fc0_0000, 0));
}
