//! The benchmarks of the simulation measure populations that are really there.

use mote::inspect::bench::{Options, run};

use crate::support::{counting, gpu};

#[test]
fn bench_simulate_has_a_figure_for_every_effect_and_ratios_to_copy_and_straight_code() {
    let _alone = counting();
    let options = Options {
        counts: Some(vec![640]),
    };
    let rows = run("simulate", Some(&gpu().0), &options).unwrap();
    let mut effects = vec!["short", "long"];
    let presets: Vec<_> = mote::document::presets::presets().collect();
    effects.extend(presets.iter().map(|preset| preset.name));
    for name in effects {
        for what in ["", ".particle", ".over.copy", ".over.straight"] {
            let row = rows
                .iter()
                .find(|row| row.name == format!("simulate.{name}.640{what}"));
            let value = row.unwrap_or_else(|| panic!("{name}{what}")).value;
            assert!(value.is_finite() && value > 0.0, "{name}{what}: {value}");
        }
    }
}
