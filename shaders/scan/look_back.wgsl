// Scan in one dispatch: each tile looks back over the tiles before it until one knows its inclusive sum.
// Reads input. Writes output: inclusive sums; scratch, which is 0 at the start: tiles handed out, tiles summed
// for another, then a state a tile. A workgroup a tile. Twin of src/reference/scan.rs: inclusive.
//
// A state is one word, two bits of what is known over the value, so no order between stores is needed. No
// workgroup can count on another to go on: after some tries the one that waits sums the tile itself. All
// that publish a tile's own sum publish the same word, and an inclusive sum is above it, so max settles who is last.
#include "scan/write.wgsl"

const STATE_OWN: u32 = 1u << SCAN_VALUE_BITS;
const STATE_INCLUSIVE: u32 = 2u << SCAN_VALUE_BITS;

const SCRATCH_HANDED_OUT: u32 = 0u;
const SCRATCH_FALLBACKS: u32 = 1u;

const LOOK_DONE: u32 = 0u;
const LOOK_SUM: u32 = 1u;

var<workgroup> scan_tile: u32;
var<workgroup> scan_next: u32;
var<workgroup> scan_look: u32;
var<workgroup> scan_base: u32;

fn state_of(tile: u32) -> u32 {
    return SCAN_SCRATCH_HEADER + tile;
}

// Whether this tile tells the others what it knows. Tests hold tiles back; they still come out right.
fn publishes(tile: u32) -> bool {
    return params.publish_every != 0u && tile % max(params.publish_every, 1u) == 0u;
}

@compute @workgroup_size(SCAN_THREADS)
fn main(@builtin(local_invocation_index) lane: u32) {
    // Numbers are handed out in the order in which workgroups start, so the tiles before this one have started.
    if (lane == 0u) {
        scan_tile = atomicAdd(&scratch[SCRATCH_HANDED_OUT], 1u);
    }
    let tile = workgroupUniformLoad(&scan_tile);
    let before = scan_before(lane, scan_own(lane, tile));
    let total = scan_total();
    workgroupBarrier();
    if (lane == 0u) {
        scan_base = 0u;
        if (publishes(tile)) {
            atomicMax(&scratch[state_of(tile)], select(STATE_OWN, STATE_INCLUSIVE, tile == 0u) | total);
        }
    }
    if (tile > 0u) {
        // Only the first lane's are used.
        var look = tile - 1u;
        var known = 0u;
        loop {
            if (lane == 0u) {
                var next = LOOK_SUM;
                var tries = 0u;
                while (tries < SCAN_TRIES) {
                    let state = atomicLoad(&scratch[state_of(look)]);
                    let value = state & SCAN_LIMIT;
                    if (state >= STATE_INCLUSIVE) {
                        known = scan_add(known, value);
                        next = LOOK_DONE;
                        break;
                    }
                    if (state >= STATE_OWN) {
                        // The first tile's sum is inclusive, so there is one before this.
                        known = scan_add(known, value);
                        look -= 1u;
                        tries = 0u;
                    } else {
                        tries += 1u;
                    }
                }
                scan_next = next;
                scan_look = look;
                scan_base = known;
            }
            if (workgroupUniformLoad(&scan_next) == LOOK_DONE) {
                break;
            }
            let missing = workgroupUniformLoad(&scan_look);
            let sum = scan_tile_sum(lane, missing);
            if (lane == 0u) {
                atomicAdd(&scratch[SCRATCH_FALLBACKS], 1u);
                let own = select(STATE_OWN, STATE_INCLUSIVE, missing == 0u) | sum;
                let old = atomicMax(&scratch[state_of(missing)], own);
                let inclusive = old >= STATE_INCLUSIVE;
                known = scan_add(known, select(sum, old & SCAN_LIMIT, inclusive));
                scan_base = known;
                scan_next = select(LOOK_SUM, LOOK_DONE, inclusive || missing == 0u);
                look = max(missing, 1u) - 1u;
            }
            if (workgroupUniformLoad(&scan_next) == LOOK_DONE) {
                break;
            }
        }
    }
    let base = workgroupUniformLoad(&scan_base);
    if (lane == 0u && publishes(tile)) {
        atomicMax(&scratch[state_of(tile)], STATE_INCLUSIVE | scan_add(base, total));
    }
    scan_write(lane, tile, scan_add(base, before));
}
