//! The library's files, one a node, as parts of the build.

/// Names and texts of `assets/library/`. A test holds it to the folder.
pub(super) const LIBRARY: &[(&str, &str)] = &[
    (
        "add_velocity",
        include_str!("../../assets/library/add_velocity.json"),
    ),
    ("age", include_str!("../../assets/library/age.json")),
    (
        "age_fraction",
        include_str!("../../assets/library/age_fraction.json"),
    ),
    ("alpha_fade", include_str!("../../assets/library/alpha_fade.json")),
    (
        "alpha_over_life",
        include_str!("../../assets/library/alpha_over_life.json"),
    ),
    ("axis_angle", include_str!("../../assets/library/axis_angle.json")),
    (
        "birth_color",
        include_str!("../../assets/library/birth_color.json"),
    ),
    (
        "birth_lifetime",
        include_str!("../../assets/library/birth_lifetime.json"),
    ),
    ("birth_size", include_str!("../../assets/library/birth_size.json")),
    ("birth_spin", include_str!("../../assets/library/birth_spin.json")),
    ("clamp", include_str!("../../assets/library/clamp.json")),
    (
        "color_over_life",
        include_str!("../../assets/library/color_over_life.json"),
    ),
    (
        "cone_direction",
        include_str!("../../assets/library/cone_direction.json"),
    ),
    ("cross", include_str!("../../assets/library/cross.json")),
    (
        "direction_to_simulation",
        include_str!("../../assets/library/direction_to_simulation.json"),
    ),
    ("distance", include_str!("../../assets/library/distance.json")),
    ("drag", include_str!("../../assets/library/drag.json")),
    ("gravity", include_str!("../../assets/library/gravity.json")),
    ("grow", include_str!("../../assets/library/grow.json")),
    ("length", include_str!("../../assets/library/length.json")),
    ("lerp", include_str!("../../assets/library/lerp.json")),
    ("life_left", include_str!("../../assets/library/life_left.json")),
    ("modulo", include_str!("../../assets/library/modulo.json")),
    ("move", include_str!("../../assets/library/move.json")),
    ("normalize", include_str!("../../assets/library/normalize.json")),
    ("one_minus", include_str!("../../assets/library/one_minus.json")),
    (
        "perpendicular_axes",
        include_str!("../../assets/library/perpendicular_axes.json"),
    ),
    ("power", include_str!("../../assets/library/power.json")),
    (
        "random_direction",
        include_str!("../../assets/library/random_direction.json"),
    ),
    (
        "random_in_sphere",
        include_str!("../../assets/library/random_in_sphere.json"),
    ),
    ("remap", include_str!("../../assets/library/remap.json")),
    (
        "rotate_rotation",
        include_str!("../../assets/library/rotate_rotation.json"),
    ),
    (
        "rotate_vector",
        include_str!("../../assets/library/rotate_vector.json"),
    ),
    (
        "safe_divide",
        include_str!("../../assets/library/safe_divide.json"),
    ),
    ("saturate", include_str!("../../assets/library/saturate.json")),
    (
        "scale_velocity",
        include_str!("../../assets/library/scale_velocity.json"),
    ),
    (
        "set_velocity",
        include_str!("../../assets/library/set_velocity.json"),
    ),
    ("shape_box", include_str!("../../assets/library/shape_box.json")),
    (
        "shape_plane",
        include_str!("../../assets/library/shape_plane.json"),
    ),
    (
        "shape_point",
        include_str!("../../assets/library/shape_point.json"),
    ),
    (
        "shape_sphere",
        include_str!("../../assets/library/shape_sphere.json"),
    ),
    (
        "size_over_life",
        include_str!("../../assets/library/size_over_life.json"),
    ),
    ("smoothstep", include_str!("../../assets/library/smoothstep.json")),
    ("speed", include_str!("../../assets/library/speed.json")),
    ("spin_roll", include_str!("../../assets/library/spin_roll.json")),
    (
        "to_simulation",
        include_str!("../../assets/library/to_simulation.json"),
    ),
    (
        "velocity_box",
        include_str!("../../assets/library/velocity_box.json"),
    ),
    (
        "velocity_cone",
        include_str!("../../assets/library/velocity_cone.json"),
    ),
    (
        "velocity_fixed",
        include_str!("../../assets/library/velocity_fixed.json"),
    ),
    (
        "velocity_sphere",
        include_str!("../../assets/library/velocity_sphere.json"),
    ),
];
