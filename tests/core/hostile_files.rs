//! Case B32: compiled files that were cut, damaged or made up. Each ends in an effect or in an error that says where,
//! with no more memory than its bytes justify.

use mote::artifact::{Effect, LoadError, binary, json};

use crate::artifact::mend;
use crate::format::everything;
use crate::memory::peak;
use crate::old::{Section, file, sections};
use crate::support::Rolls;

/// Loads, holding it to its memory.
fn load(bytes: &[u8], what: &str) -> Option<LoadError> {
    let times = if binary::is_binary(bytes) { 4 } else { 16 };
    let (result, used) = peak(|| Effect::load(bytes).err());
    let most = times * bytes.len() + (1 << 20);
    assert!(
        used <= most,
        "{what}: {used} bytes held for a file of {}",
        bytes.len()
    );
    result
}

/// Says where in the file or in which field.
fn has_place(error: &LoadError) -> bool {
    let text = error.to_string();
    matches!(
        error,
        LoadError::Newer { .. }
            | LoadError::UnknownVersion { .. }
            | LoadError::MissingSection { .. }
            | LoadError::NotAnEffect
            | LoadError::Packed { .. }
            | LoadError::Field { .. }
            | LoadError::Program { .. }
            | LoadError::Layout { .. }
    ) || [" byte ", "line "].iter().any(|place| text.contains(place))
}

const COUNTS: [u32; 4] = [0, 0x7fff_ffff, 0xffff_fff8, 0xffff_ffff];

#[test]
fn case_b32_every_prefix_of_a_file_is_an_error_with_a_place() {
    let bytes = binary::write(&everything());
    for length in 0..bytes.len() {
        let error = load(&bytes[..length], "a prefix").unwrap_or_else(|| panic!("{length} bytes load"));
        assert!(has_place(&error), "{length}: {error}");
        assert!(
            length < 8 || error.to_string().contains("byte"),
            "{length}: {error}"
        );
        // With sections cut to what is there and their checksums right, the readers behind them are reached.
        let mut cut = bytes[..length].to_vec();
        for section in 0..6 {
            let entry = 16 + section * 20;
            if cut.len() < 136 {
                break;
            }
            let start = u32::from_le_bytes(cut[entry + 8..entry + 12].try_into().unwrap()) as usize;
            let left = cut.len().saturating_sub(start) as u32;
            let stated = u32::from_le_bytes(cut[entry + 12..entry + 16].try_into().unwrap());
            cut[entry + 12..entry + 16].copy_from_slice(&stated.min(left).to_le_bytes());
        }
        mend(&mut cut);
        let error = load(&cut, "a mended prefix").unwrap_or_else(|| panic!("{length} bytes load"));
        assert!(has_place(&error), "{length}: {error}");
    }
    let text = json::write(&everything());
    for length in 0..text.trim_end().len() {
        let error =
            load(&text.as_bytes()[..length], "a prefix").unwrap_or_else(|| panic!("{length} bytes load"));
        assert!(has_place(&error), "{length}: {error}");
    }
}

