//! The document.

use egui::{Key, Modifiers};

use super::{Command, Menu};
use crate::editor::state::EditorState;

const REDO: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

fn has_nodes(state: &EditorState) -> bool {
    !state.selection().nodes.is_empty()
}

pub(super) fn commands() -> Vec<Command> {
    vec![
        Command::new(
            Menu::Edit,
            0,
            "edit.undo",
            "Undo",
            "Takes the last step back.",
            EditorState::undo,
        )
        .key(Modifiers::COMMAND, Key::Z)
        .when(|state| state.history().is_open() || state.history().past().next().is_some())
        .titled(|state| named("Undo", state.history().past().last())),
        Command::new(
            Menu::Edit,
            0,
            "edit.redo",
            "Redo",
            "Makes the step taken back again.",
            EditorState::redo,
        )
        .key(REDO, Key::Z)
        .key(Modifiers::COMMAND, Key::Y)
        .when(|state| state.history().future().next().is_some())
        .titled(|state| named("Redo", state.history().future().next())),
        Command::new(
            Menu::Edit,
            1,
            "edit.delete",
            "Delete selection",
            "Removes the selected nodes; chains close.",
            EditorState::delete_nodes,
        )
        .key(Modifiers::NONE, Key::Delete)
        .key(Modifiers::NONE, Key::Backspace)
        .when(has_nodes),
        Command::new(
            Menu::Edit,
            1,
            "edit.duplicate",
            "Duplicate selection",
            "Copies the selected nodes.",
            EditorState::duplicate_nodes,
        )
        .key(Modifiers::COMMAND, Key::D)
        .when(has_nodes),
        Command::new(
            Menu::Edit,
            1,
            "edit.group",
            "Group selection",
            "Makes the selected value nodes one node of the document's own.",
            EditorState::group_nodes,
        )
        .key(Modifiers::COMMAND, Key::G)
        .when(has_nodes),
        Command::new(
            Menu::Edit,
            1,
            "edit.ungroup",
            "Ungroup selection",
            "Puts what is inside the selected groups, also those of the library, in their place.",
            EditorState::ungroup_nodes,
        )
        .key(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::G)
        .when(has_nodes),
        Command::new(
            Menu::Edit,
            1,
            "edit.mute",
            "Mute selection",
            "Switches the selected nodes off, or on again.",
            EditorState::mute_nodes,
        )
        .key(Modifiers::NONE, Key::M)
        .when(has_nodes),
        Command::new(
            Menu::Edit,
            1,
            "edit.select-all",
            "Select all",
            "Selects every node on the canvas.",
            EditorState::select_all,
        )
        .key(Modifiers::COMMAND, Key::A)
        .when(|state| state.emitter().is_some()),
    ]
}

fn named(verb: &str, step: Option<&str>) -> String {
    match step {
        Some(step) => format!("{verb}: {step}"),
        None => verb.to_owned(),
    }
}
