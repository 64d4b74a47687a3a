//! Emitters whose time is scaled, and emitters that sleep out of view.

use mote::artifact::{Burst, Emission};
use mote::host::rows::EmitterState;
use mote::host::{Frustum, Pose};

use crate::emission::{STAMP, births, even, rate, stamps};
use crate::isa::Rolls;
use crate::support::{Solo, drift, effect, settings};

fn burst(time: f32, count: u32) -> Burst {
    Burst {
        time,
        min: count,
        max: count,
        cycles: 1,
        interval: 0.0,
        chance: 1.0,
    }
}

fn state(solo: &Solo) -> EmitterState {
    solo.reference.states()[0]
}

#[test]
fn emission_a_time_scale_slows_births_and_lives_alike() {
    for scale in [0.25, 0.5, 2.0] {
        let emission = Emission {
            time_scale: scale,
            ..rate(10.0, 100)
        };
        let times = births(emission, &even(60, 4.0));
        assert_eq!(times.len(), (40.0 * scale) as usize, "scale {scale}");
        for (k, time) in times.iter().enumerate() {
            assert!(
                (time - (k + 1) as f64 / 10.0).abs() < 1e-5,
                "in its own time: {time}"
            );
        }
    }
}

#[test]
fn case_b01_a_one_shot_ends_in_its_own_time() {
    for (scale, speed) in [(0.5, 1.0), (2.0, 1.0), (0.5, 0.5), (1.0, 0.25)] {
        let emission = Emission {
            duration: Some(1.0),
            loops: 1,
            rate: 10.0,
            time_scale: scale,
            ..Emission::default()
        };
        // The last is born at 1 s and lives 2 s.
        let mut solo = Solo::with(&effect(&drift(2.0), emission), 100);
        let due = 3.0 / f64::from(scale);
        solo.step(speed / 60.0);
        while solo.stage.time() < due + 1.0 && state(&solo).finished == 0 {
            solo.step(speed / 60.0);
        }
        let end = solo.stage.time();
        assert!(
            (end - due).abs() <= 1.5 * speed / 60.0,
            "scale {scale}: {end} for {due}"
        );
        assert_eq!(state(&solo).spawned, 10);
    }
}

#[test]
fn emission_at_a_scale_of_0_everything_stands_still() {
    let mut solo = Solo::with(&effect(&drift(1.0), rate(50.0, 100)), 100);
    for _ in 0..20 {
        solo.step(1.0 / 60.0);
    }
    let id = solo.stage.instances().next().unwrap();
    let scaled = |scale| {
        let emission = Emission {
            time_scale: scale,
            ..rate(50.0, 100)
        };
        effect(&drift(1.0), emission)
    };
    let records = |solo: &Solo| {
        let mut all: Vec<_> = solo.reference.live_records().copied().collect();
        all.sort_by_key(|r| r[1]);
        all
    };
    let (before, was) = (records(&solo), state(&solo));
    solo.stage.set_effect(id, scaled(0.0)).unwrap();
    solo.stage.burst(id, 0, 7).unwrap();
    for _ in 0..60 {
        solo.step(1.0 / 60.0);
        assert_eq!(records(&solo), before);
    }
    let now = state(&solo);
    assert_eq!(
        (now.step, now.age_hi, now.spawned, now.dropped, now.loop_time_hi),
        (was.step, was.age_hi, was.spawned, was.dropped, was.loop_time_hi)
    );
    solo.stage.set_effect(id, scaled(1.0)).unwrap();
    solo.step(1.0 / 60.0);
    assert!(
        (7..=8).contains(&state(&solo).born),
        "what was asked for has waited"
    );
    assert_eq!(state(&solo).step, was.step + 1);
}

/// Stamps of a run that sleeps in the given steps, and its last state.
fn sleeper(emission: &Emission, steps: &[f64], culled: impl Fn(usize) -> bool) -> (Vec<f64>, EmitterState) {
    let mut solo = Solo::with(&effect(STAMP, emission.clone()), 20_000);
    solo.stage.freeze_culling(true);
    for (index, &dt) in steps.iter().enumerate() {
        solo.reference.set_culled(0, culled(index));
        solo.step(dt);
        // Whenever it was born, a particle has lived from then to now.
        let age = state(&solo).age_hi;
        for record in solo.reference.live_records() {
            let (born, lived) = (f32::from_bits(record[2]), f32::from_bits(record[3]));
            assert!((born + lived - age).abs() < 1e-4, "{born} + {lived} for {age}");
        }
    }
    (stamps(&solo), state(&solo))
}

