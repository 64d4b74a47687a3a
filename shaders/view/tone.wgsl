// Tone: linear light to the screen's code. A triangle over the whole picture. Reads hdr.
// Twin of src/render/tone.rs.

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32((vertex << 1u) & 2u), f32(vertex & 2u));
    return vec4f(corner * 2.0 - 1.0, 0.0, 1.0);
}

fn tone_curve(x: f32) -> f32 {
    let rest = 1.0 - TONE_SHOULDER;
    let rolled = TONE_SHOULDER + rest * (1.0 - exp(-max(x - TONE_SHOULDER, 0.0) / rest));
    return select(rolled, x, x <= TONE_SHOULDER);
}

fn srgb_code(x: f32) -> f32 {
    return select(SRGB_SCALE * pow(max(x, 0.0), SRGB_EXPONENT) - SRGB_OFFSET, x * SRGB_SLOPE, x <= SRGB_STRAIGHT_END);
}

@fragment
fn fs_main(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let light = max(textureLoad(hdr, vec2i(at.xy), 0).rgb, vec3f(0.0));
    return vec4f(
        srgb_code(tone_curve(light.r)),
        srgb_code(tone_curve(light.g)),
        srgb_code(tone_curve(light.b)),
        1.0,
    );
}
