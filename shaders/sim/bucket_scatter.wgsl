// Bucket scatter: every particle of the alive list to its program's part of the simulation list.
// Reads alive, keys, args. Writes buckets (cursors), sim. One thread a particle.
// Twin of src/reference/bucket.rs.
#include "sim/common.wgsl"
#include "lib/buckets.wgsl"
#include "lib/bucket_local.wgsl"

var<workgroup> scatter_base: array<u32, BUCKET_LOCAL>;

@compute @workgroup_size(BUCKET_THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = flat_bucket_index(group, lane, groups.x);
    let inside = index < args[ARGS_ALIVE_COUNT];
    bucket_clear_local(lane);
    var key = 0u;
    var place = 0u;
    if (inside) {
        key = keys[index];
        if (bucket_is_local()) {
            place = atomicAdd(&bucket_local[key], 1u);
        } else {
            place = atomicAdd(&buckets[bucket_cursor(key)], 1u);
        }
    }
    workgroupBarrier();
    if (bucket_is_local()) {
        for (var i = lane; i < frame.program_count; i += BUCKET_THREADS) {
            let count = atomicLoad(&bucket_local[i]);
            if (count > 0u) {
                scatter_base[i] = atomicAdd(&buckets[bucket_cursor(i)], count);
            }
        }
    }
    workgroupBarrier();
    if (inside) {
        if (bucket_is_local()) {
            place += scatter_base[key];
        }
        sim[place] = alive[index];
    }
}
