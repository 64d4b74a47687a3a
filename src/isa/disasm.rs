//! Program to text. [`super::asm::assemble`] reads it back to the same program.

use std::fmt::Write as _;

use super::builtin::{Builtin, EMITTER_FIELD_BASE, GLOBAL_FIELD_BASE};
use super::ops::Op;
use super::program::{Program, Section};
use super::word::{Instruction, Operand};

/// The whole program as assembler text, one instruction a line, each ended by `comment(section, pc)` where
/// that is not empty.
#[must_use]
pub fn disassemble_with(program: &Program, comment: impl Fn(Section, usize) -> String) -> String {
    let mut text = format!(".registers {}\n", program.registers);
    for import in &program.globals {
        let _ = writeln!(text, ".global {} {}", import.name, import.width);
    }
    for (index, constant) in program.constants.iter().enumerate() {
        let lanes: Vec<String> = constant.iter().map(|&lane| float(lane)).collect();
        let _ = writeln!(text, ".const c{index} {}", lanes.join(" "));
    }
    for section in Section::ALL {
        let _ = writeln!(text, "{}:", section.name());
        for (pc, &instruction) in program.section(section).iter().enumerate() {
            let line = instruction_text(instruction);
            let note = comment(section, pc);
            if note.is_empty() {
                let _ = writeln!(text, "    {line}");
            } else {
                let _ = writeln!(text, "    {line:<44} ; {note}");
            }
        }
    }
    text
}

/// The whole program as assembler text.
#[must_use]
pub fn disassemble(program: &Program) -> String {
    disassemble_with(program, |_, _| String::new())
}

/// One instruction as text. An instruction that is not valid is written as `.word` with its four words.
#[must_use]
pub fn instruction_text(instruction: Instruction) -> String {
    let Some(op) = instruction.op() else {
        return words(instruction);
    };
    let (info, width) = (op.info(), instruction.width());
    if !(1..=4).contains(&width) {
        return words(instruction);
    }
    let mut parts = Vec::new();
    if info.shape.result_width(width) > 0 {
        parts.push(format!("r{}", instruction.dst()));
    }
    for operand in 0..3 {
        if info.shape.raw_sources().contains(&operand) {
            parts.push(raw(op, operand, instruction.0[operand + 1]));
        } else if info.shape.value_sources().contains(&operand) {
            let lanes = info.shape.lanes_read(width);
            match instruction.operand(operand) {
                Operand::Raw(_) => return words(instruction),
                source => parts.push(value(source, lanes)),
            }
        }
    }
    let text = format!("{}.{width} {}", info.mnemonic, parts.join(", "))
        .trim_end()
        .to_owned();
    // What the text cannot say (stray bits, swizzles of unread lanes) is kept as raw words.
    match super::asm::assemble_line(&text) {
        Ok(back) if back == instruction => text,
        _ => words(instruction),
    }
}

fn words(instruction: Instruction) -> String {
    let [a, b, c, d] = instruction.0;
    format!(".word 0x{a:08x} 0x{b:08x} 0x{c:08x} 0x{d:08x}")
}

fn raw(op: Op, operand: usize, word: u32) -> String {
    match (op, operand) {
        (Op::LoadConst, _) => format!("c{word}"),
        (Op::LoadField | Op::StoreField, 0) => format!("w{word}"),
        (Op::LoadBuiltin, _) => {
            if let Some(index) = word.checked_sub(GLOBAL_FIELD_BASE) {
                format!("global[{index}]")
            } else if let Some(index) = word.checked_sub(EMITTER_FIELD_BASE) {
                format!("emitter[{index}]")
            } else if let Some(builtin) = Builtin::from_id(word) {
                builtin.mnemonic().to_owned()
            } else {
                format!("#0x{word:x}")
            }
        }
        _ => format!("#0x{word:x}"),
    }
}

/// `r5`, or `r5.xzz` where the swizzle is not the identity over the lanes read.
fn value(source: Operand, lanes: u32) -> String {
    match source {
        Operand::Reg { base, swizzle } => {
            let picks: Vec<u8> = (0..lanes).map(|lane| (swizzle >> (2 * lane)) & 3).collect();
            if picks
                .iter()
                .enumerate()
                .all(|(lane, &pick)| usize::from(pick) == lane)
            {
                format!("r{base}")
            } else {
                let letters: String = picks
                    .iter()
                    .map(|&pick| char::from(b"xyzw"[usize::from(pick)]))
                    .collect();
                format!("r{base}.{letters}")
            }
        }
        Operand::Imm(bits) => float(bits),
        Operand::Raw(word) => format!("#0x{word:x}"),
    }
}

/// The shortest decimal that reads back to the same bits, or the bits themselves.
fn float(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if value.is_finite() {
        format!("{value:?}")
    } else {
        format!("bits:0x{bits:08x}")
    }
}
