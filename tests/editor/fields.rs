//! Fields of an emitter's particles, from the inspector to the record.

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use mote::document::Edit;
use mote::editor::action::Action;
use mote::graph::{FieldDecl, Node};
use mote::layout::FieldType;
use mote::play::Driver;

use super::bench::*;

/// A window high enough for the whole inspector, with the fields unfolded.
fn high() -> Window {
    let mut window = with_preset(sized([1280.0, 2400.0]), "fire");
    window.run_steps(3);
    window.get_by_label("Fields").click();
    window.run_steps(3);
    window
}

fn field<'a>(window: &'a Window, name: &str) -> Option<&'a FieldDecl> {
    emitter(window).field(name)
}

fn add(window: &mut Window, name: &str) {
    type_into(window, Role::TextInput, "New field · name", name);
}

#[test]
fn field_is_added_with_a_type_renamed_and_removed() {
    let mut window = high();
    choose(&mut window, "New field · type", "2-vector");
    add(&mut window, "heat");
    assert_eq!(field(&window, "heat").unwrap().ty, FieldType::Vec2);
    assert_eq!(steps(&window), 1);
    assert_eq!(last_step(&window), "Add field heat");
    let effect = state(&window).effect().unwrap();
    assert!(effect.emitters[0].layout.get("heat").is_some());

    type_into(&mut window, Role::TextInput, "Field heat · name", "warmth");
    assert!(field(&window, "heat").is_none());
    assert!(field(&window, "warmth").is_some());
    command(&mut window, "edit.undo");
    assert!(field(&window, "heat").is_some());
    command(&mut window, "edit.redo");
    click(&mut window, Role::Button, "Field warmth · remove");
    assert!(field(&window, "warmth").is_none());
    for _ in 0..3 {
        command(&mut window, "edit.undo");
    }
    assert!(field(&window, "heat").is_none());
    assert_eq!(steps(&window), 0);
}

#[test]
fn refused_fields_say_why() {
    let mut window = high();
    for (name, why) in [
        ("", "A field needs a name."),
        (
            "velocity",
            "The particles have a field velocity already. Choose another name.",
        ),
    ] {
        add(&mut window, name);
        assert_eq!(said(&window), why);
        act(&mut window, Action::Dismiss);
    }
    assert_eq!(steps(&window), 0);

    choose(&mut window, "New field · type", "4-vector");
    let mut count = 0;
    while said(&window).is_empty() {
        count += 1;
        assert!(count < 8, "the record fills");
        add(&mut window, &format!("wide {count}"));
        // A change of fields is told of as well.
        if !said(&window).contains("Remove a field first") {
            act(&mut window, Action::Dismiss);
        }
    }
    assert!(said(&window).contains("30 words"), "{}", said(&window));
    assert_eq!(steps(&window), count - 1);
}

#[test]
fn field_that_a_block_needs_stays_and_says_so() {
    let mut window = high();
    click(&mut window, Role::Button, "Field velocity · remove");
    assert!(
        said(&window).ends_with("needs Velocity. Remove that block first."),
        "{}",
        said(&window)
    );
    assert!(field(&window, "velocity").is_some());
    assert!(
        window
            .query_by_role_and_label(Role::TextInput, "Field velocity · name")
            .is_none(),
        "its name is the block's"
    );
    add(&mut window, "heat");
    let (flow, _) = node_of(&window, "drag");
    let node = Node::new(mote::base::id::Id::new("warm").unwrap(), "set_field").set("field", "heat");
    let edit = Edit::AddNode {
        emitter: emitter(&window).id().clone(),
        flow,
        node: Box::new(node),
        index: None,
        position: [0.0, 900.0],
    };
    let label = "Add".to_owned();
    act(
        &mut window,
        Action::Step {
            label,
            edits: vec![edit],
        },
    );
    window.run_steps(2);
    click(&mut window, Role::Button, "Field heat · remove");
    assert_eq!(
        said(&window),
        "Set field names Heat. Choose another field there first."
    );
    // A name that was only told to a node can change, and the node follows.
    type_into(&mut window, Role::TextInput, "Field heat · name", "glow");
    let (_, node) = node_of(&window, "set_field");
    assert_eq!(
        emitter(&window).flow(flow).node(&node).unwrap().text("field"),
        Some("glow")
    );
    // The node's own list has it.
    select_node(&mut window, &node);
    // The block list and the inspector both have it.
    let lists = window.get_all_by_role_and_label(Role::ComboBox, "Set field: · field");
    lists.last().unwrap().click();
    window.run_steps(3);
    assert!(window.query_all_by_label("Glow").next().is_some());
}

