//! Particle files of another tool against a small simulation of that tool's own rules, written here from them.

mod original;

use std::path::Path;

use mote::artifact::{Blend, Space};
use mote::base::diag::{Diagnostic, FlowKind};
use mote::compiler::compile;
use mote::document::file;
use mote::document::import::{IMPORTERS, ImportError, Imported, MAX_BYTES, Options, import, importer};
use mote::host::Pose;

use crate::isa::Rolls;
use original::{ALL, DT, Ours, Played, compare, number};

const FIXTURES: [(&str, &str); 4] = [
    ("fire", include_str!("../fixtures/plist/fire.plist")),
    ("galaxy", include_str!("../fixtures/plist/galaxy.plist")),
    ("snow", include_str!("../fixtures/plist/snow.plist")),
    ("explosion", include_str!("../fixtures/plist/explosion.plist")),
];

fn fixture(name: &str) -> &'static str {
    FIXTURES.iter().find(|(known, _)| *known == name).unwrap().1
}

fn read(bytes: &[u8]) -> Result<Imported, ImportError> {
    import(Path::new("folder/spark.plist"), bytes, &Options::default())
}

fn imported(text: &str) -> Imported {
    read(text.as_bytes()).unwrap_or_else(|error| panic!("{}", error.diagnostic()))
}

/// The file with another number, or with one more.
fn with(text: &str, key: &str, value: &str) -> String {
    let open = format!("<key>{key}</key>");
    let Some(at) = text.find(&open) else {
        let end = text.rfind("</dict>").unwrap();
        return format!("{}\t{open}\n\t{value}\n{}", &text[..end], &text[end..]);
    };
    let start = at + open.len();
    let start = start + text[start..].find('<').unwrap();
    let end = start + text[start..].find('\n').unwrap();
    format!("{}{value}{}", &text[..start], &text[end..])
}

fn real(text: &str, key: &str, value: f64) -> String {
    with(text, key, &format!("<real>{value}</real>"))
}

#[test]
fn import_plist_gravity_fire_plays_as_the_original() {
    assert_eq!(compare(fixture("fire"), 3.0, 1.0, true), ALL);
}

#[test]
fn import_plist_upside_down_fire_plays_as_the_original() {
    assert_eq!(
        compare(&real(fixture("fire"), "yCoordFlipped", -1.0), 3.0, 1.0, true),
        ALL
    );
}

#[test]
fn import_plist_radial_galaxy_plays_as_the_original() {
    assert_eq!(compare(fixture("galaxy"), 5.0, 1.0, false), ALL);
    assert_eq!(
        compare(&real(fixture("galaxy"), "yCoordFlipped", -1.0), 5.0, 1.0, false),
        ALL
    );
    assert_eq!(
        compare(&real(fixture("galaxy"), "minRadius", -1.0), 4.0, 1.0, false),
        ALL
    );
    assert_eq!(
        compare(&real(fixture("galaxy"), "positionType", 2.0), 4.0, 1.0, false),
        ALL
    );
}

#[test]
fn import_plist_snow_plays_as_the_original() {
    assert_eq!(compare(fixture("snow"), 9.0, 1.0, true), ALL);
}

#[test]
fn import_plist_explosion_plays_as_the_original_and_ends() {
    assert_eq!(
        compare(fixture("explosion"), 0.49, 0.3, true),
        2 * 7 + 4,
        "none is old yet"
    );
    assert_eq!(
        compare(fixture("explosion"), 0.9, 0.6, true),
        2 * 7 + 4,
        "none is young"
    );
    let mut ours = Played::new(&imported(fixture("explosion")).document);
    for _ in 0..120 {
        ours.solo.step(DT);
    }
    assert_eq!(ours.solo.alive(), 0, "births last half a second, lives 1.15 s");
    let spawned = ours.solo.reference.states()[0].spawned;
    assert!(
        (385..=392).contains(&spawned),
        "700 / 0.9 births a second: {spawned}"
    );
}

