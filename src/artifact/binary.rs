//! `.motefx`: the binary form. `docs/file-format.md` describes it byte by byte.
//!
//! ```text
//! magic (8 bytes) · version u32 · section count u32
//! a section table entry: tag (4 bytes) · flags u32 (bit 0: may be skipped) · offset u32 · length u32 · CRC-32 u32
//! sections: HEAD name · PARM parameters · TEXR textures · PROG programs · EMIT emitters · PACK packed textures
//! ```

use std::sync::Arc;

use super::effect::{
    Effect, Emitter, IDENTITY_TRANSFORM, MAX_EMITTERS, MAX_PARAMETERS, MAX_PROGRAMS, MAX_TEXTURES, Packed,
    Parameter, ParameterRead, Space, Texture,
};
use super::emission::{Burst, Emission, RateKey, SeedMode};
use super::error::LoadError;
use super::render::{Blend, ChannelSource, Flipbook, Projection, RenderSettings};
use super::upgrade::{Draft, DraftEmitter, FIRST_ORIENTATION, FIRST_PARAMETERS};
use super::wire::{Entries, EntryReader, EntryWriter, Reader, Wire};
use crate::base::id::Id;
use crate::isa::{GLOBAL_FIELD_WORDS, GlobalImport, Instruction, MAX_EMITTER_FIELD_WORDS, Program};
use crate::layout::{Channel, EmitterLayout, FieldSlot, FieldType, ParticleLayout};

/// First bytes of every `.motefx` file. The line ending and the control character show a file that was
/// mangled as text.
pub const MAGIC: [u8; 8] = *b"MOTEFX\x1a\n";

const HEAD: usize = 0;
const PARM: usize = 1;
const TEXR: usize = 2;
const PROG: usize = 3;
const EMIT: usize = 4;
const PACK: usize = 5;
const NAMES: [&str; 6] = ["HEAD", "PARM", "TEXR", "PROG", "EMIT", "PACK"];

const FLAG_SKIPPABLE: u32 = 1;
/// Most sections of a file.
const MAX_SECTIONS: usize = 64;

/// Whether bytes start like a `.motefx` file.
#[must_use]
pub fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC[..6])
}

/// The effect as bytes. Equal effects give equal bytes.
#[must_use]
pub fn write(effect: &Effect) -> Vec<u8> {
    let (mut head, mut programs, mut packed) = (Vec::new(), Vec::new(), Vec::new());
    effect.name.put(&mut head);
    effect.programs.put(&mut programs);
    effect.packed.put(&mut packed);
    let drafts = effect.emitters.iter().cloned().map(DraftEmitter::from);
    let mut sections = vec![
        (HEAD, 0, head),
        (PARM, 0, records(effect.parameters.iter().cloned(), parameter)),
        (TEXR, 0, records(effect.textures.iter().cloned(), texture)),
        (PROG, 0, programs),
        (EMIT, 0, records(drafts, |e, m| emitter(e, m, super::VERSION))),
    ];
    if !effect.packed.is_empty() {
        sections.push((PACK, FLAG_SKIPPABLE, packed));
    }

    let mut out = MAGIC.to_vec();
    super::VERSION.put(&mut out);
    (sections.len() as u32).put(&mut out);
    let mut offset = out.len() + sections.len() * 20;
    for (index, flags, section) in &sections {
        out.extend_from_slice(NAMES[*index].as_bytes());
        flags.put(&mut out);
        (offset as u32).put(&mut out);
        (section.len() as u32).put(&mut out);
        crc32fast::hash(section).put(&mut out);
        offset += section.len();
    }
    for (.., section) in sections {
        out.extend_from_slice(&section);
    }
    out
}

