//! `mote render`: a picture of an effect at a moment.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;
use glam::Vec3;

use super::run::{DriverChoice, RunOptions, from_zero, kit};
use super::{Failure, input, output};
use crate::play::{Driver, Picture, Player, Shown};
use crate::render::{Background, OrbitCamera};

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct Render {
    /// A document or compiled effect.
    file: PathBuf,
    /// The PNG file to write.
    #[arg(short, long)]
    output: PathBuf,
    /// Effect time of the picture, in seconds.
    #[arg(long, default_value_t = 1.0, value_parser = from_zero)]
    time: f64,
    /// Width and height in pixels.
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
        output::ending(&self.output, "png")?;
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
        let frames = (self.time / (self.run.step * self.run.speed)).round() as u64;
        self.run.run(&mut player, frames)?;
        let camera = match self.camera {
            Some(CameraChoice { eye, target }) => looking(eye, target),
            None => framed(&player, driver)?,
        };
        let picture = picture(
            &mut player,
            driver,
            &camera,
            self.size.width,
            self.size.height,
            self.grid,
        )?;
        picture.save(&self.output)?;
        output::line(&format!(
            "{}: {}×{} at {:.3} s",
            self.output.display(),
            self.size.width,
            self.size.height,
            player.time()
        ));
        Ok(ExitCode::SUCCESS)
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

fn framed(player: &Player, driver: Driver) -> Result<OrbitCamera, Failure> {
    let mut camera = OrbitCamera {
        yaw: 0.4,
        pitch: 0.12,
        ..OrbitCamera::default()
    };
    if let Some((min, max)) = player.bounds(driver)? {
        camera.frame(min, max);
    }
    Ok(camera)
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
