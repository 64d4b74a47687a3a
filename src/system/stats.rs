//! What a system takes and does: bytes, and counts of particles.

use std::fmt;
use std::sync::Arc;

use bytemuck::{cast_slice, pod_read_unaligned};

use super::{ParticleSystem, SystemError};
use crate::artifact::Effect;
use crate::base::gpu_struct::GpuStruct as _;
use crate::draw::blended::PoolView;
use crate::gpu::Gpu;
use crate::gpu::readback::read_words;
use crate::host::InstanceId;
use crate::host::rows::{Counter, EmitterState, WORKGROUP_SIZE};
use crate::isa::RECORD_WORDS;

/// Bytes on the device.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    /// Name and bytes of each buffer.
    pub buffers: Vec<(&'static str, u64)>,
    /// The effects in use.
    pub effects: Vec<EffectMemory>,
}

impl Memory {
    /// Bytes of all buffers.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.buffers.iter().map(|(_, bytes)| bytes).sum()
    }
}

/// What an effect takes of the buffers.
#[derive(Clone, PartialEq)]
pub struct EffectMemory {
    /// The effect.
    pub effect: Arc<Effect>,
    /// Its instances.
    pub instances: u32,
    /// Words of its programs and their constants, which its instances share, and other effects with equal programs.
    pub program_words: u64,
    /// Words of the emitter fields of all its instances.
    pub field_words: u64,
    /// Bytes of the particles that all its instances may have alive.
    pub particle_bytes: u64,
}

/// The effect by its name: all of it would bury the numbers.
impl fmt::Debug for EffectMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EffectMemory")
            .field("effect", &self.effect.name)
            .field("instances", &self.instances)
            .field("program_words", &self.program_words)
            .field("field_words", &self.field_words)
            .field("particle_bytes", &self.particle_bytes)
            .finish()
    }
}

/// What an instance does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstanceStats {
    /// The instance.
    pub id: InstanceId,
    /// Particles alive.
    pub living: u32,
    /// Particles born since it started.
    pub born: u32,
    /// Births refused since it started.
    pub dropped: u32,
}

/// What a system does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemStats {
    /// Particles alive.
    pub living: u32,
    /// Particles born in the last step.
    pub born_in_step: u32,
    /// Births refused, since the instances that play started.
    pub dropped: u32,
    /// Particles ended so far because position or size was not finite.
    pub non_finite: u32,
    /// Particles that all instances may have alive together.
    pub budget: u64,
    /// Particles the pool holds.
    pub capacity: u32,
    /// Length of the alive list, with what ended as it was born.
    pub alive_list: u32,
    /// Length of the list of free slots.
    pub dead_list: u32,
    /// Workgroups of the next simulate, each of particles of one program.
    pub workgroups: u32,
    /// The instances, oldest first.
    pub instances: Vec<InstanceStats>,
}

impl ParticleSystem {
    /// Bytes on the device, by buffer and by effect. The population of a pre-warm, which lives for one step, is not
    /// among them.
    #[must_use]
    pub fn memory(&self) -> Memory {
        let mut buffers: Vec<(&'static str, u64)> = self.on.pool.buffers().to_vec();
        buffers.extend(self.on.simulation.buffers());
        buffers.push(("readback.finished", self.on.finished_reader.bytes()));
        buffers.push(("readback.stats", self.on.stats_reader.bytes()));
        buffers.push(("draw.views", self.views.iter().map(PoolView::bytes).sum()));
        let effects = self.stage.effects().map(|(effect, instances, _)| {
            let per_instance = |of: fn(&crate::artifact::Emitter) -> u64| {
                effect.emitters.iter().map(of).sum::<u64>() * u64::from(instances)
            };
            let programs = effect.programs.iter();
            EffectMemory {
                effect: Arc::clone(effect),
                instances,
                program_words: programs.map(|p| (p.len() + p.constants.len()) as u64 * 4).sum(),
                field_words: per_instance(|e| e.emitter_fields.len() as u64),
                particle_bytes: per_instance(|e| {
                    u64::from(e.emission.capacity) * u64::from(RECORD_WORDS) * 4
                }),
            }
        });
        Memory {
            effects: effects.collect(),
            buffers,
        }
    }

    /// What the system did some frames ago, without waiting. Steps after a call look; so the first gives none.
    pub fn stats(&mut self) -> Option<SystemStats> {
        self.stats_asked = true;
        let late = self.on.stats_reader.latest()?;
        Some(self.gather(&late.counters, &late.states))
    }

    /// What the system did in the last step that was submitted; waits for it.
    ///
    /// # Errors
    /// [`SystemError::Read`] where the device is gone.
    pub fn read_stats(&self, gpu: &Gpu) -> Result<SystemStats, SystemError> {
        let counters = read_words(gpu, self.on.pool.counters())?;
        let words = read_words(gpu, self.on.pool.emitters())?;
        let states: Vec<EmitterState> = words[self.on.pool.state_base() as usize..]
            .chunks_exact(EmitterState::words() as usize)
            .take(self.on.pool.row_capacity() as usize)
            .map(|words| pod_read_unaligned(cast_slice(words)))
            .collect();
        Ok(self.gather(&counters, &states))
    }

    fn gather(&self, counters: &[u32], states: &[EmitterState]) -> SystemStats {
        let counter = |counter: Counter| counters.get(counter as usize).copied().unwrap_or(0);
        let instances: Vec<InstanceStats> = self
            .stage
            .instances()
            .map(|id| {
                let mut of = InstanceStats {
                    id,
                    living: 0,
                    born: 0,
                    dropped: 0,
                };
                for &row in self.stage.instance_rows(id).unwrap_or_default() {
                    let state = states.get(row as usize);
                    // A row that was another's then says nothing of this one.
                    let state = state.filter(|s| s.generation == self.stage.row(row).generation);
                    if let Some(state) = state {
                        of.living += state.living;
                        of.born = of.born.wrapping_add(state.spawned);
                        of.dropped = of.dropped.wrapping_add(state.dropped);
                    }
                }
                of
            })
            .collect();
        SystemStats {
            living: instances.iter().map(|i| i.living).sum(),
            born_in_step: counter(Counter::Born),
            dropped: instances.iter().fold(0, |sum, i| sum.wrapping_add(i.dropped)),
            non_finite: counter(Counter::NonFinite),
            budget: self.stage.wanted_capacity(),
            capacity: self.on.pool.capacity(),
            alive_list: counter(Counter::AliveIn),
            dead_list: counter(Counter::Dead),
            workgroups: counter(Counter::SimPadded) / WORKGROUP_SIZE,
            instances,
        }
    }
}
