//! Writes `effects/*.mote` from scratch, through the same edits an artist makes, so that the files are
//! canonical. `cargo run --example make_presets --no-default-features --features compiler`

use std::path::Path;

use mote::artifact::{Blend, Burst, Emission, RenderSettings};
use mote::base::curve::{ColorKey, Curve, Gradient, Interpolation, Key};
use mote::base::diag::FlowKind::{self, Birth, EveryFrame};
use mote::base::id::Id;
use mote::document::{Document, Edit, file};
use mote::graph::{InputMode, Lanes, Node, PortType, registry};
use mote::layout::FieldType;

type Failure = Box<dyn std::error::Error>;

/// Puts blocks into one emitter, one below another.
struct Builder<'a> {
    document: &'a mut Document,
    emitter: Id,
    /// Where the next block of each flow goes.
    next: [f32; 2],
}

/// What a block takes on the canvas besides its rows, the gap to the next one included.
const BLOCK_HEIGHT: f32 = 54.0;
/// What each input takes.
const ROW_HEIGHT: f32 = 24.0;

impl Builder<'_> {
    fn block(
        &mut self,
        flow: FlowKind,
        id: &str,
        kind: &str,
        inputs: &[(&str, InputMode)],
    ) -> Result<(), Failure> {
        let mut node = Node::new(Id::new(id)?, kind);
        for (port, mode) in inputs {
            node = node.input(port, mode.clone());
        }
        let kind = registry().get(kind).ok_or("no such kind")?;
        let rows: usize = kind
            .inputs
            .iter()
            .map(|port| {
                let wide = matches!(port.ty, PortType::Of(ty) if ty.width() > 1 && ty != FieldType::Color);
                match node.inputs.get(&port.name).unwrap_or(&port.default) {
                    InputMode::Random { .. } if wide => 2,
                    _ => 1,
                }
            })
            .sum();
        let next = &mut self.next[flow as usize];
        let edit = Edit::AddNode {
            emitter: self.emitter.clone(),
            flow,
            node: Box::new(node),
            index: None,
            position: [0.0, *next],
        };
        *next += BLOCK_HEIGHT + ROW_HEIGHT * rows as f32;
        self.document.apply(&edit)?;
        Ok(())
    }

    fn settings(&mut self, emission: Emission, blend: Blend) -> Result<(), Failure> {
        let emitter = self.emitter.clone();
        self.document.apply(&Edit::SetEmission { emitter, emission })?;
        let emitter = self.emitter.clone();
        let render = RenderSettings {
            blend,
            ..RenderSettings::default()
        };
        self.document.apply(&Edit::SetRender { emitter, render })?;
        Ok(())
    }
}

fn emitter<'a>(document: &'a mut Document, id: &str, name: &str) -> Result<Builder<'a>, Failure> {
    let emitter = Id::new(id)?;
    document.apply(&Edit::AddEmitter {
        id: emitter.clone(),
        name: name.to_owned(),
        index: None,
    })?;
    Ok(Builder {
        document,
        emitter,
        next: [0.0; 2],
    })
}

enum Shape {
    Point,
    Sphere(f32),
    Box([f32; 3]),
    Plane { width: f32, up: f32 },
}

enum Velocity {
    Sphere([f32; 2]),
    Cone { degrees: f32, speed: [f32; 2] },
    Box([f32; 3], [f32; 3]),
}

/// One row of the table of presets.
struct Preset {
    name: &'static str,
    title: &'static str,
    shape: Shape,
    velocity: Velocity,
    gravity: [f32; 3],
    drag: f32,
    life: [f32; 2],
    size: [f32; 2],
    growth: f32,
    spin: f32,
    color: [[f32; 3]; 2],
    alpha: f32,
    blend: Blend,
    emission: Emission,
}

fn rate(rate: f32, capacity: u32) -> Emission {
    Emission {
        rate,
        capacity,
        ..Emission::default()
    }
}

fn burst(count: u32, every: f32, capacity: u32) -> Emission {
    Emission {
        duration: Some(every),
        loops: 0,
        bursts: vec![Burst::once(count)],
        capacity,
        ..Emission::default()
    }
}

