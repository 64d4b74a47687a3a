//! The pre-warm: a population of its own through the ticks of one step. Twin of `shaders/sim/warm_*.wgsl`.

use super::emit::{Birth, emit};
use super::scan::{row_of, scan};
use super::simulate::{Fate, Surroundings, simulate};
use super::tick::{Ticking, begin_step, births, clock};
use crate::base::dd::Dd;
use crate::host::rows::{EmitterRow, EmitterState, FrameParams};
use crate::host::{Pose, Warmup};
use crate::isa::{HEADER_WORD, ORDINAL_WORD, RECORD_WORDS};

type Record = [u32; RECORD_WORDS as usize];

/// What a pre-warm reads of an emitter row.
#[derive(Debug, Clone)]
pub struct WarmRow {
    /// The row.
    pub row: EmitterRow,
    /// Its bursts.
    pub bursts: Vec<crate::host::rows::BurstRow>,
    /// The pieces of its rate.
    pub rates: Vec<crate::host::rows::RateRow>,
    /// Its poses.
    pub poses: (Pose, Pose),
}

/// What a pre-warm leaves.
#[derive(Debug, Default)]
pub struct Warmed {
    /// Records of what lives, the youngest first.
    pub records: Vec<Record>,
    /// Row and ordinal of each particle killed because its position or size was not finite.
    pub non_finite: Vec<(u32, u32)>,
}

/// Runs the ticks of a pre-warm for those of `rows` that have one, over their states. `around` is the step it belongs
/// to.
pub fn warm_up(
    around: &Surroundings<'_>,
    warmup: &Warmup,
    rows: &[WarmRow],
    states: &mut [EmitterState],
) -> Warmed {
    let mut out = Warmed::default();
    let mut list: Vec<Record> = Vec::new();
    for tick in 0..warmup.ticks {
        let params = warmup.params(around.frame, tick);
        let around = Surroundings {
            frame: &params,
            ..*around
        };
        for (of, state) in rows
            .iter()
            .zip(&mut *states)
            .filter(|(of, _)| of.row.prewarm > 0.0)
        {
            begin_step(state);
            state.dropped = 0;
            let part = Warmup::part(&params, of.row.prewarm, of.row.time_scale);
            clock(Dd::new(part), state);
        }
        let mut living = vec![0u32; rows.len()];
        list.retain_mut(|record| {
            let row = (record[HEADER_WORD as usize] & 0xffff) as usize;
            if record[HEADER_WORD as usize] >> 16 == 0 {
                return false;
            }
            let fate = simulate(&around, &rows[row].row, &states[row], rows[row].poses, record);
            if fate == Fate::NonFinite {
                out.non_finite.push((row as u32, record[ORDINAL_WORD as usize]));
            }
            living[row] += u32::from(fate == Fate::Alive);
            fate == Fate::Alive
        });
        let mut sums: Vec<u32> = rows
            .iter()
            .zip(&mut *states)
            .zip(&living)
            .map(|((of, state), &living)| tick_of(of, state, living))
            .collect();
        let budget = params.pool_capacity - list.len() as u32;
        let born = scan(&mut sums, states, budget);
        let mut young = Vec::with_capacity(born as usize);
        for k in 0..born {
            let row = row_of(&sums, k);
            let first = if row == 0 { 0 } else { sums[row - 1] };
            let of = &rows[row];
            let (record, birth) = emit(&around, row as u32, &of.row, &states[row], of.poses, k - first);
            if birth == Birth::NonFinite {
                out.non_finite.push((row as u32, record[ORDINAL_WORD as usize]));
            }
            young.push(record);
        }
        young.append(&mut list);
        list = young;
    }
    list.retain(|record| record[HEADER_WORD as usize] >> 16 != 0);
    out.records = list;
    out
}

fn tick_of(of: &WarmRow, state: &mut EmitterState, living: u32) -> u32 {
    if of.row.prewarm <= 0.0 || state.dt == 0.0 {
        // What it wanted in the step itself is given and counted.
        state.wanted = 0;
        return 0;
    }
    state.living = living;
    let ticking = Ticking {
        row: &of.row,
        bursts: &of.bursts,
        rates: &of.rates,
        poses: of.poses,
    };
    // What the host asked for is of the present, and waits for it.
    let pending = std::mem::take(&mut state.pending);
    let born = births(&ticking, state, false);
    state.pending = pending;
    born
}

/// The numbers of a tick, for tests of the schedule.
#[must_use]
pub fn parts(warmup: &Warmup, prewarm: f32) -> Vec<f32> {
    let step = FrameParams::default();
    (0..warmup.ticks)
        .map(|tick| Warmup::part(&warmup.params(&step, tick), prewarm, 1.0).max(0.0))
        .collect()
}
