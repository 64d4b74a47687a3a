//! Random verified programs over every opcode, width, swizzle and kind, and records with special values.

use crate::base::rng::{SCOPES, pcg};
use crate::isa::ops::OPS;
use crate::isa::verify::verify;
use crate::isa::{
    Builtin, EMITTER_FIELD_BASE, FIRST_FIELD_WORD, GLOBAL_FIELD_BASE, GlobalImport, Instruction, Op, Operand,
    Program, QUAD_WORDS, RECORD_WORDS, Shape,
};
use crate::vm::trial::{Job, Record, World};
use crate::vm::{Builtins, WindField};

/// Numbers that executors disagree about when they disagree: zeros, denormals, ones, infinities, NaN, the
/// largest, the smallest normal, where halves end, and where polynomials change their mind.
const SPECIAL: [u32; 20] = [
    0,
    0x8000_0000,
    0x0000_0001,
    0x8000_0001,
    0x007f_ffff,
    0x3f80_0000,
    0xbf80_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_1234,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x0080_0000,
    0x4b00_0000,
    0x4a80_0001,
    0x42fd_0000,
    0xc2fc_0000,
    0x4780_0000,
    0x3f35_04f3,
];

/// Register files that programs are made for: within each private class, and past the last.
const FILES: [u32; 4] = [14, 30, 60, 150];

/// Words of emitter fields and of globals that programs read.
const SHARED_WORDS: u32 = 8;

/// First field word that a generated program loads and stores: the second quad.
const FIRST: u32 = FIRST_FIELD_WORD.next_multiple_of(QUAD_WORDS);

/// A counter-based source of rolls; its seed is part of every message.
#[derive(Debug, Clone)]
pub struct Rolls(u32);

impl Rolls {
    /// Rolls of a seed.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self(pcg(seed))
    }

    /// 32 bits.
    pub fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9);
        pcg(self.0)
    }

    /// A whole number below `end`.
    pub fn below(&mut self, end: u32) -> u32 {
        self.bits() % end
    }

    /// The bits of a number: a quarter special, a quarter any bits, the rest ordinary.
    pub fn number(&mut self) -> u32 {
        match self.below(4) {
            0 => SPECIAL[self.below(SPECIAL.len() as u32) as usize],
            1 => self.bits(),
            _ => self.ordinary(),
        }
    }

    /// The bits of a number from 2⁻¹² to 2¹² on either side of 0.
    pub fn ordinary(&mut self) -> u32 {
        let exponent = 127 - 12 + self.below(24);
        (self.bits() & 0x807f_ffff) | exponent << 23
    }
}

/// What all programs of a run read besides their records.
#[must_use]
pub fn world(rolls: &mut Rolls) -> World {
    let mut builtins = Builtins::default();
    for &builtin in Builtin::ALL {
        builtins.set3(builtin, [0, 1, 2].map(|_| f32::from_bits(rolls.number())));
    }
    let size = [3, 2, 4];
    let points: Vec<[f32; 3]> = (0..size.iter().product())
        .map(|_| [0, 1, 2].map(|_| f32::from_bits(rolls.ordinary())))
        .collect();
    World {
        builtins,
        emitter_fields: (0..SHARED_WORDS).map(|_| rolls.number()).collect(),
        globals: (0..SHARED_WORDS + 4).map(|_| rolls.number()).collect(),
        // Finite points and positive cells always make a field.
        wind: WindField::new([-1.5, 0.25, -3.0], [0.75, 2.0, 1.5], size, &points).ok(),
        seed: rolls.bits(),
        step: 1 + rolls.below(1_000),
        loop_index: rolls.below(5),
    }
}

/// The global fields a generated program imports: the *i*-th starts at word *i*, so that a placed program reads
/// as a written one does.
fn imports() -> Vec<GlobalImport> {
    let import = |i| GlobalImport {
        name: format!("g{i}"),
        width: 4,
    };
    (0..SHARED_WORDS).map(import).collect()
}

/// A job's program as the verifier and the disassembler take it.
#[must_use]
pub fn program_of(job: &Job) -> Program {
    Program {
        init: Vec::new(),
        update: job.code.clone(),
        constants: job.constants.clone(),
        registers: job.registers,
        globals: imports(),
    }
}

/// Whether the verifier passes a job's program.
#[must_use]
pub fn passes(job: &Job) -> bool {
    verify(&program_of(job), SHARED_WORDS).is_ok()
}

