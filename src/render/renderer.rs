//! The preview's frame: ground, particles, tone.

use std::sync::Arc;

use bytemuck::bytes_of;

use super::tone::{SHOULDER, SRGB};
use crate::base::gpu_struct::GpuStruct as _;
use crate::draw::blended::{PoolView, uniform_entry};
use crate::draw::view::ViewParams;
use crate::draw::{Blended, Targets, View};
use crate::gpu::pipelines::note_pipeline_request;
use crate::gpu::shader::compose::{ComposeError, Composed};
use crate::gpu::shader::generated::compose_module;
use crate::gpu::{Gpu, Pool};
use crate::gpu_struct;

/// The format light is gathered in.
pub const HDR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// The format of the finished picture: sRGB codes, as a window toolkit expects them.
pub const OUTPUT_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// What particles are drawn into here.
pub const TARGETS: Targets = Targets {
    color: HDR_FORMAT,
    depth: Some(DEPTH_FORMAT),
    reversed: false,
    samples: 1,
};

gpu_struct! {
    /// The preview's surroundings as the ground shader reads them.
    pub struct SceneParams {
        /// Colour below the horizon, linear.
        below: [f32; 4],
        /// Colour above it, linear.
        above: [f32; 4],
        /// Colour of grid lines, linear.
        line: [f32; 4],
        /// x: 1 where the grid is shown; w: metres over which it fades.
        grid: [f32; 4],
    }
}

/// What is behind the particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Background {
    /// Colour below the horizon, linear.
    pub below: [f32; 3],
    /// Colour above it, linear.
    pub above: [f32; 3],
    /// Whether the ground grid is drawn.
    pub grid: bool,
}

impl Default for Background {
    fn default() -> Self {
        Self {
            below: [0.010, 0.011, 0.013],
            above: [0.020, 0.022, 0.027],
            grid: true,
        }
    }
}

impl Background {
    /// One colour everywhere, no grid.
    #[must_use]
    pub const fn plain(color: [f32; 3]) -> Self {
        Self {
            below: color,
            above: color,
            grid: false,
        }
    }
}

/// Pipelines of the preview, made once a device.
#[derive(Debug)]
pub struct Renderer {
    blended: Arc<Blended>,
    ground: wgpu::RenderPipeline,
    ground_layout: wgpu::BindGroupLayout,
    tone: wgpu::RenderPipeline,
    tone_layout: wgpu::BindGroupLayout,
}

/// Textures of one picture.
#[derive(Debug)]
pub struct Target {
    size: [u32; 2],
    hdr: wgpu::TextureView,
    depth: wgpu::TextureView,
    output: wgpu::Texture,
    output_view: wgpu::TextureView,
    view_params: wgpu::Buffer,
    scene_params: wgpu::Buffer,
    ground_group: wgpu::BindGroup,
    tone_group: wgpu::BindGroup,
    pool_view: PoolView,
}

/// The ground module, for tests.
///
/// # Errors
/// [`ComposeError`].
pub fn compose_ground() -> Result<Composed, ComposeError> {
    let declarations = format!(
        "{}{}@group(0) @binding(0) var<uniform> view: ViewParams;\n@group(0) @binding(1) var<uniform> scene: SceneParams;\n",
        ViewParams::wgsl_struct(),
        SceneParams::wgsl_struct()
    );
    compose_module("view/ground.wgsl", &declarations)
}

/// The tone module, for tests.
///
/// # Errors
/// [`ComposeError`].
pub fn compose_tone() -> Result<Composed, ComposeError> {
    let mut declarations = format!("const TONE_SHOULDER: f32 = {SHOULDER:?}f;\n");
    for (name, value) in SRGB {
        declarations.push_str(&format!("const {name}: f32 = {value:?}f;\n"));
    }
    declarations.push_str("@group(0) @binding(0) var hdr: texture_2d<f32>;\n");
    compose_module("view/tone.wgsl", &declarations)
}

