// Pre-warm reduce: how many entries of each tile of the pre-warm's list are flagged.
// Reads flags, counters. Writes flags (behind the list's). A workgroup a tile.
#include "lib/warm_rank.wgsl"

@compute @workgroup_size(SCAN_THREADS)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
    let end = min((group.x + 1u) * SCAN_TILE, warm_length());
    var own = 0u;
    for (var i = group.x * SCAN_TILE + lane; i < end; i += SCAN_THREADS) {
        own += flags[i];
    }
    let total = scan_sum(lane, own);
    if (lane == 0u) {
        flags[warm_partial(group.x)] = total;
    }
}
