//! The bonfire: flame, smoke, embers, and soot that tumbles.

use std::collections::BTreeMap;
use std::sync::Arc;

use mote::artifact::Effect;
use mote::compiler::compile;
use mote::document::presets::preset;
use mote::layout::FieldType;
use mote::reference::digest::live_particles;

use crate::support::Solo;

const SOOT: usize = 1;

fn bonfire() -> Arc<Effect> {
    Arc::new(compile(&preset("bonfire").unwrap()).effect.unwrap())
}

/// A field of the soot's particles by ordinal.
fn soot<const N: usize>(solo: &Solo, field: &str) -> BTreeMap<u32, [f32; N]> {
    let particles = live_particles(&solo.stage, solo.reference.live_records());
    let effect = solo.stage.instance_effect(particles[0].instance).unwrap();
    let first = effect.emitters[SOOT].layout.get(field).unwrap().word as usize;
    particles
        .iter()
        .filter(|p| p.emitter == SOOT)
        .map(|p| {
            (
                p.ordinal,
                std::array::from_fn(|lane| f32::from_bits(p.record[first + lane])),
            )
        })
        .collect()
}

fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let [ax, ay, az, aw] = a;
    let [bx, by, bz, bw] = b;
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

#[test]
fn bonfire_is_flame_smoke_embers_and_soot() {
    let effect = bonfire();
    let mut names: Vec<&str> = effect.emitters.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names[SOOT], "Soot");
    names.sort_unstable();
    assert_eq!(names, ["Embers", "Flame", "Smoke", "Soot"]);
    let orientation = effect.emitters[SOOT].layout.get("orientation").unwrap();
    assert_eq!(orientation.ty, FieldType::Quat);
    let mut solo = Solo::with(&effect, 1024);
    for _ in 0..600 {
        solo.step(1.0 / 60.0);
    }
    for emitter in 0..effect.emitters.len() as u32 {
        let alive = live_particles(&solo.stage, solo.reference.live_records())
            .iter()
            .filter(|p| p.emitter == emitter as usize)
            .count();
        assert!(alive > 20, "emitter {emitter}: {alive}");
        assert_eq!(solo.reference.states()[emitter as usize].dropped, 0, "{emitter}");
    }
}

#[test]
fn bonfire_soot_is_born_turned_every_way() {
    let mut solo = Solo::with(&bonfire(), 1024);
    let mut born = BTreeMap::new();
    for _ in 0..6000 {
        solo.step(1.0 / 60.0);
        for (ordinal, turn) in soot::<4>(&solo, "orientation") {
            born.entry(ordinal).or_insert(turn);
        }
    }
    // Where a flake faces, out of its orientation: as often up as down, as often left as right, and as much of
    // it upright as lying (a mean square of a third an axis).
    let faces: Vec<[f32; 3]> = born
        .values()
        .map(|&[x, y, z, w]| {
            [
                2.0 * (x * z + w * y),
                2.0 * (y * z - w * x),
                1.0 - 2.0 * (x * x + y * y),
            ]
        })
        .collect();
    let count = faces.len() as f32;
    assert!(count > 1500.0);
    for axis in 0..3 {
        let mean = faces.iter().map(|f| f[axis]).sum::<f32>() / count;
        let square = faces.iter().map(|f| f[axis] * f[axis]).sum::<f32>() / count;
        // Five standard deviations of 1/√(3n) and of √(4/45n).
        assert!(mean.abs() < 5.0 / (3.0 * count).sqrt(), "{axis}: mean {mean}");
        assert!(
            (square - 1.0 / 3.0).abs() < 5.0 * (4.0 / 45.0 / count).sqrt(),
            "{axis}: {square}"
        );
    }
}

#[test]
fn bonfire_soot_turns_as_its_tumble_speed_says() {
    let mut solo = Solo::with(&bonfire(), 1024);
    for _ in 0..120 {
        solo.step(1.0 / 60.0);
    }
    let before = soot::<4>(&solo, "orientation");
    let speeds = soot::<3>(&solo, "angular_velocity");
    let (steps, dt) = (30, 1.0 / 60.0);
    for _ in 0..steps {
        solo.step(dt);
    }
    let after = soot::<4>(&solo, "orientation");
    let mut compared = 0;
    for (ordinal, now) in &after {
        let Some(was) = before.get(ordinal) else { continue };
        let omega = speeds[ordinal].map(f64::from);
        let rate = omega.iter().map(|w| w * w).sum::<f64>().sqrt();
        let half = rate * dt * f64::from(steps) / 2.0;
        let [x, y, z] = omega.map(|w| w / rate * half.sin());
        let expected = product([x, y, z, half.cos()], was.map(f64::from));
        let along: f64 = expected.iter().zip(now).map(|(e, n)| e * f64::from(*n)).sum();
        let length: f64 = now.iter().map(|n| f64::from(*n).powi(2)).sum::<f64>().sqrt();
        assert!((length - 1.0).abs() < 1e-5, "{ordinal}: {length}");
        assert!(along.abs() > 1.0 - 1e-5, "{ordinal}: {now:?} for {expected:?}");
        compared += 1;
    }
    assert!(compared > 10);
}
