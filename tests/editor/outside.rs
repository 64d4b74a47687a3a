//! A document's file that another program writes.

use std::path::Path;

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use mote::document::Edit;
use mote::document::file::{load_from, save};
use mote::document::presets::preset;
use mote::editor::action::{Action, FileRequest};

use super::bench::*;

fn opened(path: &Path) -> Window {
    std::fs::write(path, save(&preset("fire").unwrap())).unwrap();
    let mut window = window();
    act(&mut window, Action::File(FileRequest::Open(path.to_owned())));
    window
}

fn rename(window: &mut Window, name: &str) {
    let name = name.to_owned();
    let label = "Rename".to_owned();
    let edits = vec![Edit::SetName { name }];
    act(window, Action::Step { label, edits });
}

/// What the watch of the file does when it sees something.
fn touched(window: &mut Window) {
    window.state_mut().state_mut().look_at_disk();
    window.run_steps(2);
}

#[test]
fn case_b34_a_file_changed_outside_is_followed_where_nothing_is_unsaved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mote");
    let mut window = opened(&path);
    touched(&mut window);
    assert_eq!(steps(&window), 0, "its own file as it is");
    std::fs::write(&path, save(&preset("smoke").unwrap())).unwrap();
    touched(&mut window);
    assert_eq!(state(&window).document().name(), "Smoke");
    assert!(!state(&window).history().is_dirty());
    assert!(state(&window).live().errors().next().is_none());
    command(&mut window, "edit.undo");
    assert_eq!(state(&window).document().name(), "Fire");
    assert!(state(&window).history().is_dirty());
    // Half a file is somebody still writing.
    command(&mut window, "edit.redo");
    std::fs::write(&path, "{\"mote\": \"docu").unwrap();
    touched(&mut window);
    assert_eq!(state(&window).document().name(), "Smoke");
    std::fs::write(&path, save(&preset("rain").unwrap())).unwrap();
    touched(&mut window);
    assert_eq!(state(&window).document().name(), "Rain");
}

#[test]
fn case_b34_unsaved_changes_are_kept_or_given_up_by_choice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mote");
    for keep in [true, false] {
        let mut window = opened(&path);
        rename(&mut window, "Hearth");
        std::fs::write(&path, save(&preset("smoke").unwrap())).unwrap();
        touched(&mut window);
        assert_eq!(
            state(&window).document().name(),
            "Hearth",
            "nothing happens unasked"
        );
        click(
            &mut window,
            Role::Button,
            if keep { "Keep mine" } else { "Load the file" },
        );
        window.run_steps(2);
        assert!(window.query_by_label("Keep mine").is_none());
        if keep {
            assert!(state(&window).history().is_dirty());
            act(&mut window, Action::File(FileRequest::SaveTo(path.clone())));
            assert_eq!(load_from(&path).unwrap().document.name(), "Hearth");
        } else {
            assert_eq!(state(&window).document().name(), "Smoke");
            command(&mut window, "edit.undo");
            assert_eq!(state(&window).document().name(), "Hearth");
        }
    }
}

#[test]
fn case_b34_a_file_that_is_gone_leaves_the_document_unsaved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mote");
    let mut window = opened(&path);
    std::fs::remove_file(&path).unwrap();
    touched(&mut window);
    assert!(state(&window).history().is_dirty());
    act(&mut window, Action::File(FileRequest::SaveTo(path.clone())));
    assert_eq!(load_from(&path).unwrap().document.name(), "Fire");
    assert!(!state(&window).history().is_dirty());
}
