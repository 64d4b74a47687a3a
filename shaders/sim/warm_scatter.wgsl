// Pre-warm scatter: survivors join the new list behind the newborns, in the order they had: the youngest come
// first, the oldest last. Reads alive_in, flags. Writes alive, counters. A workgroup a tile.
// Twin of src/reference/warmup.rs.
#include "lib/warm_rank.wgsl"

@compute @workgroup_size(SCAN_THREADS)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
    let born = atomicLoad(&counters[COUNTER_BORN]);
    let stretch = warm_stretch(lane, group.x);
    let ranked = warm_rank(lane, group.x);
    var rank = ranked.x;
    for (var i = stretch.x; i < stretch.y; i++) {
        if (flags[i] != 0u) {
            alive[born + rank] = alive_in[i];
            rank++;
        }
    }
    if (ranked.y > 0u) {
        // Newborns are counted already.
        atomicAdd(&counters[COUNTER_ALIVE], ranked.y);
    }
}
