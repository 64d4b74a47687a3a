//! Instances: placed, stopped, moved, given another version of their effect, found to be finished.

use std::sync::Arc;

use super::{ParticleSystem, SystemError};
use crate::artifact::Effect;
use crate::host::{InstanceId, Placement, PoseSource, StageError, Stop, Swap};

/// A version of an effect that an instance could not take.
#[derive(Debug)]
pub(super) struct Refused {
    instance: InstanceId,
    effect: Arc<Effect>,
    reason: StageError,
}

impl ParticleSystem {
    /// Starts an effect. Its emitters begin in the next step.
    ///
    /// # Errors
    /// [`SystemError`] where it cannot be placed; the others play on.
    pub fn place(&mut self, effect: Arc<Effect>, placement: Placement) -> Result<InstanceId, SystemError> {
        self.check_particles(&effect, 1)?;
        Ok(self.stage.place(effect, placement)?)
    }

    /// Starts an effect at each placement, all or none, and appends their ids in that order.
    ///
    /// # Errors
    /// As [`Self::place`]; then none was placed.
    pub fn place_many(
        &mut self,
        effect: &Arc<Effect>,
        placements: &[Placement],
        ids: &mut Vec<InstanceId>,
    ) -> Result<(), SystemError> {
        self.check_particles(effect, placements.len())?;
        Ok(self.stage.place_many(effect, placements, ids)?)
    }

    /// Starts an effect that is removed by itself once its emitters have ended and its last particle is gone, some
    /// frames late.
    ///
    /// # Errors
    /// As [`Self::place`].
    pub fn play_once(
        &mut self,
        effect: Arc<Effect>,
        placement: Placement,
    ) -> Result<InstanceId, SystemError> {
        self.check_particles(&effect, 1)?;
        Ok(self.stage.play_once(effect, placement)?)
    }

    /// With growth the pool holds all that emitters may have alive: what the device cannot bind is refused here.
    fn check_particles(&self, effect: &Effect, instances: usize) -> Result<(), SystemError> {
        let one = effect.emitters.iter().map(|e| u64::from(e.emission.capacity));
        let more = one.sum::<u64>().saturating_mul(instances as u64);
        let wanted = self.stage.wanted_capacity().saturating_add(more);
        let available = u64::from(self.max_particles);
        if self.descriptor.growth && wanted > available {
            return Err(SystemError::Limit {
                name: "particles",
                wanted,
                available,
            });
        }
        Ok(())
    }

    /// Ends an instance as told; a stopped one is taken up again by [`Self::restart`].
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn stop(&mut self, id: InstanceId, how: Stop) -> Result<(), StageError> {
        self.stage.stop(id, how)
    }

    /// Ends an instance and its particles: [`Stop::Now`].
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn remove(&mut self, id: InstanceId) -> Result<(), StageError> {
        self.stage.remove(id)
    }

    /// Starts an instance over, with its pre-warm: its particles are gone, its clock is 0.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn restart(&mut self, id: InstanceId) -> Result<(), StageError> {
        self.stage.restart(id)
    }

    /// Moves an instance; births between this step and the last are spread along the way.
    ///
    /// # Errors
    /// [`StageError::NoInstance`], [`StageError::NotFinite`].
    pub fn set_pose(&mut self, id: InstanceId, pose: impl Into<PoseSource>) -> Result<(), StageError> {
        self.stage.set_pose(id, pose)
    }

    /// Moves an instance without a way between.
    ///
    /// # Errors
    /// As [`Self::set_pose`].
    pub fn teleport(&mut self, id: InstanceId, pose: impl Into<PoseSource>) -> Result<(), StageError> {
        self.stage.teleport(id, pose)
    }

    /// Sets how fast an instance's time goes: 1 is the system's, 0 and less stand still.
    ///
    /// # Errors
    /// [`StageError::NoInstance`], [`StageError::NotFinite`].
    pub fn set_time_scale(&mut self, id: InstanceId, scale: f32) -> Result<(), StageError> {
        self.stage.set_time_scale(id, scale)
    }

    /// Asks for particles of one emitter, born at the next step's start; also before the first. Of an emitter that starts
    /// with a pre-warm they are born in the step behind it.
    ///
    /// # Errors
    /// [`StageError::NoEmitter`], [`StageError::NoInstance`], and [`StageError::Stopped`] where it was told to stop.
    pub fn burst(&mut self, id: InstanceId, emitter: usize, count: u32) -> Result<(), StageError> {
        self.stage.burst(id, emitter, count)
    }

    /// Gives an instance another version of its effect. Particles are kept where layouts allow it, else the instance
    /// starts again. A version that was refused is not tried again before it is another.
    ///
    /// # Errors
    /// [`SystemError`] where it cannot be placed; then the old one plays on.
    pub fn reload(&mut self, id: InstanceId, effect: Arc<Effect>) -> Result<Swap, SystemError> {
        let known = self.refused.iter().find(|refused| refused.instance == id);
        if let Some(refused) = known
            && (Arc::ptr_eq(&refused.effect, &effect) || *refused.effect == *effect)
        {
            return Err(SystemError::Refused(refused.reason.clone()));
        }
        let stage = &self.stage;
        self.refused
            .retain(|refused| refused.instance != id && stage.is_playing(refused.instance));
        match self.stage.set_effect(id, Arc::clone(&effect)) {
            Ok(swap) => {
                if swap == Swap::Restart {
                    self.stage.restart(id)?;
                }
                Ok(swap)
            }
            Err(reason) => {
                if self.stage.is_playing(id) {
                    self.refused.push(Refused {
                        instance: id,
                        effect,
                        reason: reason.clone(),
                    });
                }
                Err(reason.into())
            }
        }
    }

    /// Gives every instance of an effect another version of it, as [`Self::reload`] does one; what each came to.
    ///
    /// # Errors
    /// [`SystemError`] where it cannot be placed; then all play the old one on.
    pub fn reload_all(
        &mut self,
        old: &Arc<Effect>,
        new: &Arc<Effect>,
    ) -> Result<Vec<(InstanceId, Swap)>, SystemError> {
        let plays = |id: &InstanceId| {
            let effect = self.stage.instance_effect(*id);
            effect.is_ok_and(|effect| Arc::ptr_eq(effect, old) || **effect == **old)
        };
        let instances: Vec<InstanceId> = self.stage.instances().filter(plays).collect();
        let more = new.emitters.len().saturating_sub(old.emitters.len());
        self.stage.check_rows(more * instances.len())?;
        let swap = |id| Ok((id, self.reload(id, Arc::clone(new))?));
        instances.into_iter().map(swap).collect()
    }

    /// Whether an instance is there: neither removed nor, played once, finished.
    #[must_use]
    pub fn is_playing(&self, id: InstanceId) -> bool {
        self.stage.is_playing(id)
    }

    /// Takes the instances found to have ended with no particle left since last asked, some frames late, in the order
    /// they were found. Those played once are removed already. What was removed by [`Stop::Now`] or at the end of a
    /// [`Stop::Fade`] has not ended by itself and is not among them.
    pub fn finished(&mut self) -> impl Iterator<Item = InstanceId> + '_ {
        self.stage.take_finished()
    }
}
