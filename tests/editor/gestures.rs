//! One gesture is one step, and what is refused says why.

use egui::accesskit::Role;
use egui::{Key, vec2};
use egui_kittest::kittest::Queryable as _;
use mote::document::Edit;
use mote::editor::action::{Action, Selection};

use super::bench::*;

fn rate(window: &Window) -> f32 {
    emitter(window).emission().rate
}

#[test]
fn number_drag_is_one_step_and_compiles_live() {
    let mut window = with_preset(window(), "fire");
    window.run_steps(2);
    let before = rate(&window);
    let compiles = state(&window).live().compiles;
    drag(&mut window, "Rate", 60.0);
    assert!(rate(&window) > before);
    assert_eq!(
        steps(&window),
        1,
        "{:?}",
        state(&window).history().past().collect::<Vec<_>>()
    );
    assert!(
        state(&window).live().compiles > compiles + 3,
        "each move compiles"
    );
    let playing = state(&window).effect().unwrap().emitters[0].emission.rate;
    assert_eq!(playing, rate(&window));
    drag(&mut window, "Rate", -20.0);
    assert_eq!(steps(&window), 2);
    command(&mut window, "edit.undo");
    command(&mut window, "edit.undo");
    assert_eq!(rate(&window), before);
}

#[test]
fn escape_takes_a_drag_back() {
    let mut window = with_preset(window(), "fire");
    window.run_steps(2);
    let before = rate(&window);
    let start = window
        .get_by_role_and_label(Role::SpinButton, "Rate")
        .rect()
        .center();
    window.drag_at(start);
    window.step();
    for x in [10.0, 20.0, 40.0] {
        window.hover_at(start + vec2(x, 0.0));
        window.step();
    }
    assert_ne!(rate(&window), before);
    window.key_press(Key::Escape);
    window.step();
    assert_eq!(rate(&window), before);
    window.hover_at(start + vec2(80.0, 0.0));
    window.step();
    window.drop_at(start + vec2(80.0, 0.0));
    window.run_steps(2);
    assert_eq!(rate(&window), before);
    assert_eq!(steps(&window), 0);
}

#[test]
fn typed_number_is_one_step_and_nonsense_is_refused() {
    let mut window = with_preset(window(), "fire");
    window.run_steps(2);
    let type_in = |window: &mut Window, text: &str| {
        // Two clicks in a moment are a double click, which takes the default back.
        window.run_steps(30);
        window.get_by_role_and_label(Role::SpinButton, "Rate").click();
        window.run_steps(2);
        window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
        window.event(egui::Event::Text(text.to_owned()));
        window.step();
        window.key_press(Key::Enter);
        window.run_steps(2);
    };
    type_in(&mut window, "42");
    assert_eq!(rate(&window), 42.0);
    assert_eq!(steps(&window), 1);
    for wrong in ["-5", "NaN", "inf"] {
        type_in(&mut window, wrong);
        assert_eq!(rate(&window), 42.0, "{wrong}");
        assert_eq!(steps(&window), 1, "{wrong}");
        assert!(state(&window).message().is_some(), "{wrong}");
        act(&mut window, Action::Dismiss);
    }
}

#[test]
fn layout_edits_do_not_compile() {
    let mut window = with_preset(window(), "fire");
    let (_, node) = node_of(&window, "gravity");
    let compiles = state(&window).live().compiles;
    let edit = Edit::SetNodePositions {
        emitter: emitter(&window).id().clone(),
        positions: vec![(node, [300.0, 300.0])],
    };
    let label = "Move node".to_owned();
    act(
        &mut window,
        Action::Step {
            label,
            edits: vec![edit],
        },
    );
    assert_eq!(steps(&window), 1);
    assert_eq!(state(&window).live().compiles, compiles);
}

#[test]
fn emitters_are_added_copied_renamed_moved_and_deleted() {
    let mut window = with_preset(window(), "fire");
    command(&mut window, "emitter.add");
    assert_eq!(state(&window).document().emitters().len(), 2);
    assert_eq!(emitter(&window).name(), "Emitter");
    window.run_steps(30);
    let counts = state(&window).player().emitter_counts().unwrap();
    assert!(counts[1].0 > 0, "a new emitter plays: {counts:?}");

    command(&mut window, "emitter.duplicate");
    assert_eq!(emitter(&window).name(), "Emitter 2");
    command(&mut window, "emitter.up");
    assert_eq!(state(&window).emitter_index(), Some(1));
    command(&mut window, "emitter.delete");
    assert_eq!(state(&window).document().emitters().len(), 2);
    for _ in 0..2 {
        command(&mut window, "emitter.delete");
    }
    assert!(state(&window).document().emitters().is_empty());
    assert!(state(&window).emitter().is_none());
    window.run_steps(3);
    while state(&window).history().past().next().is_some() {
        command(&mut window, "edit.undo");
    }
    assert_eq!(state(&window).document().emitters().len(), 1);
}

#[test]
fn double_click_renames_an_emitter() {
    let mut window = with_preset(window(), "fire");
    window.run_steps(2);
    let center = window
        .get_by_role_and_label(Role::ListItem, "Emitter Fire")
        .rect()
        .center();
    for _ in 0..2 {
        window.drag_at(center);
        window.drop_at(center);
        window.step();
    }
    window.run_steps(3);
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    window.event(egui::Event::Text("Blaze".to_owned()));
    window.step();
    window.key_press(Key::Enter);
    window.run_steps(2);
    assert_eq!(emitter(&window).name(), "Blaze");
    assert_eq!(steps(&window), 1);
}

#[test]
fn selection_follows_what_exists() {
    let mut window = with_preset(window(), "fire");
    let id = emitter(&window).id().clone();
    let (_, node) = node_of(&window, "drag");
    let nodes = [node].into();
    act(
        &mut window,
        Action::Select(Selection {
            emitter: Some(id),
            nodes,
        }),
    );
    command(&mut window, "edit.mute");
    let (flow, node) = node_of(&window, "drag");
    assert!(emitter(&window).flow(flow).node(&node).unwrap().muted);
    command(&mut window, "edit.delete");
    assert!(state(&window).selection().nodes.is_empty());
    command(&mut window, "edit.undo");
    command(&mut window, "edit.undo");
    assert!(!emitter(&window).flow(flow).node(&node).unwrap().muted);
}
