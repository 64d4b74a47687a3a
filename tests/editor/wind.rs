//! The preview's wind: a view that Wind blocks feel.

use std::sync::Arc;

use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use mote::base::diag::FlowKind;
use mote::base::id::Id;
use mote::document::Edit;
use mote::editor::action::{Action, FileRequest};
use mote::graph::Node;
use mote::play::Driver;
use mote::vm::wind::Gust;

use super::bench::*;

/// Adds a Wind block to the selected emitter.
fn add_wind(window: &mut Window) {
    let edit = Edit::AddNode {
        emitter: emitter(window).id().clone(),
        flow: FlowKind::EveryFrame,
        node: Box::new(Node::new(Id::new("breeze").unwrap(), "wind")),
        index: None,
        position: [0.0, 900.0],
    };
    let label = "Add Wind".to_owned();
    act(
        window,
        Action::Step {
            label,
            edits: vec![edit],
        },
    );
}

/// Where particles are along x, on average.
fn mean_x(window: &Window) -> f32 {
    let player = state(window).player();
    let word = player.effect().unwrap().emitters[0]
        .layout
        .get("position")
        .unwrap()
        .word as usize;
    let live = player.live(Driver::Cpu).unwrap();
    assert!(live.len() > 5);
    let sum: f32 = live.iter().map(|p| f32::from_bits(p.record[word])).sum();
    sum / live.len() as f32
}

#[test]
fn preview_wind_blows_particles_of_a_wind_block_and_is_no_edit() {
    let mut window = with_preset(window(), "fire");
    add_wind(&mut window);
    window.run_steps(60);
    let still = mean_x(&window);
    let (before, document) = (steps(&window), state(&window).document().clone());

    click(&mut window, Role::Button, "Preview wind");
    window.run_steps(3);
    type_into(&mut window, Role::SpinButton, "Wind x", "12");
    assert_eq!(state(&window).wind().uniform, [12.0, 0.0, 0.0]);
    window.run_steps(60);
    let blown = mean_x(&window);
    assert!(blown > still + 0.2, "{still} then {blown}");
    assert_eq!(steps(&window), before);
    assert_eq!(*state(&window).document(), document);

    // Undo is not about it, and a restart or another document keeps it.
    command(&mut window, "edit.undo");
    command(&mut window, "edit.redo");
    command(&mut window, "play.restart");
    window.run_steps(60);
    assert!(mean_x(&window) > still + 0.2);
    act(&mut window, Action::File(FileRequest::New("smoke".to_owned())));
    act(&mut window, Action::Answer(mote::editor::action::Answer::Discard));
    assert_eq!(state(&window).document().name(), "Smoke");
    add_wind(&mut window);
    window.run_steps(60);
    assert!(mean_x(&window) > still + 0.2);
    assert_eq!(state(&window).wind().uniform, [12.0, 0.0, 0.0]);
}

#[test]
fn preview_wind_is_dragged_taken_back_and_stilled() {
    let mut window = with_preset(window(), "fire");
    window.run_steps(2);
    click(&mut window, Role::Button, "Preview wind");
    window.run_steps(3);
    let start = window
        .get_by_role_and_label(Role::SpinButton, "Wind z")
        .rect()
        .center();
    drag(&mut window, "Wind z", 30.0);
    let wind = state(&window).wind().uniform;
    assert!(wind[2] > 1.0, "{wind:?}");
    window.drag_at(start);
    window.step();
    window.hover_at(start + egui::vec2(40.0, 0.0));
    window.step();
    window.step();
    assert_ne!(state(&window).wind().uniform, wind);
    window.key_press(Key::Escape);
    window.run_steps(2);
    assert_eq!(state(&window).wind().uniform, wind);
    window.drop_at(start);
    window.run_steps(2);
    if window
        .query_by_role_and_label(Role::Button, "Still air")
        .is_none()
    {
        click(&mut window, Role::Button, "Preview wind");
        window.run_steps(3);
    }
    type_into(&mut window, Role::SpinButton, "Wind z", "900");
    assert_eq!(state(&window).wind().uniform, wind);
    assert!(said(&window).contains("-50 to 50"), "{}", said(&window));
    click(&mut window, Role::Button, "Still air");
    assert_eq!(state(&window).wind().uniform, [0.0; 3]);
    assert_eq!(steps(&window), 0);
}

#[test]
fn preview_wind_has_gusts_and_vortices_that_are_added_changed_and_removed() {
    let mut window = with_preset(window(), "fire");
    add_wind(&mut window);
    window.run_steps(60);
    let (before, still) = (steps(&window), mean_x(&window));
    click(&mut window, Role::Button, "Preview wind");
    window.run_steps(3);
    click(&mut window, Role::Button, "Add gust");
    window.run_steps(3);
    assert_eq!(state(&window).wind().gusts, [Gust::default()]);
    type_into(&mut window, Role::SpinButton, "Gust 1 strength", "20");
    type_into(&mut window, Role::SpinButton, "Gust 1 length", "100");
    let gust = state(&window).wind().gusts[0];
    assert_eq!((gust.strength, gust.length), (20.0, 1.0));
    assert!(!state(&window).wind().is_steady());
    // It reaches the particles, and is baked anew as time goes on.
    let air = |window: &Window| state(window).player().wind().cloned().unwrap();
    window.run_steps(40);
    let first = air(&window);
    window.run_steps(20);
    assert_ne!(first, air(&window));
    assert!(mean_x(&window) > still + 0.2);

    // A drag that is taken back leaves all as it was.
    let kept = state(&window).wind().clone();
    let start = window
        .get_by_role_and_label(Role::SpinButton, "Gust 1 travel")
        .rect()
        .center();
    window.drag_at(start);
    window.step();
    window.hover_at(start + egui::vec2(30.0, 0.0));
    window.step();
    window.step();
    assert_ne!(*state(&window).wind(), kept);
    window.key_press(Key::Escape);
    window.run_steps(2);
    assert_eq!(*state(&window).wind(), kept);
    window.drop_at(start);
    window.run_steps(2);
    if window
        .query_by_role_and_label(Role::Button, "Add vortex")
        .is_none()
    {
        click(&mut window, Role::Button, "Preview wind");
        window.run_steps(3);
    }

    click(&mut window, Role::Button, "Remove gust 1");
    window.run_steps(3);
    assert!(state(&window).wind().is_still());
    click(&mut window, Role::Button, "Add vortex");
    window.run_steps(3);
    type_into(&mut window, Role::SpinButton, "Vortex 1 swirl", "9");
    assert_eq!(state(&window).wind().vortices[0].swirl, 9.0);
    window.run_steps(2);
    let first = air(&window);
    window.run_steps(20);
    assert!(Arc::ptr_eq(&first, &air(&window)), "a steady wind is baked once");
    click(&mut window, Role::Button, "Still air");
    assert!(state(&window).wind().vortices.is_empty());
    assert_eq!(steps(&window), before, "it is a view");
}

#[test]
fn window_shows_the_wind_that_blows() {
    let _turn = alone();
    let mut window = with_preset(window_on_gpu([1280.0, 800.0]), "smoke");
    add_wind(&mut window);
    click(&mut window, Role::Button, "Preview wind");
    window.run_steps(3);
    type_into(&mut window, Role::SpinButton, "Wind x", "4.5");
    click(&mut window, Role::Button, "Add gust");
    // The list grows to its height over some frames, and the button moves with it.
    window.run_steps(30);
    click(&mut window, Role::Button, "Add vortex");
    window.run_steps(90);
    assert_eq!(state(&window).wind().vortices.len(), 1);
    super::pictures::save(&mut window, "wind");
}