#[test]
fn import_plist_a_moving_emitter_leaves_its_circles_behind() {
    let radial = |kind: f64| {
        let text = real(fixture("galaxy"), "positionType", kind);
        imported(&text).document
    };
    let world = radial(0.0);
    assert_eq!(world.emitters()[0].space(), Space::World);
    assert!(world.emitters()[0].field("home").is_some());
    let local = radial(2.0);
    assert_eq!(local.emitters()[0].space(), Space::Local);
    assert!(
        local.emitters()[0].field("home").is_none(),
        "its frame moves with it"
    );
    for (document, left) in [(world, true), (local, false)] {
        let mut played = Played::new(&document);
        let id = played.solo.stage.instances().next().unwrap();
        for step in 0..90 {
            if step == 60 {
                let far = Pose::at([100.0, 0.0, 0.0]);
                played.solo.stage.teleport(id, far).unwrap();
            }
            played.solo.step(DT);
        }
        let behind = |p: &&Ours| p.position[0].abs() < 1000.0;
        let all = played.particles();
        let stayed = all.iter().filter(behind).count();
        // In its own frame a record is where it was.
        let expected = if left {
            all.iter().filter(|p| p.age > 0.5 + 1e-3).count()
        } else {
            all.len()
        };
        // One may be born in the very step of the move.
        assert!(
            all.len() > 100 && stayed.abs_diff(expected) <= 2,
            "{stayed} of {expected}"
        );
    }
    assert!(
        imported(&real(fixture("fire"), "positionType", 1.0))
            .notes
            .iter()
            .any(|note| note.place.field.as_deref() == Some("positionType"))
    );
}

#[test]
fn import_plist_settings_are_those_of_the_file() {
    let Imported { document, notes } = imported(fixture("fire"));
    assert_eq!(
        document.name(),
        "spark",
        "the file's name, for it has none of its own"
    );
    let emitter = &document.emitters()[0];
    assert_eq!(emitter.texture(), Some("flame.png"));
    assert_eq!(emitter.render().blend, Blend::Additive);
    let emission = emitter.emission();
    assert_eq!(
        (emission.capacity, emission.duration, emission.loops),
        (320, None, 0)
    );
    assert!((emission.rate - 320.0 / 1.2).abs() < 1e-3);
    let named: Vec<&str> = notes.iter().filter_map(|n| n.place.field.as_deref()).collect();
    assert_eq!(named, ["radialAcceleration", "sourcePositionx"]);
    assert!(notes.iter().all(|note| note.place.line.is_some()));

    let explosion = imported(fixture("explosion")).document;
    let emitter = &explosion.emitters()[0];
    assert_eq!(emitter.render().blend, Blend::Alpha);
    assert_eq!(
        (emitter.emission().duration, emitter.emission().loops),
        (Some(0.5), 1)
    );

    let options = Options {
        pixels_per_metre: 50.0,
    };
    let text = real(fixture("snow"), "startParticleSizeVariance", 0.0);
    let twice = import(Path::new("a.plist"), text.as_bytes(), &options)
        .unwrap()
        .document;
    assert!(
        file::save(&twice).contains("\"size\": 0.18"),
        "{}",
        file::save(&twice)
    );
}

#[test]
fn import_plist_documents_are_canonical_and_of_the_librarys_kinds() {
    for (name, text) in FIXTURES {
        let document = imported(text).document;
        let saved = file::save(&document);
        let loaded = file::load(saved.as_bytes()).unwrap();
        assert!(loaded.notes.is_empty(), "{name}: {:?}", loaded.notes);
        assert_eq!(loaded.document, document, "{name}");
        assert_eq!(file::save(&loaded.document), saved, "{name}");
        for flow in FlowKind::ALL {
            for node in document.emitters()[0].flow(flow).nodes() {
                assert!(
                    mote::graph::registry().get(&node.kind).is_some(),
                    "{name}: {}",
                    node.kind
                );
            }
        }
        assert!(document.groups().list().is_empty(), "{name}");
    }
}

#[test]
fn import_plist_nodes_do_not_lie_on_one_another() {
    for (name, text) in FIXTURES {
        for flow in FlowKind::ALL {
            let document = imported(text).document;
            let mut places: Vec<[i32; 2]> = document.emitters()[0]
                .flow(flow)
                .layout
                .nodes
                .values()
                .map(|view| view.position.map(|v| v as i32))
                .collect();
            places.sort_unstable();
            for pair in places.windows(2) {
                assert!(
                    pair[0][0] != pair[1][0] || pair[1][1] - pair[0][1] >= 54,
                    "{name}: {pair:?}"
                );
            }
        }
    }
}

