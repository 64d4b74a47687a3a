//! Births over a changing rate, along a way, with the emitter's velocity.

use mote::artifact::{Burst, Emission, RateKey, SeedMode, Space};
use mote::host::{Pose, Stage};
use mote::reference::Reference;

use crate::emission::{STAMP, births, even, jittered, rate};
use crate::support::{Rolls, Solo, drift, effect, settings};

fn keys(keys: &[(f32, f32)]) -> Vec<RateKey> {
    keys.iter().map(|&(time, rate)| RateKey { time, rate }).collect()
}

fn with_keys(of: &[(f32, f32)], duration: Option<f32>) -> Emission {
    Emission {
        rate_keys: keys(of),
        duration,
        loops: 1,
        capacity: 4000,
        ..Emission::default()
    }
}

fn partitions(seconds: f64) -> Vec<Vec<f64>> {
    let mut all = vec![
        even(7, seconds),
        even(60, seconds),
        even(240, seconds),
        vec![seconds],
    ];
    all.extend((1..8).map(|seed| jittered(seed, seconds)));
    all
}

#[test]
fn emission_rate_keys_give_births_where_their_integral_passes_whole_numbers() {
    // Up to 100 a second and down again: 100 in all, the k-th where the integral is k.
    let emission = with_keys(&[(0.0, 0.0), (1.0, 100.0), (2.0, 0.0)], Some(2.0));
    let due = |k: f64| {
        if k <= 50.0 {
            (k / 50.0).sqrt()
        } else {
            2.0 - ((100.0 - k) / 50.0).sqrt()
        }
    };
    for steps in partitions(2.0) {
        let times = births(emission.clone(), &steps);
        assert_eq!(times.len(), 100, "{} steps", steps.len());
        for (k, time) in times.iter().enumerate() {
            let due = due((k + 1) as f64);
            assert!(
                (time - due).abs() < 3e-4,
                "{} steps: {time} for {due}",
                steps.len()
            );
        }
    }
}

#[test]
fn emission_rate_keys_hold_before_the_first_and_after_the_last_and_may_jump() {
    // 4 a second for half a second, then nothing, then at once 10 a second without end.
    let emission = with_keys(&[(0.5, 4.0), (0.5, 0.0), (1.0, 0.0), (1.0, 10.0)], None);
    for steps in partitions(3.05) {
        let times = births(emission.clone(), &steps);
        let mut due = vec![0.25, 0.5];
        due.extend((1..=20).map(|k| 1.0 + f64::from(k) / 10.0));
        assert_eq!(times.len(), due.len(), "{} steps", steps.len());
        for (time, due) in times.iter().zip(due) {
            assert!(
                (time - due).abs() < 1e-5,
                "{} steps: {time} for {due}",
                steps.len()
            );
        }
    }
}

#[test]
fn emission_rate_keys_start_over_with_each_loop() {
    let emission = Emission {
        loops: 3,
        loop_delay: 0.5,
        ..with_keys(&[(0.0, 8.0), (0.5, 0.0)], Some(0.5))
    };
    for steps in partitions(4.0) {
        let times = births(emission.clone(), &steps);
        assert_eq!(times.len(), 6, "{} steps", steps.len());
        for (k, pair) in times.chunks(2).enumerate() {
            let first = k as f64 + 0.5 * (1.0 - 0.5f64.sqrt());
            assert!((pair[0] - first).abs() < 1e-5, "{} for {first}", pair[0]);
        }
    }
}

/// Births wanted by the end of each step.
fn wanted(emission: &Emission, steps: &[f64]) -> Vec<u32> {
    let mut solo = Solo::with(&effect(".registers 1\ninit:\nupdate:\n", emission.clone()), 1);
    steps
        .iter()
        .map(|&dt| {
            solo.step(dt);
            let state = solo.reference.states()[0];
            state.spawned + state.dropped
        })
        .collect()
}

