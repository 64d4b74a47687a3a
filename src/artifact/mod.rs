//! The effect that ships: what the compiler makes and everything below plays.
//!
//! [`Effect::load`] needs no device and runs on any thread. A loaded effect has been checked in full: every
//! program verified against its emitter, every binding and index in range, so nothing below checks again.
//! Files of older versions go through one upgrader a step ([`load_noted`] says what those had to leave out).

pub mod assets;
pub mod binary;
pub mod effect;
pub mod emission;
pub mod error;
pub mod json;
pub mod load;
pub mod render;
pub mod save;
pub mod strip;
mod upgrade;
pub mod validate;
mod wire;

pub use effect::{Effect, Emitter, Packed, Parameter, ParameterRead, Space, Texture};
pub use emission::{Burst, Emission, RateKey, SeedMode};
pub use error::LoadError;
pub use load::{Loaded, load_noted};
pub use render::{Bindings, Blend, Flipbook, Projection, RenderSettings};

/// The version written. 1 and 2 load through upgraders.
pub const VERSION: u32 = 3;
