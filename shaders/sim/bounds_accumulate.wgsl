// Bounds accumulate: counts each row's living. Reads alive, pool. Writes the rows' counters. One thread a particle.
#include "sim/common.wgsl"

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let index = flat_index(group, lane, atomicLoad(&counters[COUNTER_ALIVE_GROUPS]));
    if (index >= atomicLoad(&counters[COUNTER_ALIVE_IN])) {
        return;
    }
    let header = pool[alive[index] * (RECORD_WORDS / 4u)].x;
    if ((header >> 16u) != 0u) {
        atomicAdd(&counters[COUNTER_HEADER_WORDS + (header & 0xffffu) * ROW_COUNTER_WORDS], 1u);
    }
}
