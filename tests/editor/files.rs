//! Documents: open, edit, undo, save, open again, export, and what is refused.

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use mote::artifact::Effect;
use mote::base::diag::FlowKind;
use mote::document::Edit;
use mote::document::file::load_from;
use mote::editor::action::{Action, Answer, FileRequest};
use mote::editor::state::Tone;
use mote::graph::{Node, Socket, registry};

use super::bench::*;

/// Adds a Turbulence-like block by search, drops a value node beside it and wires the two by hand.
fn add_by_search_and_wire(window: &mut Window) {
    act(window, Action::ShowFlow(FlowKind::EveryFrame));
    window.run_steps(2);
    click(window, Role::Button, "Add block to Every frame");
    window.event(egui::Event::Text("scale velocity".to_owned()));
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    window.run_steps(3);
    let (flow, block) = node_of(window, "scale_velocity");
    assert_eq!(flow, FlowKind::EveryFrame);
    assert_eq!(steps(window), 1);

    let value = state(window).document().fresh_id("age", 7);
    let at = emitter(window).flow(flow).layout.nodes[&block].position;
    let edit = Edit::AddNode {
        emitter: emitter(window).id().clone(),
        flow,
        node: Box::new(Node::new(value.clone(), "age_fraction")),
        index: None,
        position: [at[0] - 280.0, at[1]],
    };
    let label = "Add value".to_owned();
    let edits = vec![edit];
    act(window, Action::Step { label, edits });
    window.run_steps(2);
    let kind = registry().get("age_fraction").unwrap();
    let input = &registry().get("scale_velocity").unwrap().inputs[0].name;
    let canvas = window.state().panels().canvas();
    let socket = |port: &str, node| canvas.port_on_screen(&Socket::new(node, port)).unwrap();
    let from = socket(&kind.outputs[0].name, &value);
    let to = socket(input, &block);
    window.drag_at(from);
    window.step();
    for part in 1..=8 {
        window.hover_at(from.lerp(to, part as f32 / 8.0));
        window.step();
    }
    window.drop_at(to);
    window.run_steps(2);
    assert_eq!(
        emitter(window).flow(flow).source(&block, input).unwrap().node,
        value
    );
    assert_eq!(steps(window), 3);
}

fn steps(window: &Window) -> usize {
    state(window).history().past().count()
}

#[test]
fn preset_edit_undo_redo_save_reopen_gives_equal_documents() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fire.mote");
    let mut window = with_preset(window(), "fire");
    let before = state(&window).document().clone();

    window.run_steps(2);
    add_by_search_and_wire(&mut window);
    let wired = state(&window).document().clone();
    assert_ne!(before, wired);
    assert!(state(&window).problems().iter().all(|p| !p.is_error()));

    for _ in 0..3 {
        command(&mut window, "edit.undo");
    }
    assert_eq!(*state(&window).document(), before);
    assert!(!state(&window).history().is_dirty());
    for _ in 0..3 {
        command(&mut window, "edit.redo");
    }
    assert_eq!(*state(&window).document(), wired);
    assert!(state(&window).history().is_dirty());

    act(&mut window, Action::File(FileRequest::SaveTo(path.clone())));
    assert!(!state(&window).history().is_dirty());
    assert_eq!(load_from(&path).unwrap().document, wired);
    act(&mut window, Action::File(FileRequest::New("snow".to_owned())));
    act(&mut window, Action::File(FileRequest::Open(path.clone())));
    assert_eq!(*state(&window).document(), wired);
    assert_eq!(state(&window).path(), Some(path.as_path()));
    assert_eq!(state(&window).history().past().count(), 0);
}

#[test]
fn broken_file_leaves_the_open_document_and_names_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.mote");
    std::fs::write(&path, "{\n  \"mote\": \"document\",\n  \"version\": }").unwrap();
    let mut window = with_preset(window(), "fire");
    let before = state(&window).document().clone();
    act(&mut window, Action::File(FileRequest::Open(path)));
    assert_eq!(*state(&window).document(), before);
    let problem = state(&window).file_problem().expect("a problem");
    assert_eq!(problem.finding.place.line, Some(3));
    window.run_steps(2);
    assert!(names(&window).iter().any(|name| name.contains("line 3")));
    act(&mut window, Action::Dismiss);
    assert_eq!(state(&window).file_problem(), None);
}

#[test]
fn compiled_effect_is_not_opened_but_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fire.motefx");
    let mut window = with_preset(window(), "fire");
    act(&mut window, Action::File(FileRequest::ExportTo(path.clone())));
    let effect = Effect::load(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(effect.emitters.len(), 1);
    assert!(state(&window).path().is_none(), "an export is no save");

    act(&mut window, Action::File(FileRequest::Open(path)));
    let problem = &state(&window).file_problem().expect("a problem").finding;
    assert!(problem.message.contains("compiled"), "{}", problem.message);
    assert!(problem.help.as_ref().unwrap().contains(".mote"));
}

#[test]
fn failed_save_is_said_and_keeps_the_dirty_mark() {
    let mut window = with_preset(window(), "fire");
    command(&mut window, "emitter.add");
    let path = std::path::PathBuf::from("/nowhere/at/all/fire.mote");
    act(&mut window, Action::File(FileRequest::SaveTo(path)));
    assert!(state(&window).history().is_dirty());
    let message = state(&window).message().expect("a message");
    assert_eq!(message.tone, Tone::Failure);
    assert!(message.text.contains("could not be written"), "{}", message.text);
    assert!(state(&window).title().contains('•'));
}

