//! The rate of an emitter: a number, or keys over a loop's time.

use egui::Ui;

use super::emission::{LONGEST, set};
use super::field::{Number, fields, number, row};
use crate::artifact::emission::{Emission, MAX_RATE_KEYS, RateKey};
use crate::document::{Edit, Emitter};
use crate::editor::action::Actions;
use crate::editor::panels::button;
use crate::editor::theme::{Tokens, icon};
use crate::editor::widgets::look::column;

/// Room that a small button takes at the end of a row.
const BUTTON: f32 = 28.0;
/// Seconds between keys where nothing says more.
const APART: f32 = 1.0;

const RATE: Number<'_> = Number::new("Rate", "/s", "Particles born a second")
    .at_least(0.0, 1e7)
    .default(0.0);
const KEY_RATE: Number<'_> = Number::new("", "/s", "Particles born a second at this time").at_least(0.0, 1e7);
const KEY_TIME: Number<'_> = Number::new(
    "",
    "s",
    "Seconds after the loop's start; between keys the rate is a straight line",
)
.at_least(0.0, LONGEST);

pub(super) fn show(ui: &mut Ui, emitter: &Emitter, tokens: &Tokens, actions: &mut Actions) {
    let e = emitter.emission();
    if e.rate_keys.is_empty() {
        row(ui, tokens, RATE.name, RATE.tip, |ui| {
            let rect = fields(ui, BUTTON);
            number(ui, rect, tokens, RATE, RATE.name, e.rate, actions, |v| {
                set(emitter, |e| e.rate = v)
            });
            let tip = "Change the rate over time, by keys";
            if button::icon(ui, icon::CHART_LINE, "Rate over time", tip, true).clicked() {
                actions.edit("Rate over time", set(emitter, unfold));
            }
        });
        return;
    }
    let tip = "Particles born a second, over a loop's time. It holds before the first key and after the last";
    row(ui, tokens, RATE.name, tip, |ui| {
        ui.label(format!("{} keys", e.rate_keys.len()));
        let full = e.rate_keys.len() >= MAX_RATE_KEYS;
        if button::icon(ui, icon::PLUS, "Add rate key", "Add a key after the last", !full).clicked() {
            actions.edit("Add rate key", set(emitter, add));
        }
        let tip = "Make it one number again, that of the first key";
        if button::icon(ui, icon::X, "Steady rate", tip, true).clicked() {
            actions.edit("Steady rate", set(emitter, fold));
        }
    });
    for index in 0..e.rate_keys.len() {
        key(ui, emitter, index, tokens, actions);
    }
}

/// Two keys that mean what the number meant.
fn unfold(e: &mut Emission) {
    let end = e.duration.filter(|end| *end > 0.0).unwrap_or(APART);
    let key = |time| RateKey { time, rate: e.rate };
    e.rate_keys = vec![key(0.0), key(end)];
}

fn fold(e: &mut Emission) {
    if let Some(first) = e.rate_keys.first() {
        e.rate = first.rate;
    }
    e.rate_keys.clear();
}

fn add(e: &mut Emission) {
    let Some(&last) = e.rate_keys.last() else { return };
    let before = e.rate_keys.iter().rev().nth(1);
    let step = before.map_or(APART, |before| last.time - before.time);
    e.rate_keys.push(RateKey {
        time: (last.time + if step > 0.0 { step } else { APART }).min(LONGEST),
        rate: last.rate,
    });
}

fn remove(e: &mut Emission, index: usize) {
    if e.rate_keys.len() > 1 {
        e.rate_keys.remove(index);
    } else {
        fold(e);
    }
}

fn key(ui: &mut Ui, emitter: &Emitter, index: usize, tokens: &Tokens, actions: &mut Actions) {
    let keys = &emitter.emission().rate_keys;
    let key = keys[index];
    let change = |put: &dyn Fn(&mut RateKey)| -> Edit {
        set(emitter, |e| {
            if let Some(key) = e.rate_keys.get_mut(index) {
                put(key);
            }
        })
    };
    let name = |what: &str| format!("Rate key {} {what}", index + 1);
    let tip = "When, in seconds after the loop's start, and how many a second";
    row(ui, tokens, &format!("  {} · at, rate", index + 1), tip, |ui| {
        let rect = fields(ui, BUTTON);
        // Keys keep their order: one is dragged up to its neighbours.
        let least = index.checked_sub(1).map_or(0.0, |before| keys[before].time);
        let most = keys.get(index + 1).map_or(LONGEST, |after| after.time);
        let place = column(rect, 2, 0, 3.0);
        number(
            ui,
            place,
            tokens,
            KEY_TIME,
            &name("time"),
            key.time,
            actions,
            |v| change(&|key| key.time = v.clamp(least, most)),
        );
        let place = column(rect, 2, 1, 3.0);
        number(
            ui,
            place,
            tokens,
            KEY_RATE,
            &name("rate"),
            key.rate,
            actions,
            |v| change(&|key| key.rate = v),
        );
        if button::icon(ui, icon::TRASH, &name("removal"), "Remove this key", true).clicked() {
            actions.edit("Remove rate key", set(emitter, |e| remove(e, index)));
        }
    });
}
