//! Whole runs: everything at once for many frames, and runs that must come out the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use mote::artifact::{Burst, Effect, Emission, Space};
use mote::compiler::compile;
use mote::document::presets::preset;
use mote::host::rows::Counter;
use mote::host::{InstanceId, Placement, Pose, StageError, Stop};
use mote::isa::{HEADER_WORD, ORDINAL_WORD, RECORD_WORDS};
use mote::reference::digest::{digest, live_particles};

use crate::support::{Pair, Rolls, drift, effect, gpu};
use crate::twins::assert_equal;

fn compiled(name: &str) -> Arc<Effect> {
    Arc::new(compile(&preset(name).unwrap()).effect.unwrap())
}

/// The digest of one instance's particles, whatever else plays.
fn digest_of(pair: &Pair, id: InstanceId) -> u64 {
    let snapshot = pair.snapshot();
    let particles: Vec<_> = live_particles(&pair.stage, snapshot.live_records())
        .into_iter()
        .filter(|particle| particle.instance == id)
        .collect();
    assert!(!particles.is_empty());
    digest(&pair.stage, &particles)
}

/// Six planes around everything nearer than so many metres to the origin, along x.
fn slab(half: f32) -> [[f32; 4]; 6] {
    let far = 1e6;
    [
        [1.0, 0.0, 0.0, half],
        [-1.0, 0.0, 0.0, half],
        [0.0, 1.0, 0.0, far],
        [0.0, -1.0, 0.0, far],
        [0.0, 0.0, 1.0, far],
        [0.0, 0.0, -1.0, far],
    ]
}

fn guest(rolls: &mut Rolls) -> Arc<Effect> {
    let emission = Emission {
        rate: rolls.below(200) as f32,
        capacity: 20 + rolls.below(150),
        duration: [None, Some(0.8)][rolls.below(2) as usize],
        loop_delay: rolls.below(3) as f32 * 0.1,
        prewarm: [0.0, 0.0, 0.7][rolls.below(3) as usize],
        bursts: vec![Burst {
            time: 0.1,
            min: 1,
            max: 30,
            cycles: 4,
            interval: 0.15,
            chance: 0.7,
        }],
        ..Emission::default()
    };
    effect(&drift(0.2 + rolls.below(10) as f32 * 0.1), emission)
}

#[test]
fn capstone_six_hundred_frames_of_everything_at_once() {
    let seed = 7;
    let mut rolls = Rolls(seed);
    let mut pair = Pair::new(1500);
    let mut living: Vec<InstanceId> = Vec::new();
    let (mut placed, mut culled) = (0, false);
    for step in 0..600 {
        // Those that faded out are gone.
        living.retain(|&id| pair.stage.is_playing(id));
        if step % 4 == 0 {
            let any = |rolls: &mut Rolls, living: &[InstanceId]| {
                living
                    .get(rolls.below(living.len().max(1) as u32) as usize)
                    .copied()
            };
            match (rolls.below(9), any(&mut rolls, &living)) {
                (0, Some(id)) => {
                    pair.stage.remove(id).unwrap();
                    living.retain(|&other| other != id);
                }
                (1, Some(id)) => pair.stage.restart(id).unwrap(),
                (2, Some(id)) => {
                    pair.stage.set_effect(id, guest(&mut rolls)).unwrap();
                }
                (3, Some(id)) => {
                    let asked = pair.stage.burst(id, 0, rolls.below(60));
                    assert!(matches!(asked, Ok(()) | Err(StageError::Stopped)), "{asked:?}");
                }
                (4, Some(id)) => {
                    let x = rolls.below(200) as f32 - 100.0;
                    pair.stage.set_pose(id, Pose::at([x, 0.0, 1.0])).unwrap();
                }
                (5, Some(id)) => {
                    pair.stage
                        .set_time_scale(id, [0.0, 0.5, 1.0, 2.0][rolls.below(4) as usize])
                        .unwrap();
                }
                (6, Some(id)) => {
                    let how = [Stop::Births, Stop::Fade(0.3)][rolls.below(2) as usize];
                    pair.stage.stop(id, how).unwrap();
                }
                _ if living.len() < 40 => {
                    let placement = Placement {
                        seed: placed,
                        pose: Pose::at([rolls.below(100) as f32 - 50.0, 0.0, 0.0]).into(),
                        ..Placement::default()
                    };
                    living.push(pair.stage.place(guest(&mut rolls), placement).unwrap());
                    placed += 1;
                }
                _ => {}
            }
        }
        let dt = 1.0 / 60.0 * [1.0, 1.0, 0.5, 2.0][rolls.below(4) as usize];
        // The view that looks on opens and closes.
        let views = [slab(if step % 150 < 75 { 1e5 } else { 20.0 })];
        pair.step_seen(dt, &views);
        culled |= pair.reference.states().iter().any(|state| state.culled != 0);
        if step % 20 == 19 {
            assert_equal(&pair, &format!("seed {seed}, step {step}"));
        }
    }
    assert!(placed > 30 && culled, "{placed} placed, culled {culled}");
}

