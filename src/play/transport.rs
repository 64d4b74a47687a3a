//! Play, pause, step, speed: how wall time becomes steps of effect time.

/// Longest effect time of one live step, in seconds; what is beyond it is dropped.
pub const LONGEST_LIVE_STEP: f64 = 0.1;
/// Most fixed steps taken in one picture; what is beyond them is dropped.
pub const MOST_STEPS: u32 = 8;

/// How steps are taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StepMode {
    /// One step a picture, as long as the picture took.
    Live,
    /// Steps of this many seconds, as many as fit.
    Fixed(f64),
}

/// The transport.
#[derive(Debug, Clone, PartialEq)]
pub struct Transport {
    /// Whether time goes on.
    pub playing: bool,
    /// Effect seconds a wall second.
    pub speed: f64,
    /// How steps are taken.
    pub mode: StepMode,
    owed: f64,
}

/// The step of exact runs, in seconds.
pub const EXACT_STEP: f64 = 1.0 / 60.0;

impl Default for Transport {
    fn default() -> Self {
        Self {
            playing: true,
            speed: 1.0,
            mode: StepMode::Fixed(EXACT_STEP),
            owed: 0.0,
        }
    }
}

impl Transport {
    /// The length and number of steps for `wall` seconds. Time that is none, or a pause, gives no step.
    pub fn steps(&mut self, wall: f64) -> (f64, u32) {
        let effect = wall * self.speed;
        if !self.playing || !effect.is_finite() || effect <= 0.0 {
            return (0.0, 0);
        }
        match self.mode {
            StepMode::Live => (effect.min(LONGEST_LIVE_STEP), 1),
            StepMode::Fixed(step) => {
                self.owed += effect.min(LONGEST_LIVE_STEP);
                // A picture that is a hair short of a step takes it, so that 60 pictures a second are 60 steps.
                let count = ((self.owed / step + 1e-3).floor() as u32).min(MOST_STEPS);
                self.owed = (self.owed - f64::from(count) * step).clamp(0.0, step);
                (step, count)
            }
        }
    }

    /// The length of a single step by hand, in seconds.
    #[must_use]
    pub fn single_step(&self) -> f64 {
        match self.mode {
            StepMode::Live => EXACT_STEP,
            StepMode::Fixed(step) => step,
        }
    }
}
