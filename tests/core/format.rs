//! A second reader of compiled files, written from `docs/file-format.md` alone: it shares no code with the library's,
//! and what it reads is compared with what loads.

use std::collections::BTreeMap;
use std::sync::Arc;

use mote::artifact::render::ChannelSource;
use mote::artifact::{
    Blend, Burst, Effect, Emission, Emitter, Flipbook, Packed, Parameter, ParameterRead, Projection, RateKey,
    SeedMode, Space, Texture, binary, json,
};
use mote::base::hash::content_hash;
use mote::base::id::Id;
use mote::isa::Instruction;
use mote::isa::asm::assemble;
use mote::layout::{Channel, EmitterLayout, FieldType, ParticleLayout};
use serde_json::Value;

/// An effect in which hardly anything has its default.
pub(crate) fn everything() -> Effect {
    let text = crate::support::drift(1.5);
    let drift = assemble(&text).unwrap();
    let second = ".registers 8\n.const c0 1.0 -0.0 3.0 4.0\n.global gust 3\n.global heat 1\ninit:\n load_const.4 r0, c0\n load_builtin.3 r4, global[0]\n store_field.3 w4, r4\nupdate:\n load_builtin.1 r0, emitter[3]\n store_field.1 w7, r0\n";
    let parameters = FieldType::ALL.into_iter().enumerate().map(|(i, ty)| Parameter {
        id: Id::new(&format!("p-{i}")).unwrap(),
        name: format!("Größe {i}"),
        ty,
        default: [i as f32, -0.5, 1e-40, -0.0],
        range: (i % 2 == 0).then_some([-1.0, i as f32]),
        unit: ["", "m/s²"][i % 2].to_owned(),
        read: [ParameterRead::Birth, ParameterRead::Step][i % 2],
    });
    let layout = ParticleLayout::pack([
        ("position", FieldType::Vec3),
        ("velocity", FieldType::Vec3),
        ("age", FieldType::Float),
        ("lifetime", FieldType::Float),
        ("size", FieldType::Float),
        ("color", FieldType::Color),
        ("orientation", FieldType::Quat),
        ("uv_rect", FieldType::Vec4),
        ("additive", FieldType::Float),
        ("frame", FieldType::Float),
        ("spin of mine", FieldType::Vec2),
        ("on", FieldType::Bool),
    ])
    .unwrap();
    let emission = Emission {
        delay: 0.25,
        duration: Some(3.5),
        loops: 4,
        loop_delay: 0.5,
        rate: 12.5,
        rate_keys: vec![
            RateKey { time: 0.0, rate: 3.0 },
            RateKey {
                time: 1.0,
                rate: 40.0,
            },
        ],
        rate_per_metre: 2.0,
        bursts: vec![
            Burst::once(3),
            Burst {
                time: 0.5,
                min: 1,
                max: 9,
                cycles: 3,
                interval: 0.125,
                chance: 0.75,
            },
        ],
        capacity: 321,
        seed_mode: SeedMode::Loop,
        seed: 0xdead_beef,
        prewarm: 1.0,
        inherit_velocity: -0.5,
        time_scale: 1.25,
        culling: false,
        max_catchup: 5.0,
    };
    let mut first = Emitter::new(Id::new("first").unwrap(), layout, emission);
    first.name = "Erster".to_owned();
    first.program = 1;
    first.emitter_layout =
        EmitterLayout::pack([("Größe 2", FieldType::Vec3), ("Größe 0", FieldType::Float)]).unwrap();
    first.emitter_fields = vec![0x7fc0_0001, 0x8000_0000, 7, 0xffff_ffff];
    first.space = Space::Local;
    first.texture = Some(1);
    first.transform = [
        [0.0, 1.0, 0.0],
        [-1.0, 0.0, -0.0],
        [0.0, 0.0, 2.0],
        [5.0, 6.0, 7.5],
    ];
    let r = &mut first.render;
    r.blend = Blend::Premultiplied;
    r.projection = Projection::FacingWorld;
    (r.stretch, r.stretch_limit, r.pivot, r.depth_offset, r.depth_test) =
        (0.25, 3.0, [0.5, -0.0], -0.5, false);
    r.flipbook = Flipbook {
        columns: 4,
        rows: 8,
        blend: true,
    };
    let mut second_emitter = Emitter::new(
        Id::new("second").unwrap(),
        crate::support::layout(),
        Emission::default(),
    );
    second_emitter.program = 0;
    second_emitter.emission.seed_mode = SeedMode::Fixed;
    second_emitter.render.blend = Blend::Additive;
    second_emitter.render.projection = Projection::Vertical;
    let third = Emitter {
        id: Id::new("third").unwrap(),
        ..second_emitter.clone()
    };
    let files: [&[u8]; 2] = [b"first file", b""];
    let mut packed = files.map(|bytes| Packed {
        hash: content_hash(bytes),
        bytes: Arc::from(bytes),
    });
    packed.sort_by_key(|p| p.hash);
    let texture = |path: &str, hash| Texture {
        path: path.to_owned(),
        hash,
    };
    Effect {
        name: "Alles".to_owned(),
        parameters: parameters.collect(),
        emitters: vec![first, second_emitter, third],
        programs: vec![drift, assemble(second).unwrap()],
        textures: vec![
            texture("bilder/a b.png", content_hash(files[0])),
            texture("c.png", 0),
        ],
        packed: packed.to_vec(),
    }
}

