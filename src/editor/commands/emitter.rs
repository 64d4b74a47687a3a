//! Emitters.

use super::{Command, Menu};
use crate::editor::state::EditorState;

fn has_emitter(state: &EditorState) -> bool {
    state.emitter().is_some()
}

pub(super) fn commands() -> Vec<Command> {
    vec![
        Command::new(
            Menu::Emitter,
            0,
            "emitter.add",
            "Add emitter",
            "Adds an emitter that already plays.",
            EditorState::add_emitter,
        ),
        Command::new(
            Menu::Emitter,
            0,
            "emitter.duplicate",
            "Duplicate emitter",
            "Copies the selected emitter.",
            EditorState::duplicate_emitter,
        )
        .when(has_emitter),
        Command::new(
            Menu::Emitter,
            1,
            "emitter.up",
            "Move up",
            "Draws the selected emitter earlier: behind the others.",
            |state| state.move_emitter(-1),
        )
        .when(|state| state.emitter_index().is_some_and(|i| i > 0)),
        Command::new(
            Menu::Emitter,
            1,
            "emitter.down",
            "Move down",
            "Draws the selected emitter later: in front of the others.",
            |state| state.move_emitter(1),
        )
        .when(|state| {
            state
                .emitter_index()
                .is_some_and(|i| i + 1 < state.document().emitters().len())
        }),
        Command::new(
            Menu::Emitter,
            2,
            "emitter.delete",
            "Delete emitter",
            "Removes the selected emitter.",
            EditorState::delete_emitter,
        )
        .when(has_emitter),
    ]
}
