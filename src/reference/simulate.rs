//! Simulate: one particle's step. Twin of `shaders/sim/simulate.wgsl`.

use bytemuck::cast_slice;

use super::emit::set_pose;
use crate::base::gpu_struct::GpuStruct;
use crate::base::rng::DrawKey;
use crate::host::Pose;
use crate::host::rows::{CHANNEL_WIDTH_SHIFT, EmitterRow, EmitterState, FrameParams, ProgramRow, UNBOUND};
use crate::isa::{Builtin, GLOBAL_FIELD_WORDS, Instruction, ORDINAL_WORD, RECORD_WORDS, Section};
use crate::vm::batch::{Batch, LANES, Plan, Shared};
use crate::vm::{self, Builtins, Environment, WindField};

/// What all particles of a step share.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The step's numbers.
    pub frame: &'a FrameParams,
    /// The program buffer.
    pub program: &'a [u32],
    /// The wind; none is still air.
    pub wind: Option<&'a WindField>,
}

/// How a particle's step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It lives on.
    Alive,
    /// Its program ended it.
    Killed,
    /// Its position or size is not finite.
    NonFinite,
}

/// Advances one record by a step.
pub fn simulate(
    around: &Surroundings<'_>,
    row: &EmitterRow,
    state: &EmitterState,
    poses: (Pose, Pose),
    record: &mut [u32; RECORD_WORDS as usize],
) -> Fate {
    let ordinal = record[ORDINAL_WORD as usize];
    let mut builtins = step_builtins(around.frame, row, state, poses);
    builtins.set(Builtin::ParticleOrdinal, ordinal as f32);
    let key = DrawKey {
        seed: row.seed,
        ordinal,
        step: state.step,
        loop_index: state.loop_index,
    };
    let killed = run_section(around, row, Section::Update, &builtins, key, record);
    fate(row, record, killed)
}

/// An emitter in a step.
#[derive(Debug, Clone, Copy)]
pub struct Emitting<'a> {
    /// Its row.
    pub row: &'a EmitterRow,
    /// Its state.
    pub state: &'a EmitterState,
    /// Its pose of this step and of the last.
    pub poses: (Pose, Pose),
}

/// Advances the records in `slots`, all of one emitter, batch by batch, and gives slot, ordinal and
/// fate of each to `tell`. The same bits as [`simulate`], one record after another.
pub fn simulate_batch(
    around: &Surroundings<'_>,
    of: Emitting<'_>,
    batch: &mut Batch,
    records: &mut [[u32; RECORD_WORDS as usize]],
    slots: &[u32],
    mut tell: impl FnMut(u32, u32, Fate),
) {
    let builtins = step_builtins(around.frame, of.row, of.state, of.poses);
    let words = section_words(around, of.row, Section::Update);
    let shared = Shared {
        constants: words.constants,
        emitter_fields: words.fields,
        globals: words.globals,
        builtins: &builtins,
        seed: of.row.seed,
        step: of.state.step,
        loop_index: of.state.loop_index,
        wind: around.wind,
    };
    let plan = Plan::new(words.code);
    for slots in slots.chunks(LANES) {
        let ended = batch.run(&plan, &shared, records, slots, ORDINAL_WORD);
        for (&slot, killed) in slots.iter().zip(ended) {
            let record = &records[slot as usize];
            tell(slot, record[ORDINAL_WORD as usize], fate(of.row, record, killed));
        }
    }
}

/// What all particles of a row read in a step, the ordinal aside.
fn step_builtins(
    frame: &FrameParams,
    row: &EmitterRow,
    state: &EmitterState,
    poses: (Pose, Pose),
) -> Builtins {
    let mut builtins = Builtins::default();
    builtins.set(Builtin::DeltaTime, state.dt);
    builtins.set(Builtin::Time, frame.time_end);
    builtins.set(Builtin::EmitterAge, state.age_hi);
    set_pose(&mut builtins, frame, row, poses, 1.0);
    builtins
}

fn fate(row: &EmitterRow, record: &[u32; RECORD_WORDS as usize], killed: bool) -> Fate {
    if ended_badly(row, record) {
        Fate::NonFinite
    } else if killed {
        Fate::Killed
    } else {
        Fate::Alive
    }
}

/// Parts of the program buffer that a section reads.
struct SectionWords<'a> {
    code: &'a [Instruction],
    constants: &'a [[u32; 4]],
    fields: &'a [u32],
    globals: &'a [u32],
}

fn section_words<'a>(around: &Surroundings<'a>, row: &EmitterRow, section: Section) -> SectionWords<'a> {
    let words = around.program;
    let place = (row.program * ProgramRow::words()) as usize;
    let table = &words[place..place + ProgramRow::words() as usize];
    let program: ProgramRow = bytemuck::pod_read_unaligned(cast_slice(table));
    let (offset, length) = match section {
        Section::Init => (program.init_offset, program.init_length),
        Section::Update => (program.update_offset, program.update_length),
    };
    let constants = &words[program.constant_offset as usize..];
    let globals = around.frame.global_base as usize;
    SectionWords {
        code: cast_slice(&words[offset as usize..(offset + length * 4) as usize]),
        constants: cast_slice(&constants[..constants.len() / 4 * 4]),
        fields: &words[row.field_offset as usize..],
        globals: &words[globals..globals + GLOBAL_FIELD_WORDS as usize],
    }
}

/// Runs a section of a row's program out of the program buffer. True where it killed the particle.
pub(super) fn run_section(
    around: &Surroundings<'_>,
    row: &EmitterRow,
    section: Section,
    builtins: &Builtins,
    key: DrawKey,
    record: &mut [u32; RECORD_WORDS as usize],
) -> bool {
    let words = section_words(around, row, section);
    let env = Environment {
        constants: words.constants,
        emitter_fields: words.fields,
        globals: words.globals,
        builtins,
        key,
        wind: around.wind,
    };
    vm::run(words.code, &env, record).killed
}

/// Whether the bound position or size holds an infinity or a NaN.
pub(super) fn ended_badly(row: &EmitterRow, record: &[u32; RECORD_WORDS as usize]) -> bool {
    [row.channel_position, row.channel_size]
        .into_iter()
        .any(|channel| {
            channel != UNBOUND
                && (0..channel >> CHANNEL_WIDTH_SHIFT).any(|lane| {
                    let word = record[((channel & 0xff) + lane) as usize];
                    word & 0x7f80_0000 == 0x7f80_0000
                })
        })
}