#[test]
fn emission_catch_up_births_are_at_their_own_times_and_lived_once() {
    let emission = Emission {
        max_catchup: 0.25,
        bursts: vec![burst(0.6, 5), burst(0.9, 3)],
        ..rate(100.0, 4000)
    };
    let steps = even(60, 1.5);
    // Asleep from 0.5 to 1 s; the burst at 0.6 s is slept through, that at 0.9 s is made up for.
    let (times, last) = sleeper(&emission, &steps, |step| (30..60).contains(&step));
    let mut due: Vec<f64> = (1..=150)
        .map(|k| f64::from(k) / 100.0)
        .filter(|t| *t < 0.5001 || *t > 0.7501)
        .collect();
    due.extend([0.9; 3]);
    due.sort_by(f64::total_cmp);
    assert_eq!(times.len(), due.len());
    for (time, due) in times.iter().zip(&due) {
        assert!((time - due).abs() < 1e-5, "{time} for {due}");
    }
    assert_eq!((last.dropped, last.sleep_hi, last.caught_up), (0, 0.0, 0.0));
}

#[test]
fn emission_sleep_changes_no_clock_and_only_takes_births_away() {
    for seed in 0..200 {
        let mut rolls = Rolls(seed);
        let mut settings = crate::support::Rolls(seed);
        let emission = Emission {
            capacity: 20_000,
            max_catchup: settings.number(1.0),
            loops: 0,
            ..settings::steady(&mut settings, 200.0)
        };
        let steps: Vec<f64> = (0..120)
            .map(|_| 0.005 + f64::from(rolls.below(1000)) / 20_000.0)
            .collect();
        let mut asleep = Vec::new();
        while asleep.len() < steps.len() {
            let value = asleep.len() > 2 && rolls.below(2) == 0;
            asleep.extend(std::iter::repeat_n(value, 1 + rolls.below(30) as usize));
        }
        asleep.truncate(steps.len() - 1);
        asleep.push(false);
        let (all, awake) = sleeper(&emission, &steps, |_| false);
        let (some, woken) = sleeper(&emission, &steps, |step| asleep[step]);

        // The spans in which births are lost: sleep, less the catch-up at its end.
        let mut lost = Vec::new();
        let mut now = 0.0;
        let mut since = None;
        for (dt, asleep) in steps.iter().zip(&asleep) {
            match (asleep, since) {
                (true, None) => since = Some(now),
                (false, Some(start)) => {
                    let end = now - f64::from(emission.max_catchup);
                    if end > start {
                        lost.push((start, end));
                    }
                    since = None;
                }
                _ => {}
            }
            now += dt;
        }
        let near = |t: f64| {
            lost.iter()
                .any(|&(a, b)| (t - a).abs() < 1e-4 || (t - b).abs() < 1e-4)
        };
        let due: Vec<f64> = all
            .into_iter()
            .filter(|&t| !near(t) && !lost.iter().any(|&(a, b)| t > a && t < b))
            .collect();
        let some: Vec<f64> = some.into_iter().filter(|&t| !near(t)).collect();
        assert_eq!(some.len(), due.len(), "seed {seed}: lost {lost:?}, {emission:?}");
        for (time, due) in some.iter().zip(&due) {
            assert!((time - due).abs() < 2e-5, "seed {seed}: {time} for {due}");
        }
        assert_eq!(
            (woken.loop_index, woken.step),
            (awake.loop_index, awake.step),
            "seed {seed}"
        );
        assert!(
            (woken.loop_time_hi - awake.loop_time_hi).abs() < 1e-5,
            "seed {seed}"
        );
        assert_eq!(woken.age_hi, awake.age_hi, "seed {seed}");
    }
}

#[test]
fn emission_sleep_passes_over_any_number_of_loops_at_once() {
    let emission = Emission {
        duration: Some(1.0 / 512.0),
        max_catchup: 0.0,
        rate: 1024.0,
        capacity: 20_000,
        ..Emission::default()
    };
    let mut solo = Solo::with(&effect(STAMP, emission), 20_000);
    solo.stage.freeze_culling(true);
    solo.step(0.01);
    solo.reference.set_culled(0, true);
    // Ten minutes in one step, then in many.
    solo.step(600.0);
    assert_eq!(state(&solo).loop_index, 307_205);
    for _ in 0..100 {
        solo.step(0.1);
    }
    let at = f64::from(state(&solo).loop_index) / 512.0 + f64::from(state(&solo).loop_time_hi);
    assert!((at - 610.01).abs() < 1e-3, "{at}");
    solo.reference.set_culled(0, false);
    solo.step(10.0 / 512.0);
    assert_eq!(state(&solo).born, 20);
}

