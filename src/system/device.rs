//! The device's part: buffers that grow, and all of it made anew on another device.

use super::{Device, ParticleSystem, SystemError};
use crate::gpu::Gpu;

impl ParticleSystem {
    /// Goes on on another device, after the old one was lost: effects, values, global fields, nodes and instances
    /// stay; emitters start over and particles start empty. The game's buffer of matrices has to be set again.
    /// How a loss becomes known: [`Gpu::watch`].
    ///
    /// # Errors
    /// [`SystemError::Limit`] where the new device cannot do it; then the system stays on the old one.
    pub fn rebuild(&mut self, gpu: &Gpu) -> Result<(), SystemError> {
        let mut descriptor = self.descriptor;
        descriptor.particles = self.on.pool.capacity();
        descriptor.check(gpu)?;
        self.on = Device::new(gpu, &descriptor);
        self.views.clear();
        self.prepared = 0;
        self.refused.clear();
        self.grown_for = 0;
        self.stage.set_matrix_count(0);
        self.adopt(gpu);
        self.stage.begin_again();
        Ok(())
    }

    /// Tells the stage what the device can do.
    pub(super) fn adopt(&mut self, gpu: &Gpu) {
        self.max_particles = gpu.max_particles();
        self.stage.set_pool_capacity(self.on.pool.capacity());
        self.stage.set_register_limit(gpu.max_registers());
        self.stage.set_row_limit(self.descriptor.most_rows());
        let words = self.descriptor.most_program_words(gpu);
        self.stage.heap_mut().set_word_limit(words);
    }

    /// Makes room for all that emitters may have alive, where the system grows.
    pub(super) fn grow(&mut self, gpu: &Gpu) {
        let wanted = self.stage.wanted_capacity();
        if !self.descriptor.growth || wanted == self.grown_for {
            return;
        }
        self.grown_for = wanted;
        // Some more, for particles of emitters that have just gone.
        let wanted = wanted.saturating_add(wanted / 8);
        if wanted <= u64::from(self.on.pool.capacity()) {
            return;
        }
        let roomy = wanted.max(u64::from(self.on.pool.capacity()) * 3 / 2);
        let size = u32::try_from(roomy).unwrap_or(u32::MAX).min(self.max_particles);
        match self.on.pool.grow_particles(gpu, size) {
            Ok(()) => self.stage.set_pool_capacity(self.on.pool.capacity()),
            Err(error) => tracing::error!(%error, "the pool of particles keeps its size"),
        }
    }
}
