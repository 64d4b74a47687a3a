// Reads and writes whole records: the least that any pass over them costs. Benchmarks run it beside simulate.
// Reads and writes pool. `main` has a thread a record, `in_order` a workgroup the same records quad by quad.
#include "sim/common.wgsl"

const RECORD_QUADS: u32 = RECORD_WORDS / 4u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let slot = flat_index(group, lane, frame.max_groups_x);
    if (slot >= frame.pool_capacity) {
        return;
    }
    var quads: array<vec4u, RECORD_QUADS>;
    for (var i = 0u; i < RECORD_QUADS; i++) {
        quads[i] = pool[slot * RECORD_QUADS + i];
    }
    // `frame.zero` keeps a driver from seeing that nothing changes.
    for (var i = 0u; i < RECORD_QUADS; i++) {
        pool[slot * RECORD_QUADS + i] = quads[i] ^ vec4u(frame.zero);
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn in_order(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let first = flat_index(group, 0u, frame.max_groups_x) * RECORD_QUADS;
    for (var i = 0u; i < RECORD_QUADS; i++) {
        let quad = first + i * WORKGROUP_SIZE + lane;
        if (quad < frame.pool_capacity * RECORD_QUADS) {
            pool[quad] = pool[quad] ^ vec4u(frame.zero);
        }
    }
}
