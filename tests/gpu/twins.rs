//! Each step of the passes against its CPU twin.

use std::collections::BTreeMap;
use std::sync::Arc;

use mote::artifact::{Burst, Emission};
use mote::gpu::pipelines::pipeline_requests;
use mote::host::rows::Counter;
use mote::host::{Placement, Pose};
use mote::isa::{HEADER_WORD, ORDINAL_WORD, RECORD_WORDS};

use crate::support::{Pair, drift, effect, gpu};

type Records = BTreeMap<(u32, u32), [u32; RECORD_WORDS as usize]>;

fn by_ordinal<'a>(records: impl Iterator<Item = &'a [u32; RECORD_WORDS as usize]>) -> Records {
    records
        .map(|r| ((r[HEADER_WORD as usize], r[ORDINAL_WORD as usize]), *r))
        .collect()
}

/// The pool is whole, and every record and state equals the twin's, bit for bit on software Vulkan.
pub(crate) fn assert_equal(pair: &Pair, what: &str) {
    let snapshot = pair.snapshot();
    let (gpu_records, cpu_records) = (
        by_ordinal(snapshot.live_records()),
        by_ordinal(pair.reference.live_records()),
    );
    assert_eq!(gpu_records.len(), cpu_records.len(), "{what}: living");
    assert_eq!(snapshot.states, pair.reference.states(), "{what}: states");
    if gpu().0.is_software() {
        assert_eq!(gpu_records, cpu_records, "{what}: records");
    } else {
        assert!(gpu_records.keys().eq(cpu_records.keys()), "{what}: ordinals");
    }
    let mut slots: Vec<u32> = snapshot.alive.iter().chain(&snapshot.dead).copied().collect();
    slots.sort_unstable();
    assert!(
        slots.into_iter().eq(0..pair.pool.capacity()),
        "{what}: alive and dead are all slots, once each"
    );
    for counter in [
        Counter::Born,
        Counter::Stillborn,
        Counter::NonFinite,
        Counter::Budget,
        Counter::SimPadded,
    ] {
        assert_eq!(
            snapshot.counter(counter),
            pair.reference.counter(counter),
            "{what}: {counter:?}"
        );
    }
}

fn lively() -> Emission {
    Emission {
        rate: 137.0,
        delay: 0.05,
        duration: Some(0.7),
        loop_delay: 0.1,
        bursts: vec![
            Burst {
                time: 0.1,
                min: 5,
                max: 20,
                cycles: 3,
                interval: 0.13,
                chance: 0.8,
            },
            Burst {
                time: 0.1,
                min: 1,
                max: 1,
                cycles: 1,
                interval: 0.0,
                chance: 1.0,
            },
        ],
        capacity: 150,
        ..Emission::default()
    }
}

#[test]
fn twins_agree_over_uneven_steps() {
    let mut pair = Pair::with(&effect(&drift(0.6), lively()), 200);
    for step in 0..90 {
        pair.step(1.0 / 60.0 * (1.0 + f64::from(step % 7) * 0.3));
        if step % 15 == 14 {
            assert_equal(&pair, &format!("step {step}"));
        }
    }
}

#[test]
fn twins_agree_with_movement_bursts_removal_and_an_exhausted_pool() {
    let shared = effect(&drift(0.5), lively());
    let mut pair = Pair::new(120);
    let ids: Vec<_> = (0..5)
        .map(|i| {
            let placement = Placement {
                pose: Pose::at([i as f32, 0.0, 0.0]).into(),
                seed: i,
                ..Placement::default()
            };
            pair.stage.place(shared.clone(), placement).unwrap()
        })
        .collect();
    for step in 0..60u32 {
        let x = f64::from(step) * 0.1;
        pair.stage
            .set_pose(ids[0], Pose::at([x.sin() as f32, x as f32, 0.0]))
            .unwrap();
        if step == 10 {
            pair.stage.burst(ids[1], 0, 40).unwrap();
        }
        if step == 20 {
            pair.stage.remove(ids[2]).unwrap();
        }
        if step == 30 {
            pair.stage.place(shared.clone(), Placement::default()).unwrap();
            pair.stage.restart(ids[3]).unwrap();
        }
        pair.step(1.0 / 60.0);
        if step % 10 == 9 || step == 30 {
            assert_equal(&pair, &format!("step {step}"));
        }
    }
}

#[test]
fn twins_agree_on_stillborn_and_non_finite_particles() {
    let text = ".registers 4
init:
    random.1 r0, #0x1, #0x0
    sub.1 r0, r0, 0.5
    div.1 r1, r0, 0.0
    cmp_lt.1 r2, 0.3, r0
    select.1 r1, r2, r1, 1.0
    store_field.1 w4, r1
update:
    load_builtin.1 r0, spawn_fraction
    cmp_lt.1 r1, 0.8, r0
    kill.1 r1
";
    let emission = Emission {
        rate: 500.0,
        ..Emission::default()
    };
    let mut pair = Pair::with(&effect(text, emission), 2000);
    for step in 0..5 {
        pair.step(1.0 / 30.0);
        assert_equal(&pair, &format!("step {step}"));
    }
    let snapshot = pair.snapshot();
    assert!(snapshot.counter(Counter::NonFinite) > 0 && snapshot.counter(Counter::Stillborn) > 0);
}

