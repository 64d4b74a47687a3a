//! A document of library blocks that plays as the file's particles would.

use super::particles::{Motion, Particles, Spread};
use crate::artifact::{Emission, RenderSettings, Space};
use crate::base::curve::{AlphaKey, ColorKey, Curve, Gradient};
use crate::base::diag::FlowKind::{Birth, EveryFrame};
use crate::document::edit::EditError;
use crate::document::import::build::{Builder, Feed, Made, made};
use crate::document::import::{ImportError, Options};
use crate::document::{Document, Edit};
use crate::graph::InputMode;
use crate::layout::FieldType;

/// Parts that a change of colour is cut into: straight in sRGB is bent in linear light.
const COLOR_PARTS: u32 = 8;
/// The exponent from sRGB to linear light where each particle has colours of its own; within 0.004 of the curve.
const GAMMA: f32 = 2.2;

/// Makes the document.
pub(super) fn build(p: &Particles, name: &str, options: &Options) -> Result<Document, ImportError> {
    let name = p.name.as_deref().unwrap_or(name);
    let mut builder = Builder::new(name)?;
    settings(&mut builder, p)?;
    let metres = 1.0 / f64::from(options.pixels_per_metre);
    birth(&mut builder, p, metres)?;
    every_frame(&mut builder, p, metres)?;
    Ok(builder.finish())
}

fn settings(builder: &mut Builder, p: &Particles) -> Result<(), EditError> {
    let emission = Emission {
        rate: p.rate,
        capacity: p.count,
        duration: p.duration.map(|seconds| seconds as f32),
        loops: u32::from(p.duration.is_some()),
        ..Emission::default()
    };
    builder.edit(|emitter| Edit::SetEmission { emitter, emission })?;
    let render = RenderSettings {
        blend: p.blend,
        ..RenderSettings::default()
    };
    builder.edit(|emitter| Edit::SetRender { emitter, render })?;
    let space = p.space;
    builder.edit(|emitter| Edit::SetSpace { emitter, space })?;
    if let Some(texture) = p.texture.clone() {
        let texture = Some(texture);
        builder.edit(|emitter| Edit::SetTexture { emitter, texture })?;
    }
    Ok(())
}

/// A value, or a draw between two, in the document's units.
fn mode(spread: Spread, unit: f64) -> InputMode {
    let [a, b] = spread.ends().map(|end| (end * unit) as f32);
    if a == b {
        InputMode::value(a)
    } else {
        InputMode::random(a.min(b), a.max(b))
    }
}

/// The same, never below 0: `limit` is the id of the node that sees to it where one is needed.
fn positive(spread: Spread, unit: f64, limit: &'static str) -> Feed {
    let [least, most] = spread.ends();
    if most <= 0.0 {
        InputMode::value(0.0).into()
    } else if least < 0.0 {
        made(limit, "op.max")
            .title("Not below 0")
            .feed("a", mode(spread, unit))
            .feed("b", InputMode::value(0.0))
            .into()
    } else {
        mode(spread, unit).into()
    }
}

fn life_part() -> Made {
    made("life-part", "age_fraction")
}

fn field(id: &'static str, name: &str) -> Made {
    made(id, "get_field").set("field", name)
}

fn set_field(id: &'static str, name: &str) -> Made {
    made(id, "set_field").set("field", name)
}

/// Radians counterclockwise for a degree clockwise.
const CLOCKWISE: f64 = -std::f64::consts::PI / 180.0;
const COUNTERCLOCKWISE: f64 = -CLOCKWISE;

/// Field that keeps which way a particle was thrown.
const HEADING: &str = "heading";
/// Field that keeps where the emitter was.
const HOME: &str = "home";

/// Whether a particle is turned to where it flies.
fn turned(p: &Particles) -> bool {
    matches!(p.motion, Motion::Gravity { turned: true, .. })
}

/// Whether particles turn while they live.
fn turns(p: &Particles) -> bool {
    p.spin[0] != p.spin[1] || p.spin[0].by != 0.0
}

