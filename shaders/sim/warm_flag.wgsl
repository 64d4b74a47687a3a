// Pre-warm flag: which particles of the pre-warm's last list live; those that ended as they were born do not.
// Reads pool, alive_in, counters. Writes flags. One thread a particle. Twin of src/reference/warmup.rs.
#include "sim/common.wgsl"

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = flat_index(group, lane, groups.x);
    if (index < atomicLoad(&counters[COUNTER_ALIVE_IN])) {
        flags[index] = u32((pool[alive_in[index] * (RECORD_WORDS / 4u)].x >> 16u) != 0u);
    }
}
