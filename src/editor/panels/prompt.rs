//! Questions that are asked in the window: about unsaved changes, and for a path where the system has no file
//! window.

use std::path::PathBuf;
use std::time::SystemTime;

use egui::{Button, Context, Frame, Id, Key, Margin, Modal, RichText, TextEdit, Ui};

use super::button;
use crate::editor::action::{Action, Actions, Answer, Outside, Recovery};
use crate::editor::autosave::Orphan;
use crate::editor::state::{Ask, EditorState};

/// Width of a question, in points.
const WIDTH: f32 = 400.0;

pub(super) fn show(ctx: &Context, state: &EditorState, actions: &mut Actions) {
    if let Some(ask) = state.typing() {
        typed_path(ctx, ask, state, actions);
    } else if state.waiting().is_some() {
        unsaved(ctx, state, actions);
    } else if state.was_changed_outside() {
        outside(ctx, state, actions);
    } else if let Some(orphan) = state.orphan() {
        left_behind(ctx, orphan, state, actions);
    }
}

fn outside(ctx: &Context, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let close = modal(ctx, "outside", |ui| {
        let file = state.path().map(|path| path.display().to_string());
        ui.heading(format!(
            "{} was changed by another program",
            file.unwrap_or_default()
        ));
        ui.add_space(4.0);
        let text = "There are changes here that are not saved. Keep them, and the next save replaces the file; or load the \
                    file, and undo brings them back.";
        ui.label(RichText::new(text).color(tokens.text_dim));
        ui.add_space(16.0);
        ui.horizontal(|ui| {
            if main_button(ui, "Keep mine", state, true) {
                actions.push(Action::Outside(Outside::Keep));
            }
            if ui.button("Load the file").clicked() {
                actions.push(Action::Outside(Outside::Load));
            }
        });
    });
    if close {
        actions.push(Action::Outside(Outside::Keep));
    }
}

fn left_behind(ctx: &Context, orphan: &Orphan, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let close = modal(ctx, "left-behind", |ui| {
        ui.heading(format!("Recover {}?", orphan.name));
        ui.add_space(4.0);
        let file = match &orphan.file {
            Some(file) => format!("It belongs to {}.", file.display()),
            None => "It was never saved.".to_owned(),
        };
        let text = format!(
            "Mote did not end as it should and had changes that were not saved. {file} The copy is of {}.",
            ago(orphan.written)
        );
        ui.label(RichText::new(text).color(tokens.text_dim));
        ui.add_space(16.0);
        ui.horizontal(|ui| {
            if main_button(ui, "Recover", state, true) {
                actions.push(Action::Recover(Recovery::Open));
            }
            if ui.button("Discard").clicked() {
                actions.push(Action::Recover(Recovery::Discard));
            }
            if ui.button("Not now").clicked() {
                actions.push(Action::Recover(Recovery::Later));
            }
        });
    });
    if close {
        actions.push(Action::Recover(Recovery::Later));
    }
}

/// How long ago something was, in words.
fn ago(when: SystemTime) -> String {
    let minutes = when.elapsed().map_or(0, |passed| passed.as_secs() / 60);
    let some = |count: u64, unit: &str| match count {
        1 => format!("1 {unit} ago"),
        count => format!("{count} {unit}s ago"),
    };
    match minutes {
        0 => "just now".to_owned(),
        1..=59 => some(minutes, "minute"),
        60..=1439 => some(minutes / 60, "hour"),
        _ => some(minutes / 1440, "day"),
    }
}

fn modal(ctx: &Context, name: &str, show: impl FnOnce(&mut Ui)) -> bool {
    let frame = Frame::popup(&ctx.global_style()).inner_margin(Margin::same(20));
    let modal = Modal::new(Id::new(name)).frame(frame);
    modal
        .show(ctx, |ui| {
            ui.set_width(WIDTH);
            show(ui);
        })
        .should_close()
}

fn main_button(ui: &mut Ui, text: &str, state: &EditorState, enabled: bool) -> bool {
    let tokens = state.tokens();
    let button = Button::new(RichText::new(text).color(tokens.on_accent)).fill(tokens.accent);
    ui.add_enabled(enabled, button).clicked()
}

fn unsaved(ctx: &Context, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let close = modal(ctx, "unsaved", |ui| {
        let file = state
            .path()
            .and_then(|path| path.file_name())
            .map(|name| name.to_string_lossy().into_owned());
        let name = file.unwrap_or_else(|| state.document().name().to_owned());
        ui.heading(format!("Save the changes to {name}?"));
        ui.add_space(4.0);
        ui.label(RichText::new("Without saving, they are lost.").color(tokens.text_dim));
        ui.add_space(16.0);
        ui.horizontal(|ui| {
            if main_button(ui, "Save", state, true) {
                actions.push(Action::Answer(Answer::Save));
            }
            if ui.button("Don't save").clicked() {
                actions.push(Action::Answer(Answer::Discard));
            }
            if ui.button("Cancel").clicked() {
                actions.push(Action::Answer(Answer::Stay));
            }
        });
    });
    if close {
        actions.push(Action::Answer(Answer::Stay));
    }
}

fn typed_path(ctx: &Context, ask: Ask, state: &EditorState, actions: &mut Actions) {
    let tokens = state.tokens();
    let id = Id::new("typed-path");
    let known: Option<String> = ctx.data(|data| data.get_temp(id));
    let fresh = known.is_none();
    let mut text = known.unwrap_or_else(|| ask.proposal(state).display().to_string());
    let mut done = None;
    let close = modal(ctx, "path", |ui| {
        ui.heading(ask.title());
        ui.add_space(4.0);
        let hint = match ask {
            Ask::Open => "The path of a .mote file",
            Ask::Import => "The path of a .plist file of Cocos2d-x or Particle Designer",
            Ask::SaveAs => "The path of the .mote file to write",
            Ask::Export => "The path to write: .motefx is small, .motefx.json can be read",
        };
        ui.label(RichText::new(hint).color(tokens.text_dim));
        ui.add_space(8.0);
        let field = ui.add(TextEdit::singleline(&mut text).desired_width(f32::INFINITY));
        button::name(&field, "Path");
        if fresh {
            field.request_focus();
        }
        let path = PathBuf::from(text.trim());
        let replaces = !matches!(ask, Ask::Open | Ask::Import)
            && path.is_file()
            && (ask == Ask::Export || state.path() != Some(&path));
        if replaces {
            ui.add_space(4.0);
            ui.colored_label(tokens.warning, "This file exists. Replacing it cannot be undone.");
        }
        let entered = !replaces && field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        ui.add_space(16.0);
        ui.horizontal(|ui| {
            let filled = !text.trim().is_empty();
            let verb = match ask {
                _ if replaces => "Replace",
                Ask::Open => "Open",
                Ask::Import => "Import",
                Ask::SaveAs => "Save",
                Ask::Export => "Export",
            };
            if (main_button(ui, verb, state, filled) || entered) && filled {
                done = Some(Action::File(ask.request(PathBuf::from(text.trim()))));
            }
            if ui.button("Cancel").clicked() {
                done = Some(Action::Answer(Answer::Stay));
            }
        });
    });
    if close && done.is_none() {
        done = Some(Action::Answer(Answer::Stay));
    }
    match done {
        Some(action) => {
            let _shown = ctx.data_mut(|data| data.remove_temp::<String>(id));
            actions.push(action);
        }
        None => {
            ctx.data_mut(|data| data.insert_temp(id, text));
        }
    }
}
