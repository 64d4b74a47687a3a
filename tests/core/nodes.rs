//! Value nodes against their formulas in double precision, and what the library says of itself.

use mote::base::diag::FlowKind;
use mote::compiler::compile;
use mote::graph::page::node_pages;
use mote::graph::{Body, InputMode, Node, registry};
use mote::layout::FieldType;

use crate::authoring::{Doc, id};
use crate::probe::{Dice, Probe, dot, wide};

fn near(found: f32, expected: f64, tolerance: f64) -> bool {
    (f64::from(found) - expected).abs() <= tolerance * expected.abs().max(1.0)
}

/// Holds a node of one input to a formula over even numbers in a range and some chosen ones.
fn unary(kind: &str, low: f32, high: f32, chosen: &[f32], formula: impl Fn(f64) -> f64) {
    let mut node = Probe::new(kind);
    let mut dice = Dice::new(1);
    let drawn: Vec<f32> = (0..2000).map(|_| dice.between(low, high)).collect();
    for &x in chosen.iter().chain(&drawn) {
        let (found, expected) = (node.one(&[x]), formula(f64::from(x)));
        assert!(
            near(found, expected, 1e-5),
            "{kind}({x}): {found}, not {expected}"
        );
    }
}

fn binary(kind: &str, pairs: &[(f32, f32)], formula: impl Fn(f64, f64) -> f64) {
    let mut node = Probe::new(kind);
    let mut dice = Dice::new(2);
    let drawn: Vec<_> = (0..2000)
        .map(|_| (dice.between(-9.0, 9.0), dice.between(-9.0, 9.0)))
        .collect();
    for &(a, b) in pairs.iter().chain(&drawn) {
        let (found, expected) = (node.one(&[a, b]), formula(f64::from(a), f64::from(b)));
        assert!(
            near(found, expected, 1e-5),
            "{kind}({a}, {b}): {found}, not {expected}"
        );
    }
}

fn truth(value: bool) -> f64 {
    f64::from(u8::from(value))
}

#[test]
fn trigonometry_is_within_a_hundred_thousandth() {
    let edges = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-20];
    unary(
        "tan",
        -20.0,
        20.0,
        &[0.0, 1.5, std::f32::consts::FRAC_PI_4],
        f64::tan,
    );
    unary("asin", -1.0, 1.0, &edges, f64::asin);
    unary("acos", -1.0, 1.0, &edges, f64::acos);
    unary("atan", -50.0, 50.0, &[0.0, 1e30, -1e30, f32::INFINITY], f64::atan);
    let axes = [
        (0.0, 0.0),
        (0.0, 1.0),
        (0.0, -1.0),
        (1.0, 0.0),
        (-1.0, 0.0),
        (3.0, 3.0),
        (1e-30, 1e-30),
        (1e30, -1e30),
    ];
    binary("atan2", &axes, f64::atan2);
    // Past the ends they hold, and the middle is exact.
    assert_eq!(Probe::new("acos").one(&[2.0]), 0.0);
    assert_eq!(Probe::new("asin").one(&[0.0]), 0.0);
}

#[test]
fn exponentials_are_within_a_hundred_thousandth() {
    unary("exp", -80.0, 80.0, &[0.0, 1.0, -1.0], f64::exp);
    unary("log", 1e-6, 1e6, &[1.0, 1e-30, 1e30], f64::ln);
    unary("log10", 1e-6, 1e6, &[1.0, 10.0, 1e30], f64::log10);
    assert!(Probe::new("log").one(&[0.0]).is_finite());
    assert_eq!(Probe::new("log").one(&[1.0]), 0.0);
    let mut power = Probe::new("power");
    for (base, exponent) in [(2.0, 10.0), (9.0, 0.5), (0.1, -3.0), (7.0, 0.0)] {
        let found = power.one(&[base, exponent]);
        assert!(near(found, f64::from(base).powf(f64::from(exponent)), 1e-5));
    }
}

#[test]
fn logic_compares_as_it_says() {
    let edges = [(1.0, 1.0), (0.0, -0.0), (0.0, 1.0), (2.0, 0.0)];
    binary("greater_than", &edges, |a, b| truth(a > b));
    binary("at_least", &edges, |a, b| truth(a >= b));
    binary("not_equal", &edges, |a, b| truth(a != b));
    binary("xor", &edges, |a, b| truth((a != 0.0) != (b != 0.0)));
    let mut node = Probe::new("greater_than");
    assert_eq!(node.one(&[f32::NAN, 1.0]), 0.0);
}

