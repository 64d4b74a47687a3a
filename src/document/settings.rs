//! Emission, drawing and parameter settings as JSON, each number with the path to it.

use crate::artifact::emission::{Burst, RateKey, SeedMode};
use crate::artifact::{Blend, Emission, Flipbook, Parameter, ParameterRead, Projection, RenderSettings};
use crate::base::json::Json;
use crate::graph::codec::{Cursor, FormatError, write_numbers};

/// One of a list of names.
fn choice<T: Copy>(cursor: &Cursor<'_>, choices: &[(&str, T)]) -> Result<T, FormatError> {
    let name = cursor.text()?;
    choices
        .iter()
        .find(|(choice, _)| *choice == name)
        .map(|(_, value)| *value)
        .ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            cursor.error(format!("{name:?} is none of {}", names.join(", ")))
        })
}

fn name_of<T: PartialEq>(value: &T, choices: &[(&'static str, T)]) -> &'static str {
    choices
        .iter()
        .find(|(_, choice)| choice == value)
        .map_or("", |(name, _)| name)
}

const SEEDS: &[(&str, SeedMode)] = &[
    ("play", SeedMode::Play),
    ("fixed", SeedMode::Fixed),
    ("loop", SeedMode::Loop),
];
const BLENDS: &[(&str, Blend)] = &[
    ("alpha", Blend::Alpha),
    ("additive", Blend::Additive),
    ("premultiplied", Blend::Premultiplied),
];
const PROJECTIONS: &[(&str, Projection)] = &[
    ("billboard", Projection::Billboard),
    ("stretched", Projection::Stretched),
    ("horizontal", Projection::Horizontal),
    ("vertical", Projection::Vertical),
    ("facing_world", Projection::FacingWorld),
];
const READS: &[(&str, ParameterRead)] = &[("birth", ParameterRead::Birth), ("step", ParameterRead::Step)];

fn unknown(name: &str, item: &Cursor<'_>) -> FormatError {
    item.error(format!("this version has no setting {name:?}"))
}

pub(super) fn read_emission(cursor: &Cursor<'_>) -> Result<Emission, FormatError> {
    let mut e = Emission::default();
    for (name, item) in cursor.entries()? {
        match name {
            "delay" => e.delay = item.f32()?,
            "duration" => e.duration = Some(item.f32()?),
            "loops" => e.loops = item.u32()?,
            "loop_delay" => e.loop_delay = item.f32()?,
            "rate" => e.rate = item.f32()?,
            "rate_keys" => {
                let keys = item.elements()?;
                e.rate_keys = keys.iter().map(read_rate_key).collect::<Result<_, _>>()?;
            }
            "rate_per_metre" => e.rate_per_metre = item.f32()?,
            "inherit_velocity" => e.inherit_velocity = item.f32()?,
            "time_scale" => e.time_scale = item.f32()?,
            "culling" => e.culling = item.bool()?,
            "max_catchup" => e.max_catchup = item.f32()?,
            "capacity" => e.capacity = item.u32()?,
            "prewarm" => e.prewarm = item.f32()?,
            "seed" => e.seed = item.u32()?,
            "seed_mode" => e.seed_mode = choice(&item, SEEDS)?,
            "bursts" => {
                e.bursts = item
                    .elements()?
                    .iter()
                    .map(read_burst)
                    .collect::<Result<_, _>>()?;
            }
            _ => return Err(unknown(name, &item)),
        }
    }
    Ok(e)
}

fn read_rate_key(cursor: &Cursor<'_>) -> Result<RateKey, FormatError> {
    let mut key = RateKey {
        time: 0.0,
        rate: cursor.need("rate")?.f32()?,
    };
    for (name, item) in cursor.entries()? {
        match name {
            "rate" => {}
            "time" => key.time = item.f32()?,
            _ => return Err(unknown(name, &item)),
        }
    }
    Ok(key)
}

fn read_burst(cursor: &Cursor<'_>) -> Result<Burst, FormatError> {
    let min = cursor.need("min")?.u32()?;
    let mut burst = Burst {
        time: 0.0,
        min,
        max: min,
        cycles: 1,
        interval: 0.0,
        chance: 1.0,
    };
    for (name, item) in cursor.entries()? {
        match name {
            "min" => {}
            "time" => burst.time = item.f32()?,
            "max" => burst.max = item.u32()?,
            "cycles" => burst.cycles = item.u32()?,
            "interval" => burst.interval = item.f32()?,
            "chance" => burst.chance = item.f32()?,
            _ => return Err(unknown(name, &item)),
        }
    }
    Ok(burst)
}

pub(super) fn write_emission(e: &Emission) -> Json {
    let d = Emission::default();
    let mut items = vec![("capacity", Json::u32(e.capacity))];
    let mut number = |name, value: f32, default: f32| {
        if value.to_bits() != default.to_bits() {
            items.push((name, Json::f32(value)));
        }
    };
    number("delay", e.delay, d.delay);
    number("loop_delay", e.loop_delay, d.loop_delay);
    number("rate", e.rate, d.rate);
    number("prewarm", e.prewarm, d.prewarm);
    number("rate_per_metre", e.rate_per_metre, d.rate_per_metre);
    number("inherit_velocity", e.inherit_velocity, d.inherit_velocity);
    number("time_scale", e.time_scale, d.time_scale);
    number("max_catchup", e.max_catchup, d.max_catchup);
    if e.culling != d.culling {
        items.push(("culling", Json::Bool(e.culling)));
    }
    if !e.rate_keys.is_empty() {
        let keys = e
            .rate_keys
            .iter()
            .map(|key| Json::object([("time", Json::f32(key.time)), ("rate", Json::f32(key.rate))]));
        items.push(("rate_keys", Json::array(keys)));
    }
    if let Some(duration) = e.duration {
        items.push(("duration", Json::f32(duration)));
    }
    if e.loops != d.loops {
        items.push(("loops", Json::u32(e.loops)));
    }
    if e.seed_mode != d.seed_mode {
        items.push(("seed_mode", Json::text(name_of(&e.seed_mode, SEEDS))));
    }
    if e.seed != d.seed {
        items.push(("seed", Json::u32(e.seed)));
    }
    if !e.bursts.is_empty() {
        let bursts = e.bursts.iter().map(|b| {
            let mut parts = vec![
                ("time", Json::f32(b.time)),
                ("min", Json::u32(b.min)),
                ("max", Json::u32(b.max)),
            ];
            if b.cycles != 1 {
                parts.push(("cycles", Json::u32(b.cycles)));
            }
            if b.interval != 0.0 {
                parts.push(("interval", Json::f32(b.interval)));
            }
            if b.chance != 1.0 {
                parts.push(("chance", Json::f32(b.chance)));
            }
            Json::object(parts)
        });
        items.push(("bursts", Json::array(bursts)));
    }
    Json::object(items)
}

pub(super) fn read_render(cursor: &Cursor<'_>) -> Result<RenderSettings, FormatError> {
    let mut r = RenderSettings::default();
    for (name, item) in cursor.entries()? {
        match name {
            "blend" => r.blend = choice(&item, BLENDS)?,
            "projection" => r.projection = choice(&item, PROJECTIONS)?,
            "stretch" => r.stretch = item.f32()?,
            "stretch_limit" => r.stretch_limit = item.f32()?,
            "pivot" => r.pivot = item.numbers_of()?,
            "depth_offset" => r.depth_offset = item.f32()?,
            "depth_test" => r.depth_test = item.bool()?,
            "flipbook" => {
                let mut book = Flipbook::default();
                for (name, item) in item.entries()? {
                    match name {
                        "columns" => book.columns = item.u32()?,
                        "rows" => book.rows = item.u32()?,
                        "blend" => book.blend = item.bool()?,
                        _ => return Err(unknown(name, &item)),
                    }
                }
                r.flipbook = book;
            }
            _ => return Err(unknown(name, &item)),
        }
    }
    Ok(r)
}

pub(super) fn write_render(r: &RenderSettings) -> Json {
    let d = RenderSettings::default();
    let mut items = vec![("blend", Json::text(name_of(&r.blend, BLENDS)))];
    if r.projection != d.projection {
        items.push(("projection", Json::text(name_of(&r.projection, PROJECTIONS))));
    }
    let mut number = |name, value: f32, default: f32| {
        if value.to_bits() != default.to_bits() {
            items.push((name, Json::f32(value)));
        }
    };
    number("stretch", r.stretch, d.stretch);
    number("stretch_limit", r.stretch_limit, d.stretch_limit);
    number("depth_offset", r.depth_offset, d.depth_offset);
    if r.pivot != d.pivot {
        items.push(("pivot", write_numbers(&r.pivot)));
    }
    if r.depth_test != d.depth_test {
        items.push(("depth_test", Json::Bool(r.depth_test)));
    }
    if r.flipbook != d.flipbook {
        let book = Json::object([
            ("columns", Json::u32(r.flipbook.columns)),
            ("rows", Json::u32(r.flipbook.rows)),
            ("blend", Json::Bool(r.flipbook.blend)),
        ]);
        items.push(("flipbook", book));
    }
    Json::object(items)
}

pub(super) fn read_parameter(cursor: &Cursor<'_>) -> Result<Parameter, FormatError> {
    let ty = cursor.need("type")?.field_type()?;
    let lanes = cursor.need("default")?.lanes()?;
    Ok(Parameter {
        id: cursor.need("id")?.id()?,
        name: cursor.need("name")?.text()?.to_owned(),
        ty,
        default: [0, 1, 2, 3].map(|i| {
            if i < ty.width() as usize {
                lanes.lane(i)
            } else {
                0.0
            }
        }),
        range: cursor.get("range").map(|r| r.numbers_of()).transpose()?,
        unit: match cursor.get("unit") {
            Some(unit) => unit.text()?.to_owned(),
            None => String::new(),
        },
        read: cursor
            .get("read")
            .map_or(Ok(ParameterRead::default()), |r| choice(&r, READS))?,
    })
}

pub(super) fn write_parameter(p: &Parameter) -> Json {
    let default = match p.ty.width() {
        1 => Json::f32(p.default[0]),
        width => write_numbers(&p.default[..width as usize]),
    };
    let mut items = vec![
        ("id", Json::text(p.id.as_str())),
        ("name", Json::text(p.name.as_str())),
        ("type", Json::text(p.ty.name())),
        ("default", default),
    ];
    if let Some(range) = p.range {
        items.push(("range", write_numbers(&range)));
    }
    if !p.unit.is_empty() {
        items.push(("unit", Json::text(p.unit.as_str())));
    }
    if p.read != ParameterRead::default() {
        items.push(("read", Json::text(name_of(&p.read, READS))));
    }
    Json::object(items)
}
