//! What the commands that play an effect share: their options, a player set up by them, exact runs.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::Failure;
use crate::artifact::Effect;
use crate::artifact::emission::MAX_PREWARM;
use crate::gpu::Gpu;
use crate::isa::{Instruction, Op};
use crate::play::player::Kit;
use crate::play::transport::EXACT_STEP;
use crate::play::{Driver, Player, Shown};
use crate::vm::WindScene;

/// Who moves the particles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DriverChoice {
    /// The graphics device.
    Gpu,
    /// The reference on the processor.
    Cpu,
}

impl DriverChoice {
    pub(super) fn driver(self) -> Driver {
        match self {
            Self::Gpu => Driver::Gpu,
            Self::Cpu => Driver::Cpu,
        }
    }
}

/// Options of exact runs.
#[derive(Debug, Clone, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct RunOptions {
    /// The instance's seed.
    #[arg(long, default_value_t = 1)]
    pub seed: u32,
    /// Wall seconds a step, of any length: only live play cuts long ones.
    #[arg(long, default_value_t = EXACT_STEP, value_parser = positive)]
    pub step: f64,
    /// Effect seconds a wall second.
    #[arg(long, default_value_t = 1.0, value_parser = positive)]
    pub speed: f64,
    /// Seconds every emitter has run before the first step, in place of what the effect says.
    #[arg(long, value_name = "SECONDS", value_parser = prewarm)]
    pub prewarm: Option<f64>,
    /// Set a parameter, from the start or from a moment of effect time: NAME=VALUE or NAME=VALUE@SECONDS. A
    /// value of several numbers has commas.
    #[arg(long = "set", value_name = "NAME=VALUE[@T]")]
    pub set: Vec<Setting>,
    /// The wind of the world: its velocity as X,Y,Z in metres a second, or a JSON file of uniform wind, gusts and
    /// vortices. Without it the air is still.
    #[arg(long, value_name = "X,Y,Z|FILE", value_parser = wind, allow_hyphen_values = true)]
    pub wind: Option<WindScene>,
}

fn wind(text: &str) -> Result<WindScene, String> {
    let numbers: Result<Vec<f32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let scene = match numbers {
        Ok(numbers) => {
            let velocity = numbers
                .try_into()
                .map_err(|_| format!("{text:?} is not three numbers with commas between"))?;
            WindScene::from_uniform(velocity)
        }
        Err(_) => read_wind(Path::new(text))?,
    };
    scene.check().map_err(|error| error.to_string())?;
    Ok(scene)
}

/// Most bytes of a file that describes a wind.
const LONGEST_WIND: u64 = 1 << 20;

fn read_wind(path: &Path) -> Result<WindScene, String> {
    let at = |error: &dyn std::fmt::Display| format!("the wind's file {}: {error}", path.display());
    let size = std::fs::metadata(path).map_err(|error| {
        let text = path.display();
        format!("{text:?} is neither three numbers with commas between nor a file of a wind: {error}")
    })?;
    if size.len() > LONGEST_WIND {
        return Err(at(&format!("it is larger than {LONGEST_WIND} bytes")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| at(&error))?;
    serde_json::from_str(&text).map_err(|error| at(&error))
}

/// A number above 0.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
        _ => Err(format!("{text:?} is not a number above 0")),
    }
}

/// A number from 0 up.
pub(super) fn from_zero(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err(format!("{text:?} is not a number from 0 up")),
    }
}

fn prewarm(text: &str) -> Result<f64, String> {
    let seconds = from_zero(text)?;
    if seconds > f64::from(MAX_PREWARM) {
        return Err(format!("{text} s is too long; {MAX_PREWARM} s is the most"));
    }
    Ok(seconds)
}

/// A parameter set at a moment.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Setting {
    name: String,
    value: [f32; 4],
    /// How many numbers were given.
    count: u32,
    at: f64,
}

impl Setting {
    /// Sets the parameter of the name, else the emitter fields, else the global field.
    fn put(&self, player: &mut Player) -> Result<(), Failure> {
        let Some(effect) = player.effect().cloned() else {
            return Ok(());
        };
        let name = self.name.as_str();
        if let Some(parameter) = effect.parameters.iter().find(|p| p.name == name) {
            self.fits(parameter.ty.width())?;
            return Ok(player.set_parameter(name, self.value)?);
        }
        let fields = effect
            .emitters
            .iter()
            .map(|emitter| emitter.emitter_layout.get(name));
        let fields: Vec<(usize, u32)> = fields
            .enumerate()
            .filter_map(|(index, field)| Some((index, field?.ty.width())))
            .collect();
        for &(emitter, width) in &fields {
            self.fits(width)?;
            player.set_emitter_field(emitter, name, self.value)?;
        }
        if !fields.is_empty() {
            return Ok(());
        }
        let mut globals = effect.programs.iter().flat_map(|program| &program.globals);
        if let Some(global) = globals.find(|global| global.name == name) {
            self.fits(global.width)?;
            return Ok(player.set_global(name, &self.value[..global.width as usize])?);
        }
        let parameters = effect.parameters.iter().map(|p| p.name.clone());
        let fields = effect.emitters.iter().flat_map(|e| e.emitter_layout.fields());
        let globals = effect.programs.iter().flat_map(|program| &program.globals);
        let names = parameters.chain(fields.map(|field| field.name.clone()));
        let mut names: Vec<String> = names.chain(globals.map(|global| global.name.clone())).collect();
        names.sort_unstable();
        names.dedup();
        let known = match names.is_empty() {
            true => "It reads none".to_owned(),
            false => format!("It reads {}", names.join(", ")),
        };
        Err(format!("the effect has no parameter, emitter field or global value {name:?}. {known}").into())
    }

