//! The preview's picture: background, ground grid, particles, tone curve. Particles are drawn only through
//! [`crate::draw`].

pub mod camera;
pub mod renderer;
pub mod tone;

pub use camera::OrbitCamera;
pub use renderer::{Background, Renderer, Target};
