//! The ground floor: ids, hashing, random numbers, double-float arithmetic, the GPU struct statement and
//! diagnostics. Nothing here knows what a particle is, and nothing here touches a file or a device.

pub mod dd;
pub mod gpu_struct;
pub mod hash;
pub mod id;
pub mod rng;
