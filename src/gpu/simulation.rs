//! The simulation: the GPU driver of a pool. It records the pass list over the pool's buffers and its own.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytemuck::{bytes_of, cast_slice};

use super::device::Gpu;
use super::pass::{
    BUCKETING, Backing, BufferId, Dispatch, MOST_RUNS, PASSES, Pass, PassId, STEP_PASSES, VARIANTS,
};
use super::pipelines::Pipelines;
use super::pool::{Pool, buffer, upload};
use super::shader::generated::SPARE_SLOTS;
use super::straight::Straight;
use super::timings::PassTimer;
use super::warmup::Population;
use crate::base::gpu_struct::GpuStruct as _;
use crate::host::rows::{
    CODE_UNIFORM_WORDS, FrameParams, LIST_HEADER_WORDS, SCAN_ONE_MAX, SCAN_PARTIALS, SCAN_PUBLISHED,
    SCAN_TILE, SECTION_WORDS, WIDE_GROUPS, WORKGROUP_SIZE,
};
use crate::host::{Frame, Stage, Warmup};
use crate::vm::WindField;

/// Dispatches of the last step by pass name.
pub type DispatchCounts = [(&'static str, u32); PASSES.len()];

/// How long the passes of a step took on the device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassTimes {
    /// Which timed step it was, from 1.
    pub step: u64,
    /// Microseconds by pass name, in order; none for a pass that did not run.
    pub passes: [(&'static str, Option<f64>); PASSES.len()],
}

impl PassTimes {
    /// Microseconds of a pass; none where it did not run.
    #[must_use]
    pub fn of(&self, pass: PassId) -> Option<f64> {
        self.passes[pass as usize].1
    }

    /// Microseconds of all passes together.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.passes.iter().filter_map(|pass| pass.1).sum()
    }
}

/// Where dispatches are recorded.
#[allow(
    clippy::large_enum_variant,
    reason = "one lives on the stack for the length of a step; a box would allocate in it"
)]
enum Recording<'a> {
    /// All in one compute pass.
    Together(wgpu::ComputePass<'static>),
    /// Each in one of its own, which is timed.
    Apart(&'a mut wgpu::CommandEncoder, &'a mut PassTimer),
}

