//! Instances: placed, stopped, moved, given another effect, found to be finished.

use std::sync::Arc;

use super::nodes::{Follow, NodeId, check_pose};
use super::rows::{Row, place_emitter};
use super::{InstanceId, Placement, Stage, StageError, Stop, Swap};
use crate::artifact::Effect;
use crate::artifact::emission::MAX_PREWARM;
use crate::host::rows::EmitterRow;

/// One playing effect.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) id: InstanceId,
    /// Its place among the loaded effects.
    pub(super) effect: u32,
    /// A row an emitter.
    pub(super) rows: Vec<u32>,
    /// Where it stands.
    pub(super) node: NodeId,
    pub(super) seed: u32,
    pub(super) time_scale: f32,
    /// In place of what its emitters say.
    pub(super) prewarm: Option<f32>,
    /// Whether particles are born.
    pub(super) emitting: bool,
    /// What opacity is multiplied by, and how much of it goes a second.
    pub(super) fade: f32,
    pub(super) fade_rate: f32,
    /// Goes by itself when finished.
    pub(super) once: bool,
    /// Values set for it, kept over an exchange of its effect.
    pub(super) set: Vec<SetValue>,
    /// Fields of it that follow nodes.
    pub(super) follows: Vec<Follow>,
    /// The look that last found rows of it finished, and how many.
    seen: (u32, u32),
}

/// A value set on an instance.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SetValue {
    /// The emitter; none is every one that reads it.
    pub(super) emitter: Option<u32>,
    pub(super) name: String,
    pub(super) value: [f32; 4],
}

impl Stage {
    /// Starts an instance.
    ///
    /// # Errors
    /// [`StageError`] where a program or a row cannot be had; then nothing changed.
    pub fn place(&mut self, effect: Arc<Effect>, placement: Placement) -> Result<InstanceId, StageError> {
        self.start(&effect, placement, false)
    }

    /// Starts an instance that is removed by itself once it has ended and is empty.
    ///
    /// # Errors
    /// As [`Self::place`].
    pub fn play_once(&mut self, effect: Arc<Effect>, placement: Placement) -> Result<InstanceId, StageError> {
        self.start(&effect, placement, true)
    }

