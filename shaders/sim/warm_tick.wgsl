// Pre-warm tick: births of each row that takes part, held to its capacity after this tick's deaths.
// Reads rows, counters. Writes states, sums, the rows' counters. One thread a row. Twin of src/reference/warmup.rs.
#include "sim/tick_row.wgsl"

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = id.x;
    if (row >= frame.row_count) {
        return;
    }
    sums[row] = 0u;
    let living = atomicExchange(&counters[COUNTER_HEADER_WORDS + row * ROW_COUNTER_WORDS], 0u);
    if (!row_used(row)) {
        return;
    }
    if (!(row_f(row, EMITTER_ROW_PREWARM) > 0.0) || state_f(row, EMITTER_STATE_DT) == 0.0) {
        // What it wanted in the step itself is given and counted.
        set_state_u(row, EMITTER_STATE_WANTED, 0u);
        return;
    }
    set_state_u(row, EMITTER_STATE_LIVING, living);
    // What the host asked for is of the present, and waits for it.
    let pending = state_u(row, EMITTER_STATE_PENDING);
    set_state_u(row, EMITTER_STATE_PENDING, 0u);
    tick_births(row, false);
    set_state_u(row, EMITTER_STATE_PENDING, pending);
}
