// Sine, cosine, exponential, logarithm. Twin of src/vm/poly.rs, operation by operation, four lanes at once.

struct PolyReduced {
    quadrant: vec4f,
    r: vec4f,
}

fn poly_reduce(a: vec4f) -> PolyReduced {
    let x = select(a, vec4f(0.0), abs(a) > vec4f(POLY_TRIG_LIMIT));
    let q = floor(x * POLY_TWO_OVER_PI + 0.5);
    let r = ((x - q * POLY_PIO2_A) - q * POLY_PIO2_B) - q * POLY_PIO2_C;
    return PolyReduced(q - 4.0 * floor(q * 0.25), r);
}

fn poly_sin_part(r: vec4f) -> vec4f {
    let s = r * r;
    return r + r * s * (POLY_SIN_A + s * (POLY_SIN_B + s * POLY_SIN_C));
}

fn poly_cos_part(r: vec4f) -> vec4f {
    let s = r * r;
    return (1.0 - 0.5 * s) + s * s * (POLY_COS_A + s * (POLY_COS_B + s * POLY_COS_C));
}

fn poly_quarter_turn(quadrant: vec4f, s: vec4f, c: vec4f) -> vec4f {
    let odd = (quadrant == vec4f(1.0)) | (quadrant == vec4f(3.0));
    let value = select(s, c, odd);
    let flipped = bitcast<vec4f>(bitcast<vec4u>(value) ^ vec4u(0x80000000u));
    return select(value, flipped, quadrant >= vec4f(2.0));
}

fn op_sin(a: vec4f) -> vec4f {
    let reduced = poly_reduce(a);
    return poly_quarter_turn(reduced.quadrant, poly_sin_part(reduced.r), poly_cos_part(reduced.r));
}

fn op_cos(a: vec4f) -> vec4f {
    let reduced = poly_reduce(a);
    let next = select(reduced.quadrant + 1.0, vec4f(0.0), reduced.quadrant == vec4f(3.0));
    return poly_quarter_turn(next, poly_sin_part(reduced.r), poly_cos_part(reduced.r));
}

fn op_exp2(a: vec4f) -> vec4f {
    let below = select(vec4f(POLY_EXP_MAX), a, a < vec4f(POLY_EXP_MAX));
    let clamped = select(vec4f(POLY_EXP_MIN), below, below > vec4f(POLY_EXP_MIN));
    let i = floor(clamped + 0.5);
    let f = clamped - i;
    let p = 1.0 + f * (POLY_EXP_A + f * (POLY_EXP_B + f * (POLY_EXP_C + f * (POLY_EXP_D + f * (POLY_EXP_E + f * POLY_EXP_F)))));
    let scale = bitcast<vec4f>(bitcast<vec4u>(vec4i(i) + 127) << vec4u(23u));
    return select(p * scale, vec4f(0.0), a < vec4f(POLY_EXP_MIN));
}

fn op_log2(a: vec4f) -> vec4f {
    let bits = bitcast<vec4u>(a);
    let exponent = (bitcast<vec4i>(bits) - i32(POLY_LOG_CUT)) >> vec4u(23u);
    let m = bitcast<vec4f>(bits - (bitcast<vec4u>(exponent) << vec4u(23u)));
    let f = m - 1.0;
    var y = vec4f(POLY_LOG_A);
    y = y * f + POLY_LOG_B;
    y = y * f + POLY_LOG_C;
    y = y * f + POLY_LOG_D;
    y = y * f + POLY_LOG_E;
    y = y * f + POLY_LOG_F;
    y = y * f + POLY_LOG_G;
    y = y * f + POLY_LOG_H;
    y = y * f + POLY_LOG_I;
    y = (y * f) * (f * f);
    y = y - 0.5 * (f * f);
    let result = (((y + f) * POLY_LOG2E_MINUS_1 + y) + f) + vec4f(exponent);
    let outside = (bits < vec4u(0x00800000u)) | ((bits >> vec4u(31u)) == vec4u(1u));
    let number = select(result, vec4f(POLY_LOG_MIN), outside);
    let nan = (bits & vec4u(0x7fffffffu)) > vec4u(0x7f800000u);
    return select(number, a, nan);
}
