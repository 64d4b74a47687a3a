//! Winds of gusts and vortices: what the formulas give, and what is baked of them.

use mote::host::Air;
use mote::vm::wind::{Gust, MAX_WIND_PARTS, MAX_WIND_POINTS, Vortex, WindError, WindRegion, WindScene};

use mote::base::rng::{pcg, unit};

type V = [f32; 3];

fn dot(a: V, b: V) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn length(v: V) -> f32 {
    dot(v, v).sqrt()
}

fn close(a: V, b: V, tolerance: f32) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance)
}

fn gusts(gusts: &[Gust]) -> WindScene {
    WindScene {
        gusts: gusts.to_vec(),
        ..WindScene::default()
    }
}

fn vortices(vortices: &[Vortex]) -> WindScene {
    WindScene {
        vortices: vortices.to_vec(),
        ..WindScene::default()
    }
}

/// Numbers in −1…1 by a seed.
struct Rolls(u32);

impl Rolls {
    fn one(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9);
        unit(pcg(self.0)) * 2.0 - 1.0
    }
    fn three(&mut self, scale: f32) -> V {
        [0; 3].map(|_| self.one() * scale)
    }
}

const PLAIN: Gust = Gust {
    direction: [0.0, 0.0, 2.0],
    strength: 5.0,
    travel: 4.0,
    wavelength: 8.0,
    length: 0.5,
    variation: 0.0,
    phase: 0.0,
};

#[test]
fn wind_gusts_follow_their_formula() {
    let scene = gusts(&[PLAIN]);
    // The middle, half way down a side (1 − ¼)², the edge, the calm, and the next gust.
    for (z, expected) in [
        (0.0, 5.0),
        (1.0, 5.0 * 0.5625),
        (2.0, 0.0),
        (4.0, 0.0),
        (8.0, 5.0),
        (-1.0, 5.0 * 0.5625),
    ] {
        assert!(
            close(scene.velocity([3.0, -7.0, z], 0.0), [0.0, 0.0, expected], 1e-5),
            "{z}"
        );
        // They travel: a second later, and an hour later, the same lies four metres on.
        for t in [1.0, 3_600.0] {
            let place = [0.0, 0.0, z + (4.0 * t) as f32];
            assert!(
                close(scene.velocity(place, t), [0.0, 0.0, expected], 1e-3),
                "{z} at {t}"
            );
        }
    }
    // Half a wavelength of phase puts the calm where the middle was.
    let shifted = gusts(&[Gust { phase: 0.5, ..PLAIN }]);
    assert_eq!(shifted.velocity([0.0; 3], 0.0), [0.0; 3]);
    assert!(close(
        shifted.velocity([0.0, 0.0, 4.0], 0.0),
        [0.0, 0.0, 5.0],
        1e-5
    ));
    // Variation weakens gusts, each by its own part and never past the whole.
    let varied = gusts(&[Gust {
        variation: 1.0,
        ..PLAIN
    }]);
    let peaks: Vec<f32> = (-20..20)
        .map(|k| varied.velocity([0.0, 0.0, 8.0 * k as f32], 0.0)[2])
        .collect();
    assert!(peaks.iter().all(|p| (0.0..=5.0).contains(p)), "{peaks:?}");
    assert!(
        peaks.iter().any(|p| *p < 1.5) && peaks.iter().any(|p| *p > 3.5),
        "{peaks:?}"
    );
}

#[test]
fn wind_of_gusts_has_no_edge_in_place_or_time() {
    let scene = gusts(&[Gust {
        length: 1.0,
        variation: 1.0,
        ..PLAIN
    }]);
    let step = 0.001;
    let at = |i: i32| scene.velocity([0.0, 0.0, i as f32 * step], 0.3)[2];
    // The steepest slope of 5 (1 − x²)² is 5 · 1.54 an x, and an x is 4 m.
    let most = 5.0 * 1.54 / 4.0 * step + 1e-4;
    for i in -20_000..20_000 {
        assert!((at(i + 1) - at(i)).abs() <= most, "{i}");
    }
}

