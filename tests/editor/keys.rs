//! Keys: each reaches its command, and none while text is typed.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
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
fn delete_in_an_open_curve_takes_a_key_and_not_the_node() {
    let mut window = with_preset(window(), "bonfire");
    let id = emitter(&window).id().clone();
    let (flow, node) = node_of(&window, "size_over_life");
    let selection = Selection {
        emitter: Some(id),
        nodes: [node.clone()].into(),
    };
    act(&mut window, Action::Select(selection));
    window.run_steps(2);
    let keys = |window: &Window| {
        let input = emitter(window)
            .flow(flow)
            .node(&node)
            .map(|node| node.inputs.get("scale").cloned());
        match input.expect("the node is still there") {
            Some(mote::graph::InputMode::Curve(curve)) => curve.keys().len(),
            other => panic!("{other:?}"),
        }
    };
    let before = keys(&window);
    // The block list and the inspector both have it.
    let fields = window.get_all_by_role_and_label(Role::Button, "Size over life: scale curve");
    fields.into_iter().next().expect("a curve").click();
    window.run_steps(3);
    press(&mut window, Key::Delete);
    assert_eq!(keys(&window), before - 1);
    press(&mut window, Key::Escape);
    press(&mut window, Key::Delete);
    assert!(emitter(&window).flow(flow).node(&node).is_none());
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

#[test]
fn every_control_has_a_name() {
    let named = |window: &Window| {
        let nameless: Vec<String> = window
            .root()
            .children_recursive()
            .filter(|node| {
                let node = node.accesskit_node();
                let control = matches!(
                    node.role(),
                    Role::Button
                        | Role::Slider
                        | Role::SpinButton
                        | Role::TextInput
                        | Role::ComboBox
                        | Role::CheckBox
                        | Role::ColorWell
                );
                let name = node.label().unwrap_or_default();
                // An icon is no name.
                control
                    && !name
                        .chars()
                        .any(|c| c.is_alphanumeric() && !('\u{e000}'..='\u{f8ff}').contains(&c))
            })
            .map(|node| format!("{:?} at {:?}", node.accesskit_node().role(), node.rect()))
            .collect();
        assert!(nameless.is_empty(), "{nameless:#?}");
    };
    let mut window = with_preset(window(), "explosion");
    window.run_steps(3);
    named(&window);
    act(
        &mut window,
        Action::ShowFlow(mote::base::diag::FlowKind::EveryFrame),
    );
    command(&mut window, "edit.select-all");
    window.run_steps(3);
    named(&window);
    for (_, node) in [node_of(&window, "drag"), node_of(&window, "birth_color")] {
        let id = emitter(&window).id().clone();
        let nodes = [node].into();
        act(
            &mut window,
            Action::Select(Selection {
                emitter: Some(id),
                nodes,
            }),
        );
        window.run_steps(3);
        named(&window);
    }
    command(&mut window, "file.new");
    window.run_steps(3);
    named(&window);
}
