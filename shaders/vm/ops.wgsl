// What the opcode table's expressions call.
#include "lib/fence.wgsl"
#include "vm/poly.wgsl"

fn op_neg(a: vec4f) -> vec4f {
    return bitcast<vec4f>(bitcast<vec4u>(a) ^ vec4u(0x80000000u));
}

fn op_abs(a: vec4f) -> vec4f {
    return bitcast<vec4f>(bitcast<vec4u>(a) & vec4u(0x7fffffffu));
}

fn op_min(a: vec4f, b: vec4f) -> vec4f {
    return select(b, a, a < b);
}

fn op_max(a: vec4f, b: vec4f) -> vec4f {
    return select(b, a, a > b);
}

fn op_bool(c: vec4<bool>) -> vec4f {
    return select(vec4f(0.0), vec4f(1.0), c);
}

fn op_select(a: vec4f, b: vec4f, c: vec4f) -> vec4f {
    return select(b, c, a == vec4f(0.0));
}

// NaN by its bits: a float compared with itself is not a test that drivers keep.
fn op_is_nan(a: vec4f) -> vec4<bool> {
    return (bitcast<vec4u>(a) & vec4u(0x7fffffffu)) > vec4u(0x7f800000u);
}

fn op_sign(a: vec4f) -> vec4f {
    let one = bitcast<vec4f>((bitcast<vec4u>(a) & vec4u(0x80000000u)) | vec4u(0x3f800000u));
    return select(one, a, (a == vec4f(0.0)) | op_is_nan(a));
}

// One word for all zeros and one for all NaN.
fn op_word(a: vec4f) -> vec4u {
    let number = select(bitcast<vec4u>(a), vec4u(0u), a == vec4f(0.0));
    return select(number, vec4u(HASH_NAN), op_is_nan(a));
}

fn op_pcg(value: vec4u) -> vec4u {
    let state = value * PCG_MULTIPLIER + PCG_INCREMENT;
    let word = ((state >> ((state >> vec4u(28u)) + vec4u(4u))) ^ state) * PCG_OUTPUT;
    return (word >> vec4u(22u)) ^ word;
}

fn op_hash(a: vec4f, b: vec4f) -> vec4f {
    return vec4f(op_pcg(op_word(a) + op_pcg(op_word(b))) >> vec4u(8u)) * RNG_UNIT_SCALE;
}

fn op_and(a: vec4f, b: vec4f) -> vec4f {
    return select(vec4f(1.0), vec4f(0.0), (a == vec4f(0.0)) | (b == vec4f(0.0)));
}

fn op_or(a: vec4f, b: vec4f) -> vec4f {
    return select(vec4f(1.0), vec4f(0.0), (a == vec4f(0.0)) & (b == vec4f(0.0)));
}

fn op_dot(a: vec4f, b: vec4f, width: u32) -> vec4f {
    let p = fence(a * b);
    var sum = p.x;
    if (width > 1u) { sum = sum + p.y; }
    if (width > 2u) { sum = sum + p.z; }
    if (width > 3u) { sum = sum + p.w; }
    return vec4f(sum);
}
