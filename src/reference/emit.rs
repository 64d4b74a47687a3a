//! Emit: one newborn. Twin of `shaders/sim/emit.wgsl`.

use super::runs::birth_time;
use super::simulate::{Surroundings, ended_badly, run_section};
use crate::base::rng::{DrawKey, loop_seed};
use crate::host::Pose;
use crate::host::rows::{EmitterRow, EmitterState, FrameParams, UNBOUND};
use crate::isa::{Builtin, HEADER_WORD, ORDINAL_WORD, RECORD_WORDS, Section};
use crate::vm::Builtins;

/// How a newborn's first step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Birth {
    /// It lives.
    Alive,
    /// It ended in the step it was born in.
    Stillborn,
    /// Likewise, because its position or size was not finite.
    NonFinite,
}

/// Gives birth number `index` of `row_index` its record: INIT at its own moment, then UPDATE over what is left
/// of the step.
pub fn emit(
    around: &Surroundings<'_>,
    row_index: u32,
    row: &EmitterRow,
    state: &EmitterState,
    poses: (Pose, Pose),
    index: u32,
) -> ([u32; RECORD_WORDS as usize], Birth) {
    let frame = around.frame;
    let ordinal = state.spawned.wrapping_sub(state.born).wrapping_add(index);
    let (since, loop_index) = birth_time(state, index);
    let passed = since / state.dt;
    // Where the emitter was before the step, nobody knows any more.
    let fraction = if passed > 0.0 { passed } else { 0.0 };
    let mut record = [0; RECORD_WORDS as usize];
    record[HEADER_WORD as usize] = row_index | row.generation << 16;
    record[ORDINAL_WORD as usize] = ordinal;

    let mut builtins = Builtins::default();
    builtins.set(Builtin::DeltaTime, state.dt - since);
    builtins.set(Builtin::Time, frame.time_start + passed * frame.dt);
    builtins.set(Builtin::EmitterAge, state.age_start + since);
    builtins.set(Builtin::ParticleOrdinal, ordinal as f32);
    builtins.set(Builtin::SpawnFraction, fraction);
    set_pose(&mut builtins, frame, row, poses, fraction);
    let key = DrawKey {
        seed: if row.loop_seed == 0 {
            row.seed
        } else {
            loop_seed(row.seed, loop_index)
        },
        ordinal,
        step: 0,
        loop_index,
    };
    run_section(around, row, Section::Init, &builtins, key, &mut record);
    inherit(row, builtins.get(Builtin::EmitterVelocity), &mut record);

    builtins.set(Builtin::Time, frame.time_end);
    builtins.set(Builtin::EmitterAge, state.age_hi);
    set_pose(&mut builtins, frame, row, poses, 1.0);
    let key = DrawKey {
        seed: row.seed,
        ordinal,
        step: state.step,
        loop_index: state.loop_index,
    };
    let killed = run_section(around, row, Section::Update, &builtins, key, &mut record);

    let bad = ended_badly(row, &record);
    if killed || bad {
        record[HEADER_WORD as usize] = row_index;
        return (record, if bad { Birth::NonFinite } else { Birth::Stillborn });
    }
    (record, Birth::Alive)
}

/// Adds the emitter's velocity to a newborn's, as far as the row says.
fn inherit(row: &EmitterRow, velocity: [f32; 3], record: &mut [u32; RECORD_WORDS as usize]) {
    if row.inherit_velocity == 0.0 || row.channel_velocity == UNBOUND {
        return;
    }
    let first = (row.channel_velocity & 0xff) as usize;
    for (word, part) in record[first..].iter_mut().zip(velocity) {
        *word = (f32::from_bits(*word) + part * row.inherit_velocity).to_bits();
    }
}

/// The emitter's place in simulation space, `fraction` of the way from the last step's pose to this one's.
pub(super) fn set_pose(
    builtins: &mut Builtins,
    frame: &FrameParams,
    row: &EmitterRow,
    (now, before): (Pose, Pose),
    fraction: f32,
) {
    let mix = |a: f32, b: f32| a + (b - a) * fraction;
    let between = |a: [f32; 3], b: [f32; 3]| [mix(a[0], b[0]), mix(a[1], b[1]), mix(a[2], b[2])];
    let (from, to) = (before.position(), now.position());
    builtins.set3(Builtin::EmitterWorldPosition, between(from, to));
    for (axis, builtin) in [
        Builtin::EmitterWorldAxisX,
        Builtin::EmitterWorldAxisY,
        Builtin::EmitterWorldAxisZ,
    ]
    .into_iter()
    .enumerate()
    {
        builtins.set3(builtin, between(before.axis(axis), now.axis(axis)));
    }
    let velocity = [0, 1, 2].map(|i| (to[i] - from[i]) / frame.dt);
    builtins.set3(Builtin::EmitterWorldVelocity, velocity);
    let (now, before) = if row.local_space == 0 {
        (now, before)
    } else {
        (Pose::IDENTITY, Pose::IDENTITY)
    };
    let (from, to) = (before.position(), now.position());
    builtins.set3(Builtin::EmitterPosition, between(from, to));
    builtins.set3(Builtin::EmitterAxisX, between(before.axis(0), now.axis(0)));
    builtins.set3(Builtin::EmitterAxisY, between(before.axis(1), now.axis(1)));
    builtins.set3(Builtin::EmitterAxisZ, between(before.axis(2), now.axis(2)));
    builtins.set3(
        Builtin::EmitterVelocity,
        [0, 1, 2].map(|i| (to[i] - from[i]) / frame.dt),
    );
}
