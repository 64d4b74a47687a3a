// Emit: gives each newborn its record: INIT at its own moment, then UPDATE over what is left of the step.
// Reads sums, states, dead, program, transforms, wind. Writes pool, alive, counters. One thread a newborn.
// Twin of src/reference/emit.rs.
#include "sim/common.wgsl"
#include "sim/host.wgsl"
#include "sim/scan_partials.wgsl"

var<private> emit_seed: u32;
var<private> emit_step: u32;
var<private> emit_loop: u32;
var<private> emit_time: f32;
var<private> emit_age: f32;
var<private> emit_fraction: f32;
var<private> emit_spawn_fraction: f32;

fn vm_seed() -> u32 {
    return emit_seed;
}

fn vm_step() -> u32 {
    return emit_step;
}

fn vm_loop() -> u32 {
    return emit_loop;
}

fn host_time() -> f32 {
    return emit_time;
}

fn host_age() -> f32 {
    return emit_age;
}

fn host_fraction() -> f32 {
    return emit_fraction;
}

fn host_spawn_fraction() -> f32 {
    return emit_spawn_fraction;
}

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

// Where rate·t + slope/2·t² reaches `amount` first: the root that also holds where the slope is small.
fn emit_time_of(amount: f32, rate: f32, slope: f32) -> f32 {
    if (slope == 0.0) {
        if (rate > 0.0) {
            return amount / rate;
        }
        return 0.0;
    }
    let under = fence1(fence1(rate * rate) + fence1(fence1(slope + slope) * amount));
    // Past the top of a falling rate, by slack, there is no root: the top is meant.
    var root = 0.0;
    if (under > 0.0) {
        root = sqrt(under);
    }
    let bottom = fence1(rate + root);
    if (bottom > 0.0) {
        return (amount + amount) / bottom;
    }
    return 0.0;
}

fn emit_birth_time(row: u32, index: u32) -> Due {
    var before = 0u;
    let dt = state_f(row, EMITTER_STATE_DT);
    let segments = min(state_u(row, EMITTER_STATE_SEGMENT_COUNT), MAX_SEGMENTS);
    for (var i = 0u; i < segments; i++) {
        let end = state_u(row, EMITTER_STATE_SEGMENT_END + i);
        if (index < end) {
            let amount = fence1(state_f(row, EMITTER_STATE_SEGMENT_FIRST + i) + f32(index - before));
            let rate = state_f(row, EMITTER_STATE_SEGMENT_RATE + i);
            let slope = state_f(row, EMITTER_STATE_SEGMENT_SLOPE + i);
            let time = fence1(state_f(row, EMITTER_STATE_SEGMENT_TIME + i) + fence1(emit_time_of(amount, rate, slope)));
            let earliest = -state_f(row, EMITTER_STATE_CAUGHT_UP);
            let not_early = select(earliest, time, time > earliest);
            let since = select(dt, not_early, not_early < dt);
            return Due(since, state_u(row, EMITTER_STATE_SEGMENT_LOOP + i));
        }
        before = end;
    }
    return Due(dt, state_u(row, EMITTER_STATE_LOOP_INDEX));
}

// Adds the emitter's velocity to a newborn's, as far as the row says.
fn emit_inherit(row: u32) {
    let part = row_f(row, EMITTER_ROW_INHERIT_VELOCITY);
    let channel = row_u(row, EMITTER_ROW_CHANNEL_VELOCITY);
    if (part == 0.0 || channel == UNBOUND) {
        return;
    }
    let word = channel & 0xffu;
    let own = bitcast<vec4f>(vm_load_field(word)).xyz;
    let velocity = bitcast<vec4f>(vm_builtin(BUILTIN_EMITTER_VELOCITY)).xyz;
    let sum = own + fence3(velocity * part);
    vm_store_field(word, 3u, bitcast<vec4u>(vec4f(sum, 0.0)));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    var newborn = launch_begin(group, lane, groups.x);
    while (newborn < sums[published_word()]) {
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
    let slot = dead[sums[published_word() + 1u] - 1u - newborn];
    alive[newborn] = slot;
    let ordinal = state_u(row, EMITTER_STATE_SPAWNED) - state_u(row, EMITTER_STATE_BORN) + index;
    let due = emit_birth_time(row, index);
    let since = due.since;
    let dt = state_f(row, EMITTER_STATE_DT);
    let passed = fence1(since / dt);
    // Where the emitter was before the step, nobody knows any more.
    let fraction = select(0.0, passed, passed > 0.0);

    host_begin(row, slot, ordinal);
    emit_seed = row_u(row, EMITTER_ROW_SEED);
    for (var quad = 1u; quad < RECORD_WORDS / 4u; quad++) {
        pool[vm_record + quad] = vec4u(0u);
    }
    pool[vm_record] = vec4u(row | row_u(row, EMITTER_ROW_GENERATION) << 16u, ordinal, 0u, 0u);

    let place = row_u(row, EMITTER_ROW_PROGRAM) * (PROGRAM_ROW_WORDS / 4u);
    let sections = program[place];
    let constants = program[place + 1u].x;
    host_dt = dt - since;
    emit_time = frame.time_start + fence1(passed * frame.dt);
    emit_age = state_f(row, EMITTER_STATE_AGE_START) + since;
    emit_fraction = fraction;
    emit_spawn_fraction = fraction;
    emit_step = 0u;
    emit_loop = due.loop_index;
    if (row_u(row, EMITTER_ROW_LOOP_SEED) != 0u) {
        emit_seed = rng_loop_seed(emit_seed, due.loop_index);
    }
    let ignored = vm_run(sections.x, sections.y, constants);
    emit_inherit(row);

    emit_seed = row_u(row, EMITTER_ROW_SEED);
    emit_time = frame.time_end;
    emit_age = state_f(row, EMITTER_STATE_AGE_HI);
    emit_fraction = 1.0;
    emit_step = state_u(row, EMITTER_STATE_STEP);
    emit_loop = state_u(row, EMITTER_STATE_LOOP_INDEX);
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
