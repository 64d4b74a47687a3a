//! A document with an error keeps the last good version playing and shows where the error is.

use egui::accesskit::Role;
use mote::base::diag::FlowKind;
use mote::document::Edit;
use mote::editor::action::{Action, Selection};
use mote::graph::Node;

use super::bench::*;

/// Adds a value node of a kind that reads a field nobody has, and a block that needs it.
pub(crate) fn break_it(window: &mut Window) -> mote::base::id::Id {
    let emitter = emitter(window).id().clone();
    let id = state(window).document().fresh_id("broken", 1);
    let node = Node::new(id.clone(), "set_field").set("field", "nobody_has_this");
    act(
        window,
        Action::Step {
            label: "Break it".to_owned(),
            edits: vec![Edit::AddNode {
                emitter,
                flow: FlowKind::EveryFrame,
                node: Box::new(node),
                index: None,
                position: [0.0, 0.0],
            }],
        },
    );
    id
}

#[test]
fn error_keeps_the_last_good_version_playing_and_shows_the_problem() {
    let mut window = with_preset(window(), "fire");
    window.run_steps(30);
    let good = state(&window).effect().unwrap().clone();
    let time = state(&window).player().time();
    let node = break_it(&mut window);
    window.run_steps(30);

    let error = state(&window).live().errors().next().expect("an error").clone();
    assert_eq!(error.place.node.first(), Some(&node));
    assert!(state(&window).live().behind);
    assert_eq!(*state(&window).effect().unwrap(), good);
    assert!(state(&window).player().time() > time + 0.3);
    assert!(state(&window).player().alive().unwrap() > 10);

    // The list names it; a click goes there.
    act(&mut window, Action::Select(Selection::default()));
    window.run_steps(2);
    let row = names(&window)
        .into_iter()
        .find(|name| name.contains(&error.message))
        .expect("the problem is listed");
    click(&mut window, Role::Button, &row);
    assert_eq!(state(&window).selection().nodes, [node].into());
    assert_eq!(state(&window).flow(), FlowKind::EveryFrame);

    command(&mut window, "edit.undo");
    assert!(!state(&window).live().behind);
    assert_eq!(state(&window).live().errors().count(), 0);
}

#[test]
fn export_is_refused_while_there_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fire.motefx");
    let mut window = with_preset(window(), "fire");
    break_it(&mut window);
    act(
        &mut window,
        Action::File(mote::editor::action::FileRequest::ExportTo(path.clone())),
    );
    assert!(!path.exists());
    assert!(state(&window).message().unwrap().text.contains("problems"));
}
