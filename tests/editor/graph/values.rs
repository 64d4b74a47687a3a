//! Numbers, colours, modes.

use super::host::*;
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use mote::base::diag::FlowKind;
use mote::graph::InputMode;

fn at(window: &Window, label: &str) -> egui::Pos2 {
    window.get_by_label(label).rect().center()
}

/// Opens a number by a click and replaces its text.
fn typed(window: &mut Window, label: &str, new: &str) {
    click_label(window, label);
    assert!(window.get_by_label(label).is_focused());
    text(window, new);
    window.step();
}

#[test]
fn case_b27_a_drag_is_one_step_and_two_drags_are_two() {
    let mut window = window(preset("fire"));
    let from = at(&window, "Drag · drag value");
    let path = [
        from,
        from + vec2(20.0, 0.0),
        from + vec2(50.0, 0.0),
        from + vec2(80.0, 0.0),
    ];
    drag(&mut window, &path);
    assert_eq!(window.state().steps(), ["Change drag of Drag"]);
    let Some(InputMode::Value(value)) = window.state().input("drag", "drag") else {
        panic!()
    };
    assert!(value.lane(0) > 0.3, "{value:?}");
    drag(&mut window, &path);
    assert_eq!(window.state().steps().len(), 2);
    // Out of reach of its least value, and back: the same value again is no step.
    let lower = [from, from - vec2(300.0, 0.0)];
    drag(&mut window, &lower);
    drag(&mut window, &lower);
    assert_eq!(window.state().input("drag", "drag"), Some(InputMode::value(0.0)));
    assert_eq!(window.state().steps().len(), 3);
    assert!(window.state().refused.is_empty());
}

#[test]
fn escape_takes_a_drag_back() {
    let mut window = window(preset("fire"));
    let before = window.state().history.document().clone();
    let from = at(&window, "Gravity · acceleration x");
    hold(&mut window, &[from, from + vec2(60.0, 0.0)]);
    assert_ne!(*window.state().history.document(), before);
    window.key_press(Key::Escape);
    window.run_steps(2);
    release(&mut window, from + vec2(60.0, 0.0));
    assert_eq!(*window.state().history.document(), before);
    assert!(window.state().steps().is_empty());
}

#[test]
fn numbers_are_computed_and_a_decimal_comma_is_taken() {
    let mut window = window(preset("fire"));
    typed(&mut window, "Drag · drag value", "1/3");
    window.key_press(Key::Enter);
    window.run_steps(2);
    assert_eq!(
        window.state().input("drag", "drag"),
        Some(InputMode::value(1.0_f32 / 3.0))
    );
    assert_eq!(window.state().steps().len(), 1);
    typed(&mut window, "Drag · drag value", "0,2");
    // Leaving the field takes it as well.
    click(&mut window, egui::pos2(60.0, 740.0));
    assert_eq!(window.state().input("drag", "drag"), Some(InputMode::value(0.2)));
    assert_eq!(window.state().steps().len(), 2);
    typed(&mut window, "Gravity · acceleration y", "-2*pi");
    window.key_press(Key::Escape);
    window.run_steps(2);
    assert_eq!(window.state().steps().len(), 2);
    typed(&mut window, "Gravity · acceleration y", "sqrt(2)");
    window.key_press(Key::Enter);
    window.run_steps(2);
    let value = InputMode::value([0.0, std::f32::consts::SQRT_2, 0.0]);
    assert_eq!(window.state().input("gravity", "acceleration"), Some(value));
}

#[test]
fn angles_are_shown_and_typed_in_degrees() {
    let mut window = window(preset("fire"));
    window.state_mut().flow = FlowKind::Birth;
    window.run_steps(3);
    for (text, radians) in [
        ("30", 30.0_f32.to_radians()),
        ("45°", 45.0_f32.to_radians()),
        ("180/4", 45.0_f32.to_radians()),
    ] {
        typed(&mut window, "Velocity in a cone · angle value", text);
        window.key_press(Key::Enter);
        window.run_steps(2);
        assert_eq!(
            window.state().input("velocity", "angle"),
            Some(InputMode::value(radians)),
            "{text}"
        );
    }
}

#[test]
fn ends_of_a_random_angle_are_in_degrees_too() {
    let mut window = window(preset("smoke"));
    window.state_mut().flow = FlowKind::Birth;
    window.run_steps(3);
    typed(&mut window, "Spin · spin min value", "-90");
    window.key_press(Key::Enter);
    window.run_steps(2);
    let min = -90.0_f32.to_radians();
    assert_eq!(
        window.state().input("spin", "spin"),
        Some(InputMode::random(min, 2.0))
    );
}

#[test]
fn what_is_no_number_or_out_of_range_is_refused_with_a_sentence() {
    let mut window = window(preset("fire"));
    for (text, sentence) in [
        ("-1", "Drag takes 0 or more."),
        ("nan", "\"nan\" is no number."),
        ("1/0", "Nothing can be divided by 0."),
    ] {
        typed(&mut window, "Drag · drag value", text);
        window.key_press(Key::Enter);
        window.run_steps(2);
        assert_eq!(window.state().said.last().map(String::as_str), Some(sentence));
    }
    assert!(window.state().steps().is_empty());
    assert_eq!(window.state().input("drag", "drag"), Some(InputMode::value(0.2)));
}

