//! Tests that need no device.

#[path = "../support/mod.rs"]
mod support;

mod artifact;
mod authoring;
mod compiler;
mod document;
mod emission;
mod isa;
mod lowering;
mod presets;
mod shaders;
