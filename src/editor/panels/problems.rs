//! What is wrong or odd, and the way there.

use egui::{Align, Frame, Layout, Margin, Panel, RichText, ScrollArea, Sense, Ui, WidgetInfo, WidgetType};

use super::button;
use crate::base::diag::{Diagnostic, Severity};
use crate::base::id::Id;
use crate::editor::action::{Action, Actions, Selection};
use crate::editor::state::EditorState;
use crate::editor::theme::icon;
use crate::graph::registry;

/// The place in the list of a file's problem.
const FILE: usize = usize::MAX;

/// The panel: a line while all is well, a list otherwise.
pub(super) fn panel(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let frame = Frame::NONE
        .fill(tokens.surface)
        .inner_margin(Margin::symmetric(8, 2));
    let count = state.problems().len() + usize::from(state.file_problem().is_some());
    if count == 0 {
        Panel::bottom("no-problems")
            .exact_size(26.0)
            .resizable(false)
            .frame(frame)
            .show(ui, |ui| header(ui, state));
        return;
    }
    Panel::bottom("problems")
        .default_size(112.0)
        .size_range(56.0..=320.0)
        .frame(frame)
        .show(ui, |ui| {
            header(ui, state);
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                if let Some(problem) = state.file_problem() {
                    let file = problem.path.display().to_string();
                    let place = match problem.finding.place.to_string() {
                        place if place.is_empty() => file,
                        place => format!("{file}: {place}"),
                    };
                    if row(ui, state, &problem.finding, &place, FILE) {
                        actions.push(Action::Dismiss);
                    }
                }
                for (index, finding) in state.problems().iter().enumerate() {
                    let place = place_text(state, finding);
                    if row(ui, state, finding, &place, index) {
                        go_to(finding, actions);
                    }
                }
            });
        });
}

fn header(ui: &mut Ui, state: &EditorState) {
    let tokens = state.tokens();
    ui.horizontal(|ui| {
        ui.label(RichText::new("Problems").strong());
        let count = |severity| {
            let file = state.file_problem().map(|p| &p.finding);
            let all = state.problems().iter().chain(file);
            all.filter(|d| d.severity == severity).count()
        };
        let kinds = [
            (Severity::Error, icon::WARNING_CIRCLE, tokens.error),
            (Severity::Warning, icon::WARNING, tokens.warning),
            (Severity::Note, icon::INFO, tokens.text_dim),
        ];
        let mut none = true;
        for (severity, glyph, color) in kinds {
            let count = count(severity);
            if count > 0 {
                none = false;
                let label = ui.label(RichText::new(format!("{glyph} {count}")).color(color));
                let plural = if count == 1 { "" } else { "s" };
                button::name(&label, &format!("{count} {}{plural}", severity.name()));
            }
        }
        if none {
            ui.label(RichText::new(format!("{} none", icon::CHECK_CIRCLE)).color(tokens.text_dim));
        }
        if state.live().behind && state.effect().is_some() {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.label(RichText::new("The last version without errors plays on.").color(tokens.text_dim));
            });
        }
    });
}

/// A finding. True where it was clicked.
fn row(ui: &mut Ui, state: &EditorState, finding: &Diagnostic, place: &str, index: usize) -> bool {
    let closes = index == FILE;
    let tokens = state.tokens();
    let (glyph, color) = match finding.severity {
        Severity::Error => (icon::WARNING_CIRCLE, tokens.error),
        Severity::Warning => (icon::WARNING, tokens.warning),
        Severity::Note => (icon::INFO, tokens.text_dim),
    };
    let inner = ui.horizontal_wrapped(|ui| {
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
            parts.push(node_title(emitter, flow, node));
        }
    }
    if let Some(port) = &place.port {
        parts.push(crate::graph::kind::title_of(port));
    }
    parts.join(" › ")
}

fn node_title(emitter: &crate::document::Emitter, flow: crate::base::diag::FlowKind, id: &Id) -> String {
    let flow = emitter.flow(flow);
    let own = flow.layout.nodes.get(id).and_then(|view| view.title.clone());
    let kind = || {
        let node = flow.node(id)?;
        registry().get(&node.kind).map(|kind| kind.title.clone())
    };
    own.or_else(kind).unwrap_or_else(|| id.to_string())
}
