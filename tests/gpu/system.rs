//! The door for a game: a system stepped and drawn inside somebody's own pass.

use mote::artifact::{Burst, Emission};
use mote::draw::Targets;
use mote::gpu::pipelines::pipeline_requests;
use mote::gpu::readback::read_words;
use mote::host::{Placement, Pose};
use mote::render::OrbitCamera;
use mote::system::{ParticleSystem, SystemDescriptor};

use crate::support::{effect, gpu};

const SIZE: u32 = 64;

/// One sprite of two metres at the origin that never dies.
fn sprite() -> std::sync::Arc<mote::artifact::Effect> {
    let text = ".registers 3\ninit:\n load_builtin.3 r0, emitter_position\n store_field.3 w4, r0\n store_field.1 w7, 2.0\nupdate:\n";
    let burst = Burst::once(1);
    effect(
        text,
        Emission {
            bursts: vec![burst],
            ..Emission::default()
        },
    )
}

fn texture(format: wgpu::TextureFormat, usage: wgpu::TextureUsages) -> wgpu::Texture {
    gpu().0.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d {
            width: SIZE,
            height: SIZE,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    })
}

/// Steps and draws over a depth buffer that holds `depth` everywhere; whether the middle is lit, and whether the
/// depth is still what it was.
fn lit(system: &mut ParticleSystem, depth: f32, dt: f64) -> bool {
    let (gpu, _) = gpu();
    let color = texture(wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureUsages::COPY_SRC);
    let depths = texture(wgpu::TextureFormat::Depth32Float, wgpu::TextureUsages::COPY_SRC);
    let view = OrbitCamera {
        target: glam::Vec3::ZERO,
        yaw: 0.0,
        pitch: 0.0,
        distance: 10.0,
        fov_y: 0.4,
    };
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    system.step(gpu, &mut encoder, dt, &[view.view(SIZE, SIZE)]);
    {
        let (color, depths) = (
            color.create_view(&Default::default()),
            depths.create_view(&Default::default()),
        );
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &color,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &depths,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(depth),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        system.draw(&mut pass, 0);
        system.draw(&mut pass, 9);
    }
    let read = |texture: &wgpu::Texture, encoder: &mut wgpu::CommandEncoder| {
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(SIZE * SIZE * 4),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(SIZE * 4),
                    rows_per_image: None,
                },
            },
            wgpu::Extent3d {
                width: SIZE,
                height: SIZE,
                depth_or_array_layers: 1,
            },
        );
        buffer
    };
    let (pixels, kept) = (read(&color, &mut encoder), read(&depths, &mut encoder));
    gpu.queue.submit([encoder.finish()]);
    let middle = (SIZE / 2 * SIZE + SIZE / 2) as usize;
    assert_eq!(
        f32::from_bits(read_words(gpu, &kept).unwrap()[middle]),
        depth,
        "depth is tested, never written"
    );
    read_words(gpu, &pixels).unwrap()[middle] & 0xff > 100
}

#[test]
fn system_plays_inside_a_pass_and_is_hidden_by_what_is_nearer() {
    let _counting = crate::support::counting();
    crate::pixels::kit();
    let targets = Targets {
        color: wgpu::TextureFormat::Rgba8Unorm,
        depth: Some(wgpu::TextureFormat::Depth32Float),
        reversed: false,
        samples: 1,
    };
    let mut system = ParticleSystem::new(
        &gpu().0,
        SystemDescriptor {
            particles: 64,
            ..SystemDescriptor::new(targets)
        },
    )
    .unwrap();
    assert!(!lit(&mut system, 1.0, 1.0 / 60.0), "nothing plays yet");
    let id = system.place(sprite(), Placement::default()).unwrap();
    assert!(lit(&mut system, 1.0, 1.0 / 60.0));
    assert!(!lit(&mut system, 0.0, 1.0 / 60.0), "something nearer hides it");
    assert!(lit(&mut system, 1.0, 0.0), "a pause shows what was there");
    let before = pipeline_requests();
    let other = system
        .place(
            sprite(),
            Placement {
                pose: Pose::at([9.0, 0.0, 0.0]).into(),
                seed: 2,
                ..Placement::default()
            },
        )
        .unwrap();
    system.reload(id, sprite()).unwrap();
    assert!(lit(&mut system, 1.0, 1.0 / 60.0));
    assert_eq!(pipeline_requests(), before);
    system.remove(id).unwrap();
    assert!(!lit(&mut system, 1.0, 1.0 / 60.0), "its particles went with it");
    system.remove(other).unwrap();
    assert!(system.remove(other).is_err());
    assert!(!lit(&mut system, 1.0, 1.0 / 60.0));
    assert!(!lit(&mut system, 1.0, f64::NAN));
}