#[test]
fn emission_a_one_shot_ends_asleep_once_waking_could_not_show_it() {
    let emission = Emission {
        duration: Some(0.2),
        loops: 1,
        bursts: vec![burst(0.1, 8)],
        max_catchup: 0.5,
        ..Emission::default()
    };
    let run = |wake_at: usize| {
        let mut solo = Solo::with(&effect(STAMP, emission.clone()), 100);
        solo.stage.freeze_culling(true);
        solo.step(0.01);
        let mut ended = None;
        for step in 1..200 {
            solo.reference.set_culled(0, step < wake_at);
            solo.step(0.01);
            if state(&solo).ended == 1 {
                ended.get_or_insert(step);
            }
        }
        (stamps(&solo), ended.unwrap(), state(&solo))
    };
    let (times, _, _) = run(50);
    assert_eq!(times.len(), 8, "seen in time");
    assert!(times.iter().all(|t| (t - 0.1).abs() < 1e-5), "{times:?}");
    let (times, ended, last) = run(300);
    assert!(times.is_empty());
    assert!((68..=71).contains(&ended), "0.5 s after its end: {ended}");
    assert_eq!((last.finished, last.sleep_hi), (1, 0.0));
}

#[test]
fn emission_what_the_host_asks_of_a_sleeper_is_refused() {
    let mut solo = Solo::with(&effect(STAMP, rate(0.0, 100)), 100);
    solo.stage.freeze_culling(true);
    let id = solo.stage.instances().next().unwrap();
    solo.step(0.01);
    solo.reference.set_culled(0, true);
    solo.stage.burst(id, 0, 9).unwrap();
    solo.step(0.01);
    solo.reference.set_culled(0, false);
    solo.step(0.01);
    assert_eq!((state(&solo).spawned, state(&solo).dropped), (0, 9));
    let awake = Emission {
        culling: false,
        ..rate(100.0, 100)
    };
    let (times, _) = sleeper(&awake, &even(10, 1.0), |_| true);
    assert_eq!(times.len(), 100, "one that may not be culled emits on");
}

/// Sees what lies between two planes across x.
fn between(low: f32, high: f32) -> Frustum {
    let all = [0.0, 0.0, 0.0, 1.0];
    [[1.0, 0.0, 0.0, -low], [-1.0, 0.0, 0.0, high], all, all, all, all]
}

/// An emitter at the origin that has been seen for a second and out of view for so many.
fn out_of_view(seconds: u32) -> Solo {
    let mut solo = Solo::with(&effect(&drift(0.6), rate(120.0, 400)), 400);
    for _ in 0..60 {
        solo.step_seen(1.0 / 60.0, &[between(-10.0, 10.0)]);
    }
    for _ in 0..seconds * 60 {
        solo.step_seen(1.0 / 60.0, &[between(50.0, 70.0)]);
    }
    solo
}

#[test]
fn emission_a_sleeper_sleeps_on_when_its_last_particle_has_died() {
    let (before, after) = (out_of_view(0), out_of_view(10));
    let (before, after) = (state(&before), state(&after));
    assert_eq!((after.living, after.culled), (0, 1));
    assert!(
        after.spawned <= before.spawned + 3,
        "{} births",
        after.spawned - before.spawned
    );
    assert!((after.sleep_hi - 10.0).abs() < 0.1);
    for i in 0..3 {
        assert!(after.bounds_min[i] <= before.bounds_min[i] && after.bounds_max[i] >= before.bounds_max[i]);
    }
}

#[test]
fn emission_a_sleeper_takes_its_box_along_and_wakes_where_it_is_seen() {
    let view = [between(50.0, 70.0)];
    for teleported in [false, true] {
        let mut solo = out_of_view(2);
        let id = solo.stage.instances().next().unwrap();
        let go = |solo: &mut Solo, x: f32| {
            let pose = Pose::at([x, 0.0, 0.0]);
            if teleported {
                solo.stage.teleport(id, pose).unwrap();
            } else {
                solo.stage.set_pose(id, pose).unwrap();
            }
            for _ in 0..2 {
                solo.step_seen(1.0 / 60.0, &view);
            }
            state(solo)
        };
        let spawned = state(&solo).spawned;
        let away = go(&mut solo, -30.0);
        assert_eq!((away.culled, away.spawned), (1, spawned));
        assert!((away.bounds_min[0] + away.bounds_max[0]) < -55.0, "{away:?}");
        let seen = go(&mut solo, 60.0);
        assert_eq!(seen.culled, 0);
        assert!(seen.spawned > spawned);
    }
}

#[test]
fn emission_a_sleeper_that_turns_is_looked_at_anew() {
    let mut solo = out_of_view(2);
    let id = solo.stage.instances().next().unwrap();
    let spawned = state(&solo).spawned;
    let pose = Pose([[0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0]]);
    solo.stage.set_pose(id, pose).unwrap();
    for _ in 0..60 {
        solo.step_seen(1.0 / 60.0, &[between(50.0, 70.0)]);
    }
    assert!(state(&solo).spawned > spawned, "it woke");
    assert_eq!(state(&solo).culled, 1, "and sleeps again");
}
