//! Parameters of the effect, from the inspector to the particles.

use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use mote::artifact::Parameter;
use mote::document::Edit;
use mote::editor::action::Action;
use mote::gpu::pipelines::pipeline_requests;
use mote::graph::{InputMode, Lanes, Socket};
use mote::layout::FieldType;
use mote::play::{Driver, SwapReport};

use super::bench::*;

/// A window high enough for the whole inspector.
fn high() -> Window {
    let mut window = with_preset(sized([1280.0, 1800.0]), "fire");
    window.run_steps(3);
    window
}

fn parameters(window: &Window) -> &[Parameter] {
    state(window).document().parameters()
}

/// Adds a parameter of a name.
fn add(window: &mut Window, name: &str) {
    click(window, Role::Button, "Add parameter");
    window.run_steps(3);
    // The name has the focus.
    type_over(window, name);
    assert_eq!(parameters(window).last().unwrap().name, name);
}

fn says(window: &Window, part: &str) -> bool {
    names(window).iter().any(|name| name.contains(part)) || window.query_by_label_contains(part).is_some()
}

#[test]
fn parameter_is_added_named_and_removed_and_each_is_one_step() {
    let mut window = high();
    assert!(says(&window, "Values that the game sets"));
    add(&mut window, "Wind strength");
    assert_eq!(steps(&window), 2);
    assert!(!says(&window, "Values that the game sets"));
    command(&mut window, "edit.undo");
    assert_eq!(parameters(&window)[0].name, "Parameter");
    command(&mut window, "edit.redo");
    click(&mut window, Role::Button, "Parameter Wind strength · remove");
    assert!(parameters(&window).is_empty());
    assert_eq!(last_step(&window), "Remove Wind strength");
    command(&mut window, "edit.undo");
    assert_eq!(parameters(&window)[0].name, "Wind strength");
    for _ in 0..2 {
        command(&mut window, "edit.undo");
    }
    assert!(parameters(&window).is_empty());
}

#[test]
fn refused_name_says_why_and_the_old_one_stays() {
    let mut window = high();
    add(&mut window, "Heat");
    add(&mut window, "Glow");
    let before = steps(&window);
    for (name, why) in [
        ("Heat", "Another parameter is called Heat. Choose another name."),
        ("   ", "A parameter needs a name."),
        ("", "A parameter needs a name."),
    ] {
        type_into(&mut window, Role::TextInput, "Parameter Glow · name", name);
        assert_eq!(said(&window), why);
        assert_eq!(parameters(&window)[1].name, "Glow");
        act(&mut window, Action::Dismiss);
    }
    click(&mut window, Role::TextInput, "Parameter Glow · name");
    window.event(egui::Event::Text("x".to_owned()));
    window.step();
    window.key_press(Key::Escape);
    window.run_steps(2);
    assert_eq!(parameters(&window)[1].name, "Glow");
    assert_eq!(steps(&window), before);
}

#[test]
fn type_range_and_unit_are_one_step_each() {
    let mut window = high();
    add(&mut window, "Push");
    type_into(&mut window, Role::SpinButton, "Parameter Push · default", "3");
    assert_eq!(parameters(&window)[0].default[0], 3.0);
    assert_eq!(last_step(&window), "Change default of Push");

    let before = steps(&window);
    click(&mut window, Role::CheckBox, "Parameter Push · range");
    assert_eq!(parameters(&window)[0].range, Some([0.0, 3.0]));
    type_into(&mut window, Role::SpinButton, "Parameter Push · range max", "2");
    assert_eq!(parameters(&window)[0].range, Some([0.0, 2.0]));
    assert_eq!(parameters(&window)[0].default[0], 2.0, "the value stays inside");
    type_into(&mut window, Role::SpinButton, "Parameter Push · range min", "5");
    assert_eq!(parameters(&window)[0].range, Some([5.0, 5.0]));
    command(&mut window, "edit.undo");
    assert_eq!(parameters(&window)[0].range, Some([0.0, 2.0]));
    type_into(&mut window, Role::SpinButton, "Parameter Push · default", "9");
    assert_eq!(parameters(&window)[0].default[0], 2.0);
    assert!(said(&window).contains("0 to 2"), "{}", said(&window));

    type_into(&mut window, Role::TextInput, "Parameter Push · unit", "m/s");
    assert_eq!(parameters(&window)[0].unit, "m/s");
    window.get_by_label("Parameter Push · read at birth").click();
    window.run_steps(3);
    assert_eq!(parameters(&window)[0].read, mote::artifact::ParameterRead::Birth);
    assert_eq!(last_step(&window), "Change reading of Push");
    window.get_by_label("Parameter Push · read every step").click();
    window.run_steps(3);
    assert_eq!(parameters(&window)[0].read, mote::artifact::ParameterRead::Step);
    choose(&mut window, "Parameter Push · type", "3-vector");
    let push = &parameters(&window)[0];
    assert_eq!((push.ty, push.default), (FieldType::Vec3, [2.0, 2.0, 2.0, 0.0]));
    type_into(&mut window, Role::SpinButton, "Parameter Push · default y", "1/2");
    assert_eq!(parameters(&window)[0].default, [2.0, 0.5, 2.0, 0.0]);
    choose(&mut window, "Parameter Push · type", "Switch");
    assert_eq!(parameters(&window)[0].range, None);
    click(&mut window, Role::CheckBox, "Parameter Push · default");
    assert_eq!(parameters(&window)[0].default[0], 0.0);
    choose(&mut window, "Parameter Push · type", "Colour");
    window.get_by_label("Parameter Push · default").click();
    window.run_steps(3);
    type_into(
        &mut window,
        Role::SpinButton,
        "Parameter Push · default green",
        "0.5",
    );
    assert_eq!(parameters(&window)[0].default, [0.0, 0.5, 0.0, 1.0]);
    window.key_press(Key::Escape);
    window.run_steps(2);
    assert_eq!(steps(&window), before + 11);
    while steps(&window) > 0 {
        command(&mut window, "edit.undo");
    }
    assert!(parameters(&window).is_empty());
}

