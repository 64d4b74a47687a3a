// Simulate: advances every particle of the list that the last step bucketed; survivors go to the alive list, the
// others' slots to the free ones. A particle whose row is gone or has another generation is freed.
// A workgroup's particles run one program: its section comes from the table behind the list.
// Reads sim, emitters, program, code, transforms, wind. Writes pool, alive, dead, counters. One thread a particle.
// Twin of src/reference/simulate.rs and twin.rs.
#include "sim/common.wgsl"
#include "sim/stepping.wgsl"

fn simulate_free(slot: u32) {
    let place = atomicAdd(&counters[COUNTER_DEAD], 1u);
    if (place < frame.pool_capacity) {
        dead[place] = slot;
    } else {
        atomicAdd(&counters[COUNTER_OVERFLOW], 1u);
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    var index = launch_begin(group, lane, groups.x);
    // Not the counter: loads of one word by every thread, past the caches, would cost more than all else.
    let padded = sim[frame.section_base];
    while (index < padded) {
        let slot = sim[index];
        if (slot != PAD_SLOT) {
            simulate_one(slot, list_section(index / WORKGROUP_SIZE));
        }
        index = launch_next(index);
    }
}

fn simulate_one(slot: u32, section: u32) {
    let head = pool[slot * (RECORD_WORDS / 4u)];
    let row = head.x & 0xffffu;
    let generation = head.x >> 16u;
    let ordinal = head.y;
    if (generation == 0u || row >= frame.row_count || row_u(row, EMITTER_ROW_GENERATION) != generation) {
        simulate_free(slot);
        return;
    }
    let dt = state_f(row, EMITTER_STATE_DT);
    if (dt == 0.0) {
        // Its emitter's time stands still.
        alive[atomicAdd(&counters[COUNTER_ALIVE], 1u)] = slot;
        return;
    }
    host_begin(row, slot, ordinal);
    host_dt = dt;
    let killed = vm_run(sim[section], sim[section + 1u], sim[section + 2u]);
    let bad = host_ended_badly(row);
    if (bad) {
        host_note_non_finite(row, ordinal);
    }
    if (killed || bad) {
        simulate_free(slot);
    } else {
        alive[atomicAdd(&counters[COUNTER_ALIVE], 1u)] = slot;
    }
}
