//! A wind as an artist says it: a steady wind, gusts that travel through it, vortices that stand in it. Their
//! sum is baked into the grid that programs read.
//!
//! The formulas take plain arithmetic and square roots only, in double precision, so a scene bakes to the same
//! words on every machine.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{MAX_WIND_POINTS, WindError, WindField};
use crate::base::rng::{pcg, unit};

/// Most gusts and vortices of a scene, together.
pub const MAX_WIND_PARTS: usize = 64;

/// Fastest air of one part, in metres a second.
const FASTEST: f32 = 1_000.0;
/// Farthest place and longest length, in metres.
const FARTHEST: f32 = 1e6;
/// Shortest length that something is divided by, in metres.
const SHORTEST: f32 = 1e-3;
/// Least part of a wavelength that blows.
const LEAST_SHARE: f32 = 0.01;

/// The air of a scene: the sum of a uniform wind, gusts and vortices.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WindScene {
    /// The wind that blows everywhere, in metres a second; at most 1,000 on an axis.
    pub uniform: [f32; 3],
    /// Gusts.
    pub gusts: Vec<Gust>,
    /// Vortices.
    pub vortices: Vec<Vortex>,
    /// Where it is baked.
    pub region: WindRegion,
}

/// Fronts of faster air, one behind the other, that travel along a direction and blow along it.
///
/// At place p and time t, with d the direction's unit vector:
///
/// - u = (d·p − travel·t) / wavelength + phase; the nearest gust is number k = ⌊u + ½⌋;
/// - x = 2 (u − k) / length runs from −1 at its tail to 1 at its front;
/// - the air moves by d · strength · (1 − variation · r(k)) · (1 − x²)², and not at all outside −1…1.
///
/// r(k) in 0…1 is chosen by the gust's number. A place feels travel / wavelength gusts a second. The speed has no
/// edge in place or time; a region's points should stand closer than a quarter of a gust.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Gust {
    /// Where it blows and travels to, of any length; none is no gust.
    pub direction: [f32; 3],
    /// Speed that it adds at its middle, in metres a second; negative blows against its travel.
    pub strength: f32,
    /// How fast it travels, in metres a second; 0 stands still.
    pub travel: f32,
    /// From one gust's middle to the next, in metres.
    pub wavelength: f32,
    /// Part of the wavelength that blows, 0.01 to 1: 1 swells and ebbs without a calm, 0.2 is a short gust.
    pub length: f32,
    /// How much weaker the weakest gust is, 0 to 1: 0 makes all alike.
    pub variation: f32,
    /// How far the first is shifted along its way, in wavelengths.
    pub phase: f32,
}

impl Default for Gust {
    fn default() -> Self {
        Self {
            direction: [1.0, 0.0, 0.0],
            strength: 4.0,
            travel: 6.0,
            wavelength: 12.0,
            length: 0.6,
            variation: 0.4,
            phase: 0.0,
        }
    }
}

/// Air that turns about an axis: a whirl, a dust devil, a tornado.
///
/// At a distance r from the axis, with R the radius and s = r / R:
///
/// - the air turns about the axis, counter-clockwise seen from where the axis points, at swirl · 2s / (1 + s²):
///   nearly as a solid inside the core, fastest at R, and thinning out as 1 / r past it (a Scully vortex);
/// - it moves along the axis at updraft / (1 + s²);
/// - both fade smoothly from R on and are 0 from the reach on, and likewise along the axis from a quarter of the
///   height on both sides of the centre to half of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Vortex {
    /// A place on the axis, in metres; the middle of the height.
    pub centre: [f32; 3],
    /// The axis, of any length; none is no vortex.
    pub axis: [f32; 3],
    /// Radius of the core, in metres.
    pub radius: f32,
    /// From here on the air is still, in metres from the axis; at least the radius.
    pub reach: f32,
    /// How high it is along the axis, in metres; 0 is without end.
    pub height: f32,
    /// Speed round the axis at the radius, in metres a second; negative turns the other way.
    pub swirl: f32,
    /// Speed along the axis in the middle, in metres a second.
    pub updraft: f32,
}