#[rustfmt::skip]
fn table() -> Vec<Preset> {
    use Blend::{Additive, Alpha};
    vec![
        Preset { name: "explosion", title: "Explosion", shape: Shape::Point, velocity: Velocity::Sphere([2.0, 8.0]), gravity: [0.0, -9.8, 0.0], drag: 0.1,
            life: [0.5, 1.5], size: [0.05, 0.15], growth: -0.05, spin: 5.0, color: [[0.8, 0.3, 0.0], [1.0, 0.8, 0.3]], alpha: 1.0, blend: Additive, emission: burst(250, 2.0, 320) },
        Preset { name: "water_jet", title: "Water jet", shape: Shape::Point, velocity: Velocity::Cone { degrees: 10.0, speed: [3.0, 5.0] }, gravity: [0.0, -9.8, 0.0], drag: 0.01,
            life: [1.0, 2.0], size: [0.03, 0.05], growth: 0.0, spin: 0.0, color: [[0.3, 0.5, 0.8], [0.5, 0.8, 1.0]], alpha: 0.8, blend: Alpha, emission: rate(400.0, 1_024) },
        Preset { name: "rain", title: "Rain", shape: Shape::Plane { width: 20.0, up: 10.0 }, velocity: Velocity::Box([-0.3, -5.0, -0.3], [0.3, -5.0, 0.3]), gravity: [0.0; 3], drag: 0.0,
            life: [3.0, 5.0], size: [0.01, 0.02], growth: 0.0, spin: 0.0, color: [[0.7, 0.8, 1.0], [1.0, 1.0, 1.0]], alpha: 0.3, blend: Alpha, emission: rate(800.0, 4_400) },
        Preset { name: "smoke", title: "Smoke", shape: Shape::Box([0.15, 0.0, 0.15]), velocity: Velocity::Cone { degrees: 45.0, speed: [0.3, 1.0] }, gravity: [0.0, 0.3, 0.0], drag: 0.3,
            life: [2.0, 4.0], size: [0.2, 0.4], growth: 0.3, spin: 2.0, color: [[0.3, 0.3, 0.3], [0.7, 0.7, 0.7]], alpha: 0.4, blend: Alpha, emission: rate(25.0, 128) },
        Preset { name: "fire", title: "Fire", shape: Shape::Point, velocity: Velocity::Cone { degrees: 20.0, speed: [1.0, 3.0] }, gravity: [0.0, 0.5, 0.0], drag: 0.2,
            life: [0.3, 0.8], size: [0.15, 0.3], growth: -0.2, spin: 8.0, color: [[1.0, 0.3, 0.0], [1.0, 0.9, 0.2]], alpha: 1.0, blend: Additive, emission: rate(150.0, 160) },
        Preset { name: "snow", title: "Snow", shape: Shape::Plane { width: 10.0, up: 5.0 }, velocity: Velocity::Box([-0.2, -0.5, -0.2], [0.2, -0.5, 0.2]), gravity: [0.0; 3], drag: 0.0,
            life: [5.0, 10.0], size: [0.02, 0.04], growth: 0.0, spin: 3.0, color: [[0.9, 0.9, 1.0], [1.0, 1.0, 1.0]], alpha: 0.8, blend: Alpha, emission: rate(200.0, 2_200) },
        Preset { name: "sparkles", title: "Sparkles", shape: Shape::Sphere(0.3), velocity: Velocity::Sphere([0.1, 0.5]), gravity: [0.0; 3], drag: 0.5,
            life: [1.0, 3.0], size: [0.02, 0.05], growth: -0.01, spin: 0.0, color: [[1.0, 0.8, 0.4], [1.0, 1.0, 1.0]], alpha: 1.0, blend: Additive, emission: rate(40.0, 160) },
        Preset { name: "debris", title: "Debris", shape: Shape::Point, velocity: Velocity::Sphere([1.0, 6.0]), gravity: [0.0, -9.8, 0.0], drag: 0.02,
            life: [1.0, 3.0], size: [0.03, 0.08], growth: 0.0, spin: 10.0, color: [[0.4, 0.3, 0.15], [0.8, 0.6, 0.3]], alpha: 1.0, blend: Alpha, emission: burst(80, 3.0, 192) },
    ]
}

fn between([min, max]: [f32; 2]) -> InputMode {
    if min == max {
        InputMode::value(min)
    } else {
        InputMode::random(min, max)
    }
}

