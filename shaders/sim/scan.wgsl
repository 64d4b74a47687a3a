// Scan: births a row to inclusive sums held to the free slots, and emit's dispatch.
// Reads sums, counters. Writes sums, states, counters, args. A thread takes a stretch of its workgroup's rows: all
// rows where there is one workgroup, else a tile, behind scan_reduce. Twin of src/reference/scan.rs.
#include "lib/rows_write.wgsl"
#include "sim/dispatch.wgsl"
#include "lib/scan.wgsl"
#include "sim/scan_partials.wgsl"

@compute @workgroup_size(SCAN_THREADS)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let tiled = groups.x > 1u;
    // Where tiles are scanned beside each other, the last of them changes the count of free slots.
    var budget = atomicLoad(&counters[COUNTER_DEAD]);
    if (tiled) {
        budget = atomicLoad(&counters[COUNTER_BUDGET]);
    }
    let size = select(frame.row_count, SCAN_TILE, tiled);
    let tile_first = min(group.x * size, frame.row_count);
    let tile_end = min(tile_first + size, frame.row_count);
    let stretch = (tile_end - tile_first + SCAN_THREADS - 1u) / SCAN_THREADS;
    let first = min(tile_first + lane * stretch, tile_end);
    let end = min(first + stretch, tile_end);

    var tiles = 0u;
    for (var tile = lane; tile < group.x; tile += SCAN_THREADS) {
        tiles = scan_add(tiles, sums[partial_word(tile)]);
    }
    let base = scan_sum(lane, tiles);
    var own = 0u;
    for (var row = first; row < end; row++) {
        own = scan_add(own, sums[row]);
    }
    var before = scan_add(base, scan_before(lane, own));
    for (var row = first; row < end; row++) {
        let take = sums[row];
        let born = min(take, budget - min(budget, before));
        set_state_u(row, EMITTER_STATE_BORN, born);
        set_state_u(row, EMITTER_STATE_SPAWNED, state_u(row, EMITTER_STATE_SPAWNED) + born);
        set_state_u(row, EMITTER_STATE_DROPPED, state_u(row, EMITTER_STATE_DROPPED) + state_u(row, EMITTER_STATE_WANTED) - born);
        before = scan_add(before, take);
        sums[row] = min(before, budget);
    }
    if (lane == SCAN_THREADS - 1u && group.x == groups.x - 1u) {
        scan_publish(budget, min(scan_add(base, scan_total()), budget));
    }
}

fn scan_publish(budget: u32, newborn: u32) {
    atomicStore(&counters[COUNTER_BUDGET], budget);
    atomicStore(&counters[COUNTER_BORN], newborn);
    sums[published_word()] = newborn;
    sums[published_word() + 1u] = budget;
    atomicStore(&counters[COUNTER_DEAD], budget - newborn);
    atomicStore(&counters[COUNTER_ALIVE], newborn);
    atomicStore(&counters[COUNTER_STILLBORN], 0u);
    build_dispatch(ARGS_EMIT, newborn, WORKGROUP_SIZE);
    build_wide_dispatch(ARGS_EMIT_WIDE, newborn);
}
