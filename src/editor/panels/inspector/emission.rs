//! When and how many particles an emitter makes.

use egui::{ComboBox, Label, RichText, Ui};

use super::field::{Number, fields, number, number_row, row, title};
use super::rate;
use crate::artifact::emission::{
    Burst, Emission, MAX_BURSTS, MAX_CAPACITY, MAX_CATCHUP, MAX_CYCLES, MAX_PREWARM, MAX_RATE_PER_METRE,
    MAX_TIME_SCALE, SeedMode,
};
use crate::document::{Edit, Emitter};
use crate::editor::action::Actions;
use crate::editor::panels::button;
use crate::editor::theme::{Tokens, icon};
use crate::editor::widgets::look::column;
use crate::host::Warmup;

/// Longest time of a setting, in seconds.
pub(super) const LONGEST: f32 = 1e6;
/// Largest whole number that a field shows exactly.
const LARGEST: f32 = 16_777_215.0;
/// Room that a small button takes at the end of a row.
const BUTTON: f32 = 28.0;

const PER_METRE: Number<'_> = Number::new(
    "Per metre",
    "/m",
    "Particles born a metre that the emitter travels, beside the rate",
)
.at_least(0.0, MAX_RATE_PER_METRE)
.default(0.0);
const INHERIT: Number<'_> = Number::new(
    "Inherit",
    "×",
    "How much of the emitter's velocity newborns get; it needs a velocity field and particles that live in the world",
)
.default(0.0);
const TIME_SCALE: Number<'_> = Number::new(
    "Time scale",
    "×",
    "How fast this emitter's time goes, its particles' too; at 0 they stand still",
)
.at_least(0.0, MAX_TIME_SCALE)
.default(1.0);
const CATCH_UP: Number<'_> = Number::new(
    "Catch-up",
    "s",
    "Seconds of births made up for when it comes into view again, at the most",
)
.at_least(0.0, MAX_CATCHUP)
.default(2.0);
const CAPACITY: Number<'_> = Number::new("Capacity", "", "Most particles alive at once")
    .at_least(1.0, MAX_CAPACITY as f32)
    .default(1000.0)
    .whole();
const DELAY: Number<'_> = Number::new("Delay", "s", "Seconds before the first particle")
    .at_least(0.0, LONGEST)
    .default(0.0);
const PREWARM: Number<'_> = Number::new(
    "Pre-warm",
    "s",
    "Seconds it has run before it is first seen, so that it does not start empty; the particles' longest life is enough",
)
.at_least(0.0, MAX_PREWARM)
.default(0.0);
const DURATION: Number<'_> = Number::new("Duration", "s", "Seconds a loop emits").at_least(0.0, LONGEST);
const LOOPS: Number<'_> = Number::new("Loops", "", "How often it emits; 0 is for ever")
    .at_least(0.0, LARGEST)
    .default(0.0)
    .whole();
const LOOP_DELAY: Number<'_> = Number::new("Loop delay", "s", "Seconds between loops")
    .at_least(0.0, LONGEST)
    .default(0.0);
const SEED: Number<'_> = Number::new("Seed", "", "The seed it always has")
    .at_least(0.0, LARGEST)
    .whole();