/// Blocks that would do nothing (no gravity, no drag, no growth, no spin) are left out.
fn build(row: Preset) -> Result<Document, Failure> {
    let mut document = Document::new(row.title);
    let mut b = emitter(&mut document, row.name, row.title)?;
    b.settings(row.emission, row.blend)?;
    match row.shape {
        Shape::Point => b.block(Birth, "point", "shape_point", &[])?,
        Shape::Sphere(radius) => b.block(
            Birth,
            "sphere",
            "shape_sphere",
            &[("radius", InputMode::value(radius))],
        )?,
        Shape::Box(half) => b.block(
            Birth,
            "box",
            "shape_box",
            &[("half_extents", InputMode::value(half))],
        )?,
        Shape::Plane { width, up } => b.block(
            Birth,
            "plane",
            "shape_plane",
            &[
                ("size", InputMode::value([width, width])),
                ("normal", InputMode::value([0.0, 1.0, 0.0])),
                ("center", InputMode::value([0.0, up, 0.0])),
            ],
        )?,
    }
    match row.velocity {
        Velocity::Sphere(speed) => {
            b.block(Birth, "velocity", "velocity_sphere", &[("speed", between(speed))])?;
        }
        Velocity::Cone { degrees, speed } => b.block(
            Birth,
            "velocity",
            "velocity_cone",
            &[
                ("direction", InputMode::value([0.0, 1.0, 0.0])),
                ("angle", InputMode::value(degrees.to_radians())),
                ("speed", between(speed)),
            ],
        )?,
        Velocity::Box(min, max) => b.block(
            Birth,
            "velocity",
            "velocity_box",
            &[("min", InputMode::value(min)), ("max", InputMode::value(max))],
        )?,
    }
    b.block(
        Birth,
        "lifetime",
        "birth_lifetime",
        &[("lifetime", between(row.life))],
    )?;
    b.block(Birth, "size", "birth_size", &[("size", between(row.size))])?;
    let [low, high] = row.color.map(|[r, g, b]| Lanes::from([r, g, b, 1.0]));
    b.block(
        Birth,
        "color",
        "birth_color",
        &[("color", InputMode::random(low, high))],
    )?;
    if row.spin != 0.0 {
        b.block(
            Birth,
            "spin",
            "birth_spin",
            &[("spin", between([-row.spin, row.spin]))],
        )?;
    }
    if row.gravity != [0.0; 3] {
        b.block(
            EveryFrame,
            "gravity",
            "gravity",
            &[("acceleration", InputMode::value(row.gravity))],
        )?;
    }
    if row.drag != 0.0 {
        b.block(
            EveryFrame,
            "drag",
            "drag",
            &[("drag", InputMode::value(row.drag))],
        )?;
    }
    b.block(EveryFrame, "move", "move", &[])?;
    if row.growth != 0.0 {
        b.block(
            EveryFrame,
            "grow",
            "grow",
            &[("growth", InputMode::value(row.growth))],
        )?;
    }
    if row.spin != 0.0 {
        b.block(EveryFrame, "turn", "spin_roll", &[])?;
    }
    b.block(
        EveryFrame,
        "fade",
        "alpha_fade",
        &[("alpha_scale", InputMode::value(row.alpha))],
    )?;
    b.block(EveryFrame, "age", "age", &[])?;
    Ok(document)
}

fn key(t: f32, v: f32, tangent_in: f32, tangent_out: f32) -> Key {
    Key {
        t,
        v,
        interpolation: Interpolation::Smooth,
        tangent_in,
        tangent_out,
    }
}

fn gradient(keys: &[[f32; 5]]) -> Result<InputMode, Failure> {
    let keys = keys.iter().map(|&[t, r, g, b, a]| ColorKey::new(t, [r, g, b, a]));
    Ok(InputMode::Gradient(Gradient::new(keys.collect())?))
}

