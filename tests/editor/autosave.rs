//! What is not saved is kept aside, and found again after a window that did not end as it should.

use std::path::Path;

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use mote::document::file::{backup_of, load_from, save};
use mote::document::{Document, Edit};
use mote::editor::action::{Action, FileRequest};
use mote::editor::autosave::{INTERVAL, orphans};

use super::bench::*;

fn rename(window: &mut Window, name: &str) {
    act(
        window,
        Action::Step {
            label: "Rename".to_owned(),
            edits: vec![Edit::SetName {
                name: name.to_owned(),
            }],
        },
    );
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A window that keeps copies in a folder, after its copy was made.
fn edited(folder: &Path, path: Option<&Path>) -> Window {
    let mut window = window();
    window.state_mut().keep_copies(folder);
    match path {
        Some(path) => act(&mut window, Action::File(FileRequest::Open(path.to_owned()))),
        None => act(&mut window, Action::File(FileRequest::New("fire".to_owned()))),
    }
    rename(&mut window, "Hearth");
    window.run_steps((INTERVAL * 60.0) as usize + 5);
    window
}

/// A window that is gone without having been closed: its lock is free, its files are there.
fn killed(folder: &Path, window: Window) {
    let kept = tempfile::tempdir().unwrap();
    for name in names(folder) {
        std::fs::copy(folder.join(&name), kept.path().join(&name)).unwrap();
    }
    drop(window);
    for name in names(kept.path()) {
        std::fs::copy(kept.path().join(&name), folder.join(&name)).unwrap();
    }
}

#[test]
fn autosave_leaves_nothing_where_everything_is_saved_or_closed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fire.mote");
    let copies = folder.path().join("copies");
    let mut window = edited(&copies, None);
    assert_eq!(names(&copies).len(), 3, "{:?}", names(&copies));
    assert!(orphans(&copies).is_empty(), "its window is there");
    act(&mut window, Action::File(FileRequest::SaveTo(path)));
    window.run_steps(3);
    assert_eq!(names(&copies).len(), 1, "only the lock");
    rename(&mut window, "Pyre");
    window.run_steps((INTERVAL * 60.0) as usize + 5);
    assert_eq!(names(&copies).len(), 3);
    drop(window);
    assert_eq!(names(&copies).len(), 0, "closed");
}

#[test]
fn autosave_of_a_killed_window_is_offered_and_recovered_as_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fire.mote");
    let copies = folder.path().join("copies");
    std::fs::write(&path, save(&mote::document::presets::preset("fire").unwrap())).unwrap();
    let window = edited(&copies, Some(&path));
    killed(&copies, window);
    assert_eq!(
        load_from(&path).unwrap().document.name(),
        "Fire",
        "its file was not touched"
    );
    let left = orphans(&copies);
    assert_eq!((left.len(), left[0].name.as_str()), (1, "Hearth"));

    let mut next = super::bench::window();
    next.state_mut().keep_copies(&copies);
    next.run_steps(2);
    assert!(next.query_by_label("Recover Hearth?").is_some());
    click(&mut next, Role::Button, "Recover");
    next.run_steps(2);
    assert_eq!(state(&next).document().name(), "Hearth");
    assert!(state(&next).history().is_dirty());
    assert_eq!(state(&next).path(), Some(path.as_path()));
    assert!(orphans(&copies).is_empty(), "this window has it now");
    assert_eq!(names(&copies).len(), 3);
    act(&mut next, Action::File(FileRequest::SaveTo(path.clone())));
    assert_eq!(load_from(&path).unwrap().document.name(), "Hearth");
    assert_eq!(
        load_from(&backup_of(&path)).unwrap().document.name(),
        "Fire",
        "one backup"
    );
}

#[test]
fn autosave_left_behind_can_wait_or_go() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let window = edited(folder.path(), None);
        killed(folder.path(), window);
    }
    assert_eq!(orphans(folder.path()).len(), 2);
    let mut next = window();
    next.state_mut().keep_copies(folder.path());
    next.run_steps(2);
    click(&mut next, Role::Button, "Not now");
    next.run_steps(2);
    click(&mut next, Role::Button, "Discard");
    next.run_steps(2);
    assert!(next.query_by_label("Recover Hearth?").is_none());
    assert_eq!(orphans(folder.path()).len(), 1);
    // A copy that is damaged stays where it is.
    std::fs::write(&orphans(folder.path())[0].copy, "{").unwrap();
    let mut last = window();
    last.state_mut().keep_copies(folder.path());
    last.run_steps(2);
    click(&mut last, Role::Button, "Recover");
    last.run_steps(2);
    assert_eq!(state(&last).document(), &Document::new("Untitled"));
    assert_eq!(orphans(folder.path()).len(), 1);
}
