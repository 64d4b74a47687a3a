//! Looking into runs: two against each other, executors against each other, and how fast they are.

#[cfg(feature = "compiler")]
pub mod bench;
pub mod compare;
pub mod fuzz;
pub mod parity;

pub use compare::{Comparison, FieldDifference, compare};
