//! One compute module by itself over buffers of words: a pass held to its twin without the rest of a step.

use bytemuck::{bytes_of, cast_slice};

use super::device::Gpu;
use super::pass::{Access, Binding, PASSES, Pass, PassId, VARIANTS};
use super::pipelines::{bind_group_layout, note_pipeline_request};
use super::pool::buffer;
use super::readback::{ReadError, read_words};
use super::shader::compose::{ComposeError, Composed};
use super::shader::generated::{Declared, compose_host};
use crate::host::rows::{FrameParams, WORKGROUP_SIZE};

/// A pass as a module of its own: its storage buffers stand in order of their numbers behind the frame's uniform.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// The shader file; its entry is `main`.
    pub path: &'static str,
    bindings: &'static [Binding],
}

/// Poses of the hierarchy: one thread a transform row.
pub const TRANSFORMS: Source = Source::of(PassId::Transforms);

/// Poses into fields: one thread a binding.
pub const FIELD_BIND: Source = Source::of(PassId::FieldBind);

impl Source {
    const fn of(pass: PassId) -> Self {
        let Pass { shader, bindings, .. } = &PASSES[pass as usize];
        Self {
            path: shader,
            bindings,
        }
    }

    fn declared(self) -> impl Iterator<Item = Declared> {
        self.bindings.iter().copied().map(Declared::from)
    }

    /// The module's text.
    ///
    /// # Errors
    /// [`ComposeError`].
    pub fn compose(self) -> Result<Composed, ComposeError> {
        compose_host(self.path, self.declared(), VARIANTS[0])
    }
}

/// A module on a device.
#[derive(Debug)]
pub struct Kernel {
    gpu: Gpu,
    source: Source,
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
}

impl Kernel {
    /// Makes the module's pipeline.
    ///
    /// # Errors
    /// [`ComposeError`].
    pub fn new(gpu: &Gpu, source: Source) -> Result<Self, ComposeError> {
        Self::rewritten(gpu, source, |text| text)
    }

    /// The same with a changed text, to see that a comparison finds what is wrong with it.
    ///
    /// # Errors
    /// [`ComposeError`].
    pub fn rewritten(gpu: &Gpu, source: Source, rewrite: fn(String) -> String) -> Result<Self, ComposeError> {
        let text = rewrite(source.compose()?.text);
        let device = &gpu.device;
        let label = Some(source.path);
        let layout = bind_group_layout(device, source.path, source.declared().map(|d| d.access));
        note_pipeline_request();
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label,
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        let over = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label,
            layout: Some(&over),
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        Ok(Self {
            gpu: gpu.clone(),
            source,
            layout,
            pipeline,
        })
    }

    /// Runs so many threads over buffers of these words, one a declaration, and puts what the module wrote
    /// back into them. Buffers are filled with zeroes to a multiple of 64 bytes, so none is empty.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn run(
        &self,
        frame: &FrameParams,
        threads: u32,
        contents: &mut [&mut Vec<u32>],
    ) -> Result<(), ReadError> {
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        let both = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let filled = |bytes: &[u8], usage| {
            let size = (bytes.len() as u64).max(1).next_multiple_of(64);
            let made = buffer(device, self.source.path, size, usage | both);
            queue.write_buffer(&made, 0, bytes);
            made
        };
        let buffers: Vec<wgpu::Buffer> =
            std::iter::once(filled(bytes_of(frame), wgpu::BufferUsages::UNIFORM))
                .chain(
                    contents
                        .iter()
                        .map(|words| filled(cast_slice(words), wgpu::BufferUsages::STORAGE)),
                )
                .collect();
        let entries: Vec<wgpu::BindGroupEntry<'_>> = buffers
            .iter()
            .enumerate()
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding: binding as u32,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(self.source.path),
            layout: &self.layout,
            entries: &entries,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(threads.div_ceil(WORKGROUP_SIZE), 1, 1);
        }
        queue.submit([encoder.finish()]);
        let declared = self.source.bindings.iter().zip(&buffers).skip(1);
        for ((binding, buffer), words) in declared.zip(contents.iter_mut()) {
            if binding.access == Access::Write {
                let read = read_words(&self.gpu, buffer)?;
                let length = words.len();
                words.copy_from_slice(&read[..length]);
            }
        }
        Ok(())
    }
}
