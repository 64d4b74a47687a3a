//! The ground floor: ids, hashing, random numbers, double-float arithmetic, curves, JSON with places, the GPU
//! struct statement and diagnostics. Nothing here knows what a particle is, and nothing here touches a file
//! or a device.

pub mod curve;
pub mod dd;
pub mod diag;
pub mod diff;
pub mod gpu_struct;
pub mod hash;
pub mod id;
pub mod json;
pub mod keys;
pub mod rng;