    fn fits(&self, width: u32) -> Result<(), Failure> {
        if self.count == width {
            return Ok(());
        }
        let (name, count) = (&self.name, self.count);
        let plural = if width == 1 {
            "number"
        } else {
            "numbers with commas between"
        };
        Err(format!("{name} takes {width} {plural}, not {count}").into())
    }
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, rest) = text
            .split_once('=')
            .ok_or("write NAME=VALUE or NAME=VALUE@SECONDS")?;
        let (value, at) = rest.split_once('@').unwrap_or((rest, "0"));
        let mut lanes = [0.0; 4];
        let numbers: Vec<&str> = value.split(',').collect();
        if numbers.len() > 4 {
            return Err(format!("{value:?} has more than four numbers"));
        }
        for (lane, number) in lanes.iter_mut().zip(&numbers) {
            *lane = number
                .trim()
                .parse()
                .ok()
                .filter(|v: &f32| v.is_finite())
                .ok_or_else(|| format!("{number:?} is no number"))?;
        }
        Ok(Self {
            name: name.trim().to_owned(),
            value: lanes,
            count: numbers.len() as u32,
            at: from_zero(at)?,
        })
    }
}

/// The device and its pipelines, for an effect of so many registers.
pub(super) fn kit(effects: &[Arc<Effect>]) -> Result<Kit, Failure> {
    let programs = effects.iter().flat_map(|effect| &effect.programs);
    let registers = programs.map(|program| program.registers).max().unwrap_or(0);
    Ok(Kit::new(Gpu::headless()?, registers))
}

impl RunOptions {
    /// A player of `effect` at time 0.
    pub(super) fn player(
        &self,
        kit: Option<Kit>,
        shown: Shown,
        effect: Arc<Effect>,
    ) -> Result<Player, Failure> {
        let mut player = Player::new(kit, shown);
        player.set_seed(self.seed)?;
        if let Some(scene) = &self.wind {
            player
                .set_wind_scene(scene.clone())
                .map_err(|error| error.to_string())?;
        }
        player.set_prewarm(self.prewarm.map(|seconds| seconds as f32));
        if self.wind.is_some() && !reads_wind(&effect) {
            tracing::warn!("nothing in this effect reads the wind: it has no Wind block");
        }
        player.load(effect)?;
        if let Some((wanted, holds)) = player.shortfall() {
            tracing::warn!(
                "the effect may have {wanted} particles, this device holds {holds}: births beyond that are refused"
            );
        }
        Ok(player)
    }

    /// Takes `frames` exact steps.
    pub(super) fn run(&self, player: &mut Player, frames: u64) -> Result<(), Failure> {
        let dt = self.step * self.speed;
        // A run may go on where an earlier one ended: what was due before is done.
        let start = player.time();
        let mut waiting: Vec<&Setting> = self
            .set
            .iter()
            .filter(|s| start == 0.0 || s.at > start - dt * 0.5)
            .collect();
        waiting.sort_by(|a, b| a.at.total_cmp(&b.at));
        let mut waiting = waiting.into_iter().peekable();
        let mut put_due = |player: &mut Player| -> Result<(), Failure> {
            while let Some(setting) = waiting.next_if(|setting| setting.at <= player.time() + dt * 0.5) {
                setting.put(player)?;
            }
            Ok(())
        };
        put_due(player)?;
        player.warm_up();
        for _ in 0..frames {
            put_due(player)?;
            player.step(dt);
        }
        Ok(())
    }
}

/// Whether a program samples the wind.
fn reads_wind(effect: &Effect) -> bool {
    let samples = |instruction: &Instruction| instruction.op() == Some(Op::SampleWind);
    let mut programs = effect.programs.iter();
    programs.any(|program| program.init.iter().chain(&program.update).any(samples))
}

/// A file's name, for messages.
pub(super) fn name(path: &Path) -> String {
    path.display().to_string()
}