impl Default for Vortex {
    fn default() -> Self {
        Self {
            centre: [0.0; 3],
            axis: [0.0, 1.0, 0.0],
            radius: 2.0,
            reach: 8.0,
            height: 0.0,
            swirl: 6.0,
            updraft: 2.0,
        }
    }
}

/// The box that a scene is baked over. Past its sides the nearest point holds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WindRegion {
    /// The corner with the smallest coordinates, in metres; the first point.
    pub low: [f32; 3],
    /// The corner with the largest, in metres; the last point.
    pub high: [f32; 3],
    /// Points on each axis, 1 to 256; a single one stands in the middle.
    pub points: [u32; 3],
}

impl Default for WindRegion {
    /// 24 m by 24 m on the ground and 12 m high, a point each metre.
    fn default() -> Self {
        Self {
            low: [-12.0, 0.0, -12.0],
            high: [12.0, 12.0, 12.0],
            points: [25, 13, 25],
        }
    }
}

impl WindScene {
    /// The same wind everywhere, in metres a second.
    #[must_use]
    pub fn from_uniform(velocity: [f32; 3]) -> Self {
        Self {
            uniform: velocity,
            ..Self::default()
        }
    }

    /// Whether no air moves, anywhere and ever.
    #[must_use]
    pub fn is_still(&self) -> bool {
        self.uniform == [0.0; 3] && self.is_even()
    }

    /// Whether the air moves alike everywhere: no gust or vortex does anything.
    #[must_use]
    pub fn is_even(&self) -> bool {
        self.gusts.iter().all(Gust::is_nothing) && self.vortices.iter().all(Vortex::is_nothing)
    }

    /// Whether it is the same at every time, so that one bake is enough.
    #[must_use]
    pub fn is_steady(&self) -> bool {
        self.gusts
            .iter()
            .all(|gust| gust.is_nothing() || gust.travel == 0.0)
    }

    /// Whether every number is in its range.
    ///
    /// # Errors
    /// [`WindError`] with the first that is not.
    pub fn check(&self) -> Result<(), WindError> {
        if self.gusts.len() + self.vortices.len() > MAX_WIND_PARTS {
            return Err(WindError::Parts);
        }
        let speed = (-FASTEST, FASTEST);
        let place = (-FARTHEST, FARTHEST);
        all(&"the uniform velocity", self.uniform, speed)?;
        for (index, gust) in self.gusts.iter().enumerate() {
            let at = |name| move |f: &mut fmt::Formatter<'_>| write!(f, "gust {}'s {name}", index + 1);
            all(&Named(at("direction")), gust.direction, place)?;
            number(&Named(at("strength")), gust.strength, speed)?;
            number(&Named(at("travel")), gust.travel, speed)?;
            number(&Named(at("wavelength")), gust.wavelength, (SHORTEST, FARTHEST))?;
            number(&Named(at("length")), gust.length, (LEAST_SHARE, 1.0))?;
            number(&Named(at("variation")), gust.variation, (0.0, 1.0))?;
            number(&Named(at("phase")), gust.phase, place)?;
        }
        for (index, vortex) in self.vortices.iter().enumerate() {
            let at = |name| move |f: &mut fmt::Formatter<'_>| write!(f, "vortex {}'s {name}", index + 1);
            all(&Named(at("centre")), vortex.centre, place)?;
            all(&Named(at("axis")), vortex.axis, place)?;
            number(&Named(at("radius")), vortex.radius, (SHORTEST, FARTHEST))?;
            number(&Named(at("reach")), vortex.reach, (0.0, FARTHEST))?;
            number(&Named(at("height")), vortex.height, (0.0, FARTHEST))?;
            number(&Named(at("swirl")), vortex.swirl, speed)?;
            number(&Named(at("updraft")), vortex.updraft, speed)?;
        }
        self.region.check()
    }

