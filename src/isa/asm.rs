//! Text to program: the inverse of [`super::disasm`]. Tests, the debugger and `mote asm` read it.
//!
//! ```text
//! .registers 8            slots used
//! .global wind 3          a global import, in order
//! .const c0 1.0 0.5 0 bits:0x7fc00000
//! init:                   a section
//!     load_const.3 r0, c0 ; comment
//! update:
//!     mad.3 r4, r0.xxx, 2.5, r0
//!     store_field.3 w4, r4
//! ```
//!
//! Lanes that an instruction does not read get the identity swizzle.

use thiserror::Error;

use super::builtin::{Builtin, EMITTER_FIELD_BASE, GLOBAL_FIELD_BASE};
use super::ops::Op;
use super::program::{GlobalImport, Program, Section};
use super::word::{Instruction, Operand, SWIZZLE_XYZW};

/// A line that is not assembler.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct AsmError {
    /// Line number from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// Reads a whole program. It is not verified.
///
/// # Errors
/// The first line that is wrong.
pub fn assemble(text: &str) -> Result<Program, AsmError> {
    let mut program = Program::default();
    let mut section = None;
    for (index, raw) in text.lines().enumerate() {
        let line = raw.split(';').next().unwrap_or_default().trim();
        let fail = |reason: String| AsmError {
            line: index + 1,
            reason,
        };
        if line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_suffix(':') {
            section = Some(
                Section::ALL
                    .into_iter()
                    .find(|s| s.name() == name)
                    .ok_or_else(|| fail(format!("there is no section {name:?}; write init: or update:")))?,
            );
        } else if line.starts_with('.') && !line.starts_with(".word") {
            directive(&mut program, line).map_err(fail)?;
        } else {
            let section = section.ok_or_else(|| fail("an instruction before any section".to_owned()))?;
            program
                .section_mut(section)
                .push(assemble_line(line).map_err(fail)?);
        }
    }
    Ok(program)
}

/// Reads several programs, each behind a line `.program` and its place from 0; a text without such a line is one.
/// They are not verified.
///
/// # Errors
/// The first line that is wrong.
pub fn assemble_all(text: &str) -> Result<Vec<Program>, AsmError> {
    let code = |raw: &str| raw.split(';').next().unwrap_or_default().trim().to_owned();
    let lines: Vec<&str> = text.lines().collect();
    let place_of = |raw: &str| Some(code(raw).strip_prefix(".program")?.trim().to_owned());
    let starts: Vec<usize> = (0..lines.len())
        .filter(|&index| place_of(lines[index]).is_some())
        .collect();
    let Some(&first) = starts.first() else {
        return Ok(vec![assemble(text)?]);
    };
    let fail = |index: usize, reason: String| AsmError {
        line: index + 1,
        reason,
    };
    if let Some(early) = (0..first).find(|&index| !code(lines[index]).is_empty()) {
        return Err(fail(early, "a line before the first .program".to_owned()));
    }
    let mut programs = Vec::new();
    for (place, &start) in starts.iter().enumerate() {
        if place_of(lines[start]).is_some_and(|found| found != place.to_string()) {
            let reason = format!("programs stand in their order; this is .program {place}");
            return Err(fail(start, reason));
        }
        let end = starts.get(place + 1).copied().unwrap_or(lines.len());
        let part = assemble(&lines[start + 1..end].join("\n"));
        programs.push(part.map_err(|error| fail(start + error.line, error.reason))?);
    }
    Ok(programs)
}

fn directive(program: &mut Program, line: &str) -> Result<(), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        [".registers", count] => {
            program.registers = count
                .parse()
                .map_err(|_| format!("{count:?} is no register count"))?;
        }
        [".global", name, width] => {
            let width = width.parse().map_err(|_| format!("{width:?} is no width"))?;
            program.globals.push(GlobalImport {
                name: (*name).to_owned(),
                width,
            });
        }
        [".const", index, lanes @ ..] if lanes.len() == 4 => {
            if *index != format!("c{}", program.constants.len()) {
                return Err(format!(
                    "constants come in order: c{} is next",
                    program.constants.len()
                ));
            }
            let mut constant = [0; 4];
            for (lane, text) in constant.iter_mut().zip(lanes) {
                *lane = float(text).ok_or_else(|| format!("{text:?} is no number"))?;
            }
            program.constants.push(constant);
        }
        _ => return Err(format!("{line:?} is no directive")),
    }
    Ok(())
}

