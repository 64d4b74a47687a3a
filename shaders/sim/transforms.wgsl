// Transforms: each row's world pose of this step, and the last step's beside it. One thread a row.
// Reads transform_rows and the caller's matrices. Writes transforms, three vec4f of this step's pose and three
// of the last one's a row. Twin of src/reference/transforms.rs.
#include "lib/pose.wgsl"

fn transform_word(row: u32, word: u32) -> u32 {
    return row * TRANSFORM_ROW_WORDS + word;
}

fn transform_flags(row: u32) -> u32 {
    return transform_rows[transform_word(row, TRANSFORM_ROW_FLAGS)];
}

fn transform_local(row: u32, index: u32) -> vec4f {
    let first = transform_word(row, TRANSFORM_ROW_LOCAL + index * 4u);
    return bitcast<vec4f>(vec4u(transform_rows[first], transform_rows[first + 1u], transform_rows[first + 2u], transform_rows[first + 3u]));
}

// A row's own matrix: the staged one, or the caller's.
fn transform_own(row: u32, flags: u32) -> Pose {
    if ((flags & TRANSFORM_MATRIX) == 0u) {
        return Pose(transform_local(row, 0u), transform_local(row, 1u), transform_local(row, 2u));
    }
    let index = transform_rows[transform_word(row, TRANSFORM_ROW_MATRIX)];
    if (index >= frame.matrix_count) {
        return POSE_IDENTITY;
    }
    let rows = transpose(matrices[index]);
    return Pose(rows[0], rows[1], rows[2]);
}

fn transform_store(row: u32, pose: Pose) {
    transforms[row] = pose.x;
    transforms[row + 1u] = pose.y;
    transforms[row + 2u] = pose.z;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = id.x;
    if (row >= frame.transform_count) {
        return;
    }
    let own = transform_flags(row);
    if ((own & TRANSFORM_LIVE) == 0u) {
        return;
    }
    var world = transform_own(row, own);
    var here = own;
    var all = own;
    var at = row;
    for (var depth = 1u; depth < TRANSFORM_MAX_DEPTH; depth++) {
        if ((here & TRANSFORM_MATRIX) != 0u) {
            break;
        }
        at = transform_rows[transform_word(at, TRANSFORM_ROW_PARENT)];
        if (at >= frame.transform_count) {
            break;
        }
        here = transform_flags(at);
        all |= here;
        world = pose_then(transform_own(at, here), world);
    }
    let first = row * (TRANSFORM_WORDS / 4u);
    let before = Pose(transforms[first], transforms[first + 1u], transforms[first + 2u]);
    let fresh = (own & TRANSFORM_FRESH) != 0u;
    if (!pose_finite(world)) {
        world = before;
        if (fresh) {
            world = POSE_IDENTITY;
        }
    }
    transform_store(first, world);
    // In a step of no time no pose becomes the last one's: what is moved in a pause is not movement.
    if (fresh || (all & TRANSFORM_TELEPORT) != 0u) {
        transform_store(first + 3u, world);
    } else if (frame.dt > 0.0) {
        transform_store(first + 3u, before);
    }
}
