//! Documents and files.

use std::sync::OnceLock;

use egui::{Key, Modifiers};

use super::{Command, Menu, Scope};
use crate::document::presets::presets;
use crate::editor::state::{Ask, Waiting};

const SAVE_AS: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// Ids of the preset commands, made once: a command's id lives as long as the program.
fn preset_ids() -> &'static [String] {
    static IDS: OnceLock<Vec<String>> = OnceLock::new();
    IDS.get_or_init(|| {
        presets()
            .map(|preset| format!("file.new.{}", preset.name))
            .collect()
    })
}

pub(super) fn commands() -> Vec<Command> {
    let mut commands: Vec<Command> = presets()
        .zip(preset_ids())
        .map(|(preset, id)| Command::preset(id, preset.title, preset.description, preset.name))
        .collect();
    commands.extend([
        Command::new(
            Menu::File,
            0,
            "file.new",
            "New",
            "Starts a document with nothing in it.",
            |state| state.when_safe(Waiting::New(String::new())),
        )
        .key(Modifiers::COMMAND, Key::N),
        Command::new(
            Menu::File,
            0,
            "file.open",
            "Open…",
            "Opens a document.",
            |state| {
                state.when_safe(Waiting::AskOpen);
            },
        )
        .key_in(Scope::Always, Modifiers::COMMAND, Key::O),
        Command::new(
            Menu::File,
            0,
            "file.import",
            "Import…",
            "Makes a new document of another tool's effect: particle .plist files of Cocos2d-x and Particle Designer.",
            |state| state.when_safe(Waiting::AskImport),
        ),
        Command::new(
            Menu::File,
            1,
            "file.save",
            "Save",
            "Saves the document to its file.",
            |state| match state.path().map(std::path::Path::to_path_buf) {
                Some(path) => {
                    state.save_to(&path);
                }
                None => state.ask(Ask::SaveAs),
            },
        )
        .key_in(Scope::Always, Modifiers::COMMAND, Key::S),
        Command::new(
            Menu::File,
            1,
            "file.save-as",
            "Save as…",
            "Saves the document to another file.",
            |state| state.ask(Ask::SaveAs),
        )
        .key_in(Scope::Always, SAVE_AS, Key::S),
        Command::new(
            Menu::File,
            1,
            "file.export",
            "Export…",
            "Writes the compiled effect for a game, as .motefx or .motefx.json.",
            |state| state.ask(Ask::Export),
        )
        .key(Modifiers::COMMAND, Key::E)
        .when(|state| !state.live().behind && !state.document().emitters().is_empty()),
        Command::new(
            Menu::File,
            2,
            "file.quit",
            "Quit",
            "Closes the window.",
            |state| {
                state.when_safe(Waiting::Quit);
            },
        )
        .key_in(Scope::Always, Modifiers::COMMAND, Key::Q),
    ]);
    commands
}
