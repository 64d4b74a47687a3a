//! The wind field that `SAMPLE_WIND` reads: velocities on a grid of points in the world.
//!
//! The eight points around a place are mixed by the formula below and not by a texture filter, whose weights
//! are rounded to few bits. Twin of `vm_sample_wind` in `shaders/vm/interpreter.wgsl`.

mod scene;

use thiserror::Error;

pub use scene::{Gust, MAX_WIND_PARTS, Vortex, WindRegion, WindScene};

/// Points of a field at the most on one axis.
pub const MAX_WIND_POINTS: u32 = 256;

/// Why points or a scene make no field.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum WindError {
    /// An axis has none or too many points, or their product is not the number of velocities given.
    #[error("a wind field has 1 to {MAX_WIND_POINTS} points on each axis and a velocity for each")]
    Size,
    /// Something is infinite or no number, or a cell has no extent.
    #[error("a wind field's origin, cell and velocities are finite, and its cells are larger than 0")]
    NotFinite,
    /// A number of a scene is out of its range, or no number.
    #[error("in the wind, {place} is {value}; it takes {least} to {most}")]
    Number {
        /// Which number of which part.
        place: String,
        /// What it is.
        value: f32,
        /// The least it may be.
        least: f32,
        /// The most it may be.
        most: f32,
    },
    /// A box that ends where it starts, or before.
    #[error("a wind's region ends above where it starts, on each axis")]
    Region,
    /// More parts than are baked.
    #[error("a wind has at most {MAX_WIND_PARTS} gusts and vortices")]
    Parts,
}

/// Air velocities on a grid. Between its points they are mixed; past its sides the nearest holds.
#[derive(Debug, Clone, PartialEq)]
pub struct WindField {
    origin: [f32; 3],
    inverse_cell: [f32; 3],
    size: [u32; 3],
    points: Vec<[f32; 4]>,
}

impl WindField {
    /// A field whose first point is at `origin`, with `cell` metres between points and `size` points on each
    /// axis; `velocities` in metres a second, x fastest, then y.
    ///
    /// # Errors
    /// [`WindError`].
    pub fn new(
        origin: [f32; 3],
        cell: [f32; 3],
        size: [u32; 3],
        velocities: &[[f32; 3]],
    ) -> Result<Self, WindError> {
        let fits = size.iter().all(|n| (1..=MAX_WIND_POINTS).contains(n));
        if !fits || size.iter().product::<u32>() as usize != velocities.len() {
            return Err(WindError::Size);
        }
        let inverse_cell = cell.map(|c| 1.0 / c);
        let numbers = origin
            .iter()
            .chain(&cell)
            .chain(&inverse_cell)
            .chain(velocities.as_flattened());
        if !numbers.copied().all(f32::is_finite) || !cell.iter().all(|&c| c > 0.0) {
            return Err(WindError::NotFinite);
        }
        Ok(Self {
            origin,
            inverse_cell,
            size,
            points: velocities.iter().map(|&[x, y, z]| [x, y, z, 0.0]).collect(),
        })
    }

    /// The same wind everywhere.
    ///
    /// # Errors
    /// [`WindError::NotFinite`].
    pub fn uniform(velocity: [f32; 3]) -> Result<Self, WindError> {
        Self::new([0.0; 3], [1.0; 3], [1; 3], &[velocity])
    }

    /// The first point's place, in metres.
    #[must_use]
    pub fn origin(&self) -> [f32; 3] {
        self.origin
    }

    /// Points a metre, on each axis.
    #[must_use]
    pub fn inverse_cell(&self) -> [f32; 3] {
        self.inverse_cell
    }

    /// Points on each axis.
    #[must_use]
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// Velocities with a fourth lane of 0, x fastest, then y.
    #[must_use]
    pub fn points(&self) -> &[[f32; 4]] {
        &self.points
    }

    /// The air's velocity at a place in the world. A coordinate that is NaN counts as the first point's.
    #[must_use]
    pub fn sample(&self, place: [f32; 3]) -> [f32; 3] {
        let mut low = [0; 3];
        let mut high = [0; 3];
        let mut part = [0.0; 3];
        for i in 0..3 {
            let last = (self.size[i] - 1) as f32;
            let at = (place[i] - self.origin[i]) * self.inverse_cell[i];
            let above = if at > 0.0 { at } else { 0.0 };
            let held = if above < last { above } else { last };
            let whole = held.floor();
            low[i] = whole as u32;
            high[i] = (low[i] + 1).min(self.size[i] - 1);
            part[i] = held - whole;
        }
        let point = |x: u32, y: u32, z: u32| {
            let index = (z * self.size[1] + y) * self.size[0] + x;
            self.points[index as usize]
        };
        let mix = |a: [f32; 4], b: [f32; 4], t: f32| [0, 1, 2, 3].map(|i| a[i] + (b[i] - a[i]) * t);
        let row = |y: u32, z: u32| mix(point(low[0], y, z), point(high[0], y, z), part[0]);
        let sheet = |z: u32| mix(row(low[1], z), row(high[1], z), part[1]);
        let [x, y, z, _] = mix(sheet(low[2]), sheet(high[2]), part[2]);
        [x, y, z]
    }
}
