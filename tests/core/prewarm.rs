//! Pre-warm: the schedule, and what stands there as it ends.

use mote::artifact::{Burst, Emission};
use mote::host::rows::Counter;
use mote::host::warmup::{MAX_TICKS, SHORTEST_TICK, Warmup};
use mote::host::{Placement, Pose, Stage, StageError};
use mote::isa::ORDINAL_WORD;
use mote::reference::Reference;
use mote::reference::warmup::parts;

use crate::support::{Rolls, Solo, drift, effect};

fn warmed(text: &str, emission: Emission, capacity: u32, placement: Placement) -> Solo {
    let mut stage = Stage::new(capacity);
    stage.place(effect(text, emission), placement).unwrap();
    let mut solo = Solo {
        stage,
        reference: Reference::new(capacity),
    };
    solo.warm_up();
    solo
}

fn rate(rate: f32, capacity: u32, prewarm: f32) -> Emission {
    Emission {
        rate,
        capacity,
        prewarm,
        ..Emission::default()
    }
}

/// Sorted ages of what lives: the third word of [`drift`]'s records.
fn ages(solo: &Solo) -> Vec<f32> {
    let mut ages: Vec<f32> = solo
        .reference
        .live_records()
        .map(|record| f32::from_bits(record[2]))
        .collect();
    ages.sort_by(f32::total_cmp);
    ages
}

#[test]
fn prewarm_schedule_is_bounded_and_gives_each_its_own_time() {
    assert_eq!(Warmup::new(0.0, 10), None);
    assert_eq!(Warmup::new(f32::NAN, 10), None);
    assert_eq!(Warmup::new(f32::INFINITY, 10), None);
    assert_eq!(Warmup::new(1.0, 0), None);
    let mut rolls = Rolls(11);
    for longest in [
        0.005,
        1.0 / 60.0,
        0.0167,
        0.11,
        0.5,
        32.0 / 60.0,
        0.6,
        5.0,
        100.0,
        36_000.0,
    ] {
        let warmup = Warmup::new(longest, 10).unwrap();
        assert!((1..=MAX_TICKS).contains(&warmup.ticks));
        for tick in 1..warmup.ticks {
            assert!(
                warmup.tick(tick) <= warmup.tick(tick - 1) * 1.000_001,
                "{longest}: tick {tick}"
            );
        }
        assert!(warmup.tick(warmup.ticks - 1) >= SHORTEST_TICK, "{longest}");
        for _ in 0..20 {
            let own = longest * (rolls.below(1000) + 1) as f32 / 1000.0;
            let sum: f64 = parts(&warmup, own).iter().map(|&part| f64::from(part)).sum();
            assert!(
                (sum / f64::from(own) - 1.0).abs() < 1e-4,
                "{own} of {longest}: {sum}"
            );
        }
    }
}

#[test]
fn case_b01_after_a_prewarm_fifty_live_and_their_ages_are_even() {
    for scale in [0.25, 0.5, 1.0, 2.0] {
        let placement = Placement {
            time_scale: scale,
            ..Placement::default()
        };
        let mut solo = warmed(&drift(5.0), rate(10.0, 100, 5.0), 200, placement);
        let found = ages(&solo);
        assert!((49..=51).contains(&found.len()), "{} at {scale}", found.len());
        for (index, age) in found.iter().enumerate() {
            assert!(
                (age - index as f32 * 0.1).abs() < 0.101,
                "{index}: {age} at {scale}"
            );
        }
        for pair in found.windows(2) {
            assert!(
                (pair[1] - pair[0] - 0.1).abs() < 1e-4,
                "no bands: {pair:?} at {scale}"
            );
        }
        assert_eq!(solo.stage.time(), 0.0);
        assert!((solo.reference.states()[0].age_hi - 5.0).abs() < 1e-4);
        // After a second of effect time the emitter has lived as much longer as its scale says.
        for _ in 0..60 {
            solo.step(1.0 / 60.0);
        }
        assert!((solo.reference.states()[0].age_hi - 5.0 - scale).abs() < 1e-3);
        assert!((49..=51).contains(&solo.alive()));
    }
}

