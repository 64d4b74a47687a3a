//! A camera that circles a point.

use glam::{EulerRot, Mat4, Quat, Vec3};

use crate::draw::View;

/// Nearest and farthest depth of a picture, in metres.
const DEPTH_RANGE: (f32, f32) = (0.02, 2_000.0);
/// How near the poles the camera may come, in radians from the horizon.
const MAX_PITCH: f32 = 1.55;

/// Looks at a point from a distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrbitCamera {
    /// The point looked at, in metres.
    pub target: Vec3,
    /// Turn about +Y, in radians; 0 looks along −Z.
    pub yaw: f32,
    /// Height over the horizon, in radians.
    pub pitch: f32,
    /// Metres from the eye to the target.
    pub distance: f32,
    /// Vertical field of view, in radians.
    pub fov_y: f32,
}

impl Default for OrbitCamera {
    fn default() -> Self {
        Self {
            target: Vec3::new(0.0, 1.0, 0.0),
            yaw: 0.5,
            pitch: 0.25,
            distance: 6.0,
            fov_y: 0.8,
        }
    }
}

impl OrbitCamera {
    fn rotation(&self) -> Quat {
        Quat::from_euler(EulerRot::YXZ, self.yaw, -self.pitch, 0.0)
    }

    /// The eye, in metres.
    #[must_use]
    pub fn eye(&self) -> Vec3 {
        self.target + self.rotation() * Vec3::Z * self.distance
    }

    /// The view for a target of so many pixels.
    #[must_use]
    pub fn view(&self, width: u32, height: u32) -> View {
        let (width, height) = (width.max(1) as f32, height.max(1) as f32);
        let world_from_view = Mat4::from_rotation_translation(self.rotation(), self.eye());
        View {
            view_from_world: world_from_view.inverse(),
            clip_from_view: glam::camera::rh::proj::directx::perspective(
                self.fov_y,
                width / height,
                DEPTH_RANGE.0,
                DEPTH_RANGE.1,
            ),
            viewport: [width, height],
        }
    }

    /// Turns by so many radians.
    pub fn orbit(&mut self, yaw: f32, pitch: f32) {
        self.yaw = (self.yaw + yaw).rem_euclid(std::f32::consts::TAU);
        self.pitch = (self.pitch + pitch).clamp(-MAX_PITCH, MAX_PITCH);
    }

    /// Moves sideways and up, in parts of the picture's height.
    pub fn pan(&mut self, right: f32, up: f32) {
        let span = 2.0 * self.distance * (self.fov_y * 0.5).tan();
        self.target += self.rotation() * Vec3::new(right * span, up * span, 0.0);
    }

    /// Comes nearer by a factor below 1, or goes farther.
    pub fn dolly(&mut self, factor: f32) {
        if factor.is_finite() && factor > 0.0 {
            self.distance = (self.distance * factor).clamp(0.05, 1_000.0);
        }
    }

    /// Moves so that a box fills the picture, keeping the direction.
    pub fn frame(&mut self, min: Vec3, max: Vec3) {
        if min.is_finite() && max.is_finite() && min.cmple(max).all() {
            self.target = (min + max) * 0.5;
            let radius = ((max - min).length() * 0.5).max(0.1);
            self.distance = (radius / (self.fov_y * 0.5).sin()).clamp(0.05, 1_000.0);
        }
    }
}
