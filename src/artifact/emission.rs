//! Emission settings, evaluated by the emitter tick and its CPU twin alone.

use serde::{Deserialize, Serialize};

/// Most bursts of one emitter.
pub const MAX_BURSTS: usize = 16;

/// Most particles one emitter may have alive.
pub const MAX_CAPACITY: u32 = 1 << 22;

/// Most particles a second.
pub const MAX_RATE: f32 = 1e9;

/// Most particles a metre travelled.
pub const MAX_RATE_PER_METRE: f32 = 1e6;

/// Most keys of a rate.
pub const MAX_RATE_KEYS: usize = 16;

/// Fastest an emitter's time goes.
pub const MAX_TIME_SCALE: f32 = 1_000.0;

/// Longest catch-up after sleep, in seconds.
pub const MAX_CATCHUP: f32 = 600.0;
/// Shortest loop with its delay, in seconds: one that is shorter lasts as long.
pub const SHORTEST_LOOP: f32 = 1.0 / 1024.0;
/// Longest pre-warm, seconds.
pub const MAX_PREWARM: f32 = 3_600.0;

/// Most cycles of one burst.
pub const MAX_CYCLES: u32 = 1_000_000;

/// What the seed of an emitter is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SeedMode {
    /// The instance's seed, new for every play unless the game gives one.
    #[default]
    Play,
    /// `seed`, always: all instances look alike.
    Fixed,
    /// The instance's, hashed with the loop a particle is born in: what is drawn at birth is new in each loop, also
    /// what is drawn once an instance. What is drawn later in a life does not change with the loop.
    Loop,
}

/// A key of a rate over time: straight lines run from key to key.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateKey {
    /// Seconds after the loop's start.
    pub time: f32,
    /// Particles a second.
    pub rate: f32,
}

/// Particles born at once.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Burst {
    /// Seconds after the loop's start.
    pub time: f32,
    /// Fewest particles.
    pub min: u32,
    /// Most particles; drawn evenly from `min..=max` by (seed, loop, burst, cycle).
    pub max: u32,
    /// How often it fires in a loop.
    #[serde(default = "one")]
    pub cycles: u32,
    /// Seconds between cycles.
    #[serde(default)]
    pub interval: f32,
    /// The chance that a cycle fires, 0 to 1.
    #[serde(default = "one_f")]
    pub chance: f32,
}

impl Burst {
    /// So many particles at once, as a loop starts.
    #[must_use]
    pub const fn once(count: u32) -> Self {
        Self {
            time: 0.0,
            min: count,
            max: count,
            cycles: 1,
            interval: 0.0,
            chance: 1.0,
        }
    }
}

fn one() -> u32 {
    1
}
fn one_f() -> f32 {
    1.0
}

/// When and how many particles are born.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Emission {
    /// Seconds before the first loop.
    pub delay: f32,
    /// Seconds a loop emits; none is without end.
    pub duration: Option<f32>,
    /// Number of loops, 0 without end.
    pub loops: u32,
    /// Seconds between loops.
    pub loop_delay: f32,
    /// Particles a second; number k of a loop is born k / rate after its start. Not read where there are keys.
    pub rate: f32,
    /// The rate over a loop's time, by ascending times; two of one time are a jump. It holds before the first and
    /// after the last. Number k of a loop is born where the integral passes k.
    pub rate_keys: Vec<RateKey>,
    /// Particles a metre that the emitter travels in the world, while it emits. A teleport is no way.
    pub rate_per_metre: f32,
    /// Particles born at once.
    pub bursts: Vec<Burst>,
    /// Most particles alive at once.
    pub capacity: u32,
    /// Where the seed comes from.
    pub seed_mode: SeedMode,
    /// The seed of [`SeedMode::Fixed`].
    pub seed: u32,
    /// Seconds the emitter has run before it is first seen.
    pub prewarm: f32,
    /// How much of the emitter's velocity a newborn's gets, after its birth blocks; nothing where no field is bound to
    /// the velocity channel, or where particles live in the emitter's frame.
    pub inherit_velocity: f32,
    /// How fast the emitter's time goes, its particles' too; at 0 they stand still.
    pub time_scale: f32,
    /// Whether it sleeps while its particles are out of view.
    pub culling: bool,
    /// Seconds of births that are made up for on waking, at the most.
    pub max_catchup: f32,
}

impl Emission {
    /// Most particles a second that the rate ever asks for.
    #[must_use]
    pub fn peak_rate(&self) -> f32 {
        if self.rate_keys.is_empty() {
            self.rate
        } else {
            self.rate_keys.iter().fold(0.0, |peak, key| peak.max(key.rate))
        }
    }

    /// Whether it ever gives birth by itself.
    #[must_use]
    pub fn gives_birth(&self) -> bool {
        self.peak_rate() > 0.0 || self.rate_per_metre > 0.0 || !self.bursts.is_empty()
    }
}

impl Default for Emission {
    fn default() -> Self {
        Self {
            delay: 0.0,
            duration: None,
            loops: 0,
            loop_delay: 0.0,
            rate: 0.0,
            rate_keys: Vec::new(),
            rate_per_metre: 0.0,
            bursts: Vec::new(),
            capacity: 1_000,
            seed_mode: SeedMode::Play,
            seed: 0,
            prewarm: 0.0,
            inherit_velocity: 0.0,
            time_scale: 1.0,
            culling: true,
            max_catchup: 2.0,
        }
    }
}
