//! Buckets: the list that simulate walks, grouped by program and filled up to whole workgroups. Twin of
//! `shaders/sim/bucket_*.wgsl`; among the particles of a program the order is free.

use crate::host::rows::{PAD_SLOT, ProgramRow, WORKGROUP_SIZE};

/// A list to simulate.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SimulationList {
    /// Slots, and [`PAD_SLOT`] at the end of each program's part.
    pub slots: Vec<u32>,
    /// The program of each workgroup.
    pub programs: Vec<u32>,
}

/// Groups the alive list by the program of each particle, in the order of the programs.
///
/// `key(slot)` is the program; it is held to the number of programs, since a particle whose emitter is gone runs
/// nothing and may lie anywhere.
#[must_use]
pub fn bucket(alive: &[u32], programs: u32, key: impl Fn(u32) -> u32) -> SimulationList {
    let mut parts: Vec<Vec<u32>> = vec![Vec::new(); programs as usize];
    for &slot in alive {
        parts[key(slot).min(programs.saturating_sub(1)) as usize].push(slot);
    }
    let mut list = SimulationList::default();
    for (program, part) in parts.iter().enumerate() {
        list.slots.extend_from_slice(part);
        let padded = list.slots.len().next_multiple_of(WORKGROUP_SIZE as usize);
        list.slots.resize(padded, PAD_SLOT);
        list.programs
            .resize(padded / WORKGROUP_SIZE as usize, program as u32);
    }
    list
}

/// The words of a workgroup's section: UPDATE's first word and length, the constants' first word, the program.
#[must_use]
pub fn section(program: u32, row: &ProgramRow) -> [u32; 4] {
    [row.update_offset, row.update_length, row.constant_offset, program]
}
