//! The window, driven by accessible names: logic without a device, pictures and GPU runs with one.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod autosave;
mod bench;
mod emission;
mod fields;
mod files;
mod gestures;
mod gpu;
mod graph;
mod keys;
mod outside;
mod parameters;
mod pictures;
mod problems;
mod wind;
