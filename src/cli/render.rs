//! `mote render`: pictures of an effect from a moment on.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;
use glam::Vec3;

use super::run::{DriverChoice, RunOptions, from_zero, kit};
use super::sequence::{Form, Grid, Writer};
use super::{Failure, input, output};
use crate::play::{Driver, Picture, Player, Shown};
use crate::render::{Background, OrbitCamera};

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct Render {
    /// A document or compiled effect.
    file: PathBuf,
    /// What to write: a .png, a .gif that loops, or a folder of numbered PNG files.
    #[arg(short, long)]
    output: PathBuf,
    /// How many pictures; two seconds of them where a .gif or a folder is written.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    frames: Option<u32>,
    /// Pictures a second of effect time.
    #[arg(long, default_value_t = 30.0, value_parser = frame_rate)]
    fps: f64,
    /// Write all pictures into one PNG file, row by row, as a flipbook: COLUMNSxROWS.
    #[arg(long, value_name = "CxR")]
    sheet: Option<Grid>,
    /// Effect time of the first picture, in seconds.
    #[arg(long, default_value_t = 1.0, value_parser = from_zero)]
    time: f64,
    /// Width and height of a picture, in pixels.
    #[arg(long, default_value = "512x512")]
    size: Size,
    /// Who moves the particles; on a software adapter the processor, else the graphics device.
    #[arg(long, value_enum)]
    driver: Option<DriverChoice>,
    /// Eye and target in metres, as `x,y,z:x,y,z`; without it the particles fill the picture.
    #[arg(long, allow_hyphen_values = true)]
    camera: Option<CameraChoice>,
    /// Draw the ground grid.
    #[arg(long)]
    grid: bool,
    #[command(flatten)]
    run: RunOptions,
}

/// A picture's size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Size {
    width: u32,
    height: u32,
}

impl FromStr for Size {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text
            .split_once('x')
            .and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
        match parts {
            Some((width, height)) if (1..=8192).contains(&width) && (1..=8192).contains(&height) => {
                Ok(Self { width, height })
            }
            _ => Err(format!(
                "{text:?} is no size; write WIDTHxHEIGHT, each from 1 to 8192"
            )),
        }
    }
}

/// A camera given by hand.
#[derive(Debug, Clone, Copy, PartialEq)]
struct CameraChoice {
    eye: Vec3,
    target: Vec3,
}

impl FromStr for CameraChoice {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let point = |part: &str| -> Option<Vec3> {
            let numbers: Vec<f32> = part
                .split(',')
                .map(|n| n.trim().parse().ok())
                .collect::<Option<_>>()?;
            Some(Vec3::from_array(numbers.try_into().ok()?)).filter(|v| v.is_finite())
        };
        let points = text
            .split_once(':')
            .and_then(|(eye, target)| Some((point(eye)?, point(target)?)));
        match points {
            Some((eye, target)) if eye != target => Ok(Self { eye, target }),
            Some(_) => Err(format!(
                "{text:?} looks from a point at the same point; eye and target must differ"
            )),
            _ => Err(format!(
                "{text:?} is no camera; write x,y,z:x,y,z for eye and target"
            )),
        }
    }
}

impl Render {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let size = [self.size.width, self.size.height];
        let form = Form::of(&self.output, self.sheet)?;
        let count = self.frames.unwrap_or_else(|| form.usual_count(self.fps));
        form.check(count, size)?;
        output::distinct(&self.output, &[&self.file])?;
        let effect = input::effect(&self.file)?;
        let kit = kit(std::slice::from_ref(&effect))?;
        let driver = match self.driver {
            Some(choice) => choice.driver(),
            None if kit.gpu.is_software() => Driver::Cpu,
            None => Driver::Gpu,
        };
        let shown = if driver == Driver::Gpu {
            Shown::Gpu
        } else {
            Shown::Cpu
        };
        let mut player = self.run.player(Some(kit), shown, effect)?;
        // Each picture at the step nearest to its time.
        let dt = self.run.step * self.run.speed;
        let moment = |k: u32| ((self.time + f64::from(k) / self.fps) / dt).round() as u64;
        let mut writer = Writer::new(form, &self.output, self.fps, size)?;
        let camera = match self.camera {
            Some(CameraChoice { eye, target }) => looking(eye, target),
            None => {
                // What all pictures show must fit, so it is played through once before.
                let mut seen = None;
                self.visit(&mut player, count, moment, "framing", |player| {
                    seen = union(seen, player.bounds(driver)?);
                    Ok(())
                })?;
                if count > 1 {
                    player.restart()?;
                }
                framed(seen)
            }
        };
        let what = if count > 1 { "drawing" } else { "" };
        self.visit(&mut player, count, moment, what, |player| {
            writer.take(picture(player, driver, &camera, size[0], size[1], self.grid)?)
        })?;
        writer.finish()?;
        let frames = if count > 1 {
            format!("{count} pictures of ")
        } else {
            String::new()
        };
        output::line(&format!(
            "{}: {frames}{}×{} {} {:.3} s",
            self.output.display(),
            size[0],
            size[1],
            if count > 1 { "to" } else { "at" },
            player.time()
        ));
        Ok(ExitCode::SUCCESS)
    }

    /// Plays to each moment in turn.
    fn visit(
        &self,
        player: &mut Player,
        count: u32,
        moment: impl Fn(u32) -> u64,
        what: &str,
        mut look: impl FnMut(&mut Player) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let bar = match count {
            1 => None,
            count => Some(output::progress(u64::from(count), what)),
        };
        let dt = self.run.step * self.run.speed;
        for k in 0..count {
            let done = (player.time() / dt).round() as u64;
            self.run.run(player, moment(k).saturating_sub(done))?;
            look(player)?;
            if let Some(bar) = &bar {
                bar.inc(1);
            }
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        Ok(())
    }
}

/// Pictures a second.
fn frame_rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.01..=1000.0).contains(&value) => Ok(value),
        _ => Err(format!(
            "{text:?} is no rate; write pictures a second, from 0.01 to 1000"
        )),
    }
}

type Bounds = Option<(Vec3, Vec3)>;

/// The box around both.
fn union(a: Bounds, b: Bounds) -> Bounds {
    match (a, b) {
        (Some((low, high)), Some((lower, higher))) => Some((low.min(lower), high.max(higher))),
        (a, b) => a.or(b),
    }
}

fn looking(eye: Vec3, target: Vec3) -> OrbitCamera {
    let back = (eye - target).normalize_or_zero();
    OrbitCamera {
        target,
        yaw: back.x.atan2(back.z),
        pitch: back.y.clamp(-1.0, 1.0).asin(),
        distance: eye.distance(target),
        ..OrbitCamera::default()
    }
}

fn framed(seen: Bounds) -> OrbitCamera {
    let mut camera = OrbitCamera {
        yaw: 0.4,
        pitch: 0.12,
        ..OrbitCamera::default()
    };
    if let Some((min, max)) = seen {
        camera.frame(min, max);
    }
    camera
}

fn picture(
    player: &mut Player,
    driver: Driver,
    camera: &OrbitCamera,
    width: u32,
    height: u32,
    grid: bool,
) -> Result<Picture, Failure> {
    let kit = player
        .kit()
        .cloned()
        .ok_or("there is no graphics device to draw with")?;
    let mut target = kit.renderer.target(&kit.gpu, width, height);
    let background = Background {
        grid,
        ..Background::default()
    };
    player.draw(driver, &mut target, &camera.view(width, height), &background);
    Ok(Picture::read(&kit.gpu, &target)?)
}
