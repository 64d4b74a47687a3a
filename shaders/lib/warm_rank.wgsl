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

// The entries of a tile that are a lane's.
fn warm_stretch(lane: u32, tile: u32) -> vec2u {
    let each = SCAN_TILE / SCAN_THREADS;
    let first = min(tile * SCAN_TILE + lane * each, warm_length());
    return vec2u(first, min(first + each, warm_length()));
}

// How many flagged entries stand before a lane's first one, and how many are its own. Called by all lanes.
fn warm_rank(lane: u32, tile: u32) -> vec2u {
    let base = warm_base(lane, tile);
    let stretch = warm_stretch(lane, tile);
    var own = 0u;
    for (var i = stretch.x; i < stretch.y; i++) {
        own += flags[i];
    }
    return vec2u(base + scan_before(lane, own), own);
}

// The flagged entries of the tiles before `tile`. Called by all lanes.
fn warm_base(lane: u32, tile: u32) -> u32 {
    var own = 0u;
    for (var i = lane; i < tile; i += SCAN_THREADS) {
        own += flags[warm_partial(i)];
    }
    return scan_sum(lane, own);
}
