// The bytecode interpreter over scalar slots. `gen/registers.wgsl` gives the register file: private slots, or
// slots in a storage buffer with so many lanes; `gen/single.wgsl` runs instructions of width 1, where a device
// gains by it.
//
// A host sets `vm_record` (first quad of the record), the seed and the draw keys, defines `vm_builtin`, then
// calls `vm_run`. `vm_code` reads header, constants and code of the program buffer.
// Twin of src/vm/scalar.rs.
#include "lib/rng.wgsl"
#include "vm/ops.wgsl"
#include "gen/alu.wgsl"
#include "gen/registers.wgsl"
#include "gen/single.wgsl"

var<private> vm_record: u32;
var<private> vm_fields: u32;
var<private> vm_seed: u32;
var<private> vm_particle_key: u32;
var<private> vm_step: u32;
var<private> vm_loop: u32;

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

fn vm_read(kind: u32, word: u32) -> vec4f {
    if (kind == KIND_REG) {
        let base = word & 0xffu;
        let pick = (vec4u(word) >> vec4u(SWIZZLE_SHIFT, SWIZZLE_SHIFT + 2u, SWIZZLE_SHIFT + 4u, SWIZZLE_SHIFT + 6u)) & vec4u(3u);
        return bitcast<vec4f>(vec4u(
            register_get(base + pick.x),
            register_get(base + pick.y),
            register_get(base + pick.z),
            register_get(base + pick.w),
        ));
    }
    return vec4f(bitcast<f32>(word));
}

fn vm_load_builtin(id: u32) -> vec4u {
    if (id >= GLOBAL_FIELD_BASE) {
        return vm_program_words(frame.global_base + id - GLOBAL_FIELD_BASE);
    }
    if (id >= EMITTER_FIELD_BASE) {
        return vm_program_words(vm_fields + id - EMITTER_FIELD_BASE);
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
    for (var lane = 0u; lane < width; lane++) {
        pool[quad][begin + lane] = value[lane];
    }
}

fn vm_random(stream: u32, scope: u32) -> vec4u {
    let step = select(0u, vm_step, scope == SCOPE_STEP);
    var root = vm_particle_key;
    if (scope == SCOPE_LOOP) {
        root = pcg(pcg(vm_seed) ^ pcg(vm_loop));
    } else if (scope == SCOPE_INSTANCE) {
        root = pcg(pcg(vm_seed));
    }
    return bitcast<vec4u>(vec4f(
        rng_unit(rng_draw(root, stream, 0u, step)),
        rng_unit(rng_draw(root, stream, 1u, step)),
        rng_unit(rng_draw(root, stream, 2u, step)),
        rng_unit(rng_draw(root, stream, 3u, step)),
    ));
}

// Runs `length` instructions from word `offset`. True where one killed the particle.
fn vm_run(offset: u32, length: u32, constants: u32) -> bool {
    var killed = false;
    let first = offset >> 2u;
    for (var pc = 0u; pc < length; pc++) {
        let instruction = vm_code(first + pc);
        if (vm_single(instruction)) {
            continue;
        }
        let head = instruction.x;
        let op = head & 0xffu;
        let width = (head >> WIDTH_SHIFT) & 7u;
        let a = vm_read((head >> KIND_SHIFT) & 3u, instruction.y);
        let b = vm_read((head >> (KIND_SHIFT + 2u)) & 3u, instruction.z);
        let c = vm_read((head >> (KIND_SHIFT + 4u)) & 3u, instruction.w);
        var result = vec4u(0u);
        var lanes = width;
        switch (op) {
            case OP_NOP: {
                lanes = 0u;
            }
            case OP_LOAD_CONST: {
                result = vm_code((constants >> 2u) + instruction.y);
            }
            case OP_LOAD_BUILTIN: {
                result = vm_load_builtin(instruction.y);
            }
            case OP_LOAD_FIELD: {
                result = vm_load_field(instruction.y);
            }
            case OP_STORE_FIELD: {
                vm_store_field(instruction.y, width, bitcast<vec4u>(b));
                lanes = 0u;
            }
            case OP_KILL: {
                killed = killed || !(a.x == 0.0);
                lanes = 0u;
            }
            case OP_RANDOM: {
                result = vm_random(instruction.y, instruction.z);
            }
            case OP_SAMPLE_WIND: {
                result = vm_sample_wind(a.xyz);
            }
            default: {
                result = bitcast<vec4u>(vm_alu(op, width, a, b, c));
                lanes = select(width, 1u, vm_reduces(op));
            }
        }
        let dst = head >> DST_SHIFT;
        if (lanes > 0u) { register_set(dst, result.x); }
        if (lanes > 1u) { register_set(dst + 1u, result.y); }
        if (lanes > 2u) { register_set(dst + 2u, result.z); }
        if (lanes > 3u) { register_set(dst + 3u, result.w); }
    }
    return killed;
}
