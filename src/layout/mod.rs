//! Fields packed into words: of a particle's record, of an emitter's block, of the global section.

pub mod field;
pub mod pack;
pub mod standard;

pub use field::{FieldSlot, FieldType};
pub use pack::{EmitterLayout, LayoutError, ParticleLayout};
pub use standard::{Channel, StandardField};