#[test]
fn steps_mixes_and_ranges_meet_their_formulas() {
    binary("snap", &[(0.3, 0.0), (0.26, 0.1), (-7.4, 2.0)], |value, step| {
        let k = (f64::from(value as f32 / step as f32)).round_ties_even();
        if step == 0.0 { value } else { k * step }
    });
    binary("step", &[(0.5, 0.5)], |edge, value| truth(value >= edge));
    binary("safe_divide", &[(1.0, 0.0), (0.0, 0.0)], |a, b| {
        if b == 0.0 { 0.0 } else { a / b }
    });
    let part = |a: f64, b: f64, x: f64| if a == b { 0.0 } else { (x - a) / (b - a) };
    let mut inverse = Probe::new("inverse_lerp");
    let mut smoother = Probe::new("smootherstep");
    let mut clamped = Probe::new("remap_clamped");
    let mut dice = Dice::new(3);
    for round in 0..500 {
        let mut v = [(); 5].map(|()| dice.between(-4.0, 4.0));
        if round == 0 {
            v[2] = v[1];
        }
        let [x, a, b, c, d] = wide(v);
        let t = part(a, b, x);
        // A short range magnifies what its ends are rounded by.
        let tolerance = 1e-5 * (1.0 + t.abs());
        assert!(near(inverse.one(&[v[1], v[2], v[0]]), t, tolerance), "{v:?}");
        let t = t.clamp(0.0, 1.0);
        let found = smoother.one(&[v[1], v[2], v[0]]);
        assert!(
            near(found, t * t * t * (t * (t * 6.0 - 15.0) + 10.0), tolerance),
            "{v:?}"
        );
        let found = clamped.one(&v);
        assert!(near(found, c + (d - c) * t, 10.0 * tolerance), "{v:?}: {found}");
    }
}

#[test]
fn waves_run_between_0_and_1() {
    let f = |x: f64| x - x.floor();
    unary("wave_sine", -3.0, 3.0, &[0.0, 0.25, 0.75], |x| {
        0.5 + 0.5 * (std::f64::consts::TAU * f(x)).sin()
    });
    unary("wave_triangle", -3.0, 3.0, &[0.0, 0.5], |x| {
        1.0 - (2.0 * f(x) - 1.0).abs()
    });
    unary("wave_saw", -3.0, 3.0, &[0.0], f);
    binary("wave_square", &[(0.25, 0.5), (0.75, 0.5)], |x, width| {
        truth(f(x) < width)
    });
}

#[test]
fn vector_nodes_meet_their_formulas() {
    let mut dice = Dice::new(4);
    let [mut cross, mut project, mut reflect, mut angle] =
        ["cross", "project", "reflect", "angle_between"].map(Probe::new);
    let mut length = Probe::with("length", FieldType::Vec3, &[]);
    for _ in 0..500 {
        let (a, b) = (dice.point(3.0), dice.point(3.0));
        let (p, q) = (wide(a), wide(b));
        let close = |found: [f32; 3], expected: [f64; 3], what: &str| {
            for (f, e) in found.iter().zip(expected) {
                assert!((f64::from(*f) - e).abs() < 2e-5, "{what} {a:?} {b:?}: {found:?}");
            }
        };
        let exact = [
            p[1] * q[2] - p[2] * q[1],
            p[2] * q[0] - p[0] * q[2],
            p[0] * q[1] - p[1] * q[0],
        ];
        close(cross.vec3(&[&a, &b]), exact, "cross");
        let along = q.map(|c| c * dot(&p, &q) / dot(&q, &q));
        close(project.vec3(&[&a, &b]), along, "project");
        let mirrored = [0, 1, 2].map(|i| p[i] - 2.0 * along[i]);
        close(reflect.vec3(&[&a, &b]), mirrored, "reflect");
        let between = dot(&exact, &exact).sqrt().atan2(dot(&p, &q));
        assert!((f64::from(angle.all(&[&a, &b])[0]) - between).abs() < 1e-5);
        assert!((f64::from(length.all(&[&a])[0]) - dot(&p, &p).sqrt()).abs() < 1e-5);
    }
    // Nothing is divided by 0, and parallel vectors have exactly no angle between them.
    assert_eq!(project.vec3(&[&[1.0, 2.0, 3.0], &[0.0; 3]]), [0.0; 3]);
    assert_eq!(reflect.vec3(&[&[1.0, 2.0, 3.0], &[0.0; 3]]), [1.0, 2.0, 3.0]);
    assert_eq!(angle.all(&[&[0.3, 0.4, 0.5], &[0.3, 0.4, 0.5]]), [0.0]);
    assert_eq!(
        angle.all(&[&[0.0, 2.0, 0.0], &[0.0, -1.0, 0.0]]),
        [std::f32::consts::PI]
    );
    let tiny = angle.all(&[&[1.0, 0.0, 0.0], &[1.0, 1e-4, 0.0]])[0];
    assert!((tiny - 1e-4).abs() < 1e-9, "{tiny}");
}

