//! Pre-warm on the device against its twin.

use mote::artifact::{Burst, Emission};
use mote::gpu::pipelines::pipeline_requests;
use mote::host::{Placement, Pose};

use crate::support::{Pair, Rolls, counting, drift, effect};
use crate::twins::assert_equal;

fn emission(rolls: &mut Rolls) -> Emission {
    Emission {
        rate: rolls.below(300) as f32,
        capacity: 50 + rolls.below(200),
        prewarm: rolls.below(4) as f32 * 0.7,
        duration: (rolls.below(2) == 0).then_some(0.9),
        loop_delay: 0.2,
        delay: rolls.below(2) as f32 * 0.3,
        bursts: vec![Burst {
            time: 0.1,
            min: 3,
            max: 20,
            cycles: 2,
            interval: 0.25,
            chance: 0.7,
        }],
        ..Emission::default()
    }
}

#[test]
fn prewarm_twins_agree_in_every_register_class_beside_what_plays() {
    for (seed, registers) in [(1, 12), (2, 30), (3, 60), (4, 100)] {
        let mut rolls = Rolls(seed);
        let mut pair = Pair::new(1500);
        let text = drift(0.8).replace(".registers 12", &format!(".registers {registers}"));
        for step in 0..30 {
            if step % 6 == 0 {
                let placement = Placement {
                    pose: Pose::at([step as f32, 1.0, 0.0]).into(),
                    seed: rolls.next(),
                    ..Placement::default()
                };
                let id = pair
                    .stage
                    .place(effect(&text, emission(&mut rolls)), placement)
                    .unwrap();
                if step == 12 {
                    pair.stage.restart(id).unwrap();
                }
                if step == 18 {
                    pair.stage.remove(id).unwrap();
                }
            }
            pair.step(1.0 / 45.0);
            if step % 6 < 2 {
                assert_equal(&pair, &format!("seed {seed}, step {step}"));
            }
        }
        assert!(pair.reference.live_records().count() > 100, "seed {seed}");
    }
}

#[test]
fn prewarm_twins_agree_where_the_pool_is_too_small() {
    let emission = Emission {
        rate: 100.0,
        capacity: 400,
        prewarm: 3.0,
        ..Emission::default()
    };
    let mut pair = Pair::new(150);
    for seed in 0..2 {
        let placement = Placement {
            seed,
            ..Placement::default()
        };
        pair.stage
            .place(effect(&drift(3.0), emission.clone()), placement)
            .unwrap();
        pair.step(1.0 / 60.0);
        assert_equal(&pair, &format!("instance {seed}"));
    }
    assert_eq!(pair.reference.live_records().count(), 150);
    assert!(pair.reference.states()[1].dropped > 100);
}

#[test]
fn prewarm_of_many_particles_keeps_the_lists_order_over_tiles() {
    let emission = Emission {
        rate: 3000.0,
        capacity: 4000,
        prewarm: 1.2,
        ..Emission::default()
    };
    let mut pair = Pair::with(&effect(&drift(0.9), emission), 2500);
    pair.step(1.0 / 60.0);
    assert_equal(&pair, "several tiles, and too little room");
}

#[test]
fn prewarm_makes_no_pipeline_and_records_nothing_in_other_steps() {
    let _alone = counting();
    crate::support::gpu();
    let before = pipeline_requests();
    let emission = Emission {
        rate: 50.0,
        prewarm: 5.0,
        ..Emission::default()
    };
    let mut pair = Pair::with(&effect(&drift(1.0), emission), 200);
    let warm = |pair: &Pair| -> u32 {
        let counts = pair.simulation.dispatches().iter();
        counts
            .filter(|(name, _)| name.starts_with("warm_"))
            .map(|(_, n)| n)
            .sum()
    };
    pair.step(1.0 / 60.0);
    assert!(warm(&pair) > 0 && warm(&pair) <= 32 * 6 + 4, "{}", warm(&pair));
    pair.step(1.0 / 60.0);
    assert_eq!(warm(&pair), 0);
    assert_eq!(pipeline_requests(), before);
}
