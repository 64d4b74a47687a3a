//! Nodes and wires.

use super::host::*;
use egui::{Event, Key, Modifiers, MouseWheelUnit, TouchPhase, pos2, vec2};
use egui_kittest::kittest::Queryable;
use mote::graph::{InputMode, Socket};

const EMPTY: egui::Pos2 = pos2(60.0, 700.0);

fn chain() -> mote::document::Document {
    let mut document = document(&[
        ("gravity", "gravity", [0.0, 0.0]),
        ("drag", "drag", [0.0, 120.0]),
        ("move", "move", [0.0, 240.0]),
        ("random", "random", [-300.0, 0.0]),
        ("a", "op.add", [-620.0, 0.0]),
        ("b", "op.add", [-300.0, 220.0]),
        ("turn", "axis_angle", [-300.0, 360.0]),
    ]);
    wire(&mut document, ("a", "out"), ("b", "a"));
    document
}

fn kinds(window: &Window) -> Vec<String> {
    window
        .state()
        .flow()
        .blocks
        .iter()
        .map(|b| b.kind.clone())
        .collect()
}

#[test]
fn a_block_is_added_by_search_where_its_slot_says() {
    let mut window = window(chain());
    window.hover_at(EMPTY);
    window.step();
    window.key_press(Key::Space);
    window.run_steps(3);
    assert!(window.get_by_label("Search nodes").is_focused());
    text(&mut window, "scale vel");
    window.step();
    window.key_press(Key::Enter);
    window.run_steps(3);
    assert_eq!(kinds(&window), ["gravity", "drag", "scale_velocity", "move"]);
    assert_eq!(window.state().steps(), ["Add Scale velocity"]);
    let added = window.state().flow().blocks[2].id.clone();
    assert_eq!(window.state().selection.nodes, [added.clone()].into());
    assert!(window.query_by_label("Search nodes").is_none());
    // The blocks after it made room.
    let place = |id: &str| node(&window, id);
    let new = window.state().state.node_on_screen(&added).unwrap();
    assert!(new.top() > place("drag").bottom() && new.bottom() < place("move").top());
}

#[test]
fn the_palette_closes_on_escape_and_takes_arrows() {
    let mut window = window(chain());
    window.hover_at(EMPTY);
    window.step();
    window.key_press(Key::Space);
    window.run_steps(3);
    window.key_press(Key::Escape);
    window.run_steps(2);
    assert!(window.query_by_label("Search nodes").is_none());
    // A double click opens it too, and the second entry is one arrow away.
    double_click(&mut window, EMPTY);
    window.run_steps(3);
    text(&mut window, "velocity");
    window.step();
    window.key_press(Key::ArrowDown);
    window.run_steps(2);
    window.key_press(Key::Enter);
    window.run_steps(2);
    assert_eq!(window.state().flow().blocks.len(), 4);
}

#[test]
fn dragging_from_output_to_input_connects_and_dragging_off_detaches() {
    let mut window = window(chain());
    let (from, to) = (port(&window, "random", "out"), port(&window, "drag", "drag"));
    drag(&mut window, &[from, from + vec2(40.0, 20.0), to]);
    let socket = Socket::new(&id("drag"), "drag");
    let source = Socket::new(&id("random"), "out");
    assert_eq!(window.state().flow().wires.get(&socket), Some(&source));
    assert_eq!(window.state().steps(), ["Connect Random to Drag"]);
    // Off again, onto nothing.
    drag(&mut window, &[to, to + vec2(-60.0, 60.0), EMPTY]);
    assert_eq!(window.state().flow().wires.get(&socket), None);
    assert_eq!(window.state().steps().len(), 2);
    assert!(window.query_by_label("Search nodes").is_none());
    // The other way round: from an input to an output.
    drag(&mut window, &[to, from]);
    assert_eq!(window.state().flow().wires.get(&socket), Some(&source));
    // From one input to another: one step.
    let b = port(&window, "b", "b");
    drag(&mut window, &[to, b]);
    assert_eq!(window.state().flow().wires.get(&socket), None);
    assert_eq!(
        window.state().flow().wires.get(&Socket::new(&id("b"), "b")),
        Some(&source)
    );
    assert_eq!(window.state().steps().len(), 4);
    assert!(window.state().refused.is_empty());
}

