//! What an unwired input holds.

use crate::base::curve::{Curve, Gradient};
use crate::base::id::Id;
use crate::base::json::Json;

/// One to four numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lanes {
    width: u8,
    values: [f32; 4],
}

impl Lanes {
    /// One number.
    #[must_use]
    pub const fn scalar(value: f32) -> Self {
        Self {
            width: 1,
            values: [value, 0.0, 0.0, 0.0],
        }
    }

    /// Several numbers; none where there are none or more than four.
    #[must_use]
    pub fn new(values: &[f32]) -> Option<Self> {
        if !(1..=4).contains(&values.len()) {
            return None;
        }
        let mut lanes = [0.0; 4];
        lanes[..values.len()].copy_from_slice(values);
        Some(Self {
            width: values.len() as u8,
            values: lanes,
        })
    }

    /// How many.
    #[must_use]
    pub const fn width(self) -> u32 {
        self.width as u32
    }

    /// The numbers.
    #[must_use]
    pub fn values(&self) -> &[f32] {
        &self.values[..usize::from(self.width)]
    }

    /// The number of a lane: a single one stands in every lane, absent ones are 0.
    #[must_use]
    pub fn lane(self, lane: usize) -> f32 {
        if self.width == 1 {
            self.values[0]
        } else {
            self.values.get(lane).copied().unwrap_or(0.0)
        }
    }
}

impl From<f32> for Lanes {
    fn from(value: f32) -> Self {
        Self::scalar(value)
    }
}

impl<const N: usize> From<[f32; N]> for Lanes {
    /// More than four numbers keep their first four; none at all is 0.
    fn from(values: [f32; N]) -> Self {
        Self::new(&values[..N.min(4)]).unwrap_or(Self::scalar(0.0))
    }
}

/// The speeds a new curve over speed covers, in metres a second.
pub const SPEEDS: [f32; 2] = [0.0, 10.0];

/// How an unwired input gets its value. A wire hides it and leaves it in place.
#[derive(Debug, Clone, PartialEq)]
pub enum InputMode {
    /// The same for all.
    Value(Lanes),
    /// Drawn for each particle and each lane, evenly between two values, and kept for its life.
    Random {
        /// Lower end.
        min: Lanes,
        /// Upper end.
        max: Lanes,
    },
    /// A curve over the particle's life: 0 at birth, 1 at its end.
    Curve(Curve),
    /// A curve over the particle's speed.
    SpeedCurve {
        /// The curve: its 0 stands at the range's first speed, its 1 at the second.
        curve: Curve,
        /// The speeds, in metres a second. Equal ones make a step.
        range: [f32; 2],
    },
    /// A gradient over the particle's life.
    Gradient(Gradient),
    /// A parameter of the effect.
    Parameter(Id),
    /// Something a newer version knows, kept as it was read.
    Unknown(Json),
}

impl InputMode {
    /// A value.
    #[must_use]
    pub fn value(value: impl Into<Lanes>) -> Self {
        Self::Value(value.into())
    }

    /// A random value between two.
    #[must_use]
    pub fn random(min: impl Into<Lanes>, max: impl Into<Lanes>) -> Self {
        Self::Random {
            min: min.into(),
            max: max.into(),
        }
    }

    /// The mode's name on screen.
    #[must_use]
    pub const fn title(&self) -> &'static str {
        match self {
            Self::Value(_) => "Value",
            Self::Random { .. } => "Random between",
            Self::Curve(_) => "Curve over life",
            Self::SpeedCurve { .. } => "Curve over speed",
            Self::Gradient(_) => "Gradient over life",
            Self::Parameter(_) => "Parameter",
            Self::Unknown(_) => "Unknown",
        }
    }
}

/// The plain numbers in a mode, for range checks.
pub fn values_of(mode: &InputMode) -> impl Iterator<Item = f32> + '_ {
    let lanes: [Option<Lanes>; 2] = match mode {
        InputMode::Value(value) => [Some(*value), None],
        InputMode::Random { min, max } => [Some(*min), Some(*max)],
        _ => [None, None],
    };
    lanes
        .into_iter()
        .flatten()
        .flat_map(|lanes| (0..lanes.width() as usize).map(move |lane| lanes.lane(lane)))
}
