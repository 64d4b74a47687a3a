//! The original's rules, step by step as it has them, and the means of both compared.

use std::cell::Cell;
use std::sync::Arc;

use mote::base::diag::Diagnostic;
use mote::compiler::compile;
use mote::document::Document;
use mote::document::import::Options;
use mote::layout::ParticleLayout;

use super::{imported, real};
use crate::isa::Rolls;
use crate::support::Solo;

/// The number of a key, read by hand.
pub(super) fn number(text: &str, key: &str) -> f64 {
    let Some(at) = text.find(&format!("<key>{key}</key>")) else {
        return 0.0;
    };
    let rest = &text[at..].split_once("</key>").unwrap().1;
    let value = &rest[rest.find('>').unwrap() + 1..];
    value[..value.find('<').unwrap()].parse().unwrap_or(0.0)
}

/// One particle of the original.
#[derive(Clone)]
struct Original {
    age: f64,
    life: f64,
    position: [f64; 2],
    velocity: [f64; 2],
    pulls: [f64; 2],
    angle: f64,
    angular: f64,
    radius: [f64; 2],
    size: [f64; 2],
    color: [[f64; 4]; 2],
    rotation: f64,
    turning: f64,
}

impl Original {
    /// From birth (0) to the end (1).
    fn t(&self) -> f64 {
        self.age / self.life
    }

    fn size(&self) -> f64 {
        self.size[0] + (self.size[1] - self.size[0]) * self.t()
    }

    /// In linear light.
    fn color(&self) -> [f64; 4] {
        let mixed = [0, 1, 2, 3].map(|c| self.color[0][c] + (self.color[1][c] - self.color[0][c]) * self.t());
        let light = |c: f64| {
            if c <= 0.04045 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        };
        [light(mixed[0]), light(mixed[1]), light(mixed[2]), mixed[3]]
    }
}

/// The original's system, step by step as it does it, in pixels and degrees.
struct Original2d<'a> {
    text: &'a str,
    rolls: Rolls,
    particles: Vec<Original>,
    owed: f64,
    elapsed: f64,
    active: bool,
}

impl<'a> Original2d<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            rolls: Rolls(0x0051_7a4e),
            particles: Vec::new(),
            owed: 0.0,
            elapsed: 0.0,
            active: true,
        }
    }

    fn n(&self, key: &str) -> f64 {
        number(self.text, key)
    }

    fn draw(&mut self, base: &str, variance: &str) -> f64 {
        let roll = f64::from(self.rolls.next()) / f64::from(u32::MAX) * 2.0 - 1.0;
        self.n(base) + self.n(variance) * roll
    }

    fn born(&mut self) -> Original {
        let life = self.draw("particleLifespan", "particleLifespanVariance").max(0.0);
        let position = [
            self.draw("", "sourcePositionVariancex"),
            self.draw("", "sourcePositionVariancey"),
        ];
        let mut color = [[0.0; 4]; 2];
        for (stage, color) in ["start", "finish"].iter().zip(&mut color) {
            for (channel, value) in ["Red", "Green", "Blue", "Alpha"].iter().zip(color) {
                let drawn = self.draw(
                    &format!("{stage}Color{channel}"),
                    &format!("{stage}ColorVariance{channel}"),
                );
                *value = drawn.clamp(0.0, 1.0);
            }
        }
        let first = self
            .draw("startParticleSize", "startParticleSizeVariance")
            .max(0.0);
        let last = self
            .draw("finishParticleSize", "finishParticleSizeVariance")
            .max(0.0);
        let last = if self.n("finishParticleSize") == -1.0 {
            first
        } else {
            last
        };
        let turn = [
            self.draw("rotationStart", "rotationStartVariance"),
            self.draw("rotationEnd", "rotationEndVariance"),
        ];
        let angle = self.draw("angle", "angleVariance").to_radians();
        let speed = self.draw("speed", "speedVariance");
        let pulls = [
            self.draw("radialAcceleration", "radialAccelVariance"),
            self.draw("tangentialAcceleration", "tangentialAccelVariance"),
        ];
        let radius = [
            self.draw("maxRadius", "maxRadiusVariance"),
            self.draw("minRadius", "minRadiusVariance"),
        ];
        let heads = self.n("rotationIsDir") != 0.0;
        Original {
            age: 0.0,
            life,
            position,
            velocity: [angle.cos() * speed, angle.sin() * speed],
            pulls,
            angle,
            angular: self
                .draw("rotatePerSecond", "rotatePerSecondVariance")
                .to_radians(),
            radius: if self.n("minRadius") == -1.0 {
                [radius[0]; 2]
            } else {
                radius
            },
            size: [first, last],
            color,
            rotation: if heads { -angle.to_degrees() } else { turn[0] },
            turning: (turn[1] - turn[0]) / life,
        }
    }

    fn step(&mut self, dt: f64) {
        let most = self.n("maxParticles") as usize;
        let rate = most as f64 / self.n("particleLifespan");
        if self.active {
            if self.particles.len() < most {
                self.owed += dt;
            }
            while self.particles.len() < most && self.owed > 1.0 / rate {
                let particle = self.born();
                self.particles.push(particle);
                self.owed -= 1.0 / rate;
            }
            self.elapsed += dt;
            let duration = self.n("duration");
            self.active = duration == -1.0 || duration >= self.elapsed;
        }
        let gravity = [self.n("gravityx"), self.n("gravityy")];
        let flip = if self.n("yCoordFlipped") == -1.0 {
            -1.0
        } else {
            1.0
        };
        let radial_mode = self.n("emitterType") == 1.0;
        self.particles.retain_mut(|p| {
            p.age += dt;
            if p.age >= p.life {
                return false;
            }
            if radial_mode {
                p.angle += p.angular * dt;
                let radius = p.radius[0] + (p.radius[1] - p.radius[0]) * p.t();
                p.position = [-p.angle.cos() * radius, -p.angle.sin() * radius * flip];
            } else {
                let [x, y] = p.position;
                let length = x.hypot(y);
                let out = if length > 0.0 {
                    [x / length, y / length]
                } else {
                    [0.0; 2]
                };
                let around = [-out[1], out[0]];
                for axis in 0..2 {
                    p.velocity[axis] +=
                        (out[axis] * p.pulls[0] + around[axis] * p.pulls[1] + gravity[axis]) * dt;
                    p.position[axis] += p.velocity[axis] * dt * flip;
                }
            }
            p.rotation += p.turning * dt;
            true
        });
    }
}

