//! All compute pipelines of the simulation, asked for at start and never again.
//!
//! What the first frame needs is made at once; the other register classes likewise or, where asked, on a thread. A
//! class that is not ready runs on the next larger one that is: the result is the same, bit for bit.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

use super::device::Gpu;
use super::pass::{Access, Backing, Code, Decode, PASSES, Pass, PassId, VARIANTS, Variant, WIDE};
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
    /// By pass: with private slots, and with registers in a buffer.
    layouts: Vec<[wgpu::BindGroupLayout; 2]>,
    /// By pass and variant; a pass that runs no programs has only the first.
    pipelines: Vec<[OnceLock<wgpu::ComputePipeline>; VARIANTS.len()]>,
    /// Whether this device can have registers in a buffer.
    wide: bool,
    decode: Decode,
}

/// Where the pipelines are made that the first frame does not need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Making {
    /// At once: when they are asked for, all are there.
    InPlace,
    /// On a thread of their own.
    OnAThread,
}

impl Pipelines {
    /// Asks for every pipeline. Returns once all passes can run programs of up to `first_registers` slots, or with
    /// [`Making::InPlace`] whatever there is.
    #[must_use]
    pub fn new(gpu: &Gpu, first_registers: u32, making: Making) -> Arc<Self> {
        let of = |pass: &Pass| {
            [VARIANTS[0].backing, Backing::Wide]
                .map(|backing| layout(&gpu.device, pass, backing, gpu.has_wide()))
        };
        let made = Arc::new(Made {
            layouts: PASSES.iter().map(of).collect(),
            pipelines: PASSES.iter().map(|_| Default::default()).collect(),
            wide: gpu.has_wide(),
            decode: gpu.decode(),
        });
        let first = class_of(first_registers).min(WIDE - 1);
        let of_first = |pass: &Pass| match (pass.runs_programs, pass.coherent) {
            (false, _) => 0,
            (true, false) => first,
            (true, true) => WIDE + 1 + first,
        };
        for pass in &PASSES {
            made.make(&gpu.device, pass, of_first(pass));
        }
        // Largest first: until it is there, a larger program than the first has nothing to run on. Then code in
        // storage, which only many effects together need, and registers in a buffer.
        let mut rest: Vec<(&Pass, usize)> = PASSES
            .iter()
            .flat_map(|pass| made.variants(pass).map(move |variant| (pass, variant)))
            .filter(|&(pass, variant)| variant != of_first(pass))
            .collect();
        rest.sort_by_key(|&(pass, variant)| {
            let late = variant == WIDE || (pass.coherent && VARIANTS[variant].code == Code::Storage);
            (late, std::cmp::Reverse(variant))
        });
        let (shared, device) = (Arc::clone(&made), gpu.device.clone());
        let work = move || {
            for &(pass, variant) in &rest {
                shared.make(&device, pass, variant);
            }
        };
        let thread = match making {
            Making::InPlace => None,
            Making::OnAThread => std::thread::Builder::new()
                .name("mote-pipelines".to_owned())
                .spawn(work.clone())
                .inspect_err(|error| tracing::warn!(%error, "no thread could be started"))
                .ok(),
        };
        if thread.is_none() {
            work();
        }
        Arc::new(Self { made, thread })
    }

    /// The pipeline of a pass for programs of `registers` slots: the smallest class that holds them and is
    /// ready, with code in the uniform window where `uniform` says that it fits. Only a program larger than every
    /// ready class waits, for the largest class to be made; one that no class holds, for the pipeline with
    /// registers in a buffer.
    #[must_use]
    pub fn get(&self, pass: PassId, registers: u32, uniform: bool) -> &wgpu::ComputePipeline {
        let ready = &self.made.pipelines[pass as usize];
        let of = pass.pass();
        if !of.runs_programs {
            return ready[0].wait();
        }
        let shift = if of.coherent && uniform { WIDE + 1 } else { 0 };
        let place = |class: usize| if class == WIDE { WIDE } else { shift + class };
        let class = pick(registers, |class| ready[place(class)].get().is_some());
        let largest = class_of(registers).max(WIDE - 1);
        let class = class.unwrap_or(largest);
        let class = if self.made.wide {
            class
        } else {
            class.min(WIDE - 1)
        };
        ready[place(class)].wait()
    }

    /// The bind group layout of a pass with a backing.
    #[must_use]
    pub fn layout(&self, pass: PassId, backing: Backing) -> &wgpu::BindGroupLayout {
        &self.made.layouts[pass as usize][usize::from(backing == Backing::Wide)]
    }

    /// The backing that programs of so many slots run on.
    #[must_use]
    pub fn backing(registers: u32) -> Backing {
        VARIANTS[class_of(registers)].backing
    }

    /// Whether every class of every pass is ready.
    #[must_use]
    pub fn all_ready(&self) -> bool {
        PASSES.iter().all(|pass| {
            let ready = &self.made.pipelines[pass.id as usize];
            self.made
                .variants(pass)
                .all(|variant| ready[variant].get().is_some())
        })
    }
}

