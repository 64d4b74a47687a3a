//! Random emission settings: even numbers, whose births meet the ends of loops and steps, and uneven ones.

use mote::artifact::{Burst, Emission, RateKey, SeedMode};

use super::Rolls;

impl Rolls {
    /// From 0 to `most`: every second time a multiple of a quarter.
    pub(crate) fn number(&mut self, most: f32) -> f32 {
        let part = self.below(1 << 20) as f32 / (1 << 20) as f32;
        if self.below(2) == 0 {
            (part * most * 4.0).round() / 4.0
        } else {
            part * most
        }
    }
    pub(crate) fn chance(&mut self, one_in: u32) -> bool {
        self.below(one_in) == 0
    }
}

/// Rate, keys, bursts and loops; no way, no scale, no sleep.
pub(crate) fn steady(rolls: &mut Rolls, most: f32) -> Emission {
    let mut e = Emission {
        rate: rolls.number(most),
        capacity: 300,
        ..Emission::default()
    };
    if rolls.chance(2) {
        e.duration = Some(0.25 + rolls.number(2.0));
        e.loops = rolls.below(4);
        e.loop_delay = if rolls.chance(2) { 0.0 } else { rolls.number(1.0) };
    }
    if rolls.chance(3) {
        e.delay = rolls.number(1.0);
    }
    if !rolls.chance(3) {
        let mut time = if rolls.chance(2) { 0.0 } else { rolls.number(0.5) };
        for _ in 0..=rolls.below(15) {
            let rate = if rolls.chance(3) { 0.0 } else { rolls.number(most) };
            e.rate_keys.push(RateKey { time, rate });
            time += if rolls.chance(4) { 0.0 } else { rolls.number(0.7) };
        }
    }
    for _ in 0..rolls.below(4) {
        let min = rolls.below(4);
        e.bursts.push(Burst {
            time: rolls.number(1.5),
            min,
            max: min + rolls.below(5),
            cycles: 1 + rolls.below(4),
            interval: 0.05 + rolls.number(0.5),
            chance: 0.25 + rolls.number(0.75),
        });
    }
    e
}

/// Every setting.
pub(crate) fn all(rolls: &mut Rolls) -> Emission {
    let mut e = steady(rolls, 120.0);
    e.seed_mode = [SeedMode::Play, SeedMode::Fixed, SeedMode::Loop][rolls.below(3) as usize];
    e.seed = rolls.below(9);
    if rolls.chance(2) {
        e.rate_per_metre = rolls.number(10.0);
    }
    if rolls.chance(2) {
        e.inherit_velocity = rolls.number(2.0) - 1.0;
    }
    if rolls.chance(3) {
        e.time_scale = if rolls.chance(4) { 0.0 } else { rolls.number(3.0) };
    }
    if rolls.chance(5) {
        // Many loops a step.
        e.duration = Some(0.001 + rolls.number(0.5) * 0.01);
        e.loop_delay = 0.0;
        e.rate *= 30.0;
        e.loops = rolls.below(2) * 200;
    }
    e.culling = !rolls.chance(4);
    e.max_catchup = rolls.number(1.0);
    e
}
