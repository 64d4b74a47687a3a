//! The verifier. No program reaches an executor unverified, on the CPU or the GPU.
//!
//! Rules, all of which are checked; breaches are reported up to [`MAX_FAULTS`]:
//!
//! 1. a section has at most [`MAX_SECTION_LEN`] instructions, a program at most [`MAX_CONSTANTS`] constants
//!    and [`MAX_REGISTERS`] registers;
//! 2. opcode, width (1–4) and operand kinds are known, each operand has the kind its place asks for, and no
//!    bit that has no owner is set;
//! 3. `dst` and its lanes, and every slot an operand reads, lie below the program's register count;
//! 4. every slot is written before it is read, in its own section;
//! 5. field words lie in 2–31 and a field access does not straddle a quad; constants exist; built-ins are
//!    known and at least as wide as the read; emitter-field reads lie inside the emitter's fields; imports
//!    exist and are as wide as the read;
//! 6. `KILL` stands in UPDATE only; a random draw's scope is known; `SAMPLE_WIND` has three lanes.

use thiserror::Error;

use crate::base::rng::SCOPES;

use super::builtin::{Builtin, EMITTER_FIELD_BASE, GLOBAL_FIELD_BASE};
use super::ops::{Op, Shape};
use super::program::{Program, Section};
use super::word::{Instruction, Kind, Operand};
use super::{FIRST_FIELD_WORD, MAX_CONSTANTS, MAX_REGISTERS, MAX_SECTION_LEN, QUAD_WORDS, RECORD_WORDS};

/// A breach of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}: {reason}", place(*.section, *.pc))]
pub struct Fault {
    /// The section, or none for the program as a whole.
    pub section: Option<Section>,
    /// The instruction's number within its section.
    pub pc: Option<usize>,
    /// What is wrong.
    pub reason: FaultKind,
}

fn place(section: Option<Section>, pc: Option<usize>) -> String {
    match (section, pc) {
        (Some(section), Some(pc)) => format!("{} instruction {pc}", section.name()),
        (Some(section), None) => format!("section {}", section.name()),
        _ => "program".to_owned(),
    }
}

/// What is wrong with a program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each case is its message")]
#[non_exhaustive]
pub enum FaultKind {
    #[error("{found} instructions, {MAX_SECTION_LEN} are the most")]
    SectionLength { found: usize },
    #[error("{found} constants, {MAX_CONSTANTS} are the most")]
    Constants { found: usize },
    #[error("{found} registers, {MAX_REGISTERS} are the most")]
    Registers { found: u32 },
    #[error("no opcode has the number {code:#04x}")]
    UnknownOp { code: u8 },
    #[error("the width {width} is not 1 to 4")]
    Width { width: u32 },
    #[error("operand {operand} of {op} has the kind {found}, which does not belong there")]
    OperandKind {
        op: &'static str,
        operand: usize,
        found: u32,
    },
    #[error("bits are set that belong to no part of the instruction")]
    StrayBits,
    #[error("it writes slots {first} to {last}, the program has {registers}")]
    Destination { first: u32, last: u32, registers: u32 },
    #[error("operand {operand} reads slot {slot}, the program has {registers}")]
    Source {
        operand: usize,
        slot: u32,
        registers: u32,
    },
    #[error("operand {operand} reads slot {slot} before anything wrote it")]
    Undefined { operand: usize, slot: u32 },
    #[error("the field words {first} to {last} are not inside one quad of words 2 to 31")]
    FieldWord { first: u32, last: u32 },
    #[error("constant {index} does not exist, there are {count}")]
    Constant { index: u32, count: usize },
    #[error("no built-in has the number {id}")]
    UnknownBuiltin { id: u32 },
    #[error("{width} lanes of the built-in {name}, which has {has}")]
    BuiltinWidth {
        name: &'static str,
        has: u32,
        width: u32,
    },
    #[error("it reads the emitter's words {first} to {last}, the emitter has {count}")]
    EmitterField { first: u32, last: u32, count: u32 },
    #[error("global import {index} does not exist or is narrower than {width}")]
    Import { index: u32, width: u32 },
    #[error("no random draw has the scope {scope}")]
    Scope { scope: u32 },
    #[error("sample_wind has three lanes, not {width}")]
    WindWidth { width: u32 },
    #[error("kill stands in init, where a particle cannot end")]
    KillInInit,
}

/// So many breaches are enough: a list of all could take many times the memory of a hostile program.
pub const MAX_FAULTS: usize = 64;

