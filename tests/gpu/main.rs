//! Tests on a real Vulkan device, software or not. A missing adapter fails them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../support/mod.rs"]
mod support;

mod bench;
mod capstone;
mod commands;
mod curves;
mod door;
mod emission;
mod fuzzing;
mod heap;
mod library;
mod parity;
mod pixels;
mod player;
mod presets;
mod prewarm;
mod scan;
mod straight;
mod system;
mod timings;
mod tools;
mod transforms;
mod twins;
