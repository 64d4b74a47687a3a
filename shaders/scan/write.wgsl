// What the tiled scans of plain numbers share that write sums.
#include "scan/values.wgsl"

// The sum of the SCAN_PER_THREAD values behind each other that are this lane's.
fn scan_own(lane: u32, tile: u32) -> u32 {
    var own = 0u;
    for (var i = 0u; i < SCAN_PER_THREAD; i++) {
        own = scan_add(own, scan_value(tile * SCAN_TILE + lane * SCAN_PER_THREAD + i));
    }
    return own;
}

// Writes them, each with all that is before it.
fn scan_write(lane: u32, tile: u32, base: u32) {
    var before = base;
    for (var i = 0u; i < SCAN_PER_THREAD; i++) {
        let index = tile * SCAN_TILE + lane * SCAN_PER_THREAD + i;
        before = scan_add(before, scan_value(index));
        if (index < params.length) {
            output[index] = before;
        }
    }
}
