//! What a view of the particles is made from.

use glam::{Mat4, Vec3};

use crate::gpu_struct;
use crate::host::Frustum;

/// A camera and its target, as a caller sees them. Right-handed, +Y up, the camera looks along −Z; clip depth
/// runs from 0 to 1, near to far or the other way round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// World to view.
    pub view_from_world: Mat4,
    /// View to clip.
    pub clip_from_view: Mat4,
    /// Size of the target in pixels.
    pub viewport: [f32; 2],
}

gpu_struct! {
    /// A view as shaders read it.
    pub struct ViewParams {
        /// World to clip.
        clip_from_world: [[f32; 4]; 4],
        /// The camera's right in the world; w is the target's width in pixels.
        right: [f32; 4],
        /// The camera's up in the world; w is the target's height in pixels.
        up: [f32; 4],
        /// From the picture toward the eye, in the world; w is the pixels of a metre one metre away.
        toward_eye: [f32; 4],
        /// The eye in the world.
        eye: [f32; 4],
        /// Clip to world.
        world_from_clip: [[f32; 4]; 4],
    }
}

impl View {
    /// The planes of what it sees, in the world, for culling.
    #[must_use]
    pub fn frustum(&self) -> Frustum {
        let m = self.clip_from_view * self.view_from_world;
        let [x, y, z, w] = [m.row(0), m.row(1), m.row(2), m.row(3)];
        [w + x, w - x, w + y, w - y, z, w - z].map(|plane| plane.to_array())
    }

    /// As shaders read it.
    #[must_use]
    pub fn params(&self) -> ViewParams {
        let world_from_view = self.view_from_world.inverse();
        let axis = |v: Vec3, w: f32| v.normalize_or_zero().extend(w).to_array();
        let clip_from_world = self.clip_from_view * self.view_from_world;
        ViewParams {
            clip_from_world: clip_from_world.to_cols_array_2d(),
            right: axis(world_from_view.x_axis.truncate(), self.viewport[0]),
            up: axis(world_from_view.y_axis.truncate(), self.viewport[1]),
            toward_eye: axis(
                world_from_view.z_axis.truncate(),
                self.viewport[1] * 0.5 * self.clip_from_view.y_axis.y.abs(),
            ),
            eye: world_from_view.w_axis.to_array(),
            world_from_clip: clip_from_world.inverse().to_cols_array_2d(),
        }
    }
}
