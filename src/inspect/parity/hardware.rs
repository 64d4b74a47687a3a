//! Tolerances on hardware: every instruction by itself, on the operands it had in its program.
//!
//! A lane counts where its operands, its products and the scalar executor's result are finite, 0 or normal, and
//! not above 2¹²⁶, and what was computed not below 2⁻¹²⁵: devices flush denormals, drop NaN operands of what compiles to their own minimum, and lose quotients
//! past that. An exact opcode may differ in the sign of zero alone; the others by so many units in the last
//! place of the largest operand or of the result.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Executor, ParityError, Report};
use crate::base::rng::DrawKey;
use crate::isa::disasm::disassemble;
use crate::isa::{Builtin, Instruction, ORDINAL_WORD, Op, Operand, Program, Shape, Tolerance};
use crate::vm::Environment;
use crate::vm::scalar::Machine;
use crate::vm::trial::{Job, Record, World, run_scalar};

/// Field words the operands and the result of a single instruction lie in, a quad each.
const OPERANDS: [u32; 3] = [4, 8, 12];
const RESULT: u32 = 16;
/// Largest magnitude that counts.
const LARGEST: f32 = 8.507_059e37;

/// What hardware did with an opcode.
#[derive(Debug, Clone, Serialize)]
pub struct OpReport {
    /// The opcode.
    pub op: &'static str,
    /// Lanes compared.
    pub lanes: u64,
    /// Lanes whose operands or result are outside of what counts.
    pub outside: u64,
    /// Largest difference, in units in the last place.
    pub worst_ulp: f64,
    /// The units the table allows; none is equal bits.
    pub allowed_ulp: Option<u32>,
}

/// By opcode.
#[derive(Debug, Default)]
pub(super) struct Table(BTreeMap<u8, OpReport>);

impl Table {
    pub(super) fn rows(self) -> Vec<OpReport> {
        self.0.into_values().collect()
    }

    /// Runs every computing instruction of `jobs` by itself and notes what differs.
    pub(super) fn check(
        &mut self,
        world: &World,
        jobs: &[Job],
        executor: &mut dyn Executor,
        report: &mut Report,
    ) -> Result<(), ParityError> {
        let mut singles: Vec<(Instruction, Job)> = Vec::new();
        for job in jobs {
            singles.extend(split(world, job));
        }
        let jobs: Vec<Job> = singles.iter().map(|(_, job)| job.clone()).collect();
        let (expected, found) = (run_scalar(world, &jobs), executor.run(world, &jobs)?);
        for (((instruction, job), expected), found) in singles.iter().zip(&expected).zip(&found) {
            let Some(op) = instruction.op() else { continue };
            let lanes = op.info().shape.result_width(instruction.width());
            for (i, given) in job.records.iter().enumerate() {
                let results = [&expected.records[i], &found.records[i]];
                let worst = (0..lanes)
                    .filter_map(|lane| self.lane(op, instruction, given, results, lane))
                    .fold(0.0, f64::max);
                let killed = expected.killed[i] != found.killed[i] && counts(given[OPERANDS[0] as usize]);
                if worst > allowed(op) || killed {
                    report.failed += 1;
                    let program = Program {
                        update: job.code.clone(),
                        constants: job.constants.clone(),
                        registers: job.registers,
                        ..Program::default()
                    };
                    let words: Vec<String> = given.iter().map(|w| format!("{w:08x}")).collect();
                    let text = format!(
                        "{}; {worst} ulp, {} allowed\n; record {}\n",
                        disassemble(&program),
                        allowed(op),
                        words.join(" ")
                    );
                    report.note(executor.name(), report.programs, text);
                }
            }
        }
        Ok(())
    }

    /// How far apart a lane is, in units in the last place, where it counts.
    fn lane(
        &mut self,
        op: Op,
        instruction: &Instruction,
        given: &Record,
        [expected, found]: [&Record; 2],
        lane: u32,
    ) -> Option<f64> {
        let info = op.info();
        let row = self.0.entry(info.code).or_insert_with(|| OpReport {
            op: info.mnemonic,
            lanes: 0,
            outside: 0,
            worst_ulp: 0.0,
            allowed_ulp: match info.tolerance {
                Tolerance::Exact => None,
                Tolerance::Ulp(units) => Some(units),
            },
        });
        // A reduction reads all lanes, and a place in the wind three.
        let read = match info.shape {
            Shape::Reduce | Shape::SampleWind => 0..instruction.width(),
            _ => lane..lane + 1,
        };
        let operands: Vec<u32> = info
            .shape
            .value_sources()
            .iter()
            .flat_map(|&operand| read.clone().map(move |lane| OPERANDS[operand] + lane))
            .map(|word| given[word as usize])
            .collect();
        let at = (RESULT + lane) as usize;
        let (a, b) = (expected[at], found[at]);
        let loads = info.shape.value_sources().is_empty();
        let inside = operands.iter().all(|&word| counts(word)) && products_count(op, &operands) && made(a);
        if !(loads || inside) {
            row.outside += 1;
            return None;
        }
        row.lanes += 1;
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        if a == b || x == y || (loads && !(counts(a) && counts(b))) {
            return Some(0.0);
        }
        let scale = operands
            .iter()
            .map(|&word| f32::from_bits(word).abs())
            .fold(x.abs(), f32::max)
            .max(f32::MIN_POSITIVE);
        let unit = f64::from(f32::from_bits(scale.to_bits() & 0x7f80_0000)) * f64::from(f32::EPSILON);
        let apart = (f64::from(x) - f64::from(y)).abs() / unit;
        let apart = if apart.is_nan() { f64::INFINITY } else { apart };
        row.worst_ulp = row.worst_ulp.max(apart);
        Some(apart)
    }
}