/// Reads a `.motefx` file of any version. It is neither upgraded nor validated yet.
pub(super) fn read(bytes: &[u8]) -> Result<Draft, LoadError> {
    let mut reader = Reader::new(bytes, 0);
    if reader.take(MAGIC.len(), "the file mark")? != MAGIC {
        return Err(LoadError::NotAnEffect);
    }
    let version = reader.u32("the version")?;
    check_version(version)?;
    let mut found = sections(bytes, &mut reader, version)?;
    let mut section = |index: usize| {
        found[index].take().ok_or(LoadError::MissingSection {
            section: NAMES[index],
        })
    };
    let name = whole(section(HEAD)?, "the name")?;
    let parameters = if version >= FIRST_PARAMETERS {
        let read = parameter::<EntryReader<'_>>;
        Some(read_records(
            section(PARM)?,
            "parameters",
            MAX_PARAMETERS,
            blank_parameter,
            read,
        )?)
    } else {
        None
    };
    let textures = read_records(section(TEXR)?, "textures", MAX_TEXTURES, blank_texture, texture)?;
    let programs = whole(section(PROG)?, "programs")?;
    let read = |e: &mut EntryReader<'_>, m: &mut DraftEmitter| emitter(e, m, version);
    let emitters = read_records(section(EMIT)?, "emitters", MAX_EMITTERS, blank_emitter, read)?;
    let packed = match found[PACK].take() {
        Some(section) => whole(section, "packed textures")?,
        None => Vec::new(),
    };
    Ok(Draft {
        version,
        name,
        parameters,
        textures,
        programs,
        packed,
        emitters,
    })
}

/// The sections that a reader of this version knows. They lie in the order of the table, so no byte is in two.
fn sections<'a>(
    bytes: &'a [u8],
    reader: &mut Reader<'a>,
    version: u32,
) -> Result<[Option<Reader<'a>>; NAMES.len()], LoadError> {
    let count = reader.count_to(20, MAX_SECTIONS, "the section count")?;
    let mut found = [const { None }; NAMES.len()];
    let mut end = reader.offset() + count * 20;
    for _ in 0..count {
        let named = reader.offset();
        let tag = reader.take(4, "a section tag")?;
        let flags_at = reader.offset();
        let flags = reader.u32("section flags")?;
        let start_at = reader.offset();
        let start = reader.u32("a section offset")? as usize;
        let length = reader.u32("a section length")? as usize;
        let stated = reader.u32("a section checksum")?;
        let section = || String::from_utf8_lossy(tag).into_owned();
        if flags & !FLAG_SKIPPABLE != 0 {
            return Err(LoadError::BadValue {
                what: "section flags",
                offset: flags_at,
                found: u64::from(flags),
            });
        }
        if start < end {
            let (section, offset) = (section(), start_at);
            return Err(LoadError::Overlap {
                section,
                offset,
                start,
                end,
            });
        }
        let known = NAMES.iter().position(|name| tag == name.as_bytes());
        let body = start.checked_add(length).and_then(|end| bytes.get(start..end));
        let body = body.ok_or(LoadError::Truncated {
            what: known.map_or("a section", |index| NAMES[index]),
            offset: start,
            wanted: length,
            left: bytes.len().saturating_sub(start),
        })?;
        end = start + length;
        let checksum = crc32fast::hash(body);
        if checksum != stated {
            return Err(LoadError::Checksum {
                section: section(),
                offset: start,
                found: checksum,
                stated,
            });
        }
        match known.filter(|index| version >= FIRST_PARAMETERS || !matches!(*index, PARM | PACK)) {
            Some(index) if found[index].is_some() => {
                return Err(LoadError::RepeatedSection {
                    section: section(),
                    offset: named,
                });
            }
            Some(index) => found[index] = Some(Reader::new(body, start)),
            None if flags & FLAG_SKIPPABLE != 0 => {}
            None => {
                return Err(LoadError::UnknownSection {
                    section: section(),
                    offset: named,
                });
            }
        }
    }
    Ok(found)
}

/// Refuses versions this build does not read.
pub(super) fn check_version(found: u32) -> Result<(), LoadError> {
    let supported = super::VERSION;
    match found {
        0 => Err(LoadError::UnknownVersion { found }),
        newer if newer > supported => Err(LoadError::Newer { found, supported }),
        _ => Ok(()),
    }
}