/// What becomes of a key: part of the document, in radial mode alone, or a note.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Carried,
    Radial,
    Noted,
}

/// All keys of the format.
#[rustfmt::skip]
const KEYS: &[(Fate, &[&str])] = &[
    (Fate::Carried, &[
        "configName", "maxParticles", "emissionRate", "duration", "particleLifespan", "particleLifespanVariance",
        "emitterType", "positionType", "angle", "angleVariance", "yCoordFlipped",
        "startParticleSize", "startParticleSizeVariance", "finishParticleSize", "finishParticleSizeVariance",
        "startColorRed", "startColorGreen", "startColorBlue", "startColorAlpha",
        "startColorVarianceRed", "startColorVarianceGreen", "startColorVarianceBlue", "startColorVarianceAlpha",
        "finishColorRed", "finishColorGreen", "finishColorBlue", "finishColorAlpha",
        "finishColorVarianceRed", "finishColorVarianceGreen", "finishColorVarianceBlue", "finishColorVarianceAlpha",
        "rotationStart", "rotationStartVariance", "rotationEnd", "rotationEndVariance",
        "blendFuncSource", "blendFuncDestination", "textureFileName",
        "sourcePositionVariancex", "sourcePositionVariancey", "speed", "speedVariance", "gravityx", "gravityy",
        "radialAcceleration", "radialAccelVariance", "tangentialAcceleration", "tangentialAccelVariance",
        "rotationIsDir",
    ]),
    (Fate::Radial, &[
        "maxRadius", "maxRadiusVariance", "minRadius", "minRadiusVariance",
        "rotatePerSecond", "rotatePerSecondVariance",
    ]),
    (Fate::Noted, &["sourcePositionx", "sourcePositiony", "absolutePosition", "textureImageData"]),
];

fn keys() -> impl Iterator<Item = (Fate, &'static str)> {
    KEYS.iter()
        .flat_map(|&(fate, names)| names.iter().map(move |&name| (fate, name)))
}

/// Each key of the format, changed in a file that reads it.
#[test]
fn import_plist_every_key_is_carried_or_noted() {
    // Numbers that leave nothing without effect.
    let mut base = fixture("fire").to_owned();
    for (key, value) in [
        ("blendFuncDestination", 1.0),
        ("startColorVarianceAlpha", 0.05),
        ("finishColorVarianceBlue", 0.05),
        ("finishColorBlue", 0.3),
        ("finishColorAlpha", 0.3),
        ("maxRadius", 90.0),
        ("minRadius", 20.0),
        ("sourcePositionx", 0.0),
        ("sourcePositiony", 0.0),
    ] {
        base = real(&base, key, value);
    }
    let special = |key: &str| match key {
        "configName" => Some("<string>Torch</string>"),
        "textureFileName" => Some("<string>other.png</string>"),
        "textureImageData" => Some("<string>H4sIAAAAAAAAA</string>"),
        "emitterType" | "rotationIsDir" => Some("<integer>1</integer>"),
        "positionType" => Some("<integer>2</integer>"),
        "yCoordFlipped" => Some("<integer>-1</integer>"),
        "blendFuncSource" => Some("<integer>1</integer>"),
        "blendFuncDestination" => Some("<integer>771</integer>"),
        "duration" => Some("<real>4</real>"),
        _ => None,
    };
    for (fate, key) in keys() {
        let radial = fate == Fate::Radial;
        let base = real(&base, "emitterType", f64::from(u8::from(radial)));
        let changed = match special(key) {
            Some(value) => with(&base, key, value),
            None => real(&base, key, number(&base, key) * 0.7 + 0.013),
        };
        let (before, after) = (imported(&base), imported(&changed));
        let carried = file::save(&before.document) != file::save(&after.document);
        let noted = after
            .notes
            .iter()
            .any(|note| note.place.field.as_deref() == Some(key) || note.message.contains(key));
        match fate {
            Fate::Noted => assert!(noted && !carried, "{key}"),
            _ => assert!(carried, "{key}"),
        }
    }
    let strange = with(fixture("snow"), "glitter", "<real>3</real>");
    let notes = imported(&strange).notes;
    assert!(notes.iter().any(|n| n.place.field.as_deref() == Some("glitter")));
    for (name, text) in FIXTURES {
        for key in text.split("<key>").skip(1) {
            let key = key.split_once('<').unwrap().0;
            assert!(keys().any(|(_, known)| known == key), "{name}: {key}");
        }
    }
}

