//! Particles blended into the caller's own pass, in the order of the alive list.

use std::sync::Arc;

use bytemuck::bytes_of;
use wgpu::util::DeviceExt as _;

use super::disc::{DISC_SIZE, soft_disc};
use super::view::{View, ViewParams};
use crate::artifact::Blend;
use crate::base::gpu_struct::GpuStruct as _;
use crate::gpu::pipelines::note_pipeline_request;
use crate::gpu::shader::compose::{ComposeError, Composed};
use crate::gpu::shader::generated::compose_module;
use crate::gpu::{Gpu, Pool};
use crate::host::rows::args;

/// The targets of the pass particles are drawn into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Targets {
    /// Colour format; linear and of at least 16 bits for light above 1.
    pub color: wgpu::TextureFormat,
    /// Depth format; particles are tested against it and never write it. None is no test.
    pub depth: Option<wgpu::TextureFormat>,
    /// Nearer is larger.
    pub reversed: bool,
    /// Samples of the pass.
    pub samples: u32,
}

/// The blended path: one pipeline, one draw for all emitters of a pool.
#[derive(Debug)]
pub struct Blended {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    sprite: wgpu::TextureView,
    sampler: wgpu::Sampler,
}

/// A pool's bind group for a view, kept while neither is made anew.
#[derive(Debug)]
pub struct PoolView {
    params: wgpu::Buffer,
    group: Option<wgpu::BindGroup>,
    version: u64,
}

impl PoolView {
    /// Bytes of its buffer.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.params.size()
    }
}

/// A sprite is drawn at least so many pixels wide and high, and fainter in proportion.
pub const SMALLEST_PIXELS: f32 = 1.5;

/// The billboard module, for tests.
///
/// # Errors
/// [`ComposeError`].
pub fn compose_billboard() -> Result<Composed, ComposeError> {
    let declarations = format!(
        "{}\
         const SMALLEST_PIXELS: f32 = {SMALLEST_PIXELS:?}f;\n\
         const BLEND_ADDITIVE: u32 = {}u;\n\
         const BLEND_PREMULTIPLIED: u32 = {}u;\n\
         @group(0) @binding(0) var<uniform> view: ViewParams;\n\
         @group(0) @binding(1) var<storage, read> pool: array<vec4u>;\n\
         @group(0) @binding(2) var<storage, read> alive: array<u32>;\n\
         @group(0) @binding(3) var<storage, read> emitters: array<u32>;\n\
         @group(0) @binding(4) var<storage, read> transforms: array<vec4f>;\n\
         @group(0) @binding(5) var sprite: texture_2d<f32>;\n\
         @group(0) @binding(6) var sprite_sampler: sampler;\n",
        ViewParams::wgsl_struct(),
        Blend::Additive as u32,
        Blend::Premultiplied as u32,
    );
    compose_module("draw/billboard.wgsl", &declarations)
}

impl Blended {
    /// Asks for the pipeline.
    #[must_use]
    pub fn new(gpu: &Gpu, targets: Targets) -> Arc<Self> {
        let device = &gpu.device;
        let storage = |binding| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::VERTEX,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: true },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("mote.draw.layout"),
            entries: &[
                uniform_entry(0, wgpu::ShaderStages::VERTEX),
                storage(1),
                storage(2),
                storage(3),
                storage(4),
                wgpu::BindGroupLayoutEntry {
                    binding: 5,
                    visibility: wgpu::ShaderStages::FRAGMENT,
                    ty: wgpu::BindingType::Texture {
                        sample_type: wgpu::TextureSampleType::Float { filterable: true },
                        view_dimension: wgpu::TextureViewDimension::D2,
                        multisampled: false,
                    },
                    count: None,
                },
                wgpu::BindGroupLayoutEntry {
                    binding: 6,
                    visibility: wgpu::ShaderStages::FRAGMENT,
                    ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                    count: None,
                },
            ],
        });
        // The text is part of the program and validated in a test.
        let text = compose_billboard()
            .map(|composed| composed.text)
            .unwrap_or_default();
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("mote.draw.billboard"),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        note_pipeline_request();
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("mote.draw.billboard"),
            layout: Some(&device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("mote.draw.billboard"),
                bind_group_layouts: &[Some(&layout)],
                immediate_size: 0,
            })),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fs_main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: targets.color,
                    blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: targets.depth.map(|format| wgpu::DepthStencilState {
                format,
                depth_write_enabled: Some(false),
                depth_compare: Some(if targets.reversed {
                    wgpu::CompareFunction::GreaterEqual
                } else {
                    wgpu::CompareFunction::LessEqual
                }),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: targets.samples,
                ..Default::default()
            },
            multiview_mask: None,
            cache: None,
        });
        let sprite = device.create_texture_with_data(
            &gpu.queue,
            &wgpu::TextureDescriptor {
                label: Some("mote.draw.soft_disc"),
                size: wgpu::Extent3d {
                    width: DISC_SIZE,
                    height: DISC_SIZE,
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba8Unorm,
                usage: wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            },
            wgpu::util::TextureDataOrder::LayerMajor,
            &soft_disc(),
        );
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("mote.draw.sampler"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let sprite = sprite.create_view(&wgpu::TextureViewDescriptor::default());
        Arc::new(Self {
            pipeline,
            layout,
            sprite,
            sampler,
        })
    }

    /// What a view of a pool keeps between frames.
    #[must_use]
    pub fn pool_view(&self, gpu: &Gpu) -> PoolView {
        let params = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("mote.draw.view"),
            size: u64::from(ViewParams::words()) * 4,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        PoolView {
            params,
            group: None,
            version: 0,
        }
    }

    /// Writes the view and makes the bind group where the pool's buffers changed; before the pass.
    pub fn prepare(&self, gpu: &Gpu, pool: &Pool, pool_view: &mut PoolView, view: &View) {
        gpu.queue
            .write_buffer(&pool_view.params, 0, bytes_of(&view.params()));
        if pool_view.version != pool.version() {
            pool_view.version = pool.version();
            pool_view.group = None;
        }
        let group = &mut pool_view.group;
        if group.is_none() {
            let buffers = [
                &pool_view.params,
                pool.records(),
                pool.alive(),
                pool.emitters(),
                pool.transforms(),
            ];
            let mut entries: Vec<wgpu::BindGroupEntry<'_>> = buffers
                .into_iter()
                .enumerate()
                .map(|(binding, buffer)| wgpu::BindGroupEntry {
                    binding: binding as u32,
                    resource: buffer.as_entire_binding(),
                })
                .collect();
            entries.push(wgpu::BindGroupEntry {
                binding: 5,
                resource: wgpu::BindingResource::TextureView(&self.sprite),
            });
            entries.push(wgpu::BindGroupEntry {
                binding: 6,
                resource: wgpu::BindingResource::Sampler(&self.sampler),
            });
            *group = Some(gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("mote.draw.pool"),
                layout: &self.layout,
                entries: &entries,
            }));
        }
    }

    /// Draws what was prepared: one indirect draw.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, pool: &Pool, pool_view: &PoolView) {
        if let Some(group) = &pool_view.group {
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.draw_indirect(pool.args(), u64::from(args::DRAW) * 4);
        }
    }
}

/// A uniform buffer's layout entry.
pub(crate) fn uniform_entry(binding: u32, visibility: wgpu::ShaderStages) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    }
}