/// Buffers and bind groups of the passes.
#[derive(Debug)]
pub struct Simulation {
    pipelines: Arc<Pipelines>,
    frame: wgpu::Buffer,
    program: wgpu::Buffer,
    sums: wgpu::Buffer,
    commands: wgpu::Buffer,
    /// The hierarchy as it is staged.
    transform_rows: wgpu::Buffer,
    /// The caller's matrices, or one that nothing reads.
    matrices: wgpu::Buffer,
    /// Registers of a wide launch, slot by slot; as small as can be until a program needs them.
    registers: wgpu::Buffer,
    /// The wind's points, and which field they are of.
    wind: wgpu::TextureView,
    wind_of: Option<Arc<WindField>>,
    /// The list that simulate walks, then the section of each of its workgroups.
    sim: wgpu::Buffer,
    /// Programs that the list and the bucket tables have room for.
    bucket_capacity: u32,
    buckets: wgpu::Buffer,
    keys: wgpu::Buffer,
    /// Under which [`Frame::assignment`] the list was bucketed; none where it never was.
    bucketed: Option<u64>,
    /// By pass.
    groups: Vec<wgpu::BindGroup>,
    groups_backing: Backing,
    groups_version: Option<u64>,
    counts: DispatchCounts,
    stale: bool,
    /// While steps are timed.
    timer: Option<PassTimer>,
    /// How long wgpu took to encode what the last step recorded.
    encoding: Duration,
    /// What simulates instead of the interpreter.
    straight: Option<Straight>,
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
            program: program_buffer(device, 0),
            sim: buffer(device, "mote.sim.list", 16, storage),
            bucket_capacity: 0,
            buckets: buffer(device, "mote.sim.buckets", 16, storage),
            keys: buffer(device, "mote.sim.keys", 16, storage),
            bucketed: None,
            sums: buffer(device, "mote.sim.sums", 256, storage),
            commands: buffer(device, "mote.sim.commands", 512, storage),
            transform_rows: buffer(device, "mote.sim.transform_rows", 64, storage),
            matrices: buffer(device, "mote.sim.matrices", 64, storage),
            registers: buffer(device, "mote.sim.registers", 16, storage),
            wind: wind_texture(gpu, None),
            wind_of: None,
            groups_backing: VARIANTS[0].backing,
            groups: Vec::new(),
            groups_version: None,
            counts: PASSES.map(|pass| (pass.name, 0)),
            stale: true,
            timer: None,
            encoding: Duration::ZERO,
            straight: None,
        }
    }

    /// Whether every pipeline is there.
    #[must_use]
    pub fn all_ready(&self) -> bool {
        self.pipelines.all_ready()
    }

    /// Dispatches of the last step.
    #[must_use]
    pub fn dispatches(&self) -> &DispatchCounts {
        &self.counts
    }

    /// Times the passes of every step from now on, or no more. Each pass is then a compute pass of its own, which
    /// takes the device some microseconds; otherwise one compute pass holds the step. False where the device has no
    /// timestamps.
    pub fn set_timings(&mut self, gpu: &Gpu, on: bool) -> bool {
        if on && self.timer.is_none() {
            self.timer = PassTimer::with_runs(gpu, &PASSES.map(|pass| pass.name), MOST_RUNS);
        } else if !on {
            self.timer = None;
        }
        self.timer.is_some() == on
    }

    /// The times of the latest step that has come back, some steps late: it never waits. None before the first, and
    /// where nothing is timed. Call it after a step has been submitted.
    pub fn timings(&mut self, gpu: &Gpu) -> Option<PassTimes> {
        let timer = self.timer.as_mut()?;
        timer.poll(gpu);
        let times = timer.latest()?;
        let mut passes = PASSES.map(|pass| (pass.name, None));
        for (pass, time) in passes.iter_mut().zip(times) {
            pass.1 = time.is_finite().then_some(*time);
        }
        let step = timer.latest_frame();
        Some(PassTimes { step, passes })
    }

    /// How long wgpu took on the CPU to validate and encode what the last untimed step recorded: work of its own,
    /// beside what uploading and recording cost.
    #[must_use]
    pub fn encoding_time(&self) -> Duration {
        self.encoding
    }

    /// Simulates with programs written out as a shader, or with the interpreter again. The stage's programs must
    /// stay those that it was made of.
    pub fn set_straight(&mut self, straight: Option<Straight>) {
        self.straight = straight;
    }

    /// Name and bytes of each of its buffers.
    #[must_use]
    pub fn buffers(&self) -> [(&'static str, u64); 10] {
        [
            ("sim.frame", self.frame.size()),
            ("sim.program", self.program.size()),
            ("sim.list", self.sim.size()),
            ("sim.buckets", self.buckets.size()),
            ("sim.keys", self.keys.size()),
            ("sim.sums", self.sums.size()),
            ("sim.commands", self.commands.size()),
            ("sim.transform_rows", self.transform_rows.size()),
            ("sim.registers", self.registers.size()),
            ("sim.wind", u64::from(wind_points(&self.wind_of)) * 16),
        ]
    }

    /// Everything is uploaded whole next time, because changes were missed.
    pub fn invalidate(&mut self) {
        self.stale = true;
    }

    /// The buffer whose matrices [`PoseSource::Row`](crate::host::PoseSource::Row) reads: column-major, 64 bytes
    /// each; the stage is told how many there are. It needs the usage STORAGE.
    pub fn set_matrices(&mut self, buffer: &wgpu::Buffer) {
        if self.matrices != *buffer {
            self.matrices = buffer.clone();
            self.groups_version = None;
        }
    }

    /// What the next simulate walks, as far as [`Counter::SimPadded`](crate::host::rows::Counter::SimPadded): slots
    /// grouped by program. The section of each workgroup follows from [`Self::section_word`] on.
    #[must_use]
    pub fn list(&self) -> &wgpu::Buffer {
        &self.sim
    }

    /// First word of the sections in [`Self::list`].
    #[must_use]
    pub fn section_word(&self, pool: &Pool) -> u32 {
        list_words(pool.capacity(), self.bucket_capacity) + LIST_HEADER_WORDS
    }

    /// The programs as they lie on the device.
    #[must_use]
    pub fn programs(&self) -> &wgpu::Buffer {
        &self.program
    }

    /// Uploads what the stage changed in a pause, and lets everything stand where it stands: nothing is simulated,
    /// and no movement is taken for one.
    pub fn settle(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, pool: &mut Pool, stage: &Stage) {
        self.upload(gpu, pool, stage);
        let params = FrameParams {
            transform_count: stage.transforms().row_count(),
            matrix_count: stage.matrix_count(),
            ..FrameParams::default()
        };
        if params.transform_count == 0 {
            return;
        }
        gpu.queue.write_buffer(&self.frame, 0, bytes_of(&params));
        self.refresh_groups(gpu, pool, self.groups_backing);
        let mut compute = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("mote.sim.settle"),
            timestamp_writes: None,
        });
        let pass = PassId::Transforms;
        compute.set_pipeline(self.pipelines.get(pass, 0, false));
        compute.set_bind_group(0, &self.groups[pass as usize], &[]);
        compute.dispatch_workgroups(params.transform_count.div_ceil(WORKGROUP_SIZE), 1, 1);
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
        self.reserve_buckets(gpu, pool, frame.params.program_count);
        let backing = Pipelines::backing(frame.registers);
        let most = WIDE_GROUPS * WORKGROUP_SIZE;
        let wide_lanes = pool.capacity().min(most).next_multiple_of(WORKGROUP_SIZE);
        let params = FrameParams {
            state_base: pool.state_base(),
            occupancy_base: pool.occupancy_base(),
            binding_base: pool.binding_base(),
            row_capacity: pool.row_capacity(),
            pool_capacity: pool.capacity(),
            bucket_capacity: self.bucket_capacity,
            section_base: list_words(pool.capacity(), self.bucket_capacity),
            wide_lanes,
            ..frame.params
        };
        gpu.queue.write_buffer(&self.frame, 0, bytes_of(&params));
        if backing == Backing::Wide {
            self.reserve_registers(gpu, frame.registers, wide_lanes);
        }
        self.refresh_groups(gpu, pool, backing);

        // The timer is taken out for as long as the passes borrow it.
        let mut timer = self.timer.take();
        let mut recording = match &mut timer {
            Some(timer) => {
                timer.poll(gpu);
                Recording::Apart(encoder, timer)
            }
            None => Recording::Together(
                encoder
                    .begin_compute_pass(&wgpu::ComputePassDescriptor {
                        label: Some("mote.sim.step"),
                        timestamp_writes: None,
                    })
                    .forget_lifetime(),
            ),
        };
        self.counts.iter_mut().for_each(|count| count.1 = 0);
        // The list of a step before was grouped by programs that rows do not have any more.
        if self.bucketed.is_some_and(|at| at != frame.assignment) {
            for pass in BUCKETING {
                self.record(&mut recording, pool, pass.pass(), frame, &params);
            }
        }
        for pass in &PASSES[..STEP_PASSES] {
            self.record(&mut recording, pool, pass, frame, &params);
            if let (PassId::Simulate, Some(warmup)) = (pass.id, &frame.warmup) {
                self.warm_up(gpu, &mut recording, pool, frame, &params, warmup);
            }
        }
        self.bucketed = Some(frame.assignment);
        match recording {
            Recording::Together(compute) => {
                let start = Instant::now();
                drop(compute);
                self.encoding = start.elapsed();
            }
            Recording::Apart(encoder, timer) => timer.resolve(encoder),
        }
        self.timer = timer;
    }

    fn record(
        &mut self,
        recording: &mut Recording<'_>,
        pool: &Pool,
        pass: &Pass,
        frame: &Frame,
        params: &FrameParams,
    ) {
        let group = &self.groups[pass.id as usize];
        let recorded = self.dispatch(recording, pass, group, &pool.args, frame, params);
        self.counts[pass.id as usize].1 += recorded;
    }

    /// Runs the ticks of a pre-warm over a population of its own, and moves what lives into the pool.
    fn warm_up(
        &mut self,
        gpu: &Gpu,
        recording: &mut Recording<'_>,
        pool: &Pool,
        frame: &Frame,
        params: &FrameParams,
        warmup: &Warmup,
    ) {
        let population = Population::new(gpu, warmup, params);
        for (id, tick) in population.passes() {
            let pass = id.pass();
            let group = self.group(gpu, pool, pass, Some((&population, tick)));
            let recorded = self.dispatch(recording, pass, &group, &population.args, frame, params);
            self.counts[id as usize].1 += recorded;
        }
    }

    /// Records a pass over a bind group and says whether there was anything to do.
    fn dispatch(
        &self,
        recording: &mut Recording<'_>,
        pass: &Pass,
        group: &wgpu::BindGroup,
        args: &wgpu::Buffer,
        frame: &Frame,
        params: &FrameParams,
    ) -> u32 {
        let dispatch = pass.dispatch_of(self.groups_backing);
        let tiles = params.row_count.div_ceil(SCAN_TILE);
        let one = params.row_count <= SCAN_ONE_MAX;
        let groups = match dispatch {
            Dispatch::One | Dispatch::Indirect(_) => 1,
            Dispatch::Rows => params.row_count.div_ceil(WORKGROUP_SIZE),
            Dispatch::Commands => params.command_count.div_ceil(WORKGROUP_SIZE),
            Dispatch::Transforms => params.transform_count.div_ceil(WORKGROUP_SIZE),
            Dispatch::Bindings => params.binding_count.div_ceil(WORKGROUP_SIZE),
            Dispatch::Tiles => {
                if one {
                    0
                } else {
                    tiles
                }
            }
            Dispatch::Scan => {
                if one {
                    1
                } else {
                    tiles
                }
            }
        };
        if groups == 0 {
            return 0;
        }
        let mut own;
        let compute = match recording {
            Recording::Together(compute) => compute,
            Recording::Apart(encoder, timer) => {
                own = encoder
                    .begin_compute_pass(&wgpu::ComputePassDescriptor {
                        label: Some(pass.name),
                        timestamp_writes: timer.begin(pass.id as usize),
                    })
                    .forget_lifetime();
                &mut own
            }
        };
        let straight = self.straight.as_ref().filter(|_| pass.id == PassId::Simulate);
        compute.set_pipeline(match straight {
            Some(straight) => straight.pipeline(),
            None => self
                .pipelines
                .get(pass.id, frame.registers, frame.code_is_uniform),
        });
        compute.set_bind_group(0, group, &[]);
        match dispatch {
            Dispatch::Indirect(word) => {
                compute.dispatch_workgroups_indirect(args, u64::from(word) * 4);
            }
            _ => compute.dispatch_workgroups(groups, 1, 1),
        }
        1
    }

    /// Makes room for another number of programs. What the list held is bucketed again out of the alive list.
    fn reserve_buckets(&mut self, gpu: &Gpu, pool: &Pool, programs: u32) {
        if programs <= self.bucket_capacity && self.keys.size() >= u64::from(pool.capacity()) * 4 {
            return;
        }
        let storage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        self.bucket_capacity = programs.next_power_of_two().max(self.bucket_capacity).max(64);
        let words = list_words(pool.capacity(), self.bucket_capacity);
        let sections = LIST_HEADER_WORDS + words / WORKGROUP_SIZE * SECTION_WORDS;
        let bytes = |words: u32| u64::from(words) * 4;
        let device = &gpu.device;
        self.sim = buffer(device, "mote.sim.list", bytes(words) + bytes(sections), storage);
        // Count, size, start and cursor of each program.
        self.buckets = buffer(
            device,
            "mote.sim.buckets",
            bytes(self.bucket_capacity) * 4,
            storage,
        );
        self.keys = buffer(device, "mote.sim.keys", bytes(pool.capacity()), storage);
        self.groups_version = None;
        self.bucketed = self.bucketed.map(|_| u64::MAX);
    }

    fn upload(&mut self, gpu: &Gpu, pool: &mut Pool, stage: &Stage) {
        pool.upload_tables(gpu, stage);
        let storage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let heap = stage.heap();
        let words = heap.words();
        if self.program.size() < words.len() as u64 * 4 {
            self.program = program_buffer(&gpu.device, words.len() as u64 * 4);
            self.groups_version = None;
            self.stale = true;
        }
        upload(&gpu.queue, &self.program, words, heap.dirty(), self.stale);
        let table = stage.transforms();
        let bytes = table.words().len() as u64 * 4;
        let grown = self.transform_rows.size() < bytes;
        if grown {
            let size = bytes.next_power_of_two();
            self.transform_rows = buffer(&gpu.device, "mote.sim.transform_rows", size, storage);
            self.groups_version = None;
        }
        upload(
            &gpu.queue,
            &self.transform_rows,
            table.words(),
            table.dirty(),
            self.stale || grown,
        );
        self.stale = false;
        // The tiles' sums lie behind those of the rows.
        let sums = (u64::from(stage.row_count()) + u64::from(SCAN_PUBLISHED + SCAN_PARTIALS)) * 4;
        if self.sums.size() < sums {
            self.sums = buffer(&gpu.device, "mote.sim.sums", sums.next_power_of_two(), storage);
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
        let made = PASSES[..STEP_PASSES]
            .iter()
            .map(|pass| self.group(gpu, pool, pass, None))
            .collect();
        self.groups = made;
    }

    /// A pass's bind group; in a tick of a pre-warm over its buffers.
    fn group(
        &self,
        gpu: &Gpu,
        pool: &Pool,
        pass: &Pass,
        warm: Option<(&Population, u32)>,
    ) -> wgpu::BindGroup {
        let own = |id| warm.and_then(|(population, tick)| population.binding(id, tick));
        let entries: Vec<wgpu::BindGroupEntry<'_>> = pass
            .bindings_of(self.groups_backing)
            .enumerate()
            .map(|(index, binding)| wgpu::BindGroupEntry {
                binding: index as u32,
                resource: own(binding.buffer).unwrap_or_else(|| self.resource(pool, binding.buffer)),
            })
            .collect();
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(pass.name),
            layout: self.pipelines.layout(pass.id, self.groups_backing),
            entries: &entries,
        })
    }

    fn resource<'a>(&'a self, pool: &'a Pool, id: BufferId) -> wgpu::BindingResource<'a> {
        match (id, self.buffer(pool, id)) {
            (BufferId::Code, Some(buffer)) => wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer,
                offset: 0,
                size: std::num::NonZeroU64::new(u64::from(CODE_UNIFORM_WORDS) * 4),
            }),
            (_, Some(buffer)) => buffer.as_entire_binding(),
            (_, None) => wgpu::BindingResource::TextureView(&self.wind),
        }
    }

    /// The buffer of an id; none for the wind, which is a texture.
    fn buffer<'a>(&'a self, pool: &'a Pool, id: BufferId) -> Option<&'a wgpu::Buffer> {
        Some(match id {
            BufferId::Frame => &self.frame,
            BufferId::Pool | BufferId::MainPool => &pool.records,
            BufferId::Alive | BufferId::MainAlive => &pool.alive,
            BufferId::Sim => &self.sim,
            BufferId::Buckets => &self.buckets,
            BufferId::Keys => &self.keys,
            BufferId::Dead | BufferId::MainDead => &pool.dead,
            BufferId::Counters | BufferId::MainCounters => &pool.counters,
            BufferId::Sums => &self.sums,
            BufferId::Emitters => &pool.emitters,
            BufferId::Program | BufferId::ProgramWords | BufferId::Code => &self.program,
            BufferId::TransformRows => &self.transform_rows,
            BufferId::Matrices => &self.matrices,
            BufferId::Transforms => &pool.transforms,
            BufferId::Commands => &self.commands,
            BufferId::Args => &pool.args,
            BufferId::Registers => &self.registers,
            // Only a pre-warm has these, of its own.
            BufferId::AliveIn | BufferId::Flags | BufferId::Wind => return None,
        })
    }
}

/// Points of the wind's texture.
fn wind_points(wind: &Option<Arc<WindField>>) -> u32 {
    wind.as_ref().map_or(1, |field| field.points().len() as u32)
}

/// The program buffer of so many bytes, at least of the uniform window.
fn program_buffer(device: &wgpu::Device, bytes: u64) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::STORAGE
        | wgpu::BufferUsages::UNIFORM
        | wgpu::BufferUsages::COPY_DST
        | wgpu::BufferUsages::COPY_SRC;
    let least = u64::from(CODE_UNIFORM_WORDS) * 4;
    buffer(device, "mote.sim.program", bytes.max(least), usage)
}

/// Entries of the simulation list at the most: each program's part may be filled up by almost a workgroup.
fn list_words(particles: u32, programs: u32) -> u32 {
    particles.next_multiple_of(WORKGROUP_SIZE) + programs * WORKGROUP_SIZE
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
