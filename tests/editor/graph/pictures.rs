//! Pictures to look at, under `target/canvas/`. They are drawn only where `MOTE_PICTURES` is set: looking is
//! for people.

use super::host::*;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use mote::base::diag::FlowKind;
use mote::editor::theme::Tokens;

fn pictured(host: Host, width: f32, height: f32) -> Window {
    let mut window = Harness::builder()
        .with_size(egui::vec2(width, height))
        .with_step_dt(0.1)
        .wgpu()
        .build_ui_state(|ui, host: &mut Host| host.ui(ui), host);
    window.run_steps(4);
    window
}

fn save(window: &mut Window, name: &str) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/canvas");
    std::fs::create_dir_all(&folder).unwrap();
    window.run_steps(2);
    let image = window.render().unwrap();
    image.save(folder.join(format!("{name}.png"))).unwrap();
}

#[test]
fn draw() {
    if std::env::var_os("MOTE_PICTURES").is_none() {
        return;
    }
    for flow in FlowKind::ALL {
        let mut host = Host::new(preset("fire"));
        host.flow = flow;
        host.list = true;
        host.select(if flow == FlowKind::Birth {
            &["velocity"]
        } else {
            &["gravity"]
        });
        let mut window = pictured(host, 1000.0, 900.0);
        save(&mut window, &format!("fire-{}", flow.name()));
    }
    let mut host = Host::new(preset("bonfire"));
    host.list = true;
    let mut window = pictured(host, 1000.0, 900.0);
    save(&mut window, "bonfire");
    window.state_mut().state.fit_all();
    save(&mut window, "bonfire-fit");

    let mut window = pictured(Host::new(graph()), 1100.0, 800.0);
    save(&mut window, "graph");
    window.hover_at(egui::pos2(300.0, 500.0));
    window.key_press(egui::Key::Space);
    window.run_steps(3);
    save(&mut window, "palette");
    text(&mut window, "rand");
    save(&mut window, "palette-typed");
    window.key_press(egui::Key::Escape);
    window.run_steps(2);

    let from = port(&window, "random", "out");
    let to = port(&window, "quat", "then");
    hold(&mut window, &[from, to]);
    save(&mut window, "refused");
    release(&mut window, to);

    let mut host = Host::new(graph());
    host.tokens = Tokens::light();
    host.list = true;
    let mut window = pictured(host, 1000.0, 800.0);
    save(&mut window, "light");

    let mut host = Host::new(document(&[]));
    host.list = true;
    let mut window = pictured(host, 1000.0, 700.0);
    save(&mut window, "empty");

    let mut host = Host::new(preset("bonfire"));
    host.list = true;
    host.select(&["size", "color"]);
    let mut window = pictured(host, 1000.0, 900.0);
    for (label, name) in [
        ("Size over life · scale curve", "curve"),
        ("Colour over life · colour gradient", "gradient"),
    ] {
        window.get_by_label(label).click();
        window.run_steps(3);
        save(&mut window, name);
        window.key_press(egui::Key::Escape);
        window.run_steps(3);
    }
    popups();
    channels();
    let mut host = Host::new(preset("fire"));
    host.flow = FlowKind::Birth;
    host.select(&["color"]);
    let mut window = pictured(host, 800.0, 900.0);
    click_label(&mut window, "Colour · colour min colour");
    save(&mut window, "colour");
    window.key_press(egui::Key::Escape);
    window.run_steps(3);
    click_label(&mut window, "Velocity in a cone · speed mode");
    save(&mut window, "mode");
}

/// A node of four curves.
fn channels() {
    let mut made = document(&[("ramp", "curve", [0.0, 0.0])]);
    let color = mote::graph::Setting::Text("color".to_owned());
    made.apply(&mote::document::Edit::SetSetting {
        emitter: id("e"),
        node: id("ramp"),
        name: "type".to_owned(),
        value: Some(color),
    })
    .unwrap();
    let mut window = pictured(Host::new(made), 600.0, 400.0);
    save(&mut window, "channels");
}

