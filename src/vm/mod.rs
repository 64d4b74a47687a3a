//! The CPU executors. The scalar one defines what programs mean: on software Vulkan the GPU equals it bit for
//! bit, and on hardware within the opcode table's tolerances.

pub mod batch;
pub mod poly;
pub mod scalar;
pub mod trial;
pub mod wind;

pub use scalar::{Builtins, Environment, Outcome, run};
pub use wind::{WindField, WindScene};
