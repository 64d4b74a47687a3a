//! A trial: a program over records that belong to no emitter, the same on every executor.

use super::batch::{Batch, LANES, Plan, Shared};
use super::scalar::{Builtins, Environment, run};
use super::wind::WindField;
use crate::base::rng::DrawKey;
use crate::isa::{Builtin, Instruction, ORDINAL_WORD, RECORD_WORDS};

/// A particle's record.
pub type Record = [u32; RECORD_WORDS as usize];

/// What programs of a trial read besides their records.
#[derive(Debug, Clone, Default)]
pub struct World {
    /// The engine's values, the ordinal aside: it is the record's.
    pub builtins: Builtins,
    /// The emitter's fields.
    pub emitter_fields: Vec<u32>,
    /// The global section.
    pub globals: Vec<u32>,
    /// The wind.
    pub wind: Option<WindField>,
    /// The emitter's seed.
    pub seed: u32,
    /// The emitter's own step count.
    pub step: u32,
    /// The emitter's loop.
    pub loop_index: u32,
}

/// A program and the records it runs over.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Its instructions.
    pub code: Vec<Instruction>,
    /// Its constants.
    pub constants: Vec<[u32; 4]>,
    /// Slots it uses.
    pub registers: u32,
    /// The records, at most a workgroup of them.
    pub records: Vec<Record>,
}

impl Job {
    /// The same program with no records.
    #[must_use]
    pub fn clone_without_records(&self) -> Self {
        Self {
            code: self.code.clone(),
            constants: self.constants.clone(),
            registers: self.registers,
            records: Vec::new(),
        }
    }
}

/// What became of a job's records: their words, and which of them the program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The records.
    pub records: Vec<Record>,
    /// By record.
    pub killed: Vec<bool>,
}

/// Runs jobs by the scalar executor.
#[must_use]
pub fn run_scalar(world: &World, jobs: &[Job]) -> Vec<Ran> {
    let one = |job: &Job| {
        let mut records = job.records.clone();
        let killed = records.iter_mut().map(|record| {
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
            run(&job.code, &env, record).killed
        });
        let killed = killed.collect();
        Ran { records, killed }
    };
    jobs.iter().map(one).collect()
}

/// Runs jobs by the batched executor.
#[must_use]
pub fn run_batched(world: &World, jobs: &[Job]) -> Vec<Ran> {
    let mut batch = Batch::default();
    let one = |job: &Job| {
        let mut records = job.records.clone();
        let slots: Vec<u32> = (0..records.len() as u32).collect();
        let shared = Shared {
            constants: &job.constants,
            emitter_fields: &world.emitter_fields,
            globals: &world.globals,
            builtins: &world.builtins,
            seed: world.seed,
            step: world.step,
            loop_index: world.loop_index,
            wind: world.wind.as_ref(),
        };
        let mut killed = Vec::with_capacity(records.len());
        let plan = Plan::new(&job.code);
        for slots in slots.chunks(LANES) {
            let ended = batch.run(&plan, &shared, &mut records, slots, ORDINAL_WORD);
            killed.extend_from_slice(&ended[..slots.len()]);
        }
        Ran { records, killed }
    };
    jobs.iter().map(one).collect()
}