#[test]
fn a_block_of_the_other_flow_is_found_and_goes_there() {
    let mut window = window(preset("fire"));
    window.state_mut().flow = mote::base::diag::FlowKind::Birth;
    window.run_steps(2);
    window.hover_at(EMPTY);
    window.step();
    window.key_press(Key::Space);
    window.run_steps(3);
    text(&mut window, "alpha over");
    window.step();
    window.key_press(Key::Enter);
    window.run_steps(3);
    let emitter = &window.state().history.document().emitters()[0];
    let in_flow = |flow| {
        emitter
            .flow(flow)
            .blocks
            .iter()
            .any(|block| block.kind == "alpha_over_life")
    };
    assert!(in_flow(mote::base::diag::FlowKind::EveryFrame) && !in_flow(mote::base::diag::FlowKind::Birth));
    assert_eq!(window.state().steps(), ["Add Opacity over life"]);
}

#[test]
fn a_wire_dropped_on_nothing_offers_what_fits() {
    let mut window = window(chain());
    let from = port(&window, "turn", "out");
    drag(&mut window, &[from, EMPTY]);
    window.run_steps(2);
    // A rotation fits no number.
    assert!(window.query_by_label("Drag").is_some());
    assert!(window.query_by_label("Sine").is_none());
    text(&mut window, "rotate a");
    window.step();
    window.key_press(Key::Enter);
    window.run_steps(3);
    let flow = window.state().flow();
    let (to, from) = flow
        .wires
        .iter()
        .find(|(_, from)| from.node == id("turn"))
        .unwrap();
    assert_eq!((to.port.as_str(), from.port.as_str()), ("rotation", "out"));
    assert_eq!(window.state().steps(), ["Add Rotate a vector"]);
}

#[test]
fn case_b24_what_cannot_be_wired_says_why_and_changes_nothing() {
    let mut window = window(chain());
    let before = window.state().history.document().clone();
    let from = port(&window, "turn", "out");
    let to = port(&window, "drag", "drag");
    drag(&mut window, &[from, to]);
    assert_eq!(
        window.state().said,
        ["A rotation cannot go into “Drag”, which takes a number."]
    );
    // A loop, by way of another node.
    let (from, to) = (port(&window, "b", "out"), port(&window, "a", "b"));
    drag(&mut window, &[from, to]);
    assert_eq!(
        window.state().said[1],
        "This wire would close a loop: Add › Add › Add."
    );
    // And of a node into itself.
    let to = port(&window, "b", "b");
    drag(&mut window, &[from, to]);
    assert!(window.state().said[2].starts_with("This wire would close a loop"));
    assert_eq!(*window.state().history.document(), before);
    assert!(window.state().steps().is_empty());
    assert!(window.state().refused.is_empty());
}

#[test]
fn moving_nodes_is_one_step_and_escape_takes_it_back() {
    let mut window = window(chain());
    let before = window.state().history.document().clone();
    let zoom = window.state().state.view().unwrap().zoom;
    let at = node(&window, "random").left_top() + vec2(30.0, 12.0);
    let by = vec2(40.0, 80.0) * zoom;
    hold(&mut window, &[at, at + by * 0.5, at + by]);
    window.key_press(Key::Escape);
    window.run_steps(2);
    release(&mut window, at + by);
    assert_eq!(*window.state().history.document(), before);
    drag(&mut window, &[at, at + by * 0.3, at + by * 0.7, at + by]);
    assert_eq!(window.state().steps(), ["Move Random"]);
    let place = window.state().flow().layout.nodes[&id("random")].position;
    assert_eq!(place, [-260.0, 80.0]);
    // Two nodes at once: still one step.
    window.state_mut().select(&["a", "b"]);
    window.run_steps(2);
    let at = node(&window, "a").left_top() + vec2(30.0, 12.0);
    drag(&mut window, &[at, at + vec2(0.0, 20.0), at + vec2(0.0, 40.0)]);
    assert_eq!(window.state().steps()[1], "Move 2 nodes");
    window.state_mut().history.undo();
    window.state_mut().history.undo();
    assert_eq!(*window.state().history.document(), before);
}

