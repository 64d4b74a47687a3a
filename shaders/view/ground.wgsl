// Ground: background and a metre grid on y = 0, its axes coloured, fading with distance. A triangle over the
// whole picture; writes no depth. Reads view, scene.

struct Varyings {
    @builtin(position) clip: vec4f,
    @location(0) ndc: vec2f,
}

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> Varyings {
    let corner = vec2f(f32((vertex << 1u) & 2u), f32(vertex & 2u)) * 2.0 - 1.0;
    return Varyings(vec4f(corner, 0.0, 1.0), corner);
}

fn unproject(ndc: vec2f, depth: f32) -> vec3f {
    let point = view.world_from_clip * vec4f(ndc, depth, 1.0);
    return point.xyz / point.w;
}

// How much of a pixel a line of `width` pixels covers, for a coordinate whose lines are at integers.
fn ground_line(coordinate: f32, per_pixel: f32, width: f32) -> f32 {
    let distance = abs(fract(coordinate - 0.5) - 0.5) / max(per_pixel, 1e-6);
    // Lines closer than a few pixels fade away instead of shimmering.
    let crowd = 1.0 - smoothstep(0.15, 0.45, per_pixel);
    return clamp(0.5 + width * 0.5 - distance, 0.0, 1.0) * crowd;
}

@fragment
fn fs_main(in: Varyings) -> @location(0) vec4f {
    let near = unproject(in.ndc, 0.0);
    let ray = normalize(unproject(in.ndc, 1.0) - near);
    let up = clamp(ray.y * 0.5 + 0.5, 0.0, 1.0);
    var color = mix(scene.below.rgb, scene.above.rgb, up);

    let t = -near.y / select(ray.y, 1e-6, abs(ray.y) < 1e-6);
    let point = near + ray * t;
    let per_pixel = fwidth(point.xz);
    let fine = max(ground_line(point.x, per_pixel.x, 1.0), ground_line(point.z, per_pixel.y, 1.0));
    let coarse = max(ground_line(point.x * 0.1, per_pixel.x * 0.1, 1.4), ground_line(point.z * 0.1, per_pixel.y * 0.1, 1.4));
    let fade = exp(-length(point.xz - view.eye.xz) / scene.grid.w);
    let shown = select(0.0, fade, t > 0.0) * scene.grid.x;
    color = mix(color, scene.line.rgb, max(fine * 0.35, coarse * 0.75) * shown);
    let x_axis = clamp(1.2 - abs(point.z) / max(per_pixel.y, 1e-6), 0.0, 1.0) * shown;
    let z_axis = clamp(1.2 - abs(point.x) / max(per_pixel.x, 1e-6), 0.0, 1.0) * shown;
    color = mix(color, vec3f(0.32, 0.06, 0.06), x_axis);
    color = mix(color, vec3f(0.05, 0.12, 0.36), z_axis);
    return vec4f(color, 1.0);
}
