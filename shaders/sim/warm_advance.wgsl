// Pre-warm advance: a step of every particle of the pre-warm's list, in any order of programs. Whether it lives on
// goes to the flags, so that the list keeps its order. Reads alive_in, emitters, program, transforms, wind. Writes
// pool, flags, dead, counters. One thread a particle. Twin of src/reference/warmup.rs.
#include "sim/common.wgsl"
#include "sim/stepping.wgsl"

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    var index = launch_begin(group, lane, groups.x);
    while (index < atomicLoad(&counters[COUNTER_ALIVE_IN])) {
        flags[index] = u32(warm_advance(alive_in[index]));
        index = launch_next(index);
    }
}

fn warm_advance(slot: u32) -> bool {
    let head = pool[slot * (RECORD_WORDS / 4u)];
    let row = head.x & 0xffffu;
    var lives = (head.x >> 16u) != 0u;
    if (lives) {
        let dt = state_f(row, EMITTER_STATE_DT);
        host_begin(row, slot, head.y);
        host_dt = dt;
        let place = row_u(row, EMITTER_ROW_PROGRAM) * (PROGRAM_ROW_WORDS / 4u);
        let sections = program[place];
        let killed = vm_run(sections.z, sections.w, program[place + 1u].x);
        let bad = host_ended_badly(row);
        if (bad) {
            host_note_non_finite(row, head.y);
        }
        lives = !killed && !bad;
    }
    if (lives) {
        atomicAdd(&counters[COUNTER_HEADER_WORDS + row * ROW_COUNTER_WORDS], 1u);
    } else {
        dead[atomicAdd(&counters[COUNTER_DEAD], 1u)] = slot;
    }
    return lives;
}
