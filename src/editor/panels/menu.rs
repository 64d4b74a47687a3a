//! The menu bar, from the command table.

use egui::{Align, Button, Layout, MenuBar, RichText, Ui};

use crate::editor::action::{Action, Actions};
use crate::editor::commands::{Command, Menu, commands};
use crate::editor::state::EditorState;

pub(super) fn show(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    MenuBar::new().ui(ui, |ui| {
        ui.label(RichText::new("Mote").strong().size(15.0).color(tokens.accent));
        ui.add_space(4.0);
        for menu in Menu::BAR {
            ui.menu_button(menu.title(), |ui| {
                ui.set_min_width(200.0);
                entries(ui, menu, state, actions);
            });
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let title = state.title();
            let name = title.trim_end_matches(" – Mote");
            let color = if state.history().is_dirty() {
                tokens.text
            } else {
                tokens.text_dim
            };
            let label = ui.label(RichText::new(name).color(color));
            label.on_hover_text(match state.path() {
                Some(path) => path.display().to_string(),
                None => "This document has no file yet.".to_owned(),
            });
        });
    });
}

fn entries(ui: &mut Ui, menu: Menu, state: &EditorState, actions: &mut Actions) {
    let mut group = None;
    for command in commands().iter().filter(|command| command.menu == menu) {
        if group.is_some_and(|group| group != command.group) {
            ui.separator();
        }
        entry(ui, command, state, actions);
        if command.id == "file.new" {
            ui.menu_button(Menu::Presets.title(), |ui| {
                ui.set_min_width(160.0);
                entries(ui, Menu::Presets, state, actions);
            });
        }
        group = Some(command.group);
    }
}

fn entry(ui: &mut Ui, command: &Command, state: &EditorState, actions: &mut Actions) {
    let title = command.title(state);
    let key = command.key_text(ui.ctx()).unwrap_or_default();
    let mut button = Button::new(title.as_str()).shortcut_text(key);
    if command.is_checked(state) == Some(true) {
        button = button.selected(true);
    }
    let response = ui.add_enabled(command.is_enabled(state), button);
    super::button::name(&response, &title);
    if response.on_hover_text(command.hint).clicked() {
        actions.push(Action::Command(command.id));
        ui.close();
    }
}
