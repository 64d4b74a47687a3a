//! The tick: counts and times of births, whatever the steps.

use mote::artifact::{Burst, Emission};
use mote::isa::{FIRST_FIELD_WORD, ORDINAL_WORD};

use crate::isa::Rolls;
use crate::support::{Solo, drift, effect};

const AGE: usize = FIRST_FIELD_WORD as usize;

pub(crate) fn rate(rate: f32, capacity: u32) -> Emission {
    Emission {
        rate,
        capacity,
        ..Emission::default()
    }
}

/// When each particle was born, by ordinal, for particles that never move or die and stamp their birth.
pub(crate) fn births(emission: Emission, steps: &[f64]) -> Vec<f64> {
    let mut solo = Solo::with(&effect(STAMP, emission), 5_000);
    for &dt in steps {
        solo.step(dt);
    }
    stamps(&solo)
}

/// Particles that never move or die, stand where the emitter was and stamp their birth (w2) and how long they were
/// stepped (w3).
pub(crate) const STAMP: &str = ".registers 4
init:
    load_builtin.1 r0, emitter_age
    store_field.1 w2, r0
    load_builtin.3 r0, emitter_position
    store_field.3 w4, r0
update:
    load_builtin.1 r0, delta_time
    load_field.1 r1, w3
    add.1 r0, r0, r1
    store_field.1 w3, r0
";

/// The stamps of [`STAMP`], by ordinal.
pub(crate) fn stamps(solo: &Solo) -> Vec<f64> {
    let mut births: Vec<(u32, f64)> = solo
        .reference
        .live_records()
        .map(|r| (r[ORDINAL_WORD as usize], f64::from(f32::from_bits(r[AGE]))))
        .collect();
    births.sort_by_key(|b| b.0);
    births.into_iter().map(|b| b.1).collect()
}

pub(crate) fn even(fps: u32, seconds: f64) -> Vec<f64> {
    vec![1.0 / f64::from(fps); (f64::from(fps) * seconds).round() as usize]
}

pub(crate) fn jittered(seed: u32, seconds: f64) -> Vec<f64> {
    let mut rolls = Rolls(seed);
    let raw: Vec<f64> = (0..300)
        .map(|_| 0.1 + f64::from(rolls.below(1000)) / 100.0)
        .collect();
    let sum: f64 = raw.iter().sum();
    raw.into_iter().map(|dt| dt * seconds / sum).collect()
}

#[test]
fn case_b12_births_are_the_same_at_any_frame_rate() {
    for (r, seconds) in [(0.5f32, 10.0), (5.0, 1.0)] {
        let mut runs: Vec<(String, Vec<f64>)> = [10, 60, 240, 1000]
            .map(|fps| (format!("{fps} fps"), even(fps, seconds)))
            .to_vec();
        runs.extend((1..20).map(|seed| (format!("jitter seed {seed}"), jittered(seed, seconds))));
        for (name, steps) in runs {
            let times = births(rate(r, 100), &steps);
            assert_eq!(times.len(), 5, "rate {r}, {name}");
            for (k, time) in times.iter().enumerate() {
                let due = (k + 1) as f64 / f64::from(r);
                assert!((time - due).abs() < 1e-5, "rate {r}, {name}: {time} for {due}");
            }
        }
    }
}

#[test]
fn case_b06_capacity_holds_and_what_is_refused_is_counted() {
    let mut solo = Solo::with(&effect(&drift(1.0), rate(1000.0, 100)), 1000);
    for step in 1..=60 {
        solo.step(1.0 / 60.0);
        assert!(solo.alive() <= 100, "step {step}");
        match step {
            5 => assert_eq!(solo.alive(), 83),
            6 => assert_eq!(solo.alive(), 100),
            _ => {}
        }
    }
    let state = solo.reference.states()[0];
    assert_eq!((state.spawned, state.dropped), (100, 900));
    for _ in 0..120 {
        solo.step(1.0 / 60.0);
    }
    assert!(solo.alive() <= 100);
    let state = solo.reference.states()[0];
    assert_eq!(state.spawned + state.dropped, 3000, "nothing is owed");
}

#[test]
fn case_b07_a_long_step_floods_and_kills_nothing() {
    let mut solo = Solo::with(&effect(&drift(2.0), rate(100.0, 1000)), 1000);
    for _ in 0..300 {
        solo.step(1.0 / 60.0);
    }
    assert!((199..=201).contains(&solo.alive()));
    // Exact mode: thirty seconds in fixed sub-steps.
    for _ in 0..1800 {
        solo.step(1.0 / 60.0);
    }
    let mut ages: Vec<f32> = solo
        .reference
        .live_records()
        .map(|r| f32::from_bits(r[AGE]))
        .collect();
    ages.sort_by(f32::total_cmp);
    assert!((199..=201).contains(&ages.len()));
    assert!(
        ages.windows(2).all(|w| (w[1] - w[0] - 0.01).abs() < 1e-3),
        "ages are even"
    );
}

