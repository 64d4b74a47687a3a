//! Documents that were damaged or made up: whatever they hold, loading, compiling and playing them ends in an
//! effect or a diagnostic.

use std::sync::Arc;

use mote::artifact::{Effect, binary};
use mote::compiler::compile;
use mote::document::file::{load, save};
use mote::document::presets::presets;

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
