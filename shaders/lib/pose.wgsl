// Affine transforms, three rows of four: x' = row.xyz · p + row.w. Twin of src/host/pose.rs, operation by
// operation.
#include "lib/fence.wgsl"

struct Pose {
    x: vec4f,
    y: vec4f,
    z: vec4f,
}

const POSE_IDENTITY = Pose(vec4f(1.0, 0.0, 0.0, 0.0), vec4f(0.0, 1.0, 0.0, 0.0), vec4f(0.0, 0.0, 1.0, 0.0));

fn pose_row(a: vec4f, b: Pose) -> vec4f {
    let sum = fence(a.x * b.x) + fence(a.y * b.y) + fence(a.z * b.z);
    return vec4f(sum.xyz, sum.w + a.w);
}

// `a` after `b`: a point goes through `b` first.
fn pose_then(a: Pose, b: Pose) -> Pose {
    return Pose(pose_row(a.x, b), pose_row(a.y, b), pose_row(a.z, b));
}

fn pose_finite(pose: Pose) -> bool {
    let exponent = vec4u(0x7f800000u);
    let x = (bitcast<vec4u>(pose.x) & exponent) == exponent;
    let y = (bitcast<vec4u>(pose.y) & exponent) == exponent;
    let z = (bitcast<vec4u>(pose.z) & exponent) == exponent;
    return !(any(x) || any(y) || any(z));
}

fn pose_position(pose: Pose) -> vec3f {
    return vec3f(pose.x.w, pose.y.w, pose.z.w);
}

fn pose_dot(a: vec3f, b: vec3f) -> f32 {
    return fence1(a.x * b.x) + fence1(a.y * b.y) + fence1(a.z * b.z);
}

fn pose_cross(a: vec3f, b: vec3f) -> vec3f {
    return fence3(a.yzx * b.zxy) - fence3(a.zxy * b.yzx);
}

fn pose_unit(v: vec3f) -> vec3f {
    let length = sqrt(pose_dot(v, v));
    if (length == 0.0) {
        return vec3f(0.0);
    }
    return v / length;
}

fn pose_forward(pose: Pose) -> vec3f {
    return pose_unit(-vec3f(pose.x.z, pose.y.z, pose.z.z));
}

fn pose_up(pose: Pose) -> vec3f {
    return pose_unit(vec3f(pose.x.y, pose.y.y, pose.z.y));
}

fn pose_has_direction(length: f32) -> bool {
    return length >= SHORTEST_AXIS && length <= LARGEST_FLOAT;
}

fn pose_quaternion(pose: Pose) -> vec4f {
    var x = vec3f(pose.x.x, pose.y.x, pose.z.x);
    var y = vec3f(pose.x.y, pose.y.y, pose.z.y);
    var z = vec3f(pose.x.z, pose.y.z, pose.z.z);
    let lengths = vec3f(sqrt(pose_dot(x, x)), sqrt(pose_dot(y, y)), sqrt(pose_dot(z, z)));
    if (!(pose_has_direction(lengths.x) && pose_has_direction(lengths.y) && pose_has_direction(lengths.z))) {
        return vec4f(0.0, 0.0, 0.0, 1.0);
    }
    x = x / lengths.x;
    y = y / lengths.y;
    z = z / lengths.z;
    if (pose_dot(x, pose_cross(y, z)) < 0.0) {
        x = -x;
    }
    let trace = x.x + y.y + z.z;
    let turn = vec3f(y.z - z.y, z.x - x.z, x.y - y.x);
    let pairs = vec3f(y.x + x.y, z.x + x.z, z.y + y.z);
    var q: vec4f;
    if (trace >= x.x && trace >= y.y && trace >= z.z) {
        q = vec4f(turn, 1.0 + trace);
    } else if (x.x >= y.y && x.x >= z.z) {
        q = vec4f(1.0 + x.x - y.y - z.z, pairs.x, pairs.y, turn.x);
    } else if (y.y >= z.z) {
        q = vec4f(pairs.x, 1.0 - x.x + y.y - z.z, pairs.z, turn.y);
    } else {
        q = vec4f(pairs.y, pairs.z, 1.0 - x.x - y.y + z.z, turn.z);
    }
    let squares = fence(q * q);
    let length = sqrt(squares.x + squares.y + squares.z + squares.w);
    var first = q.w;
    if (first == 0.0) {
        first = q.x;
    }
    if (first == 0.0) {
        first = q.y;
    }
    if (first == 0.0) {
        first = q.z;
    }
    return q / select(length, -length, first < 0.0);
}