#[test]
fn case_b03_a_prewarm_stands_where_its_emitter_does() {
    let placement = Placement {
        pose: Pose::at([10.0, 0.0, 0.0]).into(),
        ..Placement::default()
    };
    let still = ".registers 4\ninit:\n load_builtin.3 r0, emitter_position\n store_field.3 w4, r0\nupdate:\n";
    let solo = warmed(still, rate(20.0, 100, 2.0), 200, placement);
    assert_eq!(solo.alive(), 40);
    for record in solo.reference.live_records() {
        let place = [4, 5, 6].map(|word| f32::from_bits(record[word]));
        assert_eq!(place, [10.0, 0.0, 0.0]);
    }
}

#[test]
fn prewarm_in_a_step_goes_through_that_step_too() {
    for (scale, dt) in [(1.0, 0.1), (0.5, 0.1), (2.0, 1.0 / 60.0)] {
        let placement = Placement {
            time_scale: scale,
            ..Placement::default()
        };
        let mut stage = Stage::new(200);
        stage
            .place(effect(&drift(5.0), rate(10.0, 100, 5.0)), placement)
            .unwrap();
        let mut solo = Solo {
            stage,
            reference: Reference::new(200),
        };
        solo.step(dt);
        let age = solo.reference.states()[0].age_hi;
        assert!(
            (f64::from(age) - 5.0 - dt * f64::from(scale)).abs() < 1e-4,
            "{age} after {dt} at {scale}"
        );
        assert!((49..=51).contains(&solo.alive()));
        let youngest = f64::from(ages(&solo)[0]);
        let due = (dt * f64::from(scale)) % 0.1;
        assert!(
            (youngest - due).abs() < 1e-3 || (youngest - due - 0.1).abs() < 1e-3,
            "{youngest} for {due}"
        );
    }
}

#[test]
fn prewarm_does_not_swallow_what_the_host_asks_for() {
    let mut stage = Stage::new(200);
    let id = stage
        .place(effect(&drift(1.0), rate(0.0, 100, 30.0)), Placement::default())
        .unwrap();
    stage.burst(id, 0, 7).unwrap();
    let mut solo = Solo {
        stage,
        reference: Reference::new(200),
    };
    solo.warm_up();
    assert_eq!(solo.alive(), 0, "it is of the present");
    solo.step(1.0 / 60.0);
    assert_eq!(solo.alive(), 7);
}

#[test]
fn prewarm_holds_the_capacity_after_each_ticks_deaths() {
    let solo = warmed(&drift(0.1), rate(1000.0, 200, 5.0), 400, Placement::default());
    assert!((99..=101).contains(&solo.alive()), "{}", solo.alive());
    assert_eq!(solo.reference.states()[0].dropped, 0);
}

#[test]
fn prewarm_of_no_births_warms_to_nothing_and_bursts_are_in_their_own_time() {
    let solo = warmed(&drift(1.0), rate(0.0, 10, 3.0), 20, Placement::default());
    assert_eq!(solo.alive(), 0);
    let burst = |time| Burst {
        time,
        min: 5,
        max: 5,
        cycles: 1,
        interval: 0.0,
        chance: 1.0,
    };
    let emission = Emission {
        bursts: vec![burst(0.5), burst(2.7), burst(3.5)],
        ..rate(0.0, 100, 3.0)
    };
    let solo = warmed(&drift(1.0), emission, 200, Placement::default());
    let found = ages(&solo);
    assert_eq!(
        found.len(),
        5,
        "only the burst of the last second lives, the last has not come"
    );
    assert!((found[0] - 0.3).abs() < 1e-3, "{found:?}");
}

#[test]
fn prewarm_into_too_small_a_pool_keeps_the_oldest_and_counts_the_rest() {
    let solo = warmed(&drift(5.0), rate(10.0, 100, 5.0), 20, Placement::default());
    assert_eq!(solo.alive(), 20);
    let state = solo.reference.states()[0];
    let mut ordinals: Vec<u32> = solo
        .reference
        .live_records()
        .map(|record| record[ORDINAL_WORD as usize])
        .collect();
    ordinals.sort_unstable();
    assert!(ordinals.iter().zip(ordinals[0]..).all(|(&a, b)| a == b) && ordinals[0] <= 1);
    assert_eq!(state.spawned - 20 - ordinals[0], state.dropped);
    assert_eq!(solo.reference.counter(Counter::Dead), 0);
}