#[test]
fn case_b27_keys_belong_to_the_field_while_typing() {
    let mut window = window(preset("fire"));
    window.state_mut().select(&["gravity", "drag"]);
    typed(&mut window, "Drag · drag value", "12");
    for key in [Key::Delete, Key::Backspace, Key::M, Key::F, Key::Home, Key::Space] {
        window.key_press(key);
        window.step();
    }
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.key_press_modifiers(Modifiers::COMMAND, Key::D);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(2);
    assert_eq!(window.state().flow().nodes().count(), 7);
    assert!(window.state().steps().is_empty());
    assert!(window.query_by_label("Search nodes").is_none());
}

#[test]
fn a_double_click_takes_the_default_back() {
    let mut window = window(preset("fire"));
    let place = at(&window, "Gravity · acceleration y");
    double_click(&mut window, place);
    window.run_steps(4);
    // All lanes are as the default has them, so nothing is set any more.
    assert_eq!(window.state().input("gravity", "acceleration"), None);
    assert_eq!(window.state().steps().len(), 1);
}

#[test]
fn a_mode_is_chosen_and_the_value_stays() {
    let mut window = window(preset("fire"));
    click_label(&mut window, "Gravity · acceleration mode");
    window.get_by_label("Random between").click();
    window.run_steps(4);
    let v = [0.0, 0.5, 0.0];
    assert_eq!(
        window.state().input("gravity", "acceleration"),
        Some(InputMode::random(v, v))
    );
    assert_eq!(window.state().steps(), ["Change acceleration of Gravity"]);
    // The taller node pushed the next one down if it had to; none covers another.
    assert!(node(&window, "gravity").bottom() < node(&window, "drag").top());
    typed(&mut window, "Gravity · acceleration max y", "3");
    window.key_press(Key::Enter);
    window.run_steps(2);
    let max = [0.0, 3.0, 0.0];
    assert_eq!(
        window.state().input("gravity", "acceleration"),
        Some(InputMode::random(v, max))
    );
    click_label(&mut window, "Gravity · acceleration mode");
    window.get_by_label("Back to the default").click();
    window.run_steps(4);
    assert_eq!(window.state().input("gravity", "acceleration"), None);
}

#[test]
fn a_curve_is_edited_in_its_popup() {
    let mut window = window(preset("bonfire"));
    click_label(&mut window, "Size over life · scale curve");
    let key = at(&window, "Size over life · scale curve key 2");
    drag(
        &mut window,
        &[key, key + vec2(-30.0, 30.0), key + vec2(-60.0, 60.0)],
    );
    assert_eq!(window.state().steps().len(), 1);
    let Some(InputMode::Curve(curve)) = window.state().input("size", "scale") else {
        panic!()
    };
    assert!(curve.keys()[1].t < 0.9 && curve.keys()[1].v < 0.9, "{curve:?}");
    window.get_by_label("Remove key").click();
    window.run_steps(3);
    let Some(InputMode::Curve(curve)) = window.state().input("size", "scale") else {
        panic!()
    };
    assert_eq!(curve.keys().len(), 1);
    window.get_by_label("Remove key").click();
    window.run_steps(3);
    assert_eq!(window.state().said, ["A curve needs at least one key."]);
}

#[test]
fn every_widget_has_a_name() {
    for flow in FlowKind::ALL {
        for name in ["fire", "bonfire"] {
            let mut host = Host::new(preset(name));
            host.flow = flow;
            host.list = true;
            let blocks: Vec<_> = host.flow().blocks.iter().map(|b| b.id.clone()).collect();
            host.selection.nodes = blocks.into_iter().collect();
            let window = window_with(host, 1200.0, 1400.0);
            named(&window);
        }
    }
}

fn named(window: &Window) {
    use egui::accesskit::Role;
    let mut count = 0;
    for node in window.root().children_recursive() {
        let node = node.accesskit_node();
        let role = node.role();
        let must = matches!(
            role,
            Role::Button
                | Role::SpinButton
                | Role::TextInput
                | Role::CheckBox
                | Role::ComboBox
                | Role::ColorWell
        );
        if must {
            count += 1;
            let label = node.label().or_else(|| node.value());
            assert!(label.is_some_and(|l| !l.is_empty()), "a nameless {role:?}");
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn picking_a_colour_is_one_step() {
    let mut host = Host::new(preset("fire"));
    host.flow = FlowKind::Birth;
    let mut window = window_with(host, 900.0, 1000.0);
    click_label(&mut window, "Colour · colour min colour");
    let hue = window.get_by_label("Colour · colour min colour hue").rect();
    let (left, right) = (hue.center(), hue.right_center() - vec2(20.0, 0.0));
    drag(&mut window, &[left, left + vec2(30.0, 0.0), right]);
    assert_eq!(window.state().steps(), ["Change colour of Colour"]);
    let Some(InputMode::Random { min, max }) = window.state().input("color", "color") else {
        panic!()
    };
    assert!(
        min.lane(0) > 0.9 && min.lane(1) < 0.1 && min.lane(2) > 0.1,
        "{min:?}"
    );
    assert_eq!(max.lane(1), 0.9);
    // Brighter than white, by its number.
    typed(&mut window, "Colour · colour min colour brightness", "4");
    window.key_press(Key::Enter);
    window.run_steps(2);
    let Some(InputMode::Random { min, .. }) = window.state().input("color", "color") else {
        panic!()
    };
    assert!((min.lane(0) - 4.0).abs() < 1e-3, "{min:?}");
    assert_eq!(window.state().steps().len(), 2);
}
