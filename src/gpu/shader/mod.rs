//! Shader text: files, generated parts, composition, checking.

pub mod check;
pub mod compose;
pub mod generated;
pub mod single;

pub use compose::{ComposeError, Composed, compose};
