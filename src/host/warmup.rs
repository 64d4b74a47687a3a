//! The schedule of a pre-warm: an emitter that starts as if it had run for a while runs that while in a few long
//! ticks, over a population of its own.
//!
//! Births at their own time inside a tick leave no bands, so ticks need not be short. The number of ticks is what a
//! step pays for: it is bounded, and ticks grow longer instead.

use super::rows::FrameParams;

/// Most ticks of a pre-warm.
pub const MAX_TICKS: u32 = 32;
/// Shortest tick, in seconds.
pub const SHORTEST_TICK: f32 = 1.0 / 60.0;

/// The pre-warms of a step, together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Warmup {
    /// Ticks, 1 to [`MAX_TICKS`].
    pub ticks: u32,
    /// Seconds of each.
    pub tick: f32,
    /// Particles the emitters may have alive together.
    pub particles: u32,
}

impl Warmup {
    /// The schedule of pre-warms of at most `longest` seconds; none where there is nothing to run.
    #[must_use]
    pub fn new(longest: f32, particles: u32) -> Option<Self> {
        if !(longest > 0.0 && longest.is_finite()) || particles == 0 {
            return None;
        }
        // Rounded down: up would make ticks shorter than the shortest.
        let ticks = (longest / SHORTEST_TICK + 1e-4)
            .floor()
            .clamp(1.0, MAX_TICKS as f32);
        Some(Self {
            ticks: ticks as u32,
            tick: (longest / ticks).max(SHORTEST_TICK),
            particles,
        })
    }

    /// The numbers of tick `index`, out of those of the step it belongs to. An emitter's part of a tick is what its
    /// own pre-warm leaves before the time behind the tick, and the whole tick at the most.
    #[must_use]
    pub fn params(&self, step: &FrameParams, index: u32) -> FrameParams {
        let after = (self.ticks - 1 - index) as f32 * self.tick;
        FrameParams {
            warm_tick: self.tick,
            warm_after: after,
            dt: self.tick,
            dt_lo: 0.0,
            time_start: step.time_end - after - self.tick,
            time_end: step.time_end - after,
            pool_capacity: self.particles,
            ..*step
        }
    }

    /// Seconds that an emitter with this pre-warm lives through in a tick.
    #[must_use]
    pub fn part(params: &FrameParams, prewarm: f32) -> f32 {
        let part = prewarm - params.warm_after;
        if part < params.warm_tick {
            part
        } else {
            params.warm_tick
        }
    }
}
