//! The tick and emit on the device against their twins, over random settings.

use mote::artifact::Space;
use mote::base::gpu_struct::GpuStruct as _;
use mote::host::rows::EmitterState;
use mote::host::{Placement, Pose};

use crate::support::{Pair, Rolls, drift, effect, gpu, settings};
use crate::twins::assert_equal;

/// Says on both sides whether a row is out of view.
fn set_culled(pair: &mut Pair, row: u32, culled: bool) {
    pair.reference.set_culled(row, culled);
    let word = EmitterState::fields()
        .iter()
        .find(|field| field.name == "culled")
        .map_or(0, |field| field.offset);
    let at = pair.pool.state_base() + row * EmitterState::words() + word;
    let bytes = u32::from(culled).to_le_bytes();
    gpu()
        .0
        .queue
        .write_buffer(pair.pool.emitters(), u64::from(at) * 4, &bytes);
}

#[test]
fn emission_twins_agree_over_random_settings() {
    let (mut slopes, mut woken, mut sleeping, mut still) = (0, 0, 0, 0);
    for seed in 0..12 {
        let mut rolls = Rolls(seed * 1000 + 7);
        let mut pair = Pair::new(900);
        pair.stage.freeze_culling(true);
        let mut said = Vec::new();
        let ids: Vec<_> = (0..6)
            .map(|i| {
                let emission = settings::all(&mut rolls);
                said.push(format!("{emission:?}"));
                let mut made = (*effect(&drift(0.7), emission)).clone();
                made.emitters[0].space = if i % 3 == 2 { Space::Local } else { Space::World };
                let placement = Placement {
                    seed: i,
                    ..Placement::default()
                };
                pair.stage.place(std::sync::Arc::new(made), placement).unwrap()
            })
            .collect();
        for step in 0..70u32 {
            for (row, &id) in ids.iter().enumerate() {
                if rolls.chance(3) {
                    continue;
                }
                let place = [0; 3].map(|_| rolls.number(4.0) - 2.0);
                if rolls.chance(8) {
                    pair.stage.teleport(id, Pose::at(place)).unwrap();
                } else {
                    pair.stage.set_pose(id, Pose::at(place)).unwrap();
                }
                if step > 0 && rolls.chance(6) {
                    set_culled(&mut pair, row as u32, rolls.chance(2));
                }
                if rolls.chance(20) {
                    pair.stage.burst(id, 0, rolls.below(30)).unwrap();
                }
            }
            pair.step(1.0 / 60.0 * (0.2 + f64::from(rolls.number(6.0))));
            for state in pair.reference.states() {
                slopes += u32::from(state.segment_slope.iter().flatten().any(|s| *s != 0.0));
                woken += u32::from(state.caught_up > 0.0 && state.born > 0);
                sleeping += u32::from(state.sleep_hi > 0.0);
                still += u32::from(state.dt == 0.0);
            }
            if step % 7 == 6 {
                let what = format!("seed {seed}, step {step}, {}", said.join("\n"));
                assert_equal(&pair, &what);
            }
        }
    }
    let seen = [slopes, woken, sleeping, still];
    assert!(
        seen.iter().all(|n| *n > 20),
        "the settings reach everything: {seen:?}"
    );
}

#[test]
fn case_b10_a_fast_emitter_leaves_no_bands_on_the_device() {
    let emission = mote::artifact::Emission {
        rate: 2000.0,
        capacity: 2500,
        ..Default::default()
    };
    let text = "
        .registers 4
        init:
            load_builtin.3 r0, emitter_position
            store_field.3 w4, r0
        update:
    ";
    for fps in [20, 60, 144] {
        let mut pair = Pair::with(&effect(text, emission.clone()), 2500);
        let id = pair.stage.instances().next().unwrap();
        // It stands at its start before it moves: what is new has no way behind it.
        pair.stage.set_time_scale(id, 0.0).unwrap();
        pair.step(1.0);
        pair.stage.set_time_scale(id, 1.0).unwrap();
        for step in 1..=fps {
            let x = 200.0 * step as f32 / fps as f32;
            pair.stage.set_pose(id, Pose::at([x, 0.0, 0.0])).unwrap();
            pair.step(1.0 / f64::from(fps));
        }
        let snapshot = pair.snapshot();
        let mut places: Vec<f32> = snapshot.live_records().map(|r| f32::from_bits(r[4])).collect();
        places.sort_by(f32::total_cmp);
        assert_eq!(places.len(), 2000, "{fps} fps");
        let largest = places.windows(2).map(|w| w[1] - w[0]).fold(0.0, f32::max);
        assert!(largest <= 0.11, "{fps} fps: {largest}");
    }
}
