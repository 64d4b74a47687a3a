// Bounds publish: each row's measured living goes to its state, and the row's counters start over.
// Writes states, the rows' counters. One thread a row.
#include "lib/rows_write.wgsl"

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= frame.row_count) {
        return;
    }
    let living = atomicExchange(&counters[COUNTER_HEADER_WORDS + id.x * ROW_COUNTER_WORDS], 0u);
    set_state_u(id.x, EMITTER_STATE_LIVING, living);
    let over = state_u(id.x, EMITTER_STATE_ENDED) != 0u && living == 0u;
    set_state_u(id.x, EMITTER_STATE_FINISHED, select(0u, 1u, over));
}