#[test]
fn capstone_the_bonfire_runs_alike_ten_times_and_whoever_else_plays() {
    let bonfire = compiled("bonfire");
    let other = effect(
        &drift(0.5),
        Emission {
            rate: 30.0,
            capacity: 12,
            ..Emission::default()
        },
    );
    let run = |others: bool| {
        let mut pair = Pair::new(8192);
        let id = pair
            .stage
            .place(Arc::clone(&bonfire), Placement::default())
            .unwrap();
        let mut guests = Vec::new();
        for step in 0..90 {
            if others && step == 45 {
                for seed in 0..300 {
                    let placement = Placement {
                        seed,
                        ..Placement::default()
                    };
                    guests.push(pair.stage.place(Arc::clone(&other), placement).unwrap());
                }
            }
            if step == 70 {
                for guest in guests.drain(..) {
                    pair.stage.remove(guest).unwrap();
                }
            }
            pair.step(1.0 / 30.0);
        }
        digest_of(&pair, id)
    };
    let first = run(false);
    for _ in 1..10 {
        assert_eq!(run(false), first);
    }
    assert_eq!(run(true), first, "with 300 others from the middle on");
}

#[test]
fn capstone_a_local_effect_on_a_moving_turned_and_scaled_row_runs_as_one_at_rest() {
    let mut local = (*effect(
        &drift(0.8),
        Emission {
            rate: 200.0,
            capacity: 300,
            ..Emission::default()
        },
    ))
    .clone();
    local.emitters[0].space = Space::Local;
    let local = Arc::new(local);
    let run = |moves: bool| {
        let mut pair = Pair::new(400);
        let id = pair
            .stage
            .place(Arc::clone(&local), Placement::default())
            .unwrap();
        for step in 0..60 {
            if moves {
                let turn = step as f32 * 0.2;
                let (sin, cos) = turn.sin_cos();
                let scale = 1.0 + turn;
                let pose = Pose([
                    [cos * scale, 0.0, sin, turn * 3.0],
                    [0.0, -scale, 0.0, sin],
                    [-sin * scale, 0.0, cos, -turn],
                ]);
                pair.stage.set_pose(id, pose).unwrap();
            }
            pair.step(1.0 / 60.0);
        }
        assert_equal(&pair, "local");
        digest_of(&pair, id)
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn capstone_survivors_keep_their_records_as_emitters_grow_to_five_thousand() {
    type Records = BTreeMap<(u32, u32), [u32; RECORD_WORDS as usize]>;
    let still = effect(
        ".registers 3\ninit:\n    load_builtin.3 r0, emitter_position\n    store_field.3 w4, r0\n",
        Emission {
            bursts: vec![Burst::once(2)],
            capacity: 2,
            ..Emission::default()
        },
    );
    let (gpu, _) = gpu();
    let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
    let mut pair = Pair::new(12_000);
    let mut placed = 0;
    let mut before: Records = BTreeMap::new();
    let mut dispatches: Option<BTreeMap<&str, u32>> = None;
    for emitters in [1u32, 255, 256, 257, 1000, 5000] {
        let placements: Vec<_> = (placed..emitters)
            .map(|seed| Placement {
                pose: Pose::at([seed as f32, 0.0, 0.0]).into(),
                seed,
                ..Placement::default()
            })
            .collect();
        pair.stage
            .place_many(&still, &placements, &mut Vec::new())
            .unwrap();
        placed = emitters;
        pair.step(1.0 / 60.0);
        pair.step(1.0 / 60.0);
        let snapshot = pair.snapshot();
        let now: Records = snapshot
            .live_records()
            .map(|r| ((r[HEADER_WORD as usize], r[ORDINAL_WORD as usize]), *r))
            .collect();
        assert_eq!(now.len() as u32, emitters * 2, "{emitters} emitters");
        for (key, record) in &before {
            assert_eq!(now.get(key), Some(record), "{emitters} emitters");
        }
        before = now;
        let mut counts: BTreeMap<_, _> = pair.simulation.dispatches().iter().copied().collect();
        let reduced = counts.remove("scan_reduce").unwrap();
        assert_eq!(reduced, u32::from(emitters > 4096), "{emitters} emitters");
        assert_eq!(
            dispatches.get_or_insert_with(|| counts.clone()),
            &counts,
            "{emitters} emitters"
        );
    }
    assert_equal(&pair, "5,000 emitters");
    let complaint = pollster::block_on(scope.pop());
    assert!(complaint.is_none(), "{complaint:?}");
}

#[test]
fn capstone_the_living_of_an_emitter_out_of_view_go_on() {
    let sleeper = effect(
        &drift(0.6),
        Emission {
            rate: 120.0,
            ..Emission::default()
        },
    );
    let mut pair = Pair::new(400);
    pair.stage.place(sleeper, Placement::default()).unwrap();
    for _ in 0..30 {
        pair.step_seen(1.0 / 60.0, &[slab(100.0)]);
    }
    let ages = |pair: &Pair| -> BTreeMap<u32, f32> {
        let snapshot = pair.snapshot();
        let records = snapshot.live_records();
        records
            .map(|r| (r[ORDINAL_WORD as usize], f32::from_bits(r[2])))
            .collect()
    };
    let before = ages(&pair);
    // Nothing is in view any more: no births, and every particle goes on to its end.
    let nothing = [slab(-1e5)];
    let mut lasted = 0;
    for step in 0..30 {
        pair.step_seen(1.0 / 60.0, &nothing);
        if step == 5 {
            let now = ages(&pair);
            assert!(now.len() > 20);
            // The step that finds it out of view is the last with births.
            for (ordinal, age) in &now {
                if let Some(was) = before.get(ordinal) {
                    assert!((age - was - 0.1).abs() < 1e-4, "{ordinal}: {was} then {age}");
                    lasted += 1;
                }
            }
        }
        if step % 10 == 0 {
            assert_equal(&pair, &format!("step {step}"));
        }
    }
    assert!(lasted > 10);
    let (last, first) = (before.keys().last().unwrap(), *ages(&pair).keys().last().unwrap());
    assert!(first <= last + 2, "nothing was born: {first} after {last}");
    pair.step_seen(1.0 / 60.0, &[slab(100.0)]);
    pair.step_seen(1.0 / 60.0, &[slab(100.0)]);
    assert!(!ages(&pair).is_empty(), "it wakes");
}

#[test]
fn capstone_ten_thousand_comings_and_goings_leak_nothing() {
    let seed = 19;
    let mut rolls = Rolls(seed);
    let capacity = 600;
    let mut pair = Pair::new(capacity);
    let effects: Vec<_> = (0..12).map(|_| guest(&mut rolls)).collect();
    let mut living: Vec<InstanceId> = Vec::new();
    let mut memory = None;
    let cycles = 10_000;
    let mut done = 0;
    let mut frame = 0;
    while done < cycles {
        for _ in 0..20 {
            if living.len() > 25 || (rolls.below(2) == 0 && !living.is_empty()) {
                let gone = living.swap_remove(rolls.below(living.len() as u32) as usize);
                pair.stage.remove(gone).unwrap();
            } else {
                let of = &effects[rolls.below(effects.len() as u32) as usize];
                let placement = Placement {
                    seed: done,
                    ..Placement::default()
                };
                living.push(pair.stage.place(Arc::clone(of), placement).unwrap());
            }
            done += 1;
        }
        if let Some(&id) = living.first() {
            pair.stage.burst(id, 0, rolls.below(50)).unwrap();
        }
        pair.step(1.0 / 30.0);
        frame += 1;
        let of = &pair.reference;
        assert_eq!(
            of.alive().len() + of.dead().len(),
            capacity as usize,
            "frame {frame}"
        );
        if frame % 50 == 49 {
            assert_equal(&pair, &format!("seed {seed}, frame {frame}"));
            let now = (pair.pool.bytes(), pair.stage.heap().words().len());
            // As many rows as there were emitters at once, those that left in the frame included.
            assert!(pair.stage.row_count() <= 26 + 20, "frame {frame}");
            // It is warm after a fifth of the way, and grows no more from there.
            if done >= cycles / 5 {
                let most = memory.get_or_insert(now);
                assert!(
                    now.0 <= most.0 && now.1 <= most.1,
                    "frame {frame}: {now:?} after {most:?}"
                );
            }
        }
    }
    for id in living.drain(..) {
        pair.stage.remove(id).unwrap();
    }
    pair.step(1.0 / 30.0);
    pair.step(1.0 / 30.0);
    let snapshot = pair.snapshot();
    assert_eq!(
        (snapshot.counter(Counter::Alive), snapshot.counter(Counter::Dead)),
        (0, capacity)
    );
}
