// Second half of the scan in two: every tile adds up the tiles before it itself, so there is no middle pass.
// Reads input, scratch (the tiles' sums). Writes output: inclusive sums, saturating at SCAN_LIMIT.
// A workgroup a tile. Twin of src/reference/scan.rs: inclusive.
#include "scan/write.wgsl"

@compute @workgroup_size(SCAN_THREADS)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
    var tiles = 0u;
    for (var tile = lane; tile < group.x; tile += SCAN_THREADS) {
        tiles = scan_add(tiles, scratch[tile]);
    }
    let base = scan_sum(lane, tiles);
    let before = scan_before(lane, scan_own(lane, group.x));
    scan_write(lane, group.x, scan_add(base, before));
}