/// A particle of the imported document, in the original's units.
pub(super) struct Ours {
    pub(super) age: f64,
    life: f64,
    pub(super) position: [f64; 2],
    size: f64,
    color: [f64; 4],
    /// Degrees, clockwise.
    rotation: f64,
}

pub(super) struct Played {
    pub(super) solo: Solo,
    layout: ParticleLayout,
}

impl Played {
    pub(super) fn new(document: &Document) -> Self {
        let compiled = compile(document);
        let textures = |d: &&Diagnostic| d.code != "not-yet";
        let found = compiled.diagnostics.iter().filter(textures);
        let found: Vec<String> = found.map(Diagnostic::to_string).collect();
        assert!(found.is_empty(), "{found:#?}");
        let effect = Arc::new(compiled.effect.unwrap());
        let capacity = effect.emitters[0].emission.capacity;
        Self {
            layout: effect.emitters[0].layout.clone(),
            solo: Solo::with(&effect, capacity),
        }
    }

    pub(super) fn particles(&self) -> Vec<Ours> {
        let words = |name: &str, record: &[u32]| -> Vec<f64> {
            let Some(slot) = self.layout.get(name) else {
                return vec![0.0; 4];
            };
            slot.words()
                .map(|w| f64::from(f32::from_bits(record[w as usize])))
                .collect()
        };
        let pixels = f64::from(Options::default().pixels_per_metre);
        let live = self.solo.reference.live_records();
        live.map(|record| {
            let position = words("position", record);
            let color = words("color", record);
            assert!(position[2].abs() < 1e-6, "in the plane");
            Ours {
                age: words("age", record)[0],
                life: words("lifetime", record)[0],
                position: [position[0] * pixels, position[1] * pixels],
                size: words("size", record)[0] * pixels,
                color: [color[0], color[1], color[2], color[3]],
                rotation: match words("orientation", record)[..] {
                    [0.0, 0.0, 0.0, 0.0] => 0.0,
                    [_, _, z, w] => -2.0 * z.atan2(w).to_degrees(),
                    _ => 0.0,
                },
            }
        })
        .collect()
    }
}