/// Reads one instruction.
///
/// # Errors
/// What is wrong with it.
pub fn assemble_line(line: &str) -> Result<Instruction, String> {
    if let Some(words) = line.strip_prefix(".word") {
        let words: Option<Vec<u32>> = words.split_whitespace().map(number).collect();
        let words: [u32; 4] = words
            .and_then(|w| w.try_into().ok())
            .ok_or("four words belong after .word")?;
        return Ok(Instruction(words));
    }
    let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (name, width) = head
        .split_once('.')
        .ok_or_else(|| format!("{head:?} has no width, as in add.3"))?;
    let op = Op::from_mnemonic(name).ok_or_else(|| format!("there is no instruction {name:?}"))?;
    let width: u32 = width
        .parse()
        .ok()
        .filter(|w| (1..=4).contains(w))
        .ok_or("the width is 1 to 4")?;
    let shape = op.info().shape;
    let mut parts = rest.split(',').map(str::trim).filter(|part| !part.is_empty());
    let mut next = |what: &str| parts.next().ok_or_else(|| format!("{name} lacks its {what}"));

    let mut dst = 0;
    if shape.result_width(width) > 0 {
        let text = next("destination")?;
        dst = register(text).ok_or_else(|| format!("{text:?} is no register"))?;
    }
    let mut sources = [Operand::Raw(0); 3];
    for (operand, source) in sources.iter_mut().enumerate() {
        if shape.raw_sources().contains(&operand) {
            let text = next("operand")?;
            *source = Operand::Raw(raw(text).ok_or_else(|| format!("{text:?} is no operand of {name}"))?);
        } else if shape.value_sources().contains(&operand) {
            *source = value(next("operand")?, shape.lanes_read(width))?;
        }
    }
    if let Some(extra) = parts.next() {
        return Err(format!("{extra:?} is one operand too many for {name}"));
    }
    Ok(Instruction::new(op, width, dst, sources))
}

fn register(text: &str) -> Option<u8> {
    text.strip_prefix('r')?.parse().ok()
}

fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

fn float(text: &str) -> Option<u32> {
    match text.strip_prefix("bits:") {
        Some(bits) => number(bits),
        None => text
            .parse::<f32>()
            .ok()
            .filter(|value| value.is_finite())
            .map(f32::to_bits),
    }
}

fn raw(text: &str) -> Option<u32> {
    let indexed = |name: &str, base: u32| {
        let index = text.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']')?;
        base.checked_add(index.parse().ok()?)
    };
    text.strip_prefix('#')
        .or_else(|| {
            text.strip_prefix('c')
                .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
        .or_else(|| {
            text.strip_prefix('w')
                .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
        .and_then(number)
        .or_else(|| indexed("global", GLOBAL_FIELD_BASE))
        .or_else(|| indexed("emitter", EMITTER_FIELD_BASE))
        .or_else(|| {
            Builtin::ALL
                .iter()
                .find(|b| b.mnemonic() == text)
                .map(|&b| b as u32)
        })
}

fn value(text: &str, lanes: u32) -> Result<Operand, String> {
    if let Some(bits) = float(text) {
        return Ok(Operand::Imm(bits));
    }
    let (base, letters) = text.split_once('.').unwrap_or((text, ""));
    let base = register(base).ok_or_else(|| format!("{text:?} is neither a register nor a number"))?;
    let mut swizzle = SWIZZLE_XYZW;
    if !letters.is_empty() {
        if letters.len() != lanes as usize {
            return Err(format!(
                "{text:?} picks {} lanes, {lanes} are read",
                letters.len()
            ));
        }
        for (lane, letter) in letters.bytes().enumerate() {
            let pick = b"xyzw"
                .iter()
                .position(|&l| l == letter)
                .ok_or_else(|| format!("{text:?} picks no lane"))?;
            swizzle = swizzle & !(3 << (2 * lane)) | (pick as u8) << (2 * lane);
        }
    }
    Ok(Operand::Reg { base, swizzle })
}