#[test]
fn import_plist_the_page_names_every_key() {
    let page = include_str!("../../docs/import.md");
    for (_, key) in keys() {
        assert!(
            page.contains(&format!("`{key}`")),
            "{key} is not in docs/import.md"
        );
    }
}

#[test]
fn import_chooses_by_ending_and_then_by_content() {
    let snow = fixture("snow").as_bytes();
    assert!(importer(Path::new("snow.txt"), snow).is_some());
    assert!(importer(Path::new("snow.PLIST"), b"?").is_some());
    assert!(importer(Path::new("snow.png"), b"?").is_none());
    let error = import(Path::new("a.png"), b"?", &Options::default()).unwrap_err();
    assert!(matches!(error, ImportError::UnknownFormat));
    assert!(error.to_string().contains(".plist"), "{error}");
    for importer in IMPORTERS {
        assert!(!importer.title().is_empty() && !importer.endings().is_empty());
    }
    for wrong in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let options = Options {
            pixels_per_metre: wrong,
        };
        let error = import(Path::new("a.plist"), snow, &options).unwrap_err();
        assert!(matches!(error, ImportError::PixelsPerMetre { .. }), "{error}");
    }
}

#[test]
fn import_plist_says_what_is_wrong_where_and_what_to_do() {
    let fire = fixture("fire");
    let nested = |open: &str, times: usize| format!("<plist>{}", open.repeat(times)).into_bytes();
    let changed = |key: &str, value: f64| real(fire, key, value).into_bytes();
    let text = |key: &str, value: &str| with(fire, key, value).into_bytes();
    let gone = |key: &str| {
        fire.replace(&format!("<key>{key}</key>"), "<key>other</key>")
            .into_bytes()
    };
    let half = fire.as_bytes()[..fire.len() / 2].to_vec();
    let other = b"<plist><dict><key>CFBundleName</key><string>A</string></dict></plist>".to_vec();
    let refused: Vec<(Vec<u8>, &str, &str)> = vec![
        (b"".to_vec(), "", "there is nothing in it"),
        (b"{\"mote\": 1}".to_vec(), "", "no property list"),
        (b"\xff\xfe<\0p\0".to_vec(), "", "UTF-8"),
        (b"bplist00\xd1\x01".to_vec(), "", "no property list"),
        (half, "", "no property list"),
        (b"<plist><array></array></plist>".to_vec(), "", "not an array"),
        (
            b"<plist><string>a</string></plist>".to_vec(),
            "",
            "a dictionary of keys belongs",
        ),
        (
            b"<plist><dict></dict></plist>".to_vec(),
            "maxParticles",
            "missing",
        ),
        (other, "maxParticles", "missing"),
        (
            text("speed", "<string>fast</string>"),
            "speed",
            "the text \"fast\"; a number",
        ),
        (text("speed", "<array/>"), "speed", "an array; a number"),
        (
            text("speed", "<string>NaN</string>"),
            "speed",
            "NaN; a number from",
        ),
        (
            text("gravityx", "<real>inf</real>"),
            "gravityx",
            "inf; a number from",
        ),
        (changed("gravityx", 1e300), "gravityx", "a number from"),
        (
            changed("particleLifespan", -1.0),
            "particleLifespan",
            "a life above 0",
        ),
        (
            changed("particleLifespan", 0.0),
            "particleLifespan",
            "a life above 0",
        ),
        (
            changed("maxParticles", 0.0),
            "maxParticles",
            "at least 1 particle",
        ),
        (
            changed("maxParticles", -5.0),
            "maxParticles",
            "at least 1 particle",
        ),
        (gone("maxParticles"), "maxParticles", "missing"),
        (gone("particleLifespan"), "particleLifespan", "missing"),
        (
            changed("emitterType", 7.0),
            "emitterType",
            "0 (gravity) or 1 (radial)",
        ),
        (nested("<array>", 1_000_000), "", "not an array"),
        (nested("<dict><key>a</key>", 100_000), "", "nested more than"),
        (
            nested("<dict><key>a</key><integer>1</integer>", 100_000),
            "",
            "no property list",
        ),
    ];
    for (bytes, key, words) in refused {
        let error = read(&bytes).unwrap_err();
        let diagnostic = error.diagnostic();
        assert!(diagnostic.message.contains(words), "{diagnostic}, not {words}");
        assert_eq!(
            diagnostic.place.field.as_deref().unwrap_or_default(),
            key,
            "{diagnostic}"
        );
        if fire.contains(&format!("<key>{key}</key>")) && words != "missing" {
            let line = String::from_utf8(bytes).unwrap();
            let line = line
                .lines()
                .position(|l| l.contains(&format!("<key>{key}</key>")))
                .unwrap();
            assert_eq!(diagnostic.place.line, Some(line as u32 + 1), "{diagnostic}");
        }
    }
    let halfway = read(&fire.as_bytes()[..fire.len() / 2]).unwrap_err().diagnostic();
    let broken = read(fire.replace("<real>95.0</real>", "<real>9.5.0</real>").as_bytes());
    let place = broken.unwrap_err().diagnostic().place;
    let line = fire.lines().position(|line| line.contains("95.0")).unwrap();
    assert_eq!(place.line, Some(line as u32 + 1), "{halfway}");
    let large = vec![b' '; MAX_BYTES + 1];
    assert!(matches!(
        read(&large).unwrap_err(),
        ImportError::TooLarge { bytes } if bytes == MAX_BYTES + 1
    ));
}

