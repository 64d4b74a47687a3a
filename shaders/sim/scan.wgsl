// Scan: births a row to inclusive sums held to the free slots, and emit's dispatch.
// Reads sums, counters. Writes sums, states, counters, args. One workgroup; a thread takes a stretch of rows.
// Twin of src/reference/scan.rs.
#include "lib/rows_write.wgsl"
#include "sim/dispatch.wgsl"

// Sums saturate here, far above any pool: adding two stays inside u32 and the order of adding does not matter.
const SCAN_LIMIT: u32 = 0x40000000u;

var<workgroup> scan_sums: array<u32, SCAN_THREADS>;

fn scan_add(a: u32, b: u32) -> u32 {
    return min(a + b, SCAN_LIMIT);
}

@compute @workgroup_size(SCAN_THREADS)
fn main(@builtin(local_invocation_index) lane: u32) {
    let budget = atomicLoad(&counters[COUNTER_DEAD]);
    let stretch = (frame.row_count + SCAN_THREADS - 1u) / SCAN_THREADS;
    let first = min(lane * stretch, frame.row_count);
    let end = min(first + stretch, frame.row_count);
    var own = 0u;
    for (var row = first; row < end; row++) {
        own = scan_add(own, sums[row]);
    }
    scan_sums[lane] = own;
    workgroupBarrier();
    for (var offset = 1u; offset < SCAN_THREADS; offset = offset * 2u) {
        var add = 0u;
        if (lane >= offset) {
            add = scan_sums[lane - offset];
        }
        workgroupBarrier();
        scan_sums[lane] = scan_add(scan_sums[lane], add);
        workgroupBarrier();
    }
    var before = 0u;
    if (lane > 0u) {
        before = scan_sums[lane - 1u];
    }
    for (var row = first; row < end; row++) {
        let take = sums[row];
        let born = min(take, budget - min(budget, before));
        set_state_u(row, EMITTER_STATE_BORN, born);
        set_state_u(row, EMITTER_STATE_SPAWNED, state_u(row, EMITTER_STATE_SPAWNED) + born);
        set_state_u(row, EMITTER_STATE_DROPPED, state_u(row, EMITTER_STATE_DROPPED) + state_u(row, EMITTER_STATE_WANTED) - born);
        before = scan_add(before, take);
        sums[row] = min(before, budget);
    }
    if (lane == SCAN_THREADS - 1u) {
        let newborn = min(scan_sums[lane], budget);
        atomicStore(&counters[COUNTER_BUDGET], budget);
        atomicStore(&counters[COUNTER_BORN], newborn);
        atomicStore(&counters[COUNTER_DEAD], budget - newborn);
        atomicStore(&counters[COUNTER_ALIVE], newborn);
        atomicStore(&counters[COUNTER_STILLBORN], 0u);
        atomicStore(&counters[COUNTER_EMIT_GROUPS], build_dispatch(ARGS_EMIT, newborn, WORKGROUP_SIZE));
        build_wide_dispatch(ARGS_EMIT_WIDE, newborn);
    }
}
