// Quaternions (x, y, z, w).

// Unit length; the zero quaternion stays zero, and turns nothing.
fn quat_normalize(q: vec4f) -> vec4f {
    return q * inverseSqrt(max(dot(q, q), 1e-30));
}

fn quat_rotate(q: vec4f, v: vec3f) -> vec3f {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}
