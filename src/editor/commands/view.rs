//! The window.

use egui::{Key, Modifiers};

use super::{Command, Menu, Scope};
use crate::editor::state::EditorState;

pub(super) fn commands() -> Vec<Command> {
    vec![
        Command::new(
            Menu::View,
            0,
            "view.frame",
            "Frame particles",
            "Moves the camera so that what lives fills the picture. Double click in the viewport does it too.",
            EditorState::frame_view,
        )
        .key_in(Scope::Viewport, Modifiers::NONE, Key::F)
        .key_in(Scope::Viewport, Modifiers::NONE, Key::Home),
        Command::new(
            Menu::View,
            0,
            "view.grid",
            "Ground grid",
            "Shows a metre grid on the ground.",
            |state| state.view_mut().grid ^= true,
        )
        .checked(|state| state.view().grid),
        Command::new(
            Menu::View,
            1,
            "view.light",
            "Light theme",
            "Uses light surfaces.",
            |state| state.view_mut().dark ^= true,
        )
        .checked(|state| !state.view().dark),
    ]
}
