//! The library's files, one a node, as parts of the build.

/// Names and texts of `assets/library/`. A test holds it to the folder.
pub(super) const LIBRARY: &[(&str, &str)] = &[
    ("acos", include_str!("../../assets/library/acos.json")),
    (
        "add_velocity",
        include_str!("../../assets/library/add_velocity.json"),
    ),
    (
        "additive_over_life",
        include_str!("../../assets/library/additive_over_life.json"),
    ),
    ("age", include_str!("../../assets/library/age.json")),
    (
        "age_fraction",
        include_str!("../../assets/library/age_fraction.json"),
    ),
    ("aim_look", include_str!("../../assets/library/aim_look.json")),
    (
        "aim_velocity",
        include_str!("../../assets/library/aim_velocity.json"),
    ),
    ("alpha_fade", include_str!("../../assets/library/alpha_fade.json")),
    (
        "alpha_over_life",
        include_str!("../../assets/library/alpha_over_life.json"),
    ),
    (
        "angle_between",
        include_str!("../../assets/library/angle_between.json"),
    ),
    ("asin", include_str!("../../assets/library/asin.json")),
    ("at_least", include_str!("../../assets/library/at_least.json")),
    ("atan", include_str!("../../assets/library/atan.json")),
    ("atan2", include_str!("../../assets/library/atan2.json")),
    ("attract", include_str!("../../assets/library/attract.json")),
    ("axis_angle", include_str!("../../assets/library/axis_angle.json")),
    (
        "birth_additive",
        include_str!("../../assets/library/birth_additive.json"),
    ),
    (
        "birth_angular_velocity",
        include_str!("../../assets/library/birth_angular_velocity.json"),
    ),
    (
        "birth_color",
        include_str!("../../assets/library/birth_color.json"),
    ),
    (
        "birth_color_range",
        include_str!("../../assets/library/birth_color_range.json"),
    ),
    (
        "birth_frame",
        include_str!("../../assets/library/birth_frame.json"),
    ),
    (
        "birth_lifetime",
        include_str!("../../assets/library/birth_lifetime.json"),
    ),
    (
        "birth_random_rotation",
        include_str!("../../assets/library/birth_random_rotation.json"),
    ),
    (
        "birth_rotation",
        include_str!("../../assets/library/birth_rotation.json"),
    ),
    ("birth_size", include_str!("../../assets/library/birth_size.json")),
    ("birth_spin", include_str!("../../assets/library/birth_spin.json")),
    (
        "birth_uv_palette",
        include_str!("../../assets/library/birth_uv_palette.json"),
    ),
    ("clamp", include_str!("../../assets/library/clamp.json")),
    (
        "color_contrast",
        include_str!("../../assets/library/color_contrast.json"),
    ),
    (
        "color_over_life",
        include_str!("../../assets/library/color_over_life.json"),
    ),
    (
        "color_saturation",
        include_str!("../../assets/library/color_saturation.json"),
    ),
    (
        "cone_direction",
        include_str!("../../assets/library/cone_direction.json"),
    ),
    (
        "conform_sphere",
        include_str!("../../assets/library/conform_sphere.json"),
    ),
    ("cross", include_str!("../../assets/library/cross.json")),
    ("curl_3", include_str!("../../assets/library/curl_3.json")),
    ("curl_4", include_str!("../../assets/library/curl_4.json")),
    ("curl_noise", include_str!("../../assets/library/curl_noise.json")),
    (
        "direction_from_world",
        include_str!("../../assets/library/direction_from_world.json"),
    ),
    (
        "direction_to_simulation",
        include_str!("../../assets/library/direction_to_simulation.json"),
    ),
    (
        "direction_to_world",
        include_str!("../../assets/library/direction_to_world.json"),
    ),
    ("distance", include_str!("../../assets/library/distance.json")),
    ("drag", include_str!("../../assets/library/drag.json")),
    (
        "emitter_direction",
        include_str!("../../assets/library/emitter_direction.json"),
    ),
    (
        "emitter_rotation",
        include_str!("../../assets/library/emitter_rotation.json"),
    ),
    ("emitter_up", include_str!("../../assets/library/emitter_up.json")),
    ("exp", include_str!("../../assets/library/exp.json")),
    ("fbm", include_str!("../../assets/library/fbm.json")),
    (
        "frame_over_life",
        include_str!("../../assets/library/frame_over_life.json"),
    ),
    ("gravity", include_str!("../../assets/library/gravity.json")),
    (
        "greater_than",
        include_str!("../../assets/library/greater_than.json"),
    ),
    ("grow", include_str!("../../assets/library/grow.json")),
    ("hsv_to_rgb", include_str!("../../assets/library/hsv_to_rgb.json")),
    (
        "inherit_velocity",
        include_str!("../../assets/library/inherit_velocity.json"),
    ),
    (
        "inverse_lerp",
        include_str!("../../assets/library/inverse_lerp.json"),
    ),
    ("kill_below", include_str!("../../assets/library/kill_below.json")),
    (
        "kill_outside_box",
        include_str!("../../assets/library/kill_outside_box.json"),
    ),
    (
        "kill_outside_sphere",
        include_str!("../../assets/library/kill_outside_sphere.json"),
    ),
    ("length", include_str!("../../assets/library/length.json")),
    ("lerp", include_str!("../../assets/library/lerp.json")),
    ("life_left", include_str!("../../assets/library/life_left.json")),
    (
        "limit_speed",
        include_str!("../../assets/library/limit_speed.json"),
    ),
    ("log", include_str!("../../assets/library/log.json")),
    ("log10", include_str!("../../assets/library/log10.json")),
    ("luminance", include_str!("../../assets/library/luminance.json")),
    ("modulo", include_str!("../../assets/library/modulo.json")),
    ("move", include_str!("../../assets/library/move.json")),
    ("normalize", include_str!("../../assets/library/normalize.json")),
    ("not_equal", include_str!("../../assets/library/not_equal.json")),
    ("one_minus", include_str!("../../assets/library/one_minus.json")),
    ("orbit", include_str!("../../assets/library/orbit.json")),
    (
        "perpendicular_axes",
        include_str!("../../assets/library/perpendicular_axes.json"),
    ),
    ("power", include_str!("../../assets/library/power.json")),
    ("project", include_str!("../../assets/library/project.json")),
    (
        "psrdnoise_3",
        include_str!("../../assets/library/psrdnoise_3.json"),
    ),
    (
        "quat_conjugate",
        include_str!("../../assets/library/quat_conjugate.json"),
    ),
    (
        "quat_integrate",
        include_str!("../../assets/library/quat_integrate.json"),
    ),
    (
        "quat_look_rotation",
        include_str!("../../assets/library/quat_look_rotation.json"),
    ),
    ("quat_nlerp", include_str!("../../assets/library/quat_nlerp.json")),
    ("quat_slerp", include_str!("../../assets/library/quat_slerp.json")),
    (
        "random_chance",
        include_str!("../../assets/library/random_chance.json"),
    ),
    (
        "random_direction",
        include_str!("../../assets/library/random_direction.json"),
    ),
    (
        "random_in_disk",
        include_str!("../../assets/library/random_in_disk.json"),
    ),
    (
        "random_in_sphere",
        include_str!("../../assets/library/random_in_sphere.json"),
    ),
    (
        "random_index",
        include_str!("../../assets/library/random_index.json"),
    ),
    (
        "random_on_ring",
        include_str!("../../assets/library/random_on_ring.json"),
    ),
    (
        "random_rotation",
        include_str!("../../assets/library/random_rotation.json"),
    ),
    ("reflect", include_str!("../../assets/library/reflect.json")),
    ("remap", include_str!("../../assets/library/remap.json")),
    (
        "remap_clamped",
        include_str!("../../assets/library/remap_clamped.json"),
    ),
    ("rgb_to_hsv", include_str!("../../assets/library/rgb_to_hsv.json")),
    (
        "rotate_about_axis",
        include_str!("../../assets/library/rotate_about_axis.json"),
    ),
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
    (
        "sample_disk",
        include_str!("../../assets/library/sample_disk.json"),
    ),
    (
        "sample_index",
        include_str!("../../assets/library/sample_index.json"),
    ),
    (
        "sample_rotation",
        include_str!("../../assets/library/sample_rotation.json"),
    ),
    (
        "sample_sphere_surface",
        include_str!("../../assets/library/sample_sphere_surface.json"),
    ),
    (
        "sample_sphere_volume",
        include_str!("../../assets/library/sample_sphere_volume.json"),
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
    ("shape_cone", include_str!("../../assets/library/shape_cone.json")),
    ("shape_disk", include_str!("../../assets/library/shape_disk.json")),
    ("shape_line", include_str!("../../assets/library/shape_line.json")),
    (
        "shape_plane",
        include_str!("../../assets/library/shape_plane.json"),
    ),
    (
        "shape_point",
        include_str!("../../assets/library/shape_point.json"),
    ),
    ("shape_ring", include_str!("../../assets/library/shape_ring.json")),
    (
        "shape_shell",
        include_str!("../../assets/library/shape_shell.json"),
    ),
    (
        "shape_sphere",
        include_str!("../../assets/library/shape_sphere.json"),
    ),
    (
        "size_over_life",
        include_str!("../../assets/library/size_over_life.json"),
    ),
    (
        "smootherstep",
        include_str!("../../assets/library/smootherstep.json"),
    ),
    ("smoothstep", include_str!("../../assets/library/smoothstep.json")),
    ("snap", include_str!("../../assets/library/snap.json")),
    ("speed", include_str!("../../assets/library/speed.json")),
    (
        "spin_over_life",
        include_str!("../../assets/library/spin_over_life.json"),
    ),
    ("spin_roll", include_str!("../../assets/library/spin_roll.json")),
    ("step", include_str!("../../assets/library/step.json")),
    ("tan", include_str!("../../assets/library/tan.json")),
    (
        "temperature_to_color",
        include_str!("../../assets/library/temperature_to_color.json"),
    ),
    (
        "to_simulation",
        include_str!("../../assets/library/to_simulation.json"),
    ),
    ("to_world", include_str!("../../assets/library/to_world.json")),
    ("tumble", include_str!("../../assets/library/tumble.json")),
    ("turbulence", include_str!("../../assets/library/turbulence.json")),
    (
        "value_noise",
        include_str!("../../assets/library/value_noise.json"),
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
        "velocity_radial",
        include_str!("../../assets/library/velocity_radial.json"),
    ),
    (
        "velocity_sphere",
        include_str!("../../assets/library/velocity_sphere.json"),
    ),
    ("vortex", include_str!("../../assets/library/vortex.json")),
    ("wave_saw", include_str!("../../assets/library/wave_saw.json")),
    ("wave_sine", include_str!("../../assets/library/wave_sine.json")),
    (
        "wave_square",
        include_str!("../../assets/library/wave_square.json"),
    ),
    (
        "wave_triangle",
        include_str!("../../assets/library/wave_triangle.json"),
    ),
    ("wind", include_str!("../../assets/library/wind.json")),
    ("wind_zone", include_str!("../../assets/library/wind_zone.json")),
    ("wrap_box", include_str!("../../assets/library/wrap_box.json")),
    ("xor", include_str!("../../assets/library/xor.json")),
];
