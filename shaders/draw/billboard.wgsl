// Billboards: six vertices an instance, out of the alive list. Premultiplied output: alpha and additive
// emitters, and every mixture a particle's `additive` asks for, share one pipeline.
// Reads view, pool, alive, emitters, transforms, sprite.
#include "lib/quat.wgsl"

struct Varyings {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
    @location(1) color: vec4f,
    // x: how much it only adds light; y: 1 where the colour is already multiplied by alpha.
    @location(2) @interpolate(flat) mix: vec2f,
}

fn draw_row(row: u32, word: u32) -> u32 {
    return emitters[row * EMITTER_ROW_WORDS + word];
}

fn draw_channel(record: u32, channel: u32) -> vec4f {
    let word = channel & 0xffu;
    let quad = pool[record + (word >> 2u)];
    let begin = word & 3u;
    return bitcast<vec4f>(vec4u(quad[begin], quad[min(begin + 1u, 3u)], quad[min(begin + 2u, 3u)], quad[3u]));
}

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> Varyings {
    var out: Varyings;
    let record = alive[instance] * (RECORD_WORDS / 4u);
    let header = pool[record].x;
    let row = header & 0xffffu;
    // A stillborn particle, or one whose emitter is gone, is a point behind everything.
    out.clip = vec4f(0.0, 0.0, -1.0, 1.0);
    if ((header >> 16u) == 0u || draw_row(row, EMITTER_ROW_GENERATION) != (header >> 16u)) {
        return out;
    }
    var position = vec3f(0.0);
    let position_channel = draw_row(row, EMITTER_ROW_CHANNEL_POSITION);
    if (position_channel != UNBOUND) {
        position = draw_channel(record, position_channel).xyz;
    }
    var size = vec2f(DEFAULT_SIZE);
    let size_channel = draw_row(row, EMITTER_ROW_CHANNEL_SIZE);
    if (size_channel != UNBOUND) {
        let words = draw_channel(record, size_channel);
        size = select(words.xy, words.xx, (size_channel >> CHANNEL_WIDTH_SHIFT) == 1u);
    }
    size = max(size, vec2f(0.0));
    var color = vec4f(1.0);
    let color_channel = draw_row(row, EMITTER_ROW_CHANNEL_COLOR);
    if (color_channel != UNBOUND) {
        color = draw_channel(record, color_channel);
    }
    let fade = bitcast<f32>(draw_row(row, EMITTER_ROW_FADE));
    let blend = draw_row(row, EMITTER_ROW_BLEND);
    color = vec4f(select(color.rgb, color.rgb * fade, blend == BLEND_PREMULTIPLIED), color.a * fade);
    var additive = select(0.0, 1.0, blend == BLEND_ADDITIVE);
    let additive_channel = draw_row(row, EMITTER_ROW_CHANNEL_ADDITIVE);
    if (additive_channel != UNBOUND) {
        additive = clamp(draw_channel(record, additive_channel).x, 0.0, 1.0);
    }
    var turn = vec4f(0.0);
    let orientation_channel = draw_row(row, EMITTER_ROW_CHANNEL_ORIENTATION);
    if (orientation_channel != UNBOUND) {
        turn = draw_channel(record, orientation_channel);
    }
    if (draw_row(row, EMITTER_ROW_LOCAL_SPACE) != 0u) {
        let first = draw_row(row, EMITTER_ROW_TRANSFORM) * (TRANSFORM_WORDS / 4u);
        let point = vec4f(position, 1.0);
        position = vec3f(dot(transforms[first], point), dot(transforms[first + 1u], point), dot(transforms[first + 2u], point));
        let x = vec3f(transforms[first].x, transforms[first + 1u].x, transforms[first + 2u].x);
        let y = vec3f(transforms[first].y, transforms[first + 1u].y, transforms[first + 2u].y);
        size = size * vec2f(length(x), length(y));
    }
    // A sprite narrower than a pixel or so would flicker between pixel centres: it is drawn that wide instead,
    // and as much fainter as it is larger.
    let depth = (view.clip_from_world * vec4f(position, 1.0)).w;
    let pixel = max(depth, 1e-4) / view.toward_eye.w;
    let drawn = select(size, max(size, vec2f(pixel * SMALLEST_PIXELS)), size > vec2f(0.0));
    let kept = size.x * size.y / max(drawn.x * drawn.y, 1e-30);
    color = vec4f(select(color.rgb, color.rgb * kept, blend == BLEND_PREMULTIPLIED), color.a * kept);
    size = drawn;
    // Corners at ±½ size, counter-clockwise in two triangles.
    let corners = array<vec2f, 6>(
        vec2f(-0.5, -0.5), vec2f(0.5, -0.5), vec2f(0.5, 0.5),
        vec2f(-0.5, -0.5), vec2f(0.5, 0.5), vec2f(-0.5, 0.5),
    );
    let corner = corners[vertex];
    let inside = quat_rotate(quat_normalize(turn), vec3f(corner * size, 0.0));
    let offset = view.right.xyz * inside.x + view.up.xyz * inside.y + view.toward_eye.xyz * inside.z;
    out.clip = view.clip_from_world * vec4f(position + offset, 1.0);
    out.uv = vec2f(corner.x + 0.5, 0.5 - corner.y);
    out.color = color;
    out.mix = vec2f(additive, select(0.0, 1.0, blend == BLEND_PREMULTIPLIED));
    return out;
}

@fragment
fn fs_main(in: Varyings) -> @location(0) vec4f {
    let texel = textureSample(sprite, sprite_sampler, in.uv);
    let alpha = clamp(texel.a * in.color.a, 0.0, 1.0);
    // Texture and colour are straight, but for emitters whose colour is already multiplied.
    let straight = texel.rgb * in.color.rgb * alpha;
    let multiplied = texel.rgb * texel.a * in.color.rgb;
    return vec4f(mix(straight, multiplied, in.mix.y), alpha * (1.0 - in.mix.x));
}
