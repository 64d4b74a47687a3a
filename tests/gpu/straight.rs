//! Programs written out as a shader against the interpreter.

use std::collections::BTreeMap;
use std::sync::Arc;

use mote::compiler::compile;
use mote::document::presets::{preset, presets};
use mote::gpu::Straight;
use mote::isa::{HEADER_WORD, ORDINAL_WORD, RECORD_WORDS};

use crate::support::{Pair, counting, gpu};

type Record = [u32; RECORD_WORDS as usize];
type Records = BTreeMap<(u32, u32), Record>;

/// How far a word may be off, as a part of itself or of 1, whichever is more: a driver sees through straight text
/// and does away with what it may, such as the sign of a zero or a product with a constant it knows.
const TOLERANCE: f32 = 1e-6;

fn by_ordinal<'a>(records: impl Iterator<Item = &'a Record>) -> Records {
    records
        .map(|r| ((r[HEADER_WORD as usize], r[ORDINAL_WORD as usize]), *r))
        .collect()
}

/// How far the fields of two populations are apart at the most, and where; none where others live.
fn apart(a: &Records, b: &Records) -> Option<(f32, String)> {
    let mut most = (0.0, String::new());
    if !a.keys().eq(b.keys()) {
        return None;
    }
    for ((key, a), b) in a.iter().zip(b.values()) {
        for word in 2..RECORD_WORDS as usize {
            let (x, y) = (f32::from_bits(a[word]), f32::from_bits(b[word]));
            let off = (x - y).abs() / x.abs().max(y.abs()).max(1.0);
            if off > most.0 || off.is_nan() {
                most = (off, format!("{key:?} word {word}: {x} and {y}"));
            }
        }
    }
    Some(most)
}

#[test]
fn straight_presets_give_the_records_of_the_interpreter() {
    // It makes pipelines that others must not count.
    let _counting = counting();
    let (gpu, pipelines) = gpu();
    for of in presets() {
        let effect = Arc::new(compile(&preset(of.name).unwrap()).effect.unwrap());
        let capacity = effect.emitters.iter().map(|e| e.emission.capacity).sum();
        let mut interpreted = Pair::with(&effect, capacity);
        let mut written = Pair::with(&effect, capacity);
        let straight = Straight::new(gpu, pipelines, written.stage.heap()).unwrap();
        written.simulation.set_straight(Some(straight));
        for _ in 0..45 {
            interpreted.step(1.0 / 60.0);
            written.step(1.0 / 60.0);
        }
        let a = by_ordinal(interpreted.snapshot().live_records());
        let mut b = by_ordinal(written.snapshot().live_records());
        assert!(a.len() > 10, "{}", of.name);
        let (off, at) = apart(&a, &b).unwrap_or_else(|| panic!("{}: others live", of.name));
        assert!(off <= TOLERANCE, "{}: {off} at {at}", of.name);
        // A planted difference is found.
        let first = b.values_mut().next().unwrap();
        first[4] = (f32::from_bits(first[4]) * 1.001 + 0.001).to_bits();
        assert!(apart(&a, &b).unwrap().0 > TOLERANCE, "{}", of.name);
    }
}
