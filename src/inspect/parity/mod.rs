//! Parity: random programs through every executor, against the scalar one that defines them.
//!
//! On software Vulkan every word must have the same bits, any NaN being equal to any other. On hardware the two
//! GPU backings must have each other's bits, and every instruction of every program is run by itself on the
//! operands it had: its result may differ by the opcode table's tolerance ([`hardware`]).

pub mod generate;
pub mod hardware;
mod minimise;
pub mod page;

use std::collections::BTreeMap;

use serde::Serialize;
use thiserror::Error;

use self::generate::{Rolls, program_of};
use self::hardware::OpReport;
use crate::gpu::readback::ReadError;
use crate::gpu::trial::Trial;
use crate::gpu::{Decode, Gpu};
use crate::host::rows::WORKGROUP_SIZE;
use crate::isa::disasm::disassemble;
use crate::isa::{Op, RECORD_WORDS};
use crate::vm::trial::{Job, Ran, World, run_batched, run_scalar};

/// Random instructions of a program, besides its loads and stores.
const INSTRUCTIONS: usize = 24;
/// Programs that run together.
const CHUNK: u32 = 256;
/// Failures that are minimised and shown; further ones are counted.
const SHOWN: usize = 8;

/// An executor other than the scalar one.
pub trait Executor {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Whether it must give the scalar executor's bits; else the opcodes' tolerances hold.
    fn exact(&self) -> bool {
        true
    }

    /// Runs jobs.
    ///
    /// # Errors
    /// [`ParityError`].
    fn run(&mut self, world: &World, jobs: &[Job]) -> Result<Vec<Ran>, ParityError>;
}

/// Programs could not be run.
#[derive(Debug, Error)]
#[error("the programs could not be run: {0}")]
pub struct ParityError(#[from] ReadError);

/// The batched CPU executor.
#[derive(Debug, Default)]
pub struct Batched;

impl Executor for Batched {
    fn name(&self) -> &'static str {
        Backend::Batched.name()
    }

    fn run(&mut self, world: &World, jobs: &[Job]) -> Result<Vec<Ran>, ParityError> {
        Ok(run_batched(world, jobs))
    }
}

/// The GPU's interpreter.
#[derive(Debug)]
pub struct Device {
    trial: Trial,
    backend: Backend,
    exact: bool,
}

impl Device {
    /// The interpreter as a GPU backend has it.
    #[must_use]
    pub fn new(gpu: &Gpu, backend: Backend) -> Self {
        Self::of(Trial::new(gpu, backend.decode()), backend, gpu.is_software())
    }

    /// A trial's interpreter as that of a backend; `exact` where it must give the scalar executor's bits.
    #[must_use]
    pub fn of(trial: Trial, backend: Backend, exact: bool) -> Self {
        Self {
            trial,
            backend,
            exact,
        }
    }
}

impl Executor for Device {
    fn name(&self) -> &'static str {
        self.backend.name()
    }

    fn exact(&self) -> bool {
        self.exact
    }

    fn run(&mut self, world: &World, jobs: &[Job]) -> Result<Vec<Ran>, ParityError> {
        Ok(self.trial.run(world, jobs, self.backend == Backend::Wide)?)
    }
}

/// Executors that can be compared with the scalar one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Backend {
    /// The batched CPU executor.
    Batched,
    /// The GPU with private registers, every instruction over four lanes.
    Fast,
    /// Likewise, instructions of width 1 over one lane: as simulations run on hardware.
    Single,
    /// The GPU with registers in a buffer.
    Wide,
}

impl Backend {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Batched, Self::Fast, Self::Single, Self::Wide];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Batched => "batched",
            Self::Fast => "gpu-fast",
            Self::Single => "gpu-single",
            Self::Wide => "gpu-wide",
        }
    }

    /// Its executor. The GPU's need a device.
    #[must_use]
    pub fn executor(self, gpu: Option<&Gpu>) -> Option<Box<dyn Executor>> {
        Some(match self {
            Self::Batched => Box::new(Batched),
            Self::Fast | Self::Single | Self::Wide => Box::new(Device::new(gpu?, self)),
        })
    }

    /// How its interpreter decodes.
    const fn decode(self) -> Decode {
        match self {
            Self::Single => Decode::OneOrFour,
            Self::Batched | Self::Fast | Self::Wide => Decode::Four,
        }
    }
}

