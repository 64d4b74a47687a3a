//! What the keys mean, in the format's own units: pixels, degrees clockwise, sRGB from 0 to 1.

use super::Notes;
use super::table::Table;
use crate::artifact::emission::{MAX_CAPACITY, MAX_RATE};
use crate::artifact::{Blend, Space};
use crate::document::import::ImportError;

/// A size or radius at the end that says "as at the start", and a duration that says "without end".
const SAME: f64 = -1.0;
/// A duration below one frame of the original emits for one frame.
const FRAME: f64 = 1.0 / 60.0;
/// Longest name taken, in characters.
const LONGEST_NAME: usize = 100;

/// A value drawn evenly from `middle − by` to `middle + by`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Spread {
    pub(super) middle: f64,
    pub(super) by: f64,
}

impl Spread {
    /// The lowest and the highest.
    pub(super) fn ends(self) -> [f64; 2] {
        let by = self.by.abs();
        [self.middle - by, self.middle + by]
    }

    /// Whether it is 0 and nothing else.
    pub(super) fn is_zero(self) -> bool {
        self == Self::default()
    }
}

/// How particles move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Motion {
    /// Thrown, then pulled.
    Gravity {
        /// Pixels a second each second.
        gravity: [f64; 2],
        /// Pixels a second.
        speed: Spread,
        /// Away from the emitter.
        radial: Spread,
        /// Round the emitter, counterclockwise.
        tangential: Spread,
        /// Whether a particle is turned to where it flies.
        turned: bool,
    },
    /// Round the emitter, from one radius to another.
    Radial {
        /// Pixels at birth.
        start: Spread,
        /// Pixels at death; none is as at birth.
        end: Option<Spread>,
        /// Degrees a second, counterclockwise.
        turn: Spread,
    },
}

/// A file's particles.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Particles {
    pub(super) name: Option<String>,
    /// Most alive at once.
    pub(super) count: u32,
    /// Births a second.
    pub(super) rate: f32,
    /// Seconds; none is without end.
    pub(super) duration: Option<f64>,
    /// Seconds.
    pub(super) life: Spread,
    /// Pixels, full width.
    pub(super) start_size: Spread,
    /// None is as at the start.
    pub(super) end_size: Option<Spread>,
    /// Red, green, blue, opacity.
    pub(super) start_color: [Spread; 4],
    pub(super) end_color: [Spread; 4],
    /// Pixels to each side.
    pub(super) place: [f64; 2],
    /// Degrees, counterclockwise from the right.
    pub(super) angle: Spread,
    /// Degrees clockwise at birth and death.
    pub(super) spin: [Spread; 2],
    pub(super) motion: Motion,
    /// Whether what moves is mirrored.
    pub(super) flipped: bool,
    pub(super) blend: Blend,
    pub(super) space: Space,
    pub(super) texture: Option<String>,
}

/// The keys only one of the modes reads.
const GRAVITY_ONLY: &[&str] = &[
    "gravityx",
    "gravityy",
    "speed",
    "speedVariance",
    "radialAcceleration",
    "radialAccelVariance",
    "tangentialAcceleration",
    "tangentialAccelVariance",
    "rotationIsDir",
    "sourcePositionVariancex",
    "sourcePositionVariancey",
];
const RADIAL_ONLY: &[&str] = &[
    "maxRadius",
    "maxRadiusVariance",
    "minRadius",
    "minRadiusVariance",
    "rotatePerSecond",
    "rotatePerSecondVariance",
];

