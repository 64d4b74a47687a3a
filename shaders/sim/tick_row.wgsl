// One emitter's tick: its clock, and how many particles it wants in a step and when each is born. The tick and the
// pre-warm's tick share it. Reads rows, bursts, rates, poses. Writes states and sums (this row's births).
// Twin of src/reference/tick.rs.
#include "lib/cull.wgsl"
#include "sim/runs.wgsl"

// Whether a row is out of view. Another pass writes the word.
fn tick_is_culled(row: u32) -> bool {
    if (row_u(row, EMITTER_ROW_CULLING) == 0u) {
        if (frame.view_count != VIEWS_FROZEN) {
            set_state_u(row, EMITTER_STATE_CULLED, 0u);
        }
        return false;
    }
    if (frame.view_count != VIEWS_FROZEN) {
        set_state_u(row, EMITTER_STATE_CULLED, u32(cull_hidden(row)));
    }
    return state_u(row, EMITTER_STATE_CULLED) != 0u;
}

// A part of a way, squared; parts too short to count are none.
fn tick_square(part: f32) -> vec2f {
    let counted = select(0.0, part, abs(part) >= SHORTEST_WAY);
    return dd_two_product(counted, counted);
}

// Births a second of the row's time that its way in this step gives: spread evenly over the step.
fn tick_metre_rate(row: u32, step: vec2f) -> vec2f {
    let rate = row_f(row, EMITTER_ROW_RATE_PER_METRE);
    if (rate <= 0.0) {
        return vec2f(0.0);
    }
    let first = row * (TRANSFORM_WORDS / 4u);
    let x = tick_square(transforms[first].w - transforms[first + 3u].w);
    let y = tick_square(transforms[first + 1u].w - transforms[first + 4u].w);
    let z = tick_square(transforms[first + 2u].w - transforms[first + 5u].w);
    let square = dd_plus(dd_plus(x, y), z);
    if (square.x > 0.0 && square.x < LONGEST_WAY * LONGEST_WAY) {
        return dd_over(dd_times(dd_root(square), rate), step);
    }
    return vec2f(0.0);
}

// Whether the last loop's end has passed. The clock then counts on from it.
fn tick_over() -> bool {
    let loops = row_u(tick_row, EMITTER_ROW_LOOPS);
    return loops != 0u && tick_loop_index >= loops;
}

fn tick_finish() {
    tick_ended = true;
    tick_at = vec2f(0.0);
}

// Loops end: what is owed of a rate is forgotten, of a way it is not.
fn tick_wrap(loops: u32) {
    tick_loop_index += loops;
    if (row_f(tick_row, EMITTER_ROW_RATE_PER_METRE) <= 0.0) {
        tick_owed = vec2f(0.0);
    }
}

struct Periods {
    whole: u32,
    rest: vec2f,
}

// Whole periods in a time that is not below 0 by more than the slack, and the rest of it.
fn tick_periods(time: vec2f) -> Periods {
    let period = tick_period();
    let slack = vec2f(TIME_SLACK, 0.0);
    let guess = floor(time.x / period.x);
    let most = select(MOST_PERIODS, guess, guess < MOST_PERIODS);
    let many = select(0.0, most, most > 0.0);
    var whole = u32(many);
    var rest = dd_minus(time, dd_times(period, many));
    // A quotient of more than 24 bits is off by a few.
    let off = floor(rest.x / period.x);
    if (off > -1e6 && off < 1e6) {
        whole += u32(i32(off));
        rest = dd_minus(rest, dd_times(period, off));
    }
    if (!dd_less(dd_plus(rest, slack), period)) {
        whole += 1u;
        rest = dd_minus(rest, period);
    }
    if (dd_less(dd_plus(rest, slack), vec2f(0.0))) {
        whole -= 1u;
        rest = dd_plus(rest, period);
    }
    return Periods(whole, rest);
}

// Moves the clock by `span` with no births, whole loops by division.
fn tick_advance(span: vec2f) {
    if (tick_over()) {
        tick_at = dd_plus(tick_at, span);
        return;
    }
    let to_end = dd_minus(tick_period(), tick_at);
    if (dd_less(span, dd_minus(to_end, vec2f(TIME_SLACK, 0.0)))) {
        tick_skip(tick_at, span);
        tick_at = dd_plus(tick_at, span);
        return;
    }
    let left = dd_minus(span, to_end);
    tick_wrap(1u);
    let passed = tick_periods(left);
    let loops = row_u(tick_row, EMITTER_ROW_LOOPS);
    var room = 0xffffffffu;
    if (loops != 0u) {
        room = loops - tick_loop_index;
    }
    if (passed.whole <= room) {
        tick_wrap(passed.whole);
        tick_at = passed.rest;
    } else {
        tick_wrap(room);
        tick_at = dd_minus(left, dd_times(tick_period(), f32(room)));
    }
    if (!tick_over()) {
        tick_skip(vec2f(0.0), tick_at);
    }
}