/// A program on which executors differ.
#[derive(Debug, Clone, Serialize)]
pub struct Failure {
    /// Who differs from the scalar executor, or from the other GPU backing.
    pub backend: &'static str,
    /// Which program of the run, from 0.
    pub program: u32,
    /// The smallest program found that still fails, as assembler text, with its record.
    pub text: String,
}

/// What a run found.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    /// Programs run.
    pub programs: u32,
    /// The seed they came from.
    pub seed: u32,
    /// Who was compared with the scalar executor.
    pub backends: Vec<&'static str>,
    /// How often each opcode was run.
    pub used: BTreeMap<&'static str, u64>,
    /// Programs on which someone differed, or instructions past their tolerance.
    pub failed: u64,
    /// The first of them.
    pub failures: Vec<Failure>,
    /// What hardware differed by, where tolerances hold.
    pub hardware: Vec<OpReport>,
}

/// Runs `programs` random programs of a seed through executors.
///
/// # Errors
/// [`ParityError`] where an executor cannot run at all.
pub fn parity(programs: u32, seed: u32, executors: &mut [Box<dyn Executor>]) -> Result<Report, ParityError> {
    let mut report = Report {
        programs,
        seed,
        backends: executors.iter().map(|executor| executor.name()).collect(),
        ..Report::default()
    };
    let mut rolls = Rolls::new(seed);
    let world = generate::world(&mut rolls);
    let mut ops = hardware::Table::default();
    for first in (0..programs).step_by(CHUNK as usize) {
        let count = CHUNK.min(programs - first);
        let jobs: Vec<Job> = (0..count)
            .map(|_| generate::job(&mut rolls, INSTRUCTIONS, WORKGROUP_SIZE))
            .collect();
        for op in jobs.iter().flat_map(|job| &job.code).filter_map(|i| i.op()) {
            *report.used.entry(op.info().mnemonic).or_default() += 1;
        }
        let expected = run_scalar(&world, &jobs);
        let mut hardware_ran: Option<Vec<Ran>> = None;
        for executor in executors.iter_mut() {
            let ran = executor.run(&world, &jobs)?;
            if !executor.exact() {
                ops.check(&world, &jobs, executor.as_mut(), &mut report)?;
                // The backings run one text: they have each other's bits on any device.
                if let Some(other) = &hardware_ran {
                    for (i, (a, b)) in ran.iter().zip(other).enumerate() {
                        if !same(a, b) {
                            report.failed += 1;
                            let text = disassemble(&program_of(&jobs[i]));
                            report.note(executor.name(), first + i as u32, text);
                        }
                    }
                }
                hardware_ran = Some(ran);
                continue;
            }
            for (i, (expected, found)) in expected.iter().zip(&ran).enumerate() {
                if same(expected, found) {
                    continue;
                }
                report.failed += 1;
                if report.failures.len() < SHOWN {
                    let text = minimise::minimise(&world, &jobs[i], executor.as_mut())?;
                    report.note(executor.name(), first + i as u32, text);
                }
            }
        }
    }
    report.hardware = ops.rows();
    Ok(report)
}

impl Report {
    fn note(&mut self, backend: &'static str, program: u32, text: String) {
        if self.failures.len() < SHOWN {
            self.failures.push(Failure {
                backend,
                program,
                text,
            });
        }
    }

    /// Opcodes that no program of the run had.
    #[must_use]
    pub fn unused(&self) -> Vec<Op> {
        let ops = crate::isa::ops::OPS.iter();
        ops.filter(|info| !self.used.contains_key(info.mnemonic))
            .map(|info| info.op)
            .collect()
    }
}

/// Equal bits, or both NaN: which payload comes out of an operation is nobody's promise.
#[must_use]
pub fn same_word(a: u32, b: u32) -> bool {
    a == b || (f32::from_bits(a).is_nan() && f32::from_bits(b).is_nan())
}

fn same(a: &Ran, b: &Ran) -> bool {
    a.killed == b.killed && (0..a.records.len()).all(|i| differing(a, b, i).is_none())
}

/// The first word in which record `i` differs.
fn differing(a: &Ran, b: &Ran, i: usize) -> Option<usize> {
    let (a, b) = (a.records.get(i)?, b.records.get(i)?);
    (0..RECORD_WORDS as usize).find(|&word| !same_word(a[word], b[word]))
}