#[test]
fn wind_vortices_turn_about_their_axis_and_fade() {
    let mut rolls = Rolls(0x70_41);
    for round in 0..200 {
        let vortex = Vortex {
            centre: rolls.three(5.0),
            axis: rolls.three(2.0),
            radius: 1.5,
            reach: 6.0,
            height: 0.0,
            swirl: 7.0,
            updraft: 0.0,
        };
        let scene = vortices(&[vortex]);
        let axis = vortex.axis.map(|a| a / length(vortex.axis));
        let place = rolls.three(8.0);
        let from = [0, 1, 2].map(|i| place[i] - vortex.centre[i]);
        let along = dot(from, axis);
        let out = [0, 1, 2].map(|i| from[i] - axis[i] * along);
        let found = scene.velocity(place, 0.0);
        assert!(
            dot(found, axis).abs() < 1e-4,
            "seed 0x7041, {round}: along the axis"
        );
        assert!(dot(found, out).abs() < 1e-3, "seed 0x7041, {round}: outwards");
        // Counter-clockwise seen from the axis' end: axis × outwards.
        let round_way = [
            axis[1] * out[2] - axis[2] * out[1],
            axis[2] * out[0] - axis[0] * out[2],
            axis[0] * out[1] - axis[1] * out[0],
        ];
        assert!(dot(found, round_way) >= 0.0, "seed 0x7041, {round}: its sense");
        assert!(
            length(found) <= 7.0 + 1e-4,
            "seed 0x7041, {round}: fastest at the radius"
        );
        if length(out) >= 6.0 {
            assert_eq!(found, [0.0; 3], "seed 0x7041, {round}: past the reach");
        }
    }
    let up = Vortex {
        centre: [1.0, 0.0, 0.0],
        radius: 2.0,
        reach: 8.0,
        swirl: 6.0,
        updraft: 3.0,
        ..Vortex::default()
    };
    let scene = vortices(&[up]);
    assert!(
        close(scene.velocity([1.0, 50.0, 0.0], 9.0), [0.0, 3.0, 0.0], 1e-6),
        "in the middle"
    );
    assert!(
        close(scene.velocity([3.0, 0.0, 0.0], 0.0), [0.0, 1.5, -6.0], 1e-5),
        "at the radius"
    );
    assert!(
        close(scene.velocity([2.0, 0.0, 0.0], 0.0), [0.0, 2.4, -4.8], 1e-5),
        "inside"
    );
    for far in [[9.5, 0.0, 0.0], [1.0, 0.0, -8.0], [1e6, 1e6, 1e6]] {
        assert_eq!(scene.velocity(far, 0.0), [0.0; 3]);
    }
    // With a height it ends above and below; the whole of it blows to a quarter of the height.
    let low = vortices(&[Vortex { height: 4.0, ..up }]);
    assert_eq!(
        low.velocity([3.0, 1.0, 0.0], 0.0),
        scene.velocity([3.0, 1.0, 0.0], 0.0)
    );
    assert_eq!(low.velocity([3.0, 2.0, 0.0], 0.0), [0.0; 3]);
    assert_eq!(low.velocity([3.0, -2.0, 0.0], 0.0), [0.0; 3]);
    // A reach below the radius is the radius.
    let tight = vortices(&[Vortex { reach: 0.0, ..up }]);
    assert!(close(
        tight.velocity([3.0, 0.0, 0.0], 0.0),
        [0.0, 1.5, -6.0],
        1e-5
    ));
    assert_eq!(tight.velocity([3.01, 0.0, 0.0], 0.0), [0.0; 3]);
}

#[test]
fn wind_scenes_are_the_sum_of_their_parts() {
    let other = Gust {
        direction: [1.0, 0.2, 0.0],
        variation: 0.7,
        ..PLAIN
    };
    let whirl = Vortex {
        axis: [0.3, 1.0, 0.0],
        ..Vortex::default()
    };
    let uniform = [1.0, 0.0, -2.0];
    let scene = WindScene {
        uniform,
        gusts: vec![PLAIN, other],
        vortices: vec![whirl],
        ..WindScene::default()
    };
    let parts = [
        WindScene::from_uniform(uniform),
        gusts(&[PLAIN]),
        gusts(&[other]),
        vortices(&[whirl]),
    ];
    let mut rolls = Rolls(0x5_03);
    for i in 0..200 {
        let (place, time) = (rolls.three(10.0), f64::from(rolls.one()) * 50.0);
        let mut sum = [0.0; 3];
        for part in &parts {
            let v = part.velocity(place, time);
            sum = [0, 1, 2].map(|i| sum[i] + v[i]);
        }
        assert!(close(scene.velocity(place, time), sum, 1e-5), "seed 0x503, {i}");
    }
}

