// Build indirect: the new list's length becomes the next simulate's dispatch, that of passes over the list, and
// the draw's instance count. Reads and writes counters. Writes args. One thread.

fn build_dispatch(first: u32, count: u32, counter: u32) {
    let groups = (count + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let wide = min(groups, MAX_GROUPS_X);
    atomicStore(&counters[counter], wide);
    args[first] = wide;
    args[first + 1u] = (groups + max(wide, 1u) - 1u) / max(wide, 1u);
    args[first + 2u] = 1u;
}

@compute @workgroup_size(1)
fn main() {
    let alive_count = min(atomicLoad(&counters[COUNTER_ALIVE]), frame.pool_capacity);
    atomicStore(&counters[COUNTER_ALIVE_IN], alive_count);
    build_dispatch(ARGS_SIMULATE, alive_count, COUNTER_SIMULATE_GROUPS);
    args[ARGS_SIMULATE_WIDE] = min(args[ARGS_SIMULATE], WIDE_GROUPS);
    args[ARGS_SIMULATE_WIDE + 1u] = 1u;
    args[ARGS_SIMULATE_WIDE + 2u] = 1u;
    build_dispatch(ARGS_ALIVE, alive_count, COUNTER_ALIVE_GROUPS);
    args[ARGS_DRAW] = QUAD_VERTICES;
    args[ARGS_DRAW + 1u] = alive_count;
    args[ARGS_DRAW + 2u] = 0u;
    args[ARGS_DRAW + 3u] = 0u;
}