impl Made {
    /// The places in [`VARIANTS`] that a pass is made in.
    fn variants(&self, pass: &Pass) -> impl Iterator<Item = usize> + use<> {
        let end = match (pass.runs_programs, pass.coherent) {
            (false, _) => 1,
            (true, false) => WIDE + 1,
            (true, true) => VARIANTS.len(),
        };
        let wide = self.wide;
        (0..end).filter(move |&variant| wide || variant != WIDE)
    }

    fn make(&self, device: &wgpu::Device, pass: &Pass, variant: usize) {
        let slot = &self.pipelines[pass.id as usize][variant];
        note_pipeline_request();
        slot.get_or_init(|| {
            // The files are part of the program and every module of the list is composed and validated in tests.
            let variant = VARIANTS[variant].on(self.decode);
            let Variant { backing, code, .. } = variant;
            let text = compose_pass(pass, variant)
                .map(|composed| composed.text)
                .unwrap_or_default();
            let label = match backing {
                Backing::Fast(slots) => format!("mote.sim.{}.{slots}.{code:?}", pass.name),
                Backing::Wide => format!("mote.sim.{}.wide", pass.name),
            };
            let module = wgpu::ShaderModuleDescriptor {
                label: Some(&label),
                source: wgpu::ShaderSource::Wgsl(text.into()),
            };
            let module = if pass.runs_programs {
                program_module(device, module, self.decode)
            } else {
                device.create_shader_module(module)
            };
            let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(&label),
                bind_group_layouts: &[Some(
                    &self.layouts[pass.id as usize][usize::from(backing == Backing::Wide)],
                )],
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

/// A module that runs programs: in a release build on hardware without the checks of indices and loops that wgpu
/// adds, which take long programs 5 to 8 % of their time.
pub(super) fn program_module(
    device: &wgpu::Device,
    module: wgpu::ShaderModuleDescriptor<'_>,
    decode: Decode,
) -> wgpu::ShaderModule {
    if decode == Decode::Four || cfg!(debug_assertions) {
        return device.create_shader_module(module);
    }
    #[expect(unsafe_code, reason = "programs are verified; see below")]
    // SAFETY: the checks are bounds of arrays in private and workgroup memory, of buffers, and of loops.
    // - The one private array that is indexed by data is the register file. A stage places no program that
    //   `isa::verify` has not passed: each operand and result lies below its count of registers, which is at most
    //   the file's class, and the lanes past an operand lie within `SPARE_SLOTS`. The other private and workgroup
    //   arrays are indexed by loop counters with constant ends and by the invocation's own index.
    // - Records are indexed by slots out of the lists, which hold what the pool was made with, by words below
    //   `RECORD_WORDS` that the verifier checked, and by rows that are compared with the row count first. Code and
    //   constants are read inside the sections that the heap laid out for the verified program. A driver's robust
    //   buffer access, which wgpu asks for wherever there is one, holds besides.
    // - Every loop ends: over a section's length, over the lanes of a width, over a list by strides above 0, and by
    //   halving in the binary searches.
    unsafe {
        device.create_shader_module_trusted(module, wgpu::ShaderRuntimeChecks::unchecked())
    }
}

/// The place in [`VARIANTS`] of the smallest class that holds so many slots and is ready. What fits private
/// slots never runs on those in a buffer.
#[must_use]
pub fn pick(registers: u32, ready: impl Fn(usize) -> bool) -> Option<usize> {
    let class = class_of(registers);
    let end = if class == WIDE { WIDE + 1 } else { WIDE };
    (class..end).find(|&class| ready(class))
}

/// The place in [`VARIANTS`] of the smallest class that holds so many slots.
#[must_use]
pub fn class_of(registers: u32) -> usize {
    SLOT_CLASSES
        .iter()
        .position(|&slots| registers <= slots)
        .unwrap_or(WIDE)
}

/// The layout of a pass with a backing; where the device cannot have the wide one, the other in its place.
fn layout(device: &wgpu::Device, pass: &Pass, backing: Backing, wide: bool) -> wgpu::BindGroupLayout {
    let backing = if wide { backing } else { VARIANTS[0].backing };
    let accesses = pass.bindings_of(backing).map(|binding| binding.access);
    bind_group_layout(device, pass.name, accesses)
}

/// A layout of bindings in order of their numbers.
pub(crate) fn bind_group_layout(
    device: &wgpu::Device,
    name: &str,
    accesses: impl Iterator<Item = Access>,
) -> wgpu::BindGroupLayout {
    let entries: Vec<wgpu::BindGroupLayoutEntry> = accesses
        .enumerate()
        .map(|(index, access)| wgpu::BindGroupLayoutEntry {
            binding: index as u32,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: match access {
                Access::Uniform => buffer_type(wgpu::BufferBindingType::Uniform),
                Access::Read => buffer_type(wgpu::BufferBindingType::Storage { read_only: true }),
                Access::Write => buffer_type(wgpu::BufferBindingType::Storage { read_only: false }),
                Access::Load => wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: false },
                    view_dimension: wgpu::TextureViewDimension::D3,
                    multisampled: false,
                },
            },
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(&format!("mote.sim.{name}.layout")),
        entries: &entries,
    })
}

const fn buffer_type(ty: wgpu::BufferBindingType) -> wgpu::BindingType {
    wgpu::BindingType::Buffer {
        ty,
        has_dynamic_offset: false,
        min_binding_size: None,
    }
}