/// Checks a program whose emitter has `emitter_words` words of fields.
///
/// # Errors
/// The breaches found, in order of place; [`MAX_FAULTS`] and a few more end the search.
pub fn verify(program: &Program, emitter_words: u32) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    let mut whole = |reason| {
        faults.push(Fault {
            section: None,
            pc: None,
            reason,
        });
    };
    if program.constants.len() > MAX_CONSTANTS {
        whole(FaultKind::Constants {
            found: program.constants.len(),
        });
    }
    if program.registers > MAX_REGISTERS {
        whole(FaultKind::Registers {
            found: program.registers,
        });
    }
    for section in Section::ALL {
        let code = program.section(section);
        if code.len() > MAX_SECTION_LEN {
            let reason = FaultKind::SectionLength { found: code.len() };
            faults.push(Fault {
                section: Some(section),
                pc: None,
                reason,
            });
            continue;
        }
        let mut written = vec![false; MAX_REGISTERS as usize + 4];
        for (pc, &instruction) in code.iter().enumerate() {
            if faults.len() >= MAX_FAULTS {
                break;
            }
            let mut check = Check {
                program,
                emitter_words,
                section,
                written: &mut written,
                reasons: Vec::new(),
            };
            check.instruction(instruction);
            faults.extend(check.reasons.into_iter().map(|reason| Fault {
                section: Some(section),
                pc: Some(pc),
                reason,
            }));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

struct Check<'a> {
    program: &'a Program,
    emitter_words: u32,
    section: Section,
    written: &'a mut [bool],
    reasons: Vec<FaultKind>,
}

impl Check<'_> {
    fn instruction(&mut self, instruction: Instruction) {
        let Some(op) = instruction.op() else {
            self.reasons.push(FaultKind::UnknownOp {
                code: instruction.code(),
            });
            return;
        };
        let width = instruction.width();
        if !(1..=4).contains(&width) {
            self.reasons.push(FaultKind::Width { width });
            return;
        }
        if instruction.stray_bits() {
            self.reasons.push(FaultKind::StrayBits);
        }
        let info = op.info();
        for operand in 0..3 {
            self.operand(info.shape, info.mnemonic, instruction, operand);
        }
        self.special(op, instruction);
        let lanes = info.shape.result_width(width);
        if lanes > 0 {
            let first = u32::from(instruction.dst());
            if first + lanes > self.program.registers.min(MAX_REGISTERS) {
                let (last, registers) = (first + lanes - 1, self.program.registers);
                self.reasons.push(FaultKind::Destination {
                    first,
                    last,
                    registers,
                });
            } else {
                self.written[first as usize..(first + lanes) as usize].fill(true);
            }
        } else if instruction.dst() != 0 {
            self.reasons.push(FaultKind::StrayBits);
        }
    }

    fn operand(&mut self, shape: Shape, op: &'static str, instruction: Instruction, operand: usize) {
        let found = instruction.kind_code(operand);
        if !shape.value_sources().contains(&operand) {
            if found != Kind::None as u32 {
                self.reasons.push(FaultKind::OperandKind { op, operand, found });
            } else if !shape.raw_sources().contains(&operand) && instruction.0[operand + 1] != 0 {
                self.reasons.push(FaultKind::StrayBits);
            }
            return;
        }
        match instruction.operand(operand) {
            Operand::Imm(_) => {}
            source @ Operand::Reg { .. } => {
                for lane in 0..shape.lanes_read(instruction.width()) {
                    let slot = source.slot(lane).unwrap_or(0);
                    if slot >= self.program.registers.min(MAX_REGISTERS) {
                        let registers = self.program.registers;
                        self.reasons.push(FaultKind::Source {
                            operand,
                            slot,
                            registers,
                        });
                        return;
                    }
                    if !self.written[slot as usize] {
                        self.reasons.push(FaultKind::Undefined { operand, slot });
                        return;
                    }
                }
            }
            Operand::Raw(_) => self.reasons.push(FaultKind::OperandKind { op, operand, found }),
        }
    }

    fn special(&mut self, op: Op, instruction: Instruction) {
        let (raw, width) = (instruction.0[1], instruction.width());
        match op {
            Op::LoadConst if raw as usize >= self.program.constants.len() => {
                self.reasons.push(FaultKind::Constant {
                    index: raw,
                    count: self.program.constants.len(),
                });
            }
            Op::LoadField | Op::StoreField => {
                let last = raw.saturating_add(width - 1);
                let one_quad = raw / QUAD_WORDS == last / QUAD_WORDS;
                if raw < FIRST_FIELD_WORD || last >= RECORD_WORDS || !one_quad {
                    self.reasons.push(FaultKind::FieldWord { first: raw, last });
                }
            }
            Op::Kill if self.section == Section::Init => self.reasons.push(FaultKind::KillInInit),
            Op::LoadBuiltin => self.builtin(raw, width),
            Op::Random if instruction.0[2] >= SCOPES => {
                let scope = instruction.0[2];
                self.reasons.push(FaultKind::Scope { scope });
            }
            Op::SampleWind if width != 3 => self.reasons.push(FaultKind::WindWidth { width }),
            _ => {}
        }
    }

    fn builtin(&mut self, id: u32, width: u32) {
        if let Some(index) = id.checked_sub(GLOBAL_FIELD_BASE) {
            if self
                .program
                .globals
                .get(index as usize)
                .is_none_or(|import| import.width < width)
            {
                self.reasons.push(FaultKind::Import { index, width });
            }
        } else if let Some(first) = id.checked_sub(EMITTER_FIELD_BASE) {
            let last = first + width - 1;
            if last >= self.emitter_words {
                self.reasons.push(FaultKind::EmitterField {
                    first,
                    last,
                    count: self.emitter_words,
                });
            }
        } else {
            match Builtin::from_id(id) {
                None => self.reasons.push(FaultKind::UnknownBuiltin { id }),
                Some(builtin) if builtin.width() < width => {
                    let (name, has) = (builtin.mnemonic(), builtin.width());
                    self.reasons.push(FaultKind::BuiltinWidth { name, has, width });
                }
                Some(_) => {}
            }
        }
    }
}
