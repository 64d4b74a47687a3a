// Pre-warm scatter: survivors join the new list behind the newborns, in the order they had: the youngest come
// first, the oldest last. Reads alive_in, flags. Writes alive, counters. A workgroup a tile.
// Twin of src/reference/warmup.rs.
#include "lib/warm_rank.wgsl"

@compute @workgroup_size(SCAN_THREADS)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
    let born = atomicLoad(&counters[COUNTER_BORN]);
    let base = warm_base(lane, group.x);
    let each = SCAN_TILE / SCAN_THREADS;
    let first = min(group.x * SCAN_TILE + lane * each, warm_length());
    let end = min(first + each, warm_length());
    var own = 0u;
    for (var i = first; i < end; i++) {
        own += flags[i];
    }
    var rank = base + scan_before(lane, own);
    for (var i = first; i < end; i++) {
        if (flags[i] != 0u) {
            alive[born + rank] = alive_in[i];
            rank++;
        }
    }
    if (own > 0u) {
        // Newborns are counted already.
        atomicAdd(&counters[COUNTER_ALIVE], own);
    }
}
