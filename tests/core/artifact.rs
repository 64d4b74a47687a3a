//! Shipped files: both forms, and every kind of damage.

use mote::artifact::{Burst, Effect, Emission, LoadError, RateKey, SeedMode, binary, json, save};

use crate::isa::Rolls;
use crate::support::{drift, effect};

fn sample() -> Effect {
    let emission = Emission {
        rate: 50.0,
        duration: Some(2.0),
        bursts: vec![Burst {
            time: 0.5,
            min: 3,
            max: 9,
            cycles: 2,
            interval: 0.25,
            chance: 0.5,
        }],
        ..Emission::default()
    };
    (*effect(&drift(2.0), emission)).clone()
}

#[test]
fn artifact_both_forms_hold_the_same_effect() {
    let effect = sample();
    assert_eq!(*Effect::load(&binary::write(&effect)).unwrap(), effect);
    assert_eq!(*Effect::load(json::write(&effect).as_bytes()).unwrap(), effect);
    assert_eq!(binary::write(&effect), binary::write(&effect.clone()));
}

#[test]
fn artifact_special_bits_survive_both_forms() {
    let mut effect = sample();
    effect.programs[0].constants = vec![[0x8000_0000, 0x7fc0_1234, 0xff80_0000, 1]];
    assert_eq!(*Effect::load(&binary::write(&effect)).unwrap(), effect);
    assert_eq!(*Effect::load(json::write(&effect).as_bytes()).unwrap(), effect);
}

#[test]
fn artifact_every_prefix_is_an_error() {
    let bytes = binary::write(&sample());
    for length in 0..bytes.len() {
        assert!(Effect::load(&bytes[..length]).is_err(), "{length}");
    }
    let text = json::write(&sample());
    for length in 0..text.trim_end().len() {
        assert!(Effect::load(&text.as_bytes()[..length]).is_err(), "{length}");
    }
}

#[test]
fn artifact_a_flipped_bit_never_panics_and_never_passes_the_verifier_wrongly() {
    let bytes = binary::write(&sample());
    let mut rolls = Rolls(3);
    for round in 0..20_000 {
        let mut broken = bytes.clone();
        for _ in 0..=rolls.below(3) {
            let at = rolls.below(broken.len() as u32) as usize;
            broken[at] ^= 1 << rolls.below(8);
        }
        if round % 2 == 0 {
            // With checksums mended the deeper readers are reached.
            mend(&mut broken);
        }
        let _ = Effect::load(&broken);
    }
    for value in [0u32, 0x7fff_ffff, 0xffff_fff8, 0xffff_ffff] {
        for at in (8..bytes.len() - 4).step_by(4) {
            let mut broken = bytes.clone();
            broken[at..at + 4].copy_from_slice(&value.to_le_bytes());
            mend(&mut broken);
            let _ = Effect::load(&broken);
        }
    }
}

/// Recomputes the checksums of a section table where its offsets still make sense.
pub(crate) fn mend(bytes: &mut [u8]) {
    let word = |bytes: &[u8], at: usize| {
        bytes
            .get(at..at + 4)
            .map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize)
    };
    for section in 0..word(bytes, 12).min(16) {
        let entry = 16 + section * 20;
        let (offset, length) = (word(bytes, entry + 8), word(bytes, entry + 12));
        let Some(body) = offset.checked_add(length).and_then(|end| bytes.get(offset..end)) else {
            continue;
        };
        let sum = crc(body).to_le_bytes();
        if let Some(place) = bytes.get_mut(entry + 16..entry + 20) {
            place.copy_from_slice(&sum);
        }
    }
}

/// CRC-32 as the format's page describes it, written out here so that the test is a second reader.
pub(crate) fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                crc >> 1 ^ 0xedb8_8320
            } else {
                crc >> 1
            };
        }
    }
    !crc
}

#[test]
fn artifact_damage_newer_versions_and_strangers_are_named() {
    let bytes = binary::write(&sample());
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    assert!(matches!(Effect::load(&damaged), Err(LoadError::Checksum { .. })));
    let mut newer = bytes.clone();
    newer[8] = 9;
    let message = Effect::load(&newer).unwrap_err().to_string();
    assert!(
        message.contains("version 9") && message.contains("version 3"),
        "{message}"
    );
    assert!(matches!(Effect::load(b"hello"), Err(LoadError::NotAnEffect)));
    assert!(matches!(Effect::load(b""), Err(LoadError::NotAnEffect)));
    let mut stranger = bytes;
    stranger[16..20].copy_from_slice(b"WHAT");
    assert!(matches!(
        Effect::load(&stranger),
        Err(LoadError::UnknownSection { .. })
    ));
    let text = json::write(&sample()).replace("\"rate\": 50.0", "\"rate\": -1.0");
    let message = Effect::load(text.as_bytes()).unwrap_err().to_string();
    assert!(message.contains("emitters[0].emission.rate"), "{message}");
    let deep = "[".repeat(100_000);
    assert!(Effect::load(format!("{{\"mote\":{deep}").as_bytes()).is_err());
}