impl Renderer {
    /// Asks for all pipelines of the preview.
    #[must_use]
    pub fn new(gpu: &Gpu) -> Self {
        let device = &gpu.device;
        let ground_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("mote.view.ground"),
            entries: &[
                uniform_entry(0, wgpu::ShaderStages::FRAGMENT),
                uniform_entry(1, wgpu::ShaderStages::FRAGMENT),
            ],
        });
        let tone_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("mote.view.tone"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::FRAGMENT,
                ty: wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: false },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
                count: None,
            }],
        });
        // Both texts are part of the program and validated in a test.
        let text = |composed: Result<Composed, ComposeError>| composed.map(|c| c.text).unwrap_or_default();
        let ground = full_screen(
            device,
            "mote.view.ground",
            text(compose_ground()),
            &ground_layout,
            HDR_FORMAT,
            true,
        );
        let tone = full_screen(
            device,
            "mote.view.tone",
            text(compose_tone()),
            &tone_layout,
            OUTPUT_FORMAT,
            false,
        );
        Self {
            blended: Blended::new(gpu, TARGETS),
            ground,
            ground_layout,
            tone,
            tone_layout,
        }
    }

    /// Textures of a picture of this size, at least one pixel each way.
    #[must_use]
    pub fn target(&self, gpu: &Gpu, width: u32, height: u32) -> Target {
        let device = &gpu.device;
        let most = device.limits().max_texture_dimension_2d;
        let size = [width.clamp(1, most), height.clamp(1, most)];
        let texture = |label, format, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d {
                    width: size[0],
                    height: size[1],
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            })
        };
        let sampled = wgpu::TextureUsages::TEXTURE_BINDING;
        let view = |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let hdr = view(&texture("mote.view.hdr", HDR_FORMAT, sampled));
        let depth = view(&texture("mote.view.depth", DEPTH_FORMAT, sampled));
        let output = texture(
            "mote.view.output",
            OUTPUT_FORMAT,
            sampled | wgpu::TextureUsages::COPY_SRC,
        );
        let uniform = |label, words: u32| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: u64::from(words) * 4,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let view_params = uniform("mote.view.params", ViewParams::words());
        let scene_params = uniform("mote.view.scene", SceneParams::words());
        let ground_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("mote.view.ground"),
            layout: &self.ground_layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: view_params.as_entire_binding(),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: scene_params.as_entire_binding(),
                },
            ],
        });
        let tone_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("mote.view.tone"),
            layout: &self.tone_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(&hdr),
            }],
        });
        Target {
            size,
            hdr,
            depth,
            output_view: view(&output),
            output,
            view_params,
            scene_params,
            ground_group,
            tone_group,
            pool_view: self.blended.pool_view(gpu),
        }
    }

    /// Records a picture of a pool. None draws the surroundings alone.
    pub fn render(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &mut Target,
        pool: Option<&Pool>,
        view: &View,
        background: &Background,
    ) {
        let scene = SceneParams {
            below: extend(background.below),
            above: extend(background.above),
            line: [0.16, 0.17, 0.19, 1.0],
            grid: [if background.grid { 1.0 } else { 0.0 }, 0.0, 0.0, 18.0],
        };
        gpu.queue
            .write_buffer(&target.view_params, 0, bytes_of(&view.params()));
        gpu.queue.write_buffer(&target.scene_params, 0, bytes_of(&scene));
        if let Some(pool) = pool {
            self.blended.prepare(gpu, pool, &mut target.pool_view, view);
        }
        let color = |view, load| {
            Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load,
                    store: wgpu::StoreOp::Store,
                },
            })
        };
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("mote.view.scene"),
                color_attachments: &[color(&target.hdr, wgpu::LoadOp::Clear(wgpu::Color::BLACK))],
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &target.depth,
                    depth_ops: Some(wgpu::Operations {
                        load: wgpu::LoadOp::Clear(1.0),
                        store: wgpu::StoreOp::Discard,
                    }),
                    stencil_ops: None,
                }),
                timestamp_writes: None,
                occlusion_query_set: None,
                multiview_mask: None,
            });
            pass.set_pipeline(&self.ground);
            pass.set_bind_group(0, &target.ground_group, &[]);
            pass.draw(0..3, 0..1);
            if let Some(pool) = pool {
                self.blended.draw(&mut pass, pool, &target.pool_view);
            }
        }
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("mote.view.tone"),
            color_attachments: &[color(
                &target.output_view,
                wgpu::LoadOp::Clear(wgpu::Color::BLACK),
            )],
            depth_stencil_attachment: None,
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        pass.set_pipeline(&self.tone);
        pass.set_bind_group(0, &target.tone_group, &[]);
        pass.draw(0..3, 0..1);
    }
}

impl Target {
    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The finished picture.
    #[must_use]
    pub fn output(&self) -> &wgpu::Texture {
        &self.output
    }

    /// The finished picture, to sample.
    #[must_use]
    pub fn output_view(&self) -> &wgpu::TextureView {
        &self.output_view
    }
}

fn extend(rgb: [f32; 3]) -> [f32; 4] {
    [rgb[0], rgb[1], rgb[2], 1.0]
}

fn full_screen(
    device: &wgpu::Device,
    label: &str,
    text: String,
    layout: &wgpu::BindGroupLayout,
    format: wgpu::TextureFormat,
    depth: bool,
) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(text.into()),
    });
    note_pipeline_request();
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(label),
        layout: Some(&device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: &[Some(layout)],
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
                format,
                blend: None,
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: depth.then(|| wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(false),
            depth_compare: Some(wgpu::CompareFunction::Always),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState::default(),
        multiview_mask: None,
        cache: None,
    })
}
