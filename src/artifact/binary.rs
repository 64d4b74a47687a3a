//! `.motefx`: the binary form. `docs/file-format.md` describes it byte by byte.
//!
//! ```text
//! magic (8 bytes) · version u32 · section count u32
//! a section table entry: tag (4 bytes) · flags u32 (bit 0: may be skipped) · offset u32 · length u32 · CRC-32 u32
//! sections: HEAD name · PARM parameters · TEXR textures · PROG programs · EMIT emitters
//! ```

use super::effect::{Effect, Emitter, IDENTITY_TRANSFORM, Parameter, ParameterRead, Space, Texture};
use super::emission::{Burst, Emission, RateKey, SeedMode};
use super::error::LoadError;
use super::render::{Blend, ChannelSource, Flipbook, Projection, RenderSettings};
use super::wire::{Entries, EntryReader, EntryWriter, Reader, Wire};
use crate::base::id::Id;
use crate::isa::{GlobalImport, Instruction, Program};
use crate::layout::{Channel, EmitterLayout, FieldSlot, FieldType, ParticleLayout};

/// First bytes of every `.motefx` file. The line ending and the control character show a file that was
/// mangled as text.
pub const MAGIC: [u8; 8] = *b"MOTEFX\x1a\n";

const TAGS: [&[u8; 4]; 5] = [b"HEAD", b"PARM", b"TEXR", b"PROG", b"EMIT"];
const NAMES: [&str; 5] = ["HEAD", "PARM", "TEXR", "PROG", "EMIT"];
const FLAG_SKIPPABLE: u32 = 1;

/// Whether bytes start like a `.motefx` file.
#[must_use]
pub fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC[..6])
}

/// The effect as bytes. Equal effects give equal bytes.
#[must_use]
pub fn write(effect: &Effect) -> Vec<u8> {
    let mut sections: Vec<Vec<u8>> = Vec::new();
    let mut head = Vec::new();
    effect.name.put(&mut head);
    sections.push(head);
    sections.push(records(&effect.parameters, parameter));
    sections.push(records(&effect.textures, texture));
    let mut programs = Vec::new();
    effect.programs.put(&mut programs);
    sections.push(programs);
    sections.push(records(&effect.emitters, emitter));

    let mut out = MAGIC.to_vec();
    super::VERSION.put(&mut out);
    (sections.len() as u32).put(&mut out);
    let mut offset = out.len() + sections.len() * 20;
    for (tag, section) in TAGS.iter().zip(&sections) {
        out.extend_from_slice(*tag);
        0u32.put(&mut out);
        (offset as u32).put(&mut out);
        (section.len() as u32).put(&mut out);
        crc32fast::hash(section).put(&mut out);
        offset += section.len();
    }
    out.extend(sections.into_iter().flatten());
    out
}