/// Whether what an opcode multiplies on its way counts: a product that is flushed shows in a sum of small numbers.
fn products_count(op: Op, operands: &[u32]) -> bool {
    let product = |a: u32, b: u32| made((f32::from_bits(a) * f32::from_bits(b)).to_bits());
    match op {
        Op::Mad => product(operands[0], operands[1]),
        Op::Dot => {
            let (a, b) = operands.split_at(operands.len() / 2);
            a.iter().zip(b).all(|(&a, &b)| product(a, b))
        }
        _ => true,
    }
}

/// What an opcode may differ by, as text.
#[must_use]
pub fn allowed_text(op: Op) -> String {
    match op.info().tolerance {
        Tolerance::Exact => "equal".to_owned(),
        Tolerance::Ulp(units) => units.to_string(),
    }
}

fn allowed(op: Op) -> f64 {
    match op.info().tolerance {
        Tolerance::Exact => 0.0,
        Tolerance::Ulp(units) => f64::from(units),
    }
}

/// Whether a number that was computed counts: one at the edge of the denormals is flushed before it is rounded.
fn made(word: u32) -> bool {
    let value = f32::from_bits(word);
    counts(word) && (value == 0.0 || value.abs() >= 2.0 * f32::MIN_POSITIVE)
}

/// 0 or normal, and not too large.
fn counts(word: u32) -> bool {
    let value = f32::from_bits(word);
    value == 0.0 || (value.is_normal() && value.abs() <= LARGEST)
}

/// A job for each computing instruction: it loads the operands that the instruction had for each record, runs it
/// and stores what it gave.
fn split(world: &World, job: &Job) -> Vec<(Instruction, Job)> {
    let mut singles: Vec<(Instruction, Job)> = job
        .code
        .iter()
        .filter_map(|&instruction| Some((instruction, single(job, instruction)?)))
        .collect();
    for record in &job.records {
        let ordinal = record[ORDINAL_WORD as usize];
        let mut builtins = world.builtins;
        builtins.set(Builtin::ParticleOrdinal, ordinal as f32);
        let env = Environment {
            constants: &job.constants,
            emitter_fields: &world.emitter_fields,
            globals: &world.globals,
            builtins: &builtins,
            key: DrawKey {
                seed: world.seed,
                ordinal,
                step: world.step,
                loop_index: world.loop_index,
            },
            wind: world.wind.as_ref(),
        };
        let mut machine = Machine::default();
        let mut state = *record;
        let mut next = singles.iter_mut();
        for &instruction in &job.code {
            if computes(instruction) {
                let mut given = *record;
                for (operand, &word) in OPERANDS.iter().enumerate() {
                    let values = machine.read(instruction.operand(operand));
                    given[word as usize..word as usize + 4].copy_from_slice(&values);
                }
                if let Some((_, single)) = next.next() {
                    single.records.push(given);
                }
            }
            machine.step(instruction, &env, &mut state);
        }
    }
    singles
}

fn computes(instruction: Instruction) -> bool {
    !matches!(
        instruction.op(),
        None | Some(Op::Nop | Op::LoadField | Op::StoreField)
    )
}

fn single(job: &Job, instruction: Instruction) -> Option<Job> {
    let op = instruction.op().filter(|_| computes(instruction))?;
    let none = Operand::Raw(0);
    let shape = op.info().shape;
    let mut code: Vec<Instruction> = OPERANDS
        .iter()
        .enumerate()
        .map(|(operand, &word)| {
            let slot = 4 * operand as u8;
            Instruction::new(Op::LoadField, 4, slot, [Operand::Raw(word), none, none])
        })
        .collect();
    let sources = [0, 1, 2].map(|operand| {
        if shape.value_sources().contains(&operand) {
            Operand::reg(4 * operand as u8)
        } else {
            instruction.operand(operand)
        }
    });
    let (width, lanes) = (instruction.width(), shape.result_width(instruction.width()));
    const DST: u8 = 12;
    code.push(Instruction::new(
        op,
        width,
        if lanes > 0 { DST } else { 0 },
        sources,
    ));
    if lanes > 0 {
        let store = [Operand::Raw(RESULT), Operand::reg(DST), none];
        code.push(Instruction::new(Op::StoreField, lanes, 0, store));
    }
    Some(Job {
        code,
        constants: job.constants.clone(),
        registers: 16,
        records: Vec::new(),
    })
}
