// Bucket count: which program each particle of the alive list runs, and how many run each.
// Reads alive, pool, emitters, args. Writes buckets (counts), keys. One thread a particle.
// Twin of src/reference/bucket.rs.
#include "sim/common.wgsl"
#include "lib/rows.wgsl"
#include "lib/buckets.wgsl"

var<workgroup> count_local: array<atomic<u32>, BUCKET_LOCAL>;

@compute @workgroup_size(BUCKET_THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = flat_bucket_index(group, lane, groups.x);
    let inside = index < args[ARGS_DRAW + 1u];
    let local = frame.program_count <= BUCKET_LOCAL;
    if (local) {
        for (var i = lane; i < frame.program_count; i += BUCKET_THREADS) {
            atomicStore(&count_local[i], 0u);
        }
    }
    workgroupBarrier();
    if (inside) {
        // A particle whose row is gone runs nothing; any bucket will do.
        let row = min(pool[alive[index] * (RECORD_WORDS / 4u)].x & 0xffffu, frame.row_count - 1u);
        let key = min(row_u(row, EMITTER_ROW_PROGRAM), frame.program_count - 1u);
        keys[index] = key;
        if (local) {
            atomicAdd(&count_local[key], 1u);
        } else {
            atomicAdd(&buckets[bucket_count(key)], 1u);
        }
    }
    workgroupBarrier();
    if (local) {
        for (var i = lane; i < frame.program_count; i += BUCKET_THREADS) {
            let count = atomicLoad(&count_local[i]);
            if (count > 0u) {
                atomicAdd(&buckets[bucket_count(i)], count);
            }
        }
    }
}
