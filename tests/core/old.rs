//! Writes files of versions 1 and 2, which the library itself never does, from effects that those could hold:
//! `docs/file-format.md` says how they differ from version 3.

use std::path::PathBuf;

use mote::artifact::{Effect, binary, json};
use mote::layout::FieldType;
use serde_json::{Value, json as item};

/// A section: tag, flags, bytes.
pub(crate) type Section = (String, u32, Vec<u8>);

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// The sections of a file that is sound.
pub(crate) fn sections(file: &[u8]) -> Vec<Section> {
    (0..word(file, 12) as usize)
        .map(|index| {
            let at = 16 + index * 20;
            let (start, length) = (word(file, at + 8) as usize, word(file, at + 12) as usize);
            let tag = String::from_utf8(file[at..at + 4].to_vec()).unwrap();
            (tag, word(file, at + 4), file[start..start + length].to_vec())
        })
        .collect()
}

/// A file of sections.
pub(crate) fn file(version: u32, sections: &[Section]) -> Vec<u8> {
    let mut out = b"MOTEFX\x1a\n".to_vec();
    out.extend(version.to_le_bytes());
    out.extend((sections.len() as u32).to_le_bytes());
    let mut start = 16 + sections.len() * 20;
    for (tag, flags, body) in sections {
        out.extend(tag.as_bytes());
        for word in [
            *flags,
            start as u32,
            body.len() as u32,
            crate::artifact::crc(body),
        ] {
            out.extend(word.to_le_bytes());
        }
        start += body.len();
    }
    for (.., body) in sections {
        out.extend(body);
    }
    out
}

/// The records of a section, each as its entries.
pub(crate) fn records(body: &[u8]) -> Vec<Vec<(u16, Vec<u8>)>> {
    let mut at = 4;
    (0..word(body, 0))
        .map(|_| {
            let end = at + 4 + word(body, at) as usize;
            at += 4;
            let mut entries = Vec::new();
            while at < end {
                let key = u16::from_le_bytes([body[at], body[at + 1]]);
                let length = word(body, at + 2) as usize;
                entries.push((key, body[at + 6..at + 6 + length].to_vec()));
                at += 6 + length;
            }
            entries
        })
        .collect()
}

/// A section of records.
pub(crate) fn section_of(records: &[Vec<(u16, Vec<u8>)>]) -> Vec<u8> {
    let mut out = (records.len() as u32).to_le_bytes().to_vec();
    for entries in records {
        let mut record = Vec::new();
        for (key, value) in entries {
            record.extend(key.to_le_bytes());
            record.extend((value.len() as u32).to_le_bytes());
            record.extend(value);
        }
        out.extend((record.len() as u32).to_le_bytes());
        out.extend(record);
    }
    out
}

/// The word of the field that version 1 turned sprites by.
fn roll(effect: &Effect, emitter: usize) -> Option<u32> {
    let field = effect.emitters[emitter].layout.get("rotation")?;
    (field.ty == FieldType::Float).then_some(field.word)
}

fn holds(effect: &Effect) {
    assert!(effect.parameters.is_empty() && effect.packed.is_empty());
    assert!(effect.emitters.iter().all(|e| e.emitter_layout.words() == 0));
}

/// The effect as a binary file of version 1 or 2. In version 1 a particle field `rotation` of one number is the roll.
pub(crate) fn write_binary(effect: &Effect, version: u32) -> Vec<u8> {
    holds(effect);
    let mut sections = sections(&binary::write(effect));
    sections.retain(|(tag, ..)| tag != "PARM");
    if version == 1 {
        for (tag, _, body) in &mut sections {
            if tag != "EMIT" {
                continue;
            }
            let mut emitters = records(body);
            for (index, entries) in emitters.iter_mut().enumerate() {
                entries.retain(|(key, _)| *key != 101);
                if let Some(word) = roll(effect, index) {
                    let bound = [1, word, 1].iter().flat_map(|w: &u32| w.to_le_bytes()).collect();
                    entries.push((101, bound));
                }
            }
            *body = section_of(&emitters);
        }
    }
    file(version, &sections)
}

/// The effect as a JSON file of version 1 or 2.
pub(crate) fn write_json(effect: &Effect, version: u32) -> String {
    holds(effect);
    let mut root: Value = serde_json::from_str(&json::write(effect)).unwrap();
    root["version"] = item!(version);
    root.as_object_mut().unwrap().remove("parameters");
    for (index, emitter) in root["emitters"].as_array_mut().unwrap().iter_mut().enumerate() {
        let emitter = emitter.as_object_mut().unwrap();
        emitter.remove("emitter_fields");
        emitter.remove("values");
        if version == 1 {
            let channels = emitter["channels"].as_array_mut().unwrap();
            channels.retain(|channel| channel["channel"] != "orientation");
            if let Some(word) = roll(effect, index) {
                channels.push(item!({"channel": "rotation", "word": word, "width": 1}));
            }
        }
    }
    serde_json::to_string_pretty(&root).unwrap() + "\n"
}

/// A file of the golden folder.
pub(crate) fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name)
}
