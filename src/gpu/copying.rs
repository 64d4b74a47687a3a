//! A kernel that reads and writes every record of a pool and changes none: the floor that a pass over records is
//! measured against.

use bytemuck::bytes_of;

use super::device::Gpu;
use super::pass::{Access, Binding, BufferId};
use super::pipelines::{bind_group_layout, note_pipeline_request};
use super::pool::{Pool, buffer};
use super::shader::compose::{ComposeError, Composed};
use super::shader::generated::{Declared, bindings, compose_module};
use super::timings::PassTimer;
use crate::base::gpu_struct::GpuStruct as _;
use crate::host::rows::{FrameParams, MAX_GROUPS_X, WORKGROUP_SIZE};

/// Names of the ways, in the order of their times: a thread a record, and a workgroup its records in order of their
/// places, which memory likes best.
pub const WAYS: [&str; 2] = ["main", "in_order"];

const BINDINGS: [Binding; 2] = [
    Binding {
        buffer: BufferId::Frame,
        access: Access::Uniform,
    },
    Binding {
        buffer: BufferId::Pool,
        access: Access::Write,
    },
];

/// The text of the module.
///
/// # Errors
/// [`ComposeError`].
pub fn text() -> Result<Composed, ComposeError> {
    compose_module("bench/copy.wgsl", &bindings(declared()))
}

fn declared() -> impl Iterator<Item = Declared> {
    BINDINGS.into_iter().map(Declared::from)
}

/// The kernel over one pool.
#[derive(Debug)]
pub struct Copying {
    pipelines: Vec<wgpu::ComputePipeline>,
    group: wgpu::BindGroup,
    groups: [u32; 2],
    timer: PassTimer,
}

impl Copying {
    /// Makes it for a pool. None where the device has no timestamps: then there is nothing to measure.
    ///
    /// # Errors
    /// [`ComposeError`].
    pub fn new(gpu: &Gpu, pool: &Pool) -> Result<Option<Self>, ComposeError> {
        let Some(timer) = PassTimer::new(gpu, &WAYS) else {
            return Ok(None);
        };
        let (device, label) = (&gpu.device, Some("mote.copying"));
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let frame = buffer(
            device,
            "mote.copying.frame",
            u64::from(FrameParams::words()) * 4,
            usage,
        );
        let params = FrameParams {
            pool_capacity: pool.capacity(),
            max_groups_x: MAX_GROUPS_X,
            ..FrameParams::default()
        };
        gpu.queue.write_buffer(&frame, 0, bytes_of(&params));
        let layout = bind_group_layout(device, "copying", declared().map(|d| d.access));
        let entries: Vec<wgpu::BindGroupEntry<'_>> = [&frame, pool.records()]
            .into_iter()
            .enumerate()
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding: binding as u32,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label,
            layout: &layout,
            entries: &entries,
        });
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label,
            source: wgpu::ShaderSource::Wgsl(text()?.text.into()),
        });
        let over = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = |entry: &'static str| {
            note_pipeline_request();
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label,
                layout: Some(&over),
                module: &module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            })
        };
        let count = pool.capacity().div_ceil(WORKGROUP_SIZE);
        let groups = [count.min(MAX_GROUPS_X), count.div_ceil(MAX_GROUPS_X)];
        Ok(Some(Self {
            pipelines: WAYS.map(pipeline).to_vec(),
            group,
            groups,
            timer,
        }))
    }

    /// Records every way once.
    pub fn record(&mut self, encoder: &mut wgpu::CommandEncoder) {
        for (way, pipeline) in self.pipelines.iter().enumerate() {
            let mut compute = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("mote.copying"),
                timestamp_writes: self.timer.begin(way),
            });
            compute.set_pipeline(pipeline);
            compute.set_bind_group(0, &self.group, &[]);
            compute.dispatch_workgroups(self.groups[0], self.groups[1], 1);
        }
        self.timer.resolve(encoder);
    }

    /// Which recording the latest times are of, from 1, and microseconds of each of [`WAYS`] in it. None before the
    /// first have come back. Call it after a recording has been submitted.
    pub fn times(&mut self, gpu: &Gpu) -> Option<(u64, [f64; 2])> {
        self.timer.poll(gpu);
        let &[each, in_order] = self.timer.latest()? else {
            return None;
        };
        Some((self.timer.latest_frame(), [each, in_order]))
    }
}