/// Flames and embers that add light, the smoke above them, and flakes of soot that tumble in it.
fn bonfire() -> Result<Document, Failure> {
    let mut document = Document::new("Bonfire");

    let mut b = emitter(&mut document, "smoke", "Smoke")?;
    b.settings(rate(14.0, 96), Blend::Alpha)?;
    b.block(
        Birth,
        "box",
        "shape_box",
        &[
            ("half_extents", InputMode::value([0.18, 0.1, 0.18])),
            ("center", InputMode::value([0.0, 0.9, 0.0])),
        ],
    )?;
    b.block(
        Birth,
        "velocity",
        "velocity_cone",
        &[
            ("direction", InputMode::value([0.1, 1.0, 0.0])),
            ("angle", InputMode::value(20_f32.to_radians())),
            ("speed", InputMode::random(0.5, 1.0)),
        ],
    )?;
    b.block(
        Birth,
        "lifetime",
        "birth_lifetime",
        &[("lifetime", InputMode::random(3.0, 5.0))],
    )?;
    let turn = InputMode::random(0.0, std::f32::consts::TAU);
    b.block(
        Birth,
        "spin",
        "birth_spin",
        &[("spin", InputMode::random(-0.6, 0.6)), ("angle", turn.clone())],
    )?;
    b.block(
        EveryFrame,
        "buoyancy",
        "gravity",
        &[("acceleration", InputMode::value([0.15, 0.5, 0.0]))],
    )?;
    b.block(EveryFrame, "drag", "drag", &[("drag", InputMode::value(0.5))])?;
    b.block(EveryFrame, "move", "move", &[])?;
    let swell = Curve::new(vec![key(0.0, 0.25, 0.0, 1.6), key(1.0, 1.0, 0.3, 0.0)])?;
    b.block(
        EveryFrame,
        "size",
        "size_over_life",
        &[
            ("size", InputMode::random(0.9, 1.4)),
            ("scale", InputMode::Curve(swell)),
        ],
    )?;
    let smoke = gradient(&[
        [0.0, 0.10, 0.07, 0.05, 0.0],
        [0.12, 0.10, 0.085, 0.075, 0.28],
        [0.5, 0.14, 0.13, 0.125, 0.16],
        [1.0, 0.2, 0.2, 0.2, 0.0],
    ])?;
    b.block(EveryFrame, "color", "color_over_life", &[("color", smoke)])?;
    b.block(EveryFrame, "turn", "spin_roll", &[])?;
    b.block(EveryFrame, "age", "age", &[])?;

    let mut b = emitter(&mut document, "soot", "Soot")?;
    b.settings(rate(18.0, 96), Blend::Alpha)?;
    rising_disk(&mut b, 0.22, 0.55, 30.0, [0.6, 1.4], [1.8, 3.0])?;
    b.block(Birth, "rotation", "birth_random_rotation", &[])?;
    b.block(
        Birth,
        "tumble-speed",
        "birth_angular_velocity",
        &[("angular_velocity", InputMode::random([-5.0; 3], [5.0; 3]))],
    )?;
    b.block(
        Birth,
        "size",
        "birth_size",
        &[("size", InputMode::random(0.035, 0.085))],
    )?;
    drifting(&mut b, [0.1, 0.35, 0.0], [1.2, 1.0, 0.5], 0.7)?;
    b.block(EveryFrame, "tumble", "tumble", &[])?;
    let soot = gradient(&[
        [0.0, 1.2, 0.3, 0.05, 0.0],
        [0.08, 0.8, 0.16, 0.03, 0.9],
        [0.25, 0.11, 0.08, 0.07, 0.9],
        [0.7, 0.2, 0.19, 0.18, 0.75],
        [1.0, 0.24, 0.23, 0.22, 0.0],
    ])?;
    b.block(EveryFrame, "color", "color_over_life", &[("color", soot)])?;
    b.block(EveryFrame, "age", "age", &[])?;

    let mut b = emitter(&mut document, "flame", "Flame")?;
    b.settings(rate(160.0, 224), Blend::Additive)?;
    b.block(
        Birth,
        "sphere",
        "shape_sphere",
        &[
            ("radius", InputMode::value(0.22)),
            ("center", InputMode::value([0.0, 0.1, 0.0])),
        ],
    )?;
    b.block(
        Birth,
        "velocity",
        "velocity_cone",
        &[
            ("direction", InputMode::value([0.0, 1.0, 0.0])),
            ("angle", InputMode::value(14_f32.to_radians())),
            ("speed", InputMode::random(0.4, 1.3)),
        ],
    )?;
    b.block(
        Birth,
        "lifetime",
        "birth_lifetime",
        &[("lifetime", InputMode::random(0.6, 1.25))],
    )?;
    b.block(
        Birth,
        "spin",
        "birth_spin",
        &[("spin", InputMode::random(-2.0, 2.0)), ("angle", turn)],
    )?;
    b.block(
        EveryFrame,
        "buoyancy",
        "gravity",
        &[("acceleration", InputMode::value([0.0, 2.6, 0.0]))],
    )?;
    b.block(EveryFrame, "drag", "drag", &[("drag", InputMode::value(1.1))])?;
    b.block(EveryFrame, "move", "move", &[])?;
    let tongue = Curve::new(vec![
        key(0.0, 0.35, 0.0, 3.0),
        key(0.25, 1.0, 0.0, 0.0),
        key(1.0, 0.12, -1.2, 0.0),
    ])?;
    b.block(
        EveryFrame,
        "size",
        "size_over_life",
        &[
            ("size", InputMode::random(0.28, 0.5)),
            ("scale", InputMode::Curve(tongue)),
        ],
    )?;
    let flame = gradient(&[
        [0.0, 0.25, 0.35, 1.0, 0.0],
        [0.08, 1.0, 0.72, 0.28, 0.55],
        [0.35, 1.0, 0.42, 0.08, 0.5],
        [0.7, 0.9, 0.14, 0.02, 0.3],
        [1.0, 0.35, 0.03, 0.0, 0.0],
    ])?;
    b.block(EveryFrame, "color", "color_over_life", &[("color", flame)])?;
    b.block(EveryFrame, "turn", "spin_roll", &[])?;
    b.block(EveryFrame, "age", "age", &[])?;

    let mut b = emitter(&mut document, "embers", "Embers")?;
    b.settings(rate(60.0, 128), Blend::Additive)?;
    rising_disk(&mut b, 0.24, 0.12, 20.0, [1.0, 2.6], [0.7, 1.7])?;
    b.block(
        Birth,
        "size",
        "birth_size",
        &[("size", InputMode::random(0.014, 0.03))],
    )?;
    drifting(&mut b, [0.1, 0.6, 0.0], [2.2, 1.4, 0.8], 0.9)?;
    let embers = gradient(&[
        [0.0, 4.0, 2.4, 0.9, 1.0],
        [0.25, 3.2, 1.2, 0.25, 1.0],
        [0.7, 1.6, 0.32, 0.05, 0.9],
        [1.0, 0.5, 0.05, 0.01, 0.0],
    ])?;
    b.block(EveryFrame, "color", "color_over_life", &[("color", embers)])?;
    b.block(EveryFrame, "age", "age", &[])?;
    Ok(document)
}

