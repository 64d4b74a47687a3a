//! The stage: which instances play, in which rows, and what this step's numbers are.

mod effects;
mod instances;
mod nodes;
mod rows;
mod settings;
mod step;

use std::sync::Arc;

use thiserror::Error;

use self::effects::Loaded;
use self::instances::Instance;
pub use self::nodes::{NodeError, NodeId};
use self::rows::RowTable;
pub use self::step::{Frame, Frustum};
use super::bindings::FieldBindings;
use super::heap::{HeapError, ProgramHeap};
use super::pose::Pose;
use super::transforms::{PoseSource, TransformError, TransformTable};
use crate::artifact::LoadError;
use crate::vm::WindField;

/// One playing effect. Ids are never reused; an older instance's is smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstanceId {
    serial: u32,
    place: u32,
}

/// How an instance is placed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Where it stands: a pose, in the world or under `parent`, or a row of the caller's buffer of matrices.
    pub pose: PoseSource,
    /// The node it hangs on.
    pub parent: Option<NodeId>,
    /// Its seed; emitters of [`SeedMode::Play`](crate::artifact::SeedMode::Play) take theirs from it.
    pub seed: u32,
    /// How fast its time goes; 1 is the system's, 0 stands still.
    pub time_scale: f32,
    /// Seconds its emitters have run before they are first seen, in place of what the effect says.
    pub prewarm: Option<f32>,
}

impl Default for Placement {
    fn default() -> Self {
        Self {
            pose: PoseSource::At(Pose::IDENTITY),
            parent: None,
            seed: 1,
            time_scale: 1.0,
            prewarm: None,
        }
    }
}

/// How an instance ends.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Stop {
    /// Nothing more is born; what lives lives on.
    Births,
    /// Nothing more is born, and what lives fades out in so many seconds; then the instance is gone for good. No time, a
    /// negative one and one that is no number are [`Self::Now`], an endless one is [`Self::Births`].
    Fade(f32),
    /// The instance and its particles are gone after the next step.
    Now,
}

/// What an exchange of an instance's effect did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Swap {
    /// Live particles were kept.
    Kept,
    /// A layout changed, or no emitter is left of those that played: particles are gone and the instance is to be
    /// started again at its time.
    Restart,
}

/// Something cannot be placed. Nothing changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "each case is its message")]
#[non_exhaustive]
pub enum StageError {
    #[error("the emitter {emitter:?} cannot be placed: {source}")]
    Program { emitter: String, source: HeapError },
    #[error("the effect is not valid: {0}")]
    Invalid(#[from] LoadError),
    #[error("no more than {most} emitters can play at once here")]
    RowsFull { most: u32 },
    #[error(transparent)]
    Transform(#[from] TransformError),
    #[error("the node that the instance was to hang on is gone")]
    NoParent,
    #[error("there is no such instance")]
    NoInstance,
    #[error("the instance was told to stop; restart it first")]
    Stopped,
    #[error("the {what} has a number that is not finite")]
    NotFinite { what: &'static str },
    #[error("the effect has no parameter {name:?}")]
    NoParameter { name: String },
    #[error("the emitter {emitter:?} has no field {name:?} that its programs read")]
    NoField { emitter: String, name: String },
    #[error("the effect has no emitter {index}")]
    NoEmitter { index: usize },
}

/// Most emitter rows: a particle's header has 16 bits for its row.
pub const MAX_ROWS: u32 = 65_535;

/// The stage.
#[derive(Debug)]
pub struct Stage {
    heap: ProgramHeap,
    effects: Vec<Option<Loaded>>,
    instances: Vec<Option<Instance>>,
    free_instances: Vec<u32>,
    playing: u32,
    next_serial: u32,
    rows: RowTable,
    transforms: TransformTable,
    bindings: FieldBindings,
    /// The id that each transform row has as a node; 0 where it is none.
    node_serials: Vec<u32>,
    last_node: u32,
    /// Matrices in the caller's buffer.
    matrix_count: u32,
    /// Instances that fade out.
    fading: Vec<InstanceId>,
    /// Instances found to be finished since last asked.
    finished: Vec<InstanceId>,
    finish_stamp: u32,
    staged_version: u32,
    commands: Vec<[u32; 2]>,
    time: f64,
    pool_capacity: u32,
    wind: Option<Arc<WindField>>,
    culling_frozen: bool,
    /// Rows that start with a pre-warm in the next step.
    warming: Vec<u32>,
}

impl Stage {
    /// An empty stage over a pool of so many particles.
    #[must_use]
    pub fn new(pool_capacity: u32) -> Self {
        let heap = ProgramHeap::new();
        Self {
            staged_version: heap.placement_version(),
            heap,
            effects: Vec::new(),
            instances: Vec::new(),
            free_instances: Vec::new(),
            playing: 0,
            next_serial: 1,
            rows: RowTable::default(),
            transforms: TransformTable::new(),
            bindings: FieldBindings::new(),
            node_serials: Vec::new(),
            last_node: 0,
            matrix_count: 0,
            fading: Vec::new(),
            finished: Vec::new(),
            finish_stamp: 0,
            commands: Vec::new(),
            time: 0.0,
            pool_capacity,
            wind: None,
            culling_frozen: false,
            warming: Vec::new(),
        }
    }

    fn instance(&self, id: InstanceId) -> Result<&Instance, StageError> {
        match self.instances.get(id.place as usize) {
            Some(Some(instance)) if instance.id == id => Ok(instance),
            _ => Err(StageError::NoInstance),
        }
    }

    fn instance_mut(&mut self, id: InstanceId) -> Result<&mut Instance, StageError> {
        match self.instances.get_mut(id.place as usize) {
            Some(Some(instance)) if instance.id == id => Ok(instance),
            _ => Err(StageError::NoInstance),
        }
    }
}
