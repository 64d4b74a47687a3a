// Emitter tick: how many particles each emitter wants in this step, and when each is born.
// Reads rows and bursts. Writes states and sums (this row's births). One thread a row.
// Twin of src/reference/tick.rs.
#include "lib/dd.wgsl"
#include "lib/rng.wgsl"
#include "lib/rows_write.wgsl"

var<private> tick_row: u32;
var<private> tick_segments: u32;
var<private> tick_total: u32;
var<private> tick_owed: vec2f;
var<private> tick_end: array<u32, MAX_SEGMENTS>;
var<private> tick_time: array<f32, MAX_SEGMENTS>;
var<private> tick_interval: array<f32, MAX_SEGMENTS>;
var<private> tick_loop: array<u32, MAX_SEGMENTS>;
var<private> tick_loop_index: u32;

struct Occurrence {
    found: bool,
    time: f32,
    index: u32,
    cycle: u32,
}

fn tick_word(word: u32) -> u32 {
    return program[word >> 2u][word & 3u];
}

fn tick_run(wanted: u32, time: f32, interval: f32) {
    let count = min(wanted, MAX_BIRTHS_A_RUN);
    if (count == 0u) {
        return;
    }
    tick_total = min(tick_total + count, MAX_BIRTHS_A_RUN);
    if (tick_segments < MAX_SEGMENTS) {
        tick_time[tick_segments] = time;
        tick_interval[tick_segments] = interval;
        tick_loop[tick_segments] = tick_loop_index;
        tick_segments++;
    }
    tick_end[tick_segments - 1u] = tick_total;
}

fn tick_rate_run(begin: vec2f, until: vec2f, at: vec2f, since: vec2f) {
    let rate = row_f(tick_row, EMITTER_ROW_RATE);
    if (!(rate > 0.0) || !dd_less(begin, until)) {
        return;
    }
    let owed = dd_plus(tick_owed, dd_times(dd_minus(until, begin), rate));
    let near = fence1(rate * TIME_SLACK);
    let slack = select(COUNT_SLACK, near, near < COUNT_SLACK);
    let whole = floor(fence1(fence1(owed.x + slack) + owed.y));
    let most = f32(MAX_BIRTHS_A_RUN);
    var count = 0.0;
    if (whole > 0.0) {
        count = select(most, whole, whole < most);
    }
    let interval = 1.0 / rate;
    let start = dd_plus(since, dd_minus(begin, at)).x;
    let first = start + fence1(fence1(1.0 - tick_owed.x) * interval);
    if (count < most) {
        tick_owed = dd_minus(owed, vec2f(count, 0.0));
    } else {
        tick_owed = vec2f(0.0);
    }
    tick_run(u32(count), first, interval);
}

fn tick_next_burst(low: vec2f, high: vec2f, has_last: bool, last_time: f32, last_index: u32) -> Occurrence {
    var best = Occurrence(false, 0.0, 0u, 0u);
    let bursts = row_u(tick_row, EMITTER_ROW_BURST_COUNT);
    for (var index = 0u; index < bursts; index++) {
        let first_word = row_u(tick_row, EMITTER_ROW_BURST_OFFSET) + index * BURST_ROW_WORDS;
        let burst_time = bitcast<f32>(tick_word(first_word + BURST_ROW_TIME));
        let interval = bitcast<f32>(tick_word(first_word + BURST_ROW_INTERVAL));
        let cycles = tick_word(first_word + BURST_ROW_CYCLES);
        var lower = low.x;
        if (has_last && last_time > low.x) {
            lower = last_time;
        }
        var guess = 0.0;
        if (cycles > 1u) {
            guess = floor(fence1(lower - burst_time) / interval);
        }
        var cycle = 0u;
        if (guess > 0.0) {
            cycle = min(u32(guess), cycles);
        }
        let stop = min(cycle + 3u, cycles);
        for (; cycle < stop; cycle++) {
            let time = burst_time + fence1(f32(cycle) * interval);
            let moment = vec2f(time, 0.0);
            if (dd_less(moment, low) || !dd_less(moment, high)) {
                continue;
            }
            let after = !has_last || time > last_time || (time == last_time && index > last_index);
            if (after && (!best.found || time < best.time)) {
                best = Occurrence(true, time, index, cycle);
            }
        }
    }
    return best;
}

fn tick_burst_count(loop_index: u32, burst: u32, cycle: u32) -> u32 {
    let word = row_u(tick_row, EMITTER_ROW_BURST_OFFSET) + burst * BURST_ROW_WORDS;
    let least = tick_word(word + BURST_ROW_LEAST);
    let most = tick_word(word + BURST_ROW_MOST);
    let bits = pcg(pcg(pcg(row_u(tick_row, EMITTER_ROW_SEED) ^ pcg(loop_index)) + burst) + cycle);
    if (rng_unit(bits) >= bitcast<f32>(tick_word(word + BURST_ROW_CHANCE))) {
        return 0u;
    }
    let more = u32(floor(rng_unit(pcg(bits)) * f32(most - least + 1u)));
    return least + min(more, most - least);
}

