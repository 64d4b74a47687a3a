// Emitter tick: how many particles each emitter wants in this step, and when each is born.
// Reads rows, bursts, rates and transforms. Writes states and sums (this row's births). One thread a row.
// Twin of src/reference/tick.rs.
#include "sim/tick_row.wgsl"

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = id.x;
    if (row >= frame.row_count) {
        return;
    }
    sums[row] = 0u;
    if (!row_used(row)) {
        if (state_u(row, EMITTER_STATE_GENERATION) != 0u || state_u(row, EMITTER_STATE_PENDING) != 0u) {
            clear_state(row);
        }
        return;
    }
    tick_begin_row(row, row_u(row, EMITTER_ROW_GENERATION));
    tick_begin_step(row);
    let culled = tick_is_culled(row);
    var step = dd_times(vec2f(frame.dt, frame.dt_lo), row_f(row, EMITTER_ROW_TIME_SCALE));
    if (row_f(row, EMITTER_ROW_PREWARM) > 0.0) {
        // It starts with the pre-warm of this step.
        step = vec2f(0.0);
    }
    if (tick_clock(row, step)) {
        tick_births(row, culled);
    }
}