/// A place in bytes, and the page's words for what stands there.
struct At<'a>(&'a [u8]);

impl<'a> At<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (head, rest) = self.0.split_at(count);
        self.0 = rest;
        head
    }
    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take(2).try_into().unwrap())
    }
    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take(4).try_into().unwrap())
    }
    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take(8).try_into().unwrap())
    }
    fn f32(&mut self) -> u32 {
        self.u32()
    }
    fn text(&mut self) -> String {
        let count = self.u32() as usize;
        String::from_utf8(self.take(count).to_vec()).unwrap()
    }
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.u32()).map(|_| item(self)).collect()
    }
    fn option<T>(&mut self, value: impl Fn(&mut Self) -> T) -> Option<T> {
        self.switch().then(|| value(self))
    }
    fn switch(&mut self) -> bool {
        let found = self.u32();
        assert!(found < 2);
        found == 1
    }
    fn choice(&mut self, names: &[&'static str]) -> &'static str {
        names[self.u32() as usize]
    }
    fn end(self) {
        assert!(self.0.is_empty(), "bytes that belong to nothing");
    }
}

/// A record's entries by key.
struct Record<'a>(BTreeMap<u16, &'a [u8]>);

impl<'a> Record<'a> {
    fn read(at: &mut At<'a>) -> Self {
        let length = at.u32() as usize;
        let mut inside = At(at.take(length));
        let mut entries = BTreeMap::new();
        while !inside.0.is_empty() {
            let (key, length) = (inside.u16(), inside.u32() as usize);
            assert!(entries.insert(key, inside.take(length)).is_none());
        }
        Self(entries)
    }
    fn get<T>(&mut self, key: u16, default: T, value: impl Fn(&mut At<'a>) -> T) -> T {
        self.0.remove(&key).map_or(default, |bytes| {
            let mut at = At(bytes);
            let found = value(&mut at);
            at.end();
            found
        })
    }
    fn end(self) {
        assert!(
            self.0.is_empty(),
            "keys that the page does not name: {:?}",
            self.0.keys()
        );
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(0xffff_ffff_u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 {
                crc >> 1 ^ 0xedb8_8320
            } else {
                crc >> 1
            }
        })
    })
}

const TYPES: [&str; 7] = ["float", "vec2", "vec3", "vec4", "color", "quat", "bool"];
const WIDTHS: [u32; 7] = [1, 2, 3, 4, 4, 4, 1];

fn bits<const N: usize>(values: [f32; N]) -> Vec<u32> {
    values.map(f32::to_bits).to_vec()
}

