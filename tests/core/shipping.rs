//! What a shipped file carries, leaves out and may be skipped; every number's bits.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use mote::artifact::assets::{Missing, gather};
use mote::artifact::effect::{MAX_PACKED, MAX_PARAMETERS};
use mote::artifact::strip::strip;
use mote::artifact::{Effect, LoadError, Packed, Parameter, ParameterRead, Texture, binary, json};
use mote::base::hash::content_hash;
use mote::base::id::Id;
use mote::isa::Program;
use mote::layout::{EmitterLayout, FieldType};
use mote::play::{Driver, Player, Shown};

use crate::format::everything;
use crate::old::{file, records, section_of, sections};
use crate::support::Rolls;

fn texture(path: &str) -> Texture {
    Texture {
        path: path.to_owned(),
        hash: 0,
    }
}

/// Files by path.
fn folder(files: &[(&str, &'static [u8])]) -> impl FnMut(&str) -> io::Result<Vec<u8>> {
    let files: HashMap<String, &[u8]> = files
        .iter()
        .map(|(path, bytes)| ((*path).to_owned(), *bytes))
        .collect();
    move |path| {
        let found = files.get(path).map(|bytes| bytes.to_vec());
        found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }
}

#[test]
fn shipping_textures_have_the_hash_of_their_files_and_are_packed_once() {
    let mut effect = Effect {
        textures: ["a.png", "sub/b.png", "copy of a.png"].map(texture).to_vec(),
        ..Effect::default()
    };
    let files: [(&str, &'static [u8]); 3] = [
        ("a.png", b"first"),
        ("sub/b.png", b"second"),
        ("copy of a.png", b"first"),
    ];
    assert_eq!(gather(&mut effect, false, folder(&files)), []);
    let hashes: Vec<u64> = effect.textures.iter().map(|t| t.hash).collect();
    assert_eq!(
        hashes,
        [b"first".as_slice(), b"second", b"first"].map(content_hash)
    );
    assert!(effect.packed.is_empty());
    let plain = binary::write(&effect);

    assert_eq!(gather(&mut effect, true, folder(&files)), []);
    assert_eq!(effect.packed.len(), 2);
    let packed = binary::write(&effect);
    assert_eq!(packed.len(), plain.len() + 20 + 4 + 2 * 12 + 5 + 6);
    for bytes in [packed, json::write(&effect).into_bytes()] {
        let loaded = Effect::load(&bytes).unwrap();
        assert_eq!(loaded.packed(hashes[0]), Some(&b"first"[..]));
        assert_eq!(loaded.packed(hashes[1]), Some(&b"second"[..]));
        assert_eq!(loaded.packed(1), None);
        assert_eq!(*loaded, effect);
    }
}

#[test]
fn shipping_missing_textures_are_named_and_have_no_hash() {
    let mut effect = Effect {
        textures: ["gone.png", "a.png"].map(texture).to_vec(),
        ..Effect::default()
    };
    let missing = gather(&mut effect, true, folder(&[("a.png", b"first")]));
    let reason = "there is no such file".to_owned();
    let path = "gone.png".to_owned();
    assert_eq!(missing, [Missing { path, reason }]);
    assert_eq!((effect.textures[0].hash, effect.packed.len()), (0, 1));
    let missing = gather(&mut effect, true, |_| Ok(vec![0; MAX_PACKED + 1]));
    assert!(
        missing.len() == 2 && missing[0].reason.contains("pack"),
        "{missing:?}"
    );
    assert!(effect.packed.is_empty());
}

#[test]
fn shipping_packed_textures_that_are_not_theirs_are_refused() {
    let with = |packed: Vec<Packed>| Effect {
        packed,
        ..Effect::default()
    };
    let packed = |hash, bytes: &[u8]| Packed {
        hash,
        bytes: Arc::from(bytes),
    };
    let hash = content_hash(b"x");
    let other = content_hash(b"y");
    let twice = vec![packed(hash, b"x"); 2];
    let mut turned = vec![packed(hash, b"x"), packed(other, b"y")];
    turned.sort_by_key(|p| std::cmp::Reverse(p.hash));
    for (effect, says) in [
        (with(vec![packed(hash, b"other")]), "hash"),
        (with(twice), "packed[1]"),
        (with(turned), "packed[1]"),
    ] {
        for bytes in [binary::write(&effect), json::write(&effect).into_bytes()] {
            let message = Effect::load(&bytes).unwrap_err().to_string();
            assert!(message.contains(says), "{message}");
        }
    }
    let text = json::write(&with(vec![packed(hash, b"x")]));
    for (from, to) in [("\"78\"", "\"7\""), ("\"78\"", "\"7g\"")] {
        assert!(text.contains(from));
        let message = Effect::load(text.replace(from, to).as_bytes())
            .unwrap_err()
            .to_string();
        assert!(message.contains("packed[0].bytes"), "{message}");
    }
}

#[test]
fn shipping_a_section_or_setting_is_skipped_where_it_says_so_and_refused_where_not() {
    let effect = everything();
    let whole = sections(&binary::write(&effect));
    for place in 0..=whole.len() {
        for (flags, size) in [(1, 0), (1, 777), (0, 0)] {
            let mut parts = whole.clone();
            parts.insert(place, ("LITE".to_owned(), flags, vec![7; size]));
            let loaded = Effect::load(&file(3, &parts));
            if flags == 1 {
                assert_eq!(*loaded.unwrap(), effect);
            } else {
                let message = loaded.unwrap_err().to_string();
                let at = 16 + 20 * place;
                assert!(
                    message.contains("LITE") && message.contains(&format!("byte {at} ")),
                    "{message}"
                );
            }
        }
    }
    // Each section of ours: without it, twice, with a flag that means nothing.
    for place in 0..whole.len() {
        let tag = whole[place].0.clone();
        let mut parts = whole.clone();
        parts.remove(place);
        let loaded = Effect::load(&file(3, &parts));
        match tag.as_str() {
            "PACK" => assert_eq!(
                *loaded.unwrap(),
                Effect {
                    packed: Vec::new(),
                    ..effect.clone()
                }
            ),
            _ => assert!(loaded.unwrap_err().to_string().contains(&tag)),
        }
        let mut parts = whole.clone();
        parts.insert(place, whole[place].clone());
        assert!(matches!(
            Effect::load(&file(3, &parts)),
            Err(LoadError::RepeatedSection { .. })
        ));
        let mut parts = whole.clone();
        parts[place].1 |= 2;
        assert!(matches!(
            Effect::load(&file(3, &parts)),
            Err(LoadError::BadValue {
                what: "section flags",
                ..
            })
        ));
        // Bytes behind the content belong to nothing.
        let mut parts = whole.clone();
        parts[place].2.push(0);
        assert!(
            matches!(Effect::load(&file(3, &parts)), Err(LoadError::Surplus { .. })),
            "{tag}"
        );
    }
    // Settings, likewise.
    for (key, skipped) in [(0x8063, true), (0x0063, false)] {
        for tag in ["PARM", "TEXR", "EMIT"] {
            let mut parts = whole.clone();
            let part = parts.iter_mut().find(|(t, ..)| t == tag).unwrap();
            let mut items = records(&part.2);
            items[0].push((key, vec![1, 2, 3]));
            part.2 = section_of(&items);
            let loaded = Effect::load(&file(3, &parts));
            if skipped {
                assert_eq!(*loaded.unwrap(), effect);
            } else {
                assert!(loaded.unwrap_err().to_string().contains("99"));
            }
        }
    }
}

#[test]
fn shipping_a_stripped_effect_plays_the_same_and_answers_the_game_the_same() {
    let effect = everything();
    let stripped = strip(&effect);
    assert!(stripped.name.is_empty() && stripped.emitters.iter().all(|e| e.name.is_empty()));
    let bytes = binary::write(&stripped);
    for gone in ["Alles", "Erster", "spin of mine", "m/s²"] {
        assert!(!bytes.windows(gone.len()).any(|w| w == gone.as_bytes()), "{gone}");
    }
    for kept in ["Größe 0", "gust", "first", "velocity", "c.png"] {
        assert!(bytes.windows(kept.len()).any(|w| w == kept.as_bytes()), "{kept}");
    }
    let loaded = Effect::load(&bytes).unwrap();
    assert_eq!(*loaded, stripped);
    assert_eq!(strip(&stripped).emitters[1], stripped.emitters[1]);
    // All but those names is as it was.
    let mut again = stripped.clone();
    again.name.clone_from(&effect.name);
    for (parameter, of) in again.parameters.iter_mut().zip(&effect.parameters) {
        (parameter.unit, parameter.range) = (of.unit.clone(), of.range);
    }
    for (emitter, of) in again.emitters.iter_mut().zip(&effect.emitters) {
        emitter.name.clone_from(&of.name);
        let places = |e: &mote::artifact::Emitter| -> Vec<_> {
            e.layout.fields().iter().map(|f| (f.ty, f.word)).collect()
        };
        assert_eq!(places(emitter), places(of));
        emitter.layout = of.layout.clone();
    }
    assert_eq!(again, effect);
    // And so are the particles.
    for preset in ["bonfire", "debris"] {
        let effect = mote::compiler::compile(&mote::document::presets::preset(preset).unwrap())
            .effect
            .unwrap();
        let stripped = strip(&effect);
        assert!(
            binary::write(&stripped).len() < binary::write(&effect).len(),
            "{preset}"
        );
        let digests = [effect, stripped].map(|effect| {
            let mut player = Player::new(None, Shown::Cpu);
            player.load(Arc::new(effect)).unwrap();
            (0..60).for_each(|_| player.step(1.0 / 60.0));
            player.stats(Driver::Cpu).unwrap().digest
        });
        assert_eq!(digests[0], digests[1], "{preset}");
    }
}

/// Any finite number, by its bits.
fn finite(rolls: &mut Rolls) -> u32 {
    loop {
        let bits = rolls.next();
        if f32::from_bits(bits).is_finite() {
            return bits;
        }
    }
}

#[test]
fn shipping_a_million_finite_numbers_keep_their_bits_in_both_forms() {
    const SEED: u32 = 51;
    let mut rolls = Rolls(SEED);
    let mut count = 0;
    // As words: constants of programs and values of emitter fields. As numbers: defaults and ranges of parameters.
    while count < 1_000_000 {
        let mut effect = everything();
        effect.packed.clear();
        effect.programs[1].constants = (0..4_096).map(|_| [(); 4].map(|()| finite(&mut rolls))).collect();
        effect.programs.extend((0..16).map(|_| Program {
            constants: (0..4_096).map(|_| [(); 4].map(|()| finite(&mut rolls))).collect(),
            ..Program::default()
        }));
        let names: Vec<String> = (0..256).map(|i| format!("v{i}")).collect();
        let fields = names.iter().map(|name| (name.as_str(), FieldType::Vec4));
        effect.emitters[0].emitter_layout = EmitterLayout::pack(fields).unwrap();
        effect.emitters[0].emitter_fields = (0..1_024).map(|_| finite(&mut rolls)).collect();
        effect.parameters = (0..MAX_PARAMETERS)
            .map(|i| Parameter {
                id: Id::new(&format!("p{i}")).unwrap(),
                name: String::new(),
                ty: FieldType::Vec4,
                default: [(); 4].map(|()| f32::from_bits(finite(&mut rolls))),
                range: Some([(); 2].map(|()| f32::from_bits(finite(&mut rolls)))),
                unit: String::new(),
                read: ParameterRead::Step,
            })
            .collect();
        for column in &mut effect.emitters[0].transform {
            *column = [(); 3].map(|()| f32::from_bits(finite(&mut rolls)));
        }
        count += 17 * 16_384 + 1_024 + 6 * MAX_PARAMETERS + 12;
        let bits = |effect: &Effect| -> Vec<u32> {
            let programs = effect.programs.iter().flat_map(|p| p.constants.concat());
            let floats = |values: Vec<f32>| values.into_iter().map(f32::to_bits);
            let parameters = effect.parameters.iter();
            let parameters =
                parameters.flat_map(|p| floats([&p.default[..], &p.range.unwrap_or_default()].concat()));
            let first = &effect.emitters[0];
            let words = first.emitter_fields.iter().copied();
            let transform = floats(first.transform.concat());
            programs.chain(parameters).chain(words).chain(transform).collect()
        };
        let given = bits(&effect);
        for bytes in [binary::write(&effect), json::write(&effect).into_bytes()] {
            let found = bits(&Effect::load(&bytes).unwrap());
            let other = given.iter().zip(&found).position(|(a, b)| a != b);
            assert_eq!((found.len(), other), (given.len(), None), "seed {SEED}");
        }
    }
}
