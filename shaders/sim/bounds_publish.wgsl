// Bounds publish: each row's measured living and box go to its state, and the row's counters start over. A row that
// has ended and is empty joins the finished list behind the rows' counters. The box of one that sleeps only grows.
// Reads rows, transforms. Writes states, the rows' counters. One thread a row. Twin of src/reference/bounds.rs.
#include "lib/rows_write.wgsl"
#include "lib/keys.wgsl"

fn axes_hash(hash: u32, row: vec4f) -> u32 {
    var out = (hash ^ bitcast<u32>(row.x)) * AXES_HASH_FACTOR;
    out = (out ^ bitcast<u32>(row.y)) * AXES_HASH_FACTOR;
    return (out ^ bitcast<u32>(row.z)) * AXES_HASH_FACTOR;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = id.x;
    if (row >= frame.row_count) {
        return;
    }
    let first = COUNTER_HEADER_WORDS + row * ROW_COUNTER_WORDS;
    let living = atomicExchange(&counters[first], 0u);
    var least = vec3u(0u);
    var most = vec3u(0u);
    for (var i = 0u; i < 3u; i++) {
        least[i] = atomicExchange(&counters[first + ROW_COUNTER_MIN + i], 0xffffffffu);
        most[i] = atomicExchange(&counters[first + ROW_COUNTER_MAX + i], 0u);
    }
    if (!row_used(row)) {
        return;
    }
    let refused = atomicExchange(&counters[first + ROW_COUNTER_REFUSED], 0u);
    set_state_u(row, EMITTER_STATE_DROPPED, state_u(row, EMITTER_STATE_DROPPED) + refused);
    let empty = least.x > most.x;
    let first_pose = row_u(row, EMITTER_ROW_TRANSFORM) * (TRANSFORM_WORDS / 4u);
    let pose = array<vec4f, 3>(transforms[first_pose], transforms[first_pose + 1u], transforms[first_pose + 2u]);
    let axes = axes_hash(axes_hash(axes_hash(AXES_HASH_START, pose[0]), pose[1]), pose[2]);
    let keeps = row_u(row, EMITTER_ROW_CULLING) != 0u && state_u(row, EMITTER_STATE_CULLED) != 0u
        && state_u(row, EMITTER_STATE_BOUNDS_MIN) != BOUNDS_EMPTY_MIN;
    let unknown = select(empty, axes != state_u(row, EMITTER_STATE_BOXED_AXES), keeps);
    for (var i = 0u; i < 3u; i++) {
        var low = bitcast<f32>(key_bits(least[i]));
        var high = bitcast<f32>(key_bits(most[i]));
        if (keeps) {
            let way = pose[i].w - state_f(row, EMITTER_STATE_BOXED_AT + i);
            let kept_low = state_f(row, EMITTER_STATE_BOUNDS_MIN + i) + way;
            let kept_high = state_f(row, EMITTER_STATE_BOUNDS_MAX + i) + way;
            if (empty || kept_low < low) { low = kept_low; }
            if (empty || kept_high > high) { high = kept_high; }
        }
        set_state_u(row, EMITTER_STATE_BOUNDS_MIN + i, select(bitcast<u32>(low), BOUNDS_EMPTY_MIN, unknown));
        set_state_u(row, EMITTER_STATE_BOUNDS_MAX + i, select(bitcast<u32>(high), BOUNDS_EMPTY_MAX, unknown));
        set_state_f(row, EMITTER_STATE_BOXED_AT + i, pose[i].w);
    }
    set_state_u(row, EMITTER_STATE_BOXED_AXES, axes);
    set_state_u(row, EMITTER_STATE_LIVING, living);
    let stopped = state_u(row, EMITTER_STATE_ENDED) != 0u || row_u(row, EMITTER_ROW_EMITTING) == 0u;
    let over = stopped && living == 0u && state_u(row, EMITTER_STATE_PENDING) == 0u;
    set_state_u(row, EMITTER_STATE_FINISHED, select(0u, 1u, over));
    if (over) {
        let place = atomicAdd(&counters[COUNTER_FINISHED], 1u);
        atomicStore(&counters[COUNTER_HEADER_WORDS + frame.row_capacity * ROW_COUNTER_WORDS + place], row | row_u(row, EMITTER_ROW_GENERATION) << 16u);
    }
}