    /// Starts an instance at each placement, all or none, and appends their ids.
    ///
    /// # Errors
    /// As [`Self::place`]; then none was placed.
    pub fn place_many(
        &mut self,
        effect: &Arc<Effect>,
        placements: &[Placement],
        ids: &mut Vec<InstanceId>,
    ) -> Result<(), StageError> {
        self.rows.check_room(effect.emitters.len() * placements.len())?;
        ids.reserve(placements.len());
        let before = ids.len();
        for &placement in placements {
            match self.start(effect, placement, false) {
                Ok(id) => ids.push(id),
                Err(error) => {
                    for id in ids.drain(before..) {
                        self.remove(id)?;
                    }
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn start(
        &mut self,
        effect: &Arc<Effect>,
        placement: Placement,
        once: bool,
    ) -> Result<InstanceId, StageError> {
        self.rows.check_room(effect.emitters.len())?;
        check_pose(&placement.pose)?;
        check_finite("time scale", &[placement.time_scale])?;
        check_finite("pre-warm", &[placement.prewarm.unwrap_or_default()])?;
        let parent = match placement.parent {
            Some(node) if self.is_node(node) => Some(node.row),
            Some(_) => return Err(StageError::NoParent),
            None => None,
        };
        let loaded = self.load(effect)?;
        let row = match self.transforms.claim(placement.pose, parent) {
            Ok(row) => row,
            Err(error) => {
                self.unload(loaded);
                return Err(error.into());
            }
        };
        let node = self.name_node(row);
        let place = self.free_instances.pop().unwrap_or_else(|| {
            self.instances.push(None);
            self.instances.len() as u32 - 1
        });
        let id = InstanceId {
            serial: self.next_serial,
            place,
        };
        self.next_serial += 1;
        self.playing += 1;
        let mut instance = Instance {
            id,
            effect: loaded,
            rows: Vec::with_capacity(effect.emitters.len()),
            node,
            seed: placement.seed,
            time_scale: placement.time_scale.max(0.0),
            prewarm: placement.prewarm.map(|seconds| seconds.clamp(0.0, MAX_PREWARM)),
            emitting: true,
            fade: 1.0,
            fade_rate: 0.0,
            once,
            set: Vec::new(),
            follows: Vec::new(),
            seen: (0, 0),
        };
        for emitter in 0..effect.emitters.len() as u32 {
            let row = self.claim_row(&instance, emitter);
            instance.rows.push(row);
        }
        self.instances[place as usize] = Some(instance);
        if once && effect.emitters.is_empty() {
            // Nothing will ever end.
            self.finished.push(id);
            self.remove(id)?;
        }
        Ok(id)
    }

    /// Ends an instance at once; its particles are gone after the next step.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn remove(&mut self, id: InstanceId) -> Result<(), StageError> {
        self.instance(id)?;
        if let Some(instance) = self.instances[id.place as usize].take() {
            for row in instance.rows {
                self.free_row(row);
            }
            self.node_serials[instance.node.row as usize] = 0;
            self.release_target(instance.node.row);
            // The instance held its row.
            let _ = self.transforms.release(instance.node.row);
            self.unload(instance.effect);
            self.free_instances.push(id.place);
            self.playing -= 1;
        }
        Ok(())
    }

    /// Ends an instance as told. A stopped one is taken up again by [`Self::restart`].
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn stop(&mut self, id: InstanceId, how: Stop) -> Result<(), StageError> {
        match how {
            Stop::Now => return self.remove(id),
            Stop::Births | Stop::Fade(f32::INFINITY) => self.instance_mut(id)?.emitting = false,
            Stop::Fade(seconds) => {
                let instance = self.instance_mut(id)?;
                instance.emitting = false;
                let rate = instance.fade / seconds;
                if !(rate.is_finite() && rate > 0.0) {
                    return self.remove(id);
                }
                if instance.fade_rate == 0.0 {
                    instance.fade_rate = rate;
                    self.fading.push(id);
                } else {
                    instance.fade_rate = rate;
                }
            }
        }
        self.stage_instance(id.place);
        Ok(())
    }

    /// Lets the instances that fade out lose what a step of `dt` seconds takes.
    pub(super) fn fade(&mut self, dt: f64) {
        let mut index = 0;
        while index < self.fading.len() {
            let id = self.fading[index];
            let mut over = true;
            if let Ok(instance) = self.instance_mut(id)
                && instance.fade_rate > 0.0
            {
                instance.fade -= instance.fade_rate * dt as f32;
                over = instance.fade <= 0.0;
                if over {
                    // It is there, so it can be removed.
                    let _ = self.remove(id);
                } else {
                    self.stage_instance(id.place);
                }
            }
            if over {
                self.fading.swap_remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// Gives an instance another version of its effect. Emitters are matched by id; one whose particle fields,
    /// bindings or pre-warm changed starts over, the others keep their particles. Values set on the instance stay where
    /// the new version still has them.
    ///
    /// # Errors
    /// [`StageError`] where a program cannot be placed; then the old effect plays on.
    pub fn set_effect(&mut self, id: InstanceId, effect: Arc<Effect>) -> Result<Swap, StageError> {
        let old = self.instance(id)?;
        let old_effect = match self.loaded(old.effect) {
            Some(loaded) => Arc::clone(&loaded.effect),
            None => return Err(StageError::NoInstance),
        };
        self.rows
            .check_room(effect.emitters.len().saturating_sub(old_effect.emitters.len()))?;
        let loaded = self.exchange(old.effect, &effect)?;
        let Some(mut instance) = self.instances[id.place as usize].take() else {
            return Err(StageError::NoInstance);
        };
        instance.effect = loaded;
        let mut swap = Swap::Kept;
        let mut any_goes_on = false;
        let mut leaving = std::mem::take(&mut instance.rows);
        let old_rows = leaving.clone();
        for (place, emitter) in effect.emitters.iter().enumerate() {
            let was = old_effect.emitters.iter().position(|e| e.id == emitter.id);
            let row = match was {
                Some(was) => {
                    let (before, row) = (&old_effect.emitters[was], old_rows[was]);
                    let same = before.layout == emitter.layout
                        && before.render.bindings == emitter.render.bindings
                        && before.space == emitter.space
                        && (before.emission.prewarm == emitter.emission.prewarm
                            || instance.prewarm.is_some());
                    leaving.retain(|&leaving| leaving != row);
                    any_goes_on |= same;
                    if !same {
                        swap = Swap::Restart;
                    }
                    self.renew_row(&instance, row, place as u32, same);
                    row
                }
                None => self.claim_row(&instance, place as u32),
            };
            instance.rows.push(row);
        }
        if !any_goes_on && !old_rows.is_empty() {
            swap = Swap::Restart;
        }
        for row in leaving {
            self.free_row(row);
        }
        let follows = std::mem::take(&mut instance.follows);
        self.instances[id.place as usize] = Some(instance);
        self.apply_set_values(id.place);
        self.follow_again(id, follows, &old_effect, &effect);
        Ok(swap)
    }

    /// A row goes on with its emitter's new version.
    fn renew_row(&mut self, instance: &Instance, row: u32, emitter: u32, keeps_particles: bool) {
        let Some(Some(loaded)) = self.effects.get(instance.effect as usize) else {
            return;
        };
        let words = &loaded.emitters[emitter as usize].block;
        // Bindings are made anew once all rows stand.
        for &freed in self.bindings.release_owner(&mut self.transforms, row) {
            self.heap.touch_fields(freed.word..freed.word + freed.width);
        }
        let Some(owner) = &mut self.rows.owners[row as usize] else {
            return;
        };
        owner.emitter = emitter;
        let had = owner.transform;
        let kept = place_emitter(
            &mut self.transforms,
            Some(had),
            &loaded.effect.emitters[emitter as usize],
            instance.node.row,
        );
        owner.transform = kept;
        match owner.block {
            Some(block) if self.heap.block(block).len() == words.len() => {
                self.heap.write_block(block, 0, words);
            }
            had => {
                if let Some(block) = had {
                    self.heap.free_block(block);
                }
                owner.block = (!words.is_empty()).then(|| self.heap.take_block(words));
            }
        }
        let generation = (!keeps_particles).then(|| self.rows.next_generation());
        self.stage_row(instance, row, generation);
    }

    /// Starts every emitter of an instance over: its particles are gone, its clock is 0.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn restart(&mut self, id: InstanceId) -> Result<(), StageError> {
        let instance = self.instance_mut(id)?;
        (instance.emitting, instance.fade, instance.fade_rate) = (true, 1.0, 0.0);
        if let Some(instance) = self.instances[id.place as usize].take() {
            for &row in &instance.rows {
                let generation = self.rows.next_generation();
                self.stage_row(&instance, row, Some(generation));
            }
            // What starts has no way behind it. The instance holds its row.
            let _ = self.transforms.teleport(instance.node.row);
            self.instances[id.place as usize] = Some(instance);
        }
        Ok(())
    }

    /// Lets everything that emits start over after its particles were lost with their device: emitters, their clocks
    /// and pre-warms. Values, poses and what was stopped stay as they are.
    pub fn begin_again(&mut self) {
        self.forget_poses();
        for place in 0..self.instances.len() {
            let Some(instance) = self.instances[place].take() else {
                continue;
            };
            for &row in &instance.rows {
                let generation = self.rows.next_generation();
                self.stage_row(&instance, row, Some(generation));
            }
            self.instances[place] = Some(instance);
        }
    }

    /// Tells which rows are finished, as row and generation, read back some frames late. An instance all of
    /// whose rows are finished at once is finished itself; one placed to play once is removed.
    pub fn note_finished(&mut self, rows: impl IntoIterator<Item = (u32, u32)>) {
        self.finish_stamp += 1;
        let stamp = self.finish_stamp;
        for (row, generation) in rows {
            let Some(Some(Row { instance: id, .. })) = self.rows.owners.get(row as usize) else {
                continue;
            };
            let id = *id;
            if self.rows.get(row).generation != generation {
                continue;
            }
            let Ok(instance) = self.instance_mut(id) else {
                continue;
            };
            let before = if instance.seen.0 == stamp {
                instance.seen.1
            } else {
                0
            };
            // Found before and told of then.
            let told = instance.seen.1 == u32::MAX && instance.seen.0 + 1 >= stamp;
            let count = before.saturating_add(1);
            if told {
                instance.seen = (stamp, u32::MAX);
            } else if count as usize == instance.rows.len() {
                instance.seen = (stamp, u32::MAX);
                let once = instance.once;
                self.finished.push(id);
                if once {
                    // It is there, so it can be removed.
                    let _ = self.remove(id);
                }
            } else {
                instance.seen = (stamp, count);
            }
        }
    }

    /// Takes the instances found to be finished since last asked, in the order they were found.
    pub fn take_finished(&mut self) -> impl Iterator<Item = InstanceId> + '_ {
        self.finished.drain(..)
    }

    /// Fields that followed nodes do so again, where the new version still has them: their places may be others.
    fn follow_again(&mut self, id: InstanceId, follows: Vec<Follow>, old: &Effect, new: &Effect) {
        for mut follow in follows {
            let emitter = old.emitters.get(follow.emitter as usize).map(|e| &e.id);
            let Some(now) = new.emitters.iter().position(|e| Some(&e.id) == emitter) else {
                continue;
            };
            follow.emitter = now as u32;
            // One that cannot follow any more has its own value.
            if self.follow(id, &follow).is_ok()
                && let Ok(instance) = self.instance_mut(id)
            {
                instance.follows.push(follow);
            }
        }
    }

    fn is_node(&self, node: NodeId) -> bool {
        self.node_serials.get(node.row as usize) == Some(&node.serial)
    }

    /// The row of an emitter as it is staged, for the passes' twins.
    #[must_use]
    pub fn row(&self, row: u32) -> EmitterRow {
        self.rows.get(row)
    }
}

/// Numbers that a program or the clock would carry on for ever are refused where they come in.
pub(super) fn check_finite(what: &'static str, values: &[f32]) -> Result<(), StageError> {
    if values.iter().all(|value| value.is_finite()) {
        Ok(())
    } else {
        Err(StageError::NotFinite { what })
    }
}
