// Bucket count: which program each particle of the alive list runs, and how many run each.
// Reads alive, pool, emitters, args. Writes buckets (counts), keys. One thread a particle.
// Twin of src/reference/bucket.rs.
#include "sim/common.wgsl"
#include "lib/rows.wgsl"
#include "lib/buckets.wgsl"
#include "lib/bucket_local.wgsl"

@compute @workgroup_size(BUCKET_THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = flat_bucket_index(group, lane, groups.x);
    let inside = index < args[ARGS_ALIVE_COUNT];
    bucket_clear_local(lane);
    if (inside) {
        // A particle whose row is gone runs nothing; any bucket will do.
        let row = min(pool[alive[index] * (RECORD_WORDS / 4u)].x & 0xffffu, frame.row_count - 1u);
        let key = min(row_u(row, EMITTER_ROW_PROGRAM), frame.program_count - 1u);
        keys[index] = key;
        if (bucket_is_local()) {
            atomicAdd(&bucket_local[key], 1u);
        } else {
            atomicAdd(&buckets[bucket_count(key)], 1u);
        }
    }
    workgroupBarrier();
    if (bucket_is_local()) {
        for (var i = lane; i < frame.program_count; i += BUCKET_THREADS) {
            let count = atomicLoad(&bucket_local[i]);
            if (count > 0u) {
                atomicAdd(&buckets[bucket_count(i)], count);
            }
        }
    }
}