#[test]
fn swizzle_picks_lanes_and_refuses_what_is_none() {
    let doc = |lanes: &str, out: FieldType| {
        let mut doc = Doc::new();
        doc.field("in", FieldType::Vec4).field("out", out);
        let flow = FlowKind::EveryFrame;
        doc.node(flow, Node::new(id("read"), "get_field").set("field", "in"));
        doc.node(flow, Node::new(id("pick"), "swizzle").set("lanes", lanes));
        doc.node(flow, Node::new(id("write"), "set_field").set("field", "out"));
        doc.wire(flow, ("read", "out"), ("pick", "value"));
        doc.wire(flow, ("pick", "out"), ("write", "value"));
        doc
    };
    for (lanes, ty, expected) in [
        ("zyx", FieldType::Vec3, &[3.0, 2.0, 1.0][..]),
        ("wwxy", FieldType::Vec4, &[4.0, 4.0, 1.0, 2.0]),
        ("y", FieldType::Float, &[2.0]),
        ("xz", FieldType::Vec2, &[1.0, 3.0]),
    ] {
        let mut particle = crate::authoring::Particle::new(&doc(lanes, ty).0);
        particle.set("in", &[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(particle.step(0.1).get("out"), expected, "{lanes}");
    }
    for lanes in ["", "xyzwx", "q", "x y", "XY"] {
        let compiled = compile(&doc(lanes, FieldType::Vec3).0);
        let error = compiled.errors().next().unwrap();
        assert_eq!(
            (error.code, error.place.node.last()),
            ("bad-lanes", Some(&id("pick")))
        );
    }
}

#[test]
fn colours_turn_into_hue_and_back() {
    let mut to = Probe::new("hsv_to_rgb");
    let mut from = Probe::new("rgb_to_hsv");
    for (hsv, rgb) in [
        ([0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 1.0]),
        ([0.5, 1.0, 2.0], [0.0, 2.0, 2.0, 1.0]),
        ([0.25, 0.0, 0.5], [0.5, 0.5, 0.5, 1.0]),
        ([1.0, 1.0, 1.0], [1.0, 0.0, 0.0, 1.0]),
    ] {
        let found = to.all(&[&hsv[..1], &hsv[1..2], &hsv[2..]]);
        assert!(
            found.iter().zip(rgb).all(|(f, e)| (f - e).abs() < 1e-5),
            "{hsv:?}: {found:?}"
        );
    }
    let mut dice = Dice::new(5);
    for _ in 0..1000 {
        let rgb = [(); 3].map(|()| dice.between(0.0, 2.0));
        let hsv = from.all(&[&[rgb[0], rgb[1], rgb[2], 1.0]]);
        let found = to.all(&[&hsv[..1], &hsv[1..2], &hsv[2..]]);
        assert!(found.iter().zip(rgb).all(|(f, e)| (f - e).abs() < 1e-5));
    }
    assert_eq!(from.all(&[&[0.0, 0.0, 0.0, 1.0]]), [0.0; 3]);
    assert_eq!(from.all(&[&[0.5, 0.5, 0.5, 1.0]]), [0.0, 0.0, 0.5]);
    let light = Probe::new("luminance").all(&[&[1.0, 1.0, 1.0, 1.0]])[0];
    assert!((light - 1.0).abs() < 1e-6);
    let grey = Probe::new("color_saturation").all(&[&[1.0, 0.0, 0.0, 0.5], &[0.0]]);
    assert!(grey[..3].iter().all(|c| (c - 0.2126).abs() < 1e-6) && grey[3] == 0.5);
    let same = Probe::new("color_contrast").all(&[&[0.2, 0.4, 3.0, 0.5], &[1.0], &[1.0]]);
    assert!(
        same.iter()
            .zip([0.2, 0.4, 3.0, 0.5])
            .all(|(f, e)| (f - e).abs() < 1e-6)
    );
}

/// Light of a black body through the eye's curves (Wyman's fits of the 1931 observer) in linear sRGB.
fn glow(kelvin: f64) -> [f64; 3] {
    let bell = |x: f64, middle: f64, left: f64, right: f64| {
        let s = if x < middle { left } else { right };
        (-0.5 * ((x - middle) * s).powi(2)).exp()
    };
    let mut xyz = [0.0; 3];
    for nm in 380..=780 {
        let l = f64::from(nm);
        let m = l * 1e-9;
        let power = m.powi(-5) / ((1.438_776_9e-2 / (m * kelvin)).exp() - 1.0);
        xyz[0] += power
            * (0.362 * bell(l, 442.0, 0.0624, 0.0374) + 1.056 * bell(l, 599.8, 0.0264, 0.0323)
                - 0.065 * bell(l, 501.1, 0.0490, 0.0382));
        xyz[1] += power * (0.821 * bell(l, 568.8, 0.0213, 0.0247) + 0.286 * bell(l, 530.9, 0.0613, 0.0322));
        xyz[2] += power * (1.217 * bell(l, 437.0, 0.0845, 0.0278) + 0.681 * bell(l, 459.0, 0.0385, 0.0725));
    }
    let matrix = [
        [3.240_454_2, -1.537_138_5, -0.498_531_4],
        [-0.969_266_0, 1.876_010_8, 0.041_556_0],
        [0.055_643_4, -0.204_025_9, 1.057_225_2],
    ];
    let rgb = matrix.map(|row| dot(&row, &xyz).max(0.0));
    let most = rgb.iter().copied().fold(0.0, f64::max);
    rgb.map(|c| c / most)
}

#[test]
fn temperature_glows_like_a_black_body() {
    let mut node = Probe::new("temperature_to_color");
    for kelvin in [
        1000.0, 1500.0, 1900.0, 2700.0, 4000.0, 5500.0, 6500.0, 8000.0, 12000.0, 20000.0, 40000.0,
    ] {
        let found = node.all(&[&[kelvin]]);
        let expected = glow(f64::from(kelvin));
        for (f, e) in found.iter().zip(expected) {
            assert!(
                (f64::from(*f) - e).abs() < 0.022,
                "{kelvin}: {found:?} {expected:?}"
            );
        }
        assert_eq!(found[..3].iter().copied().fold(0.0, f32::max), 1.0);
        assert_eq!(found[3], 1.0);
    }
    // Past the ends it holds.
    assert_eq!(node.all(&[&[0.0]]), node.all(&[&[1000.0]]));
}

#[test]
fn case_b23_a_choice_among_four_is_even_and_never_a_fifth() {
    let mut doc = Doc::new();
    doc.birth("frame", "birth_frame", &[("count", InputMode::value(4.0))]);
    let mut particle = crate::authoring::Particle::new(&doc.0);
    let mut counts = [0_i32; 4];
    for ordinal in 0..40_000 {
        particle.key.ordinal = ordinal;
        counts[particle.birth().get("frame")[0] as usize] += 1;
    }
    assert!(counts.iter().all(|c| (c - 10_000).abs() <= 350), "{counts:?}");
    let mut node = Probe::new("sample_index");
    for count in [1.0, 3.0, 4.0, 7.0, 1000.0, 16_777_216.0] {
        assert_eq!(node.one(&[0.0, count]), 0.0);
        assert_eq!(node.one(&[0.999_999_94, count]), count - 1.0, "{count}");
    }
}

#[test]
fn random_nodes_have_their_odds() {
    let share = |kind: &str, set: &[(&str, InputMode)], hit: &dyn Fn(&[f32]) -> bool| {
        let mut node = Probe::with(kind, FieldType::Float, set);
        let hits = (0..20_000_u32).filter(|&ordinal| {
            node.particle.key.ordinal = ordinal;
            let out = node.all(&[]);
            hit(&out)
        });
        hits.count() as f64 / 20_000.0
    };
    let chance = [("chance", InputMode::value(0.2))];
    assert!((share("random_chance", &chance, &|v| v[0] != 0.0) - 0.2).abs() < 0.012);
    let inner = |v: &[f32]| v[0] * v[0] + v[1] * v[1] < 0.25;
    assert!((share("random_in_disk", &[], &inner) - 0.25).abs() < 0.013);
    let right = |v: &[f32]| v[0] > std::f32::consts::FRAC_1_SQRT_2;
    assert!((share("random_on_ring", &[], &right) - 0.25).abs() < 0.013);
    let on = |v: &[f32]| (v[0] * v[0] + v[1] * v[1] - 1.0).abs() < 1e-5;
    assert_eq!(share("random_on_ring", &[], &on), 1.0);
}

#[test]
fn nodes_page_is_the_library() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/nodes");
    let pages = node_pages(registry());
    if std::env::var_os("MOTE_BLESS").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        for entry in std::fs::read_dir(&folder).unwrap() {
            std::fs::remove_file(entry.unwrap().path()).unwrap();
        }
        for (name, text) in &pages {
            std::fs::write(folder.join(name), text).unwrap();
        }
    }
    for (name, text) in &pages {
        let file = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(
            file == *text,
            "docs/nodes/{name} differs from the library; run with MOTE_BLESS=1"
        );
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), pages.len());
}

