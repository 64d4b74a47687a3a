//! Programs on the device: the heap's words, and the list that simulate walks.

use std::collections::BTreeMap;
use std::sync::Arc;

use mote::artifact::{Burst, Effect, Emission};
use mote::gpu::readback::read_words;
use mote::host::rows::{Counter, PAD_SLOT, SECTION_WORDS, WORKGROUP_SIZE};
use mote::host::{InstanceId, Placement};
use mote::isa::HEADER_WORD;
use mote::reference::bucket::{bucket, section};

use crate::support::{Pair, Rolls, drift, effect, gpu};
use crate::twins::assert_equal;

/// Effects that run programs of their own, of several lengths.
fn some_program(rolls: &mut Rolls) -> Arc<Effect> {
    let mut text = drift(0.2 + rolls.below(40) as f32 * 0.01);
    for _ in 0..rolls.below(60) {
        text.push_str("    mad.3 r2, r5, r0.xxx, r2\n");
    }
    let emission = Emission {
        rate: 60.0 + rolls.below(300) as f32,
        capacity: 100,
        ..Emission::default()
    };
    effect(&text, emission)
}

/// The device's words of the heap are the host's.
fn assert_words(pair: &Pair, what: &str) {
    let words = pair.stage.heap().words();
    let found = read_words(&gpu().0, pair.simulation.programs()).unwrap();
    assert!(found[..words.len()] == *words, "{what}: words of the heap");
}

/// The list on the device is the twin's; among the particles of one program the order is free.
fn assert_list(pair: &Pair, what: &str) {
    let snapshot = pair.snapshot();
    let heap = pair.stage.heap();
    let words = read_words(&gpu().0, pair.simulation.list()).unwrap();
    let padded = snapshot.counter(Counter::SimPadded) as usize;
    let program_of = |slot: u32| {
        let row = snapshot.records[slot as usize][HEADER_WORD as usize] & 0xffff;
        pair.stage.row(row).program
    };
    let expected = bucket(&snapshot.alive, heap.program_count(), program_of);
    assert_eq!(padded, expected.slots.len(), "{what}: length");
    let size = WORKGROUP_SIZE as usize;
    let sections = &words[pair.simulation.section_word(&pair.pool) as usize..];
    let by_program = |slots: &[u32]| {
        let mut parts: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (group, slots) in slots.chunks_exact(size).enumerate() {
            parts
                .entry(expected.programs[group])
                .or_default()
                .extend_from_slice(slots);
        }
        for slots in parts.values_mut() {
            let fill = slots.iter().position(|&s| s == PAD_SLOT).unwrap_or(slots.len());
            assert!(
                slots[fill..].iter().all(|&s| s == PAD_SLOT),
                "{what}: sentinels are last"
            );
            slots.sort_unstable();
        }
        parts
    };
    assert_eq!(
        by_program(&words[..padded]),
        by_program(&expected.slots),
        "{what}: list"
    );
    for (group, &program) in expected.programs.iter().enumerate() {
        let first = group * SECTION_WORDS as usize;
        assert_eq!(
            sections[first..first + SECTION_WORDS as usize],
            section(program, &heap.row(program)),
            "{what}: section of workgroup {group}"
        );
    }
}

#[test]
fn heap_and_list_are_the_twins_while_programs_come_go_and_change() {
    let seed = 41;
    let mut rolls = Rolls(seed);
    let mut pair = Pair::new(4000);
    let mut living: Vec<InstanceId> = Vec::new();
    for step in 0..80 {
        for _ in 0..1 + rolls.below(3) {
            match rolls.below(4) {
                0 if !living.is_empty() => {
                    let gone = living.swap_remove(rolls.below(living.len() as u32) as usize);
                    pair.stage.remove(gone).unwrap();
                }
                1 if !living.is_empty() => {
                    let edited = living[rolls.below(living.len() as u32) as usize];
                    pair.stage.set_effect(edited, some_program(&mut rolls)).unwrap();
                }
                _ if living.len() < 90 => {
                    let placement = Placement {
                        seed: step,
                        ..Placement::default()
                    };
                    living.push(pair.stage.place(some_program(&mut rolls), placement).unwrap());
                }
                _ => {}
            }
        }
        pair.step(1.0 / 60.0);
        if step % 5 == 4 {
            let what = format!("seed {seed}, step {step}");
            assert_words(&pair, &what);
            assert_list(&pair, &what);
            assert_equal(&pair, &what);
        }
    }
    assert!(living.len() > 10);
}

#[test]
fn heap_a_program_replaced_by_an_equal_one_buckets_nothing_again() {
    let emission = Emission {
        rate: 500.0,
        ..Emission::default()
    };
    let mut pair = Pair::with(&effect(&drift(1.0), emission.clone()), 1000);
    let bucketings = |pair: &Pair| {
        let counts: BTreeMap<_, _> = pair.simulation.dispatches().iter().copied().collect();
        (counts["bucket_count"], counts["bucket_fill"])
    };
    pair.step(1.0 / 60.0);
    pair.step(1.0 / 60.0);
    assert_eq!(bucketings(&pair), (1, 1));
    let id = pair.stage.instances().next().unwrap();
    // Another artifact with the same words.
    pair.stage
        .set_effect(id, effect(&drift(1.0), emission.clone()))
        .unwrap();
    pair.step(1.0 / 60.0);
    assert_eq!(bucketings(&pair), (1, 1), "an equal program");
    // A second instance, and one that only has other settings, share its program and its bucket.
    pair.stage
        .place(effect(&drift(1.0), emission.clone()), Placement::default())
        .unwrap();
    pair.step(1.0 / 60.0);
    assert_eq!(pair.stage.heap().program_count(), 1);
    // One with another constant, of the same length, is written over the old in place: nothing moves.
    let faster = drift(2.0);
    pair.stage.set_effect(id, effect(&faster, emission)).unwrap();
    pair.step(1.0 / 60.0);
    assert_equal(&pair, "after the edit");
    assert_list(&pair, "after the edit");
}

#[test]
fn heap_a_changed_program_reaches_a_hundred_thousand_particles_in_the_next_frame() {
    let _counting = crate::support::counting();
    let count = 100_000;
    let emission = Emission {
        bursts: vec![Burst::once(count)],
        capacity: count,
        ..Emission::default()
    };
    let text = |size: f32| {
        format!(
            ".registers 3\ninit:\n    load_builtin.3 r0, emitter_position\n    store_field.3 w4, r0\nupdate:\n    store_field.1 w7, {size:?}\n"
        )
    };
    let mut pair = Pair::with(&effect(&text(1.0), emission.clone()), count);
    let before = mote::gpu::pipelines::pipeline_requests();
    for _ in 0..3 {
        pair.step(1.0 / 60.0);
    }
    let sizes = |pair: &Pair| {
        let snapshot = pair.snapshot();
        let mut sizes: BTreeMap<u32, u32> = BTreeMap::new();
        for record in snapshot.live_records() {
            *sizes.entry(record[7]).or_default() += 1;
        }
        sizes
    };
    assert_eq!(sizes(&pair), BTreeMap::from([(1.0f32.to_bits(), count)]));
    let id = pair.stage.instances().next().unwrap();
    pair.stage.set_effect(id, effect(&text(3.0), emission)).unwrap();
    pair.step(1.0 / 60.0);
    assert_eq!(sizes(&pair), BTreeMap::from([(3.0f32.to_bits(), count)]));
    assert_eq!(mote::gpu::pipelines::pipeline_requests(), before);
}
