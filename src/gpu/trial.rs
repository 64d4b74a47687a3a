//! Trials on the device: programs over records that belong to no emitter, through the same interpreter as the
//! passes, with private registers and with registers in a buffer.

use bytemuck::{bytes_of, cast_slice};

use super::device::Gpu;
use super::pass::{Access, Backing, BufferId, Code, Decode, VARIANTS, Variant, WIDE};
use super::pipelines::{bind_group_layout, class_of, note_pipeline_request};
use super::pool::buffer;
use super::readback::{ReadError, read_words};
use super::shader::generated::{Declared, SPARE_SLOTS, compose_host};
use super::simulation::wind_texture;
use crate::host::rows::{FrameParams, WIDE_GROUPS, WORKGROUP_SIZE};
use crate::isa::{Builtin, RECORD_WORDS};
use crate::vm::trial::{Job, Ran, Record, World};

/// First word of the built-ins in a trial's program buffer; seed, step and loop stand before them.
pub(crate) const BUILTIN_WORDS: u32 = 4;
/// Jobs of one dispatch: their records stay far below what any device can bind.
const JOBS_A_DISPATCH: usize = 4_096;

/// The pipelines of trials on a device, made when they are first needed.
#[derive(Debug)]
pub struct Trial {
    gpu: Gpu,
    pipelines: [Option<wgpu::ComputePipeline>; WIDE + 1],
    decode: Decode,
    rewrite: fn(String) -> String,
}

impl Trial {
    /// Trials on a device, of one way to decode.
    #[must_use]
    pub fn new(gpu: &Gpu, decode: Decode) -> Self {
        Self::rewritten(gpu, decode, |text| text)
    }

    /// Trials of a changed interpreter, to see that a comparison finds what is wrong with it.
    #[must_use]
    pub fn rewritten(gpu: &Gpu, decode: Decode, rewrite: fn(String) -> String) -> Self {
        Self {
            gpu: gpu.clone(),
            pipelines: Default::default(),
            decode,
            rewrite,
        }
    }

    /// Runs jobs, each on the smallest private class that holds its registers or all with registers in a
    /// buffer. Jobs with more registers than a private class has run in the buffer either way.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn run(&mut self, world: &World, jobs: &[Job], wide: bool) -> Result<Vec<Ran>, ReadError> {
        let mut results: Vec<Option<Ran>> = vec![None; jobs.len()];
        for class in 0..=WIDE {
            let of = |job: &Job| {
                if wide { WIDE } else { class_of(job.registers) }
            };
            let indices: Vec<usize> = (0..jobs.len()).filter(|&i| of(&jobs[i]) == class).collect();
            for chunk in indices.chunks(JOBS_A_DISPATCH) {
                let chunk_jobs: Vec<&Job> = chunk.iter().map(|&i| &jobs[i]).collect();
                for (&i, ran) in chunk.iter().zip(self.dispatch(world, &chunk_jobs, class)?) {
                    results[i] = Some(ran);
                }
            }
        }
        Ok(results.into_iter().flatten().collect())
    }

    fn dispatch(&mut self, world: &World, jobs: &[&Job], class: usize) -> Result<Vec<Ran>, ReadError> {
        let variant = VARIANTS[class].on(self.decode);
        let backing = variant.backing;
        let device = self.gpu.device.clone();
        let layout = bind_group_layout(&device, "trial", declared(backing).map(|d| d.access));
        let rewrite = self.rewrite;
        let pipeline = self.pipelines[class].get_or_insert_with(|| make(&device, &layout, variant, rewrite));

        let (program, table, global_base) = program_words(world, jobs);
        let lanes = WORKGROUP_SIZE as usize;
        let mut records: Vec<Record> = vec![[0; RECORD_WORDS as usize]; jobs.len() * lanes];
        for (job, slots) in jobs.iter().zip(records.chunks_mut(lanes)) {
            let count = job.records.len().min(lanes);
            slots[..count].copy_from_slice(&job.records[..count]);
        }
        let count = records.len() as u32;
        let wide_lanes = count.min(WIDE_GROUPS * WORKGROUP_SIZE);
        let params = FrameParams {
            row_count: jobs.len() as u32,
            pool_capacity: count,
            global_base,
            wide_lanes,
            ..FrameParams::default()
        }
        .with_wind(world.wind.as_ref());

        let storage =
            wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let queue = &self.gpu.queue;
        let filled = |name: &str, bytes: &[u8], usage| {
            let made = buffer(&device, name, bytes.len() as u64, usage);
            queue.write_buffer(&made, 0, bytes);
            made
        };
        let frame = filled("mote.trial.frame", bytes_of(&params), uniform);
        let pool = filled("mote.trial.pool", cast_slice(&records), storage);
        let program = filled("mote.trial.program", cast_slice(&program), storage);
        let table = filled("mote.trial.jobs", cast_slice(&table), storage);
        let outcome = buffer(&device, "mote.trial.outcome", u64::from(count) * 4, storage);
        let slots = jobs.iter().map(|job| job.registers).max().unwrap_or(0) + SPARE_SLOTS;
        let register_bytes = u64::from(slots) * u64::from(wide_lanes) * 4;
        let registers = (backing == Backing::Wide)
            .then(|| buffer(&device, "mote.trial.registers", register_bytes, storage));
        let wind = wind_texture(&self.gpu, world.wind.as_ref());
        let mut resources: Vec<wgpu::BindingResource<'_>> = [&frame, &pool, &program, &table, &outcome]
            .into_iter()
            .map(wgpu::Buffer::as_entire_binding)
            .collect();
        resources.push(wgpu::BindingResource::TextureView(&wind));
        resources.extend(registers.iter().map(wgpu::Buffer::as_entire_binding));
        let entries: Vec<wgpu::BindGroupEntry<'_>> = resources
            .into_iter()
            .enumerate()
            .map(|(binding, resource)| wgpu::BindGroupEntry {
                binding: binding as u32,
                resource,
            })
            .collect();
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("mote.trial"),
            layout: &layout,
            entries: &entries,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &group, &[]);
            let groups = jobs.len() as u32;
            let most = if backing == Backing::Wide {
                WIDE_GROUPS
            } else {
                groups
            };
            pass.dispatch_workgroups(groups.min(most), 1, 1);
        }
        queue.submit([encoder.finish()]);

        let words = read_words(&self.gpu, &pool)?;
        let ended = read_words(&self.gpu, &outcome)?;
        let (records, _) = words.as_chunks::<{ RECORD_WORDS as usize }>();
        let of = |(i, job): (usize, &&Job)| {
            let range = i * lanes..i * lanes + job.records.len().min(lanes);
            Ran {
                records: records[range.clone()].to_vec(),
                killed: ended[range].iter().map(|&word| word != 0).collect(),
            }
        };
        Ok(jobs.iter().enumerate().map(of).collect())
    }
}

