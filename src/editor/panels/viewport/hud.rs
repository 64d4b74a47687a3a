//! Figures over the preview.

use egui::{Align2, Color32, FontId, Rect, Ui, pos2};

use crate::editor::panels::status::grouped;
use crate::editor::state::EditorState;
use crate::play::{Driver, Shown};

/// Paints the figures in the picture's corner.
pub(super) fn show(ui: &Ui, rect: Rect, state: &EditorState, drawn: bool) {
    let player = state.player();
    // The picture is dark in both themes.
    let (bright, dim) = (Color32::from_gray(210), Color32::from_gray(140));
    let mut lines = Vec::new();
    let alive = player
        .alive()
        .map_or_else(|| "–".to_owned(), |n| grouped(u64::from(n)));
    lines.push((format!("{alive} live"), bright));
    lines.push((format!("{:.2} s", player.time()), dim));
    if let Some(counts) = player.dispatches() {
        let of = |name| {
            counts
                .iter()
                .find(|(pass, _)| *pass == name)
                .map_or(0, |(_, n)| *n)
        };
        let text = format!("dispatches: emit {}, simulate {}", of("emit"), of("simulate"));
        lines.push((text, dim));
    }
    let painter = ui.painter().with_clip_rect(rect);
    let font = FontId::monospace(11.0);
    let mut at = pos2(rect.left() + 12.0, rect.top() + 8.0);
    for (text, color) in lines {
        shadowed(&painter, at, Align2::LEFT_TOP, &text, &font, color);
        at.y += 16.0;
    }
    if let Some(note) = note(state, drawn) {
        let at = pos2(rect.left() + 12.0, rect.bottom() - 8.0);
        let font = FontId::proportional(12.0);
        shadowed(&painter, at, Align2::LEFT_BOTTOM, note, &font, dim);
    }
}

/// A sentence on what is not as one might expect.
fn note(state: &EditorState, drawn: bool) -> Option<&'static str> {
    let player = state.player();
    let software = player.kit().is_some_and(|kit| kit.gpu.is_software());
    if !drawn {
        Some("No graphics device: simulating on the CPU, nothing is drawn")
    } else if state.effect().is_none() && state.live().behind {
        Some("Nothing plays: see Problems")
    } else if state.live().behind {
        Some("The last version without errors plays: see Problems")
    } else if software && player.shown() == Shown::Cpu {
        Some("Software adapter: simulating on the CPU")
    } else if software && player.shown().has(Driver::Gpu) {
        Some("Software adapter: the GPU's passes run slowly here")
    } else {
        None
    }
}

fn shadowed(
    painter: &egui::Painter,
    at: egui::Pos2,
    align: Align2,
    text: &str,
    font: &FontId,
    color: Color32,
) {
    painter.text(
        at + egui::vec2(1.0, 1.0),
        align,
        text,
        font.clone(),
        Color32::from_black_alpha(200),
    );
    painter.text(at, align, text, font.clone(), color);
}