/// An edit of one setting.
pub(super) fn set(emitter: &Emitter, change: impl FnOnce(&mut Emission)) -> Edit {
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
    let simple = |ui: &mut Ui, actions: &mut Actions, spec, value: f32, put: fn(&mut Emission, f32)| {
        number_row(ui, tokens, spec, value, actions, |v| set(emitter, |e| put(e, v)));
    };
    rate::show(ui, emitter, tokens, actions);
    simple(ui, actions, PER_METRE, e.rate_per_metre, |e, v| {
        e.rate_per_metre = v;
    });
    simple(ui, actions, INHERIT, e.inherit_velocity, |e, v| {
        e.inherit_velocity = v;
    });
    simple(ui, actions, CAPACITY, e.capacity as f32, |e, v| {
        e.capacity = v as u32;
    });
    bursts(ui, emitter, tokens, actions);

    title(ui, "Timing");
    simple(ui, actions, DELAY, e.delay, |e, v| e.delay = v);
    simple(ui, actions, PREWARM, e.prewarm, |e, v| e.prewarm = v);
    if let Some(warmup) = Warmup::new(e.prewarm, e.capacity) {
        let text = match warmup.ticks {
            1 => "1 step".to_owned(),
            ticks => format!("{ticks} steps"),
        };
        let tip = format!(
            "What the start costs: {text} of at most {:.3} s, each over as many particles as live. A longer pre-warm \
             has longer early steps, not more",
            warmup.first()
        );
        row(ui, tokens, "", &tip, |ui| {
            let label = Label::new(RichText::new(text).color(tokens.text_dim)).truncate();
            ui.add(label).on_hover_text(&tip);
        });
    }
    duration(ui, emitter, tokens, actions);
    if e.duration.is_some() {
        simple(ui, actions, LOOPS, e.loops as f32, |e, v| e.loops = v as u32);
        simple(ui, actions, LOOP_DELAY, e.loop_delay, |e, v| e.loop_delay = v);
    }
    simple(ui, actions, TIME_SCALE, e.time_scale, |e, v| e.time_scale = v);
    seed(ui, emitter, tokens, actions);
    out_of_view(ui, emitter, tokens, actions);
}

fn out_of_view(ui: &mut Ui, emitter: &Emitter, tokens: &Tokens, actions: &mut Actions) {
    let tip = "What it does while its particles are out of view; those alive go on either way";
    row(ui, tokens, "Out of view", tip, |ui| {
        let mut sleeps = emitter.emission().culling;
        let response = ui.checkbox(&mut sleeps, "Sleeps");
        if response
            .on_hover_text("No births while nobody would see them")
            .changed()
        {
            let label = if sleeps {
                "Sleep out of view"
            } else {
                "Emit out of view"
            };
            actions.edit(label, set(emitter, |e| e.culling = sleeps));
        }
    });
    if emitter.emission().culling {
        let value = emitter.emission().max_catchup;
        number_row(ui, tokens, CATCH_UP, value, actions, |v| {
            set(emitter, |e| e.max_catchup = v)
        });
    }
}

