//! What is wrong or odd, and the way there.

use egui::{
    Align, Color32, Frame, Layout, Margin, Panel, RichText, ScrollArea, Sense, Ui, WidgetInfo, WidgetType,
};

use super::button;
use crate::base::diag::{Diagnostic, Severity};
use crate::base::id::Id;
use crate::editor::action::{Action, Actions, Selection};
use crate::editor::state::{EditorState, FileProblem};
use crate::editor::theme::{Tokens, icon};

/// The place in the list of a file's problem.
const FILE: usize = usize::MAX;

/// The panel: a line with the counts and the first finding, which unfolds to the list. It never opens by
/// itself: what is under the pointer stays where it is when a problem appears in the middle of a drag.
pub(super) fn panel(ui: &mut Ui, open: &mut bool, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let frame = Frame::NONE
        .fill(tokens.surface)
        .inner_margin(Margin::symmetric(8, 2));
    if !*open {
        Panel::bottom("problems-line")
            .exact_size(28.0)
            .resizable(false)
            .frame(frame)
            .show(ui, |ui| header(ui, open, state, actions));
        return;
    }
    Panel::bottom("problems")
        .default_size(120.0)
        .size_range(56.0..=320.0)
        .frame(frame)
        .show(ui, |ui| {
            header(ui, open, state, actions);
            ScrollArea::vertical()
                .auto_shrink(false)
                .show(ui, |ui| list(ui, state, actions));
        });
}

fn list(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    if let Some(problem) = state.file_problem() {
        file_row(ui, state, problem, actions);
    }
    for (index, finding) in state.problems().iter().enumerate() {
        finding_row(ui, state, finding, index, actions);
    }
}

fn file_row(ui: &mut Ui, state: &EditorState, problem: &FileProblem, actions: &mut Actions) {
    let file = problem.path.display().to_string();
    let place = match problem.finding.place.to_string() {
        place if place.is_empty() => file,
        place => format!("{file}: {place}"),
    };
    if row(ui, state, &problem.finding, &place, FILE) {
        actions.push(Action::Dismiss);
    }
}

fn finding_row(ui: &mut Ui, state: &EditorState, finding: &Diagnostic, index: usize, actions: &mut Actions) {
    let place = place_text(state, finding);
    if row(ui, state, finding, &place, index) {
        go_to(finding, actions);
    }
}

/// How many findings there are of each severity, what the worst is, and whether an older version plays.
fn header(ui: &mut Ui, open: &mut bool, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    ui.horizontal(|ui| {
        let (glyph, tip) = if *open {
            (icon::CARET_DOWN, "Fold the list")
        } else {
            (icon::CARET_RIGHT, "Unfold the list")
        };
        if button::icon(ui, glyph, tip, tip, true).clicked() {
            *open ^= true;
        }
        ui.label(RichText::new("Problems").strong());
        let file = state.file_problem().map(|p| &p.finding);
        let all = || state.problems().iter().chain(file);
        let mut none = true;
        for severity in [Severity::Error, Severity::Warning, Severity::Note] {
            let count = all().filter(|d| d.severity == severity).count();
            if count > 0 {
                none = false;
                let (glyph, color) = mark(severity, &tokens);
                let label = ui.label(RichText::new(format!("{glyph} {count}")).color(color));
                let plural = if count == 1 { "" } else { "s" };
                button::name(&label, &format!("{count} {}{plural}", severity.name()));
            }
        }
        if none {
            ui.label(RichText::new(format!("{} none", icon::CHECK_CIRCLE)).color(tokens.text_dim));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if state.live().behind && state.effect().is_some() {
                let text = RichText::new("The last version without errors plays on.");
                ui.label(text.color(tokens.text_dim));
            }
            if *open {
                return;
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let mut ranked: Vec<_> = state.problems().iter().enumerate().collect();
                ranked.sort_by_key(|(_, d)| std::cmp::Reverse(d.severity));
                ui.set_clip_rect(ui.max_rect().intersect(ui.clip_rect()));
                match (state.file_problem(), ranked.first()) {
                    (Some(problem), _) => file_row(ui, state, problem, actions),
                    (None, Some((index, finding))) => finding_row(ui, state, finding, *index, actions),
                    (None, None) => {}
                }
            });
        });
    });
}

fn mark(severity: Severity, tokens: &Tokens) -> (&'static str, Color32) {
    match severity {
        Severity::Error => (icon::WARNING_CIRCLE, tokens.error),
        Severity::Warning => (icon::WARNING, tokens.warning),
        Severity::Note => (icon::INFO, tokens.text_dim),
    }
}

/// A finding. True where it was clicked.
fn row(ui: &mut Ui, state: &EditorState, finding: &Diagnostic, place: &str, index: usize) -> bool {
    let closes = index == FILE;
    let tokens = state.tokens();
    let (glyph, color) = mark(finding.severity, &tokens);
    let inner = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(RichText::new(glyph).size(15.0).color(color));
        if !place.is_empty() {
            ui.label(RichText::new(place).color(tokens.text_dim));
        }
        ui.label(&finding.message);
        if let Some(help) = &finding.help {
            ui.label(RichText::new(help).color(tokens.text_dim));
        }
    });
    let mut rect = inner.response.rect;
    rect.max.x = ui.max_rect().right();
    let response = ui.interact(rect, ui.id().with(("finding", index)), Sense::click());
    let told = if place.is_empty() {
        finding.message.clone()
    } else {
        format!("{place}: {}", finding.message)
    };
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &told));
    let tip = if closes {
        "Click to take it off the list"
    } else {
        "Click to go there"
    };
    response
        .on_hover_cursor(egui::CursorIcon::PointingHand)
        .on_hover_text(tip)
        .clicked()
}

fn go_to(finding: &Diagnostic, actions: &mut Actions) {
    let place = &finding.place;
    if place.emitter.is_none() {
        return;
    }
    actions.push(Action::Select(Selection {
        emitter: place.emitter.clone(),
        nodes: place.node.first().cloned().into_iter().collect(),
    }));
    if let Some(flow) = place.flow {
        actions.push(Action::ShowFlow(flow));
    }
}

/// A place in the artist's names: emitter, flow, node, port.
fn place_text(state: &EditorState, finding: &Diagnostic) -> String {
    let place = &finding.place;
    let Some(emitter) = place.emitter.as_ref().and_then(|id| state.document().emitter(id)) else {
        return place.to_string();
    };
    let mut parts = vec![emitter.name().to_owned()];
    if let Some(flow) = place.flow {
        parts.push(flow.title().to_owned());
        if let Some(node) = place.node.first() {
            parts.push(node_title(state.document(), emitter, flow, node));
        }
    }
    if let Some(port) = &place.port {
        parts.push(crate::graph::kind::title_of(port));
    }
    parts.join(" › ")
}

fn node_title(
    document: &crate::document::Document,
    emitter: &crate::document::Emitter,
    flow: crate::base::diag::FlowKind,
    id: &Id,
) -> String {
    let flow = emitter.flow(flow);
    let own = flow.layout.nodes.get(id).and_then(|view| view.title.clone());
    let kind = || {
        let node = flow.node(id)?;
        document.registry().get(&node.kind).map(|kind| kind.title.clone())
    };
    own.or_else(kind).unwrap_or_else(|| id.to_string())
}