// Takes the clock back by `span`, not before the first loop. What is owed is counted anew from the loop's start.
fn tick_rewind(span: vec2f) {
    let slack = vec2f(TIME_SLACK, 0.0);
    tick_at = dd_minus(tick_at, span);
    if (tick_loop_index > 0u && dd_less(dd_plus(tick_at, slack), vec2f(0.0))) {
        let passed = tick_periods(dd_minus(vec2f(0.0), tick_at));
        var back = passed.whole;
        var at = dd_minus(vec2f(0.0), passed.rest);
        if (dd_less(dd_plus(at, slack), vec2f(0.0))) {
            back += 1u;
            at = dd_minus(tick_period(), passed.rest);
        }
        if (back > tick_loop_index) {
            back = tick_loop_index;
            at = dd_plus(tick_at, dd_times(tick_period(), f32(back)));
        }
        tick_loop_index -= back;
        tick_at = at;
    }
    if (row_f(tick_row, EMITTER_ROW_RATE_PER_METRE) <= 0.0) {
        tick_owed = vec2f(0.0);
        tick_skip(vec2f(0.0), tick_at);
    }
}

// Lives through a span from a loop's start in which too many loops end to be looked at one by one.
fn tick_crowd(span: vec2f, since: vec2f) {
    let passed = tick_periods(span);
    let loops = row_u(tick_row, EMITTER_ROW_LOOPS);
    var many = passed.whole;
    if (loops != 0u) {
        many = min(many, loops - tick_loop_index);
    }
    tick_alike(many, since);
    tick_wrap(many);
    if (!tick_over()) {
        tick_span(passed.rest, dd_plus(since, dd_times(tick_period(), f32(many))));
        tick_at = passed.rest;
    }
}

// Lives through `whole_span`, which starts `begin` after the step's start, with its births.
fn tick_pass(whole_span: vec2f, begin: vec2f) {
    var left = whole_span;
    var since = begin;
    var inside = false;
    for (var i = 0u; i < MAX_LOOPS_A_STEP; i++) {
        if (tick_over()) {
            tick_finish();
        }
        if (tick_ended) {
            return;
        }
        let to_end = dd_minus(tick_period(), tick_at);
        let wraps = !dd_less(left, dd_minus(to_end, vec2f(TIME_SLACK, 0.0)));
        var span = left;
        if (wraps) {
            span = to_end;
        }
        tick_span(span, since);
        tick_at = dd_plus(tick_at, span);
        since = dd_plus(since, span);
        left = dd_minus(left, span);
        if (!wraps) {
            inside = true;
            break;
        }
        tick_at = vec2f(0.0);
        tick_wrap(1u);
    }
    if (!inside && !tick_over()) {
        tick_crowd(left, since);
    }
    if (tick_over()) {
        tick_finish();
    }
}

fn tick_load(row: u32) {
    tick_row = row;
    tick_segments = 0u;
    tick_total = 0u;
    tick_joined = false;
    tick_metre = vec2f(0.0);
    tick_at = vec2f(state_f(row, EMITTER_STATE_LOOP_TIME_HI), state_f(row, EMITTER_STATE_LOOP_TIME_LO));
    tick_loop_index = state_u(row, EMITTER_STATE_LOOP_INDEX);
    tick_ended = state_u(row, EMITTER_STATE_ENDED) != 0u;
    tick_owed = vec2f(state_f(row, EMITTER_STATE_OWED_HI), state_f(row, EMITTER_STATE_OWED_LO));
}

