//! When and how many particles an emitter makes.

use egui::{ComboBox, RichText, Ui};

use super::field::{Number, number, number_row, row, title};
use crate::artifact::emission::{Burst, Emission, MAX_BURSTS, MAX_CAPACITY, MAX_CYCLES, SeedMode};
use crate::document::{Edit, Emitter};
use crate::editor::action::Actions;
use crate::editor::panels::button;
use crate::editor::theme::{Tokens, icon};

const RATE: Number<'_> = Number::new("Rate", " /s", "Particles born a second")
    .range(0.0, 1e7)
    .speed(0.5);
const DELAY: Number<'_> = Number::new("Delay", " s", "Seconds before the first particle").range(0.0, 1e6);
const DURATION: Number<'_> = Number::new("Duration", " s", "Seconds a loop emits").range(0.0, 1e6);
const LOOPS: Number<'_> = Number::new("Loops", "", "How often it emits; 0 is for ever")
    .range(0.0, u32::MAX as f64)
    .speed(0.1)
    .whole();
const LOOP_DELAY: Number<'_> = Number::new("Loop delay", " s", "Seconds between loops").range(0.0, 1e6);
const PREWARM: Number<'_> =
    Number::new("Pre-warm", " s", "Seconds it has run before it is first seen").range(0.0, 1e4);
const CAPACITY: Number<'_> = Number::new("Capacity", "", "Most particles alive at once")
    .range(1.0, MAX_CAPACITY as f64)
    .speed(4.0)
    .whole();
const SEED: Number<'_> = Number::new("Seed", "", "The seed it always has")
    .range(0.0, u32::MAX as f64)
    .speed(1.0)
    .whole();

/// An edit of one setting.
fn set(emitter: &Emitter, change: impl FnOnce(&mut Emission)) -> Edit {
    let mut emission = emitter.emission().clone();
    change(&mut emission);
    Edit::SetEmission {
        emitter: emitter.id().clone(),
        emission,
    }
}

pub(super) fn show(ui: &mut Ui, emitter: &Emitter, tokens: &Tokens, actions: &mut Actions) {
    let e = emitter.emission();
    title(ui, "Emission");
    let float = |ui: &mut Ui, spec, value: f32, actions: &mut Actions, put: fn(&mut Emission, f32)| {
        number_row(ui, tokens, spec, f64::from(value), actions, |v| {
            set(emitter, |e| put(e, v as f32))
        });
    };
    float(ui, RATE, e.rate, actions, |e, v| e.rate = v);
    number_row(ui, tokens, CAPACITY, f64::from(e.capacity), actions, |v| {
        set(emitter, |e| e.capacity = v as u32)
    });
    bursts(ui, emitter, tokens, actions);

    title(ui, "Timing");
    float(ui, DELAY, e.delay, actions, |e, v| e.delay = v);
    duration(ui, emitter, tokens, actions);
    if e.duration.is_some() {
        number_row(ui, tokens, LOOPS, f64::from(e.loops), actions, |v| {
            set(emitter, |e| e.loops = v as u32)
        });
        float(ui, LOOP_DELAY, e.loop_delay, actions, |e, v| e.loop_delay = v);
    }
    float(ui, PREWARM, e.prewarm, actions, |e, v| e.prewarm = v);
    seed(ui, emitter, tokens, actions);
}

fn duration(ui: &mut Ui, emitter: &Emitter, tokens: &Tokens, actions: &mut Actions) {
    row(ui, tokens, DURATION.name, DURATION.tip, |ui| {
        let duration = emitter.emission().duration;
        if let Some(duration) = duration {
            number(ui, DURATION, DURATION.name, f64::from(duration), actions, |v| {
                set(emitter, |e| e.duration = Some(v as f32))
            });
        }
        let mut endless = duration.is_none();
        let response = ui.checkbox(&mut endless, "Endless");
        if response.on_hover_text("Emits for ever, in one loop").changed() {
            let label = if endless {
                "Emit endlessly"
            } else {
                "Emit for a time"
            };
            actions.edit(label, set(emitter, |e| e.duration = (!endless).then_some(5.0)));
        }
    });
}

