//! Values that a game sets: parameters, fields of emitters, global fields, the wind. Setters compare; an equal value
//! costs no upload.

use std::sync::Arc;

use super::ParticleSystem;
use crate::host::heap::HeapError;
use crate::host::{InstanceId, StageError};
use crate::vm::WindField;

/// A parameter's name, looked up once. It belongs to one system and holds for all effects that have the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParameterId(u32);

impl ParticleSystem {
    /// The id of a parameter's name.
    pub fn parameter(&mut self, name: &str) -> ParameterId {
        let known = self.names.iter().position(|known| &**known == name);
        let index = known.unwrap_or_else(|| {
            self.names.push(name.into());
            self.names.len() - 1
        });
        ParameterId(index as u32)
    }

    /// Sets a parameter of an instance; numbers beyond its width are not read. It outlives [`Self::reload`].
    ///
    /// # Errors
    /// [`StageError::NoParameter`], [`StageError::NoInstance`], [`StageError::NotFinite`].
    pub fn set(&mut self, id: InstanceId, parameter: ParameterId, value: [f32; 4]) -> Result<(), StageError> {
        // An id of another system may be past the end.
        let name = self.names.get(parameter.0 as usize).map_or("", |name| name);
        self.stage.set_parameter(id, name, value)
    }

    /// Sets a parameter of an instance by its name.
    ///
    /// # Errors
    /// As [`Self::set`].
    pub fn set_parameter(&mut self, id: InstanceId, name: &str, value: [f32; 4]) -> Result<(), StageError> {
        self.stage.set_parameter(id, name, value)
    }

    /// Sets a field of one emitter of an instance.
    ///
    /// # Errors
    /// [`StageError::NoInstance`], [`StageError::NoEmitter`], [`StageError::NoField`], [`StageError::NotFinite`].
    pub fn set_emitter_field(
        &mut self,
        id: InstanceId,
        emitter: usize,
        name: &str,
        value: [f32; 4],
    ) -> Result<(), StageError> {
        self.stage.set_emitter_field(id, emitter, name, value)
    }

    /// Sets a global field, which all effects share by its name; the first to set or read it declares it with its
    /// width, and one that nobody set reads 0.
    ///
    /// # Errors
    /// [`HeapError`] where it has another width, no name or a number that is not finite, or no room is left.
    pub fn set_global(&mut self, name: &str, values: &[f32]) -> Result<(), HeapError> {
        self.stage.heap_mut().set_global(name, values)
    }

    /// The wind of the world, which programs read; none is still air.
    pub fn set_wind(&mut self, wind: Option<Arc<WindField>>) {
        self.stage.set_wind(wind);
    }

    /// Lets what is in view stay as it was found last, whoever looks on.
    pub fn freeze_culling(&mut self, frozen: bool) {
        self.stage.freeze_culling(frozen);
    }
}
