// Bucket scan: each program's part of the simulation list, filled up to whole workgroups, and the dispatches of
// simulate and of the pass that fills the list up. The counts start over.
// Reads and writes buckets, counters. Writes args. One workgroup; a thread takes a stretch of programs.
// Twin of src/reference/bucket.rs.
#include "sim/dispatch.wgsl"
#include "lib/buckets.wgsl"

var<workgroup> bucket_sums: array<u32, SCAN_THREADS>;

fn bucket_padded(count: u32) -> u32 {
    return (count + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE * WORKGROUP_SIZE;
}

@compute @workgroup_size(SCAN_THREADS)
fn main(@builtin(local_invocation_index) lane: u32) {
    let stretch = (frame.program_count + SCAN_THREADS - 1u) / SCAN_THREADS;
    let first = min(lane * stretch, frame.program_count);
    let end = min(first + stretch, frame.program_count);
    var own = 0u;
    for (var program = first; program < end; program++) {
        own += bucket_padded(atomicLoad(&buckets[bucket_count(program)]));
    }
    bucket_sums[lane] = own;
    workgroupBarrier();
    for (var offset = 1u; offset < SCAN_THREADS; offset = offset * 2u) {
        var add = 0u;
        if (lane >= offset) {
            add = bucket_sums[lane - offset];
        }
        workgroupBarrier();
        bucket_sums[lane] += add;
        workgroupBarrier();
    }
    var start = bucket_sums[lane] - own;
    for (var program = first; program < end; program++) {
        let count = atomicExchange(&buckets[bucket_count(program)], 0u);
        atomicStore(&buckets[bucket_size(program)], count);
        atomicStore(&buckets[bucket_start(program)], start);
        atomicStore(&buckets[bucket_cursor(program)], start);
        start += bucket_padded(count);
    }
    if (lane == SCAN_THREADS - 1u) {
        let total = bucket_sums[lane];
        atomicStore(&counters[COUNTER_SIM_PADDED], total);
        build_dispatch(ARGS_SIMULATE, total, WORKGROUP_SIZE);
        build_wide_dispatch(ARGS_SIMULATE_WIDE, total);
        // A thread of the filling pass takes a workgroup of the list.
        build_dispatch(ARGS_FILL, total / WORKGROUP_SIZE, WORKGROUP_SIZE);
    }
}
