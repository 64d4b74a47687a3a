//! Documents that were damaged or made up: whatever they hold, loading, compiling and playing them ends in an
//! effect or a diagnostic.

use std::sync::Arc;

use mote::artifact::{Effect, binary};
use mote::compiler::compile;
use mote::document::file::{load, save};
use mote::document::presets::presets;
use mote::host::{Placement, Stage};

use crate::isa::Rolls;
use crate::support::Solo;

const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "-0.0",
    "1e30",
    "-1e30",
    "1e-40",
    "4294967295",
    "4294967296",
    "0.5",
    "1e400",
    "null",
    "\"x\"",
];

/// One random change to a text: a byte, a stretch, a line, a number.
fn damage(bytes: &mut Vec<u8>, rolls: &mut Rolls) {
    if bytes.is_empty() {
        return;
    }
    let length = bytes.len() as u32;
    let at = rolls.below(length) as usize;
    match rolls.below(16) {
        0 => bytes[at] = rolls.next() as u8,
        1 => bytes[at] ^= 1 << rolls.below(8),
        2 => {
            let end = (at + rolls.below(40) as usize).min(bytes.len());
            bytes.drain(at..end);
        }
        3 => {
            let end = (at + rolls.below(200) as usize).min(bytes.len());
            let part = bytes[at..end].to_vec();
            let to = rolls.below(length) as usize;
            bytes.splice(to..to, part);
        }
        _ => {
            // A number somewhere after `at` becomes another, which leaves the file well formed.
            let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|i| i + at) else {
                return;
            };
            let number = |b: &u8| !matches!(b, b'0'..=b'9' | b'.' | b'-' | b'e' | b'E' | b'+');
            let end = bytes[start..]
                .iter()
                .position(number)
                .map_or(bytes.len(), |i| i + start);
            let other = NUMBERS[rolls.below(NUMBERS.len() as u32) as usize];
            bytes.splice(start..end, other.bytes());
        }
    }
}

#[test]
fn hostile_documents_end_in_an_effect_or_a_diagnostic() {
    let mut rolls = Rolls(41);
    let (mut loaded, mut played) = (0, 0);
    let texts: Vec<&str> = presets().map(|preset| preset.text).collect();
    for round in 0..3_000 {
        let mut bytes = texts[round % texts.len()].as_bytes().to_vec();
        for _ in 0..=rolls.below(3) {
            damage(&mut bytes, &mut rolls);
        }
        let Ok(document) = load(&bytes) else { continue };
        loaded += 1;
        let text = save(&document.document);
        let again = load(text.as_bytes()).unwrap_or_else(|e| panic!("seed 41, round {round}: {e}\n{text}"));
        assert_eq!(save(&again.document), text, "seed 41, round {round}");
        let compiled = compile(&document.document);
        let Some(effect) = compiled.effect else {
            assert!(
                compiled
                    .diagnostics
                    .iter()
                    .any(mote::base::diag::Diagnostic::is_error),
                "seed 41, round {round}"
            );
            continue;
        };
        let shipped = Effect::load(&binary::write(&effect))
            .unwrap_or_else(|e| panic!("seed 41, round {round}: what compiles must load: {e}"));
        if round % 10 == 0
            && effect
                .emitters
                .iter()
                .all(|e| e.emission.capacity <= 4_000 && e.emission.rate < 5_000.0)
        {
            let mut solo = Solo::with(&Arc::clone(&shipped), 4_000);
            (0..8).for_each(|_| solo.step(1.0 / 20.0));
            played += 1;
        }
    }
    assert!(loaded > 500 && played > 20, "{loaded} loaded, {played} played");
}

#[test]
fn hostile_every_prefix_of_a_document_is_an_error_with_a_place() {
    let text = presets().next().unwrap().text;
    for length in (0..text.trim_end().len()).step_by(7) {
        let error = load(&text.as_bytes()[..length]).unwrap_err();
        assert!(!error.to_string().is_empty());
    }
    let deep = "[".repeat(200_000);
    assert!(load(deep.as_bytes()).is_err());
    assert!(load(format!("{{\"mote\": \"document\", \"version\": 1, \"x\": {deep}").as_bytes()).is_err());
}

/// Case B32: programs that were made in memory go through no file, and are still judged before anything runs them.
#[test]
fn case_b32_no_program_is_placed_unverified() {
    let sound = crate::support::effect(&crate::support::drift(1.0), mote::artifact::Emission::default());
    type Spoil = fn(&mut Effect);
    let spoiled: [(&str, Spoil); 7] = [
        ("slot past the registers", |e| e.programs[0].registers = 2),
        ("field past the record", |e| e.programs[0].init[1].0[1] = 31),
        ("field of the header", |e| e.programs[0].init[1].0[1] = 0),
        ("opcode that is none", |e| e.programs[0].update[2].0[0] |= 0xff),
        ("no such constant", |e| {
            let load =
                mote::isa::asm::assemble(".registers 4\n.const c0 1 2 3 4\ninit:\n    load_const.4 r0, c0\n")
                    .unwrap();
            e.programs[0].init.insert(0, load.init[0]);
        }),
        ("registers past any device", |e| {
            e.programs[0].registers = u32::MAX;
        }),
        ("a program that is not there", |e| e.emitters[0].program = 7),
    ];
    for (what, spoil) in spoiled {
        let mut effect = (*sound).clone();
        spoil(&mut effect);
        let mut stage = Stage::new(100);
        let living = stage.place(Arc::clone(&sound), Placement::default()).unwrap();
        let (words, rows) = (stage.heap().words().to_vec(), stage.row_count());
        let effect = Arc::new(effect);
        let refused = stage.place(Arc::clone(&effect), Placement::default());
        assert!(refused.is_err(), "{what}");
        let message = refused.unwrap_err().to_string();
        assert!(
            message.contains("programs[0]") || message.contains("program 7"),
            "{what}: {message}"
        );
        assert!(stage.set_effect(living, effect).is_err(), "{what}");
        // It left nothing behind, and the one that plays plays on.
        assert_eq!(
            (stage.heap().words(), stage.row_count()),
            (words.as_slice(), rows),
            "{what}"
        );
        assert_eq!(stage.heap().program_count(), 1, "{what}");
        assert!(stage.begin_step(0.1).is_some());
    }
    // No instruction at all is a program.
    let mut idle = (*sound).clone();
    idle.programs[0].init.clear();
    idle.programs[0].update.clear();
    Stage::new(10)
        .place(Arc::new(idle), Placement::default())
        .unwrap();
}
