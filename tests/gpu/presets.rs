//! The presets, compiled and run on the device and on its twin.

use std::sync::Arc;

use mote::compiler::compile;
use mote::document::presets::{preset, presets};

use crate::support::Pair;
use crate::twins::assert_equal;

#[test]
fn presets_run_on_the_device_as_on_its_twin() {
    for of in presets() {
        let effect = Arc::new(compile(&preset(of.name).unwrap()).effect.unwrap());
        let capacity = effect.emitters.iter().map(|e| e.emission.capacity).sum();
        let mut pair = Pair::with(&effect, capacity);
        for _ in 0..45 {
            pair.step(1.0 / 60.0);
        }
        assert!(pair.reference.live_records().count() > 10, "{}", of.name);
        assert_equal(&pair, of.name);
    }
}