/// Takes every key out of the table that means something.
pub(super) fn read(table: &mut Table<'_>, notes: &mut Notes) -> Result<Particles, ImportError> {
    let (count, rate, life) = births(table, notes)?;
    let name = table.text("configName")?;
    let motion = motion(table)?;
    let place = match motion {
        Motion::Gravity { .. } => [
            number(table, "sourcePositionVariancex")?,
            number(table, "sourcePositionVariancey")?,
        ],
        Motion::Radial { .. } => [0.0; 2],
    };
    let other = match motion {
        Motion::Gravity { .. } => RADIAL_ONLY,
        Motion::Radial { .. } => GRAVITY_ONLY,
    };
    unread(table, notes, other)?;
    let mut particles = Particles {
        name: name.map(|name| name.chars().take(LONGEST_NAME).collect()),
        count,
        rate,
        duration: duration(table, notes)?,
        life,
        start_size: spread(table, "startParticleSize", "startParticleSizeVariance")?,
        end_size: end(table, "finishParticleSize", "finishParticleSizeVariance")?,
        start_color: color(table, "start")?,
        end_color: color(table, "finish")?,
        place,
        angle: spread(table, "angle", "angleVariance")?,
        spin: [
            spread(table, "rotationStart", "rotationStartVariance")?,
            spread(table, "rotationEnd", "rotationEndVariance")?,
        ],
        motion,
        flipped: flipped(table, notes)?,
        blend: Blend::Alpha,
        space: space(table, notes)?,
        texture: texture(table, notes)?,
    };
    let opaque = blend(table, notes, &mut particles)?;
    if opaque {
        for of in [&mut particles.start_color, &mut particles.end_color] {
            of[3] = Spread { middle: 1.0, by: 0.0 };
        }
    }
    follow(&particles, notes);
    place_on_screen(table, notes)?;
    for key in table.rest() {
        notes.not_carried(
            &key,
            "This key is not known here and says nothing to the document.",
        );
    }
    Ok(particles)
}

/// A number that is 0 where it is not given.
fn number(table: &mut Table<'_>, key: &str) -> Result<f64, ImportError> {
    Ok(table.number(key)?.unwrap_or(0.0))
}

fn spread(table: &mut Table<'_>, middle: &str, by: &str) -> Result<Spread, ImportError> {
    Ok(Spread {
        middle: number(table, middle)?,
        by: number(table, by)?,
    })
}

/// What a value ends at; none where it ends as it began.
fn end(table: &mut Table<'_>, middle: &str, by: &str) -> Result<Option<Spread>, ImportError> {
    let end = spread(table, middle, by)?;
    Ok((end.middle != SAME).then_some(end))
}

fn color(table: &mut Table<'_>, of: &str) -> Result<[Spread; 4], ImportError> {
    let mut color = [Spread::default(); 4];
    for (channel, name) in color.iter_mut().zip(["Red", "Green", "Blue", "Alpha"]) {
        *channel = spread(
            table,
            &format!("{of}Color{name}"),
            &format!("{of}ColorVariance{name}"),
        )?;
    }
    Ok(color)
}

/// Most alive, births a second and life.
fn births(table: &mut Table<'_>, notes: &mut Notes) -> Result<(u32, f32, Spread), ImportError> {
    for (key, why) in [
        ("maxParticles", "it says how many particles there are"),
        (
            "particleLifespan",
            "particles are born at maxParticles over it a second",
        ),
    ] {
        if !table.has(key) {
            return Err(ImportError::MissingKey { key, why });
        }
    }
    let wanted = number(table, "maxParticles")?.trunc();
    if wanted < 1.0 {
        let expected = "at least 1 particle".to_owned();
        return Err(table.bad("maxParticles", wanted.to_string(), expected));
    }
    let most = f64::from(MAX_CAPACITY);
    if wanted > most {
        notes.otherwise(
            "maxParticles",
            format!("{wanted} particles are more than an emitter has; {most} are alive at most, born as much slower."),
        );
    }
    let count = wanted.min(most);
    let life = spread(table, "particleLifespan", "particleLifespanVariance")?;
    if life.middle <= 0.0 {
        let expected = "a life above 0 seconds, since particles are born at maxParticles over it,".to_owned();
        return Err(table.bad("particleLifespan", life.middle.to_string(), expected));
    }
    // Newer tools write the rate; where it is not written it follows.
    let rate = table.number("emissionRate")?.filter(|rate| *rate > 0.0);
    let rate = rate.unwrap_or(count / life.middle);
    let limit = f64::from(MAX_RATE);
    if rate > limit {
        notes.otherwise(
            "particleLifespan",
            format!("{rate} births a second are more than an emitter has; it is {limit}."),
        );
    }
    Ok((count as u32, rate.min(limit) as f32, life))
}

