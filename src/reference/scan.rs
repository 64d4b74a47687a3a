//! Inclusive sums: of plain numbers, and over emitter rows, where each row's newborns stand and how many the
//! pool can take.
//!
//! Twins of `shaders/scan/` and `shaders/sim/scan.wgsl`. Births go by row order, so an exhausted pool drops the
//! same spawns in every run.

use crate::host::rows::{EmitterState, SCAN_LIMIT};

/// Each number with all before it; numbers and sums are held to [`SCAN_LIMIT`].
#[must_use]
pub fn inclusive(values: &[u32]) -> Vec<u32> {
    let sums = values.iter().scan(0, |before, &value| {
        *before = (*before + value.min(SCAN_LIMIT)).min(SCAN_LIMIT);
        Some(*before)
    });
    sums.collect()
}

/// Turns the rows' counts into inclusive sums held to `budget` free slots, writes what was born and refused
/// into the states, and gives the number of newborns.
pub fn scan(counts: &mut [u32], states: &mut [EmitterState], budget: u32) -> u32 {
    let mut before = 0u32;
    for (count, state) in counts.iter_mut().zip(states) {
        let take = *count;
        let room = budget.saturating_sub(before);
        let born = take.min(room);
        state.born = born;
        state.spawned = state.spawned.wrapping_add(born);
        state.dropped = state.dropped.wrapping_add(state.wanted - born);
        before = before.saturating_add(take);
        *count = before.min(budget);
    }
    before.min(budget)
}

/// The row that newborn `index` belongs to: the first whose inclusive sum is above it.
#[must_use]
pub fn row_of(sums: &[u32], index: u32) -> usize {
    sums.partition_point(|&sum| sum <= index)
}