fn numbers(count: usize) -> impl Fn(&mut At<'_>) -> Vec<u32> {
    move |at| (0..count).map(|_| at.f32()).collect()
}

fn lower(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}").to_lowercase()
}

/// Reads a file and compares all that it says with an effect.
fn follow(file: &[u8], effect: &Effect) {
    let mut at = At(file);
    assert_eq!(at.take(8), [0x4d, 0x4f, 0x54, 0x45, 0x46, 0x58, 0x1a, 0x0a]);
    assert_eq!(at.u32(), 3);
    let count = at.u32();
    assert!(count <= 64);
    let mut end = 16 + 20 * count as usize;
    let mut sections = BTreeMap::new();
    for _ in 0..count {
        let tag = String::from_utf8(at.take(4).to_vec()).unwrap();
        let (flags, start, length, sum) = (at.u32(), at.u32() as usize, at.u32() as usize, at.u32());
        assert!(start >= end, "sections lie in the table's order");
        end = start + length;
        let body = &file[start..end];
        assert_eq!(crc32(body), sum, "{tag}");
        assert_eq!(flags, u32::from(tag == "PACK"), "{tag}");
        sections.insert(tag, body);
    }
    assert_eq!(end, file.len());
    let mut section = |tag: &str| At(sections.remove(tag).unwrap_or_else(|| panic!("no {tag}")));

    let mut head = section("HEAD");
    assert_eq!(head.text(), effect.name);
    head.end();

    let mut at = section("PARM");
    let found = at.list(Record::read);
    at.end();
    assert_eq!(found.len(), effect.parameters.len());
    for (mut record, parameter) in found.into_iter().zip(&effect.parameters) {
        assert_eq!(record.get(1, String::new(), At::text), parameter.id.as_str());
        assert_eq!(record.get(2, String::new(), At::text), parameter.name);
        assert_eq!(
            record.get(3, "float", |at| at.choice(&TYPES)),
            parameter.ty.name()
        );
        assert_eq!(record.get(4, vec![0; 4], numbers(4)), bits(parameter.default));
        let range = record.get(5, None, |at| at.option(numbers(2)));
        assert_eq!(range, parameter.range.map(bits));
        assert_eq!(record.get(6, String::new(), At::text), parameter.unit);
        let read = record.get(7, "step", |at| at.choice(&["birth", "step"]));
        assert_eq!(read, lower(&parameter.read));
        record.end();
    }

    let mut at = section("TEXR");
    let found = at.list(Record::read);
    at.end();
    assert_eq!(found.len(), effect.textures.len());
    for (mut record, texture) in found.into_iter().zip(&effect.textures) {
        assert_eq!(record.get(1, String::new(), At::text), texture.path);
        assert_eq!(record.get(2, 0, At::u64), texture.hash);
        record.end();
    }

    let mut at = section("PROG");
    let four = |at: &mut At<'_>| [at.u32(), at.u32(), at.u32(), at.u32()];
    let found = at.list(|at| {
        let registers = at.u32();
        let imports = at.list(|at| (at.text(), at.u32()));
        (registers, imports, at.list(four), at.list(four), at.list(four))
    });
    at.end();
    assert_eq!(found.len(), effect.programs.len());
    for ((registers, imports, constants, init, update), program) in found.into_iter().zip(&effect.programs) {
        assert_eq!(registers, program.registers);
        let expected: Vec<_> = program
            .globals
            .iter()
            .map(|g| (g.name.clone(), g.width))
            .collect();
        assert_eq!(imports, expected);
        assert_eq!(constants, program.constants);
        follow_code(&init, &program.init);
        follow_code(&update, &program.update);
    }

    let mut at = section("EMIT");
    let found = at.list(Record::read);
    at.end();
    assert_eq!(found.len(), effect.emitters.len());
    for (record, emitter) in found.into_iter().zip(&effect.emitters) {
        follow_emitter(record, emitter);
    }

    if effect.packed.is_empty() {
        assert!(!sections.contains_key("PACK"));
    } else {
        let mut at = At(sections.remove("PACK").unwrap());
        let found = at.list(|at| {
            let (hash, count) = (at.u64(), at.u32() as usize);
            (hash, at.take(count))
        });
        at.end();
        let expected: Vec<_> = effect.packed.iter().map(|p| (p.hash, &*p.bytes)).collect();
        assert_eq!(found, expected);
        for (hash, bytes) in found {
            assert_eq!(effect.packed(hash), Some(bytes));
        }
    }
    assert!(sections.is_empty(), "{:?}", sections.keys());
}

