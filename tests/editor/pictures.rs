//! The whole window as pictures, under `target/editor/`.

use std::path::PathBuf;

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use mote::editor::action::{Action, FileRequest, Selection};

use super::bench::*;

pub(crate) fn save(window: &mut Window, name: &str) -> image::RgbaImage {
    let picture = window.render().unwrap();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/editor");
    std::fs::create_dir_all(&folder).unwrap();
    picture.save(folder.join(format!("{name}.png"))).unwrap();
    picture
}

#[test]
fn window_shows_a_fire_that_burns() {
    let _turn = alone();
    let mut window = with_preset(window_on_gpu([1280.0, 800.0]), "fire");
    window.run_steps(60);
    let picture = save(&mut window, "fire");
    // The flame is the only thing that bright and that red.
    let viewport = window.get_by_role_and_label(Role::Canvas, "Viewport").rect();
    let inside = |x: u32, y: u32| viewport.contains(egui::pos2(x as f32, y as f32));
    let hot = picture
        .enumerate_pixels()
        .filter(|&(x, y, p)| inside(x, y) && p[0] > 200 && p[2] < 120)
        .count();
    assert!(hot > 200, "{hot} hot pixels");
}

#[test]
fn window_shows_a_block_in_the_inspector() {
    let _turn = alone();
    let mut window = with_preset(window_on_gpu([1280.0, 800.0]), "water_jet");
    let (_, node) = node_of(&window, "velocity_cone");
    let emitter = emitter(&window).id().clone();
    let selection = Selection {
        emitter: Some(emitter),
        nodes: [node].into(),
    };
    act(&mut window, Action::Select(selection));
    window.run_steps(60);
    save(&mut window, "block");
}

#[test]
fn window_shows_both_drivers_side_by_side() {
    let _turn = alone();
    let mut window = with_preset(window_on_gpu([1280.0, 800.0]), "sparkles");
    command(&mut window, "play.split");
    window.run_steps(30);
    save(&mut window, "split");
}

#[test]
fn window_shows_an_empty_document() {
    let _turn = alone();
    let mut window = window_on_gpu([1280.0, 800.0]);
    command(&mut window, "file.new");
    window.run_steps(3);
    save(&mut window, "empty");
}

#[test]
fn window_is_legible_in_the_light_theme() {
    let _turn = alone();
    let mut window = with_preset(window_on_gpu([1280.0, 800.0]), "bonfire");
    command(&mut window, "view.light");
    window.run_steps(60);
    save(&mut window, "light");
}

#[test]
fn window_shows_a_problem_and_plays_on() {
    let _turn = alone();
    let mut window = with_preset(window_on_gpu([1280.0, 800.0]), "smoke");
    window.run_steps(30);
    super::problems::break_it(&mut window);
    window.run_steps(30);
    save(&mut window, "problem");
}

#[test]
fn window_shows_menus_and_bursts() {
    let _turn = alone();
    let mut window = with_preset(window_on_gpu([1280.0, 800.0]), "explosion");
    window.run_steps(20);
    click(&mut window, Role::Button, "Edit");
    window.run_steps(20);
    save(&mut window, "menu");
}

/// Every preset fills a good part of the viewport without being cropped to nothing.
#[test]
fn presets_are_in_the_picture_when_they_open() {
    let _turn = alone();
    let mut window = window_on_gpu([1280.0, 800.0]);
    for preset in mote::document::presets::presets() {
        act(
            &mut window,
            Action::File(FileRequest::New(preset.name.to_owned())),
        );
        window.run_steps(75);
        save(&mut window, &format!("preset_{}", preset.name));
        let camera = state(&window).camera();
        assert!(
            camera.distance < 40.0 && camera.target.is_finite(),
            "{}",
            preset.name
        );
        assert!(state(&window).player().alive().unwrap() > 5, "{}", preset.name);
    }
}