/// A section that is one value.
fn whole<T: Wire>(mut reader: Reader<'_>, what: &'static str) -> Result<T, LoadError> {
    let value = T::get(&mut reader, what)?;
    nothing_left(&reader, what)?;
    Ok(value)
}

fn nothing_left(reader: &Reader<'_>, what: &'static str) -> Result<(), LoadError> {
    if reader.is_empty() {
        return Ok(());
    }
    Err(LoadError::Surplus {
        what,
        offset: reader.offset(),
    })
}

fn records<T>(
    items: impl Iterator<Item = T>,
    visit: impl Fn(&mut EntryWriter, &mut T) -> Result<(), LoadError>,
) -> Vec<u8> {
    let mut out = Vec::new();
    let mut count = 0u32;
    count.put(&mut out);
    for mut item in items {
        let mut writer = EntryWriter::default();
        // Writing entries to memory has no way to fail; the result type is the reader's.
        let _ = visit(&mut writer, &mut item);
        (writer.bytes.len() as u32).put(&mut out);
        out.extend_from_slice(&writer.bytes);
        count += 1;
    }
    out[..4].copy_from_slice(&count.to_le_bytes());
    out
}

fn read_records<'a, T>(
    mut reader: Reader<'a>,
    what: &'static str,
    most: usize,
    blank: fn() -> T,
    visit: impl Fn(&mut EntryReader<'a>, &mut T) -> Result<(), LoadError>,
) -> Result<Vec<T>, LoadError> {
    let count = reader.count_to(4, most, what)?;
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        let mut entries = EntryReader::new(reader.sub(what)?, what)?;
        let mut item = blank();
        visit(&mut entries, &mut item)?;
        entries.finish()?;
        items.push(item);
    }
    nothing_left(&reader, what)?;
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

fn blank_texture() -> Texture {
    Texture {
        path: String::new(),
        hash: 0,
    }
}

fn blank_emitter() -> DraftEmitter {
    let emitter = Emitter {
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
    };
    DraftEmitter {
        emitter,
        fields: None,
        rotation: None,
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

/// An emitter as a file of `version` has it.
fn emitter<E: Entries>(e: &mut E, draft: &mut DraftEmitter, version: u32) -> Result<(), LoadError> {
    let m = &mut draft.emitter;
    e.entry(1, "an emitter's id", &mut m.id, blank_id())?;
    e.entry(2, "an emitter's name", &mut m.name, String::new())?;
    e.entry(
        3,
        "an emitter's particle fields",
        &mut m.layout,
        ParticleLayout::default(),
    )?;
    e.entry(4, "an emitter's program", &mut m.program, 0)?;
    if version >= FIRST_PARAMETERS {
        let (layout, values) = draft.fields.get_or_insert_default();
        e.entry(5, "an emitter's own fields", layout, EmitterLayout::default())?;
        e.entry(6, "an emitter's values", values, Vec::new())?;
    }
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
        let bound = match channel {
            Channel::Orientation if version < FIRST_ORIENTATION => &mut draft.rotation,
            _ => &mut r.bindings.0[channel as usize],
        };
        e.entry(96 + channel as u16, "a channel", bound, None)?;
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
    ($ty:ident $(at most $most:expr;)? { $($field:ident : $fty:ty),* $(,)? }) => {
        impl Wire for $ty {
            const LEAST: usize = 0 $(+ <$fty as Wire>::LEAST)*;
            $(const MOST: usize = $most;)?
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
wire_struct!(FieldSlot at most MAX_EMITTER_FIELD_WORDS as usize; {
    name: String,
    ty: FieldType,
    word: u32
});
wire_struct!(GlobalImport at most GLOBAL_FIELD_WORDS as usize; {
    name: String,
    width: u32
});
wire_struct!(Program at most MAX_PROGRAMS; {
    registers: u32,
    globals: Vec<GlobalImport>,
    constants: Vec<[u32; 4]>,
    init: Vec<Instruction>,
    update: Vec<Instruction>,
});
wire_struct!(Packed at most MAX_TEXTURES; {
    hash: u64,
    bytes: Arc<[u8]>,
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