#[test]
fn artifact_a_bad_program_is_refused_with_its_instruction() {
    let mut effect = sample();
    effect.programs[0].update[3].0[1] = 99;
    let message = Effect::load(&binary::write(&effect)).unwrap_err().to_string();
    assert!(
        message.contains("programs[0]") && message.contains("update instruction 3"),
        "{message}"
    );
}

#[test]
fn artifact_saving_is_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.motefx");
    save::save_atomic(&path, b"one").unwrap();
    save::save_atomic(&path, b"two").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"two");
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        1,
        "nothing is left beside it"
    );
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).unwrap();
    let message = save::save_atomic(&path, b"three").unwrap_err().to_string();
    assert!(
        message.contains("a.motefx") && message.contains("read-only"),
        "{message}"
    );
    assert_eq!(std::fs::read(&path).unwrap(), b"two");
    assert!(save::save_atomic(&folder.path().join("no/such/a.motefx"), b"x").is_err());
}

/// Emission settings that differ from the defaults in one thing each.
pub(crate) fn emission_settings() -> Vec<Emission> {
    let with = |change: fn(&mut Emission)| {
        let mut emission = Emission::default();
        change(&mut emission);
        emission
    };
    vec![
        with(|e| {
            let key = |time, rate| RateKey { time, rate };
            e.rate_keys = vec![key(0.0, 1.5), key(0.25, 0.0), key(0.25, 900.0)];
        }),
        with(|e| e.rate_per_metre = 12.5),
        with(|e| e.inherit_velocity = -0.75),
        with(|e| e.time_scale = 0.0),
        with(|e| e.seed_mode = SeedMode::Loop),
        with(|e| e.culling = false),
        with(|e| e.max_catchup = 0.0),
    ]
}

#[test]
fn artifact_every_emission_setting_survives_both_forms() {
    let mut all = emission_settings();
    all.push(Emission::default());
    let mut effect = sample();
    for emission in all {
        effect.emitters[0].emission = emission;
        assert_eq!(*Effect::load(&binary::write(&effect)).unwrap(), effect);
        assert_eq!(*Effect::load(json::write(&effect).as_bytes()).unwrap(), effect);
    }
}

#[test]
fn artifact_a_file_without_the_newer_settings_has_their_defaults() {
    // Written before they were: these keys are left out.
    let effect = sample();
    let mut value: serde_json::Value = serde_json::from_str(&json::write(&effect)).unwrap();
    let emission = value["emitters"][0]["emission"].as_object_mut().unwrap();
    for name in [
        "rate_keys",
        "rate_per_metre",
        "inherit_velocity",
        "time_scale",
        "culling",
        "max_catchup",
    ] {
        assert!(emission.remove(name).is_some(), "{name}");
    }
    assert_eq!(*Effect::load(value.to_string().as_bytes()).unwrap(), effect);
    // In the binary form defaults are never written, so such a file is byte for byte what one of before is.
    let mut other = effect.clone();
    other.emitters[0].emission.time_scale = 0.5;
    assert_eq!(binary::write(&other).len(), binary::write(&effect).len() + 10);
}

#[test]
fn artifact_emission_settings_out_of_range_are_named() {
    type Case = (&'static str, fn(&mut Emission));
    let cases: [Case; 9] = [
        ("rate_per_metre", |e| e.rate_per_metre = -1.0),
        ("rate_per_metre", |e| e.rate_per_metre = 1e9),
        ("inherit_velocity", |e| e.inherit_velocity = f32::NAN),
        ("time_scale", |e| e.time_scale = f32::INFINITY),
        ("time_scale", |e| e.time_scale = -0.5),
        ("max_catchup", |e| e.max_catchup = 1e4),
        ("rate_keys[1]", |e| {
            e.rate_keys = [1.0, 0.5].map(|time| RateKey { time, rate: 1.0 }).to_vec();
        }),
        ("rate_keys[0]", |e| {
            e.rate_keys = vec![RateKey {
                time: 0.0,
                rate: f32::NAN,
            }];
        }),
        ("rate_keys", |e| {
            e.rate_keys = vec![RateKey { time: 0.0, rate: 1.0 }; 17];
        }),
    ];
    for (name, change) in cases {
        let mut effect = sample();
        change(&mut effect.emitters[0].emission);
        let error = Effect::load(&binary::write(&effect)).unwrap_err().to_string();
        assert!(error.contains(&format!("emitters[0].emission.{name}")), "{error}");
    }
}