#[test]
fn case_b32_every_length_and_count_may_say_anything() {
    let bytes = binary::write(&everything());
    let mut refused = 0;
    for at in 0..=bytes.len() - 4 {
        for value in COUNTS {
            for mended in [false, true] {
                let mut broken = bytes.clone();
                broken[at..at + 4].copy_from_slice(&value.to_le_bytes());
                if mended {
                    mend(&mut broken);
                }
                if let Some(error) = load(&broken, &format!("{value:#x} at byte {at}")) {
                    assert!(has_place(&error), "{value:#x} at byte {at}: {error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > bytes.len() * 4, "{refused}");
    // In JSON: every number.
    let text = json::write(&everything());
    let mut at = 0;
    while let Some(start) = text[at..].find(|c: char| c.is_ascii_digit()).map(|i| i + at) {
        let length = text[start..]
            .find(|c: char| !"0123456789.e-".contains(c))
            .unwrap();
        for value in [
            "0",
            "2147483647",
            "4294967288",
            "4294967295",
            "4294967296",
            "-1",
            "1e400",
            "null",
            "[[]]",
        ] {
            let broken = format!("{}{value}{}", &text[..start], &text[start + length..]);
            if let Some(error) = load(broken.as_bytes(), value) {
                assert!(has_place(&error), "{value} at byte {start}: {error}");
            }
        }
        at = start + length;
    }
}

#[test]
fn case_b32_turned_bits_and_wrong_marks() {
    const SEED: u32 = 61;
    let mut rolls = Rolls(SEED);
    let (file, text) = (
        binary::write(&everything()),
        json::write(&everything()).into_bytes(),
    );
    for round in 0..20_000 {
        for whole in [&file, &text] {
            let mut broken = whole.clone();
            for _ in 0..=rolls.below(3) {
                let at = rolls.below(broken.len() as u32) as usize;
                broken[at] ^= 1 << rolls.below(8);
            }
            if round % 4 != 0 {
                mend(&mut broken);
            }
            if let Some(error) = load(&broken, "turned bits") {
                assert!(has_place(&error), "seed {SEED}, round {round}: {error}");
            }
        }
    }
    for at in 0..8 {
        let mut broken = file.clone();
        broken[at] ^= 0x20;
        assert_eq!(
            load(&broken, "a wrong mark"),
            Some(LoadError::NotAnEffect),
            "{at}"
        );
    }
    for stranger in [
        &b""[..],
        b"MOTEFX",
        b"\x89PNG\r\n\x1a\n",
        b"[]",
        b"\0\0\0\0",
        b"{}",
        b"\xff\xfe{\0}\0",
    ] {
        assert!(load(stranger, "a stranger").is_some_and(|error| has_place(&error)));
    }
}

fn with(tag: &str, body: Vec<u8>) -> Vec<u8> {
    let mut parts: Vec<Section> = sections(&binary::write(&Effect::default()));
    parts.retain(|(known, ..)| known != tag);
    parts.push((tag.to_owned(), 0, body));
    file(3, &parts)
}

fn list(count: u32, item: &[u8]) -> Vec<u8> {
    [&count.to_le_bytes(), &item.repeat(count as usize)[..]].concat()
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Files of many small things, each of which takes more memory than bytes.
#[test]
fn case_b32_many_small_things_take_no_more_memory_than_their_bytes_justify() {
    // As many as are read, and many more.
    for count in [200, 500, 512, 1_024, 100_000, 1_000_000] {
        for tag in ["PARM", "TEXR", "EMIT"] {
            // Empty records, and records with an id.
            load(&with(tag, list(count, &words(&[0]))), tag);
            let id = [&words(&[14])[..], &1u16.to_le_bytes(), &words(&[8, 4]), b"same"].concat();
            load(&with(tag, list(count, &id)), tag);
        }
        load(&with("PROG", list(count, &words(&[0; 5]))), "programs");
        load(&with("PACK", list(count, &words(&[0; 3]))), "packed textures");
        let imports = [words(&[1, 4]), list(count, &words(&[0, 1])), words(&[0; 3])].concat();
        load(&with("PROG", imports), "imports");
        for word in [0, 0xffff_ffff, 0x0000_0111, 0x1515_0411] {
            let code = list(count, &words(&[word, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff]));
            load(
                &with("PROG", [words(&[1, 0, 0, 0]), code, words(&[0])].concat()),
                "instructions",
            );
        }
        for key in [3u16, 5, 6, 37, 42] {
            let field = list(count, &words(&[1, u32::from(b'a'), 0, 2]));
            let entry = [&key.to_le_bytes()[..], &words(&[field.len() as u32]), &field].concat();
            load(
                &with("EMIT", [words(&[1, entry.len() as u32]), entry].concat()),
                "a list of an emitter",
            );
        }
    }
    // All keys there are, none of which has to be known.
    let entries: Vec<u8> = (0x8000..=0xffffu16)
        .flat_map(|key| [&key.to_le_bytes()[..], &[0; 4]].concat())
        .collect();
    let error = load(
        &with("EMIT", [words(&[1, entries.len() as u32]), entries].concat()),
        "settings",
    );
    assert!(
        matches!(error, Some(LoadError::TooLarge { limit: 256, .. })),
        "{error:?}"
    );
    // Sections without number over the same bytes.
    for count in [64, 65, 10_000u32] {
        let mut bytes = binary::write(&Effect::default())[..12].to_vec();
        bytes.extend(count.to_le_bytes());
        let end = 16 + 20 * count;
        for _ in 0..count {
            bytes.extend(b"LOTS");
            bytes.extend(words(&[1, end, 100_000, 0]));
        }
        bytes.extend(vec![0; 100_000]);
        mend(&mut bytes);
        let error = load(&bytes, "sections").unwrap();
        assert!(
            matches!(error, LoadError::Overlap { .. } | LoadError::TooLarge { .. }),
            "{error}"
        );
    }
}

#[test]
fn case_b32_json_of_many_small_things_takes_no_more_memory_than_its_bytes_justify() {
    let rest = |skip: &str| -> String {
        ["parameters", "textures", "programs", "emitters"]
            .iter()
            .filter(|name| **name != skip)
            .map(|name| format!(",\"{name}\":[]"))
            .collect()
    };
    let many = |name: &str, item: &str, count: usize| {
        let items = vec![item; count].join(",");
        format!(
            "{{\"mote\":\"effect\",\"version\":3,\"name\":\"\"{},\"{name}\":[{items}]}}",
            rest(name)
        )
    };
    // Structs may be written as lists, which takes the fewest characters.
    let cases = [
        ("parameters", r#"["a","","bool",[0,0,0,0],null]"#),
        ("textures", r#"["",0]"#),
        ("programs", "[0,[],[],[],[]]"),
        ("emitters", r#"["a","",[],0]"#),
        ("emitters", r#"["a","",[],0,[],[],{},"world",{},[],null]"#),
        ("packed", r#"[0,""]"#),
        ("strangers", "0"),
    ];
    for count in [1, 200, 512, 1_024, 100_000] {
        for (name, item) in cases {
            load(many(name, item, count).as_bytes(), name);
        }
        let inside = |item: &str| vec![item; count].join(",");
        for program in [
            format!("[0,[{}],[],[],[]]", inside(r#"["",1]"#)),
            format!("[0,[],[{}],[],[]]", inside("[0,0,0,0]")),
            format!("[0,[],[],[{}],[]]", inside("[0,0,0,0]")),
            format!("[0,[],[],[],[{}]]", inside("[4294967295,0,0,0]")),
        ] {
            load(many("programs", &program, 1).as_bytes(), "a program");
        }
        for emitter in [
            format!(r#"["a","",[{}],0]"#, inside(r#"["","bool",2]"#)),
            format!(r#"["a","",[],0,[{}]]"#, inside(r#"["","bool"]"#)),
            format!(r#"["a","",[],0,[],[{}]]"#, inside("0")),
            format!(r#"["a","",[],0,[],[],{{"bursts":[{}]}}]"#, inside("[0,0,0]")),
            format!(r#"["a","",[],0,[],[],{{"rate_keys":[{}]}}]"#, inside("[0,0]")),
            format!(
                r#"["a","",[],0,[],[],{{}},"world",{{}},[{}]]"#,
                inside(r#"["",0,0]"#)
            ),
        ] {
            load(many("emitters", &emitter, 1).as_bytes(), "an emitter");
        }
        let deep = "[".repeat(count);
        assert!(load(many("emitters", &deep, 1).as_bytes(), "depth").is_some());
        load(
            many("packed", &format!("[0,\"{}\"]", "ab".repeat(count)), 1).as_bytes(),
            "a packed texture",
        );
    }
}