#[test]
fn import_plist_extremes_are_clamped_with_a_note_and_compile() {
    let fire = fixture("fire");
    for (key, value, noted) in [
        ("maxParticles", 1e9, true),
        ("maxParticles", 4e8, true),
        ("particleLifespan", 1e-12, true),
        ("particleLifespan", 1e9, false),
        ("particleLifespanVariance", 1e9, false),
        ("emissionRate", 1e9, false),
        ("duration", 0.0, true),
        ("duration", -3.0, true),
        ("duration", 1e9, false),
        ("speed", -1e9, false),
        ("startParticleSize", -50.0, false),
        ("finishParticleSize", 1e9, false),
        ("startColorRed", 1e9, false),
        ("startColorVarianceRed", -1e9, false),
        ("angleVariance", 1e9, false),
        ("blendFuncSource", 12.0, true),
        ("positionType", 9.0, true),
    ] {
        let Imported { document, notes } = imported(&real(fire, key, value));
        let errors: Vec<String> = compile(&document).errors().map(Diagnostic::to_string).collect();
        assert!(errors.is_empty(), "{key} {value}: {errors:?}");
        let found = notes.iter().any(|note| {
            let field = note.place.field.as_deref();
            field == Some(key) || (key == "particleLifespan" && field == Some("maxParticles"))
        });
        assert_eq!(found, noted, "{key} {value}: {notes:?}");
        assert_eq!(
            file::load(file::save(&document).as_bytes()).unwrap().document,
            document
        );
    }
    let hidden = with(fire, "textureFileName", "<string>../../etc/flame.png</string>");
    assert_eq!(
        imported(&hidden).document.emitters()[0].texture(),
        Some("flame.png")
    );
    let nowhere = with(fire, "textureFileName", "<string>../..</string>");
    assert_eq!(imported(&nowhere).document.emitters()[0].texture(), None);
}

