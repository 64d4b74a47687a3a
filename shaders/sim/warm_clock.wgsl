// Pre-warm clock: the time of each row that takes part in this tick goes on by its part of it.
// Reads rows. Writes states. One thread a row. Twin of src/reference/warmup.rs.
#include "sim/tick_row.wgsl"

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = id.x;
    if (row >= frame.row_count || !row_used(row)) {
        return;
    }
    let prewarm = row_f(row, EMITTER_ROW_PREWARM);
    if (prewarm > 0.0) {
        tick_begin_step(row);
        // Births that a long tick had no room for would mostly have died inside it: they were not refused to anybody.
        set_state_u(row, EMITTER_STATE_DROPPED, 0u);
        // The pre-warm, and of the step that registered it the emitter's own part.
        let whole = prewarm + fence1(frame.warm_step * row_f(row, EMITTER_ROW_TIME_SCALE));
        let part = whole - frame.warm_after;
        let step = select(frame.warm_tick, part, part < frame.warm_tick);
        tick_clock(row, vec2f(step, 0.0));
    }
}
