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

fn op_dot(a: vec4f, b: vec4f, width: u32) -> vec4f {
    let p = fence(a * b);
    var sum = p.x;
    if (width > 1u) { sum = sum + p.y; }
    if (width > 2u) { sum = sum + p.z; }
    if (width > 3u) { sum = sum + p.w; }
    return vec4f(sum);
}
