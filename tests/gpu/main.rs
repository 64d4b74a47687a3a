//! Tests on a real Vulkan device, software or not. A missing adapter fails them.

#[path = "../support/mod.rs"]
mod support;

mod pixels;
mod player;
mod presets;
mod twins;