/// Two means that may differ by `bias`, and by what so many samples of such a spread may.
fn close(what: &str, ours: &[f64], theirs: &[f64], bias: f64) {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let error = |values: &[f64], mean: f64| {
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        squares / (values.len() as f64).powi(2)
    };
    assert!(
        ours.len() > 50 && theirs.len() > 50,
        "{what}: {} and {} samples",
        ours.len(),
        theirs.len()
    );
    let (a, b) = (mean(ours), mean(theirs));
    let tolerance = bias + 4.0 * (error(ours, a) + error(theirs, b)).sqrt();
    assert!(
        (a - b).abs() <= tolerance,
        "{what}: {a}, and {b} in the original; {tolerance} is allowed"
    );
}

/// How many particles the comparisons have at the most.
const MANY: f64 = 6_000.0;
pub(super) const DT: f64 = 1.0 / 60.0;

/// Plays a file both ways to `seconds` and compares; `at` is the age at which positions are. Gives how many means
/// were compared: an age that no particle has is left out.
pub(super) fn compare(text: &str, seconds: f64, at: f64, opacity: bool) -> u32 {
    let compared = Cell::new(0);
    let text = real(text, "maxParticles", MANY);
    let mut ours = Played::new(&imported(&text).document);
    let mut theirs = Original2d::new(&text);
    for _ in 0..(seconds / DT).round() as u32 {
        ours.solo.step(DT);
        theirs.step(DT);
    }
    let (us, them) = (ours.particles(), &theirs.particles);
    let (a, b) = (us.len() as f64, them.len() as f64);
    // The original gives births for one frame more than it lasts.
    let frame = MANY / number(&text, "particleLifespan") * DT;
    assert!(
        (a - b).abs() <= 0.01 * b + frame,
        "{a} alive, and {b} in the original"
    );
    let all = |f: &dyn Fn(&Ours) -> f64| us.iter().map(f).collect::<Vec<_>>();
    let every = |f: &dyn Fn(&Original) -> f64| them.iter().map(f).collect::<Vec<_>>();
    // A mean over those alive, so both lean to the long lives alike.
    close("life", &all(&|p| p.life), &every(&|p| p.life), 0.01);
    close("age", &all(&|p| p.age), &every(&|p| p.age), 0.02);
    type Part<'a> = (&'a dyn Fn(&Ours) -> f64, &'a dyn Fn(&Original) -> f64);
    let check = |what: &str, part: Part<'_>, within: [f64; 2], over: &str, bias: f64| {
        let inside = |age: f64, life: f64| {
            let x = if over == "life" { age / life } else { age };
            (within[0]..within[1]).contains(&x)
        };
        let ours: Vec<f64> = us.iter().filter(|p| inside(p.age, p.life)).map(part.0).collect();
        let theirs: Vec<f64> = them
            .iter()
            .filter(|p| inside(p.age, p.life))
            .map(part.1)
            .collect();
        if ours.len().max(theirs.len()) > 50 {
            close(&format!("{what} at {within:?} of {over}"), &ours, &theirs, bias);
            compared.set(compared.get() + 1);
        }
    };
    for within in [[0.0, 0.1], [0.45, 0.55], [0.85, 1.0]] {
        check("size", (&|p| p.size, &Original::size), within, "life", 0.2);
        // A turn comes back after a round, so that its cosine and sine are what is drawn.
        let part: Part<'_> = (&|p| p.rotation.to_radians().cos(), &|p| {
            p.rotation.to_radians().cos()
        });
        check("turn across", part, within, "life", 0.03);
        let part: Part<'_> = (&|p| p.rotation.to_radians().sin(), &|p| {
            p.rotation.to_radians().sin()
        });
        check("turn up", part, within, "life", 0.03);
        for c in 0..4 {
            let theirs: &dyn Fn(&Original) -> f64 = if c == 3 && !opacity {
                &|_| 1.0
            } else {
                &|p| p.color()[c]
            };
            check(
                &format!("colour {c}"),
                (&|p| p.color[c], theirs),
                within,
                "life",
                0.015,
            );
        }
    }
    for axis in 0..2 {
        let part: Part<'_> = (&|p| p.position[axis], &|p| p.position[axis]);
        check(
            &format!("place {axis}"),
            part,
            [at - 0.1, at + 0.1],
            "seconds",
            3.5,
        );
        // How far they spread about it, not only where their middle is.
        let part: Part<'_> = (&|p| p.position[axis].abs(), &|p| p.position[axis].abs());
        check(
            &format!("distance {axis}"),
            part,
            [at - 0.1, at + 0.1],
            "seconds",
            3.5,
        );
    }
    compared.get()
}

/// Ages from birth to death, seven means each, and four of the places.
pub(super) const ALL: u32 = 3 * 7 + 4;
