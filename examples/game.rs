//! A game's part: a window, a device of its own, and a compiled effect in three places. No editor and no compiler is
//! in it: `cargo run --no-default-features --example game -- FILE.motefx`.
//!
//! Space fires a burst, R starts over, Escape leaves; moving the mouse sets the effect's first parameter. A file that is
//! written anew is loaded at once. With `--frames N` there is no window: N steps are taken and the digest of what lives is
//! printed, as `mote stats FILE --frames N` does.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use mote::artifact::Effect;
use mote::draw::{Targets, View};
use mote::glam::{self, Mat4, Vec3};
use mote::gpu::{Gpu, Snapshot, requirements};
use mote::host::{InstanceId, Placement, Pose};
use mote::reference::digest::{digest, live_particles};
use mote::system::{ParameterId, ParticleSystem, SystemDescriptor};
use mote::wgpu;
use winit::application::ApplicationHandler;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::{Window, WindowId};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: game FILE.motefx [--frames N]";
    let path = PathBuf::from(arguments.next().ok_or(usage)?);
    match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => {
            let events = EventLoop::new()?;
            let mut app = App {
                path,
                playing: None,
                failed: None,
            };
            events.run_app(&mut app)?;
            app.failed.map_or(Ok(()), Err)
        }
        (Some("--frames"), Some(frames)) => headless(&path, frames.parse()?),
        _ => Err(usage.into()),
    }
}

fn load(path: &Path) -> Outcome<Arc<Effect>> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Effect::load(&bytes).map_err(|error| format!("{}: {error}", path.display()))?)
}

/// One instance through exact steps, and what lives then.
fn headless(path: &Path, frames: u32) -> Outcome<()> {
    let gpu = Gpu::headless()?;
    let targets = Targets {
        color: wgpu::TextureFormat::Rgba16Float,
        depth: None,
        reversed: false,
        samples: 1,
    };
    let mut particles = ParticleSystem::new(&gpu, SystemDescriptor::new(targets))?;
    particles.place(
        load(path)?,
        Placement {
            seed: 1,
            ..Placement::default()
        },
    )?;
    // A step of no time runs the pre-warm, if there is one.
    for dt in std::iter::once(0.0).chain((0..frames).map(|_| 1.0 / 60.0)) {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        particles.step(&gpu, &mut encoder, dt, &[]);
        gpu.queue.submit([encoder.finish()]);
    }
    let stage = particles.stage();
    let snapshot = Snapshot::read(&gpu, particles.pool(), stage.row_count())?;
    let live = live_particles(stage, snapshot.live_records());
    println!("alive {}  digest {:016x}", live.len(), digest(stage, &live));
    Ok(())
}

/// The window's application.
struct App {
    path: PathBuf,
    playing: Option<Game>,
    failed: Option<Box<dyn Error>>,
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.playing.is_none() {
            match Game::new(events, &self.path) {
                Ok(game) => self.playing = Some(game),
                Err(error) => {
                    self.failed = Some(error);
                    events.exit();
                }
            }
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(game) = &mut self.playing else { return };
        let done = match event {
            WindowEvent::CloseRequested => {
                events.exit();
                Ok(())
            }
            WindowEvent::Resized(size) => {
                game.resize([size.width, size.height]);
                Ok(())
            }
            WindowEvent::KeyboardInput { event, .. } => game.key(events, &event),
            WindowEvent::CursorMoved { position, .. } => game.steer(position.x as f32),
            WindowEvent::RedrawRequested => game.frame(),
            _ => Ok(()),
        };
        if let Err(error) = done {
            self.failed = Some(error);
            events.exit();
        }
    }
}

struct Game {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    gpu: Gpu,
    particles: ParticleSystem,
    path: PathBuf,
    effect: Arc<Effect>,
    changed: Option<SystemTime>,
    /// The middle one moves.
    instances: Vec<InstanceId>,
    knob: Option<ParameterId>,
    start: Instant,
    last: Instant,
}

