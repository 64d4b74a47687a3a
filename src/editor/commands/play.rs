//! Playing.

use egui::{Key, Modifiers};

use super::{Command, Menu, Scope};
use crate::editor::state::EditorState;
use crate::play::Shown;

fn has_gpu(state: &EditorState) -> bool {
    state.player().kit().is_some()
}

pub(super) fn commands() -> Vec<Command> {
    vec![
        Command::new(
            Menu::Play,
            0,
            "play.toggle",
            "Play",
            "Lets time go on, or stand.",
            EditorState::toggle_play,
        )
        .key(Modifiers::NONE, Key::P)
        .key_in(Scope::Viewport, Modifiers::NONE, Key::Space)
        .titled(|state| {
            let title = if state.player().transport.playing {
                "Pause"
            } else {
                "Play"
            };
            title.to_owned()
        }),
        Command::new(
            Menu::Play,
            0,
            "play.restart",
            "Restart",
            "Starts the effect over.",
            EditorState::restart,
        )
        .key(Modifiers::NONE, Key::R),
        Command::new(
            Menu::Play,
            0,
            "play.step",
            "Step",
            "Stops time and takes one step.",
            EditorState::step_once,
        )
        .key(Modifiers::NONE, Key::Period),
        Command::new(
            Menu::Play,
            0,
            "play.burst",
            "Burst",
            "Throws 100 particles of the selected emitter.",
            EditorState::burst,
        )
        .key(Modifiers::NONE, Key::B)
        .when(|state| state.emitter().is_some() && !state.live().behind),
        Command::new(
            Menu::Play,
            1,
            "play.gpu",
            "Show GPU",
            "Simulates on the GPU.",
            |state| state.show(Shown::Gpu),
        )
        .key(Modifiers::NONE, Key::Num1)
        .when(has_gpu)
        .checked(|state| state.player().shown() == Shown::Gpu),
        Command::new(
            Menu::Play,
            1,
            "play.cpu",
            "Show CPU",
            "Simulates on the CPU.",
            |state| state.show(Shown::Cpu),
        )
        .key(Modifiers::NONE, Key::Num2)
        .checked(|state| state.player().shown() == Shown::Cpu),
        Command::new(
            Menu::Play,
            1,
            "play.split",
            "Show split",
            "Simulates on both, side by side.",
            |state| state.show(Shown::Split),
        )
        .key(Modifiers::NONE, Key::Num3)
        .when(has_gpu)
        .checked(|state| state.player().shown() == Shown::Split),
    ]
}