fn duration(ui: &mut Ui, emitter: &Emitter, tokens: &Tokens, actions: &mut Actions) {
    row(ui, tokens, DURATION.name, DURATION.tip, |ui| {
        let duration = emitter.emission().duration;
        if let Some(duration) = duration {
            let rect = fields(ui, 88.0);
            let name = DURATION.name;
            number(ui, rect, tokens, DURATION, name, duration, actions, |v| {
                set(emitter, |e| e.duration = Some(v))
            });
        }
        let mut endless = duration.is_none();
        let response = ui.checkbox(&mut endless, "Endless");
        if response.on_hover_text("Emits for ever, in one loop").changed() {
            let label = if endless {
                "Emit for ever"
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
        SeedMode::Loop => "New each loop",
    };
    let tip = "Whether every play of the effect looks alike, and whether every loop does";
    row(ui, tokens, SEED.name, tip, |ui| {
        let response = ComboBox::from_id_salt("seed-mode")
            .selected_text(title(mode))
            .width(112.0)
            .show_ui(ui, |ui| {
                for choice in [SeedMode::Play, SeedMode::Loop, SeedMode::Fixed] {
                    if ui.selectable_label(mode == choice, title(choice)).clicked() && mode != choice {
                        actions.edit("Change seed mode", set(emitter, |e| e.seed_mode = choice));
                    }
                }
            })
            .response;
        button::name(&response, "Seed mode");
        if mode == SeedMode::Fixed {
            let rect = fields(ui, 0.0);
            let value = emitter.emission().seed as f32;
            number(ui, rect, tokens, SEED, "Fixed seed", value, actions, |v| {
                set(emitter, |e| e.seed = v as u32)
            });
        }
    });
}

fn bursts(ui: &mut Ui, emitter: &Emitter, tokens: &Tokens, actions: &mut Actions) {
    let bursts = &emitter.emission().bursts;
    row(ui, tokens, "Bursts", "Particles born at once", |ui| {
        if bursts.is_empty() {
            ui.label(RichText::new("none").color(tokens.text_dim));
        } else {
            ui.label(bursts.len().to_string());
        }
        let full = bursts.len() >= MAX_BURSTS;
        if button::icon(ui, icon::PLUS, "Add burst", "Add a burst", !full).clicked() {
            let burst = Burst {
                interval: 1.0,
                ..Burst::once(50)
            };
            actions.edit("Add burst", set(emitter, |e| e.bursts.push(burst)));
        }
    });
    for (index, burst) in bursts.iter().enumerate() {
        let line = Line {
            emitter,
            index,
            tokens,
        };
        line.show(ui, burst, actions);
    }
}

/// A burst: when, how many, how often, how surely.
struct Line<'a> {
    emitter: &'a Emitter,
    index: usize,
    tokens: &'a Tokens,
}

impl Line<'_> {
    fn change(&self, put: impl FnOnce(&mut Burst)) -> Edit {
        set(self.emitter, |e| {
            if let Some(burst) = e.bursts.get_mut(self.index) {
                put(burst);
            }
        })
    }

    fn name(&self, what: &str) -> String {
        format!("Burst {} {what}", self.index + 1)
    }

    fn show(&self, ui: &mut Ui, burst: &Burst, actions: &mut Actions) {
        let tokens = self.tokens;
        let at = Number::new("", "s", "Seconds after the loop's start").at_least(0.0, LONGEST);
        let chance = Number::new("", "%", "The chance that it fires").range(0.0, 100.0);
        let count = Number::new("", "", "Fewest and most particles")
            .at_least(0.0, MAX_CAPACITY as f32)
            .whole();
        let cycles = Number::new("", "×", "How often it fires in a loop")
            .at_least(1.0, MAX_CYCLES as f32)
            .whole();
        let every = Number::new("", "s", "Seconds between firings").at_least(0.0, LONGEST);

        let first = format!("  {} · at, chance", self.index + 1);
        row(ui, tokens, &first, "When it fires first, and how surely", |ui| {
            let rect = fields(ui, BUTTON);
            let name = self.name("time");
            number(
                ui,
                column(rect, 2, 0, 3.0),
                tokens,
                at,
                &name,
                burst.time,
                actions,
                |v| self.change(|b| b.time = v),
            );
            let (name, percent) = (self.name("chance"), burst.chance * 100.0);
            number(
                ui,
                column(rect, 2, 1, 3.0),
                tokens,
                chance,
                &name,
                percent,
                actions,
                |v| self.change(|b| b.chance = v / 100.0),
            );
            if button::icon(ui, icon::TRASH, &self.name("removal"), "Remove this burst", true).clicked() {
                let edit = set(self.emitter, |e| {
                    e.bursts.remove(self.index);
                });
                actions.edit("Remove burst", edit);
            }
        });
        row(ui, tokens, "      count from, to", count.tip, |ui| {
            let rect = fields(ui, BUTTON);
            let (name, min) = (self.name("fewest"), burst.min as f32);
            number(
                ui,
                column(rect, 2, 0, 3.0),
                tokens,
                count,
                &name,
                min,
                actions,
                |v| {
                    self.change(|b| {
                        b.min = v as u32;
                        b.max = b.max.max(b.min);
                    })
                },
            );
            let (name, max) = (self.name("most"), burst.max as f32);
            number(
                ui,
                column(rect, 2, 1, 3.0),
                tokens,
                count,
                &name,
                max,
                actions,
                |v| {
                    self.change(|b| {
                        b.max = v as u32;
                        b.min = b.min.min(b.max);
                    })
                },
            );
        });
        row(
            ui,
            tokens,
            "      times, every",
            "How often, and seconds between",
            |ui| {
                let rect = fields(ui, BUTTON);
                let (name, times) = (self.name("cycles"), burst.cycles as f32);
                number(
                    ui,
                    column(rect, 2, 0, 3.0),
                    tokens,
                    cycles,
                    &name,
                    times,
                    actions,
                    |v| self.change(|b| b.cycles = v as u32),
                );
                if burst.cycles > 1 {
                    let name = self.name("interval");
                    let place = column(rect, 2, 1, 3.0);
                    number(ui, place, tokens, every, &name, burst.interval, actions, |v| {
                        self.change(|b| b.interval = v)
                    });
                }
            },
        );
    }
}