fn changes_color(p: &Particles) -> bool {
    p.start_color != p.end_color || varied(&p.start_color)
}

fn varied(color: &[Spread; 4]) -> bool {
    color.iter().any(|channel| channel.by != 0.0)
}

fn birth(builder: &mut Builder, p: &Particles, metres: f64) -> Result<(), EditError> {
    let [x, y] = p.place.map(|half| (half.abs() * metres) as f32);
    builder.block(
        Birth,
        if [x, y] == [0.0; 2] {
            made("shape", "shape_point")
        } else {
            made("shape", "shape_box").feed("half_extents", InputMode::value([x, y, 0.0]))
        },
    )?;
    if let Motion::Gravity { speed, .. } = p.motion {
        let way = if p.flipped { -metres } else { metres };
        let velocity = made("velocity", "velocity_fixed")
            .feed("direction", direction(p.angle))
            .feed("speed", mode(speed, way));
        builder.block(Birth, velocity)?;
    }
    let life = made("lifetime", "birth_lifetime").feed("lifetime", positive(p.life, 1.0, "lifetime-limit"));
    builder.block(Birth, life)?;
    if p.end_size.is_none() {
        let size = made("size", "birth_size").feed("size", positive(p.start_size, metres, "size-limit"));
        builder.block(Birth, size)?;
    }
    if !changes_color(p) {
        let color = InputMode::value(linear(p.start_color.map(|channel| channel.middle)));
        builder.block(Birth, made("color", "birth_color").feed("color", color))?;
    }
    rotation_at_birth(builder, p)?;
    if p.space == Space::World && matches!(p.motion, Motion::Radial { .. }) {
        builder.field(HOME, FieldType::Vec3)?;
        let home = set_field("home", HOME)
            .title("Remember the middle")
            .feed("value", field("birthplace", "position"));
        builder.block(Birth, home)?;
    }
    Ok(())
}

/// A direction in the plane that the effect plays in.
fn direction(angle: Spread) -> Feed {
    if angle.by == 0.0 {
        let (y, x) = angle.middle.to_radians().sin_cos();
        return InputMode::value([x as f32, y as f32, 0.0]).into();
    }
    // One draw that both sides read.
    let [least, most] = angle.ends().map(|end| (end * COUNTERCLOCKWISE) as f32);
    let angle = made("angle", "random_between")
        .title("Angle")
        .feed("min", InputMode::value(least))
        .feed("max", InputMode::value(most));
    point_at(angle).into()
}

/// The point of the circle of radius 1 at an angle.
fn point_at(angle: Made) -> Made {
    made("direction", "combine")
        .feed("x", made("cosine", "op.cos").feed("a", angle.clone()))
        .feed("y", made("sine", "op.sin").feed("a", angle))
}

fn rotation_at_birth(builder: &mut Builder, p: &Particles) -> Result<(), EditError> {
    if turned(p) {
        // Where it flies before anything is mirrored.
        let velocity = field("velocity-at-birth", "velocity");
        let velocity = if p.flipped {
            made("unmirrored", "op.neg").feed("a", velocity)
        } else {
            velocity
        };
        let parts = made("parts", "split").feed("value", velocity);
        let heading = made("heading", "atan2")
            .title("Heading")
            .feed("y", parts.clone().output("y"))
            .feed("x", parts.output("x"));
        return if turns(p) {
            builder.field(HEADING, FieldType::Float)?;
            builder.block(
                Birth,
                set_field("keep-heading", HEADING)
                    .title("Remember the heading")
                    .feed("value", heading),
            )
        } else {
            builder.block(Birth, made("rotation", "birth_rotation").feed("angle", heading))
        };
    }
    if !turns(p) && !p.spin[0].is_zero() {
        let angle = mode(p.spin[0], CLOCKWISE);
        builder.block(Birth, made("rotation", "birth_rotation").feed("angle", angle))?;
    }
    Ok(())
}

