//! All compute pipelines of the simulation, asked for at start and never again.
//!
//! What the first frame needs is made at once; the other register classes are made on a thread. A class that
//! is not ready runs on the next larger one that is: the result is the same, bit for bit.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

use super::device::Gpu;
use super::pass::{Access, PASSES, Pass, PassId};
use super::shader::generated::compose_pass;
use crate::isa::SLOT_CLASSES;

static REQUESTS: AtomicU64 = AtomicU64::new(0);

/// Pipelines asked for by this process so far, of any kind. A test holds it still over loads and edits.
#[must_use]
pub fn pipeline_requests() -> u64 {
    REQUESTS.load(Ordering::Relaxed)
}

/// Counts a pipeline about to be made. Every creation goes through this.
pub(crate) fn note_pipeline_request() {
    REQUESTS.fetch_add(1, Ordering::Relaxed);
}

/// The pipelines of one device, shared by all simulations on it. Dropping the last reference waits for those
/// still being made: a driver must not be taken down while it compiles.
#[derive(Debug)]
pub struct Pipelines {
    made: Arc<Made>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Pipelines {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread that makes pipelines panicked");
        }
    }
}

/// What the thread and its owner share.
#[derive(Debug)]
struct Made {
    layouts: Vec<wgpu::BindGroupLayout>,
    /// By pass and class; a pass that runs no programs has only class 0.
    pipelines: Vec<[OnceLock<wgpu::ComputePipeline>; SLOT_CLASSES.len()]>,
}

impl Pipelines {
    /// Asks for every pipeline. Returns once all passes can run programs of up to `first_registers` slots.
    #[must_use]
    pub fn new(gpu: &Gpu, first_registers: u32) -> Arc<Self> {
        let layouts = PASSES.iter().map(|pass| layout(&gpu.device, pass)).collect();
        let pipelines = PASSES.iter().map(|_| Default::default()).collect();
        let made = Arc::new(Made { layouts, pipelines });
        let first = class_of(first_registers);
        for pass in &PASSES {
            made.make(&gpu.device, pass, if pass.runs_programs { first } else { 0 });
        }
        // Largest first: until it is there, a larger program than the first has nothing to run on.
        let rest: Vec<usize> = (0..SLOT_CLASSES.len())
            .rev()
            .filter(|&class| class != first)
            .collect();
        let (shared, device) = (Arc::clone(&made), gpu.device.clone());
        let work = move || {
            for class in rest {
                for pass in PASSES.iter().filter(|pass| pass.runs_programs) {
                    shared.make(&device, pass, class);
                }
            }
        };
        let thread = match std::thread::Builder::new()
            .name("mote-pipelines".to_owned())
            .spawn(work.clone())
        {
            Ok(thread) => Some(thread),
            Err(error) => {
                tracing::warn!(%error, "no thread could be started; pipelines are made in place");
                work();
                None
            }
        };
        Arc::new(Self { made, thread })
    }

    /// The pipeline of a pass for programs of `registers` slots: the smallest class that holds them and is
    /// ready. Only a program larger than every ready class waits, for the largest class to be made.
    #[must_use]
    pub fn get(&self, pass: PassId, registers: u32) -> &wgpu::ComputePipeline {
        let ready = &self.made.pipelines[pass as usize];
        if !pass.pass().runs_programs {
            return ready[0].wait();
        }
        let class = pick(registers, |class| ready[class].get().is_some());
        ready[class.unwrap_or(SLOT_CLASSES.len() - 1)].wait()
    }

    /// The bind group layout of a pass.
    #[must_use]
    pub fn layout(&self, pass: PassId) -> &wgpu::BindGroupLayout {
        &self.made.layouts[pass as usize]
    }

    /// Whether every class of every pass is ready.
    #[must_use]
    pub fn all_ready(&self) -> bool {
        PASSES.iter().all(|pass| {
            let ready = &self.made.pipelines[pass.id as usize];
            if pass.runs_programs {
                ready.iter().all(|p| p.get().is_some())
            } else {
                ready[0].get().is_some()
            }
        })
    }
}

impl Made {
    fn make(&self, device: &wgpu::Device, pass: &Pass, class: usize) {
        let slot = &self.pipelines[pass.id as usize][class];
        note_pipeline_request();
        slot.get_or_init(|| {
            // The files are part of the program and every module of the list is composed and validated in tests.
            let text = compose_pass(pass, SLOT_CLASSES[class])
                .map(|composed| composed.text)
                .unwrap_or_default();
            let label = format!("mote.sim.{}.{}", pass.name, SLOT_CLASSES[class]);
            let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(&label),
                source: wgpu::ShaderSource::Wgsl(text.into()),
            });
            let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(&label),
                bind_group_layouts: &[Some(&self.layouts[pass.id as usize])],
                immediate_size: 0,
            });
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(&label),
                layout: Some(&layout),
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            })
        });
    }
}

/// The smallest class that holds so many slots and is ready.
#[must_use]
pub fn pick(registers: u32, ready: impl Fn(usize) -> bool) -> Option<usize> {
    (class_of(registers)..SLOT_CLASSES.len()).find(|&class| ready(class))
}

/// The smallest class that holds so many slots, the largest for more.
#[must_use]
pub fn class_of(registers: u32) -> usize {
    SLOT_CLASSES
        .iter()
        .position(|&slots| registers <= slots)
        .unwrap_or(SLOT_CLASSES.len() - 1)
}

fn layout(device: &wgpu::Device, pass: &Pass) -> wgpu::BindGroupLayout {
    let entries: Vec<wgpu::BindGroupLayoutEntry> = pass
        .bindings
        .iter()
        .enumerate()
        .map(|(index, binding)| wgpu::BindGroupLayoutEntry {
            binding: index as u32,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match binding.access {
                    Access::Uniform => wgpu::BufferBindingType::Uniform,
                    Access::Read => wgpu::BufferBindingType::Storage { read_only: true },
                    Access::Write => wgpu::BufferBindingType::Storage { read_only: false },
                },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(&format!("mote.sim.{}.layout", pass.name)),
        entries: &entries,
    })
}
