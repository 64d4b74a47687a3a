//! What the CPU decides, with no device: which row an emitter has, where its program lies, what a frame's
//! numbers are. Everything the GPU reads is written into plain vectors with their changed spans; the GPU
//! uploads the spans and decides nothing, the CPU twin reads the vectors as they stand.

pub mod bindings;
pub mod heap;
pub mod pose;
pub mod rows;
pub mod spans;
pub mod stage;
pub mod transforms;
pub mod warmup;
pub mod wind;

pub use bindings::{BindError, FieldBinding, FieldBindings, PoseChannel};
pub use heap::{BlockId, HeapError, ProgramHeap};
pub use pose::Pose;
pub use spans::Spans;
pub use stage::{Frame, Frustum, InstanceId, NodeError, NodeId, Placement, Stage, StageError, Stop, Swap};
pub use transforms::{PoseSource, TransformError, TransformTable};
pub use warmup::Warmup;
pub use wind::Air;
