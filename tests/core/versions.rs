//! Files of older versions: what they load as, what is said of them, and golden ones of each.

use std::sync::Arc;

use mote::artifact::{
    Effect, LoadError, Loaded, Packed, Parameter, ParameterRead, Texture, VERSION, binary, json, load_noted,
};
use mote::base::hash::content_hash;
use mote::base::id::Id;
use mote::compiler::compile;
use mote::document::file;
use mote::document::presets::preset;
use mote::layout::{Channel, EmitterLayout, FieldType};
use mote::play::{Driver, Player, Shown};

use crate::old::{file as assemble, golden, records, section_of, sections, write_binary, write_json};

fn compiled(name: &str) -> Effect {
    compile(&preset(name).unwrap()).effect.unwrap()
}

/// Smoke whose particles have a roll, as those of version 1 had.
fn rolled() -> Effect {
    let mut effect = compiled("smoke");
    let emitter = &mut effect.emitters[0];
    emitter.layout.push("rotation", FieldType::Float).unwrap();
    emitter.render.bindings.set(Channel::Orientation, None);
    effect
}

/// Sparkles with all that came with version 3.
fn current() -> Effect {
    let mut effect = compiled("sparkles");
    effect.parameters.push(Parameter {
        id: Id::new("heat").unwrap(),
        name: "Heat".to_owned(),
        ty: FieldType::Float,
        default: [0.25, 0.0, 0.0, 0.0],
        range: Some([0.0, 1.0]),
        unit: "K".to_owned(),
        read: ParameterRead::Birth,
    });
    let emitter = &mut effect.emitters[0];
    emitter.emitter_layout =
        EmitterLayout::pack([("Heat", FieldType::Float), ("wind", FieldType::Vec3)]).unwrap();
    emitter.emitter_fields = vec![0.25f32.to_bits(), 1, 2, 3];
    emitter.texture = Some(0);
    let bytes: Arc<[u8]> = Arc::from(*b"no image, but bytes");
    let hash = content_hash(&bytes);
    effect.textures.push(Texture {
        path: "spark.png".to_owned(),
        hash,
    });
    effect.packed.push(Packed { hash, bytes });
    effect
}

fn both(effect: &Effect, version: u32) -> [Vec<u8>; 2] {
    [
        write_binary(effect, version),
        write_json(effect, version).into_bytes(),
    ]
}

#[test]
fn versions_2_loads_as_it_is_without_parameters() {
    let effect = compiled("debris");
    assert!(
        effect.emitters[0]
            .render
            .bindings
            .get(Channel::Orientation)
            .is_some()
    );
    for bytes in both(&effect, 2) {
        let Loaded {
            effect: found,
            version,
            notes,
        } = load_noted(&bytes).unwrap();
        assert_eq!((version, notes.len()), (2, 0));
        assert_eq!(*found, effect);
        assert_eq!(*Effect::load(&bytes).unwrap(), effect);
    }
}

#[test]
fn versions_1_loses_its_roll_and_says_of_which_emitter() {
    let effect = rolled();
    for bytes in both(&effect, 1) {
        let Loaded {
            effect: found,
            version,
            notes,
        } = load_noted(&bytes).unwrap();
        assert_eq!(version, 1);
        let [note] = &notes[..] else { panic!("{notes:?}") };
        let emitter = &effect.emitters[0];
        assert_eq!(note.place.emitter.as_ref(), Some(&emitter.id));
        assert!(
            note.message.contains(&emitter.name) && note.message.contains("rotation"),
            "{note}"
        );
        // All else is as it was, the field too.
        assert_eq!(*found, effect);
    }
    // Without a roll there is nothing to say.
    for bytes in both(&compiled("rain"), 1) {
        let loaded = load_noted(&bytes).unwrap();
        assert!(loaded.notes.is_empty());
        assert_eq!(*loaded.effect, compiled("rain"));
    }
}

#[test]
fn versions_upgraded_once_are_current_files() {
    for (effect, version) in [(rolled(), 1), (compiled("fire"), 2)] {
        for bytes in both(&effect, version) {
            let upgraded = Effect::load(&bytes).unwrap();
            for again in [binary::write(&upgraded), json::write(&upgraded).into_bytes()] {
                let loaded = load_noted(&again).unwrap();
                assert_eq!((loaded.version, loaded.notes.len()), (VERSION, 0));
                assert_eq!(loaded.effect, upgraded);
            }
        }
    }
}

