// First half of the scan in two: the sum of each tile.
// Reads input. Writes scratch (a word a tile). A workgroup a tile.
#include "scan/values.wgsl"

@compute @workgroup_size(SCAN_THREADS)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
    let total = scan_tile_sum(lane, group.x);
    if (lane == 0u) {
        scratch[group.x] = total;
    }
}
