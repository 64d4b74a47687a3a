//! Where something stands: an affine transform as three rows of four, as the GPU reads it.

use bytemuck::{Pod, Zeroable};

/// Row *i* holds the *i*-th coordinate: `x' = r.xyz · p + r.w`. Metres.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Pose(pub [[f32; 4]; 3]);

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Pose {
    /// At the origin, unturned.
    pub const IDENTITY: Self = Self([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);

    /// At a place, unturned.
    #[must_use]
    pub const fn at(position: [f32; 3]) -> Self {
        Self([
            [1.0, 0.0, 0.0, position[0]],
            [0.0, 1.0, 0.0, position[1]],
            [0.0, 0.0, 1.0, position[2]],
        ])
    }

    /// From three axes and a position, as an effect file states a transform.
    #[must_use]
    pub fn from_columns(columns: [[f32; 3]; 4]) -> Self {
        let [x, y, z, p] = columns;
        Self([0, 1, 2].map(|i| [x[i], y[i], z[i], p[i]]))
    }

    /// `self` after `inner`: a point goes through `inner` first.
    #[must_use]
    pub fn then(&self, inner: &Self) -> Self {
        let (a, b) = (&self.0, &inner.0);
        let mut out = [[0.0; 4]; 3];
        for (i, row) in out.iter_mut().enumerate() {
            for (j, cell) in row.iter_mut().enumerate() {
                let sum = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
                *cell = if j == 3 { sum + a[i][3] } else { sum };
            }
        }
        Self(out)
    }

    /// A point through it.
    #[must_use]
    pub fn transform(&self, point: [f32; 3]) -> [f32; 3] {
        self.0
            .map(|r| r[0] * point[0] + r[1] * point[1] + r[2] * point[2] + r[3])
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> [f32; 3] {
        [self.0[0][3], self.0[1][3], self.0[2][3]]
    }

    /// Axis 0, 1 or 2, with its scale.
    #[must_use]
    pub fn axis(&self, index: usize) -> [f32; 3] {
        [self.0[0][index], self.0[1][index], self.0[2][index]]
    }

    /// Whether every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.0.iter().flatten().all(|v| v.is_finite())
    }
}
