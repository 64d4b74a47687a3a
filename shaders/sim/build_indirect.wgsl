// Build indirect: the alive list's length becomes the dispatch of the passes over it and the draw's instance
// count. Reads and writes counters. Writes args. One thread.
#include "sim/dispatch.wgsl"

@compute @workgroup_size(1)
fn main() {
    let alive_count = min(atomicLoad(&counters[COUNTER_ALIVE]), frame.pool_capacity);
    atomicStore(&counters[COUNTER_ALIVE_IN], alive_count);
    atomicStore(&counters[COUNTER_FINISHED], 0u);
    build_dispatch(ARGS_BUCKET, alive_count, BUCKET_THREADS);
    args[ARGS_DRAW] = QUAD_VERTICES;
    args[ARGS_ALIVE_COUNT] = alive_count;
    args[ARGS_DRAW + 2u] = 0u;
    args[ARGS_DRAW + 3u] = 0u;
}
