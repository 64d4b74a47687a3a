//! The window, driven by accessible names: logic without a device, pictures and GPU runs with one.

mod bench;
mod files;
mod gestures;
mod gpu;
mod keys;
mod pictures;
mod problems;