#[test]
fn versions_have_only_what_they_had() {
    let effect = compiled("debris");
    // A parameter section, and an emitter's own fields, before version 3.
    for version in [1, 2] {
        let mut parts = sections(&write_binary(&effect, version));
        parts.insert(1, ("PARM".to_owned(), 0, vec![0; 4]));
        assert!(matches!(
            Effect::load(&assemble(version, &parts)),
            Err(LoadError::UnknownSection { .. })
        ));
        let mut parts = sections(&write_binary(&effect, version));
        let emit = parts.iter_mut().find(|(tag, ..)| tag == "EMIT").unwrap();
        let mut emitters = records(&emit.2);
        emitters[0].push((5, vec![0; 4]));
        emit.2 = section_of(&emitters);
        let message = Effect::load(&assemble(version, &parts)).unwrap_err().to_string();
        assert!(
            message.contains("setting") && message.contains("value 5"),
            "{message}"
        );

        for (key, path) in [("parameters", "parameters"), ("values", "emitters[0].values")] {
            let mut root: serde_json::Value = serde_json::from_str(&write_json(&effect, version)).unwrap();
            let to = if key == "values" {
                &mut root["emitters"][0]
            } else {
                &mut root
            };
            to[key] = serde_json::json!([]);
            let message = Effect::load(root.to_string().as_bytes()).unwrap_err().to_string();
            assert!(
                message.contains(path) && message.contains(&format!("version {version}")),
                "{message}"
            );
        }
    }
    // An orientation in version 1, a roll after it.
    for (version, name) in [(1, "orientation"), (2, "rotation"), (3, "rotation")] {
        let text = match version {
            3 => json::write(&effect),
            _ => write_json(&effect, version),
        };
        let mut root: serde_json::Value = serde_json::from_str(&text).unwrap();
        root["emitters"][0]["channels"] = serde_json::json!([{"channel": name, "word": 4, "width": 4}]);
        let message = Effect::load(root.to_string().as_bytes()).unwrap_err().to_string();
        assert!(
            message.contains(name) && message.contains("channels[0]"),
            "{message}"
        );
    }
    // A roll that no field of one word has.
    let mut root: serde_json::Value = serde_json::from_str(&write_json(&rolled(), 1)).unwrap();
    let channels = root["emitters"][0]["channels"].as_array_mut().unwrap();
    channels.last_mut().unwrap()["word"] = serde_json::json!(31);
    let message = Effect::load(root.to_string().as_bytes()).unwrap_err().to_string();
    assert!(message.contains("emitters[0].channels.rotation"), "{message}");
}

#[test]
fn versions_from_the_future_and_0_are_refused() {
    let effect = compiled("rain");
    let mut bytes = binary::write(&effect);
    for found in [4u32, 7, u32::MAX] {
        bytes[8..12].copy_from_slice(&found.to_le_bytes());
        let text = json::write(&effect).replace("\"version\": 3", &format!("\"version\": {found}"));
        for file in [&bytes[..], text.as_bytes()] {
            let error = Effect::load(file).unwrap_err();
            assert_eq!(
                error,
                LoadError::Newer {
                    found,
                    supported: VERSION
                }
            );
            let message = error.to_string();
            assert!(
                message.contains(&format!("version {found}")) && message.contains("version 3"),
                "{message}"
            );
        }
    }
    bytes[8..12].fill(0);
    assert!(matches!(
        Effect::load(&bytes),
        Err(LoadError::UnknownVersion { found: 0 })
    ));
}

/// A second of play on the CPU.
fn digest(effect: Arc<Effect>) -> String {
    let mut player = Player::new(None, Shown::Cpu);
    player.load(effect).unwrap();
    (0..60).for_each(|_| player.step(1.0 / 60.0));
    assert!(player.alive().unwrap() > 0);
    player.stats(Driver::Cpu).unwrap().digest
}

/// What a golden file loads as: the effect's bytes in the current version, and a second of it.
fn of(name: &str, bytes: &[u8]) -> String {
    let effect = if name.ends_with(".mote") {
        Arc::new(compile(&file::load(bytes).unwrap().document).effect.unwrap())
    } else {
        Effect::load(bytes).unwrap()
    };
    let content = content_hash(&binary::write(&effect));
    // What a document compiles to gets better; the particles stay.
    let content = if name.ends_with(".mote") {
        "compiled".to_owned()
    } else {
        format!("{content:016x}")
    };
    format!("{name} {content} {}", digest(effect))
}

type Made = (&'static str, fn() -> Vec<u8>);

/// The golden files and how each was made. They are written where they are missing and never again: a change of the
/// writers does not change them.
const GOLDEN: [Made; 7] = [
    ("v1.motefx", || write_binary(&rolled(), 1)),
    ("v1.motefx.json", || write_json(&rolled(), 1).into_bytes()),
    ("v2.motefx", || write_binary(&compiled("debris"), 2)),
    ("v2.motefx.json", || {
        write_json(&compiled("debris"), 2).into_bytes()
    }),
    ("v3.motefx", || binary::write(&current())),
    ("v3.motefx.json", || json::write(&current()).into_bytes()),
    ("document-v1.mote", || {
        file::save(&preset("fire").unwrap()).into_bytes()
    }),
];

#[test]
fn versions_golden_files_load_as_they_always_did() {
    let bless = std::env::var_os("MOTE_BLESS").is_some();
    let list = golden("digests.txt");
    let stored = std::fs::read_to_string(&list).unwrap_or_default();
    let mut lines = String::new();
    for (name, make) in GOLDEN {
        let path = golden(name);
        if bless && !path.exists() {
            std::fs::create_dir_all(golden("")).unwrap();
            std::fs::write(&path, make()).unwrap();
        }
        let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        lines += &(of(name, &bytes) + "\n");
    }
    if bless && stored.is_empty() {
        std::fs::write(&list, &lines).unwrap();
    } else {
        assert_eq!(
            lines, stored,
            "file, hash of its effect in the current version, digest of a second of it"
        );
    }
    // Both forms of a version hold the same.
    for line in lines.lines().filter(|line| line.starts_with('v')) {
        let (name, digests) = line.split_once(' ').unwrap();
        let other = lines
            .lines()
            .filter(|l| l.starts_with(&name[..3]))
            .all(|l| l.ends_with(digests));
        assert!(other, "{name}");
    }
    let notes = |name| {
        load_noted(&std::fs::read(golden(name)).unwrap())
            .unwrap()
            .notes
            .len()
    };
    assert_eq!(
        (notes("v1.motefx"), notes("v2.motefx"), notes("v3.motefx")),
        (1, 0, 0)
    );
}