#[test]
fn twins_a_planted_difference_is_found() {
    let mut pair = Pair::with(&effect(&drift(0.6), lively()), 200);
    for _ in 0..20 {
        pair.step(1.0 / 60.0);
    }
    assert_equal(&pair, "before");
    let fails = |pair: &Pair| {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| assert_equal(pair, "planted"))).is_err()
    };
    // One bit of one word of one living record on the device.
    let slot = pair.snapshot().alive[0];
    let word = u64::from(slot) * u64::from(RECORD_WORDS) * 4 + 16;
    let value = pair.snapshot().records[slot as usize][4] ^ 1;
    gpu()
        .0
        .queue
        .write_buffer(pair.pool.records(), word, &value.to_le_bytes());
    if gpu().0.is_software() {
        assert!(fails(&pair), "a bit of a record");
    }
    // A step that only one of the two takes.
    let frame = pair.stage.begin_step(1.0 / 60.0).unwrap();
    pair.reference.step(&pair.stage, &frame);
    pair.stage.end_step();
    assert!(fails(&pair), "a step");
}

#[test]
fn pipelines_are_asked_for_at_start_and_never_again() {
    let _counting = crate::support::counting();
    crate::pixels::kit();
    let mut pair = Pair::new(500);
    // Other tests of this binary share the set, so it is complete before the count is taken.
    while !gpu().1.all_ready() {
        std::thread::yield_now();
    }
    let before = pipeline_requests();
    let small = effect(&drift(1.0), lively());
    let large = effect(&drift(1.0).replace(".registers 12", ".registers 40"), lively());
    let id = pair.stage.place(small.clone(), Placement::default()).unwrap();
    pair.step(1.0 / 60.0);
    pair.stage.set_effect(id, large.clone()).unwrap();
    pair.step(1.0 / 60.0);
    let second = pair.stage.place(large, Placement::default()).unwrap();
    pair.step(1.0 / 60.0);
    pair.stage.remove(second).unwrap();
    pair.stage.set_effect(id, small).unwrap();
    pair.step(1.0 / 60.0);
    assert_eq!(pipeline_requests(), before);
}

#[test]
fn dispatches_are_one_each_however_many_emitters() {
    let mut pair = Pair::new(3000);
    let shared = effect(&drift(0.5), lively());
    for i in 0..300 {
        pair.stage
            .place(
                shared.clone(),
                Placement {
                    seed: i,
                    ..Placement::default()
                },
            )
            .unwrap();
    }
    for _ in 0..10 {
        pair.step(1.0 / 60.0);
    }
    assert_equal(&pair, "300 emitters");
    let counts: BTreeMap<_, _> = pair.simulation.dispatches().iter().copied().collect();
    assert_eq!(
        (counts["emit"], counts["simulate"], counts["spawn_commands"]),
        (1, 1, 0)
    );
}

#[test]
fn a_changed_constant_keeps_particles_and_reaches_the_next_step() {
    let emission = Emission {
        rate: 300.0,
        ..Emission::default()
    };
    let mut pair = Pair::with(&effect(&drift(2.0), emission.clone()), 1000);
    for _ in 0..10 {
        pair.step(1.0 / 60.0);
    }
    let id = pair.stage.instances().next().unwrap();
    let before = pair.reference.live_records().count();
    let faster = drift(2.0).replace("sub.3 r0, r0, 0.5", "sub.3 r0, r0, 0.25");
    pair.stage.set_effect(id, effect(&faster, emission)).unwrap();
    pair.step(1.0 / 60.0);
    assert_equal(&pair, "after the edit");
    assert_eq!(pair.reference.live_records().count(), before + 5);
}

#[test]
fn pipelines_a_class_that_is_not_ready_runs_on_the_next_larger_one() {
    use mote::gpu::pipelines::pick;
    assert_eq!(pick(10, |_| true), Some(0));
    assert_eq!(pick(16, |_| true), Some(0));
    assert_eq!(pick(17, |_| true), Some(1));
    assert_eq!(pick(10, |class| class == 2), Some(2));
    assert_eq!(pick(20, |class| class == 0), None, "a smaller one never will do");
    assert_eq!(
        pick(20, |class| class == 3),
        None,
        "what fits private slots stays in them"
    );
    assert_eq!(pick(65, |_| true), Some(3));
}

