//! The simulation: the GPU driver of a pool. It records the pass list over the pool's buffers and its own.

use std::sync::Arc;

use bytemuck::{bytes_of, cast_slice};

use super::device::Gpu;
use super::pass::{BufferId, Dispatch, PASSES, PassId};
use super::pipelines::Pipelines;
use super::pool::{Pool, buffer, upload};
use crate::base::gpu_struct::GpuStruct as _;
use crate::host::rows::{FrameParams, WORKGROUP_SIZE};
use crate::host::{Frame, Stage};

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
    /// By parity, then by pass.
    groups: [Vec<wgpu::BindGroup>; 2],
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
        let params = FrameParams {
            state_base: pool.state_base(),
            pool_capacity: pool.capacity(),
            ..frame.params
        };
        gpu.queue.write_buffer(&self.frame, 0, bytes_of(&params));
        self.refresh_groups(gpu, pool);

        pool.current = 1 - pool.current;
        let groups = &self.groups[pool.current];
        let mut compute = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("mote.sim.step"),
            timestamp_writes: None,
        });
        for (pass, count) in PASSES.iter().zip(&mut self.counts) {
            count.1 = 0;
            let threads = match pass.dispatch {
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
            match pass.dispatch {
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
    }

    fn refresh_groups(&mut self, gpu: &Gpu, pool: &Pool) {
        if self.groups_version == Some(pool.version()) {
            return;
        }
        self.groups_version = Some(pool.version());
        self.groups = [0, 1].map(|parity| {
            PASSES
                .iter()
                .map(|pass| self.group(gpu, pool, pass.id, parity))
                .collect()
        });
    }

    fn group(&self, gpu: &Gpu, pool: &Pool, pass: PassId, parity: usize) -> wgpu::BindGroup {
        let entries: Vec<wgpu::BindGroupEntry<'_>> = pass
            .pass()
            .bindings
            .iter()
            .enumerate()
            .map(|(index, binding)| wgpu::BindGroupEntry {
                binding: index as u32,
                resource: self.buffer(pool, binding.buffer, parity).as_entire_binding(),
            })
            .collect();
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(pass.pass().name),
            layout: self.pipelines.layout(pass),
            entries: &entries,
        })
    }

    fn buffer<'a>(&'a self, pool: &'a Pool, id: BufferId, parity: usize) -> &'a wgpu::Buffer {
        match id {
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
        }
    }
}