fn follow_code(words: &[[u32; 4]], code: &[Instruction]) {
    let expected: Vec<[u32; 4]> = code.iter().map(|i| i.0).collect();
    assert_eq!(words, expected);
    for (word, instruction) in words.iter().zip(code) {
        // The page's bits of the first word.
        assert_eq!(word[0] & 0xff, u32::from(instruction.code()));
        assert_eq!(word[0] >> 8 & 7, instruction.width());
        assert_eq!(word[0] >> 24, u32::from(instruction.dst()));
        for operand in 0..3 {
            assert_eq!(word[0] >> (16 + 2 * operand) & 3, instruction.kind_code(operand));
        }
    }
}

fn follow_emitter(mut record: Record<'_>, emitter: &Emitter) {
    let r = &mut record;
    assert_eq!(r.get(1, String::new(), At::text), emitter.id.as_str());
    assert_eq!(r.get(2, String::new(), At::text), emitter.name);
    let fields = |at: &mut At<'_>| at.list(|at| (at.text(), at.choice(&TYPES), at.u32()));
    let slots = |slots: &[mote::layout::FieldSlot]| -> Vec<(String, &'static str, u32)> {
        slots
            .iter()
            .map(|f| (f.name.clone(), f.ty.name(), f.word))
            .collect()
    };
    assert_eq!(r.get(3, Vec::new(), fields), slots(emitter.layout.fields()));
    assert_eq!(r.get(4, 0, At::u32), emitter.program);
    let own = r.get(5, Vec::new(), fields);
    assert_eq!(own, slots(emitter.emitter_layout.fields()));
    let mut word = 0;
    for (_, ty, at) in &own {
        assert_eq!(*at, word, "words count from 0 with no gaps");
        word += WIDTHS[TYPES.iter().position(|t| t == ty).unwrap()];
    }
    assert_eq!(
        r.get(6, Vec::new(), |at| at.list(At::u32)),
        emitter.emitter_fields
    );
    assert_eq!(
        r.get(7, "world", |at| at.choice(&["world", "local"])),
        lower(&emitter.space)
    );
    assert_eq!(r.get(8, None, |at| at.option(At::u32)), emitter.texture);
    let identity = bits([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let transform: Vec<u32> = emitter.transform.iter().flatten().map(|v| v.to_bits()).collect();
    assert_eq!(r.get(9, identity, numbers(12)), transform);

    let e = &emitter.emission;
    let (zero, one, two) = (0, 1f32.to_bits(), 2f32.to_bits());
    assert_eq!(r.get(32, zero, At::f32), e.delay.to_bits());
    assert_eq!(
        r.get(33, None, |at| at.option(At::f32)),
        e.duration.map(f32::to_bits)
    );
    assert_eq!(r.get(34, 0, At::u32), e.loops);
    assert_eq!(r.get(35, zero, At::f32), e.loop_delay.to_bits());
    assert_eq!(r.get(36, zero, At::f32), e.rate.to_bits());
    let bursts = r.get(37, Vec::new(), |at| {
        at.list(|at| (at.f32(), at.u32(), at.u32(), at.u32(), at.f32(), at.f32()))
    });
    let burst = |b: &Burst| {
        (
            b.time.to_bits(),
            b.min,
            b.max,
            b.cycles,
            b.interval.to_bits(),
            b.chance.to_bits(),
        )
    };
    assert_eq!(bursts, e.bursts.iter().map(burst).collect::<Vec<_>>());
    assert_eq!(r.get(38, 1000, At::u32), e.capacity);
    let mode = r.get(39, "play", |at| at.choice(&["play", "fixed", "loop"]));
    assert_eq!(mode, lower(&e.seed_mode));
    assert_eq!(r.get(40, 0, At::u32), e.seed);
    assert_eq!(r.get(41, zero, At::f32), e.prewarm.to_bits());
    let keys = r.get(42, Vec::new(), |at| at.list(|at| (at.f32(), at.f32())));
    assert_eq!(
        keys,
        e.rate_keys
            .iter()
            .map(|k| (k.time.to_bits(), k.rate.to_bits()))
            .collect::<Vec<_>>()
    );
    assert_eq!(r.get(43, zero, At::f32), e.rate_per_metre.to_bits());
    assert_eq!(r.get(44, zero, At::f32), e.inherit_velocity.to_bits());
    assert_eq!(r.get(45, one, At::f32), e.time_scale.to_bits());
    assert_eq!(r.get(46, true, At::switch), e.culling);
    assert_eq!(r.get(47, two, At::f32), e.max_catchup.to_bits());

    let d = &emitter.render;
    let blend = r.get(64, "alpha", |at| {
        at.choice(&["alpha", "additive", "premultiplied"])
    });
    assert_eq!(blend, lower(&d.blend));
    let projections = ["billboard", "stretched", "horizontal", "vertical", "facingworld"];
    assert_eq!(
        r.get(65, "billboard", |at| at.choice(&projections)),
        lower(&d.projection)
    );
    assert_eq!(r.get(66, one, At::f32), d.stretch.to_bits());
    assert_eq!(r.get(67, zero, At::f32), d.stretch_limit.to_bits());
    assert_eq!(r.get(68, vec![0; 2], numbers(2)), bits(d.pivot));
    assert_eq!(r.get(69, zero, At::f32), d.depth_offset.to_bits());
    assert_eq!(r.get(70, true, At::switch), d.depth_test);
    let flipbook = r.get(71, (1, 1, false), |at| (at.u32(), at.u32(), at.switch()));
    assert_eq!(flipbook, (d.flipbook.columns, d.flipbook.rows, d.flipbook.blend));
    let channels = [
        "position",
        "velocity",
        "size",
        "color",
        "additive",
        "orientation",
        "frame",
        "uv_rect",
    ];
    for (key, name) in (96..).zip(channels) {
        let bound = r.get(key, None, |at| at.option(|at| (at.u32(), at.u32())));
        let channel = Channel::ALL.into_iter().find(|c| c.name() == name).unwrap();
        assert_eq!(
            bound,
            d.bindings.get(channel).map(|s: ChannelSource| (s.word, s.width)),
            "{name}"
        );
    }
    record.end();
}

#[test]
fn format_the_page_is_enough_to_read_a_binary_file() {
    let effect = everything();
    follow(
        &binary::write(&effect),
        &Effect::load(&binary::write(&effect)).unwrap(),
    );
    follow(&binary::write(&effect), &effect);
    for preset in mote::document::presets::presets() {
        let effect = mote::compiler::compile(&mote::document::presets::preset(preset.name).unwrap())
            .effect
            .unwrap();
        follow(&binary::write(&effect), &effect);
    }
    let golden = std::fs::read(crate::old::golden("v3.motefx")).unwrap();
    follow(&golden, &Effect::load(&golden).unwrap());
}

/// A number of a JSON file as the nearest `f32`.
fn number(value: &Value) -> u32 {
    value.to_string().parse::<f32>().unwrap().to_bits()
}

fn numbers_of(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn words(value: &Value) -> Vec<[u32; 4]> {
    let word = |v: &Value| u32::try_from(v.as_u64().unwrap()).unwrap();
    let four = |v: &Value| std::array::from_fn(|i| word(&v[i]));
    value.as_array().unwrap().iter().map(four).collect()
}

#[test]
fn format_the_page_is_enough_to_read_a_json_file() {
    let effect = everything();
    let root: Value = serde_json::from_str(&json::write(&effect)).unwrap();
    let keys = |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(
        keys(&root),
        [
            "mote",
            "version",
            "name",
            "parameters",
            "textures",
            "programs",
            "emitters",
            "packed"
        ]
    );
    assert_eq!((&root["mote"], &root["version"]), (&"effect".into(), &3.into()));
    assert_eq!(root["name"], effect.name.as_str());
    for (item, p) in root["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .zip(&effect.parameters)
    {
        assert_eq!(
            keys(item),
            ["id", "name", "type", "default", "range", "unit", "read"]
        );
        assert_eq!(
            (&item["id"], &item["name"]),
            (&p.id.as_str().into(), &p.name.as_str().into())
        );
        assert_eq!(
            (&item["type"], &item["read"]),
            (&p.ty.name().into(), &lower(&p.read).into())
        );
        assert_eq!(numbers_of(&item["default"]), bits(p.default));
        let range = (!item["range"].is_null()).then(|| numbers_of(&item["range"]));
        assert_eq!(
            (range, &item["unit"]),
            (p.range.map(bits), &p.unit.as_str().into())
        );
    }
    for (item, texture) in root["textures"].as_array().unwrap().iter().zip(&effect.textures) {
        assert_eq!(keys(item), ["path", "hash"]);
        assert_eq!(
            (&item["path"], &item["hash"]),
            (&texture.path.as_str().into(), &texture.hash.into())
        );
    }
    for (item, program) in root["programs"].as_array().unwrap().iter().zip(&effect.programs) {
        assert_eq!(
            keys(item),
            ["registers", "globals", "constants", "init", "update"]
        );
        assert_eq!(item["registers"], program.registers);
        for (global, expected) in item["globals"].as_array().unwrap().iter().zip(&program.globals) {
            assert_eq!(
                (&global["name"], &global["width"]),
                (&expected.name.as_str().into(), &expected.width.into())
            );
        }
        assert_eq!(words(&item["constants"]), program.constants);
        for (key, code) in [("init", &program.init), ("update", &program.update)] {
            follow_code(&words(&item[key]), code);
        }
    }
    for (item, emitter) in root["emitters"].as_array().unwrap().iter().zip(&effect.emitters) {
        follow_json_emitter(item, emitter);
    }
    for (item, packed) in root["packed"].as_array().unwrap().iter().zip(&effect.packed) {
        assert_eq!(item["hash"], packed.hash);
        let text: String = packed.bytes.iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(item["bytes"], text);
    }
}

fn follow_json_emitter(item: &Value, emitter: &Emitter) {
    let text = |text: &str| Value::from(text);
    assert_eq!(
        (&item["id"], &item["name"]),
        (&text(emitter.id.as_str()), &text(&emitter.name))
    );
    for (field, expected) in item["fields"]
        .as_array()
        .unwrap()
        .iter()
        .zip(emitter.layout.fields())
    {
        let found = (&field["name"], &field["type"], &field["word"]);
        assert_eq!(
            found,
            (
                &text(&expected.name),
                &text(expected.ty.name()),
                &expected.word.into()
            )
        );
    }
    for (field, expected) in item["emitter_fields"]
        .as_array()
        .unwrap()
        .iter()
        .zip(emitter.emitter_layout.fields())
    {
        assert_eq!(
            (&field["name"], &field["type"]),
            (&text(&expected.name), &text(expected.ty.name()))
        );
    }
    assert_eq!(item["values"], Value::from(emitter.emitter_fields.clone()));
    assert_eq!(
        (&item["program"], &item["texture"]),
        (&emitter.program.into(), &emitter.texture.into())
    );
    assert_eq!(item["space"], lower(&emitter.space));
    for (found, expected) in item["transform"]
        .as_array()
        .unwrap()
        .iter()
        .zip(emitter.transform)
    {
        assert_eq!(numbers_of(found), bits(expected));
    }
    let (e, found) = (&emitter.emission, &item["emission"]);
    for (key, value) in [
        ("delay", e.delay),
        ("loop_delay", e.loop_delay),
        ("rate", e.rate),
        ("rate_per_metre", e.rate_per_metre),
        ("prewarm", e.prewarm),
        ("inherit_velocity", e.inherit_velocity),
        ("time_scale", e.time_scale),
        ("max_catchup", e.max_catchup),
    ] {
        assert_eq!(number(&found[key]), value.to_bits(), "{key}");
    }
    assert_eq!(
        (&found["culling"], &found["seed_mode"]),
        (&e.culling.into(), &lower(&e.seed_mode).into())
    );
    for (key, value) in [("loops", e.loops), ("capacity", e.capacity), ("seed", e.seed)] {
        assert_eq!(found[key], value, "{key}");
    }
    assert_eq!(found["duration"].as_f64(), e.duration.map(f64::from));
    for (found, key) in found["rate_keys"].as_array().unwrap().iter().zip(&e.rate_keys) {
        assert_eq!(
            (number(&found["time"]), number(&found["rate"])),
            (key.time.to_bits(), key.rate.to_bits())
        );
    }
    for (found, burst) in found["bursts"].as_array().unwrap().iter().zip(&e.bursts) {
        let times = ["time", "interval", "chance"].map(|key| number(&found[key]));
        assert_eq!(times.to_vec(), bits([burst.time, burst.interval, burst.chance]));
        let counts = ["min", "max", "cycles"].map(|key| found[key].as_u64().unwrap() as u32);
        assert_eq!(counts, [burst.min, burst.max, burst.cycles]);
    }
    let (r, found) = (&emitter.render, &item["render"]);
    for (key, value) in [
        ("stretch", r.stretch),
        ("stretch_limit", r.stretch_limit),
        ("depth_offset", r.depth_offset),
    ] {
        assert_eq!(number(&found[key]), value.to_bits(), "{key}");
    }
    assert_eq!(numbers_of(&found["pivot"]), bits(r.pivot));
    assert_eq!(
        (&found["depth_test"], &found["blend"]),
        (&r.depth_test.into(), &lower(&r.blend).into())
    );
    assert_eq!(
        found["projection"].as_str().unwrap().replace('_', ""),
        lower(&r.projection)
    );
    let book = (
        &found["flipbook"]["columns"],
        &found["flipbook"]["rows"],
        &found["flipbook"]["blend"],
    );
    assert_eq!(
        book,
        (
            &r.flipbook.columns.into(),
            &r.flipbook.rows.into(),
            &r.flipbook.blend.into()
        )
    );
    let bound = |channel: Channel| r.bindings.get(channel).map(|s| (channel.name(), s.word, s.width));
    let expected: Vec<_> = Channel::ALL.into_iter().filter_map(bound).collect();
    let read = |c: &'_ Value| {
        (
            c["channel"].as_str().unwrap().to_owned(),
            number_u32(&c["word"]),
            number_u32(&c["width"]),
        )
    };
    let found: Vec<_> = item["channels"].as_array().unwrap().iter().map(read).collect();
    assert!(found.iter().map(|(n, w, c)| (n.as_str(), *w, *c)).eq(expected));
}

fn number_u32(value: &Value) -> u32 {
    u32::try_from(value.as_u64().unwrap()).unwrap()
}

/// Every key that the binary form has is named on the page.
#[test]
fn format_the_page_names_every_key_and_tag() {
    let page = include_str!("../../docs/file-format.md");
    let file = binary::write(&everything());
    for (tag, _, body) in crate::old::sections(&file) {
        assert!(page.contains(&format!("`{tag}`")), "{tag}");
        if tag == "EMIT" {
            let keys: Vec<u16> = crate::old::records(&body)
                .concat()
                .iter()
                .map(|(key, _)| *key)
                .collect();
            for key in [1, 2, 3, 4, 5, 6, 7, 8, 9]
                .into_iter()
                .chain(32..=47)
                .chain(64..=71)
                .chain(96..=103)
            {
                assert!(keys.contains(&key), "{key} is tried nowhere");
            }
        }
    }
}
