//! What a game sets on an instance: parameters, fields, time scale, bursts. Setters compare with what is
//! stored; an equal value costs no upload.

use super::instances::{SetValue, check_finite};
use super::{InstanceId, Stage, StageError};
use crate::layout::FieldSlot;

impl Stage {
    /// Sets a parameter of an instance in every emitter that reads it.
    ///
    /// # Errors
    /// [`StageError::NoParameter`], [`StageError::NoInstance`].
    pub fn set_parameter(&mut self, id: InstanceId, name: &str, value: [f32; 4]) -> Result<(), StageError> {
        let instance = self.instance(id)?;
        let has = self
            .loaded(instance.effect)
            .is_some_and(|l| l.effect.parameters.iter().any(|p| p.name == name));
        if !has {
            return Err(StageError::NoParameter {
                name: name.to_owned(),
            });
        }
        check_finite("parameter", &value)?;
        self.remember(id, None, name, value);
        self.write_field(id.place, None, name, value);
        Ok(())
    }

    /// Sets a field of one emitter, counted from 0. What no program reads has no place and is not there.
    ///
    /// # Errors
    /// [`StageError::NoInstance`], [`StageError::NoEmitter`], [`StageError::NoField`].
    pub fn set_emitter_field(
        &mut self,
        id: InstanceId,
        emitter: usize,
        name: &str,
        value: [f32; 4],
    ) -> Result<(), StageError> {
        let instance = self.instance(id)?;
        let of = self
            .loaded(instance.effect)
            .and_then(|l| l.effect.emitters.get(emitter))
            .ok_or(StageError::NoEmitter { index: emitter })?;
        if of.emitter_layout.get(name).is_none() {
            return Err(StageError::NoField {
                emitter: of.name.clone(),
                name: name.to_owned(),
            });
        }
        check_finite("field", &value)?;
        self.remember(id, Some(emitter as u32), name, value);
        self.write_field(id.place, Some(emitter as u32), name, value);
        Ok(())
    }

    fn remember(&mut self, id: InstanceId, emitter: Option<u32>, name: &str, value: [f32; 4]) {
        let Ok(instance) = self.instance_mut(id) else {
            return;
        };
        match instance
            .set
            .iter_mut()
            .find(|s| s.emitter == emitter && s.name == name)
        {
            Some(known) => known.value = value,
            None => instance.set.push(SetValue {
                emitter,
                name: name.to_owned(),
                value,
            }),
        }
    }

    /// Writes the values set on an instance over those its effect starts with.
    pub(super) fn apply_set_values(&mut self, place: u32) {
        let count = match &self.instances[place as usize] {
            Some(instance) => instance.set.len(),
            None => 0,
        };
        for index in 0..count {
            let value = self.instances[place as usize]
                .as_ref()
                .map(|i| i.set[index].clone());
            if let Some(SetValue { emitter, name, value }) = value {
                self.write_field(place, emitter, &name, value);
            }
        }
    }

    fn write_field(&mut self, place: u32, emitter: Option<u32>, name: &str, value: [f32; 4]) {
        let Some(Some(instance)) = self.instances.get(place as usize) else {
            return;
        };
        let Some(Some(loaded)) = self.effects.get(instance.effect as usize) else {
            return;
        };
        for (index, (&row, of)) in instance.rows.iter().zip(&loaded.effect.emitters).enumerate() {
            let meant = emitter.is_none_or(|e| e as usize == index);
            let block = self.rows.owners[row as usize].as_ref().and_then(|r| r.block);
            if let (true, Some(block), Some(FieldSlot { word, ty, .. })) =
                (meant, block, of.emitter_layout.get(name))
            {
                let words = &value.map(f32::to_bits)[..ty.width() as usize];
                self.heap.write_block(block, *word, words);
            }
        }
    }

    /// Sets how fast an instance's time goes: 1 is the system's, 0 stands still, what is below 0 or no number
    /// counts as 0 or 1.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn set_time_scale(&mut self, id: InstanceId, scale: f32) -> Result<(), StageError> {
        check_finite("time scale", &[scale])?;
        let instance = self.instance_mut(id)?;
        let scale = scale.max(0.0);
        if instance.time_scale != scale {
            instance.time_scale = scale;
            self.stage_instance(id.place);
        }
        Ok(())
    }

    /// Asks for `count` particles of an emitter, born at the next step's start.
    ///
    /// # Errors
    /// [`StageError::NoInstance`], [`StageError::NoEmitter`], [`StageError::Stopped`].
    pub fn burst(&mut self, id: InstanceId, emitter: usize, count: u32) -> Result<(), StageError> {
        let instance = self.instance(id)?;
        let row = *instance
            .rows
            .get(emitter)
            .ok_or(StageError::NoEmitter { index: emitter })?;
        if !instance.emitting {
            return Err(StageError::Stopped);
        }
        let of = &mut self.rows.command_of[row as usize];
        match of.checked_sub(1) {
            Some(known) => {
                let command = &mut self.commands[known as usize];
                command[1] = command[1].saturating_add(count);
            }
            None => {
                self.commands.push([row, count]);
                *of = self.commands.len() as u32;
            }
        }
        Ok(())
    }

    /// Forgets what was asked of a row that goes.
    pub(super) fn drop_command(&mut self, row: u32) {
        if let Some(index) = self.rows.command_of[row as usize].checked_sub(1) {
            self.commands[index as usize][1] = 0;
        }
    }
}