fn every_frame(builder: &mut Builder, p: &Particles, metres: f64) -> Result<(), EditError> {
    match p.motion {
        Motion::Gravity {
            gravity,
            radial,
            tangential,
            ..
        } => {
            let way = if p.flipped { -metres } else { metres };
            if gravity != [0.0; 2] {
                let [x, y] = gravity.map(|pull| (pull * way) as f32);
                let pull = InputMode::value([x, y, 0.0]);
                builder.block(EveryFrame, made("gravity", "gravity").feed("acceleration", pull))?;
            }
            if !radial.is_zero() {
                // The block pulls to the middle, and the file's number pushes from it.
                let strength = mode(radial, -way);
                builder.block(EveryFrame, made("radial", "attract").feed("strength", strength))?;
            }
            if !tangential.is_zero() {
                let around = made("tangential", "vortex")
                    .feed("strength", mode(tangential, way))
                    .feed("pull", InputMode::value(0.0))
                    .feed("axis", InputMode::value([0.0, 0.0, 1.0]));
                builder.block(EveryFrame, around)?;
            }
            builder.block(EveryFrame, made("move", "move"))?;
            builder.block(EveryFrame, made("age", "age"))?;
        }
        Motion::Radial { start, end, turn } => {
            // The place is a function of the age, so that the age comes first.
            builder.block(EveryFrame, made("age", "age"))?;
            builder.block(EveryFrame, place(p, (start, end, turn), metres))?;
        }
    }
    if let Some(end) = p.end_size {
        builder.block(EveryFrame, size(p.start_size, end, metres))?;
    }
    if changes_color(p) {
        builder.block(EveryFrame, color(p))?;
    }
    if turns(p) {
        builder.field("orientation", FieldType::Quat)?;
        builder.block(EveryFrame, rotation(p))?;
    }
    Ok(())
}

/// The place of a particle that goes round the emitter.
fn place(p: &Particles, (start, end, turn): (Spread, Option<Spread>, Spread), metres: f64) -> Made {
    // The original counts the angle from the left: half a turn more, and mirrored where it says so.
    let (angle, way) = if p.flipped {
        (180.0 - p.angle.middle, -COUNTERCLOCKWISE)
    } else {
        (180.0 + p.angle.middle, COUNTERCLOCKWISE)
    };
    let angle = Spread {
        middle: angle,
        ..p.angle
    };
    let angle = made("angle-now", "op.mad")
        .title("Angle")
        .feed("a", field("age-now", "age"))
        .feed("b", mode(turn, way))
        .feed("c", mode(angle, COUNTERCLOCKWISE));
    let radius: Feed = match end {
        Some(end) => made("radius", "lerp")
            .title("Radius")
            .feed("a", mode(start, metres))
            .feed("b", mode(end, metres))
            .feed("t", life_part())
            .into(),
        None => mode(start, metres).into(),
    };
    let away = made("away", "op.mul")
        .title("From the middle")
        .feed("a", point_at(angle))
        .feed("b", radius);
    let place = set_field("place", "position").title("Go round");
    match p.space {
        Space::Local => place.feed("value", away),
        // The middle of its way is where the emitter was at its birth.
        Space::World => place.feed(
            "value",
            made("from-home", "op.add")
                .feed("a", made("turned", "direction_to_simulation").feed("value", away))
                .feed("b", field("home-then", HOME)),
        ),
    }
}

/// Size over life: a line where all particles have the same sizes, else between two draws of each.
fn size(start: Spread, end: Spread, metres: f64) -> Made {
    let block = made("size-over-life", "size_over_life");
    if start.by == 0.0 && end.by == 0.0 {
        let [a, b] = [start, end].map(|size| size.middle.max(0.0) * metres);
        let most = a.max(b);
        if most > 0.0 {
            let curve = Curve::line((a / most) as f32, (b / most) as f32);
            return block
                .feed("size", InputMode::value(most as f32))
                .feed("scale", InputMode::Curve(curve));
        }
    }
    let size = made("size-now", "lerp")
        .title("Size")
        .feed("a", positive(start, metres, "start-limit"))
        .feed("b", positive(end, metres, "end-limit"))
        .feed("t", life_part());
    block.feed("size", size).feed("scale", InputMode::value(1.0))
}