fn seed(ui: &mut Ui, emitter: &Emitter, tokens: &Tokens, actions: &mut Actions) {
    let mode = emitter.emission().seed_mode;
    let title = |mode| match mode {
        SeedMode::Play => "New each play",
        SeedMode::Fixed => "Fixed",
    };
    row(
        ui,
        tokens,
        "Seed",
        "Whether every play of the effect looks alike",
        |ui| {
            let response = ComboBox::from_id_salt("seed-mode")
                .selected_text(title(mode))
                .show_ui(ui, |ui| {
                    for choice in [SeedMode::Play, SeedMode::Fixed] {
                        if ui.selectable_label(mode == choice, title(choice)).clicked() && mode != choice {
                            actions.edit("Change seed mode", set(emitter, |e| e.seed_mode = choice));
                        }
                    }
                })
                .response;
            button::name(&response, "Seed mode");
            if mode == SeedMode::Fixed {
                number(
                    ui,
                    SEED,
                    "Fixed seed",
                    f64::from(emitter.emission().seed),
                    actions,
                    |v| set(emitter, |e| e.seed = v as u32),
                );
            }
        },
    );
}

/// One burst a line block: when, how many, how often.
fn bursts(ui: &mut Ui, emitter: &Emitter, tokens: &Tokens, actions: &mut Actions) {
    let bursts = &emitter.emission().bursts;
    row(ui, tokens, "Bursts", "Particles born at once", |ui| {
        if bursts.is_empty() {
            ui.label(RichText::new("none").color(tokens.text_dim));
        }
        let full = bursts.len() >= MAX_BURSTS;
        if button::icon(ui, icon::PLUS, "Add burst", "Add a burst", !full).clicked() {
            let burst = Burst {
                time: 0.0,
                min: 50,
                max: 50,
                cycles: 1,
                interval: 1.0,
                chance: 1.0,
            };
            actions.edit("Add burst", set(emitter, |e| e.bursts.push(burst)));
        }
    });
    for (index, burst) in bursts.iter().enumerate() {
        ui.push_id(("burst", index), |ui| {
            one_burst(ui, emitter, index, burst, tokens, actions);
        });
    }
}

fn one_burst(
    ui: &mut Ui,
    emitter: &Emitter,
    index: usize,
    burst: &Burst,
    tokens: &Tokens,
    actions: &mut Actions,
) {
    let name = |what: &str| format!("Burst {} {what}", index + 1);
    let change = |put: &dyn Fn(&mut Burst)| {
        set(emitter, |e| {
            if let Some(burst) = e.bursts.get_mut(index) {
                put(burst);
            }
        })
    };
    let count = |tip| {
        Number::new("", "", tip)
            .range(0.0, MAX_CAPACITY as f64)
            .speed(1.0)
            .whole()
    };
    let at = Number::new("", " s", "Seconds after the loop's start").range(0.0, 1e6);
    row(
        ui,
        tokens,
        &format!("  {} at", index + 1),
        "When it fires first",
        |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            number(ui, at, &name("time"), f64::from(burst.time), actions, |v| {
                change(&|b| b.time = v as f32)
            });
            if button::icon(ui, icon::TRASH, &name("removal"), "Remove this burst", true).clicked() {
                actions.edit(
                    "Remove burst",
                    set(emitter, |e| {
                        e.bursts.remove(index);
                    }),
                );
            }
        },
    );
    row(
        ui,
        tokens,
        "     count",
        "Fewest and most particles of a burst",
        |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            number(
                ui,
                count("Fewest particles"),
                &name("fewest"),
                f64::from(burst.min),
                actions,
                |v| {
                    change(&|b| {
                        b.min = v as u32;
                        b.max = b.max.max(b.min);
                    })
                },
            );
            ui.label(RichText::new("to").color(tokens.text_dim));
            number(
                ui,
                count("Most particles"),
                &name("most"),
                f64::from(burst.max),
                actions,
                |v| {
                    change(&|b| {
                        b.max = v as u32;
                        b.min = b.min.min(b.max);
                    })
                },
            );
        },
    );
    let cycles = Number::new("", " ×", "How often it fires in a loop")
        .range(1.0, MAX_CYCLES as f64)
        .speed(0.1)
        .whole();
    let every = Number::new("", " s", "Seconds between firings").range(0.0, 1e6);
    row(ui, tokens, "     fires", "How often, and seconds between", |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        number(
            ui,
            cycles,
            &name("cycles"),
            f64::from(burst.cycles),
            actions,
            |v| change(&|b| b.cycles = v as u32),
        );
        if burst.cycles > 1 {
            ui.label(RichText::new("every").color(tokens.text_dim));
            number(
                ui,
                every,
                &name("interval"),
                f64::from(burst.interval),
                actions,
                |v| change(&|b| b.interval = v as f32),
            );
        }
    });
    let chance = Number::new("", " %", "The chance that it fires")
        .range(0.0, 100.0)
        .speed(0.5);
    row(ui, tokens, "     chance", "The chance that it fires", |ui| {
        number(
            ui,
            chance,
            &name("chance"),
            f64::from(burst.chance * 100.0),
            actions,
            |v| change(&|b| b.chance = v as f32 / 100.0),
        );
    });
}
