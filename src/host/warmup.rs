//! The schedule of a pre-warm: an emitter that starts as if it had run for a while runs that while in a few long
//! ticks, over a population of its own.
//!
//! Births at their own time inside a tick leave no bands, so ticks need not be short. The number of ticks is what a
//! step pays for: it is bounded, and the early ticks grow longer instead.

use super::rows::FrameParams;

/// Most ticks of a pre-warm.
pub const MAX_TICKS: u32 = 32;
/// Shortest tick, in seconds.
pub const SHORTEST_TICK: f32 = 1.0 / 60.0;

/// Longest tick of a pre-warm whose ticks are all alike, in seconds.
pub const LONGEST_EVEN_TICK: f32 = 0.25;

/// The pre-warms of a step, together.
///
/// Ticks are alike while that makes them no longer than [`LONGEST_EVEN_TICK`]. Those of a longer pre-warm grow shorter
/// toward the present, each by the same ratio: an emitter bears no more in a tick than it has room
/// for, the earliest first, so that what is alive at the end must have been born in ticks no longer than a life.
/// Whatever a life lasts, the ticks that cover the last one are a fraction of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Warmup {
    /// Ticks, 1 to [`MAX_TICKS`].
    pub ticks: u32,
    /// How many times longer each tick is than the one after it, at least 1.
    pub ratio: f64,
    /// Seconds of the last tick.
    pub last: f64,
    /// Seconds of all ticks together.
    pub longest: f32,
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
        let even = (longest / SHORTEST_TICK + 1e-4).floor().max(1.0);
        let mut made = Self {
            ticks: even.min(MAX_TICKS as f32) as u32,
            ratio: 1.0,
            last: f64::from(SHORTEST_TICK),
            longest,
            particles,
        };
        if longest <= LONGEST_EVEN_TICK * MAX_TICKS as f32 {
            made.last = (f64::from(longest) / f64::from(made.ticks)).max(made.last);
            return Some(made);
        }
        // The sum of all ticks rises with the ratio; a ratio of 16 sums to more than any time.
        let (mut low, mut high) = (1.0f64, 16.0f64);
        for _ in 0..64 {
            made.ratio = (low + high) * 0.5;
            if made.behind(made.ticks) < f64::from(longest) {
                low = made.ratio;
            } else {
                high = made.ratio;
            }
        }
        made.ratio = high;
        Some(made)
    }

    /// Seconds of each tick, the last one first. By products alone, so that every machine has the same.
    fn lengths(&self) -> impl Iterator<Item = f64> + use<> {
        let ratio = self.ratio;
        std::iter::successors(Some(self.last), move |tick| Some(tick * ratio)).take(self.ticks as usize)
    }

    /// Seconds that the last `ticks` of them last.
    fn behind(&self, ticks: u32) -> f64 {
        self.lengths().take(ticks as usize).sum()
    }

    /// How many ticks come after tick `index`.
    fn back(&self, index: u32) -> usize {
        (self.ticks - 1 - index.min(self.ticks - 1)) as usize
    }

    /// Seconds of the longest tick, the first.
    #[must_use]
    pub fn first(&self) -> f32 {
        self.tick(0)
    }

    /// Seconds of tick `index`.
    #[must_use]
    pub fn tick(&self, index: u32) -> f32 {
        self.lengths().nth(self.back(index)).unwrap_or(self.last) as f32
    }

    /// Seconds from the end of tick `index` to the present.
    #[must_use]
    pub fn after(&self, index: u32) -> f32 {
        self.behind(self.back(index) as u32) as f32
    }

    /// The numbers of tick `index`, out of those of the step it belongs to. An emitter's part of a tick is what its
    /// own pre-warm leaves before the time behind the tick, and the whole tick at the most.
    #[must_use]
    pub fn params(&self, step: &FrameParams, index: u32) -> FrameParams {
        let after = self.after(index);
        // Ticks meet without a gap: each lasts from the end of the one before it.
        let before = if index == 0 {
            self.longest.max(after + self.tick(0))
        } else {
            self.after(index - 1)
        };
        let tick = before - after;
        FrameParams {
            warm_tick: tick,
            warm_after: after,
            warm_step: step.dt,
            dt: tick,
            dt_lo: 0.0,
            time_start: step.time_end - after - tick,
            time_end: step.time_end - after,
            pool_capacity: self.particles,
            ..*step
        }
    }

    /// Seconds of its own that an emitter lives through in a tick: of its pre-warm, and of the step that registered it.
    #[must_use]
    pub fn part(params: &FrameParams, prewarm: f32, time_scale: f32) -> f32 {
        let part = Self::whole(prewarm, time_scale, params.warm_step) - params.warm_after;
        if part < params.warm_tick {
            part
        } else {
            params.warm_tick
        }
    }

    /// Seconds of its own from an emitter's start to the end of the step that registered it: its pre-warm, then the step.
    #[must_use]
    pub fn whole(prewarm: f32, time_scale: f32, step: f32) -> f32 {
        prewarm + step * time_scale
    }
}
