//! The status bar: what the last edit cost and did, and how much lives.

use std::time::{Duration, Instant};

use egui::{Align, Layout, RichText, TextStyle, Ui};

use super::button;
use crate::editor::action::{Action, Actions};
use crate::editor::state::{EditorState, Latency, Tone};
use crate::editor::theme::icon;
use crate::play::Shown;

pub(super) fn show(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        for (index, (text, tip)) in figures(state).into_iter().enumerate() {
            if index > 0 {
                ui.label(RichText::new("·").color(tokens.text_dim));
            }
            let text = RichText::new(text)
                .text_style(TextStyle::Monospace)
                .size(11.0)
                .color(tokens.text_dim);
            ui.label(text).on_hover_text(tip);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            message(ui, state, actions);
        });
    });
    if state.saved_at().is_some() {
        ui.ctx().request_repaint_after(Duration::from_secs(60));
    }
}

fn message(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let Some(message) = state.message() else { return };
    let (glyph, color) = match message.tone {
        Tone::Notice => (icon::INFO, tokens.text_dim),
        Tone::Failure => (icon::WARNING_CIRCLE, tokens.error),
    };
    if message.tone == Tone::Failure && button::icon(ui, icon::X, "Dismiss", "Dismiss", true).clicked() {
        actions.push(Action::Dismiss);
    }
    let text = RichText::new(format!("{glyph}  {}", message.text)).color(color);
    let label = ui.add(egui::Label::new(text).truncate());
    button::name(&label, &message.text);
}

/// The figures, each with what it means.
fn figures(state: &EditorState) -> Vec<(String, &'static str)> {
    let live = state.live();
    let mut out = vec![(
        format!("compiled in {:.2} ms", live.compiled.micros as f64 / 1000.0),
        "How long the last compile of the whole document took.",
    )];
    let driver = match state.player().shown() {
        Shown::Gpu | Shown::Split => "GPU",
        Shown::Cpu => "CPU",
    };
    let latency = match live.latency {
        Latency::None => None,
        Latency::Waiting(_) => Some(format!("last edit → {driver} with the next step")),
        Latency::Frames(1) => Some(format!("last edit → {driver} 1 frame")),
        Latency::Frames(frames) => Some(format!("last edit → {driver} {frames} frames")),
    };
    if let Some(text) = latency {
        out.push((
            text,
            "Frames from the last edit to the first simulated step with it, measured.",
        ));
    }
    let capacity: u64 = state
        .document()
        .emitters()
        .iter()
        .map(|e| u64::from(e.emission().capacity))
        .sum();
    let alive = state
        .player()
        .alive()
        .map_or_else(|| "–".to_owned(), |n| grouped(u64::from(n)));
    out.push((
        format!("{alive} live / {}", grouped(capacity)),
        "Particles alive, and the most that the emitters allow.",
    ));
    if let Some(at) = state.saved_at() {
        out.push((saved(at), "When the document was last written to its file."));
    }
    out
}

fn saved(at: Instant) -> String {
    match at.elapsed().as_secs() / 60 {
        0 => "saved just now".to_owned(),
        1 => "saved 1 minute ago".to_owned(),
        minutes if minutes < 60 => format!("saved {minutes} minutes ago"),
        minutes => format!("saved {} h ago", minutes / 60),
    }
}

/// A count with a comma every three digits.
pub(super) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