/// Reads a `.motefx` file. The effect is not yet validated.
///
/// # Errors
/// [`LoadError`] with the place of the fault.
pub fn read(bytes: &[u8]) -> Result<Effect, LoadError> {
    let mut reader = Reader::new(bytes, 0);
    if reader.take(MAGIC.len(), "the file mark")? != MAGIC {
        return Err(LoadError::NotAnEffect);
    }
    let version = reader.u32("the version")?;
    check_version(version)?;
    let count = reader.count(20, "the section count")?;
    let mut found: [Option<Reader<'_>>; 5] = [const { None }; 5];
    for _ in 0..count {
        let tag = reader.take(4, "a section tag")?;
        let flags = reader.u32("section flags")?;
        let offset = reader.u32("a section offset")? as usize;
        let length = reader.u32("a section length")? as usize;
        let stated = reader.u32("a section checksum")?;
        let section = String::from_utf8_lossy(tag).into_owned();
        let left = bytes.len().saturating_sub(offset);
        if length > left {
            return Err(LoadError::Truncated {
                what: "a section",
                offset,
                wanted: length,
                left,
            });
        }
        let body = &bytes[offset..offset + length];
        let checksum = crc32fast::hash(body);
        if checksum != stated {
            return Err(LoadError::Checksum {
                section,
                found: checksum,
                stated,
            });
        }
        match TAGS.iter().position(|known| tag == *known) {
            Some(index) => found[index] = Some(Reader::new(body, offset)),
            None if flags & FLAG_SKIPPABLE != 0 => {}
            None => return Err(LoadError::UnknownSection { section }),
        }
    }
    let mut section = |index: usize| {
        found[index].take().ok_or(LoadError::MissingSection {
            section: NAMES[index],
        })
    };
    let mut effect = Effect {
        name: String::get(&mut section(0)?, "the name")?,
        ..Effect::default()
    };
    effect.parameters = read_records(section(1)?, "parameters", blank_parameter, parameter)?;
    effect.textures = read_records(
        section(2)?,
        "textures",
        || Texture {
            path: String::new(),
            hash: 0,
        },
        texture,
    )?;
    effect.programs = Vec::get(&mut section(3)?, "programs")?;
    effect.emitters = read_records(section(4)?, "emitters", blank_emitter, emitter)?;
    Ok(effect)
}

/// Refuses versions this build does not read.
pub(super) fn check_version(found: u32) -> Result<(), LoadError> {
    match found {
        v if v > super::VERSION => Err(LoadError::Newer {
            found,
            supported: super::VERSION,
        }),
        0 => Err(LoadError::UnknownVersion { found }),
        v if v == super::VERSION => Ok(()),
        _ => Err(LoadError::UnknownVersion { found }),
    }
}

fn records<T: Clone>(items: &[T], visit: fn(&mut EntryWriter, &mut T) -> Result<(), LoadError>) -> Vec<u8> {
    let mut out = Vec::new();
    (items.len() as u32).put(&mut out);
    for item in items {
        let mut writer = EntryWriter::default();
        // Writing entries to memory has no way to fail; the result type is the reader's.
        let _ = visit(&mut writer, &mut item.clone());
        (writer.bytes.len() as u32).put(&mut out);
        out.extend_from_slice(&writer.bytes);
    }
    out
}

fn read_records<'a, T>(
    mut reader: Reader<'a>,
    what: &'static str,
    blank: fn() -> T,
    visit: fn(&mut EntryReader<'a>, &mut T) -> Result<(), LoadError>,
) -> Result<Vec<T>, LoadError> {
    let count = reader.count(4, what)?;
    let mut items = Vec::new();
    for _ in 0..count {
        let mut entries = EntryReader::new(reader.sub(what)?, what)?;
        let mut item = blank();
        visit(&mut entries, &mut item)?;
        entries.finish()?;
        items.push(item);
    }
    Ok(items)
}

fn blank_id() -> Id {
    Id::fresh("x", 0)
}

fn blank_parameter() -> Parameter {
    Parameter {
        id: blank_id(),
        name: String::new(),
        ty: FieldType::Float,
        default: [0.0; 4],
        range: None,
        unit: String::new(),
        read: ParameterRead::Step,
    }
}

fn blank_emitter() -> Emitter {
    Emitter {
        id: blank_id(),
        name: String::new(),
        layout: ParticleLayout::default(),
        program: 0,
        emitter_layout: EmitterLayout::default(),
        emitter_fields: Vec::new(),
        emission: Emission::default(),
        space: Space::World,
        render: RenderSettings::default(),
        texture: None,
        transform: IDENTITY_TRANSFORM,
    }
}

fn parameter<E: Entries>(e: &mut E, p: &mut Parameter) -> Result<(), LoadError> {
    e.entry(1, "a parameter's id", &mut p.id, blank_id())?;
    e.entry(2, "a parameter's name", &mut p.name, String::new())?;
    e.entry(3, "a parameter's type", &mut p.ty, FieldType::Float)?;
    e.entry(4, "a parameter's default", &mut p.default, [0.0; 4])?;
    e.entry(5, "a parameter's range", &mut p.range, None)?;
    e.entry(6, "a parameter's unit", &mut p.unit, String::new())?;
    e.entry(7, "a parameter's reading", &mut p.read, ParameterRead::Step)
}

fn texture<E: Entries>(e: &mut E, t: &mut Texture) -> Result<(), LoadError> {
    e.entry(1, "a texture's path", &mut t.path, String::new())?;
    e.entry(2, "a texture's hash", &mut t.hash, 0)
}

fn emitter<E: Entries>(e: &mut E, m: &mut Emitter) -> Result<(), LoadError> {
    e.entry(1, "an emitter's id", &mut m.id, blank_id())?;
    e.entry(2, "an emitter's name", &mut m.name, String::new())?;
    e.entry(
        3,
        "an emitter's particle fields",
        &mut m.layout,
        ParticleLayout::default(),
    )?;
    e.entry(4, "an emitter's program", &mut m.program, 0)?;
    e.entry(
        5,
        "an emitter's own fields",
        &mut m.emitter_layout,
        EmitterLayout::default(),
    )?;
    e.entry(6, "an emitter's values", &mut m.emitter_fields, Vec::new())?;
    e.entry(7, "an emitter's space", &mut m.space, Space::World)?;
    e.entry(8, "an emitter's texture", &mut m.texture, None)?;
    e.entry(9, "an emitter's transform", &mut m.transform, IDENTITY_TRANSFORM)?;
    let (d, s) = (Emission::default(), &mut m.emission);
    e.entry(32, "a start delay", &mut s.delay, d.delay)?;
    e.entry(33, "a duration", &mut s.duration, d.duration)?;
    e.entry(34, "a loop count", &mut s.loops, d.loops)?;
    e.entry(35, "a loop delay", &mut s.loop_delay, d.loop_delay)?;
    e.entry(36, "a rate", &mut s.rate, d.rate)?;
    e.entry(37, "bursts", &mut s.bursts, d.bursts)?;
    e.entry(38, "a capacity", &mut s.capacity, d.capacity)?;
    e.entry(39, "a seed mode", &mut s.seed_mode, d.seed_mode)?;
    e.entry(40, "a seed", &mut s.seed, d.seed)?;
    e.entry(41, "a pre-warm", &mut s.prewarm, d.prewarm)?;
    e.entry(42, "rate keys", &mut s.rate_keys, d.rate_keys)?;
    e.entry(43, "a rate a metre", &mut s.rate_per_metre, d.rate_per_metre)?;
    e.entry(
        44,
        "an inherited velocity",
        &mut s.inherit_velocity,
        d.inherit_velocity,
    )?;
    e.entry(45, "a time scale", &mut s.time_scale, d.time_scale)?;
    e.entry(46, "a culling switch", &mut s.culling, d.culling)?;
    e.entry(47, "a longest catch-up", &mut s.max_catchup, d.max_catchup)?;
    let (d, r) = (RenderSettings::default(), &mut m.render);
    e.entry(64, "a blend", &mut r.blend, d.blend)?;
    e.entry(65, "a projection", &mut r.projection, d.projection)?;
    e.entry(66, "a stretch", &mut r.stretch, d.stretch)?;
    e.entry(67, "a stretch limit", &mut r.stretch_limit, d.stretch_limit)?;
    e.entry(68, "a pivot", &mut r.pivot, d.pivot)?;
    e.entry(69, "a depth offset", &mut r.depth_offset, d.depth_offset)?;
    e.entry(70, "a depth test", &mut r.depth_test, d.depth_test)?;
    e.entry(71, "a flipbook", &mut r.flipbook, d.flipbook)?;
    for channel in Channel::ALL {
        e.entry(
            96 + channel as u16,
            "a channel",
            &mut r.bindings.0[channel as usize],
            None,
        )?;
    }
    Ok(())
}

/// Enumerations are stored as their place in a fixed list.
macro_rules! wire_enum {
    ($ty:ty, [$($value:expr),* $(,)?]) => {
        impl Wire for $ty {
            const LEAST: usize = 4;
            fn put(&self, out: &mut Vec<u8>) {
                let all: &[$ty] = &[$($value),*];
                (all.iter().position(|v| v == self).unwrap_or(0) as u32).put(out);
            }
            fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError> {
                let all: &[$ty] = &[$($value),*];
                let offset = reader.offset();
                let found = reader.u32(what)?;
                all.get(found as usize).copied().ok_or(LoadError::BadValue { what, offset, found: u64::from(found) })
            }
        }
    };
}

wire_enum!(
    FieldType,
    [
        FieldType::Float,
        FieldType::Vec2,
        FieldType::Vec3,
        FieldType::Vec4,
        FieldType::Color,
        FieldType::Quat,
        FieldType::Bool,
    ]
);
wire_enum!(ParameterRead, [ParameterRead::Birth, ParameterRead::Step]);
wire_enum!(Space, [Space::World, Space::Local]);
wire_enum!(SeedMode, [SeedMode::Play, SeedMode::Fixed, SeedMode::Loop]);
wire_enum!(Blend, [Blend::Alpha, Blend::Additive, Blend::Premultiplied]);
wire_enum!(
    Projection,
    [
        Projection::Billboard,
        Projection::Stretched,
        Projection::Horizontal,
        Projection::Vertical,
        Projection::FacingWorld,
    ]
);

/// Structs are stored as their fields in order.
macro_rules! wire_struct {
    ($ty:ident { $($field:ident : $fty:ty),* $(,)? }) => {
        impl Wire for $ty {
            const LEAST: usize = 0 $(+ <$fty as Wire>::LEAST)*;
            fn put(&self, out: &mut Vec<u8>) {
                $(self.$field.put(out);)*
            }
            fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError> {
                Ok(Self { $($field: <$fty>::get(reader, what)?),* })
            }
        }
    };
}

wire_struct!(Burst {
    time: f32,
    min: u32,
    max: u32,
    cycles: u32,
    interval: f32,
    chance: f32
});
wire_struct!(RateKey { time: f32, rate: f32 });
wire_struct!(Flipbook {
    columns: u32,
    rows: u32,
    blend: bool
});
wire_struct!(ChannelSource {
    word: u32,
    width: u32
});
wire_struct!(FieldSlot {
    name: String,
    ty: FieldType,
    word: u32
});
wire_struct!(GlobalImport {
    name: String,
    width: u32
});
wire_struct!(Program {
    registers: u32,
    globals: Vec<GlobalImport>,
    constants: Vec<[u32; 4]>,
    init: Vec<Instruction>,
    update: Vec<Instruction>,
});

impl Wire for Instruction {
    const LEAST: usize = 16;
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }
    fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError> {
        <[u32; 4]>::get(reader, what).map(Self)
    }
}

impl Wire for Id {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        self.as_str().to_owned().put(out);
    }
    fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError> {
        let offset = reader.offset();
        let text = String::get(reader, what)?;
        Self::new(&text).map_err(|error| LoadError::Field {
            path: format!("{what} at byte {offset}"),
            message: error.to_string(),
        })
    }
}

impl Wire for ParticleLayout {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        self.fields().to_vec().put(out);
    }
    fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError> {
        let offset = reader.offset();
        Self::from_slots(Vec::get(reader, what)?).map_err(|source| LoadError::Layout {
            path: format!("{what} at byte {offset}"),
            source,
        })
    }
}

impl Wire for EmitterLayout {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        self.fields().to_vec().put(out);
    }
    fn get(reader: &mut Reader<'_>, what: &'static str) -> Result<Self, LoadError> {
        let offset = reader.offset();
        let slots: Vec<FieldSlot> = Vec::get(reader, what)?;
        Self::pack(slots.iter().map(|slot| (slot.name.as_str(), slot.ty))).map_err(|source| {
            LoadError::Layout {
                path: format!("{what} at byte {offset}"),
                source,
            }
        })
    }
}
