//! What a system is made for, and why it cannot be, or cannot do what it was asked.

use thiserror::Error;

use crate::draw::Targets;
use crate::gpu::readback::ReadError;
use crate::gpu::{Access, Gpu, GrowError, PASSES};
use crate::host::heap::{HeapError, LEAST_WORDS};
use crate::host::rows::{CODE_UNIFORM_WORDS, SCAN_THREADS};
use crate::host::stage::MAX_ROWS;
use crate::host::{NodeError, StageError};

/// What a system is made for. With growth the sizes are those it starts with, without it those it never exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemDescriptor {
    /// Particles of all instances together.
    pub particles: u32,
    /// Emitters of all instances together, at most [`MAX_ROWS`].
    pub rows: u32,
    /// Words of four bytes that programs, their constants and the fields of emitters take, at least
    /// [`LEAST_WORDS`].
    pub program_words: u32,
    /// Whether it grows, up to what the device can bind. Particles grow to the sum of the emitters' capacities, at the
    /// start of a step, which then waits for the device once. Without growth births that find no room are refused and
    /// counted, as are effects whose emitters or programs do, by [`StageError::RowsFull`] and [`HeapError::Full`].
    pub growth: bool,
    /// Whether a thread may make the pipelines that the first frame does not need, so that making a system takes less
    /// long: [`ParticleSystem::ready`](super::ParticleSystem::ready) then says when all are there. Without it nothing
    /// ever starts a thread.
    pub background: bool,
    /// Commands of other threads that may wait for the next step.
    pub commands: u32,
    /// The pass they are drawn in.
    pub targets: Targets,
}

impl SystemDescriptor {
    /// 65,536 particles, 1,024 emitters, 262,144 words, and growth; no thread; 1,024 commands.
    #[must_use]
    pub const fn new(targets: Targets) -> Self {
        Self {
            particles: 65_536,
            rows: 1_024,
            program_words: 262_144,
            growth: true,
            background: false,
            commands: 1_024,
            targets,
        }
    }

    /// The most program words on a device.
    pub(super) fn most_program_words(&self, gpu: &Gpu) -> u64 {
        let limits = gpu.device.limits();
        let bytes = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        // A section doubles at the most to take what it has no room for.
        let device = bytes / 8;
        if self.growth {
            device
        } else {
            device.min(u64::from(self.program_words))
        }
    }

    /// The most emitters.
    pub(super) fn most_rows(&self) -> u32 {
        if self.growth { MAX_ROWS } else { self.rows }
    }

    /// Whether a device can do it.
    pub(super) fn check(&self, gpu: &Gpu) -> Result<(), SystemError> {
        let limits = gpu.device.limits();
        let buffers = PASSES
            .iter()
            .map(|pass| {
                let storage = |access| matches!(access, Access::Read | Access::Write);
                pass.bindings.iter().filter(|b| storage(b.access)).count() as u64
            })
            .max();
        let needs = [
            (
                "storage buffers of a shader stage",
                buffers.unwrap_or(0),
                u64::from(limits.max_storage_buffers_per_shader_stage),
            ),
            (
                "threads of a workgroup",
                u64::from(SCAN_THREADS),
                u64::from(limits.max_compute_invocations_per_workgroup),
            ),
            (
                "bytes of a uniform binding",
                u64::from(CODE_UNIFORM_WORDS) * 4,
                limits.max_uniform_buffer_binding_size,
            ),
            (
                "particles",
                u64::from(self.particles),
                u64::from(gpu.max_particles()),
            ),
            ("emitters", u64::from(self.rows), u64::from(MAX_ROWS)),
        ];
        for (name, wanted, available) in needs {
            if wanted > available {
                return Err(SystemError::Limit {
                    name,
                    wanted,
                    available,
                });
            }
        }
        if self.program_words < LEAST_WORDS {
            return Err(SystemError::TooFew {
                name: "program words",
                wanted: self.program_words,
                least: LEAST_WORDS,
            });
        }
        Ok(())
    }
}

/// Something cannot be done. Nothing changed.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each case is its message")]
#[non_exhaustive]
pub enum SystemError {
    #[error("{wanted} {name} are wanted, {available} are the most on this device")]
    Limit {
        name: &'static str,
        wanted: u64,
        available: u64,
    },
    #[error("{wanted} {name} are too few, {least} are the least")]
    TooFew {
        name: &'static str,
        wanted: u32,
        least: u32,
    },
    #[error("the {what} was made without the usage {usage}")]
    Usage { what: &'static str, usage: &'static str },
    #[error("this version of the effect was refused before and is not offered again until it changes: {0}")]
    Refused(StageError),
    #[error(transparent)]
    Stage(#[from] StageError),
    #[error(transparent)]
    Node(#[from] NodeError),
    #[error(transparent)]
    Global(#[from] HeapError),
    #[error(transparent)]
    Grow(#[from] GrowError),
    #[error(transparent)]
    Read(#[from] ReadError),
}
