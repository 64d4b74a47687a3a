//! The emitters of the document, and the blocks of the selected one.

use egui::{
    Align, CursorIcon, Frame, Key, Layout, Margin, Rect, RichText, ScrollArea, Sense, Stroke, TextEdit,
    TextStyle, Ui, UiBuilder, vec2,
};

use super::button::{self, command_icon};
use super::status::grouped;
use crate::base::id::Id;
use crate::document::{Edit, Emitter};
use crate::editor::action::{Action, Actions, Selection};
use crate::editor::blocks;
use crate::editor::commands;
use crate::editor::state::EditorState;
use crate::editor::theme::icon;
use crate::editor::theme::style::ROW;

/// The emitter whose name is being typed.
#[derive(Debug, Default)]
pub(super) struct Renaming(Option<(Id, String)>);

pub(super) fn show(ui: &mut Ui, renaming: &mut Renaming, state: &EditorState, actions: &mut Actions) {
    Frame::NONE
        .inner_margin(Margin {
            left: 8,
            right: 4,
            top: 4,
            bottom: 0,
        })
        .show(ui, |ui| header(ui, state, actions));
    let counts = state.player().emitter_counts();
    ScrollArea::vertical()
        .id_salt("emitters")
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let emitters = state.document().emitters();
            let top = ui.cursor().top();
            for (index, emitter) in emitters.iter().enumerate() {
                let living = counts.as_ref().and_then(|c| c.get(index)).map(|c| c.0);
                let drop = row(ui, renaming, emitter, living, state, actions);
                if let Some(y) = drop {
                    let place = ((y - top) / (ROW + 4.0)).floor().max(0.0) as usize;
                    move_to(emitter, place.min(emitters.len() - 1), index, actions);
                }
            }
            if emitters.is_empty() {
                ui.add_space(8.0);
                ui.horizontal(|ui| {
                    ui.add_space(8.0);
                    ui.label(RichText::new("No emitter yet. + adds one.").color(state.tokens().text_dim));
                });
            }
            let tokens = state.tokens();
            if let Some(input) = state.canvas_input(&tokens) {
                ui.add_space(4.0);
                ui.separator();
                Frame::NONE
                    .inner_margin(Margin::symmetric(4, 0))
                    .show(ui, |ui| blocks::show(ui, &input, actions));
            }
        });
}

fn header(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Emitters").strong());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            command_icon(ui, icon::TRASH, "emitter.delete", state, actions);
            command_icon(ui, icon::COPY, "emitter.duplicate", state, actions);
            command_icon(ui, icon::PLUS, "emitter.add", state, actions);
        });
    });
}

/// One emitter. Gives where it was dropped, in points from the screen's top.
fn row(
    ui: &mut Ui,
    renaming: &mut Renaming,
    emitter: &Emitter,
    living: Option<u32>,
    state: &EditorState,
    actions: &mut Actions,
) -> Option<f32> {
    let tokens = state.tokens();
    let selected = state.selection().emitter.as_ref() == Some(emitter.id());
    let size = vec2(ui.available_width(), ROW + 4.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let painter = ui.painter();
    if selected {
        painter.rect_filled(rect, 0.0, tokens.surface_high);
        let mark = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
        painter.rect_filled(mark, 0.0, tokens.accent);
    } else if response.hovered() {
        painter.rect_filled(rect, 0.0, tokens.surface_high.gamma_multiply(0.5));
    }
    if response.dragged()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        let line = Stroke::new(2.0, tokens.accent);
        ui.painter().hline(rect.x_range(), pointer.y, line);
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    let problems = state
        .problems()
        .iter()
        .filter(|d| d.place.emitter.as_ref() == Some(emitter.id()) && d.is_error())
        .count();

    let inside = rect.shrink2(vec2(8.0, 0.0));
    let layout = Layout::left_to_right(Align::Center);
    ui.scope_builder(UiBuilder::new().max_rect(inside).layout(layout), |ui| {
        ui.label(RichText::new(icon::DOTS_SIX_VERTICAL).color(tokens.text_dim));
        let editing = matches!(&renaming.0, Some((id, _)) if id == emitter.id());
        if editing {
            rename_field(ui, renaming, emitter, actions);
            return;
        }
        let color = if selected {
            tokens.text
        } else {
            tokens.text.gamma_multiply(0.85)
        };
        ui.add(egui::Label::new(RichText::new(emitter.name()).color(color)).truncate());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let capacity = emitter.emission().capacity;
            let text = match living {
                Some(living) => grouped(u64::from(living)),
                None => "–".to_owned(),
            };
            let full = living.is_some_and(|living| living >= capacity);
            let text = RichText::new(text)
                .text_style(TextStyle::Monospace)
                .color(if full { tokens.warning } else { tokens.text_dim });
            let tip = if full {
                format!("{capacity} particles live: no more fit. Raise the capacity in the inspector.")
            } else {
                format!("Living particles, of {capacity} at most")
            };
            ui.label(text).on_hover_text(tip);
            if problems > 0 {
                ui.label(RichText::new(format!("{} {problems}", icon::WARNING_CIRCLE)).color(tokens.error));
            }
        });
    });
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_role(egui::accesskit::Role::ListItem);
        node.set_label(format!("Emitter {}", emitter.name()));
        node.set_selected(selected);
    });
    if response.clicked() || response.secondary_clicked() {
        select(emitter, actions);
    }
    if response.double_clicked() {
        renaming.0 = Some((emitter.id().clone(), emitter.name().to_owned()));
    }
    let dropped = response
        .drag_stopped()
        .then(|| response.interact_pointer_pos().map(|p| p.y))
        .flatten();
    response.context_menu(|ui| context_menu(ui, renaming, emitter, state, actions));
    dropped
}

fn select(emitter: &Emitter, actions: &mut Actions) {
    actions.push(Action::Select(Selection {
        emitter: Some(emitter.id().clone()),
        ..Selection::default()
    }));
}

fn move_to(emitter: &Emitter, place: usize, from: usize, actions: &mut Actions) {
    if place != from {
        let edit = Edit::MoveEmitter {
            emitter: emitter.id().clone(),
            index: place,
        };
        actions.edit("Move emitter", edit);
    }
}

fn context_menu(
    ui: &mut Ui,
    renaming: &mut Renaming,
    emitter: &Emitter,
    state: &EditorState,
    actions: &mut Actions,
) {
    if ui.button("Rename").clicked() {
        renaming.0 = Some((emitter.id().clone(), emitter.name().to_owned()));
        ui.close();
    }
    for command in commands::commands() {
        if command.menu == commands::Menu::Emitter && command.id != "emitter.add" {
            let enabled = command.is_enabled(state);
            if ui
                .add_enabled(enabled, egui::Button::new(command.title(state)))
                .clicked()
            {
                select(emitter, actions);
                actions.push(Action::Command(command.id));
                ui.close();
            }
        }
    }
}

fn rename_field(ui: &mut Ui, renaming: &mut Renaming, emitter: &Emitter, actions: &mut Actions) {
    let Some((_, text)) = &mut renaming.0 else { return };
    let response = ui.add(TextEdit::singleline(text).desired_width(f32::INFINITY));
    button::name(&response, "Emitter name");
    if response.lost_focus() {
        let kept = !ui.input(|input| input.key_pressed(Key::Escape));
        let name = text.trim().to_owned();
        if kept && !name.is_empty() && name != emitter.name() {
            let edit = Edit::RenameEmitter {
                emitter: emitter.id().clone(),
                name,
            };
            actions.edit("Rename emitter", edit);
        }
        renaming.0 = None;
    } else if !response.has_focus() {
        response.request_focus();
    }
}