fn duration(table: &mut Table<'_>, notes: &mut Notes) -> Result<Option<f64>, ImportError> {
    let duration = number(table, "duration")?;
    if duration == SAME {
        return Ok(None);
    }
    if duration < FRAME {
        notes.otherwise(
            "duration",
            format!("{duration} seconds are one frame in the original; the emitter emits for 1/60 s."),
        );
    }
    Ok(Some(duration.max(FRAME)))
}

fn motion(table: &mut Table<'_>) -> Result<Motion, ImportError> {
    let kind = number(table, "emitterType")?;
    if kind == 0.0 {
        return Ok(Motion::Gravity {
            gravity: [number(table, "gravityx")?, number(table, "gravityy")?],
            speed: spread(table, "speed", "speedVariance")?,
            radial: spread(table, "radialAcceleration", "radialAccelVariance")?,
            tangential: spread(table, "tangentialAcceleration", "tangentialAccelVariance")?,
            turned: number(table, "rotationIsDir")? != 0.0,
        });
    }
    if kind != 1.0 {
        let expected = "0 (gravity) or 1 (radial)".to_owned();
        return Err(table.bad("emitterType", kind.to_string(), expected));
    }
    let start = spread(table, "maxRadius", "maxRadiusVariance")?;
    let end = end(table, "minRadius", "minRadiusVariance")?;
    Ok(Motion::Radial {
        start,
        end,
        turn: spread(table, "rotatePerSecond", "rotatePerSecondVariance")?,
    })
}

/// Keys of the mode that is not chosen: the original does not read them.
fn unread(table: &mut Table<'_>, notes: &mut Notes, keys: &[&str]) -> Result<(), ImportError> {
    let mut said = Vec::new();
    for key in keys {
        if number(table, key)? != 0.0 {
            said.push(*key);
        }
    }
    if let Some(first) = said.first() {
        let mode = if keys == GRAVITY_ONLY { "radial" } else { "gravity" };
        notes.not_carried(
            first,
            format!(
                "Not read in {mode} mode, in the original neither: {}.",
                said.join(", ")
            ),
        );
    }
    Ok(())
}

fn flipped(table: &mut Table<'_>, notes: &mut Notes) -> Result<bool, ImportError> {
    match table.number("yCoordFlipped")? {
        None | Some(1.0) => Ok(false),
        Some(-1.0) => Ok(true),
        Some(other) => {
            notes.otherwise(
                "yCoordFlipped",
                format!("It is {other}, and only 1 and -1 mean something: it is taken as 1."),
            );
            Ok(false)
        }
    }
}

fn space(table: &mut Table<'_>, notes: &mut Notes) -> Result<Space, ImportError> {
    match table.number("positionType")? {
        None | Some(0.0) => Ok(Space::World),
        Some(2.0) => Ok(Space::Local),
        Some(other) => {
            let what = if other == 1.0 {
                "Particles follow their emitter's parent there. They stay in the world here, as the free ones do."
                    .to_owned()
            } else {
                format!(
                    "It is {other}, which is no position type: particles stay in the world, as the free ones do."
                )
            };
            notes.otherwise("positionType", what);
            Ok(Space::World)
        }
    }
}