/// sRGB from 0 to 1 to linear light.
fn light(encoded: f64) -> f64 {
    let c = encoded.clamp(0.0, 1.0);
    if c <= 0.04045 {
        c / 12.92
    } else {
        ((c + 0.055) / 1.055).powf(2.4)
    }
}

/// The colour in linear light; opacity is as it is.
fn linear([r, g, b, a]: [f64; 4]) -> [f32; 4] {
    [light(r), light(g), light(b), a.clamp(0.0, 1.0)].map(|channel| channel as f32)
}

/// Colour over life: a gradient where all particles have the same colours, else between two draws of each.
fn color(p: &Particles) -> Made {
    let block = made("color-over-life", "color_over_life");
    let varied = varied(&p.start_color) || varied(&p.end_color);
    if let Some(gradient) = (!varied).then(|| gradient(p)).flatten() {
        return block.feed("color", InputMode::Gradient(gradient));
    }
    let mix = made("color-mix", "lerp")
        .title("Colour in sRGB")
        .feed("a", drawn_color(&p.start_color, "start-color-limit"))
        .feed("b", drawn_color(&p.end_color, "end-color-limit"))
        .feed("t", life_part());
    let light = made("color-light", "power")
        .title("Linear light")
        .feed("base", mix)
        .feed("exponent", InputMode::value([GAMMA, GAMMA, GAMMA, 1.0]));
    block.feed("color", light)
}

/// The colours between two that are straight in sRGB; none where a gradient cannot hold them.
fn gradient(p: &Particles) -> Option<Gradient> {
    let [from, to] = [&p.start_color, &p.end_color].map(|color| color.map(|c| c.middle.clamp(0.0, 1.0)));
    let parts = if from[..3] == to[..3] { 1 } else { COLOR_PARTS };
    let keys = (0..=parts).map(|part| {
        let t = f64::from(part) / f64::from(parts);
        let mixed = std::array::from_fn(|i| from[i] + (to[i] - from[i]) * t);
        ColorKey::new(t as f32, linear(mixed))
    });
    let alphas = vec![
        AlphaKey::new(0.0, from[3] as f32),
        AlphaKey::new(1.0, to[3] as f32),
    ];
    Gradient::new(keys.collect()).ok()?.with_alphas(alphas).ok()
}

/// A draw of each channel, kept within 0 and 1.
fn drawn_color(color: &[Spread; 4], limit: &'static str) -> Feed {
    let ends = color.map(Spread::ends);
    let [least, most] = [0, 1].map(|end| ends.map(|of| of[end] as f32));
    let drawn = if least == most {
        InputMode::value(least)
    } else {
        InputMode::random(least, most)
    };
    if least.iter().all(|&c| c >= 0.0) && most.iter().all(|&c| c <= 1.0) {
        return drawn.into();
    }
    made(limit, "saturate").feed("value", drawn).into()
}

/// The turn in the picture over life.
fn rotation(p: &Particles) -> Made {
    let [start, end] = p.spin.map(|turn| mode(turn, CLOCKWISE));
    let angle = if turned(p) {
        let whole = made("turn", "op.sub").feed("a", end).feed("b", start);
        made("angle-of-turn", "op.mad")
            .title("Turn")
            .feed("a", whole)
            .feed("b", life_part())
            .feed("c", field("heading-then", HEADING))
    } else {
        made("angle-of-turn", "lerp")
            .title("Turn")
            .feed("a", start)
            .feed("b", end)
            .feed("t", life_part())
    };
    let turned = made("rotation-now", "axis_angle")
        .feed("axis", InputMode::value([0.0, 0.0, 1.0]))
        .feed("angle", angle);
    set_field("rotate", "orientation")
        .title("Turn in the picture")
        .feed("value", turned)
}