/// What the shader binds, in order of number.
fn declared(backing: Backing) -> impl Iterator<Item = Declared> {
    let shared = |buffer: BufferId, access| {
        let (name, ty) = buffer.info();
        Declared { name, ty, access }
    };
    let own = |name, ty, access| Declared { name, ty, access };
    let registers = (backing == Backing::Wide).then(|| shared(BufferId::Registers, Access::Write));
    [
        shared(BufferId::Frame, Access::Uniform),
        shared(BufferId::Pool, Access::Write),
        shared(BufferId::Program, Access::Read),
        own("jobs", "array<vec4u>", Access::Read),
        own("outcome", "array<u32>", Access::Write),
        shared(BufferId::Wind, Access::Load),
    ]
    .into_iter()
    .chain(registers)
}

/// The text of a trial's module.
///
/// # Errors
/// What the composer says.
pub fn text(
    variant: Variant,
) -> Result<super::shader::compose::Composed, super::shader::compose::ComposeError> {
    let variant = Variant {
        code: Code::Storage,
        ..variant
    };
    compose_host("vm/trial.wgsl", declared(variant.backing), variant)
}

fn make(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    variant: Variant,
    rewrite: fn(String) -> String,
) -> wgpu::ComputePipeline {
    note_pipeline_request();
    // The file is part of the program, and a test composes and validates it.
    let text = rewrite(text(variant).map(|composed| composed.text).unwrap_or_default());
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("mote.trial"),
        source: wgpu::ShaderSource::Wgsl(text.into()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("mote.trial"),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("mote.trial"),
        layout: Some(&layout),
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    })
}

/// The program buffer, the table of jobs and the first word of the globals.
fn program_words(world: &World, jobs: &[&Job]) -> (Vec<u32>, Vec<[u32; 4]>, u32) {
    let mut words = vec![world.seed, world.step, world.loop_index, 0];
    for &builtin in Builtin::ALL {
        let [x, y, z] = world.builtins.get(builtin).map(f32::to_bits);
        words.extend([x, y, z, 0]);
    }
    let mut section = |part: &[u32]| {
        let first = words.len() as u32;
        words.extend_from_slice(part);
        // Reads of four words may reach past a section's end.
        words.resize((words.len() + 4).next_multiple_of(4), 0);
        first
    };
    let global_base = section(&world.globals);
    let fields = section(&world.emitter_fields);
    let table = jobs
        .iter()
        .map(|job| {
            let code = section(cast_slice(&job.code));
            let constants = section(cast_slice(&job.constants));
            [code, constants, fields, job.code.len() as u32]
        })
        .collect();
    (words, table, global_base)
}