fn tick_span(loop_index: u32, at: vec2f, span: vec2f, since: vec2f) {
    let until = dd_plus(at, span);
    var cursor = at;
    if (dd_less(at, vec2f(0.0))) {
        cursor = vec2f(0.0);
    }
    let to = dd_smaller(until, vec2f(row_f(tick_row, EMITTER_ROW_DURATION), 0.0));
    let low = dd_minus(at, vec2f(TIME_SLACK, 0.0));
    let high = dd_minus(until, vec2f(TIME_SLACK, 0.0));
    var has_last = false;
    var last_time = 0.0;
    var last_index = 0u;
    for (var i = 0u; i < MAX_SEGMENTS; i++) {
        let next = tick_next_burst(low, high, has_last, last_time, last_index);
        if (!next.found) {
            break;
        }
        has_last = true;
        last_time = next.time;
        last_index = next.index;
        let moment = vec2f(next.time, 0.0);
        let cut = dd_smaller(moment, to);
        tick_rate_run(cursor, cut, at, since);
        if (dd_less(cursor, cut)) {
            cursor = cut;
        }
        let offset = dd_plus(since, dd_minus(moment, at)).x;
        tick_run(tick_burst_count(loop_index, next.index, next.cycle), select(0.0, offset, offset > 0.0), 0.0);
    }
    tick_rate_run(cursor, to, at, since);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = id.x;
    if (row >= frame.row_count) {
        return;
    }
    tick_row = row;
    if (!row_used(row)) {
        if (state_u(row, EMITTER_STATE_GENERATION) != 0u || state_u(row, EMITTER_STATE_PENDING) != 0u) {
            clear_state(row);
        }
        sums[row] = 0u;
        return;
    }
    let generation = row_u(row, EMITTER_ROW_GENERATION);
    let known = state_u(row, EMITTER_STATE_GENERATION);
    if (known != generation) {
        let pending = select(0u, state_u(row, EMITTER_STATE_PENDING), known == 0u);
        clear_state(row);
        set_state_u(row, EMITTER_STATE_GENERATION, generation);
        set_state_f(row, EMITTER_STATE_LOOP_TIME_HI, -row_f(row, EMITTER_ROW_DELAY));
        set_state_u(row, EMITTER_STATE_PENDING, pending);
        for (var i = 0u; i < 3u; i++) {
            set_state_u(row, EMITTER_STATE_BOUNDS_MIN + i, BOUNDS_EMPTY_MIN);
            set_state_u(row, EMITTER_STATE_BOUNDS_MAX + i, BOUNDS_EMPTY_MAX);
        }
    }
    let step = vec2f(frame.dt, frame.dt_lo);
    set_state_u(row, EMITTER_STATE_STEP, state_u(row, EMITTER_STATE_STEP) + 1u);
    let age_before = vec2f(state_f(row, EMITTER_STATE_AGE_HI), state_f(row, EMITTER_STATE_AGE_LO));
    set_state_f(row, EMITTER_STATE_AGE_START, age_before.x);
    let age = dd_plus(age_before, step);
    set_state_f(row, EMITTER_STATE_AGE_HI, age.x);
    set_state_f(row, EMITTER_STATE_AGE_LO, age.y);

    tick_segments = 0u;
    tick_total = 0u;
    tick_owed = vec2f(state_f(row, EMITTER_STATE_OWED_HI), state_f(row, EMITTER_STATE_OWED_LO));
    tick_loop_index = state_u(row, EMITTER_STATE_LOOP_INDEX);
    tick_run(state_u(row, EMITTER_STATE_PENDING), 0.0, 0.0);
    set_state_u(row, EMITTER_STATE_PENDING, 0u);

    var at = vec2f(state_f(row, EMITTER_STATE_LOOP_TIME_HI), state_f(row, EMITTER_STATE_LOOP_TIME_LO));
    var left = step;
    var since = vec2f(0.0);
    var ended = state_u(row, EMITTER_STATE_ENDED);
    if (row_u(row, EMITTER_ROW_EMITTING) == 0u) {
        ended = 1u;
    }
    var loop_index = state_u(row, EMITTER_STATE_LOOP_INDEX);
    let loops = row_u(row, EMITTER_ROW_LOOPS);
    let period = vec2f(row_f(row, EMITTER_ROW_PERIOD), 0.0);
    for (var i = 0u; i < MAX_LOOPS_A_STEP; i++) {
        if (ended != 0u) {
            break;
        }
        let to_end = dd_minus(period, at);
        let wraps = !dd_less(left, dd_minus(to_end, vec2f(TIME_SLACK, 0.0)));
        var span = left;
        if (wraps) {
            span = to_end;
        }
        tick_span(loop_index, at, span, since);
        at = dd_plus(at, span);
        since = dd_plus(since, span);
        left = dd_minus(left, span);
        if (!wraps) {
            break;
        }
        at = vec2f(0.0);
        tick_owed = vec2f(0.0);
        loop_index++;
        tick_loop_index = loop_index;
        if (loops != 0u && loop_index >= loops) {
            ended = 1u;
        }
    }
    set_state_u(row, EMITTER_STATE_ENDED, ended);
    set_state_u(row, EMITTER_STATE_LOOP_INDEX, loop_index);
    set_state_f(row, EMITTER_STATE_LOOP_TIME_HI, at.x);
    set_state_f(row, EMITTER_STATE_LOOP_TIME_LO, at.y);
    set_state_f(row, EMITTER_STATE_OWED_HI, tick_owed.x);
    set_state_f(row, EMITTER_STATE_OWED_LO, tick_owed.y);
    set_state_u(row, EMITTER_STATE_SEGMENT_COUNT, tick_segments);
    for (var i = 0u; i < MAX_SEGMENTS; i++) {
        set_state_u(row, EMITTER_STATE_SEGMENT_END + i, tick_end[i]);
        set_state_f(row, EMITTER_STATE_SEGMENT_TIME + i, tick_time[i]);
        set_state_f(row, EMITTER_STATE_SEGMENT_INTERVAL + i, tick_interval[i]);
        set_state_u(row, EMITTER_STATE_SEGMENT_LOOP + i, tick_loop[i]);
    }
    set_state_u(row, EMITTER_STATE_WANTED, tick_total);
    let capacity = row_u(row, EMITTER_ROW_CAPACITY);
    let living = state_u(row, EMITTER_STATE_LIVING);
    sums[row] = min(tick_total, capacity - min(capacity, living));
}
