//! Looking into a run: so far, two runs against each other.

pub mod compare;
pub mod parity;

pub use compare::{Comparison, FieldDifference, compare};