#[test]
fn case_b25_delete_heals_the_chain_and_undo_gives_everything_back() {
    let mut window = window(chain());
    let (from, to) = (port(&window, "random", "out"), port(&window, "drag", "drag"));
    drag(&mut window, &[from, to]);
    let before = window.state().history.document().clone();
    window.state_mut().select(&["drag", "a", "b"]);
    window.hover_at(EMPTY);
    window.step();
    window.key_press(Key::Delete);
    window.run_steps(2);
    assert_eq!(kinds(&window), ["gravity", "move"]);
    assert!(window.state().flow().wires.is_empty());
    assert_eq!(window.state().steps()[1], "Delete 3 nodes");
    assert!(window.state().selection.nodes.is_empty());
    window.state_mut().history.undo();
    assert_eq!(*window.state().history.document(), before);
    // All of it: an empty graph is a document.
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(2);
    assert_eq!(window.state().selection.nodes.len(), 7);
    window.key_press(Key::Backspace);
    window.run_steps(2);
    assert_eq!(window.state().flow().nodes().count(), 0);
    assert!(window.query_by_label("Add Gravity").is_some());
}

#[test]
fn duplicates_keep_the_wires_between_them_and_have_ids_of_their_own() {
    let mut window = window(chain());
    window.state_mut().select(&["a", "b", "drag"]);
    window.hover_at(EMPTY);
    window.step();
    window.key_press_modifiers(Modifiers::COMMAND, Key::D);
    window.run_steps(2);
    let flow = window.state().flow();
    assert_eq!(flow.nodes().count(), 10);
    assert_eq!(flow.wires.len(), 2);
    assert_eq!(kinds(&window), ["gravity", "drag", "drag", "move"]);
    assert_eq!(window.state().steps(), ["Duplicate 3 nodes"]);
    let chosen = &window.state().selection.nodes;
    assert_eq!(chosen.len(), 3);
    assert!(!chosen.contains(&id("a")));
    let inner = flow
        .wires
        .iter()
        .find(|(to, _)| chosen.contains(&to.node))
        .unwrap();
    assert!(chosen.contains(&inner.1.node));
}

#[test]
fn chosen_value_nodes_become_one_node_of_a_group() {
    let mut window = window(chain());
    window.state_mut().select(&["a", "b"]);
    window.hover_at(EMPTY);
    window.step();
    window.key_press_modifiers(Modifiers::COMMAND, Key::G);
    window.run_steps(3);
    assert_eq!(window.state().steps(), ["Group 2 nodes"]);
    let document = window.state().history.document();
    assert_eq!(document.groups().list().len(), 1);
    let made: Vec<_> = window.state().selection.nodes.iter().cloned().collect();
    let flow = window.state().flow();
    assert_eq!(flow.node(&made[0]).unwrap().kind, "group.group-1");
    assert!(flow.node(&id("a")).is_none());
    // The canvas shows it under its title.
    assert!(window.query_by_label("Group 1").is_some());
    // It opens again, and what was inside is selected.
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::G);
    window.run_steps(3);
    assert_eq!(window.state().selection.nodes.len(), 2);
    assert!(window.query_by_label("Group 1").is_none());
    window.state_mut().history.undo();
    window.run_steps(2);
    // A block among them is refused with the reason.
    window.state_mut().select(&["gravity"]);
    window.key_press_modifiers(Modifiers::COMMAND, Key::G);
    window.run_steps(2);
    assert_eq!(window.state().steps().len(), 1);
    let said = window.state().said.last().unwrap();
    assert!(said.contains("Gravity is a block"), "{said}");
}

#[test]
fn a_marquee_selects_and_shift_adds() {
    let mut window = window(chain());
    let (first, last) = (node(&window, "gravity"), node(&window, "drag"));
    let from = first.right_top() + vec2(30.0, -10.0);
    let to = pos2(last.left() + 20.0, last.bottom() - 4.0);
    hold(&mut window, &[from, to]);
    assert_eq!(window.state().selection.nodes, [id("drag"), id("gravity")].into());
    release(&mut window, to);
    let at = node(&window, "random").left_top() + vec2(30.0, 12.0);
    let down = |pressed| Event::PointerButton {
        pos: at,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::SHIFT,
    };
    window.hover_at(at);
    window.step();
    window.event_modifiers(down(true), Modifiers::SHIFT);
    window.event(Event::ModifiersChanged(Modifiers::SHIFT));
    window.step();
    window.event(down(false));
    window.step();
    window.event(Event::ModifiersChanged(Modifiers::NONE));
    window.run_steps(5);
    assert_eq!(window.state().selection.nodes.len(), 3);
    click(&mut window, EMPTY);
    assert!(window.state().selection.nodes.is_empty());
    assert!(window.state().steps().is_empty());
}

