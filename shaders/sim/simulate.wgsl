// Simulate: advances every particle of the last step's list; survivors go to the new list, the others' slots
// to the free ones. A particle whose row is gone or has another generation is freed.
// Reads alive_in, emitters, program, transforms, wind. Writes pool, alive, dead, counters. One thread a particle.
// Twin of src/reference/simulate.rs and twin.rs.
#include "sim/common.wgsl"
#include "sim/host.wgsl"

fn simulate_free(slot: u32) {
    let place = atomicAdd(&counters[COUNTER_DEAD], 1u);
    if (place < frame.pool_capacity) {
        dead[place] = slot;
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    var index = launch_begin(group, lane, atomicLoad(&counters[COUNTER_SIMULATE_GROUPS]));
    while (index < atomicLoad(&counters[COUNTER_ALIVE_IN])) {
        simulate_one(index);
        index = launch_next(index);
    }
}

fn simulate_one(index: u32) {
    let slot = alive_in[index];
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
    host_set1(BUILTIN_DELTA_TIME, dt);
    host_set1(BUILTIN_TIME, frame.time_end);
    host_set1(BUILTIN_EMITTER_AGE, state_f(row, EMITTER_STATE_AGE_HI));
    host_set1(BUILTIN_SPAWN_FRACTION, 0.0);
    host_set_pose(row, 1.0);
    vm_step = state_u(row, EMITTER_STATE_STEP);
    vm_loop = state_u(row, EMITTER_STATE_LOOP_INDEX);
    let killed = vm_run(
        row_u(row, EMITTER_ROW_UPDATE_OFFSET),
        row_u(row, EMITTER_ROW_UPDATE_LENGTH),
        row_u(row, EMITTER_ROW_CONSTANT_OFFSET),
    );
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