#[test]
fn twins_agree_in_every_register_class() {
    // And with registers in a buffer, where a pool smaller than a launch has fewer lanes.
    for registers in mote::isa::SLOT_CLASSES.into_iter().chain([65, 256]) {
        let text = drift(0.6).replace(".registers 12", &format!(".registers {registers}"));
        let mut pair = Pair::with(&effect(&text, lively()), 200);
        for _ in 0..20 {
            pair.step(1.0 / 30.0);
        }
        assert_equal(&pair, &format!("{registers} slots"));
    }
}

#[test]
fn twins_agree_on_wind_world_pose_and_every_scope_of_a_draw() {
    let text = "
        .registers 40
        init:
            load_builtin.3 r0, emitter_world_position
            load_builtin.3 r4, emitter_world_axis_y
            random.3 r8, #0x5, #0x0
            random.3 r12, #0x6, #0x1
            random.3 r16, #0x7, #0x2
            random.1 r20, #0x8, #0x3
            mad.3 r0, r8, r12, r0
            mad.3 r4, r16, r20.xxx, r4
            store_field.3 w4, r0
            store_field.3 w8, r4
            store_field.1 w16, r20
        update:
            load_field.3 r0, w4
            load_field.3 r4, w8
            sample_wind.3 r8, r0
            load_builtin.1 r12, delta_time
            load_builtin.3 r16, emitter_world_velocity
            random.3 r20, #0x9, #0x2
            mad.3 r4, r8, r12.xxx, r4
            mad.3 r4, r16, r20, r4
            mad.3 r0, r4, r12.xxx, r0
            store_field.3 w4, r0
            store_field.3 w8, r4
    ";
    let points: Vec<[f32; 3]> = (0..27)
        .map(|i| [(i % 5) as f32 - 2.0, (i % 3) as f32 * 0.7, 1.0 / (i + 1) as f32])
        .collect();
    let wind = mote::vm::WindField::new([-1.0, -1.0, -1.0], [1.0; 3], [3; 3], &points).unwrap();
    let emission = Emission {
        rate: 90.0,
        capacity: 200,
        duration: Some(0.13),
        loop_delay: 0.01,
        ..Emission::default()
    };
    for space in [mote::artifact::Space::World, mote::artifact::Space::Local] {
        let mut made = (*effect(text, emission.clone())).clone();
        made.emitters[0].space = space;
        let mut pair = Pair::new(300);
        let placed = pair.stage.place(Arc::new(made), Placement::default()).unwrap();
        pair.stage.set_wind(Some(Arc::new(wind.clone())));
        for step in 0..30 {
            let turn = step as f32 * 0.1;
            let pose = Pose([
                [turn.cos(), 0.0, turn.sin(), turn],
                [0.0, 1.5, 0.0, 0.1],
                [-turn.sin(), 0.0, turn.cos(), -0.4],
            ]);
            pair.stage.set_pose(placed, pose).unwrap();
            pair.step(1.0 / 30.0);
        }
        assert_equal(&pair, &format!("{space:?}"));
        assert!(pair.reference.live_records().count() > 50);
        // Still air from here on.
        pair.stage.set_wind(None);
        pair.step(1.0 / 30.0);
        assert_equal(&pair, "still air");
    }
}

#[test]
fn twins_agree_while_a_hungry_program_comes_and_goes() {
    let _alone = crate::support::counting();
    let hungry = drift(5.0).replace(".registers 12", ".registers 150");
    let mut pair = Pair::with(&effect(&drift(5.0), lively()), 300);
    let class = |pair: &mut Pair| {
        let frame = pair.stage.begin_step(0.0);
        assert!(frame.is_none(), "a step of no time is none");
        mote::gpu::Pipelines::backing(pair.stage.heap().max_registers())
    };
    let before = pipeline_requests();
    let small = class(&mut pair);
    for _ in 0..3 {
        pair.step(1.0 / 30.0);
    }
    let guest = pair
        .stage
        .place(effect(&hungry, lively()), Placement::default())
        .unwrap();
    assert_eq!(class(&mut pair), mote::gpu::Backing::Wide);
    for _ in 0..5 {
        pair.step(1.0 / 30.0);
    }
    assert_equal(&pair, "with the hungry one");
    pair.stage.remove(guest).unwrap();
    pair.step(1.0 / 30.0);
    assert_eq!(class(&mut pair), small, "the class follows the living set back");
    for _ in 0..5 {
        pair.step(1.0 / 30.0);
    }
    assert_equal(&pair, "without it");
    assert_eq!(
        pipeline_requests(),
        before,
        "all pipelines were made at the start"
    );
    // A device that has no place for so many refuses them by their number and plays on.
    pair.stage.set_register_limit(64);
    let refused = pair.stage.place(effect(&hungry, lively()), Placement::default());
    let message = refused.unwrap_err().to_string();
    assert!(
        message.contains("150") || format!("{message:?}").contains("registers"),
        "{message}"
    );
    pair.step(1.0 / 30.0);
    assert_equal(&pair, "after the refusal");
}