#[test]
fn keys_mute_and_reorder() {
    let mut window = window(chain());
    window.state_mut().select(&["gravity"]);
    window.hover_at(EMPTY);
    window.step();
    window.key_press(Key::M);
    window.run_steps(2);
    assert!(window.state().flow().node(&id("gravity")).unwrap().muted);
    window.key_press_modifiers(Modifiers::ALT, Key::ArrowDown);
    window.run_steps(2);
    assert_eq!(kinds(&window), ["drag", "gravity", "move"]);
    assert!(node(&window, "drag").bottom() < node(&window, "gravity").top());
    assert_eq!(window.state().steps(), ["Mute Gravity", "Move Gravity"]);
}

#[test]
fn the_wheel_zooms_at_the_pointer_and_home_fits_all() {
    let mut window = window(chain());
    let fitted = *window.state().state.view().unwrap();
    let at = pos2(400.0, 300.0);
    let under = fitted.to_canvas(at);
    window.hover_at(at);
    window.step();
    window.event(Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: vec2(0.0, -6.0),
        phase: TouchPhase::Move,
        modifiers: Modifiers::NONE,
    });
    window.run_steps(12);
    let view = *window.state().state.view().unwrap();
    assert!(view.zoom < fitted.zoom);
    assert!((view.to_canvas(at) - under).length() < 1.0);
    window.key_press(Key::Home);
    window.run_steps(2);
    assert!((window.state().state.view().unwrap().zoom - fitted.zoom).abs() < 1e-4);
    assert!(window.state().steps().is_empty());
}

#[test]
fn of_a_thousand_nodes_only_those_in_view_are_laid_out() {
    let names: Vec<String> = (0..1000).map(|i| format!("n{i}")).collect();
    let nodes: Vec<(&str, &str, [f32; 2])> = names
        .iter()
        .enumerate()
        .map(|(i, name)| {
            (
                name.as_str(),
                "op.add",
                [(i % 40) as f32 * 260.0, (i / 40) as f32 * 110.0],
            )
        })
        .collect();
    let mut window = window(document(&nodes));
    let shown = window.state().state.laid_out();
    assert!((4..120).contains(&shown), "{shown}");
    let start = std::time::Instant::now();
    window.run_steps(20);
    let each = start.elapsed() / 20;
    eprintln!("1000 nodes, {shown} laid out: {each:?} a pass");
    window.state_mut().state.fit_all();
    window.run_steps(3);
    assert!(window.state().state.laid_out() > shown);
    let start = std::time::Instant::now();
    window.run_steps(20);
    eprintln!(
        "1000 nodes, {} laid out: {:?} a pass",
        window.state().state.laid_out(),
        start.elapsed() / 20
    );
}

#[test]
fn nodes_without_a_place_are_laid_out_in_columns() {
    let mut plain = chain();
    let text = mote::document::file::save(&plain);
    let stripped = strip_layout(&text);
    plain = mote::document::file::load(stripped.as_bytes()).unwrap().document;
    let window = window(plain);
    let all = ["gravity", "drag", "move", "random", "a", "b", "turn"].map(|name| node(&window, name));
    for (i, a) in all.iter().enumerate() {
        assert!(a.is_finite() && a.width() > 50.0 && a.height() > 20.0, "{a:?}");
        for b in &all[i + 1..] {
            assert!(!a.intersects(*b), "{a:?} {b:?}");
        }
    }
}

fn strip_layout(text: &str) -> String {
    let start = text.find("\"layout\"").unwrap();
    let open = start + text[start..].find('{').unwrap();
    let mut depth = 0;
    let end = text[open..]
        .char_indices()
        .find(|(_, c)| {
            depth += i32::from(*c == '{') - i32::from(*c == '}');
            depth == 0
        })
        .unwrap()
        .0;
    let rest = text[open + end + 1..].trim_start().trim_start_matches(',');
    let head = &text[..start];
    format!("{head}{rest}")
}

#[test]
fn a_wire_hides_a_value_and_leaves_it_in_place() {
    let mut document = chain();
    document
        .apply(&mote::document::Edit::SetInput {
            emitter: id("e"),
            node: id("drag"),
            port: "drag".to_owned(),
            mode: Some(InputMode::value(0.7)),
        })
        .unwrap();
    let mut window = window(document);
    assert!(window.query_by_label("Drag · drag value").is_some());
    let (from, to) = (port(&window, "random", "out"), port(&window, "drag", "drag"));
    drag(&mut window, &[from, to]);
    assert!(window.query_by_label("Drag · drag value").is_none());
    assert_eq!(window.state().input("drag", "drag"), Some(InputMode::value(0.7)));
}
