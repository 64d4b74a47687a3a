// Where a flagged entry of the pre-warm's list stands among the flagged ones: the list is taken in tiles, whose
// sums lie behind the flags.
#include "lib/scan.wgsl"

fn warm_partial(tile: u32) -> u32 {
    return frame.pool_capacity + tile;
}

fn warm_length() -> u32 {
    return atomicLoad(&counters[COUNTER_ALIVE_IN]);
}

fn warm_tiles() -> u32 {
    return (warm_length() + SCAN_TILE - 1u) / SCAN_TILE;
}

// The flagged entries of the tiles before `tile`. Called by all lanes.
fn warm_base(lane: u32, tile: u32) -> u32 {
    var own = 0u;
    for (var i = lane; i < tile; i += SCAN_THREADS) {
        own += flags[warm_partial(i)];
    }
    return scan_sum(lane, own);
}