    /// How the air moves at a place (metres) and time (seconds), in metres a second: what the grid approaches.
    /// Numbers out of their range give some number or none.
    #[must_use]
    pub fn velocity(&self, place: [f32; 3], time: f64) -> [f32; 3] {
        self.prepared(time).velocity(place.map(f64::from))
    }

    /// The grid of the scene over a region at a time, in seconds. A wind that is even everywhere needs one point.
    /// The same scene, region and time give the same words.
    ///
    /// Costs about 10 ns a point for each gust or vortex: a third of a millisecond for the default region and four of
    /// them.
    ///
    /// # Errors
    /// [`WindError`] where a number of the scene or the region is out of its range, or the time is not finite.
    pub fn bake(&self, region: &WindRegion, time: f64) -> Result<WindField, WindError> {
        self.check()?;
        region.check()?;
        if !time.is_finite() {
            return Err(WindError::NotFinite);
        }
        if self.is_even() {
            return WindField::uniform(self.uniform);
        }
        let (first, cell) = region.grid();
        let [nx, ny, nz] = region.points;
        let prepared = self.prepared(time);
        let mut velocities = Vec::with_capacity((nx * ny * nz) as usize);
        let at = |axis: usize, index: u32| f64::from(first[axis]) + f64::from(cell[axis]) * f64::from(index);
        for z in 0..nz {
            for y in 0..ny {
                velocities.extend((0..nx).map(|x| prepared.velocity([at(0, x), at(1, y), at(2, z)])));
            }
        }
        WindField::new(first, cell, region.points, &velocities)
    }

    fn prepared(&self, time: f64) -> Prepared {
        Prepared {
            uniform: self.uniform.map(f64::from),
            gusts: self
                .gusts
                .iter()
                .filter_map(|gust| Front::of(gust, time))
                .collect(),
            vortices: self.vortices.iter().filter_map(Whirl::of).collect(),
        }
    }
}

impl WindRegion {
    fn check(&self) -> Result<(), WindError> {
        all(&"the region's low corner", self.low, (-FARTHEST, FARTHEST))?;
        all(&"the region's high corner", self.high, (-FARTHEST, FARTHEST))?;
        if self.low.iter().zip(&self.high).any(|(low, high)| low >= high) {
            return Err(WindError::Region);
        }
        if self.points.iter().all(|n| (1..=MAX_WIND_POINTS).contains(n)) {
            Ok(())
        } else {
            Err(WindError::Size)
        }
    }

    /// The first point, and the way from one to the next.
    fn grid(&self) -> ([f32; 3], [f32; 3]) {
        let mut first = self.low;
        let mut cell = [0.0; 3];
        for axis in 0..3 {
            let extent = self.high[axis] - self.low[axis];
            if self.points[axis] == 1 {
                first[axis] += extent * 0.5;
                cell[axis] = extent;
            } else {
                cell[axis] = extent / (self.points[axis] - 1) as f32;
            }
        }
        (first, cell)
    }
}

impl Gust {
    fn is_nothing(&self) -> bool {
        self.strength == 0.0 || self.direction == [0.0; 3]
    }
}

impl Vortex {
    fn is_nothing(&self) -> bool {
        (self.swirl == 0.0 && self.updraft == 0.0) || self.axis == [0.0; 3]
    }
}

/// A scene at a time, with what does not depend on the place worked out.
struct Prepared {
    uniform: [f64; 3],
    gusts: Vec<Front>,
    vortices: Vec<Whirl>,
}

impl Prepared {
    fn velocity(&self, place: [f64; 3]) -> [f32; 3] {
        let mut sum = self.uniform;
        for gust in &self.gusts {
            let speed = gust.speed(place);
            sum = [0, 1, 2].map(|i| sum[i] + gust.direction[i] * speed);
        }
        for vortex in &self.vortices {
            let velocity = vortex.velocity(place);
            sum = [0, 1, 2].map(|i| sum[i] + velocity[i]);
        }
        sum.map(|v| v as f32)
    }
}

/// A gust at a time.
struct Front {
    direction: [f64; 3],
    /// Wavelengths a metre.
    waves: f64,
    /// u at the world's origin.
    start: f64,
    /// x a wavelength.
    steepness: f64,
    strength: f64,
    variation: f64,
}