/// The file as a binary property list.
fn binary(text: &str) -> Vec<u8> {
    let value = plist::Value::from_reader_xml(text.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    value.to_writer_binary(&mut bytes).unwrap();
    bytes
}

#[test]
fn import_plist_binary_files_give_the_same_document() {
    for (name, text) in FIXTURES {
        let bytes = binary(text);
        assert!(bytes.starts_with(b"bplist00"));
        assert_eq!(read(&bytes).unwrap().document, imported(text).document, "{name}");
        assert!(importer(Path::new("no ending"), &bytes).is_some());
    }
}

/// A list of lists of lists, each of which names the next one many times: a few bytes, and 14 to the power of 12
/// values.
#[test]
fn import_plist_a_binary_file_that_unfolds_without_end_is_refused() {
    let mut bytes = b"bplist00".to_vec();
    let mut offsets = vec![bytes.len()];
    bytes.extend([0xd1, 1, 2]);
    offsets.push(bytes.len());
    bytes.extend([0x51, b'a']);
    for list in 2..14u8 {
        offsets.push(bytes.len());
        bytes.push(0xae);
        bytes.extend([list + 1; 14]);
    }
    offsets.push(bytes.len());
    bytes.push(0x09);
    let table = bytes.len();
    bytes.extend(offsets.iter().map(|&offset| offset as u8));
    bytes.extend([0, 0, 0, 0, 0, 0, 1, 1]);
    for number in [offsets.len() as u64, 0, table as u64] {
        bytes.extend(number.to_be_bytes());
    }
    let error = read(&bytes).unwrap_err().to_string();
    assert!(error.contains("keys and values"), "{error}");
}

/// Numbers that a damaged file may have.
const ODD: [&str; 12] = [
    "<real>-1</real>",
    "<real>1e39</real>",
    "<real>-0.0</real>",
    "<real>nan</real>",
    "<integer>9223372036854775807</integer>",
    "<integer>-1</integer>",
    "<string></string>",
    "<string>1e11</string>",
    "<true/>",
    "<date>2000-01-01T00:00:00Z</date>",
    "<data>AAAA</data>",
    "<dict></dict>",
];

#[test]
fn fuzz_import_plist_takes_any_damage() {
    let seed = 83;
    let mut rolls = Rolls(seed);
    let mut taken = 0;
    for round in 0..1_500 {
        let text = FIXTURES[rolls.below(4) as usize].1;
        let mut bytes = text.as_bytes().to_vec();
        match round % 4 {
            3 => {
                bytes = binary(text);
                for _ in 0..=rolls.below(4) {
                    let at = rolls.below(bytes.len() as u32) as usize;
                    bytes[at] = [0, 1, 0x7f, 0xff, rolls.next() as u8][rolls.below(5) as usize];
                }
            }
            0 => {
                for _ in 0..=rolls.below(6) {
                    let at = rolls.below(bytes.len() as u32) as usize;
                    match rolls.below(4) {
                        0 => bytes[at] = rolls.below(256) as u8,
                        1 if bytes.len() > 1 => drop(bytes.remove(at)),
                        2 => bytes.insert(at, b"<>/&\"'\0-e."[rolls.below(10) as usize]),
                        _ => bytes.truncate(at.max(1)),
                    }
                }
            }
            1 => {
                let mut text = text.to_owned();
                for _ in 0..=rolls.below(4) {
                    let at = rolls.below(keys().count() as u32) as usize;
                    let key = keys().nth(at).unwrap().1;
                    text = with(&text, key, ODD[rolls.below(12) as usize]);
                }
                bytes = text.into_bytes();
            }
            _ => {
                let (a, b) = (rolls.below(bytes.len() as u32), rolls.below(bytes.len() as u32));
                let piece = bytes[a.min(b) as usize..a.max(b) as usize].to_vec();
                let at = rolls.below(bytes.len() as u32) as usize;
                bytes.splice(at..at, piece);
            }
        }
        if let Ok(imported) = read(&bytes) {
            taken += 1;
            let compiled = compile(&imported.document);
            let errors: Vec<String> = compiled.errors().map(Diagnostic::to_string).collect();
            assert!(errors.is_empty(), "seed {seed}, round {round}: {errors:?}");
            let saved = file::save(&imported.document);
            let loaded = file::load(saved.as_bytes()).unwrap().document;
            assert_eq!(file::save(&loaded), saved, "seed {seed}, round {round}");
        }
    }
    assert!(taken > 100, "seed {seed}: {taken} were read");
}
