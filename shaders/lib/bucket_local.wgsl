// Counts of a workgroup's particles by program, where there are few enough programs: one addition to the buckets a
// program and workgroup, in place of one a particle.
var<workgroup> bucket_local: array<atomic<u32>, BUCKET_LOCAL>;

fn bucket_is_local() -> bool {
    return frame.program_count <= BUCKET_LOCAL;
}

// Called by all lanes; a barrier ends it.
fn bucket_clear_local(lane: u32) {
    if (bucket_is_local()) {
        for (var i = lane; i < frame.program_count; i += BUCKET_THREADS) {
            atomicStore(&bucket_local[i], 0u);
        }
    }
    workgroupBarrier();
}
