// The births of each tile of rows, before a scan of several workgroups, and the free slots it counts against.
// Reads sums, counters. Writes sums (behind the rows), counters. A workgroup a tile.
#include "lib/scan.wgsl"
#include "sim/scan_partials.wgsl"

@compute @workgroup_size(SCAN_THREADS)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
    let first = group.x * SCAN_TILE;
    let end = min(first + SCAN_TILE, frame.row_count);
    var own = 0u;
    for (var row = first + lane; row < end; row += SCAN_THREADS) {
        own = scan_add(own, sums[row]);
    }
    let total = scan_sum(lane, own);
    if (lane == 0u) {
        sums[partial_word(group.x)] = total;
        if (group.x == 0u) {
            atomicStore(&counters[COUNTER_BUDGET], atomicLoad(&counters[COUNTER_DEAD]));
        }
    }
}
