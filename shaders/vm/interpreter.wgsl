// The bytecode interpreter over private scalar slots. `gen/registers.wgsl` gives the file's size.
//
// A host sets `vm_record` (first quad of the record), the built-ins and the draw key, then calls `vm_run`.
// Twin of src/vm/scalar.rs.
#include "lib/rng.wgsl"
#include "vm/ops.wgsl"
#include "gen/alu.wgsl"
#include "gen/registers.wgsl"

var<private> vm_record: u32;
var<private> vm_fields: u32;
var<private> vm_particle_key: u32;
var<private> vm_step: u32;
var<private> vm_builtins: array<vec4f, BUILTIN_COUNT>;

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
            vm_registers[base + pick.x],
            vm_registers[base + pick.y],
            vm_registers[base + pick.z],
            vm_registers[base + pick.w],
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
    return bitcast<vec4u>(vm_builtins[id]);
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
    let step = select(vm_step, 0u, scope == SCOPE_PARTICLE);
    return bitcast<vec4u>(vec4f(
        rng_unit(rng_draw(vm_particle_key, stream, 0u, step)),
        rng_unit(rng_draw(vm_particle_key, stream, 1u, step)),
        rng_unit(rng_draw(vm_particle_key, stream, 2u, step)),
        rng_unit(rng_draw(vm_particle_key, stream, 3u, step)),
    ));
}

// Runs `length` instructions from word `offset`. True where one killed the particle.
fn vm_run(offset: u32, length: u32, constants: u32) -> bool {
    var killed = false;
    let first = offset >> 2u;
    for (var pc = 0u; pc < length; pc++) {
        let instruction = program[first + pc];
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
                result = program[(constants >> 2u) + instruction.y];
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
            default: {
                result = bitcast<vec4u>(vm_alu(op, width, a, b, c));
                lanes = select(width, 1u, vm_reduces(op));
            }
        }
        let dst = head >> DST_SHIFT;
        if (lanes > 0u) { vm_registers[dst] = result.x; }
        if (lanes > 1u) { vm_registers[dst + 1u] = result.y; }
        if (lanes > 2u) { vm_registers[dst + 2u] = result.z; }
        if (lanes > 3u) { vm_registers[dst + 3u] = result.w; }
    }
    return killed;
}