#[test]
fn prewarms_of_different_lengths_each_run_their_own_beside_one_that_has_none() {
    let mut stage = Stage::new(1000);
    for prewarm in [5.0, 1.0, 0.0] {
        let placement = Placement::default();
        stage
            .place(effect(&drift(10.0), rate(10.0, 200, prewarm)), placement)
            .unwrap();
    }
    let mut solo = Solo {
        stage,
        reference: Reference::new(1000),
    };
    solo.step(0.05);
    let states = solo.reference.states();
    assert!((states[0].age_hi - 5.05).abs() < 1e-4 && (states[1].age_hi - 1.05).abs() < 1e-4);
    assert!((states[2].age_hi - 0.05).abs() < 1e-6, "its own step");
    assert_eq!(states.iter().map(|s| s.living).collect::<Vec<_>>(), [50, 10, 0]);
    assert_eq!(states.iter().map(|s| s.dropped).sum::<u32>(), 0);
    // The next step is an ordinary one.
    solo.step(0.05);
    assert!((solo.reference.states()[0].age_hi - 5.1).abs() < 1e-4);
}

/// However long it is, an emitter stands after its pre-warm as it would after a minute of running: no tick is so
/// long that births which die inside it keep out those that would be alive at its end.
#[test]
fn prewarm_of_any_length_leaves_as_many_as_running() {
    let emission = |prewarm: f32| Emission {
        rate: 150.0,
        capacity: 160,
        prewarm,
        ..Emission::default()
    };
    for life in [0.3, 0.8, 1.0] {
        let expected = 150.0 * life;
        for prewarm in [2.0, 5.0, 20.0, 60.0, 600.0, 3_600.0] {
            let mut solo = Solo::with(&effect(&drift(life), emission(prewarm)), 400);
            solo.warm_up();
            let alive = solo.alive() as f32;
            assert!(
                (alive - expected).abs() <= 3.0,
                "{alive} alive of life {life} s after {prewarm} s, {expected} expected"
            );
        }
    }
    // What lives for long in a long pre-warm too.
    let slow = Emission {
        rate: 4.0,
        capacity: 200,
        prewarm: 600.0,
        ..Emission::default()
    };
    let mut solo = Solo::with(&effect(&drift(40.0), slow), 400);
    solo.warm_up();
    assert!((157..=163).contains(&solo.alive()), "{}", solo.alive());
}

#[test]
fn prewarm_of_short_loops_and_long_lives_loses_no_births() {
    let short = Emission {
        duration: Some(0.1),
        ..rate(50.0, 4000, 60.0)
    };
    let solo = warmed(&drift(30.0), short, 4000, Placement::default());
    let alive = solo.alive();
    assert!((1498..=1502).contains(&alive), "{alive} of 1,500");
    assert_eq!(solo.reference.states()[0].loop_index, 600);
}

#[test]
fn prewarm_of_a_placement_is_no_longer_than_an_hour() {
    let emission = || Emission {
        rate: 100.0,
        capacity: 160,
        ..Emission::default()
    };
    let alive = |prewarm: f32| {
        let mut solo = Solo::with(&effect(&drift(1.0), emission()), 400);
        let id = solo.stage.instances().next().unwrap();
        solo.stage.remove(id).unwrap();
        let placement = Placement {
            prewarm: Some(prewarm),
            ..Placement::default()
        };
        solo.stage
            .place(effect(&drift(1.0), emission()), placement)
            .unwrap();
        solo.warm_up();
        solo.alive()
    };
    assert_eq!(alive(-3.0), 0, "that is no time");
    for odd in [f32::NAN, f32::INFINITY] {
        let placement = Placement {
            prewarm: Some(odd),
            ..Placement::default()
        };
        let placed = Stage::new(10).place(effect(&drift(1.0), emission()), placement);
        assert_eq!(placed.unwrap_err(), StageError::NotFinite { what: "pre-warm" });
    }
    for long in [3_600.0, 1e9, f32::MAX] {
        assert!((98..=102).contains(&alive(long)), "{long}: {}", alive(long));
    }
}