#[test]
fn emission_counts_are_equal_over_any_partition_of_a_span() {
    for seed in 0..400 {
        let mut rolls = Rolls(seed);
        let emission = settings::steady(&mut rolls, 3000.0);
        let span = 2.0 + f64::from(rolls.number(4.0));
        let whole = *wanted(&emission, &[span]).last().unwrap();
        let halves = wanted(&emission, &[span / 2.0, span / 2.0]);
        assert_eq!(halves[1], whole, "seed {seed}: halves of {emission:?}");
        for cut in 0..4 {
            let steps = jittered(seed * 16 + cut, span);
            let counts = wanted(&emission, &steps);
            assert_eq!(
                *counts.last().unwrap(),
                whole,
                "seed {seed}, cut {cut}: {emission:?}"
            );
            assert!(counts.is_sorted());
        }
    }
}

#[test]
fn emission_counts_follow_the_integral_of_the_keys() {
    for seed in 0..100 {
        let mut rolls = Rolls(seed);
        let emission = Emission {
            bursts: Vec::new(),
            delay: 0.0,
            loops: 1,
            duration: Some(3.0),
            ..settings::steady(&mut rolls, 3000.0)
        };
        let at = |time: f64| {
            let keys = &emission.rate_keys;
            let Some(first) = keys.first() else {
                return f64::from(emission.rate);
            };
            let after = keys.partition_point(|key| f64::from(key.time) <= time);
            match (keys.get(after.wrapping_sub(1)), keys.get(after)) {
                (Some(a), Some(b)) => {
                    let part = (time - f64::from(a.time)) / f64::from(b.time - a.time);
                    f64::from(a.rate) + f64::from(b.rate - a.rate) * part
                }
                (Some(a), None) => f64::from(a.rate),
                _ => f64::from(first.rate),
            }
        };
        let fine = 300_000;
        let dt = 3.0 / f64::from(fine);
        let integral: f64 = (0..fine).map(|i| at((f64::from(i) + 0.5) * dt) * dt).sum();
        let count = *wanted(&emission, &even(60, 3.5)).last().unwrap();
        assert!(
            (f64::from(count) - integral.floor()).abs() <= 1.0,
            "seed {seed}: {count} for {integral}"
        );
    }
}

/// Where [`STAMP`]'s particles stand after a second along `to`, in order of birth, and when they were born.
fn along(emission: Emission, fps: u32, to: [f32; 3]) -> Vec<([f32; 3], f32)> {
    let mut solo = Solo::with(&effect(STAMP, emission), 5000);
    let id = solo.stage.instances().next().unwrap();
    solo.stand();
    for step in 1..=fps {
        let part = step as f32 / fps as f32;
        solo.stage.set_pose(id, Pose::at(to.map(|x| x * part))).unwrap();
        solo.step(1.0 / f64::from(fps));
    }
    let mut born: Vec<_> = solo.reference.live_records().copied().collect();
    born.sort_by_key(|r| r[1]);
    let float = |w: u32| f32::from_bits(w);
    born.iter()
        .map(|r| ([float(r[4]), float(r[5]), float(r[6])], float(r[2])))
        .collect()
}

#[test]
fn case_b10_a_fast_emitter_leaves_no_bands() {
    for fps in [20, 60, 144] {
        let born = along(rate(2000.0, 4000), fps, [200.0, 0.0, 0.0]);
        assert_eq!(born.len(), 2000, "{fps} fps");
        for pair in born.windows(2) {
            let (gap, time) = (pair[1].0[0] - pair[0].0[0], pair[1].1 - pair[0].1);
            assert!((0.09..=0.11).contains(&gap), "{fps} fps: {gap}");
            assert!((time - 0.0005).abs() < 2e-5, "{fps} fps: {time}");
        }
    }
}

