//! Simulate: one particle's step. Twin of `shaders/sim/simulate.wgsl`.

use bytemuck::cast_slice;

use super::emit::set_pose;
use crate::base::rng::DrawKey;
use crate::host::Pose;
use crate::host::rows::{CHANNEL_WIDTH_SHIFT, EmitterRow, EmitterState, FrameParams, UNBOUND};
use crate::isa::{Builtin, GLOBAL_FIELD_WORDS, Instruction, ORDINAL_WORD, RECORD_WORDS, Section};
use crate::vm::{self, Builtins, Environment};

/// What all particles of a step share.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The step's numbers.
    pub frame: &'a FrameParams,
    /// The program buffer.
    pub program: &'a [u32],
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
    let frame = around.frame;
    let ordinal = record[ORDINAL_WORD as usize];
    let mut builtins = Builtins::default();
    builtins.set(Builtin::DeltaTime, frame.dt);
    builtins.set(Builtin::Time, frame.time_end);
    builtins.set(Builtin::EmitterAge, state.age_hi);
    builtins.set(Builtin::ParticleOrdinal, ordinal as f32);
    set_pose(&mut builtins, frame, row, poses, 1.0);
    let key = DrawKey {
        seed: row.seed,
        ordinal,
        step: state.step,
    };
    let killed = run_section(around, row, Section::Update, &builtins, key, record);
    if ended_badly(row, record) {
        Fate::NonFinite
    } else if killed {
        Fate::Killed
    } else {
        Fate::Alive
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
    let (offset, length) = match section {
        Section::Init => (row.init_offset, row.init_length),
        Section::Update => (row.update_offset, row.update_length),
    };
    let words = around.program;
    let code: &[Instruction] = cast_slice(&words[offset as usize..(offset + length * 4) as usize]);
    let constants = &words[row.constant_offset as usize..];
    let constants: &[[u32; 4]] = cast_slice(&constants[..constants.len() / 4 * 4]);
    let globals = around.frame.global_base as usize;
    let env = Environment {
        constants,
        emitter_fields: &words[row.field_offset as usize..],
        globals: &words[globals..globals + GLOBAL_FIELD_WORDS as usize],
        builtins,
        key,
    };
    vm::run(code, &env, record).killed
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
