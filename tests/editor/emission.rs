//! Emission settings, from the inspector to the emitter.

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use mote::artifact::SeedMode;

use super::bench::*;

fn emission(window: &Window) -> mote::artifact::Emission {
    emitter(window).emission().clone()
}

#[test]
fn inspector_changes_every_emission_setting_in_one_step_each() {
    let _turn = alone();
    let mut window = with_preset(window_on_gpu([1280.0, 1600.0]), "fire");
    window.run_steps(3);
    let numbers = ["Per metre", "Inherit", "Time scale", "Catch-up"];
    for (done, label) in numbers.into_iter().enumerate() {
        drag(&mut window, label, 30.0);
        assert_eq!(steps(&window), done + 1, "{label}: {}", last_step(&window));
    }
    let e = emission(&window);
    assert!(e.rate_per_metre > 0.0 && e.inherit_velocity > 0.0);
    assert!(e.time_scale > 1.0 && e.max_catchup > 2.0);
    type_into(&mut window, Role::SpinButton, "Time scale", "-1");
    assert_eq!(emission(&window).time_scale, e.time_scale, "refused");
    choose(&mut window, "Seed mode", "New each loop");
    assert_eq!(emission(&window).seed_mode, SeedMode::Loop);
    click(&mut window, Role::CheckBox, "Sleeps");
    assert!(!emission(&window).culling);
    assert!(
        window
            .query_by_role_and_label(Role::SpinButton, "Catch-up")
            .is_none()
    );
    for _ in 0..6 {
        command(&mut window, "edit.undo");
    }
    assert_eq!(steps(&window), 0);
}

#[test]
fn inspector_makes_a_rate_of_keys_and_a_number_again() {
    let _turn = alone();
    let mut window = with_preset(window_on_gpu([1280.0, 1600.0]), "fire");
    window.run_steps(3);
    let rate = emission(&window).rate;
    click(&mut window, Role::Button, "Rate over time");
    assert_eq!(emission(&window).rate_keys.len(), 2);
    assert!(emission(&window).rate_keys.iter().all(|key| key.rate == rate));
    click(&mut window, Role::Button, "Add rate key");
    type_into(&mut window, Role::SpinButton, "Rate key 3 rate", "7");
    type_into(&mut window, Role::SpinButton, "Rate key 2 time", "99");
    let keys = emission(&window).rate_keys;
    assert_eq!((keys[2].rate, keys.len()), (7.0, 3));
    assert_eq!(keys[1].time, keys[2].time, "keys keep their order");
    window.run_steps(10);
    super::pictures::save(&mut window, "emission");
    click(&mut window, Role::Button, "Rate key 1 removal");
    click(&mut window, Role::Button, "Rate key 1 removal");
    assert_eq!(emission(&window).rate_keys.len(), 1);
    click(&mut window, Role::Button, "Steady rate");
    let e = emission(&window);
    assert_eq!((e.rate, e.rate_keys.len()), (7.0, 0));
    assert_eq!(steps(&window), 7);
}