impl Front {
    fn of(gust: &Gust, time: f64) -> Option<Self> {
        let waves = 1.0 / f64::from(gust.wavelength);
        Some(Self {
            direction: unit_of(gust.direction)?,
            waves,
            start: f64::from(gust.phase) - f64::from(gust.travel) * time * waves,
            steepness: 2.0 / f64::from(gust.length),
            strength: f64::from(gust.strength),
            variation: f64::from(gust.variation),
        })
    }

    /// Speed along the direction.
    fn speed(&self, place: [f64; 3]) -> f64 {
        let u = dot(self.direction, place) * self.waves + self.start;
        let k = (u + 0.5).floor();
        let x = (u - k) * self.steepness;
        // So far away that there is no number for it, there is no gust either.
        let inside = if x.abs() < 1.0 { 1.0 - x * x } else { return 0.0 };
        let number = k as i64 as u64;
        let chosen = unit(pcg((number as u32).wrapping_add(pcg((number >> 32) as u32))));
        self.strength * (1.0 - self.variation * f64::from(chosen)) * inside * inside
    }
}

/// A vortex, ready to be asked.
struct Whirl {
    centre: [f64; 3],
    axis: [f64; 3],
    radius: f64,
    /// The inverse radius.
    inverse: f64,
    reach: f64,
    /// Half the height.
    half: f64,
    /// Turn of the core, in radians a second, twice.
    turn: f64,
    updraft: f64,
}

impl Whirl {
    fn of(vortex: &Vortex) -> Option<Self> {
        let radius = f64::from(vortex.radius);
        let half = f64::from(vortex.height) * 0.5;
        Some(Self {
            centre: vortex.centre.map(f64::from),
            axis: unit_of(vortex.axis)?,
            radius,
            inverse: 1.0 / radius,
            reach: f64::from(vortex.reach),
            half: if half > 0.0 { half } else { f64::INFINITY },
            turn: f64::from(vortex.swirl) * 2.0 / radius,
            updraft: f64::from(vortex.updraft),
        })
    }

    fn velocity(&self, place: [f64; 3]) -> [f64; 3] {
        let from = [0, 1, 2].map(|i| place[i] - self.centre[i]);
        let along = dot(from, self.axis);
        let out = [0, 1, 2].map(|i| from[i] - self.axis[i] * along);
        let square = dot(out, out);
        if square >= self.reach * self.reach && square > self.radius * self.radius {
            return [0.0; 3];
        }
        let r = square.sqrt();
        let fade = fall(r, self.radius, self.reach) * fall(along.abs(), self.half * 0.5, self.half);
        let s = r * self.inverse;
        let shape = fade / (1.0 + s * s);
        let (turn, rise) = (self.turn * shape, self.updraft * shape);
        let round = cross(self.axis, out);
        [0, 1, 2].map(|i| round[i] * turn + self.axis[i] * rise)
    }
}

/// 1 up to `full`, 0 from `none` on, smooth between.
fn fall(x: f64, full: f64, none: f64) -> f64 {
    if x <= full {
        return 1.0;
    }
    if x >= none {
        return 0.0;
    }
    let t = (x - full) / (none - full);
    1.0 - t * t * (3.0 - 2.0 * t)
}

/// The unit vector; none of no length.
fn unit_of(v: [f32; 3]) -> Option<[f64; 3]> {
    let v = v.map(f64::from);
    let length = dot(v, v).sqrt();
    (length > 0.0).then(|| v.map(|x| x / length))
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// A name that is written only where it is needed.
struct Named<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Named<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

fn number(place: &dyn fmt::Display, value: f32, (least, most): (f32, f32)) -> Result<(), WindError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(WindError::Number {
        place: place.to_string(),
        value,
        least,
        most,
    })
}

fn all(place: &dyn fmt::Display, values: [f32; 3], range: (f32, f32)) -> Result<(), WindError> {
    values.iter().try_for_each(|&value| number(place, value, range))
}
