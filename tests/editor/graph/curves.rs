//! Curves and gradients in their popups.

use super::host::*;
use egui::{Key, Pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use mote::base::curve::{Curve, Ends, Gradient, Interpolation};
use mote::graph::InputMode;

const CURVE: &str = "Size over life · scale curve";
const GRADIENT: &str = "Colour over life · colour gradient";

fn at(window: &Window, label: &str) -> Pos2 {
    window.get_by_label(label).rect().center()
}

fn named(what: &str, part: &str) -> String {
    format!("{what} {part}")
}

fn opened(label: &str) -> Window {
    let mut window = window_with(Host::new(preset("bonfire")), 1000.0, 1000.0);
    click_label(&mut window, label);
    window
}

fn curve(window: &Window) -> Curve {
    match window.state().input("size", "scale") {
        Some(InputMode::Curve(curve) | InputMode::SpeedCurve { curve, .. }) => curve,
        other => panic!("{other:?}"),
    }
}

fn gradient(window: &Window) -> Gradient {
    match window.state().input("color", "color") {
        Some(InputMode::Gradient(gradient)) => gradient,
        other => panic!("{other:?}"),
    }
}

fn selected(window: &Window, label: &str) -> bool {
    window.get_by_label(label).accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
}

fn choose(window: &mut Window, label: &str, choice: &str) {
    click_label(window, label);
    window.get_by_label(choice).click();
    window.run_steps(4);
}

fn typed(window: &mut Window, label: &str, new: &str) {
    click_label(window, label);
    text(window, new);
    window.step();
    window.key_press(Key::Enter);
    window.run_steps(2);
}

#[test]
fn case_b21_a_key_dragged_past_another_and_back_stays_selected_in_one_step() {
    let mut window = opened(CURVE);
    for part in [0.5, 0.7] {
        let ground = window.get_by_label(&named(CURVE, "ground")).rect();
        let place = ground.min + ground.size() * vec2(part, 0.3);
        double_click(&mut window, place);
        window.run_steps(8);
    }
    let before = curve(&window);
    assert_eq!(before.keys().len(), 4, "{before:?}");
    let steps = window.state().steps().len();
    let [second, third] = ["key 2", "key 3"].map(|key| at(&window, &named(CURVE, key)));
    let reach = vec2(third.x - second.x + 40.0, 0.0);
    hold(&mut window, &[second, second + reach * 0.5, second + reach]);
    let past = curve(&window);
    assert_eq!(past.keys().len(), 4);
    assert!(selected(&window, &named(CURVE, "key 3")), "it is the third now");
    assert!(past.keys()[2].t > before.keys()[2].t && past.keys()[1] == before.keys()[2]);
    // What else is drawn stays where it was under the pointer.
    assert_eq!(at(&window, &named(CURVE, "key 2")), third);
    window.hover_at(second);
    window.run_steps(2);
    assert!(selected(&window, &named(CURVE, "key 2")));
    window.hover_at(second + vec2(6.0, 0.0));
    window.run_steps(2);
    release(&mut window, second + vec2(6.0, 0.0));
    assert!(selected(&window, &named(CURVE, "key 2")));
    assert_eq!(curve(&window).keys()[2], before.keys()[2]);
    assert_eq!(window.state().steps().len(), steps + 1);
    window.state_mut().history.undo();
    assert_eq!(curve(&window), before);
}

#[test]
fn delete_removes_the_selected_key_and_not_the_node() {
    let mut window = opened(CURVE);
    window.state_mut().select(&["size"]);
    let count = curve(&window).keys().len();
    let first = at(&window, &named(CURVE, "key 1"));
    click(&mut window, first);
    window.key_press(Key::Delete);
    window.run_steps(3);
    assert_eq!(curve(&window).keys().len(), count - 1);
    for _ in 0..count {
        window.key_press(Key::Delete);
        window.run_steps(3);
    }
    assert_eq!(curve(&window).keys().len(), 1);
    assert_eq!(
        window.state().said.first().map(String::as_str),
        Some("A curve needs at least one key.")
    );
    // While a number is typed the key is the text's.
    click_label(&mut window, &named(CURVE, "key value"));
    window.key_press(Key::Delete);
    window.run_steps(2);
    assert!(window.state().flow().node(&id("size")).is_some());
}

#[test]
fn bezier_handles_are_dragged_and_typed_and_ends_loop() {
    let mut window = opened(CURVE);
    let first = at(&window, &named(CURVE, "key 1"));
    click(&mut window, first);
    click_label(&mut window, &named(CURVE, "bézier"));
    assert_eq!(curve(&window).keys()[0].interpolation, Interpolation::Bezier);
    let before = curve(&window).keys()[0].tangent_out;
    let steps = window.state().steps().len();
    let handle = at(&window, &named(CURVE, "handle out"));
    drag(
        &mut window,
        &[handle, handle - vec2(0.0, 20.0), handle - vec2(0.0, 45.0)],
    );
    assert!(curve(&window).keys()[0].tangent_out > before);
    assert_eq!(window.state().steps().len(), steps + 1);
    typed(&mut window, &named(CURVE, "slope out"), "2.5");
    assert_eq!(curve(&window).keys()[0].tangent_out, 2.5);
    click_label(&mut window, &named(CURVE, "ends loop"));
    assert_eq!(curve(&window).ends(), Ends::Loop);
    let handle = at(&window, &named(CURVE, "handle out"));
    hold(&mut window, &[handle, handle + vec2(0.0, 30.0)]);
    window.key_press(Key::Escape);
    window.run_steps(2);
    release(&mut window, handle);
    assert_eq!(curve(&window).keys()[0].tangent_out, 2.5);
}

#[test]
fn a_curve_goes_over_speed_with_its_range_and_keeps_its_shape() {
    let mut window = window_with(Host::new(preset("bonfire")), 1000.0, 1000.0);
    let before = curve(&window);
    click_label(&mut window, "Size over life · scale mode");
    window.get_by_label("Curve over speed").click();
    window.run_steps(4);
    assert_eq!(curve(&window), before);
    click_label(&mut window, CURVE);
    typed(&mut window, &named(CURVE, "second speed"), "4");
    let Some(InputMode::SpeedCurve { range, .. }) = window.state().input("size", "scale") else {
        panic!()
    };
    assert_eq!(range, [0.0, 4.0]);
    assert!(window.state().compiled.effect.is_some());
}

#[test]
fn a_gradient_has_opacities_of_its_own_stops_and_steps() {
    let mut window = opened(GRADIENT);
    let before = gradient(&window);
    typed(&mut window, &named(GRADIENT, "intensity"), "3");
    assert_eq!(gradient(&window).keys()[0].stops, 3.0);
    click_label(&mut window, &named(GRADIENT, "constant"));
    assert_eq!(gradient(&window).keys()[0].interpolation, Interpolation::Constant);
    click_label(&mut window, &named(GRADIENT, "opacity own keys"));
    let own = gradient(&window);
    assert_eq!(own.alphas().len(), before.keys().len());
    assert!(window.query_by_label(&named(GRADIENT, "opacity bar")).is_none());
    for t in [0.1, 0.5, 0.95] {
        assert_eq!(own.channels()[3].eval(t), {
            let with_colors = own.clone().with_alphas(vec![]).unwrap();
            with_colors.channels()[3].eval(t)
        });
    }
    let second = at(&window, &named(GRADIENT, "opacity 2"));
    drag(
        &mut window,
        &[second, second + vec2(10.0, 0.0), second + vec2(24.0, 0.0)],
    );
    assert!(selected(&window, &named(GRADIENT, "opacity 2")));
    assert!(gradient(&window).alphas()[1].t > own.alphas()[1].t);
    assert_eq!(gradient(&window).keys(), own.keys());
    typed(&mut window, &named(GRADIENT, "opacity value"), "0.25");
    assert_eq!(gradient(&window).alphas()[1].alpha, 0.25);
    window.key_press(Key::Delete);
    window.run_steps(3);
    assert_eq!(gradient(&window).alphas().len(), own.alphas().len() - 1);
    click_label(&mut window, &named(GRADIENT, "ends loop"));
    assert_eq!(gradient(&window).ends(), Ends::Loop);
    click_label(&mut window, &named(GRADIENT, "opacity with colours"));
    assert!(gradient(&window).alphas().is_empty());
    assert!(window.state().refused.is_empty());
}

#[test]
fn a_curve_node_shows_a_curve_for_each_part() {
    let mut window = window(document(&[("ramp", "curve", [0.0, 0.0])]));
    assert!(window.query_by_label("Curve · curve_y").is_none());
    choose(&mut window, "Curve · type", "3-vector");
    assert!(window.query_by_label("Curve · curve_z").is_some());
    assert!(window.query_by_label("Curve · curve_w").is_none());
}
