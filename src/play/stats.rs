//! Counters of a run.

use serde::Serialize;

use crate::host::Stage;
use crate::host::rows::{Counter, EmitterState, WORKGROUP_SIZE};
use crate::reference::LiveParticle;

/// What one emitter did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EmitterStats {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Particles alive.
    pub alive: u32,
    /// Particles born so far.
    pub born: u32,
    /// Births refused so far.
    pub dropped: u32,
    /// Most it may have alive.
    pub capacity: u32,
    /// Whether it has ended and is empty.
    pub finished: bool,
}

/// What a run did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Particles alive.
    pub alive: u32,
    /// Free slots.
    pub dead: u32,
    /// Free slots at the last step's start: what it could bear at the most.
    pub budget: u32,
    /// Length of the alive list, with what ended as it was born.
    pub listed: u32,
    /// Workgroups of the next simulate, each of particles of one program.
    pub workgroups: u32,
    /// Particles that ended in the step they were born in, still holding a slot.
    pub stillborn: u32,
    /// Particles born so far.
    pub born: u32,
    /// Births refused so far.
    pub dropped: u32,
    /// Particles killed because position or size was not finite.
    pub non_finite: u32,
    /// Digest of all live records, as 16 hexadecimal digits.
    pub digest: String,
    /// One line an emitter, in the effect's order.
    pub emitters: Vec<EmitterStats>,
}

impl Stats {
    /// Gathers counters, states and live particles.
    #[must_use]
    pub fn gather(
        stage: &Stage,
        counter: impl Fn(Counter) -> u32,
        states: &[EmitterState],
        live: &[LiveParticle],
    ) -> Self {
        let emitters: Vec<EmitterStats> = (0..stage.row_count())
            .filter_map(|row| {
                let (_, _, emitter) = stage.owner(row)?;
                let state = states.get(row as usize)?;
                Some(EmitterStats {
                    id: emitter.id.as_str().to_owned(),
                    name: emitter.name.clone(),
                    alive: state.living,
                    born: state.spawned,
                    dropped: state.dropped,
                    capacity: emitter.emission.capacity,
                    finished: state.finished != 0,
                })
            })
            .collect();
        Self {
            alive: live.len() as u32,
            dead: counter(Counter::Dead),
            budget: counter(Counter::Budget),
            listed: counter(Counter::Alive),
            workgroups: counter(Counter::SimPadded) / WORKGROUP_SIZE,
            stillborn: counter(Counter::Alive) - live.len() as u32,
            born: emitters.iter().map(|e| e.born).sum(),
            dropped: emitters.iter().map(|e| e.dropped).sum(),
            non_finite: counter(Counter::NonFinite),
            digest: format!("{:016x}", crate::reference::digest(stage, live)),
            emitters,
        }
    }
}
