//! Emission settings, evaluated by the emitter tick and its CPU twin alone.

use serde::{Deserialize, Serialize};

/// Most bursts of one emitter.
pub const MAX_BURSTS: usize = 16;

/// Most particles one emitter may have alive.
pub const MAX_CAPACITY: u32 = 1 << 22;

/// Most particles a second.
pub const MAX_RATE: f32 = 1e9;

/// Most cycles of one burst.
pub const MAX_CYCLES: u32 = 1_000_000;

/// What the seed of an emitter is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeedMode {
    /// The instance's seed, new for every play unless the game gives one.
    #[default]
    Play,
    /// `seed`, always: all instances look alike.
    Fixed,
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
    /// Particles a second; number k of a loop is born k / rate after its start.
    pub rate: f32,
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
}

impl Default for Emission {
    fn default() -> Self {
        Self {
            delay: 0.0,
            duration: None,
            loops: 0,
            loop_delay: 0.0,
            rate: 0.0,
            bursts: Vec::new(),
            capacity: 1_000,
            seed_mode: SeedMode::Play,
            seed: 0,
            prewarm: 0.0,
        }
    }
}