#[test]
fn case_b04_a_lifetime_of_zero_shows_nothing_and_keeps_emitting() {
    let mut solo = Solo::with(&effect(&drift(1.0), rate(10.0, 100)), 100);
    let run = |solo: &mut Solo, seconds: f64| {
        (0..(seconds * 60.0).round() as u32).for_each(|_| solo.step(1.0 / 60.0));
    };
    run(&mut solo, 1.0);
    let id = solo.stage.instances().next().unwrap();
    let swap = |solo: &mut Solo, lifetime: f32| {
        // The lifetime is set every frame, as a parameter wired there would.
        let text = drift(1.0).replace(
            "load_field.1 r8, w3",
            &format!("mov.1 r8, bits:0x{:08x}", lifetime.to_bits()),
        );
        solo.stage.set_effect(id, effect(&text, rate(10.0, 100))).unwrap();
    };
    swap(&mut solo, 0.0);
    for _ in 0..60 {
        solo.step(1.0 / 60.0);
        assert_eq!(solo.alive(), 0);
    }
    swap(&mut solo, 1.0);
    run(&mut solo, 1.0);
    assert!((9..=11).contains(&solo.alive()), "{}", solo.alive());
    for odd in [-1.0, 1e-30, f32::NAN] {
        swap(&mut solo, odd);
        run(&mut solo, 2.0);
        assert!(solo.reference.live_records().count() <= 100);
    }
}

#[test]
fn emission_bursts_loops_and_delays_fire_once_each() {
    let burst = |time, min, cycles, interval| Burst {
        time,
        min,
        max: min,
        cycles,
        interval,
        chance: 1.0,
    };
    let emission = Emission {
        delay: 0.25,
        duration: Some(1.0),
        loops: 3,
        loop_delay: 0.5,
        bursts: vec![
            burst(0.0, 4, 1, 0.0),
            burst(0.5, 2, 3, 0.1),
            burst(0.5, 1, 1, 0.0),
        ],
        capacity: 1000,
        ..Emission::default()
    };
    let due: Vec<f64> = (0..3)
        .flat_map(|l| {
            let start = 0.25 + 1.5 * f64::from(l);
            let times = [0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.6, 0.6, 0.7, 0.7];
            times.map(|t| start + t)
        })
        .collect();
    for steps in [even(7, 6.0), even(60, 6.0), even(240, 6.0), jittered(5, 6.0)] {
        let times = births(emission.clone(), &steps);
        assert_eq!(times.len(), due.len());
        for (time, due) in times.iter().zip(&due) {
            assert!((time - due).abs() < 1e-5, "{time} for {due}");
        }
    }
}

#[test]
fn emission_a_rate_and_bursts_are_born_in_order_of_time() {
    let emission = Emission {
        rate: 20.0,
        bursts: vec![Burst {
            time: 0.22,
            min: 3,
            max: 3,
            cycles: 1,
            interval: 0.0,
            chance: 1.0,
        }],
        ..Emission::default()
    };
    for steps in [even(2, 1.0), even(60, 1.0)] {
        let times = births(emission.clone(), &steps);
        assert_eq!(times.len(), 23);
        assert!(times.is_sorted_by(|a, b| a <= &(b + 1e-5)), "{times:?}");
    }
}

#[test]
fn case_b01_a_one_shot_finishes_in_effect_time_at_any_playback_speed() {
    let emission = Emission {
        duration: Some(0.0),
        loops: 1,
        bursts: vec![Burst::once(5)],
        ..Emission::default()
    };
    for speed in [0.25, 0.5, 1.0, 2.0] {
        let mut solo = Solo::with(&effect(&drift(2.0), emission.clone()), 100);
        let mut finished = None;
        for picture in 1..=600 {
            solo.step(speed / 60.0);
            if picture == 1 {
                assert_eq!(solo.alive(), 5);
            }
            if solo.reference.states()[0].finished == 1 && finished.is_none() {
                finished = Some((solo.stage.time(), f64::from(picture) / 60.0));
            }
        }
        let (effect_time, wall_time) = finished.unwrap();
        assert!(
            (effect_time - 2.0).abs() <= 1.5 * speed / 60.0,
            "speed {speed}: {effect_time}"
        );
        assert!(
            (wall_time - 2.0 / speed).abs() <= 1.5 / 60.0,
            "speed {speed}: {wall_time}"
        );
    }
}

