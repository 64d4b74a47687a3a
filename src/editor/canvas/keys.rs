//! The canvas's keys. They yield to a focused text field.

use std::collections::BTreeSet;

use egui::{Key, Modifiers, Ui};

use super::CanvasInput;
use super::edits::{self, Target};
use crate::base::id::Id;
use crate::editor::action::Actions;

/// What a key asks the canvas to do with itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Fit all nodes.
    FitAll,
    /// Fit the selection.
    FitSelection,
    /// Open the palette.
    Palette,
}

/// Handles the keys that edit the selection, of the canvas and the block list alike.
pub fn edit(ui: &Ui, input: &CanvasInput<'_>, actions: &mut Actions) {
    if ui.ctx().text_edit_focused() || egui::Popup::is_any_open(ui.ctx()) {
        return;
    }
    let target = Target {
        document: input.document,
        emitter: input.emitter,
        flow: input.flow,
    };
    let chosen = selected(input);
    if chosen.is_empty() {
        return;
    }
    let key = |modifiers, key| ui.input_mut(|i| i.consume_key(modifiers, key));
    if key(Modifiers::NONE, Key::Delete) || key(Modifiers::NONE, Key::Backspace) {
        edits::delete(target, &chosen, actions);
    } else if key(Modifiers::NONE, Key::M) {
        edits::mute(target, &chosen, actions);
    } else if key(Modifiers::COMMAND, Key::D) {
        edits::duplicate(target, &chosen, actions);
    } else if key(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::G) {
        edits::ungroup(target, &chosen, actions);
    } else if key(Modifiers::COMMAND, Key::G) {
        edits::group(target, &chosen, actions);
    } else if let [only] = chosen.iter().collect::<Vec<_>>().as_slice() {
        let down = key(Modifiers::ALT, Key::ArrowDown);
        if down || key(Modifiers::ALT, Key::ArrowUp) {
            edits::nudge(target, only, down, actions);
        }
    }
}

/// Handles the keys that only the canvas has. Space is its own only under the pointer: elsewhere it plays.
pub fn canvas(ui: &Ui, input: &CanvasInput<'_>, over: bool, actions: &mut Actions) -> Option<Wish> {
    if ui.ctx().text_edit_focused() || egui::Popup::is_any_open(ui.ctx()) {
        return None;
    }
    edit(ui, input, actions);
    let key = |modifiers, key| ui.input_mut(|i| i.consume_key(modifiers, key));
    if key(Modifiers::COMMAND, Key::A) {
        let flow = input.document.emitter(input.emitter).map(|e| e.flow(input.flow));
        let all = flow
            .into_iter()
            .flat_map(|flow| flow.nodes())
            .map(|node| node.id.clone());
        edits::select(input.emitter, all.collect(), actions);
    }
    if key(Modifiers::NONE, Key::Home) {
        return Some(Wish::FitAll);
    }
    if key(Modifiers::NONE, Key::F) {
        return Some(Wish::FitSelection);
    }
    if over && key(Modifiers::NONE, Key::Space) {
        return Some(Wish::Palette);
    }
    None
}

/// What is selected in the flow.
#[must_use]
pub fn selected(input: &CanvasInput<'_>) -> BTreeSet<Id> {
    if input.selection.emitter.as_ref() != Some(input.emitter) {
        return BTreeSet::new();
    }
    let Some(emitter) = input.document.emitter(input.emitter) else {
        return BTreeSet::new();
    };
    let flow = emitter.flow(input.flow);
    let here = input.selection.nodes.iter().filter(|id| flow.node(id).is_some());
    here.cloned().collect()
}
