// Pre-warm migrate: what lives of the pre-warm's population moves into the pool, into slots nobody has. Where there
// are too few, the oldest go first and what stays out is counted on its row.
// Reads pool, alive_in, flags, counters, main_dead. Writes main_pool, main_alive, main_counters. A workgroup a tile.
// Twin of src/reference/warmup.rs.
#include "lib/warm_rank.wgsl"

@compute @workgroup_size(SCAN_THREADS)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
    let total = warm_base(lane, warm_tiles());
    let free = atomicLoad(&main_counters[COUNTER_DEAD]);
    let alive_before = atomicLoad(&main_counters[COUNTER_ALIVE]);
    let out = total - min(total, free);
    let stretch = warm_stretch(lane, group.x);
    let ranked = warm_rank(lane, group.x);
    var rank = ranked.x;
    for (var i = stretch.x; i < stretch.y; i++) {
        if (flags[i] == 0u) {
            continue;
        }
        let source = alive_in[i] * (RECORD_WORDS / 4u);
        if (rank < out) {
            let row = pool[source].x & 0xffffu;
            atomicAdd(&main_counters[COUNTER_HEADER_WORDS + row * ROW_COUNTER_WORDS + ROW_COUNTER_REFUSED], 1u);
        } else {
            let place = rank - out;
            let slot = main_dead[free - 1u - place];
            for (var quad = 0u; quad < RECORD_WORDS / 4u; quad++) {
                main_pool[slot * (RECORD_WORDS / 4u) + quad] = pool[source + quad];
            }
            main_alive[alive_before + place] = slot;
        }
        rank++;
    }
}
