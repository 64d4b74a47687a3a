//! The simulation: the GPU driver of a pool. It records the pass list over the pool's buffers and its own.

use std::sync::Arc;

use bytemuck::{bytes_of, cast_slice};

use super::device::Gpu;
use super::pass::{BACKINGS, Backing, BufferId, Dispatch, PASSES, Pass};
use super::pipelines::Pipelines;
use super::pool::{Pool, buffer, upload};
use super::shader::generated::SPARE_SLOTS;
use crate::base::gpu_struct::GpuStruct as _;
use crate::host::rows::{FrameParams, WIDE_GROUPS, WORKGROUP_SIZE};
use crate::host::{Frame, Stage};
use crate::vm::WindField;

/// Dispatches of the last step by pass name.
pub type DispatchCounts = [(&'static str, u32); PASSES.len()];

/// Buffers and bind groups of the passes.
#[derive(Debug)]
pub struct Simulation {
    pipelines: Arc<Pipelines>,
    frame: wgpu::Buffer,
    program: wgpu::Buffer,
    sums: wgpu::Buffer,
    commands: wgpu::Buffer,
    /// Registers of a wide launch, slot by slot; as small as can be until a program needs them.
    registers: wgpu::Buffer,
    /// The wind's points, and which field they are of.
    wind: wgpu::TextureView,
    wind_of: Option<Arc<WindField>>,
    /// By parity, then by pass.
    groups: [Vec<wgpu::BindGroup>; 2],
    groups_backing: Backing,
    groups_version: Option<u64>,
    counts: DispatchCounts,
    stale: bool,
}

impl Simulation {
    /// The passes, over nothing yet.
    #[must_use]
    pub fn new(gpu: &Gpu, pipelines: Arc<Pipelines>) -> Self {
        let storage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let device = &gpu.device;
        Self {
            pipelines,
            frame: buffer(
                device,
                "mote.sim.frame",
                u64::from(FrameParams::words()) * 4,
                uniform,
            ),
            program: buffer(device, "mote.sim.program", 16, storage),
            sums: buffer(device, "mote.sim.sums", 256, storage),
            commands: buffer(device, "mote.sim.commands", 512, storage),
            registers: buffer(device, "mote.sim.registers", 16, storage),
            wind: wind_texture(gpu, None),
            wind_of: None,
            groups_backing: BACKINGS[0],
            groups: [Vec::new(), Vec::new()],
            groups_version: None,
            counts: PASSES.map(|pass| (pass.name, 0)),
            stale: true,
        }
    }

    /// Dispatches of the last step.
    #[must_use]
    pub fn dispatches(&self) -> &DispatchCounts {
        &self.counts
    }

    /// Everything is uploaded whole next time, because changes were missed.
    pub fn invalidate(&mut self) {
        self.stale = true;
    }

    /// Uploads what the stage changed and records one step. One step belongs in one submission: the step's
    /// numbers are written through the queue. The caller ends the step on the stage.
    pub fn step(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        pool: &mut Pool,
        stage: &Stage,
        frame: &Frame,
    ) {
        self.upload(gpu, pool, stage);
        let backing = Pipelines::backing(frame.registers);
        let most = WIDE_GROUPS * WORKGROUP_SIZE;
        let wide_lanes = pool.capacity().min(most).next_multiple_of(WORKGROUP_SIZE);
        let params = FrameParams {
            state_base: pool.state_base(),
            pool_capacity: pool.capacity(),
            wide_lanes,
            ..frame.params
        };
        gpu.queue.write_buffer(&self.frame, 0, bytes_of(&params));
        if backing == Backing::Wide {
            self.reserve_registers(gpu, frame.registers, wide_lanes);
        }
        self.refresh_groups(gpu, pool, backing);

        pool.current = 1 - pool.current;
        let groups = &self.groups[pool.current];
        let mut compute = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("mote.sim.step"),
            timestamp_writes: None,
        });
        for (pass, count) in PASSES.iter().zip(&mut self.counts) {
            count.1 = 0;
            let dispatch = pass.dispatch_of(backing);
            let threads = match dispatch {
                Dispatch::One => 1,
                Dispatch::Rows => params.row_count,
                Dispatch::Commands => params.command_count,
                Dispatch::Indirect(_) => WORKGROUP_SIZE,
            };
            if threads == 0 {
                continue;
            }
            count.1 = 1;
            compute.set_pipeline(self.pipelines.get(pass.id, frame.registers));
            compute.set_bind_group(0, &groups[pass.id as usize], &[]);
            match dispatch {
                Dispatch::Indirect(word) => {
                    compute.dispatch_workgroups_indirect(&pool.args, u64::from(word) * 4);
                }
                Dispatch::One => compute.dispatch_workgroups(1, 1, 1),
                _ => compute.dispatch_workgroups(threads.div_ceil(WORKGROUP_SIZE), 1, 1),
            }
        }
    }

    fn upload(&mut self, gpu: &Gpu, pool: &mut Pool, stage: &Stage) {
        pool.upload_tables(gpu, stage);
        let storage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let heap = stage.heap();
        let words = heap.words();
        if self.program.size() < words.len() as u64 * 4 {
            self.program = buffer(&gpu.device, "mote.sim.program", words.len() as u64 * 4, storage);
            self.groups_version = None;
            self.stale = true;
        }
        upload(&gpu.queue, &self.program, words, heap.dirty(), self.stale);
        self.stale = false;
        let rows = u64::from(stage.row_count()) * 4;
        if self.sums.size() < rows {
            self.sums = buffer(&gpu.device, "mote.sim.sums", rows.next_power_of_two(), storage);
            self.groups_version = None;
        }
        let commands: &[u8] = cast_slice(stage.commands());
        if self.commands.size() < commands.len() as u64 {
            let size = (commands.len() as u64).next_power_of_two();
            self.commands = buffer(&gpu.device, "mote.sim.commands", size, storage);
            self.groups_version = None;
        }
        if !commands.is_empty() {
            gpu.queue.write_buffer(&self.commands, 0, commands);
        }
        let same = match (&self.wind_of, stage.wind()) {
            (Some(had), Some(now)) => Arc::ptr_eq(had, now),
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.wind_of = stage.wind().cloned();
            self.wind = wind_texture(gpu, stage.wind().map(AsRef::as_ref));
            self.groups_version = None;
        }
    }

    /// Makes room for the registers of a wide launch. What they held does not matter: a verified program reads
    /// none it has not written.
    fn reserve_registers(&mut self, gpu: &Gpu, slots: u32, lanes: u32) {
        let bytes = u64::from(slots + SPARE_SLOTS) * u64::from(lanes) * 4;
        if self.registers.size() < bytes {
            self.registers = buffer(
                &gpu.device,
                "mote.sim.registers",
                bytes,
                wgpu::BufferUsages::STORAGE,
            );
            self.groups_version = None;
        }
    }

    fn refresh_groups(&mut self, gpu: &Gpu, pool: &Pool, backing: Backing) {
        // Private classes share their bind groups.
        let wide = |backing| backing == Backing::Wide;
        let same = wide(self.groups_backing) == wide(backing);
        if self.groups_version == Some(pool.version()) && same {
            return;
        }
        self.groups_version = Some(pool.version());
        self.groups_backing = backing;
        self.groups = [0, 1].map(|parity| {
            PASSES
                .iter()
                .map(|pass| self.group(gpu, pool, pass, parity))
                .collect()
        });
    }

    fn group(&self, gpu: &Gpu, pool: &Pool, pass: &Pass, parity: usize) -> wgpu::BindGroup {
        let entries: Vec<wgpu::BindGroupEntry<'_>> = pass
            .bindings_of(self.groups_backing)
            .enumerate()
            .map(|(index, binding)| wgpu::BindGroupEntry {
                binding: index as u32,
                resource: match self.buffer(pool, binding.buffer, parity) {
                    Some(buffer) => buffer.as_entire_binding(),
                    None => wgpu::BindingResource::TextureView(&self.wind),
                },
            })
            .collect();
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(pass.name),
            layout: self.pipelines.layout(pass.id, self.groups_backing),
            entries: &entries,
        })
    }

    /// The buffer of an id; none for the wind, which is a texture.
    fn buffer<'a>(&'a self, pool: &'a Pool, id: BufferId, parity: usize) -> Option<&'a wgpu::Buffer> {
        Some(match id {
            BufferId::Frame => &self.frame,
            BufferId::Pool => &pool.records,
            BufferId::AliveIn => &pool.lists[1 - parity],
            BufferId::Alive => &pool.lists[parity],
            BufferId::Dead => &pool.dead,
            BufferId::Counters => &pool.counters,
            BufferId::Sums => &self.sums,
            BufferId::Emitters => &pool.emitters,
            BufferId::Program => &self.program,
            BufferId::Transforms => &pool.transforms,
            BufferId::Commands => &self.commands,
            BufferId::Args => &pool.args,
            BufferId::Registers => &self.registers,
            BufferId::Wind => return None,
        })
    }
}

/// A texture of a field's points, or of one still point.
pub(crate) fn wind_texture(gpu: &Gpu, field: Option<&WindField>) -> wgpu::TextureView {
    use wgpu::util::DeviceExt as _;
    let still = [[0.0; 4]];
    let (size, points) = field.map_or(([1; 3], &still[..]), |f| (f.size(), f.points()));
    let descriptor = wgpu::TextureDescriptor {
        label: Some("mote.sim.wind"),
        size: wgpu::Extent3d {
            width: size[0],
            height: size[1],
            depth_or_array_layers: size[2],
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D3,
        format: wgpu::TextureFormat::Rgba32Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    };
    let order = wgpu::util::TextureDataOrder::LayerMajor;
    let texture = gpu
        .device
        .create_texture_with_data(&gpu.queue, &descriptor, order, cast_slice(points));
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
