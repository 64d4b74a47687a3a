// Bounds publish: each row's measured living and box go to its state, and the row's counters start over. A row that
// has ended and is empty joins the finished list behind the rows' counters.
// Reads rows. Writes states, the rows' counters. One thread a row. Twin of src/reference/bounds.rs.
#include "lib/rows_write.wgsl"
#include "lib/keys.wgsl"

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
    for (var i = 0u; i < 3u; i++) {
        set_state_u(row, EMITTER_STATE_BOUNDS_MIN + i, select(key_bits(least[i]), BOUNDS_EMPTY_MIN, empty));
        set_state_u(row, EMITTER_STATE_BOUNDS_MAX + i, select(key_bits(most[i]), BOUNDS_EMPTY_MAX, empty));
    }
    set_state_u(row, EMITTER_STATE_LIVING, living);
    let stopped = state_u(row, EMITTER_STATE_ENDED) != 0u || row_u(row, EMITTER_ROW_EMITTING) == 0u;
    let over = stopped && living == 0u && state_u(row, EMITTER_STATE_PENDING) == 0u;
    set_state_u(row, EMITTER_STATE_FINISHED, select(0u, 1u, over));
    if (over) {
        let place = atomicAdd(&counters[COUNTER_FINISHED], 1u);
        atomicStore(&counters[COUNTER_HEADER_WORDS + frame.row_capacity * ROW_COUNTER_WORDS + place], row | row_u(row, EMITTER_ROW_GENERATION) << 16u);
    }
}