fn texture(table: &mut Table<'_>, notes: &mut Notes) -> Result<Option<String>, ImportError> {
    let path = table.text("textureFileName")?;
    // The original looks for the picture beside the file, whatever folder is named.
    let name = path
        .as_deref()
        .map(|path| path.rsplit(['/', '\\']).next().unwrap_or(path));
    let name = name
        .filter(|name| !matches!(*name, "" | "." | ".."))
        .map(str::to_owned);
    if let (Some(path), Some(name)) = (&path, &name)
        && path != name
    {
        notes.otherwise(
            "textureFileName",
            format!(
                "The folder is left out, as the original does: {name} is looked for beside the document."
            ),
        );
    }
    if table.drop("textureImageData") {
        let instead = match &name {
            Some(name) => format!("Put the picture beside the document as {name}."),
            None => "Save the picture to a file and choose it as the emitter's texture.".to_owned(),
        };
        notes.not_carried(
            "textureImageData",
            format!("The picture inside the file is not taken out. {instead}"),
        );
    }
    Ok(name)
}

/// Blending; whether opacity counts for nothing.
fn blend(table: &mut Table<'_>, notes: &mut Notes, particles: &mut Particles) -> Result<bool, ImportError> {
    const ONE: f64 = 1.0;
    const SRC_ALPHA: f64 = 770.0;
    const ONE_MINUS_SRC_ALPHA: f64 = 771.0;
    let factors = [
        table.number("blendFuncSource")?,
        table.number("blendFuncDestination")?,
    ];
    let [source, destination] = factors.map(|factor| factor.unwrap_or(0.0));
    let (blend, opaque) = match (source, destination) {
        // The first pair with one picture is the second with another: the original multiplies the colour by its
        // opacity where the picture is so already, and takes the second pair where it is not.
        (ONE, ONE_MINUS_SRC_ALPHA) | (SRC_ALPHA, ONE_MINUS_SRC_ALPHA) => (Blend::Alpha, false),
        (SRC_ALPHA, ONE) => (Blend::Additive, false),
        (ONE, ONE) => (Blend::Additive, true),
        _ if factors == [None, None] => {
            notes.otherwise(
                "blendFuncSource",
                "It is not given: particles cover by their opacity.",
            );
            (Blend::Alpha, false)
        }
        _ => {
            let adds = destination == ONE;
            let (blend, does) = if adds {
                (Blend::Additive, "add light")
            } else {
                (Blend::Alpha, "cover by their opacity")
            };
            notes.otherwise(
                "blendFuncSource",
                format!("There is no blending of {source} and {destination} (blendFuncDestination) here: particles {does}."),
            );
            (blend, false)
        }
    };
    if opaque {
        notes.otherwise(
            "blendFuncSource",
            "With 1 and 1 (blendFuncDestination) the original adds the colour whatever its opacity: opacity is 1 here.",
        );
    }
    particles.blend = blend;
    Ok(opaque)
}

/// The blocks that pull to the middle and push round it have theirs where the emitter is.
fn follow(particles: &Particles, notes: &mut Notes) {
    let Motion::Gravity {
        radial, tangential, ..
    } = particles.motion
    else {
        return;
    };
    let keys = [
        (radial, "radialAcceleration"),
        (tangential, "tangentialAcceleration"),
    ];
    let used: Vec<&str> = keys
        .into_iter()
        .filter(|(spread, _)| !spread.is_zero())
        .map(|(_, key)| key)
        .collect();
    if let Some(first) = used.first()
        && particles.space == Space::World
    {
        notes.otherwise(
            first,
            format!(
                "While the emitter moves, the middle of {} goes with it; in the original it stays where a particle was born.",
                used.join(" and ")
            ),
        );
    }
}

/// Where the emitter stood on its screen: a document's emitter stands in the middle of its effect.
fn place_on_screen(table: &mut Table<'_>, notes: &mut Notes) -> Result<(), ImportError> {
    let place = [
        number(table, "sourcePositionx")?,
        number(table, "sourcePositiony")?,
    ];
    if place != [0.0; 2] {
        let [x, y] = place;
        notes.not_carried(
            "sourcePositionx",
            format!("The emitter stood at {x}, {y} pixels (sourcePositiony) of its screen; here it stands in the middle of the effect, which is placed as a whole."),
        );
    }
    if number(table, "absolutePosition")? != 0.0 {
        notes.not_carried(
            "absolutePosition",
            "Where the emitter stands is the scene's to say.",
        );
    }
    Ok(())
}
