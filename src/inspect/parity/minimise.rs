//! The smallest program that still fails: one record, then instruction after instruction left out or replaced.

use std::fmt::Write as _;

use super::generate::{passes, program_of};
use super::{Executor, ParityError, differing, same};
use crate::isa::disasm::disassemble;
use crate::isa::word::SWIZZLE_XYZW;
use crate::isa::{Instruction, Op, Operand};
use crate::vm::trial::{Job, World, run_scalar};

/// Rounds of leaving out, at the most.
const ROUNDS: usize = 64;

/// The text of a failing job made as small as leaving out makes it.
pub(super) fn minimise(world: &World, job: &Job, executor: &mut dyn Executor) -> Result<String, ParityError> {
    let mut job = one_record(world, job, executor)?;
    for _ in 0..ROUNDS {
        let candidates = candidates(&job);
        match first_failing(world, &candidates, executor)? {
            Some(smaller) => job = candidates[smaller].clone(),
            None => break,
        }
    }
    describe(world, &job, executor)
}

/// The index of the first job that the executor does not run as the scalar one does.
fn first_failing(
    world: &World,
    jobs: &[Job],
    executor: &mut dyn Executor,
) -> Result<Option<usize>, ParityError> {
    let expected = run_scalar(world, jobs);
    let found = executor.run(world, jobs)?;
    Ok(expected.iter().zip(&found).position(|(a, b)| !same(a, b)))
}

/// The same program over the one record that fails, where one alone does.
fn one_record(world: &World, job: &Job, executor: &mut dyn Executor) -> Result<Job, ParityError> {
    let singles: Vec<Job> = job
        .records
        .iter()
        .map(|record| Job {
            records: vec![*record],
            ..job.clone_without_records()
        })
        .collect();
    let failing = first_failing(world, &singles, executor)?;
    Ok(failing.map_or_else(|| job.clone(), |i| singles[i].clone()))
}

/// Programs a little smaller than `job`: halves and single instructions left out, then one replaced by a copy of
/// the constant 1.
fn candidates(job: &Job) -> Vec<Job> {
    let length = job.code.len();
    let without = |from: usize, count: usize| {
        let mut code = job.code.clone();
        code.drain(from..(from + count).min(length));
        Job { code, ..job.clone() }
    };
    let mut out = Vec::new();
    let plain = Job {
        code: job
            .code
            .iter()
            .map(|&instruction| readable(instruction))
            .collect(),
        ..job.clone()
    };
    if plain != *job {
        out.push(plain);
    }
    let mut stretch = length / 2;
    while stretch >= 1 {
        out.extend((0..length).step_by(stretch).map(|from| without(from, stretch)));
        stretch /= 2;
    }
    for (i, instruction) in job.code.iter().enumerate() {
        let Some(op) = instruction.op() else { continue };
        let lanes = op.info().shape.result_width(instruction.width());
        if lanes == 0 || op == Op::Mov {
            continue;
        }
        let one = [Operand::imm(1.0), Operand::Raw(0), Operand::Raw(0)];
        let mut code = job.code.clone();
        code[i] = Instruction::new(Op::Mov, lanes, instruction.dst(), one);
        out.push(Job { code, ..job.clone() });
    }
    out.retain(passes);
    out
}

/// The same instruction with the identity in the lanes that its swizzles do not read, so that it has a text.
fn readable(instruction: Instruction) -> Instruction {
    let Some(op) = instruction.op() else {
        return instruction;
    };
    let (width, shape) = (instruction.width(), op.info().shape);
    let read = shape.lanes_read(width);
    let sources = [0, 1, 2].map(|operand| match instruction.operand(operand) {
        Operand::Reg { base, swizzle } => {
            let kept = ((1_u16 << (2 * read)) - 1) as u8;
            let swizzle = swizzle & kept | SWIZZLE_XYZW & !kept;
            Operand::Reg { base, swizzle }
        }
        other => other,
    });
    Instruction::new(op, width, instruction.dst(), sources)
}

/// Assembler text, with the first difference and the record as comments.
fn describe(world: &World, job: &Job, executor: &mut dyn Executor) -> Result<String, ParityError> {
    let jobs = std::slice::from_ref(job);
    let (expected, found) = (run_scalar(world, jobs), executor.run(world, jobs)?);
    let mut text = disassemble(&program_of(job));
    let (Some(expected), Some(found)) = (expected.first(), found.first()) else {
        return Ok(text);
    };
    for (i, record) in job.records.iter().enumerate() {
        if let Some(word) = differing(expected, found, i) {
            let (a, b) = (expected.records[i][word], found.records[i][word]);
            let _ = writeln!(
                text,
                "; w{word}: scalar {:?} (0x{a:08x}), {} {:?} (0x{b:08x})",
                f32::from_bits(a),
                executor.name(),
                f32::from_bits(b)
            );
        } else if expected.killed[i] != found.killed[i] {
            let _ = writeln!(
                text,
                "; killed: scalar {}, {} {}",
                expected.killed[i],
                executor.name(),
                found.killed[i]
            );
        } else {
            continue;
        }
        let words: Vec<String> = record.iter().map(|word| format!("{word:08x}")).collect();
        let _ = writeln!(text, "; record {}", words.join(" "));
        break;
    }
    Ok(text)
}
