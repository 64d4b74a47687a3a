//! Tests that need no device.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../support/mod.rs"]
mod support;

#[path = "../../examples/make_presets.rs"]
mod make_presets;

mod architecture;
mod artifact;
mod authoring;
mod batch;
mod bench;
mod bindings;
mod bonfire;
mod comparing;
mod compiler;
mod curves;
mod differences;
mod document;
mod emission;
mod fields;
#[cfg(feature = "cli")]
mod files;
mod forces;
mod format;
mod fuzzing;
mod groups;
mod hostile;
mod hostile_files;
mod importing;
mod isa;
mod lowering;
mod memory;
mod nodes;
mod noise;
mod old;
mod optimiser;
mod presets;
mod prewarm;
mod probe;
mod rates;
mod replay;
mod resting;
mod rotations;
mod shaders;
mod shapes;
mod shipping;
mod sleeping;
mod transforms;
mod versions;
mod wind;
mod wind_scene;
