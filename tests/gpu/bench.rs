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

#[test]
fn bench_emitters_has_every_figure() {
    let _alone = counting();
    let options = Options {
        counts: Some(vec![900]),
    };
    let rows = run("emitters", Some(&gpu().0), &options).unwrap();
    let names = [
        "emitters.1x900",
        "emitters.30x30.over.1x900",
        "emitters.long.30x30.over.1x900",
        "emitters.distinct.100x9.short.simulate",
        "emitters.distinct.100x9.long.step",
        "emitters.cpu.1.ours",
        "emitters.cpu.5000.wgpu",
        "emitters.place.2000.bonfires",
        "emitters.place.2000.bonfires.rest.ours",
    ];
    for name in names {
        let row = rows.iter().find(|row| row.name == name);
        let value = row.unwrap_or_else(|| panic!("{name}")).value;
        assert!(value.is_finite() && value > 0.0, "{name}: {value}");
    }
}
