//! Tests that need no device.

#[path = "../support/mod.rs"]
mod support;

mod architecture;
mod artifact;
mod emission;
mod isa;
mod shaders;