/// Born on a disk so high above the ground, thrown up in a cone.
fn rising_disk(
    b: &mut Builder<'_>,
    radius: f32,
    height: f32,
    degrees: f32,
    speed: [f32; 2],
    life: [f32; 2],
) -> Result<(), Failure> {
    b.block(
        Birth,
        "disk",
        "shape_disk",
        &[
            ("radius", InputMode::value(radius)),
            ("center", InputMode::value([0.0, height, 0.0])),
        ],
    )?;
    b.block(
        Birth,
        "velocity",
        "velocity_cone",
        &[
            ("angle", InputMode::value(degrees.to_radians())),
            ("speed", between(speed)),
        ],
    )?;
    b.block(
        Birth,
        "lifetime",
        "birth_lifetime",
        &[("lifetime", between(life))],
    )
}

/// Carried up and about: buoyancy, then strength, frequency and evolution of the turbulence, then drag.
fn drifting(b: &mut Builder<'_>, buoyancy: [f32; 3], swirls: [f32; 3], drag: f32) -> Result<(), Failure> {
    b.block(
        EveryFrame,
        "buoyancy",
        "gravity",
        &[("acceleration", InputMode::value(buoyancy))],
    )?;
    let [strength, frequency, evolution] = swirls.map(InputMode::value);
    b.block(
        EveryFrame,
        "turbulence",
        "turbulence",
        &[
            ("strength", strength),
            ("frequency", frequency),
            ("evolution", evolution),
        ],
    )?;
    b.block(EveryFrame, "drag", "drag", &[("drag", InputMode::value(drag))])?;
    b.block(EveryFrame, "move", "move", &[])
}

/// All presets by name. A test holds the files in `effects` to them.
pub(crate) fn documents() -> Result<Vec<(&'static str, Document)>, Failure> {
    let mut documents = Vec::new();
    for row in table() {
        documents.push((row.name, build(row)?));
    }
    documents.push(("bonfire", bonfire()?));
    Ok(documents)
}

#[allow(dead_code, reason = "the test that includes this file writes nothing")]
fn main() -> Result<(), Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("effects");
    for (name, document) in documents()? {
        file::save_to(&document, &folder.join(format!("{name}.mote")))?;
    }
    Ok(())
}