impl Game {
    fn new(events: &ActiveEventLoop, path: &Path) -> Outcome<Self> {
        let effect = load(path)?;
        let attributes = Window::default_attributes().with_title(format!("{} - a game", effect.name));
        let window = Arc::new(events.create_window(attributes)?);
        let display = Box::new(events.owned_display_handle());
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle_from_env(
            display,
        ));
        let surface = instance.create_surface(Arc::clone(&window))?;
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            compatible_surface: Some(&surface),
            ..Default::default()
        }))?;
        let wants = requirements(&adapter);
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_features: wants.features,
            required_limits: wants.limits,
            ..Default::default()
        }))?;
        let size = window.inner_size();
        let config = surface
            .get_default_config(&adapter, size.width.max(1), size.height.max(1))
            .ok_or("this adapter cannot draw into the window")?;
        surface.configure(&device, &config);
        let gpu = Gpu::from_parts(instance, adapter, device, queue);

        // A real game draws particles into its HDR target, with its depth, before its tone curve.
        let targets = Targets {
            color: config.format,
            depth: None,
            reversed: false,
            samples: 1,
        };
        let mut particles = ParticleSystem::new(&gpu, SystemDescriptor::new(targets))?;
        let placements = [-2.0, 0.0, 2.0].map(|x: f32| Placement {
            pose: Pose::at([x, 0.0, 0.0]).into(),
            seed: x.to_bits(),
            ..Placement::default()
        });
        let mut instances = Vec::new();
        particles.place_many(&effect, &placements, &mut instances)?;
        let knob = effect.parameters.first().map(|parameter| parameter.name.clone());
        let now = Instant::now();
        Ok(Self {
            knob: knob.map(|name| particles.parameter(&name)),
            window,
            surface,
            config,
            gpu,
            particles,
            path: path.to_owned(),
            effect,
            changed: modified(path),
            instances,
            start: now,
            last: now,
        })
    }

    fn resize(&mut self, size: [u32; 2]) {
        [self.config.width, self.config.height] = size.map(|pixels| pixels.max(1));
        self.surface.configure(&self.gpu.device, &self.config);
        self.window.request_redraw();
    }

    fn key(&mut self, events: &ActiveEventLoop, event: &KeyEvent) -> Outcome<()> {
        if event.state != ElementState::Pressed {
            return Ok(());
        }
        match &event.logical_key {
            Key::Named(NamedKey::Escape) => events.exit(),
            Key::Named(NamedKey::Space) => self.particles.burst(self.instances[1], 0, 50)?,
            Key::Character(key) if key == "r" => {
                for &id in &self.instances {
                    self.particles.restart(id)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The mouse sets the first parameter within its range.
    fn steer(&mut self, x: f32) -> Outcome<()> {
        let (Some(knob), Some(parameter)) = (self.knob, self.effect.parameters.first()) else {
            return Ok(());
        };
        let part = (x / self.config.width as f32).clamp(0.0, 1.0);
        let [low, high] = parameter.range.unwrap_or([0.0, 1.0]);
        for &id in &self.instances {
            self.particles.set(id, knob, [low + (high - low) * part; 4])?;
        }
        Ok(())
    }

    /// A file that was written anew replaces the effect that plays; one that cannot be read or placed changes nothing.
    fn reload(&mut self) {
        let now = modified(&self.path);
        if now == self.changed {
            return;
        }
        self.changed = now;
        let swapped = load(&self.path).and_then(|new| {
            self.particles.reload_all(&self.effect, &new)?;
            Ok(new)
        });
        match swapped {
            Ok(new) => self.effect = new,
            Err(error) => eprintln!("the effect stays as it was: {error}"),
        }
    }

    fn frame(&mut self) -> Outcome<()> {
        self.reload();
        let now = Instant::now();
        let dt = now.duration_since(std::mem::replace(&mut self.last, now));
        let angle = self.start.elapsed().as_secs_f32();
        let place = Pose::at([angle.cos(), 0.0, angle.sin()]);
        self.particles.set_pose(self.instances[1], place)?;

        let size = [self.config.width as f32, self.config.height as f32];
        let view = View {
            view_from_world: Mat4::from_translation(Vec3::new(0.0, -1.2, -6.0)),
            clip_from_view: glam::camera::rh::proj::directx::perspective(0.8, size[0] / size[1], 0.1, 100.0),
            viewport: size,
        };
        // One step in its own submission, then the game's pass.
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        self.particles
            .step(&self.gpu, &mut encoder, dt.as_secs_f64(), &[view]);
        self.gpu.queue.submit([encoder.finish()]);

        let target = match self.surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(target) => target,
            wgpu::CurrentSurfaceTexture::Occluded | wgpu::CurrentSurfaceTexture::Timeout => return Ok(()),
            _ => {
                self.surface.configure(&self.gpu.device, &self.config);
                self.window.request_redraw();
                return Ok(());
            }
        };
        let texture = target.texture.create_view(&Default::default());
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let night = wgpu::Color {
            r: 0.01,
            g: 0.012,
            b: 0.02,
            a: 1.0,
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &texture,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(night),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        self.particles.draw(&mut pass, 0);
        drop(pass);
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.queue.present(target);
        self.window.request_redraw();
        Ok(())
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|data| data.modified()).ok()
}
