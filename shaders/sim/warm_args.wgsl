// Pre-warm args: the list's length becomes the dispatches of the next tick. Reads and writes counters. Writes args.
// One thread.
#include "sim/dispatch.wgsl"

@compute @workgroup_size(1)
fn main() {
    let count = min(atomicLoad(&counters[COUNTER_ALIVE]), frame.pool_capacity);
    atomicStore(&counters[COUNTER_ALIVE_IN], count);
    build_dispatch(ARGS_SIMULATE, count, WORKGROUP_SIZE);
    build_wide_dispatch(ARGS_SIMULATE_WIDE, count);
    build_dispatch(ARGS_FILL, count, WORKGROUP_SIZE);
    build_dispatch(ARGS_BUCKET, count, SCAN_TILE);
}