#[test]
fn emission_a_rate_a_metre_spaces_births_evenly_at_any_frame_rate() {
    let emission = Emission {
        rate_per_metre: 5.0,
        capacity: 4000,
        ..Emission::default()
    };
    for to in [[10.0, 0.0, 0.0], [6.0, -7.0, 11.0], [0.0, 0.01, -0.39]] {
        let length = to.iter().map(|x| x * x).sum::<f32>().sqrt();
        let count = (length * 5.0 + 1e-3).floor() as usize;
        for fps in [20, 60, 144] {
            let born = along(emission.clone(), fps, to);
            assert_eq!(born.len(), count, "{fps} fps, {to:?}");
            for (k, (place, time)) in born.iter().enumerate() {
                let along = place.iter().map(|x| x * x).sum::<f32>().sqrt();
                let due = 0.2 * (k + 1) as f32;
                assert!((along - due).abs() < 1e-3, "{fps} fps: {along} for {due}");
                assert!((time - due / length).abs() < 1e-3, "{fps} fps: {time}");
            }
        }
    }
    // Thousands in all: sums stay exact enough to count the same.
    let dense = Emission {
        rate_per_metre: 97.3,
        capacity: 200_000,
        ..emission
    };
    let counts = [20, 60, 144].map(|fps| along(dense.clone(), fps, [30.0, 2.0, 11.1]).len());
    assert_eq!(counts, [counts[0]; 3]);
}

#[test]
fn emission_a_jump_is_no_way_and_ways_count_only_while_it_emits() {
    let emission = Emission {
        rate_per_metre: 10.0,
        delay: 0.5,
        capacity: 4000,
        ..Emission::default()
    };
    let mut solo = Solo::with(&effect(STAMP, emission), 5000);
    let id = solo.stage.instances().next().unwrap();
    solo.stand();
    let mut x = 0.0;
    let mut go = |solo: &mut Solo, way: f32, jump: bool| {
        x += way;
        let pose = Pose::at([x, 0.0, 0.0]);
        if jump {
            solo.stage.teleport(id, pose).unwrap();
        } else {
            solo.stage.set_pose(id, pose).unwrap();
        }
        solo.step(0.25);
        solo.reference.states()[0].spawned
    };
    assert_eq!(go(&mut solo, 1.0, false), 0, "in the delay");
    assert_eq!(go(&mut solo, 1.0, false), 0, "in the delay");
    assert_eq!(go(&mut solo, 1.05, false), 10);
    assert_eq!(go(&mut solo, 5.0, true), 10, "a jump");
    assert_eq!(go(&mut solo, 0.0, false), 10, "at rest");
    assert_eq!(go(&mut solo, 0.05, false), 11, "what was owed before");
}

#[test]
fn emission_rates_and_ways_are_born_in_order_of_time() {
    let emission = Emission {
        rate: 40.0,
        rate_per_metre: 7.0,
        bursts: vec![Burst {
            time: 0.33,
            min: 3,
            max: 3,
            cycles: 1,
            interval: 0.0,
            chance: 1.0,
        }],
        capacity: 4000,
        ..Emission::default()
    };
    for fps in [3, 20, 60] {
        let born = along(emission.clone(), fps, [0.0, 10.0, 0.0]);
        assert_eq!(born.len(), 113, "{fps} fps");
        assert!(born.is_sorted_by(|a, b| a.1 <= b.1 + 1e-5), "{fps} fps");
    }
}

#[test]
fn emission_more_stretches_than_a_step_keeps_are_spread_over_it() {
    let emission = Emission {
        bursts: vec![Burst {
            time: 0.0,
            min: 2,
            max: 2,
            cycles: 100,
            interval: 0.001,
            chance: 1.0,
        }],
        capacity: 4000,
        ..Emission::default()
    };
    for steps in [vec![0.2], vec![0.05; 4], even(60, 0.2), even(1000, 0.2)] {
        let times = births(emission.clone(), &steps);
        assert_eq!(times.len(), 200, "{} steps", steps.len());
        assert!(times.is_sorted_by(|a, b| *a <= b + 1e-5) && times[199] < 0.2001);
    }
}

#[test]
fn emission_where_only_part_fits_the_earliest_are_born() {
    let emission = Emission {
        rate: 100.0,
        rate_per_metre: 100.0,
        capacity: 10,
        ..Emission::default()
    };
    let born = along(emission, 1, [1.0, 0.0, 0.0]);
    assert_eq!(born.len(), 10);
    assert!(born.iter().all(|(_, time)| *time < 0.0501));
}

