// Fences: the value, seen by no optimiser. `frame.zero` is 0 and comes from a buffer, so a driver can neither
// fuse the product behind it into a sum nor reassociate across it.

fn fence1(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ frame.zero);
}

fn fence3(x: vec3f) -> vec3f {
    return bitcast<vec3f>(bitcast<vec3u>(x) ^ vec3u(frame.zero));
}

fn fence(x: vec4f) -> vec4f {
    return bitcast<vec4f>(bitcast<vec4u>(x) ^ vec4u(frame.zero));
}
