//! Inclusive sums over plain numbers on the device, in three ways behind one interface.
//!
//! | way | most numbers | dispatches |
//! | --- | --- | --- |
//! | [`Way::One`] | 4,096 | 1, of one workgroup |
//! | [`Way::Tiles`] | 4,194,304 | 2: the tiles' sums, then every tile adds up those before it |
//! | [`Way::LookBack`] | 67,107,840 | 1 and a clear; reads each number about once where the others do twice |
//!
//! All give the same words as [`inclusive`](crate::reference::scan::inclusive). None waits for another workgroup
//! without an end, and none needs subgroups.

use bytemuck::bytes_of;
use thiserror::Error;

use super::device::Gpu;
use super::pass::Access;
use super::pipelines::{bind_group_layout, note_pipeline_request};
use super::pool::buffer;
use super::shader::compose::{ComposeError, Composed};
use super::shader::generated::{Declared, bindings, compose_module};
use crate::base::gpu_struct::GpuStruct as _;
use crate::gpu_struct;
use crate::host::rows::{MAX_GROUPS_X, SCAN_LIMIT, SCAN_ONE_MAX, SCAN_TILE};

/// Words of the look-back's scratch buffer before the tiles' states: tiles handed out, tiles summed for another.
pub(crate) const SCRATCH_HEADER: u32 = 2;
/// Looks at a tile that knows nothing before its waiter sums it itself.
pub(crate) const TRIES: u32 = 4;
/// Most tiles whose sums every tile adds up itself: the reads grow with the square.
const MOST_FOLDED_TILES: u32 = 4_096;

gpu_struct! {
    /// A scan's numbers.
    pub struct ScanParams {
        /// Numbers to scan.
        length: u32,
        /// Tiles whose index is a multiple of this tell the others what they know; 0 is none.
        publish_every: u32,
        /// Keeps the size a multiple of four words.
        reserved_a: u32,
        /// Likewise.
        reserved_b: u32,
    }
}

/// How a scan is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// By one workgroup.
    One,
    /// By tiles, in two dispatches.
    Tiles,
    /// By tiles that look back over one another, in one dispatch. The total must stay below 2³⁰.
    LookBack,
}

impl Way {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::One, Self::Tiles, Self::LookBack];

    /// Most numbers it takes.
    #[must_use]
    pub const fn most(self) -> u32 {
        match self {
            Self::One => SCAN_ONE_MAX,
            Self::Tiles => MOST_FOLDED_TILES * SCAN_TILE,
            Self::LookBack => MAX_GROUPS_X * SCAN_TILE,
        }
    }

    /// The first that takes so many numbers.
    ///
    /// # Errors
    /// [`ScanError::Length`] where none does.
    pub fn of(length: u32) -> Result<Self, ScanError> {
        Self::ALL
            .into_iter()
            .find(|way| length <= way.most())
            .ok_or(ScanError::Length {
                length,
                most: Self::LookBack.most(),
            })
    }
}

/// Which tiles of a look-back tell the others what they know. All do; holding some back is for tests of what
/// happens where a workgroup does not get on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Publish {
    /// All.
    #[default]
    All,
    /// Those whose index is a multiple of this.
    Every(u32),
    /// None.
    None,
}

/// What a scan is of.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The numbers, from the buffer's start. Usage: storage.
    pub input: &'a wgpu::Buffer,
    /// Where the sums go; another buffer than the input. Usage: storage.
    pub output: &'a wgpu::Buffer,
    /// How many numbers.
    pub length: u32,
    /// What the total cannot pass, which the caller knows from what the numbers are.
    pub most: u64,
    /// How it is done.
    pub way: Way,
    /// Which tiles publish.
    pub publish: Publish,
}

/// A scan that is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScanError {
    /// More numbers than the way takes.
    #[error("{length} numbers are more than the {most} that this scan takes")]
    Length {
        /// How many.
        length: u32,
        /// How many it takes.
        most: u32,
    },
    /// A total that a word with two bits taken cannot hold.
    #[error(
        "a total of up to {most} does not fit the look-back, which holds {}",
        SCAN_LIMIT
    )]
    Total {
        /// The largest total.
        most: u64,
    },
    /// A buffer that ends before the numbers do.
    #[error("{length} numbers do not fit a buffer of {bytes} bytes")]
    Short {
        /// How many.
        length: u32,
        /// The buffer's size.
        bytes: u64,
    },
    /// Input and output are one buffer.
    #[error("a scan's sums go to another buffer than its numbers")]
    InPlace,
}

/// A shader of a scan.
#[derive(Debug, Clone, Copy)]
struct Part {
    name: &'static str,
    shader: &'static str,
    bindings: &'static [Declared],
}

const fn declared(name: &'static str, ty: &'static str, access: Access) -> Declared {
    Declared { name, ty, access }
}

const PARAMS: Declared = declared("params", ScanParams::NAME, Access::Uniform);
const INPUT: Declared = declared("input", "array<u32>", Access::Read);
const OUTPUT: Declared = declared("output", "array<u32>", Access::Write);
const PARTIALS: Declared = declared("scratch", "array<u32>", Access::Write);
const STATES: Declared = declared("scratch", "array<atomic<u32>>", Access::Write);

