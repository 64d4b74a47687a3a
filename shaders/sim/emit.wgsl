// Emit: gives each newborn its record: INIT at its own moment, then UPDATE over what is left of the step.
// Reads sums, states, dead, program, transforms, wind. Writes pool, alive, counters. One thread a newborn.
// Twin of src/reference/emit.rs.
#include "sim/common.wgsl"
#include "sim/host.wgsl"

// The row newborn `index` belongs to: the first whose inclusive sum is above it.
fn emit_row(index: u32) -> u32 {
    var low = 0u;
    var high = frame.row_count;
    while (low < high) {
        let middle = (low + high) >> 1u;
        if (sums[middle] <= index) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

struct Due {
    since: f32,
    loop_index: u32,
}

fn emit_birth_time(row: u32, index: u32) -> Due {
    var before = 0u;
    let segments = min(state_u(row, EMITTER_STATE_SEGMENT_COUNT), MAX_SEGMENTS);
    for (var i = 0u; i < segments; i++) {
        let end = state_u(row, EMITTER_STATE_SEGMENT_END + i);
        if (index < end) {
            let interval = state_f(row, EMITTER_STATE_SEGMENT_INTERVAL + i);
            let time = state_f(row, EMITTER_STATE_SEGMENT_TIME + i) + fence1(f32(index - before) * interval);
            let not_early = select(0.0, time, time > 0.0);
            let since = select(frame.dt, not_early, not_early < frame.dt);
            return Due(since, state_u(row, EMITTER_STATE_SEGMENT_LOOP + i));
        }
        before = end;
    }
    return Due(frame.dt, state_u(row, EMITTER_STATE_LOOP_INDEX));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    var newborn = launch_begin(group, lane, atomicLoad(&counters[COUNTER_EMIT_GROUPS]));
    while (newborn < atomicLoad(&counters[COUNTER_BORN])) {
        emit_one(newborn);
        newborn = launch_next(newborn);
    }
}

fn emit_one(newborn: u32) {
    let row = emit_row(newborn);
    var first = 0u;
    if (row > 0u) {
        first = sums[row - 1u];
    }
    let index = newborn - first;
    let slot = dead[atomicLoad(&counters[COUNTER_BUDGET]) - 1u - newborn];
    alive[newborn] = slot;
    let ordinal = state_u(row, EMITTER_STATE_SPAWNED) - state_u(row, EMITTER_STATE_BORN) + index;
    let due = emit_birth_time(row, index);
    let since = due.since;
    let fraction = since / frame.dt;

    host_begin(row, slot, ordinal);
    for (var quad = 1u; quad < RECORD_WORDS / 4u; quad++) {
        pool[vm_record + quad] = vec4u(0u);
    }
    pool[vm_record] = vec4u(row | row_u(row, EMITTER_ROW_GENERATION) << 16u, ordinal, 0u, 0u);

    let place = row_u(row, EMITTER_ROW_PROGRAM) * (PROGRAM_ROW_WORDS / 4u);
    let sections = program[place];
    let constants = program[place + 1u].x;
    host_dt = frame.dt - since;
    host_time = frame.time_start + since;
    host_age = state_f(row, EMITTER_STATE_AGE_START) + since;
    host_fraction = fraction;
    host_spawn_fraction = fraction;
    vm_step = 0u;
    vm_loop = due.loop_index;
    let ignored = vm_run(sections.x, sections.y, constants);

    host_time = frame.time_end;
    host_age = state_f(row, EMITTER_STATE_AGE_HI);
    host_fraction = 1.0;
    vm_step = state_u(row, EMITTER_STATE_STEP);
    vm_loop = state_u(row, EMITTER_STATE_LOOP_INDEX);
    let killed = vm_run(sections.z, sections.w, constants);

    let bad = host_ended_badly(row);
    if (killed || bad) {
        pool[vm_record].x = row;
        atomicAdd(&counters[COUNTER_STILLBORN], 1u);
        if (bad) {
            host_note_non_finite(row, ordinal);
        }
    }
}
