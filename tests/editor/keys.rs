//! Keys: each reaches its command, and none while text is typed.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use mote::editor::action::{Action, Selection};
use mote::play::Shown;

use super::bench::*;

fn press(window: &mut Window, key: Key) {
    window.key_press(key);
    window.run_steps(2);
}

#[test]
fn keys_play_pause_step_and_restart() {
    let mut window = with_preset(window(), "fire");
    assert!(state(&window).player().transport.playing);
    press(&mut window, Key::P);
    assert!(!state(&window).player().transport.playing);
    let time = state(&window).player().time();
    window.run_steps(5);
    assert_eq!(state(&window).player().time(), time);
    press(&mut window, Key::Period);
    assert!((state(&window).player().time() - time - 1.0 / 60.0).abs() < 1e-9);
    press(&mut window, Key::R);
    assert_eq!(state(&window).player().time(), 0.0);
    press(&mut window, Key::P);
    assert!(state(&window).player().time() > 0.0);
    press(&mut window, Key::Num3);
    assert_eq!(
        state(&window).player().shown(),
        Shown::Cpu,
        "there is no device to split with"
    );
}

#[test]
fn space_plays_only_over_the_viewport() {
    let mut window = with_preset(window(), "fire");
    window.run_steps(2);
    let viewport = window.get_by_role_and_label(Role::Canvas, "Viewport").rect();
    window.hover_at(egui::pos2(640.0, 400.0));
    window.run_steps(2);
    press(&mut window, Key::Space);
    assert!(state(&window).player().transport.playing);
    press(&mut window, Key::Escape);
    window.hover_at(viewport.center());
    window.run_steps(2);
    press(&mut window, Key::Space);
    assert!(!state(&window).player().transport.playing);
    let camera = *state(&window).camera();
    press(&mut window, Key::F);
    assert_ne!(*state(&window).camera(), camera);
}

#[test]
fn keys_are_the_fields_while_typing() {
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
    window.run_steps(2);
    let before = state(&window).document().clone();
    // The block list and the inspector both have it.
    let fields = window.get_all_by_role_and_label(Role::SpinButton, "Drag: drag value");
    fields.last().unwrap().click();
    window.run_steps(2);
    assert!(window.ctx.text_edit_focused());
    window.event(egui::Event::Text("12".to_owned()));
    window.step();
    for key in [
        Key::Delete,
        Key::Backspace,
        Key::Space,
        Key::P,
        Key::M,
        Key::R,
        Key::B,
    ] {
        press(&mut window, key);
    }
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(2);
    assert_eq!(*state(&window).document(), before);
    assert!(state(&window).player().transport.playing);
    assert_eq!(state(&window).selection().nodes.len(), 1);
}

#[test]
fn menu_entries_run_commands() {
    let mut window = with_preset(window(), "fire");
    window.run_steps(2);
    click(&mut window, Role::Button, "Emitter");
    // The panel's own button comes first.
    let entries: Vec<_> = window
        .get_all_by_role_and_label(Role::Button, "Add emitter")
        .collect();
    assert_eq!(entries.len(), 2);
    entries[1].click();
    drop(entries);
    window.run_steps(2);
    assert_eq!(state(&window).document().emitters().len(), 2);
}