#[test]
fn wind_scenes_bake_to_the_grid_of_their_formula() {
    let scene = WindScene {
        uniform: [0.5, 0.0, 0.0],
        gusts: vec![PLAIN],
        vortices: vec![Vortex::default()],
        region: WindRegion {
            low: [-4.0, 0.0, -8.0],
            high: [4.0, 3.0, 8.0],
            points: [9, 1, 17],
        },
    };
    let field = scene.bake(&scene.region, 1.25).unwrap();
    assert_eq!(field.size(), [9, 1, 17]);
    for x in 0..9 {
        for z in 0..17 {
            let place = [x as f32 - 4.0, 1.5, z as f32 - 8.0];
            assert_eq!(field.sample(place), scene.velocity(place, 1.25));
        }
    }
    assert_eq!(field, scene.bake(&scene.region, 1.25).unwrap(), "the same again");
    assert_ne!(field, scene.bake(&scene.region, 1.5).unwrap());
    // One point is enough where the air moves alike everywhere.
    let even = WindScene::from_uniform([1.0, 2.0, 3.0]);
    let field = even.bake(&even.region, 7.0).unwrap();
    assert_eq!((field.size(), field.sample([9.0; 3])), ([1; 3], [1.0, 2.0, 3.0]));
}

#[test]
fn wind_is_baked_once_where_it_is_steady_and_each_step_where_it_is_not() {
    let mut still = Air::new(gusts(&[Gust {
        strength: 0.0,
        ..PLAIN
    }]))
    .unwrap();
    assert!(still.at(0.0).is_none() && still.at(3.0).is_none());
    let mut steady = Air::new(vortices(&[Vortex::default()])).unwrap();
    let first = steady.at(0.0).cloned().unwrap();
    assert!(std::sync::Arc::ptr_eq(&first, steady.at(5.0).unwrap()));
    let mut gusty = Air::new(gusts(&[PLAIN])).unwrap();
    let first = gusty.at(0.0).cloned().unwrap();
    assert!(std::sync::Arc::ptr_eq(&first, gusty.at(0.0).unwrap()));
    assert_ne!(first, *gusty.at(0.5).unwrap());
    assert_eq!(first, *gusty.at(0.0).unwrap(), "time may go back");
    let last = gusty.at(0.5).cloned();
    assert_eq!(gusty.at(f64::NAN).cloned(), last);

    assert!(WindScene::default().is_still());
    let nowhere = [
        gusts(&[Gust {
            direction: [0.0; 3],
            ..PLAIN
        }]),
        vortices(&[Vortex {
            axis: [0.0; 3],
            ..Vortex::default()
        }]),
    ];
    for scene in nowhere {
        assert!(scene.is_still() && scene.is_steady());
        assert_eq!(scene.velocity([1.0; 3], 1.0), [0.0; 3]);
    }
    let standing = gusts(&[Gust { travel: 0.0, ..PLAIN }]);
    assert!(standing.is_steady() && !standing.is_still());
}

