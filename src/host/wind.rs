//! The air of a scene as time goes on: when it is baked anew, and what a step reads.

use std::sync::Arc;

use crate::vm::wind::{WindError, WindField, WindScene};

/// A wind scene and the grid of it at one time.
#[derive(Debug, Clone)]
pub struct Air {
    scene: WindScene,
    field: Option<Arc<WindField>>,
    /// The time that the field is of.
    time: f64,
}

impl Air {
    /// The air of a scene at time 0.
    ///
    /// # Errors
    /// [`WindError`] where the scene's numbers are out of their ranges.
    pub fn new(scene: WindScene) -> Result<Self, WindError> {
        let field = bake(&scene, 0.0)?;
        Ok(Self {
            scene,
            field,
            time: 0.0,
        })
    }

    /// The scene.
    #[must_use]
    pub fn scene(&self) -> &WindScene {
        &self.scene
    }

    /// What a step that starts at `time` (effect seconds) reads; none is still air. A steady scene is never baked
    /// again. A time that is not finite leaves the air as it is.
    pub fn at(&mut self, time: f64) -> Option<&Arc<WindField>> {
        if !self.scene.is_steady()
            && time.to_bits() != self.time.to_bits()
            && let Ok(field) = bake(&self.scene, time)
        {
            self.field = field;
            self.time = time;
        }
        self.field.as_ref()
    }
}

fn bake(scene: &WindScene, time: f64) -> Result<Option<Arc<WindField>>, WindError> {
    scene.check()?;
    if scene.is_still() {
        return Ok(None);
    }
    scene.bake(&scene.region, time).map(|field| Some(Arc::new(field)))
}