const PARTS: [Part; 4] = [
    Part {
        name: "one",
        shader: "scan/one.wgsl",
        bindings: &[PARAMS, INPUT, OUTPUT],
    },
    Part {
        name: "down",
        shader: "scan/down.wgsl",
        bindings: &[PARAMS, INPUT, OUTPUT, PARTIALS],
    },
    Part {
        name: "look_back",
        shader: "scan/look_back.wgsl",
        bindings: &[PARAMS, INPUT, OUTPUT, STATES],
    },
    Part {
        name: "reduce",
        shader: "scan/reduce.wgsl",
        bindings: &[PARAMS, INPUT, PARTIALS],
    },
];

/// The part that a way ends with.
const fn last_part(way: Way) -> usize {
    match way {
        Way::One => 0,
        Way::Tiles => 1,
        Way::LookBack => 2,
    }
}

/// The part that goes before, by tiles.
const REDUCE: usize = 3;

/// The modules of all ways, by name.
///
/// # Errors
/// [`ComposeError`].
pub fn texts() -> Result<Vec<(&'static str, Composed)>, ComposeError> {
    PARTS.iter().map(|part| Ok((part.name, text(part)?))).collect()
}

fn text(part: &Part) -> Result<Composed, ComposeError> {
    let mut declarations = ScanParams::wgsl_struct();
    declarations.push_str(&bindings(part.bindings.iter().copied()));
    compose_module(part.shader, &declarations)
}

/// The pipelines of all scans on a device.
#[derive(Debug)]
pub struct Scan {
    parts: Vec<(wgpu::BindGroupLayout, wgpu::ComputePipeline)>,
}

impl Scan {
    /// Makes four pipelines.
    #[must_use]
    pub fn new(gpu: &Gpu) -> Self {
        Self {
            parts: PARTS.iter().map(|part| make(&gpu.device, part)).collect(),
        }
    }

    /// Prepares a scan, which may then be recorded any number of times.
    ///
    /// # Errors
    /// [`ScanError`].
    pub fn job(&self, gpu: &Gpu, request: &Request<'_>) -> Result<Job, ScanError> {
        let &Request {
            input,
            output,
            length,
            most,
            way,
            publish,
        } = request;
        if length > way.most() {
            return Err(ScanError::Length {
                length,
                most: way.most(),
            });
        }
        if way == Way::LookBack && most > u64::from(SCAN_LIMIT) {
            return Err(ScanError::Total { most });
        }
        if input == output {
            return Err(ScanError::InPlace);
        }
        if let Some(short) = [input, output]
            .into_iter()
            .find(|buffer| buffer.size() < u64::from(length) * 4)
        {
            let bytes = short.size();
            return Err(ScanError::Short { length, bytes });
        }
        let tiles = length.div_ceil(SCAN_TILE);
        let words = SCRATCH_HEADER + tiles;
        let storage =
            wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let scratch = buffer(&gpu.device, "mote.scan.scratch", u64::from(words) * 4, storage);
        let mut job = Job {
            dispatches: Vec::new(),
            scratch,
            clears: way == Way::LookBack,
        };
        if length == 0 {
            return Ok(job);
        }
        let params = ScanParams {
            length,
            publish_every: match publish {
                Publish::All => 1,
                Publish::Every(n) => n,
                Publish::None => 0,
            },
            ..ScanParams::default()
        };
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let bytes = bytes_of(&params);
        let uniform = buffer(&gpu.device, "mote.scan.params", bytes.len() as u64, uniform);
        gpu.queue.write_buffer(&uniform, 0, bytes);
        let reduce = (way == Way::Tiles).then_some(REDUCE);
        for part in reduce.into_iter().chain([last_part(way)]) {
            let (layout, pipeline) = &self.parts[part];
            let entries: Vec<wgpu::BindGroupEntry<'_>> = PARTS[part]
                .bindings
                .iter()
                .enumerate()
                .map(|(binding, declared)| wgpu::BindGroupEntry {
                    binding: binding as u32,
                    resource: match declared.name {
                        "params" => &uniform,
                        "input" => input,
                        "output" => output,
                        _ => &job.scratch,
                    }
                    .as_entire_binding(),
                })
                .collect();
            let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("mote.scan"),
                layout,
                entries: &entries,
            });
            let groups = if way == Way::One { 1 } else { tiles };
            job.dispatches.push((pipeline.clone(), group, groups));
        }
        Ok(job)
    }
}

/// A prepared scan.
#[derive(Debug)]
pub struct Job {
    dispatches: Vec<(wgpu::ComputePipeline, wgpu::BindGroup, u32)>,
    scratch: wgpu::Buffer,
    clears: bool,
}

impl Job {
    /// Records the scan of what the input then holds.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        if self.dispatches.is_empty() {
            return;
        }
        if self.clears {
            encoder.clear_buffer(&self.scratch, 0, None);
        }
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("mote.scan"),
            timestamp_writes: None,
        });
        for (pipeline, group, groups) in &self.dispatches {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(*groups, 1, 1);
        }
    }

    /// What tiles know, from word 2 on; word 1 of a look-back counts the tiles that were summed for another.
    #[must_use]
    pub fn scratch(&self) -> &wgpu::Buffer {
        &self.scratch
    }
}

fn make(device: &wgpu::Device, part: &Part) -> (wgpu::BindGroupLayout, wgpu::ComputePipeline) {
    note_pipeline_request();
    let label = format!("mote.scan.{}", part.name);
    let layout = bind_group_layout(device, part.name, part.bindings.iter().map(|d| d.access));
    // The files are part of the program, and every module is composed and validated in tests.
    let text = text(part).map(|composed| composed.text).unwrap_or_default();
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(&label),
        source: wgpu::ShaderSource::Wgsl(text.into()),
    });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(&label),
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(&label),
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    (layout, pipeline)
}
