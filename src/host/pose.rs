//! Where something stands: an affine transform as three rows of four, as the GPU reads it.

use bytemuck::{Pod, Zeroable};

/// Shortest axis that still has a direction, as a factor of scale.
pub const SHORTEST_AXIS: f32 = 1e-12;

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

    /// The signed volume of its unit cube: below 0 where it mirrors, 0 where it flattens.
    #[must_use]
    pub fn determinant(&self) -> f32 {
        dot(self.axis(0), cross(self.axis(1), self.axis(2)))
    }

    /// Where it looks: its −Z axis with length 1; 0 where that axis has no length.
    #[must_use]
    pub fn forward(&self) -> [f32; 3] {
        unit(self.axis(2).map(|v| -v))
    }

    /// Its top: its +Y axis with length 1; 0 where that axis has no length.
    #[must_use]
    pub fn up(&self) -> [f32; 3] {
        unit(self.axis(1))
    }

    /// Its rotation (x, y, z, w), unit length, w not below 0 (where w is 0 the first other number that is not 0
    /// is positive). Scale is divided out of each axis. A mirror is no rotation: it is taken out of the x axis,
    /// and the rotation that is left is given. The identity where an axis is shorter than
    /// [`SHORTEST_AXIS`]. Sheared axes give some rotation near
    /// them. Twin of `pose_quaternion` in `shaders/lib/pose.wgsl`, operation by operation.
    #[must_use]
    pub fn quaternion(&self) -> [f32; 4] {
        let mut axes = [self.axis(0), self.axis(1), self.axis(2)];
        for axis in &mut axes {
            let length = dot(*axis, *axis).sqrt();
            if !(SHORTEST_AXIS..=f32::MAX).contains(&length) {
                return [0.0, 0.0, 0.0, 1.0];
            }
            *axis = axis.map(|v| v / length);
        }
        let [mut x, y, z] = axes;
        if dot(x, cross(y, z)) < 0.0 {
            x = x.map(|v| -v);
        }
        // Shepperd: the candidate of the largest of trace and diagonal, whose own number is at least 1.
        let trace = x[0] + y[1] + z[2];
        let [a, b, c] = [y[2] - z[1], z[0] - x[2], x[1] - y[0]];
        let [d, e, f] = [y[0] + x[1], z[0] + x[2], z[1] + y[2]];
        let q = if trace >= x[0] && trace >= y[1] && trace >= z[2] {
            [a, b, c, 1.0 + trace]
        } else if x[0] >= y[1] && x[0] >= z[2] {
            [1.0 + x[0] - y[1] - z[2], d, e, a]
        } else if y[1] >= z[2] {
            [d, 1.0 - x[0] + y[1] - z[2], f, b]
        } else {
            [e, f, 1.0 - x[0] - y[1] + z[2], c]
        };
        let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
        let first = [q[3], q[0], q[1], q[2]].into_iter().find(|v| *v != 0.0);
        let sign = if first.unwrap_or(1.0) < 0.0 {
            -length
        } else {
            length
        };
        q.map(|v| v / sign)
    }

    /// Whether every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.0.iter().flatten().all(|v| v.is_finite())
    }
}

fn unit(v: [f32; 3]) -> [f32; 3] {
    let length = dot(v, v).sqrt();
    if length == 0.0 {
        return [0.0; 3];
    }
    v.map(|c| c / length)
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
