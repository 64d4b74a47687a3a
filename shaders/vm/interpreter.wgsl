// The bytecode interpreter over scalar slots. `gen/registers.wgsl` gives the register file: private slots, or
// slots in a storage buffer with so many lanes; `gen/single.wgsl` runs instructions of width 1, where a device
// gains by it.
//
// A host does what `vm/loads.wgsl` says, then calls `vm_run`. `vm_code` reads header, constants and code of the
// program buffer.
// Twin of src/vm/scalar.rs.
#include "vm/loads.wgsl"
#include "gen/registers.wgsl"
#include "gen/single.wgsl"

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
            // The lane by lane ones, from the opcode table: in one switch, since two cost twice.
#include "gen/alu.wgsl"
            default: {
                lanes = 0u;
            }
        }
        let dst = head >> DST_SHIFT;
        if (lanes > 2u) {
            register_set(dst, result.x);
            register_set(dst + 1u, result.y);
            register_set(dst + 2u, result.z);
            if (lanes > 3u) { register_set(dst + 3u, result.w); }
        } else if (lanes > 0u) {
            register_set(dst, result.x);
            if (lanes > 1u) { register_set(dst + 1u, result.y); }
        }
    }
    return killed;
}
