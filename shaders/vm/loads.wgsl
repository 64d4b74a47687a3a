// What programs reach outside their registers: fields, built-ins, random numbers, wind, whoever runs them.
//
// A host sets `vm_record` (first quad of the record) and defines `vm_builtin`, `vm_fields` (first word of the
// emitter's fields) and what draws are keyed by: `vm_seed`, `vm_ordinal`, `vm_step`, `vm_loop`.
#include "lib/rng.wgsl"
#include "vm/ops.wgsl"

var<private> vm_record: u32;

fn vm_program_word(word: u32) -> u32 {
    return program[word >> 2u][word & 3u];
}

fn vm_program_words(word: u32) -> vec4u {
    return vec4u(
        vm_program_word(word),
        vm_program_word(word + 1u),
        vm_program_word(word + 2u),
        vm_program_word(word + 3u),
    );
}

fn vm_load_builtin(id: u32) -> vec4u {
    if (id >= GLOBAL_FIELD_BASE) {
        return vm_program_words(frame.global_base + id - GLOBAL_FIELD_BASE);
    }
    if (id >= EMITTER_FIELD_BASE) {
        return vm_program_words(vm_fields() + id - EMITTER_FIELD_BASE);
    }
    return vm_builtin(id);
}

fn vm_wind_point(at: vec3u) -> vec3f {
    return textureLoad(wind, vec3i(at), 0).xyz;
}

fn vm_wind_mix(a: vec3f, b: vec3f, part: f32) -> vec3f {
    return a + fence3((b - a) * part);
}

// Twin of src/vm/wind.rs.
fn vm_sample_wind(place: vec3f) -> vec4u {
    let size = vec3u(frame.wind_size_x, frame.wind_size_y, frame.wind_size_z);
    if (size.x == 0u) {
        return vec4u(0u);
    }
    let origin = vec3f(frame.wind_origin_x, frame.wind_origin_y, frame.wind_origin_z);
    let inverse_cell = vec3f(frame.wind_inverse_cell_x, frame.wind_inverse_cell_y, frame.wind_inverse_cell_z);
    let last = vec3f(size - 1u);
    let at = (place - origin) * inverse_cell;
    let above = select(vec3f(0.0), at, at > vec3f(0.0));
    let held = select(last, above, above < last);
    let whole = floor(held);
    let low = vec3u(whole);
    let high = min(low + 1u, size - 1u);
    let part = held - whole;
    let near = vm_wind_mix(
        vm_wind_mix(vm_wind_point(low), vm_wind_point(vec3u(high.x, low.yz)), part.x),
        vm_wind_mix(vm_wind_point(vec3u(low.x, high.y, low.z)), vm_wind_point(vec3u(high.xy, low.z)), part.x),
        part.y,
    );
    let far = vm_wind_mix(
        vm_wind_mix(vm_wind_point(vec3u(low.xy, high.z)), vm_wind_point(vec3u(high.x, low.y, high.z)), part.x),
        vm_wind_mix(vm_wind_point(vec3u(low.x, high.yz)), vm_wind_point(high), part.x),
        part.y,
    );
    return bitcast<vec4u>(vec4f(vm_wind_mix(near, far, part.z), 0.0));
}

fn vm_load_field(word: u32) -> vec4u {
    // No field straddles a quad: one load, then its lanes move to the front.
    let quad = pool[vm_record + (word >> 2u)];
    let begin = word & 3u;
    return vec4u(quad[begin], quad[min(begin + 1u, 3u)], quad[min(begin + 2u, 3u)], quad[3u]);
}

fn vm_store_field(word: u32, width: u32, value: vec4u) {
    let quad = vm_record + (word >> 2u);
    let begin = word & 3u;
    // Records lie lines apart, so that each store of a word costs what one of a quad does: loading the fourth word
    // first is still cheaper than three stores.
    if (width == 4u) {
        pool[quad] = value;
    } else if (width == 3u && begin == 0u) {
        pool[quad] = vec4u(value.xyz, pool[quad].w);
    } else {
        for (var lane = 0u; lane < width; lane++) {
            pool[quad][begin + lane] = value[lane];
        }
    }
}

fn vm_random(stream: u32, scope: u32) -> vec4u {
    let step = select(0u, vm_step(), scope == SCOPE_STEP);
    var root: u32;
    if (scope == SCOPE_LOOP) {
        root = pcg(pcg(vm_seed()) ^ pcg(vm_loop()));
    } else if (scope == SCOPE_INSTANCE) {
        root = pcg(pcg(vm_seed()));
    } else {
        root = pcg(vm_seed() ^ pcg(vm_ordinal()));
    }
    return bitcast<vec4u>(vec4f(
        rng_unit(rng_draw(root, stream, 0u, step)),
        rng_unit(rng_draw(root, stream, 1u, step)),
        rng_unit(rng_draw(root, stream, 2u, step)),
        rng_unit(rng_draw(root, stream, 3u, step)),
    ));
}
