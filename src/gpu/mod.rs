//! The device: shader composition, the pass list, buffers, the simulation's passes, readback. It uploads what
//! [`crate::host`] marked as changed and decides nothing.

pub mod copying;
pub mod device;
pub mod finished;
pub mod kernel;
mod late;
pub mod pass;
pub mod pipelines;
pub mod pool;
pub mod readback;
pub mod scan;
pub mod shader;
pub mod simulation;
pub mod straight;
pub mod timings;
pub mod trial;
mod warmup;

pub use copying::Copying;
pub use device::{DeviceError, Gpu, Requirements, requirements};
pub use finished::FinishedReader;
pub use pass::{
    Access, Backing, Binding, BufferId, Code, Decode, PASSES, Pass, PassId, VARIANTS, Variant, WIDE,
};
pub use pipelines::{Making, Pipelines, pipeline_requests};
pub use pool::{GrowError, Pool};
pub use readback::{Snapshot, StatsReader};
pub use scan::Scan;
pub use simulation::{PassTimes, Simulation};
pub use straight::Straight;
pub use timings::PassTimer;