/// Curves and gradients with all they can have.
fn popups() {
    use mote::base::curve::{AlphaKey, ColorKey, Curve, Ends, Gradient, Interpolation, Key};
    let key = |t, v, interpolation, slope| Key {
        interpolation,
        tangent_in: slope,
        tangent_out: -slope,
        ..Key::linear(t, v)
    };
    let keys = vec![
        key(0.0, 0.2, Interpolation::Bezier, -4.0),
        key(0.4, 0.9, Interpolation::Bezier, 2.0),
        key(0.7, 0.4, Interpolation::Constant, 0.0),
        key(1.0, 1.0, Interpolation::Linear, 0.0),
    ];
    let colors = vec![
        ColorKey {
            stops: 2.0,
            ..ColorKey::new(0.0, [1.0, 0.6, 0.1, 1.0])
        },
        ColorKey {
            interpolation: Interpolation::Constant,
            ..ColorKey::new(0.4, [0.8, 0.1, 0.3, 1.0])
        },
        ColorKey::new(0.7, [0.05, 0.1, 0.4, 1.0]),
    ];
    let alphas = [(0.0, 0.0), (0.1, 1.0), (0.9, 0.6), (1.0, 0.0)];
    let alphas = alphas.map(|(t, alpha)| AlphaKey::new(t, alpha)).to_vec();
    let gradient = Gradient::new(colors).unwrap().with_alphas(alphas).unwrap();
    let mut made = preset("bonfire");
    let emitter = made.emitters()[0].id().clone();
    for (node, port, mode) in [
        (
            "size",
            "scale",
            mote::graph::InputMode::SpeedCurve {
                curve: Curve::new(keys).unwrap().with_ends(Ends::Loop),
                range: [0.0, 4.0],
            },
        ),
        ("color", "color", mote::graph::InputMode::Gradient(gradient)),
    ] {
        made.apply(&mote::document::Edit::SetInput {
            emitter: emitter.clone(),
            node: id(node),
            port: port.to_owned(),
            mode: Some(mode),
        })
        .unwrap();
    }
    for tokens in [Tokens::dark(), Tokens::light()] {
        let suffix = if tokens.dark { "" } else { "-light" };
        let mut host = Host::new(made.clone());
        host.tokens = tokens;
        let mut window = pictured(host, 800.0, 1000.0);
        for (label, part, name) in [
            ("Size over life · scale curve", "key 2", "curve-full"),
            ("Colour over life · colour gradient", "opacity 3", "gradient-full"),
        ] {
            window.get_by_label(label).click();
            window.run_steps(3);
            click_label(&mut window, &format!("{label} {part}"));
            save(&mut window, &format!("{name}{suffix}"));
            if name == "gradient-full" {
                click_label(&mut window, &format!("{label} colour 1"));
                save(&mut window, &format!("gradient-colour{suffix}"));
            }
            window.key_press(egui::Key::Escape);
            window.run_steps(3);
        }
    }
}

fn graph() -> mote::document::Document {
    let mut document = document(&[
        ("gravity", "gravity", [0.0, 0.0]),
        ("drag", "drag", [0.0, 120.0]),
        ("set", "set_field", [0.0, 240.0]),
        ("color", "color_over_life", [0.0, 340.0]),
        ("quat", "rotate_rotation", [-380.0, 360.0]),
        ("random", "random_between", [-380.0, 20.0]),
        ("split", "split", [-380.0, 200.0]),
        ("field", "get_field", [-660.0, 200.0]),
        ("mul", "op.mul", [-700.0, 20.0]),
    ]);
    wire(&mut document, ("random", "out"), ("gravity", "acceleration"));
    wire(&mut document, ("field", "out"), ("split", "value"));
    wire(&mut document, ("split", "x"), ("drag", "drag"));
    wire(&mut document, ("mul", "out"), ("random", "min"));
    document
}