#[test]
fn a_document_changed_by_another_program_is_not_written_over_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fire.mote");
    let mut window = with_preset(window(), "fire");
    let save = || Action::File(FileRequest::SaveTo(path.clone()));
    act(&mut window, save());
    command(&mut window, "emitter.add");
    std::fs::write(&path, "somebody else's work").unwrap();
    act(&mut window, save());
    let message = state(&window).message().expect("a message").text.clone();
    assert!(message.contains("changed by another program"), "{message}");
    assert!(state(&window).history().is_dirty());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "somebody else's work");
    // Told once, a second save is meant.
    act(&mut window, save());
    assert!(!state(&window).history().is_dirty());
    assert_eq!(load_from(&path).unwrap().document, *state(&window).document());
}

#[test]
fn documents_and_effects_keep_to_their_endings() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = with_preset(window(), "fire");
    let document = folder.path().join("rain.mote");
    std::fs::write(&document, "a document").unwrap();
    act(&mut window, Action::File(FileRequest::ExportTo(document.clone())));
    assert_eq!(state(&window).message().expect("a message").tone, Tone::Failure);
    assert_eq!(std::fs::read_to_string(&document).unwrap(), "a document");
    act(
        &mut window,
        Action::File(FileRequest::SaveTo(folder.path().join("fire.txt"))),
    );
    assert_eq!(state(&window).message().expect("a message").tone, Tone::Failure);
    assert!(!folder.path().join("fire.txt").exists());
}

#[test]
fn unsaved_changes_are_asked_about() {
    let mut window = with_preset(window(), "fire");
    command(&mut window, "emitter.add");
    let wired = state(&window).document().clone();
    command(&mut window, "file.new.snow");
    assert_eq!(*state(&window).document(), wired);
    click(&mut window, Role::Button, "Cancel");
    assert!(state(&window).waiting().is_none());
    assert_eq!(*state(&window).document(), wired);

    command(&mut window, "file.new.snow");
    click(&mut window, Role::Button, "Don't save");
    assert_eq!(state(&window).document().name(), "Snow");

    // Saving on the way out leaves.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("snow.mote");
    act(&mut window, Action::File(FileRequest::SaveTo(path)));
    command(&mut window, "emitter.add");
    command(&mut window, "file.quit");
    assert!(!state(&window).may_leave());
    act(&mut window, Action::Answer(Answer::Save));
    assert!(state(&window).may_leave());
    assert!(!state(&window).history().is_dirty());
}

#[test]
fn empty_document_offers_presets() {
    let mut window = window();
    command(&mut window, "file.new");
    window.run_steps(2);
    window.get_by_role_and_label(Role::Button, "Smoke");
    click(&mut window, Role::Button, "Fire");
    assert_eq!(state(&window).document().name(), "Fire");
    assert!(state(&window).effect().is_some());
}

#[test]
fn every_command_is_named_once_and_has_its_own_keys() {
    use mote::editor::commands::commands;
    let mut ids = std::collections::BTreeSet::new();
    let mut keys = Vec::new();
    for command in commands() {
        assert!(ids.insert(command.id), "{}", command.id);
        assert!(
            !command.hint.is_empty() && command.hint.ends_with('.'),
            "{}",
            command.id
        );
        for (key, _) in command.keys() {
            assert!(!keys.contains(&key), "{}: {key:?} is taken", command.id);
            keys.push(key);
        }
    }
}

#[test]
fn paths_are_typed_where_the_system_has_no_file_window() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("typed.mote");
    let mut window = with_preset(window(), "fire");
    window.state_mut().type_paths();
    command(&mut window, "emitter.add");
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::S);
    window.run_steps(3);
    let field = window.get_by_role_and_label(Role::TextInput, "Path");
    assert_eq!(field.value().as_deref(), Some("fire.mote"));
    assert!(field.is_focused());
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.event(egui::Event::Text(path.display().to_string()));
    window.step();
    window.key_press(egui::Key::Enter);
    window.run_steps(3);
    assert_eq!(state(&window).path(), Some(path.as_path()));
    assert!(path.exists() && !state(&window).history().is_dirty());

    command(&mut window, "file.export");
    click(&mut window, Role::Button, "Cancel");
    assert!(state(&window).typing().is_none());
}

#[test]
fn another_tools_file_becomes_a_new_document_with_its_notes_in_the_status_line() {
    let folder = tempfile::tempdir().unwrap();
    let fire = include_str!("../fixtures/plist/fire.plist");
    let path = folder.path().join("torch.plist");
    std::fs::write(&path, fire).unwrap();
    let mut window = with_preset(window(), "snow");
    act(&mut window, Action::File(FileRequest::Import(path.clone())));
    window.run_steps(2);
    assert_eq!(state(&window).document().name(), "torch");
    assert_eq!(state(&window).path(), None, "it has no file yet");
    assert!(state(&window).problems().iter().all(|p| !p.is_error()));
    let said = state(&window).message().unwrap();
    assert!(said.text.contains("sourcePositionx"), "{}", said.text);

    std::fs::write(&path, &fire[..200]).unwrap();
    act(&mut window, Action::File(FileRequest::Import(path)));
    window.run_steps(2);
    assert_eq!(state(&window).document().name(), "torch", "the open one stays");
    assert_eq!(state(&window).message().unwrap().tone, Tone::Failure);
}
