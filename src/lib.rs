//! Mote: GPU particle effects, from the artist's blocks to the game's frame.
//!
//! The layers, each using only those above it: [`base`] → [`isa`] → [`layout`] → [`artifact`] → [`vm`] →
//! `graph` → `document` → `compiler` → [`host`] → [`mod@reference`] → [`gpu`] → [`draw`] → [`system`] →
//! [`render`] → [`play`] → `cli` → `editor`. A game links the crate without default features: everything that
//! plays, nothing that compiles. `docs/architecture.md` walks through a frame.

/// The vector and matrix library of the public interface, in the version it uses.
pub use glam;
/// The graphics library of the public interface, in the version it uses.
pub use wgpu;

pub mod artifact;
pub mod base;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "compiler")]
pub mod compiler;
#[cfg(feature = "compiler")]
pub mod document;
pub mod draw;
#[cfg(feature = "editor")]
pub mod editor;
pub mod gpu;
#[cfg(feature = "compiler")]
pub mod graph;
pub mod host;
pub mod inspect;
pub mod isa;
pub mod layout;
pub mod play;
pub mod reference;
pub mod render;
pub mod system;
pub mod vm;