#[test]
fn emission_random_bursts_keep_to_their_range_and_chance() {
    let emission = Emission {
        duration: Some(0.1),
        bursts: vec![Burst {
            time: 0.0,
            min: 1,
            max: 3,
            cycles: 1,
            interval: 0.0,
            chance: 0.5,
        }],
        capacity: 4000,
        ..Emission::default()
    };
    let times = births(emission, &even(10, 100.0));
    let fired = times
        .chunk_by(|a, b| (a - b).abs() < 0.05)
        .map(<[f64]>::len)
        .collect::<Vec<_>>();
    assert!((420..580).contains(&fired.len()), "{} of 1000 fired", fired.len());
    assert!(fired.iter().all(|n| (1..=3).contains(n)));
    assert!((1..=3).all(|n| fired.iter().filter(|&&f| f == n).count() > 100));
}

#[test]
fn emission_the_pool_runs_out_by_row_order() {
    let shared = effect(&drift(10.0), rate(600.0, 1000));
    let mut solo = Solo::with(&shared, 25);
    solo.stage.place(shared, Default::default()).unwrap();
    for _ in 0..3 {
        solo.step(1.0 / 60.0);
        let r = &solo.reference;
        assert_eq!(r.alive().len() + r.dead().len(), 25);
    }
    let states = solo.reference.states();
    assert_eq!(
        (states[0].spawned, states[1].spawned),
        (15, 10),
        "ten each, then the first row takes the five that are left"
    );
}

#[test]
fn emission_pauses_for_steps_that_are_no_time() {
    let mut solo = Solo::with(&effect(&drift(1.0), rate(100.0, 100)), 100);
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        solo.step(dt);
    }
    assert_eq!((solo.alive(), solo.stage.time()), (0, 0.0));
}

/// Velocities of the first hundred particles of each instance, by instance and ordinal.
fn velocities(seeds: [u32; 2], emission: &Emission) -> [Vec<[u32; 3]>; 2] {
    let shared = effect(&drift(10.0), emission.clone());
    let mut stage = mote::host::Stage::new(1000);
    let mut reference = mote::reference::Reference::new(1000);
    for seed in seeds {
        let placement = mote::host::Placement {
            seed,
            ..Default::default()
        };
        stage.place(shared.clone(), placement).unwrap();
    }
    for _ in 0..60 {
        let frame = stage.begin_step(1.0 / 60.0).unwrap();
        reference.step(&stage, &frame);
        stage.end_step();
    }
    let live = mote::reference::digest::live_particles(&stage, reference.live_records());
    let of = |instance: usize| -> Vec<[u32; 3]> {
        let id = stage.instances().nth(instance).unwrap();
        let own = live.iter().filter(|p| p.instance == id).take(100);
        own.map(|p| [p.record[8], p.record[9], p.record[10]]).collect()
    };
    [of(0), of(1)]
}

#[test]
fn case_b14_instances_differ_unless_they_are_told_to_be_alike() {
    let auto = rate(100.0, 200);
    let [a, b] = velocities([1, 2], &auto);
    assert_eq!((a.len(), b.len()), (100, 100));
    assert!(
        a.iter().zip(&b).all(|(a, b)| a != b),
        "no two of the first hundred are equal"
    );
    assert_eq!(
        velocities([1, 2], &auto),
        [a.clone(), b],
        "the next run is the same"
    );
    let [c, d] = velocities([7, 7], &auto);
    assert_eq!(c, d, "equal seeds are equal plays");
    let fixed = Emission {
        seed_mode: mote::artifact::SeedMode::Fixed,
        seed: 1234,
        ..auto
    };
    let [e, f] = velocities([1, 2], &fixed);
    assert_eq!(e, f);
    assert_ne!(e, a);
}

#[test]
fn emission_loops_without_number_in_one_step_have_all_their_births() {
    // A hundred loops a step, of two births and a burst each; then as many as the step is long.
    for (duration, dt, loops) in [(0.001, 0.1, 0), (0.002, 0.1, 260), (0.125, 60.0, 0)] {
        let emission = Emission {
            duration: Some(duration),
            loops,
            rate: 2.0 / duration,
            bursts: vec![Burst {
                time: 0.5 * duration,
                min: 3,
                max: 3,
                cycles: 1,
                interval: 0.0,
                chance: 1.0,
            }],
            capacity: 1 << 20,
            ..Emission::default()
        };
        let mut solo = Solo::with(&effect(STAMP, emission), 100_000);
        let steps = if loops == 0 { 4 } else { 8 };
        for _ in 0..steps {
            solo.step(dt);
        }
        let mut passed = (f64::from(steps) * dt / f64::from(duration)).round() as u32;
        if loops > 0 {
            passed = passed.min(loops);
        }
        assert_eq!(
            solo.reference.states()[0].spawned,
            passed * 5,
            "loops of {duration} s"
        );
        let times = stamps(&solo);
        let half = times.partition_point(|&time| time < 0.5 * f64::from(passed) * f64::from(duration));
        assert!(
            half.abs_diff(times.len() / 2) <= times.len() / 20,
            "{half} of {} in the first half",
            times.len()
        );
    }
}
