//! What must hold for any bytes that are offered as a compiled effect. `fuzz/` tries it without a bound, a test with
//! one.
//!
//! The functions panic where it does not hold: that is how a fuzzer learns of it.

use std::sync::Arc;

use crate::artifact::{Effect, binary, json};
use crate::host::{Placement, Stage};
use crate::reference::Reference;

/// Most particles of an effect that is played.
const PLAYED: u32 = 2_000;

/// Any bytes, with the mark of the binary form set before what follows the first eight: an error, or an effect that
/// both forms keep and that plays. Returns whether it loaded.
///
/// # Panics
/// Where that does not hold.
pub fn binary(bytes: &[u8]) -> bool {
    let mut file = bytes.to_vec();
    let mark = file.len().min(binary::MAGIC.len());
    file[..mark].copy_from_slice(&binary::MAGIC[..mark]);
    // Checksums would keep nearly all that a fuzzer makes from the readers behind them.
    mend(&mut file);
    either(&file)
}

/// Any bytes as the JSON form: as [`binary()`].
///
/// # Panics
/// Where that does not hold.
pub fn json(bytes: &[u8]) -> bool {
    if binary::is_binary(bytes) {
        return false;
    }
    either(bytes)
}

fn either(bytes: &[u8]) -> bool {
    let Ok(effect) = Effect::load(bytes) else {
        return false;
    };
    let (packed, text) = (binary::write(&effect), json::write(&effect));
    for (form, again) in [
        ("binary", Effect::load(&packed)),
        ("JSON", Effect::load(text.as_bytes())),
    ] {
        match again {
            Ok(again) => assert_eq!(binary::write(&again), packed, "the {form} form keeps an effect"),
            Err(error) => panic!("what loaded does not load from its {form} form: {error}"),
        }
    }
    play(&effect);
    true
}

/// Ten steps on the CPU of what is small enough.
fn play(effect: &Arc<Effect>) {
    let small = effect.emitters.iter().all(|emitter| {
        let e = &emitter.emission;
        e.capacity <= PLAYED && e.peak_rate() <= 1e4 && e.rate_per_metre <= 1e3 && e.prewarm <= 1.0
    });
    if !small || effect.emitters.len() > 8 {
        return;
    }
    let mut stage = Stage::new(PLAYED * 8);
    // What needs more than this stage has is refused, which is fine.
    if stage.place(Arc::clone(effect), Placement::default()).is_err() {
        return;
    }
    let mut reference = Reference::new(PLAYED * 8);
    for _ in 0..10 {
        if let Some(frame) = stage.begin_step(1.0 / 60.0) {
            reference.step(&stage, &frame);
            stage.end_step();
        }
    }
}

/// Makes the checksums of a section table right, where its sections lie inside the file.
pub fn mend(file: &mut [u8]) {
    let word = |file: &[u8], at: usize| {
        let bytes = file.get(at..at + 4)?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
    };
    for section in 0..word(file, 12).unwrap_or(0).min(64) {
        let entry = 16 + section * 20;
        let (Some(offset), Some(length)) = (word(file, entry + 8), word(file, entry + 12)) else {
            return;
        };
        let Some(body) = offset.checked_add(length).and_then(|end| file.get(offset..end)) else {
            continue;
        };
        let sum = crc32fast::hash(body).to_le_bytes();
        if let Some(place) = file.get_mut(entry + 16..entry + 20) {
            place.copy_from_slice(&sum);
        }
    }
}