#[test]
fn emission_newborns_inherit_part_of_the_emitters_velocity() {
    let run = |factor: f32, space: Space| -> Vec<[f32; 6]> {
        let emission = Emission {
            inherit_velocity: factor,
            ..rate(60.0, 100)
        };
        let mut made = (*effect(&drift(10.0), emission)).clone();
        made.emitters[0].space = space;
        let mut solo = Solo::with(&std::sync::Arc::new(made), 100);
        let id = solo.stage.instances().next().unwrap();
        solo.stand();
        solo.stage.set_pose(id, Pose::at([1.0, -2.0, 0.5])).unwrap();
        solo.step(0.5);
        let mut born: Vec<_> = solo.reference.live_records().copied().collect();
        born.sort_by_key(|r| r[1]);
        born.iter()
            .map(|r| [4, 5, 6, 8, 9, 10].map(|w| f32::from_bits(r[w])))
            .collect()
    };
    let (without, with) = (run(0.0, Space::World), run(0.25, Space::World));
    assert_eq!(without.len(), 30);
    let gain = [0.5, -1.0, 0.25];
    for (k, (a, b)) in without.iter().zip(&with).enumerate() {
        let lived = 0.5 - (k + 1) as f32 / 60.0;
        for i in 0..3 {
            assert!((b[3 + i] - a[3 + i] - gain[i]).abs() < 1e-5, "velocity {k}");
            assert!(
                (b[i] - a[i] - gain[i] * lived).abs() < 1e-5,
                "its first step has it: {k}"
            );
        }
    }
    assert_eq!(
        run(0.25, Space::Local),
        run(0.0, Space::Local),
        "no way in its own frame"
    );
    let mut unbound = (*effect(&drift(10.0), rate(60.0, 100))).clone();
    unbound.emitters[0].emission.inherit_velocity = 1.0;
    unbound.emitters[0]
        .render
        .bindings
        .set(mote::layout::Channel::Velocity, None);
    let mut solo = Solo::with(&std::sync::Arc::new(unbound), 100);
    solo.step(0.5);
    assert_eq!(solo.alive(), 30);
}

/// Draws of INIT and of UPDATE that all particles of an instance share, by particle.
fn shared_draws(mode: SeedMode) -> Vec<[u32; 2]> {
    let text = ".registers 1
init:
    random.1 r0, #0x1, #0x3
    store_field.1 w2, r0
update:
    random.1 r0, #0x1, #0x3
    store_field.1 w3, r0
";
    let emission = Emission {
        seed_mode: mode,
        duration: Some(0.5),
        ..rate(10.0, 100)
    };
    let mut stage = Stage::new(100);
    let mut reference = Reference::new(100);
    stage.place(effect(text, emission), Default::default()).unwrap();
    for _ in 0..12 {
        let frame = stage.begin_step(0.125).unwrap();
        reference.step(&stage, &frame);
        stage.end_step();
    }
    let mut born: Vec<_> = reference.live_records().copied().collect();
    born.sort_by_key(|r| r[1]);
    born.iter().map(|r| [r[2], r[3]]).collect()
}

#[test]
fn emission_a_seed_of_its_loop_changes_what_is_drawn_at_birth() {
    let play = shared_draws(SeedMode::Play);
    assert_eq!(play.len(), 15);
    assert!(play.iter().all(|d| *d == [play[0][0]; 2]));
    let looped = shared_draws(SeedMode::Loop);
    assert!(looped.iter().all(|d| d[1] == looped[0][1]), "a life's draws stay");
    let of_loop: Vec<u32> = looped.chunks(5).map(|born| born[0][0]).collect();
    assert!(
        looped
            .chunks(5)
            .all(|born| born.iter().all(|d| d[0] == born[0][0]))
    );
    assert!(of_loop[0] != of_loop[1] && of_loop[1] != of_loop[2] && of_loop[0] != of_loop[2]);
}