#[test]
fn wind_scenes_refuse_hostile_numbers_by_name() {
    let refused = |scene: &WindScene| scene.bake(&scene.region, 0.0).unwrap_err().to_string();
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30] {
        let found = refused(&WindScene::from_uniform([0.0, odd, 0.0]));
        assert!(found.contains("uniform velocity"), "{found}");
        let found = refused(&gusts(&[
            PLAIN,
            Gust {
                wavelength: odd,
                ..PLAIN
            },
        ]));
        assert!(found.contains("gust 2's wavelength"), "{found}");
        let found = refused(&vortices(&[Vortex {
            centre: [odd, 0.0, 0.0],
            ..Vortex::default()
        }]));
        assert!(found.contains("vortex 1's centre"), "{found}");
        assert!(
            Air::new(gusts(&[Gust {
                strength: odd,
                ..PLAIN
            }]))
            .is_err()
        );
    }
    for (odd, name) in [
        (
            Gust {
                wavelength: 0.0,
                ..PLAIN
            },
            "wavelength",
        ),
        (Gust { length: 0.0, ..PLAIN }, "length"),
        (
            Gust {
                variation: -0.1,
                ..PLAIN
            },
            "variation",
        ),
        (
            Gust {
                phase: f32::NAN,
                ..PLAIN
            },
            "phase",
        ),
    ] {
        let found = refused(&gusts(&[odd]));
        assert!(found.contains(name) && found.contains("takes"), "{found}");
    }
    for odd in [
        Vortex {
            radius: 0.0,
            ..Vortex::default()
        },
        Vortex {
            reach: -1.0,
            ..Vortex::default()
        },
        Vortex {
            height: f32::NAN,
            ..Vortex::default()
        },
    ] {
        assert!(refused(&vortices(&[odd])).contains("vortex 1's"));
    }
    let many = gusts(&[PLAIN; MAX_WIND_PARTS + 1]);
    assert_eq!(many.bake(&many.region, 0.0), Err(WindError::Parts));
    let scene = gusts(&[PLAIN]);
    let bake = |low: V, high: V, points| scene.bake(&WindRegion { low, high, points }, 0.0);
    assert_eq!(bake([0.0; 3], [1.0, 0.0, 1.0], [2; 3]), Err(WindError::Region));
    assert_eq!(bake([0.0; 3], [1.0; 3], [2, 0, 2]), Err(WindError::Size));
    let above = [2, 2, MAX_WIND_POINTS + 1];
    assert_eq!(bake([0.0; 3], [1.0; 3], above), Err(WindError::Size));
    assert!(bake([f32::NAN; 3], [1.0; 3], [2; 3]).is_err());
    assert_eq!(
        scene.bake(&scene.region, f64::INFINITY),
        Err(WindError::NotFinite)
    );
    // The ends of every range give finite air.
    let wild = WindScene {
        uniform: [1_000.0; 3],
        gusts: vec![
            Gust {
                direction: [1e6, 1e-30, -1e6],
                strength: -1_000.0,
                travel: 1_000.0,
                wavelength: 0.001,
                length: 0.01,
                variation: 1.0,
                phase: 1e6,
            };
            MAX_WIND_PARTS / 2
        ],
        vortices: vec![
            Vortex {
                centre: [0.0; 3],
                axis: [0.0, 1e-40, 0.0],
                radius: 0.001,
                reach: 1e6,
                height: 1e6,
                swirl: 1_000.0,
                updraft: 1_000.0,
            };
            MAX_WIND_PARTS / 2
        ],
        region: WindRegion {
            low: [-1e6; 3],
            high: [1e6; 3],
            points: [5; 3],
        },
    };
    for time in [0.0, -1e9, 1e15, f64::MAX] {
        let field = wild.bake(&wild.region, time).unwrap();
        assert!(field.points().as_flattened().iter().all(|v| v.is_finite()));
    }
}

#[test]
fn wind_scenes_are_read_from_json_and_say_what_they_do_not_know() {
    let text =
        r#"{"uniform": [1, 0, 0], "gusts": [{"direction": [0, 0, 1], "strength": 5}], "vortices": [{}]}"#;
    let scene: WindScene = serde_json::from_str(text).unwrap();
    assert_eq!(scene.uniform, [1.0, 0.0, 0.0]);
    assert_eq!(scene.gusts[0].wavelength, Gust::default().wavelength);
    assert_eq!(scene.vortices, [Vortex::default()]);
    let again: WindScene = serde_json::from_str(&serde_json::to_string(&scene).unwrap()).unwrap();
    assert_eq!(again, scene);
    let unknown = r#"{"gusts": [{"strenght": 5}]}"#;
    let error = serde_json::from_str::<WindScene>(unknown)
        .unwrap_err()
        .to_string();
    assert!(error.contains("strenght"), "{error}");
}
