// What the scans of plain numbers share: reading, and summing a tile.
#include "lib/scan.wgsl"

const SCAN_PER_THREAD: u32 = SCAN_TILE / SCAN_THREADS;

// 0 past the end.
fn scan_value(index: u32) -> u32 {
    if (index >= params.length) {
        return 0u;
    }
    return min(input[index], SCAN_LIMIT);
}

// The sum of a tile, read in order of the lanes. Called by all lanes.
fn scan_tile_sum(lane: u32, tile: u32) -> u32 {
    var own = 0u;
    for (var i = 0u; i < SCAN_PER_THREAD; i++) {
        own = scan_add(own, scan_value(tile * SCAN_TILE + i * SCAN_THREADS + lane));
    }
    return scan_sum(lane, own);
}
