//! Drawing a pool into somebody's pass. It takes a [`crate::gpu::Pool`] and a [`View`] and nothing else: it
//! neither knows how particles move nor what else is in the picture.

pub mod blended;
pub mod disc;
pub mod view;

pub use blended::{Blended, Targets};
pub use view::View;
