//! The CPU twin of every GPU pass, in the passes' order, over plain arrays. It decides what is right: a test
//! holds each pass to its twin on a real device. Written to be read beside `shaders/sim/`.

pub mod bounds;
pub mod bucket;
pub mod cull;
pub mod digest;
pub mod emit;
pub mod field_bind;
pub mod runs;
pub mod scan;
pub mod simulate;
pub mod tick;
pub mod transforms;
pub mod twin;
pub mod warmup;

pub use digest::{LiveParticle, digest};
pub use twin::Reference;
