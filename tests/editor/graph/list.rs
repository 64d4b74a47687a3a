//! The block list.

use super::host::*;
use egui::{Key, vec2};
use egui_kittest::kittest::Queryable;
use mote::base::diag::FlowKind;
use mote::graph::InputMode;

fn listed(name: &str) -> Window {
    let mut host = Host::new(preset(name));
    host.list = true;
    window_with(host, 1200.0, 900.0)
}

fn kinds(window: &Window, flow: FlowKind) -> Vec<String> {
    window
        .state()
        .emitter()
        .flow(flow)
        .blocks
        .iter()
        .map(|b| b.kind.clone())
        .collect()
}

#[test]
fn blocks_are_muted_and_deleted() {
    let mut window = listed("fire");
    click_label(&mut window, "Mute Grow");
    assert!(window.state().flow().node(&id("grow")).unwrap().muted);
    assert_eq!(window.state().steps(), ["Mute Grow"]);
    window.get_by_label("Block Turn by spin").hover();
    window.run_steps(2);
    click_label(&mut window, "Delete Turn by spin");
    let left = ["gravity", "drag", "move", "grow", "alpha_fade", "age"];
    assert_eq!(kinds(&window, FlowKind::EveryFrame), left);
}

#[test]
fn blocks_are_reordered_by_dragging() {
    let mut window = listed("fire");
    let from = window.get_by_label("Drag Gravity").rect().center();
    let to = window.get_by_label("Block Move").rect().center_bottom() - vec2(0.0, 4.0);
    drag(&mut window, &[from, from + vec2(0.0, 20.0), to]);
    let order = [
        "drag",
        "move",
        "gravity",
        "grow",
        "spin_roll",
        "alpha_fade",
        "age",
    ];
    assert_eq!(kinds(&window, FlowKind::EveryFrame), order);
    assert_eq!(window.state().steps().len(), 1);
    let from = window.get_by_label("Drag Age").rect().center();
    let to = window.get_by_label("Block Drag").rect().center_top() + vec2(0.0, 3.0);
    drag(&mut window, &[from, to]);
    assert_eq!(kinds(&window, FlowKind::EveryFrame)[0], "age");
    assert!(node(&window, "age").bottom() < node(&window, "drag").top());
    // Onto itself: nothing.
    let at = window.get_by_label("Drag Age").rect().center();
    drag(&mut window, &[at, at + vec2(0.0, 4.0)]);
    assert_eq!(window.state().steps().len(), 2);
}

#[test]
fn a_selected_block_unfolds_its_inputs() {
    let mut window = listed("fire");
    assert!(window.query_by_label("Drag: drag value").is_none());
    click_label(&mut window, "Block Drag");
    assert_eq!(window.state().selection.nodes, [id("drag")].into());
    click_label(&mut window, "Drag: drag value");
    text(&mut window, "2");
    window.step();
    window.key_press(Key::Enter);
    window.run_steps(2);
    assert_eq!(window.state().input("drag", "drag"), Some(InputMode::value(2.0)));
    click_label(&mut window, "Block Velocity in a cone");
    assert_eq!(window.state().flow, FlowKind::Birth);
    assert!(
        window
            .query_by_label("Velocity in a cone: speed min value")
            .is_some()
    );
}

#[test]
fn blocks_are_added_and_only_blocks_are_offered() {
    let mut window = listed("fire");
    click_label(&mut window, "Add block to Birth");
    assert!(window.get_by_label("Search nodes").is_focused());
    assert!(window.query_by_label("Sine").is_none());
    text(&mut window, "sphere");
    window.step();
    window.key_press(Key::Enter);
    window.run_steps(3);
    assert!(kinds(&window, FlowKind::Birth).contains(&"shape_sphere".to_owned()));
    assert_eq!(kinds(&window, FlowKind::Birth)[1], "shape_sphere");
}

#[test]
fn an_empty_list_offers_blocks_to_begin_with() {
    let mut host = Host::new(document(&[]));
    host.list = true;
    host.flow = FlowKind::EveryFrame;
    let mut window = window_with(host, 1000.0, 700.0);
    for label in ["Add Point", "Add Velocity", "Add Lifetime"] {
        click_label(&mut window, label);
        window.state_mut().history.undo();
        window.run_steps(2);
    }
    let both = window.get_all_by_label("Add Gravity").count();
    assert_eq!(both, 2, "in the list and on the canvas");
    let at = window
        .get_all_by_label("Add Gravity")
        .next()
        .unwrap()
        .rect()
        .center();
    click(&mut window, at);
    assert_eq!(kinds(&window, FlowKind::EveryFrame), ["gravity"]);
}