#[test]
fn default_is_what_particles_are_born_with() {
    let mut window = high();
    add(&mut window, "heat");
    window.get_by_label("Field heat · more").click();
    window.run_steps(2);
    type_into(&mut window, Role::SpinButton, "Field heat · default", "7");
    assert_eq!(
        field(&window, "heat").unwrap().default,
        Some([7.0, 0.0, 0.0, 0.0])
    );
    command(&mut window, "play.restart");
    window.run_steps(20);
    let player = state(&window).player();
    let word = player.effect().unwrap().emitters[0]
        .layout
        .get("heat")
        .unwrap()
        .word as usize;
    let live = player.live(Driver::Cpu).unwrap();
    assert!(live.len() > 3);
    assert!(live.iter().all(|p| f32::from_bits(p.record[word]) == 7.0));

    click(&mut window, Role::Button, "Field heat · usual default");
    assert_eq!(field(&window, "heat").unwrap().default, None);
    command(&mut window, "edit.undo");
    assert!(field(&window, "heat").unwrap().default.is_some());

    // Where particles start at the emitter, a number would say less.
    window.get_by_label("Field position · more").click();
    window.run_steps(2);
    assert!(
        window
            .query_by_role_and_label(Role::SpinButton, "Field position · default x")
            .is_none()
    );
    click(&mut window, Role::Button, "Field position · set default");
    assert_eq!(field(&window, "position").unwrap().default, Some([0.0; 4]));
    window.run_steps(2);
    assert!(
        window
            .query_by_role_and_label(Role::SpinButton, "Field position · default x")
            .is_some()
    );
}

#[test]
fn emitter_field_is_added_scrubbed_and_kept_while_a_node_reads_it() {
    let mut window = high();
    window.get_by_label("Emitter fields").click();
    window.run_steps(3);
    type_into(&mut window, Role::TextInput, "New emitter field · name", "gust");
    let field = |window: &Window| emitter(window).emitter_fields().first().cloned();
    assert_eq!(field(&window).unwrap().name, "gust");
    assert_eq!(last_step(&window), "Add emitter field gust");
    type_into(&mut window, Role::SpinButton, "Emitter field gust · value", "2.5");
    assert_eq!(field(&window).unwrap().default.unwrap()[0], 2.5);
    type_into(&mut window, Role::TextInput, "New emitter field · name", "gust");
    assert!(said(&window).contains("already"), "{}", said(&window));
    act(&mut window, Action::Dismiss);

    let read = mote::base::id::Id::new("read").unwrap();
    let node = Node::new(read, "emitter_field").set("field", "gust");
    let edit = Edit::AddNode {
        emitter: emitter(&window).id().clone(),
        flow: mote::base::diag::FlowKind::EveryFrame,
        node: Box::new(node),
        index: None,
        position: [0.0; 2],
    };
    let label = "Add".to_owned();
    act(
        &mut window,
        Action::Step {
            label,
            edits: vec![edit],
        },
    );
    click(&mut window, Role::Button, "Emitter field gust · remove");
    assert!(field(&window).is_some(), "a node reads it");
    assert!(said(&window).contains("needed"), "{}", said(&window));
    act(&mut window, Action::Dismiss);
    command(&mut window, "edit.undo");
    click(&mut window, Role::Button, "Emitter field gust · remove");
    assert!(field(&window).is_none());
}
