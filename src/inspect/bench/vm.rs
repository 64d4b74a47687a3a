//! The CPU executors on one core: the scalar one, the batched one, and the same work as a loop in Rust.

use super::native::{long, short, vectors};
use super::{Row, medians};
use crate::isa::asm::assemble;
use crate::isa::{Builtin, ORDINAL_WORD, Program};
use crate::vm::batch::{Batch, LANES, Plan, Shared};
use crate::vm::trial::{Job, Record, World, run_scalar};

/// Particles of a run: a few megabytes, as a real pool's part on one core.
const PARTICLES: u32 = 16_384;
/// Runs of each, of which the median counts.
const ROUNDS: usize = 15;
/// The step, in seconds.
const STEP: f32 = 1.0 / 60.0;

/// Drag, gravity and age, in 15 instructions.
pub(super) const SHORT: &str = include_str!("../../../assets/bench/short.asm");
/// Noise that swirls, colour and size over life, in 118, of which 70 are arithmetic over one number.
pub(super) const LONG: &str = include_str!("../../../assets/bench/long.asm");
/// As many instructions as the long one, of which most are over three and four numbers.
pub(super) const VECTORS: &str = include_str!("../../../assets/bench/vectors.asm");

/// A program and the loop that does the same.
struct Contest {
    name: &'static str,
    text: &'static str,
    native: fn(&mut [Record], f32),
}

const CONTESTS: [Contest; 3] = [
    Contest {
        name: "short",
        text: SHORT,
        native: short,
    },
    Contest {
        name: "long",
        text: LONG,
        native: long,
    },
    Contest {
        name: "vectors",
        text: VECTORS,
        native: vectors,
    },
];

/// Rows of all contests: nanoseconds a particle, and ratios of them.
#[must_use]
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for contest in &CONTESTS {
        let program = program(contest);
        let world = world();
        let mut job = Job {
            code: program.update.clone(),
            constants: program.constants.clone(),
            registers: program.registers,
            records: records(),
        };
        let mut batched = records();
        let mut native = records();
        let slots: Vec<u32> = (0..PARTICLES).collect();
        let mut batch = Batch::default();
        let shared = shared(&program, &world);
        let [scalar_time, batch_time, native_time] = medians(
            ROUNDS,
            [
                &mut || {
                    let ran = run_scalar(&world, std::slice::from_ref(&job));
                    job.records = ran.into_iter().next().map(|ran| ran.records).unwrap_or_default();
                },
                &mut || run_batched(&mut batch, &program, &shared, &mut batched, &slots),
                &mut || (contest.native)(&mut native, STEP),
            ],
        );
        let each = |time: f64| time / f64::from(PARTICLES);
        let name = |what: &str| format!("vm.{}.{what}", contest.name);
        rows.push(Row::new(name("instructions"), program.update.len() as f64, ""));
        rows.push(Row::new(name("scalar"), each(scalar_time), "ns/particle"));
        rows.push(Row::new(name("batch"), each(batch_time), "ns/particle"));
        rows.push(Row::new(name("native"), each(native_time), "ns/particle"));
        rows.push(Row::new(name("batch.over.scalar"), scalar_time / batch_time, ""));
        rows.push(Row::new(name("batch.over.native"), batch_time / native_time, ""));
    }
    rows
}

/// Names of the contests in which some executor's records are not the loop's after a few steps: none, or the
/// figures compare different work.
#[must_use]
pub fn disagreements() -> Vec<&'static str> {
    let disagrees = |contest: &&Contest| {
        let program = program(contest);
        let world = world();
        let mut batched = records();
        let mut native = records();
        let slots: Vec<u32> = (0..PARTICLES).collect();
        let mut batch = Batch::default();
        for _ in 0..3 {
            run_batched(
                &mut batch,
                &program,
                &shared(&program, &world),
                &mut batched,
                &slots,
            );
            (contest.native)(&mut native, STEP);
        }
        batched != native
    };
    CONTESTS
        .iter()
        .filter(disagrees)
        .map(|contest| contest.name)
        .collect()
}

fn program(contest: &Contest) -> Program {
    // The text is part of the program, and a test runs it.
    assemble(contest.text).unwrap_or_default()
}

fn world() -> World {
    let mut world = World::default();
    world.builtins.set(Builtin::DeltaTime, STEP);
    world
}

fn shared<'a>(program: &'a Program, world: &'a World) -> Shared<'a> {
    Shared {
        constants: &program.constants,
        emitter_fields: &world.emitter_fields,
        globals: &world.globals,
        builtins: &world.builtins,
        seed: world.seed,
        step: world.step,
        loop_index: world.loop_index,
        wind: None,
    }
}

fn run_batched(
    batch: &mut Batch,
    program: &Program,
    shared: &Shared<'_>,
    records: &mut [Record],
    slots: &[u32],
) {
    let plan = Plan::new(&program.update);
    for slots in slots.chunks(LANES) {
        batch.run(&plan, shared, records, slots, ORDINAL_WORD);
    }
}

/// Particles over a few metres with small velocities and lifetimes of a second or so.
fn records() -> Vec<Record> {
    let one = |i: u32| {
        let unit = |salt: u32| crate::base::rng::unit(crate::base::rng::pcg(i * 16 + salt));
        let mut record = [0; 32];
        record[0] = 1 << 16;
        record[ORDINAL_WORD as usize] = i;
        for lane in 0..3 {
            record[4 + lane as usize] = (unit(lane) * 8.0 - 4.0).to_bits();
            record[8 + lane as usize] = (unit(3 + lane) - 0.5).to_bits();
        }
        record[7] = (unit(6) * 0.5).to_bits();
        record[11] = (1.0 + unit(7)).to_bits();
        record
    };
    (0..PARTICLES).map(one).collect()
}