fn tick_store(row: u32, step: f32) {
    if (tick_joined) {
        tick_spread(step);
    }
    set_state_u(row, EMITTER_STATE_ENDED, u32(tick_ended));
    set_state_u(row, EMITTER_STATE_LOOP_INDEX, tick_loop_index);
    set_state_f(row, EMITTER_STATE_LOOP_TIME_HI, tick_at.x);
    set_state_f(row, EMITTER_STATE_LOOP_TIME_LO, tick_at.y);
    set_state_f(row, EMITTER_STATE_OWED_HI, tick_owed.x);
    set_state_f(row, EMITTER_STATE_OWED_LO, tick_owed.y);
    set_state_u(row, EMITTER_STATE_SEGMENT_COUNT, tick_segments);
    for (var i = 0u; i < MAX_SEGMENTS; i++) {
        set_state_u(row, EMITTER_STATE_SEGMENT_END + i, tick_end[i]);
        set_state_f(row, EMITTER_STATE_SEGMENT_TIME + i, tick_time[i]);
        set_state_f(row, EMITTER_STATE_SEGMENT_FIRST + i, tick_first[i]);
        set_state_f(row, EMITTER_STATE_SEGMENT_RATE + i, tick_rate[i]);
        set_state_f(row, EMITTER_STATE_SEGMENT_SLOPE + i, tick_slope[i]);
        set_state_u(row, EMITTER_STATE_SEGMENT_LOOP + i, tick_loop[i]);
    }
}

fn tick_begin_row(row: u32, generation: u32) {
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
}

fn tick_begin_step(row: u32) {
    set_state_u(row, EMITTER_STATE_WANTED, 0u);
    set_state_u(row, EMITTER_STATE_SEGMENT_COUNT, 0u);
    set_state_f(row, EMITTER_STATE_CAUGHT_UP, 0.0);
}

// A row's time goes on by `step`, or stands still where that is too short. False where it stands.
fn tick_clock(row: u32, step: vec2f) -> bool {
    if (step.x < SHORTEST_STEP) {
        set_state_f(row, EMITTER_STATE_DT, 0.0);
        set_state_f(row, EMITTER_STATE_DT_LO, 0.0);
        return false;
    }
    set_state_f(row, EMITTER_STATE_DT, step.x);
    set_state_f(row, EMITTER_STATE_DT_LO, step.y);
    set_state_u(row, EMITTER_STATE_STEP, state_u(row, EMITTER_STATE_STEP) + 1u);
    let age_before = vec2f(state_f(row, EMITTER_STATE_AGE_HI), state_f(row, EMITTER_STATE_AGE_LO));
    set_state_f(row, EMITTER_STATE_AGE_START, age_before.x);
    let age = dd_plus(age_before, step);
    set_state_f(row, EMITTER_STATE_AGE_HI, age.x);
    set_state_f(row, EMITTER_STATE_AGE_LO, age.y);
    return true;
}

// The births of the step that the row's clock has just gone on by.
fn tick_births(row: u32, culled: bool) {
    let step = vec2f(state_f(row, EMITTER_STATE_DT), state_f(row, EMITTER_STATE_DT_LO));
    tick_load(row);
    let sleep = vec2f(state_f(row, EMITTER_STATE_SLEEP_HI), state_f(row, EMITTER_STATE_SLEEP_LO));
    let catchup = vec2f(row_f(row, EMITTER_ROW_MAX_CATCHUP), 0.0);
    var pending = state_u(row, EMITTER_STATE_PENDING);
    if (row_u(row, EMITTER_ROW_EMITTING) == 0u) {
        // Told to stop: neither the clock nor the host gives births any more.
        tick_finish();
        pending = 0u;
    }
    var slept = vec2f(0.0);
    if (culled) {
        // What the host asks for while nobody sees it is refused.
        set_state_u(row, EMITTER_STATE_WANTED, pending);
        if (!tick_ended) {
            slept = dd_plus(sleep, step);
            tick_advance(step);
            // An end that waking could still show is none yet.
            if (tick_over() && !dd_less(tick_at, catchup)) {
                tick_finish();
                slept = vec2f(0.0);
            }
        }
    } else {
        let back = dd_smaller(sleep, catchup);
        if (back.x > 0.0 && !tick_ended) {
            set_state_f(row, EMITTER_STATE_CAUGHT_UP, back.x);
            tick_rewind(back);
            tick_pass(back, dd_minus(vec2f(0.0), back));
        }
        tick_run(pending, 0.0, 0.0, 0.0, 0.0);
        tick_metre = tick_metre_rate(row, step);
        tick_pass(step, vec2f(0.0));
        set_state_u(row, EMITTER_STATE_WANTED, tick_total);
    }
    set_state_u(row, EMITTER_STATE_PENDING, 0u);
    set_state_f(row, EMITTER_STATE_SLEEP_HI, slept.x);
    set_state_f(row, EMITTER_STATE_SLEEP_LO, slept.y);
    tick_store(row, step.x);
    if (!culled) {
        let capacity = row_u(row, EMITTER_ROW_CAPACITY);
        let living = state_u(row, EMITTER_STATE_LIVING);
        sums[row] = min(tick_total, capacity - min(capacity, living));
    }
}