/// A verified program of so many random instructions between loads of every field and stores of what they made,
/// and its records.
#[must_use]
pub fn job(rolls: &mut Rolls, instructions: usize, records: u32) -> Job {
    let registers = FILES[rolls.below(FILES.len() as u32) as usize];
    let mut job = Job {
        code: Vec::new(),
        constants: (0..3).map(|_| [0; 4].map(|_: u32| rolls.number())).collect(),
        registers,
        records: (0..records).map(|i| record(rolls, i)).collect(),
    };
    let quads = |end: u32| (FIRST..RECORD_WORDS).step_by(4).zip((0..end - 3).step_by(4));
    for (word, slot) in quads(registers) {
        let sources = [Operand::Raw(word), Operand::Raw(0), Operand::Raw(0)];
        job.code
            .push(Instruction::new(Op::LoadField, 4, slot as u8, sources));
    }
    let mut written = vec![false; registers as usize + 4];
    let loaded = job.code.len() * 4;
    written[..loaded].fill(true);
    let mut made = 0;
    while made < instructions {
        let instruction = instruction(rolls, registers, &written);
        let width = instruction.width();
        let Some(shape) = instruction.op().map(|op| op.info().shape) else {
            continue;
        };
        let alone = Job {
            code: vec![instruction],
            ..job.clone_without_records()
        };
        if !fits(&alone, &written) {
            continue;
        }
        let first = usize::from(instruction.dst());
        written[first..first + shape.result_width(width) as usize].fill(true);
        job.code.push(instruction);
        made += 1;
    }
    let ends: Vec<u32> = (0..registers - 3)
        .filter(|&at| written[at as usize..at as usize + 4].iter().all(|&w| w))
        .collect();
    for (i, word) in (FIRST..RECORD_WORDS).step_by(4).enumerate() {
        let at = ends[(i * ends.len() / 7 + rolls.below(3) as usize) % ends.len()];
        let sources = [Operand::Raw(word), Operand::reg(at as u8), Operand::Raw(0)];
        job.code.push(Instruction::new(Op::StoreField, 4, 0, sources));
    }
    debug_assert!(passes(&job), "{:?}", verify(&program_of(&job), SHARED_WORDS));
    job
}

/// Whether an instruction passes the verifier where these slots have been written.
fn fits(alone: &Job, written: &[bool]) -> bool {
    let program = program_of(alone);
    let faults = verify(&program, SHARED_WORDS).err().unwrap_or_default();
    faults.iter().all(|fault| match fault.reason {
        crate::isa::verify::FaultKind::Undefined { .. } => {
            let instruction = alone.code[0];
            let Some(op) = instruction.op() else { return false };
            let shape = op.info().shape;
            shape.value_sources().iter().all(|&operand| {
                (0..shape.lanes_read(instruction.width())).all(|lane| {
                    instruction
                        .operand(operand)
                        .slot(lane)
                        .is_none_or(|slot| written.get(slot as usize).copied().unwrap_or(false))
                })
            })
        }
        _ => false,
    })
}

fn record(rolls: &mut Rolls, index: u32) -> Record {
    // Half the records hold ordinary numbers alone: special ones soon leave nothing but themselves.
    let mut record: Record = std::array::from_fn(|_| {
        if index.is_multiple_of(2) {
            rolls.ordinary()
        } else {
            rolls.number()
        }
    });
    record[0] = 1 << 16;
    record[1] = index.wrapping_mul(7);
    record
}

fn instruction(rolls: &mut Rolls, registers: u32, written: &[bool]) -> Instruction {
    let info = OPS[rolls.below(OPS.len() as u32) as usize];
    let width = match info.shape {
        Shape::SampleWind => 3,
        _ => 1 + rolls.below(4),
    };
    let sources = [0, 1, 2].map(|operand| {
        if info.shape.raw_sources().contains(&operand) {
            Operand::Raw(raw(rolls, info.op, operand))
        } else if info.shape.value_sources().contains(&operand) {
            if rolls.below(4) == 0 {
                Operand::Imm(rolls.number())
            } else {
                register(rolls, registers, written)
            }
        } else {
            Operand::Raw(0)
        }
    });
    let dst = if info.shape.result_width(width) > 0 {
        rolls.below(registers - 3) as u8
    } else {
        0
    };
    Instruction::new(info.op, width, dst, sources)
}

/// Registers that have been written, more often than not.
fn register(rolls: &mut Rolls, registers: u32, written: &[bool]) -> Operand {
    let mut base = rolls.below(registers - 3);
    for _ in 0..4 {
        if written[base as usize..base as usize + 4].iter().all(|&w| w) {
            break;
        }
        base = rolls.below(registers - 3);
    }
    Operand::Reg {
        base: base as u8,
        swizzle: rolls.bits() as u8,
    }
}

fn raw(rolls: &mut Rolls, op: Op, operand: usize) -> u32 {
    match (op, operand) {
        (Op::LoadConst, _) => rolls.below(3),
        (Op::LoadField | Op::StoreField, 0) => FIRST + rolls.below(RECORD_WORDS - FIRST),
        (Op::LoadBuiltin, _) => match rolls.below(3) {
            0 => EMITTER_FIELD_BASE + rolls.below(SHARED_WORDS),
            1 => GLOBAL_FIELD_BASE + rolls.below(SHARED_WORDS),
            _ => rolls.below(Builtin::ALL.len() as u32),
        },
        (Op::Random, 1) => rolls.below(SCOPES),
        _ => rolls.bits(),
    }
}
