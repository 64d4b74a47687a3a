//! Getting a device, and saying what is missing where there is none.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use super::pass::Decode;
use crate::isa::{MAX_REGISTERS, SLOT_CLASSES};

/// No usable device.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each case is its message")]
#[non_exhaustive]
pub enum DeviceError {
    #[error(
        "no graphics adapter was found. On Debian or Ubuntu, `apt-get install mesa-vulkan-drivers` brings a software one; \
         elsewhere install your graphics card's Vulkan, Metal or DirectX 12 driver"
    )]
    NoAdapter,
    #[error("the adapter {adapter:?} gave no device: {reason}")]
    NoDevice { adapter: String, reason: String },
}

/// A device and its queue, kept together: a device without its queue cannot be used.
#[derive(Debug, Clone)]
pub struct Gpu {
    /// The instance the adapter came from.
    pub instance: wgpu::Instance,
    /// The adapter.
    pub adapter: wgpu::Adapter,
    /// The device.
    pub device: wgpu::Device,
    /// The queue.
    pub queue: wgpu::Queue,
    info: Arc<wgpu::AdapterInfo>,
    lost: Arc<AtomicBool>,
}

/// What an adapter can do for Mote beyond the least.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirements {
    /// Features worth asking for.
    pub features: wgpu::Features,
    /// Limits worth asking for; never above the adapter's.
    pub limits: wgpu::Limits,
}

/// Storage buffers of the passes whose registers lie in a buffer.
pub const WIDE_STORAGE_BUFFERS: u32 = 9;

/// What to ask of `adapter`. `wgpu::Limits::default()` is enough for everything; more limits allow larger
/// pools, timestamps allow timings.
#[must_use]
pub fn requirements(adapter: &wgpu::Adapter) -> Requirements {
    let wanted = wgpu::Features::TIMESTAMP_QUERY;
    let has = adapter.limits();
    // The passes with registers in a buffer bind one more than the default limit.
    let least = wgpu::Limits::default().max_storage_buffers_per_shader_stage;
    let storage_buffers = has.max_storage_buffers_per_shader_stage.min(WIDE_STORAGE_BUFFERS);
    let limits = wgpu::Limits {
        max_storage_buffer_binding_size: has.max_storage_buffer_binding_size,
        max_buffer_size: has.max_buffer_size,
        max_texture_dimension_2d: has.max_texture_dimension_2d,
        max_storage_buffers_per_shader_stage: storage_buffers.max(least),
        ..wgpu::Limits::default()
    };
    Requirements {
        features: adapter.features() & wanted,
        limits,
    }
}

impl Gpu {
    /// A device with no window: a hardware adapter where there is one, else a software one.
    ///
    /// # Errors
    /// [`DeviceError`] with what to install.
    pub fn headless() -> Result<Self, DeviceError> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        // The validation of indirect calls costs microseconds a dispatch; every count is clamped on the GPU.
        descriptor.flags = wgpu::InstanceFlags::from_build_config();
        descriptor
            .flags
            .remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
        let instance = wgpu::Instance::new(descriptor.with_env());
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options)).or_else(|_| {
            let software = wgpu::RequestAdapterOptions {
                force_fallback_adapter: true,
                ..options
            };
            pollster::block_on(instance.request_adapter(&software)).map_err(|_| DeviceError::NoAdapter)
        })?;
        let needs = requirements(&adapter);
        let info = adapter.get_info();
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("mote.device"),
            required_features: needs.features,
            required_limits: needs.limits,
            ..Default::default()
        }))
        .map_err(|error| DeviceError::NoDevice {
            adapter: info.name.clone(),
            reason: error.to_string(),
        })?;
        let gpu = Self {
            instance,
            adapter,
            device,
            queue,
            info: Arc::new(info),
            lost: Arc::default(),
        };
        gpu.watch();
        Ok(gpu)
    }

    /// A device somebody else made, such as the window's.
    #[must_use]
    pub fn from_parts(
        instance: wgpu::Instance,
        adapter: wgpu::Adapter,
        device: wgpu::Device,
        queue: wgpu::Queue,
    ) -> Self {
        let info = Arc::new(adapter.get_info());
        Self {
            instance,
            adapter,
            device,
            queue,
            info,
            lost: Arc::default(),
        }
    }

    /// Lets the device say when it is lost. It takes the place of the device's own callback: a game that has one calls
    /// [`Self::mark_lost`] in it instead.
    pub fn watch(&self) {
        let gpu_lost = Arc::clone(&self.lost);
        self.device.set_device_lost_callback(move |_, why| {
            gpu_lost.store(true, Ordering::Release);
            tracing::error!(why, "the graphics device was lost");
        });
    }

    /// Nothing is recorded on this device any more.
    pub fn mark_lost(&self) {
        self.lost.store(true, Ordering::Release);
    }

    /// Whether the device was lost, as far as [`Self::watch`] or [`Self::mark_lost`] told.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }

    /// Name, backend and kind of the adapter.
    #[must_use]
    pub fn info(&self) -> &wgpu::AdapterInfo {
        &self.info
    }

    /// Whether the adapter is a program rather than a chip.
    #[must_use]
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// How programs are decoded here.
    #[must_use]
    pub fn decode(&self) -> Decode {
        if self.is_software() {
            Decode::Four
        } else {
            Decode::OneOrFour
        }
    }

    /// Whether programs may keep more registers than the largest class of private slots: their passes bind one
    /// storage buffer more.
    #[must_use]
    pub fn has_wide(&self) -> bool {
        self.device.limits().max_storage_buffers_per_shader_stage >= WIDE_STORAGE_BUFFERS
    }

    /// Most registers of a program that can be played here.
    #[must_use]
    pub fn max_registers(&self) -> u32 {
        if self.has_wide() {
            MAX_REGISTERS
        } else {
            SLOT_CLASSES[SLOT_CLASSES.len() - 1]
        }
    }

    /// Most particles one pool can hold here.
    #[must_use]
    pub fn max_particles(&self) -> u32 {
        let limits = self.device.limits();
        let bytes = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        u32::try_from(bytes / u64::from(crate::isa::RECORD_WORDS * 4)).unwrap_or(u32::MAX)
    }
}