#[test]
fn rotation_is_turned_in_degrees() {
    let mut window = high();
    add(&mut window, "Tilt");
    choose(&mut window, "Parameter Tilt · type", "Rotation");
    assert_eq!(parameters(&window)[0].default, [0.0, 0.0, 0.0, 1.0]);
    let before = steps(&window);
    type_into(
        &mut window,
        Role::SpinButton,
        "Parameter Tilt · default y",
        "180/2",
    );
    let [x, y, z, w] = parameters(&window)[0].default;
    let half = std::f32::consts::FRAC_1_SQRT_2;
    assert!((y - half).abs() < 1e-6 && (w - half).abs() < 1e-6 && x == 0.0 && z == 0.0);
    // A turn stays as it was typed, also where another would make the same rotation.
    type_into(&mut window, Role::SpinButton, "Parameter Tilt · default x", "270");
    let shown = window.get_by_role_and_label(Role::SpinButton, "Parameter Tilt · default x");
    assert_eq!(shown.accesskit_node().numeric_value(), Some(270.0));
    assert_eq!(steps(&window), before + 2);
    command(&mut window, "edit.undo");
    assert_eq!(parameters(&window)[0].default, [x, y, z, w]);
}

#[test]
fn input_reads_a_parameter_and_says_how_to_add_the_first() {
    let mut window = high();
    let (flow, node) = node_of(&window, "grow");
    select_node(&mut window, &node);
    let mode = |window: &mut Window| {
        let menus = window.get_all_by_role_and_label(Role::Button, "Grow: growth mode");
        menus.last().unwrap().click();
        window.run_steps(3);
    };
    mode(&mut window);
    assert!(says(&window, "Parameters in the inspector"));
    window.key_press(Key::Escape);
    window.run_steps(2);
    // Parameters are there whatever is selected.
    add(&mut window, "Growth");
    mode(&mut window);
    click(&mut window, Role::Button, "Parameter");
    let read = emitter(&window).flow(flow).node(&node).unwrap().inputs["growth"].clone();
    assert_eq!(read, InputMode::Parameter(parameters(&window)[0].id.clone()));
    assert!(state(&window).problems().is_empty());

    type_into(
        &mut window,
        Role::SpinButton,
        "Parameter Growth · default",
        "0.25",
    );
    click(&mut window, Role::Button, "Parameter Growth · remove");
    let held = emitter(&window).flow(flow).node(&node).unwrap().inputs["growth"].clone();
    assert_eq!(held, InputMode::Value(Lanes::scalar(0.25)));
    assert!(state(&window).problems().is_empty());
}

#[test]
fn node_gives_a_parameter_and_its_default_once_it_is_removed() {
    let mut window = high();
    let (flow, grow) = node_of(&window, "grow");
    act(&mut window, Action::ShowFlow(flow));
    window.hover_at(egui::pos2(560.0, 900.0));
    window.run_steps(2);
    window.key_press(Key::Space);
    window.run_steps(3);
    window.event(egui::Event::Text("parameter".to_owned()));
    window.run_steps(2);
    window.key_press(Key::Enter);
    window.run_steps(3);
    let (_, node) = node_of(&window, "parameter");
    select_node(&mut window, &node);
    let list = "Parameter: · parameter";
    click(&mut window, Role::ComboBox, list);
    window.run_steps(2);
    assert!(says(&window, "The effect has no parameters yet"));
    window.key_press(Key::Escape);
    window.run_steps(2);
    add(&mut window, "Growth");
    choose(&mut window, list, "Growth");
    let connect = Edit::Connect {
        emitter: emitter(&window).id().clone(),
        flow,
        from: Socket::new(&node, "out"),
        to: Socket::new(&grow, "growth"),
    };
    let label = "Connect".to_owned();
    act(
        &mut window,
        Action::Step {
            label,
            edits: vec![connect],
        },
    );
    assert!(
        state(&window).problems().is_empty(),
        "{:?}",
        state(&window).problems()
    );
    type_into(&mut window, Role::SpinButton, "Parameter Growth · default", "4");

    let before = steps(&window);
    click(&mut window, Role::Button, "Parameter Growth · remove");
    assert_eq!(steps(&window), before + 1);
    assert!(
        state(&window).problems().is_empty(),
        "{:?}",
        state(&window).problems()
    );
    assert!(!state(&window).live().behind);
    let (_, number) = node_of(&window, "float");
    let held = emitter(&window).flow(flow).node(&number).unwrap().inputs["value"].clone();
    assert_eq!(held, InputMode::Value(Lanes::scalar(4.0)));
    let wire = &emitter(&window).flow(flow).wires[&Socket::new(&grow, "growth")];
    assert_eq!(wire.node, number);
    command(&mut window, "edit.undo");
    assert_eq!(node_of(&window, "parameter").1, node);
    assert_eq!(parameters(&window).len(), 1);
}

