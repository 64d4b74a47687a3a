// Bucket fill: for each workgroup of the simulation list its program's section, and where its part ends inside it
// the entries that are no particles. Reads buckets, program, counters. Writes sim. One thread a workgroup.
// Twin of src/reference/bucket.rs.
#include "sim/common.wgsl"
#include "lib/buckets.wgsl"

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = flat_index(group, lane, groups.x);
    let first = index * WORKGROUP_SIZE;
    if (first >= atomicLoad(&counters[COUNTER_SIM_PADDED])) {
        return;
    }
    // The last program that starts at or before it: those without particles start where the next one does.
    var low = 0u;
    var high = frame.program_count;
    while (low < high) {
        let middle = (low + high) >> 1u;
        if (atomicLoad(&buckets[bucket_start(middle)]) <= first) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    let bucket = low - 1u;
    let place = bucket * (PROGRAM_ROW_WORDS / 4u);
    let sections = program[place];
    if (index == 0u) {
        sim[frame.section_base] = atomicLoad(&counters[COUNTER_SIM_PADDED]);
    }
    let section = list_section(index);
    sim[section] = sections.z;
    sim[section + 1u] = sections.w;
    sim[section + 2u] = program[place + 1u].x;
    sim[section + 3u] = bucket;
    let end = atomicLoad(&buckets[bucket_start(bucket)]) + atomicLoad(&buckets[bucket_size(bucket)]);
    for (var i = max(first, end); i < first + WORKGROUP_SIZE; i++) {
        sim[i] = PAD_SLOT;
    }
}