#[test]
fn every_kind_says_what_it_is() {
    let mut titles = std::collections::BTreeMap::new();
    for kind in registry().kinds().filter(|kind| kind.listed) {
        let of = &kind.id;
        assert!(
            !kind.description.is_empty() && kind.description.ends_with('.'),
            "{of}"
        );
        assert!(!kind.words.is_empty(), "{of} has no search words");
        // The search lowers what is typed and nothing else.
        assert!(kind.words.iter().all(|w| *w == w.to_lowercase()), "{of}");
        if let Some(other) = titles.insert(kind.title.clone(), of.clone()) {
            panic!("{of} and {other} are both called {}", kind.title);
        }
        for port in &kind.inputs {
            assert!(!port.doc.is_empty(), "{of}.{} has no words", port.name);
            assert!(
                port.doc.ends_with('.'),
                "{of}.{}: {:?} is no sentence",
                port.name,
                port.doc
            );
            if let (Some(min), Some(max)) = (port.min, port.max) {
                assert!(min < max, "{of}.{}", port.name);
            }
        }
        if matches!(kind.body, Body::Group(_)) {
            // What is measured has its unit.
            for port in &kind.inputs {
                let unit = match port.name.as_str() {
                    "center" | "half_extents" => Some("m"),
                    "angle" => Some("rad"),
                    "drag" => Some("1/s"),
                    "lifetime" => Some("s"),
                    "velocity" => Some("m/s"),
                    "angular_velocity" => Some("rad/s"),
                    _ => None,
                };
                if let Some(unit) = unit {
                    assert_eq!(port.unit, unit, "{of}.{}", port.name);
                }
            }
        }
    }
}

#[test]
fn search_finds_nodes_by_the_names_of_other_tools() {
    for (query, id) in [
        ("quatMultiply", "rotate_rotation"),
        ("quatFromAxisAngle", "axis_angle"),
        ("quatRotate", "rotate_vector"),
        ("quatLookRotation", "quat_look_rotation"),
        ("quatIntegrate", "quat_integrate"),
        ("sampleRotation", "sample_rotation"),
        ("emitterRotation", "emitter_rotation"),
        ("blackbody", "temperature_to_color"),
        ("perlin", "psrdnoise_3"),
        ("fbm", "fbm"),
        ("smootherstep", "smootherstep"),
        ("attractor", "attract"),
        ("tornado", "vortex"),
        ("flipbook", "birth_frame"),
        ("quantize", "snap"),
        ("annulus", "shape_ring"),
    ] {
        let found = registry().search(query, None);
        assert!(
            found.iter().take(3).any(|k| k.id == id),
            "{query}: {:?}",
            found.first()
        );
    }
}