#[test]
fn scrubbed_default_moves_the_playing_particles_and_makes_no_pipeline() {
    let _turn = alone();
    let mut window = with_preset(window_on_gpu([1280.0, 1200.0]), "fire");
    command(&mut window, "play.gpu");
    let (_, node) = node_of(&window, "grow");
    select_node(&mut window, &node);
    add(&mut window, "Growth");
    type_into(&mut window, Role::SpinButton, "Parameter Growth · default", "0");
    let edit = Edit::SetInput {
        emitter: emitter(&window).id().clone(),
        node,
        port: "growth".to_owned(),
        mode: Some(InputMode::Parameter(parameters(&window)[0].id.clone())),
    };
    let label = "Read".to_owned();
    act(
        &mut window,
        Action::Step {
            label,
            edits: vec![edit],
        },
    );
    command(&mut window, "play.restart");
    window.run_steps(30);
    let largest = |window: &Window| {
        let player = state(window).player();
        let word = player.effect().unwrap().emitters[0]
            .layout
            .get("size")
            .unwrap()
            .word as usize;
        let live = player.live(Driver::Gpu).unwrap();
        assert!(live.len() > 5);
        live.iter()
            .map(|p| f32::from_bits(p.record[word]))
            .fold(0.0, f32::max)
    };
    let before = largest(&window);
    let (requests, done, time) = (
        pipeline_requests(),
        steps(&window),
        state(&window).player().time(),
    );
    let start = window
        .get_by_role_and_label(Role::SpinButton, "Parameter Growth · default")
        .rect()
        .center();
    window.drag_at(start);
    window.step();
    for x in [20.0, 40.0, 60.0, 80.0, 100.0] {
        window.hover_at(start + egui::vec2(x, 0.0));
        window.step();
    }
    window.run_steps(10);
    let during = largest(&window);
    assert!(during > before * 1.05, "{before} then {during}");
    assert_eq!(state(&window).last_swap(), Some(SwapReport::Kept));
    assert!(state(&window).player().time() > time);
    window.drop_at(start + egui::vec2(100.0, 0.0));
    window.run_steps(2);
    assert_eq!(steps(&window), done + 1);
    assert_eq!(pipeline_requests(), requests);
    command(&mut window, "edit.undo");
    assert_eq!(parameters(&window)[0].default[0], 0.0);
}

#[test]
fn inspector_with_parameters_and_fields_in_pictures() {
    let _turn = alone();
    let mut window = with_preset(window_on_gpu([1280.0, 2400.0]), "fire");
    for name in [
        "Heat",
        "Wind strength",
        "Team colour",
        "A name that is far too long for its row",
    ] {
        add(&mut window, name);
    }
    choose(&mut window, "Parameter Wind strength · type", "3-vector");
    click(&mut window, Role::CheckBox, "Parameter Heat · range");
    type_into(&mut window, Role::TextInput, "Parameter Heat · unit", "m/s");
    choose(&mut window, "Parameter Team colour · type", "Colour");
    window.get_by_label("Parameter Team colour · more").click();
    window.run_steps(3);
    choose(
        &mut window,
        "Parameter A name that is far too long for its row · type",
        "Rotation",
    );
    window.get_by_label("Fields").click();
    window.run_steps(3);
    window.get_by_label("Field velocity · more").click();
    window.run_steps(3);
    window.get_by_label("Field position · more").click();
    window.run_steps(3);
    super::pictures::save(&mut window, "parameters");
    command(&mut window, "view.light");
    window.run_steps(3);
    super::pictures::save(&mut window, "parameters_light");
    window.set_size(egui::vec2(1000.0, 420.0));
    window.run_steps(5);
    super::pictures::save(&mut window, "parameters_small");
    let panel = window.get_by_label("Fields").rect();
    assert!(panel.top() > 0.0);
    // What lies below the panel's end is reached by the wheel.
    let over = window
        .get_by_role_and_label(Role::SpinButton, "Rate")
        .rect()
        .center();
    window.hover_at(over);
    for _ in 0..40 {
        window.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: egui::vec2(0.0, -60.0),
            phase: egui::TouchPhase::Move,
            modifiers: egui::Modifiers::NONE,
        });
        window.run_steps(2);
    }
    window.run_steps(20);
    super::pictures::save(&mut window, "parameters_scrolled");
    let before = parameters(&window).len();
    click(&mut window, Role::Button, "Add parameter");
    assert_eq!(parameters(&window).len(), before + 1);
}
