// Runs of births: how many a stretch of a loop gives, and when each is. Twin of src/reference/runs.rs.
// A run is births on one curve: its number k is due where rate·t + slope/2·t² reaches first + k.
#include "lib/dd.wgsl"
#include "lib/rng.wgsl"
#include "lib/rows_write.wgsl"

var<private> tick_row: u32;
// Births a second that the emitter's way gives.
var<private> tick_metre: vec2f;
// The emitter's clock: time in the loop, loop, whether it has ended, part of a birth owed.
var<private> tick_at: vec2f;
var<private> tick_loop_index: u32;
var<private> tick_ended: bool;
var<private> tick_owed: vec2f;

var<private> tick_total: u32;
var<private> tick_segments: u32;
var<private> tick_joined: bool;
var<private> tick_end: array<u32, MAX_SEGMENTS>;
var<private> tick_time: array<f32, MAX_SEGMENTS>;
var<private> tick_first: array<f32, MAX_SEGMENTS>;
var<private> tick_rate: array<f32, MAX_SEGMENTS>;
var<private> tick_slope: array<f32, MAX_SEGMENTS>;
var<private> tick_loop: array<u32, MAX_SEGMENTS>;

struct Firing {
    found: bool,
    time: f32,
    index: u32,
    cycle: u32,
}

struct Piece {
    time: f32,
    rate: f32,
    slope: f32,
}

fn tick_word(word: u32) -> u32 {
    return program[word >> 2u][word & 3u];
}

fn tick_float(word: u32) -> f32 {
    return bitcast<f32>(tick_word(word));
}

fn tick_run(wanted: u32, time: f32, first: f32, rate: f32, slope: f32) {
    let count = min(wanted, MAX_BIRTHS_A_RUN);
    if (count == 0u) {
        return;
    }
    tick_total = min(tick_total + count, MAX_BIRTHS_A_RUN);
    if (tick_segments < MAX_SEGMENTS) {
        tick_time[tick_segments] = time;
        tick_first[tick_segments] = first;
        tick_rate[tick_segments] = rate;
        tick_slope[tick_segments] = slope;
        tick_loop[tick_segments] = tick_loop_index;
        tick_segments++;
    } else {
        tick_joined = true;
    }
    tick_end[tick_segments - 1u] = tick_total;
}

// Spreads the last run, which others joined, over what is left of the step.
fn tick_spread(step: f32) {
    let last = MAX_SEGMENTS - 1u;
    let count = tick_end[last] - tick_end[last - 1u];
    let left = step - tick_time[last];
    tick_first[last] = 1.0;
    tick_slope[last] = 0.0;
    tick_rate[last] = 0.0;
    if (left > 0.0) {
        tick_rate[last] = f32(count) / left;
    }
}

fn tick_slack(rate: f32) -> f32 {
    let near = fence1(rate * TIME_SLACK);
    let least = select(LEAST_SLACK, near, near > LEAST_SLACK);
    return select(least, COUNT_SLACK, tick_metre.x > 0.0 || least > COUNT_SLACK);
}

fn tick_whole(owed: vec2f, slack: f32) -> f32 {
    let whole = floor(fence1(fence1(owed.x + slack) + owed.y));
    return select(0.0, whole, whole > 0.0);
}

fn tick_piece(index: u32) -> Piece {
    if (row_u(tick_row, EMITTER_ROW_RATE_COUNT) == 0u) {
        return Piece(0.0, row_f(tick_row, EMITTER_ROW_RATE), 0.0);
    }
    let word = row_u(tick_row, EMITTER_ROW_RATE_OFFSET) + index * RATE_ROW_WORDS;
    return Piece(tick_float(word + RATE_ROW_TIME), tick_float(word + RATE_ROW_RATE), tick_float(word + RATE_ROW_SLOPE));
}

// Births a second of rate and way at the start of a stretch of a piece, and on the mean over it.
fn tick_rates_of(piece: Piece, cursor: vec2f, span: vec2f) -> array<vec2f, 2> {
    var begin = vec2f(piece.rate, 0.0);
    var mean = begin;
    if (piece.slope != 0.0) {
        begin = dd_plus(begin, dd_times(dd_minus(cursor, vec2f(piece.time, 0.0)), piece.slope));
        mean = dd_plus(begin, dd_times(span, fence1(0.5 * piece.slope)));
    }
    return array<vec2f, 2>(dd_plus(begin, tick_metre), dd_plus(mean, tick_metre));
}

fn tick_piece_run(piece: Piece, cursor: vec2f, until: vec2f, since: vec2f, silent: bool) {
    let span = dd_minus(until, cursor);
    let rates = tick_rates_of(piece, cursor, span);
    let begin = rates[0];
    let mean = rates[1];
    if (mean.x <= 0.0) {
        return;
    }
    let owed = dd_plus(tick_owed, dd_by(span, mean));
    let slack = tick_slack(fence1(begin.x + fence1(span.x * piece.slope)));
    let whole = tick_whole(owed, slack);
    if (silent) {
        let rest = dd_minus(owed, vec2f(whole, 0.0));
        tick_owed = dd_minus(rest, vec2f(tick_whole(rest, slack), 0.0));
        return;
    }
    let most = f32(MAX_BIRTHS_A_RUN);
    let count = select(most, whole, whole < most);
    let first = fence1(fence1(1.0 - tick_owed.x) - tick_owed.y);
    let time = dd_plus(since, dd_minus(cursor, tick_at)).x;
    if (count < most) {
        tick_owed = dd_minus(owed, vec2f(count, 0.0));
    } else {
        tick_owed = vec2f(0.0);
    }
    tick_run(u32(count), time, first, select(0.0, begin.x, begin.x > 0.0), piece.slope);
}

// Where a piece ends, no later than `until`.
fn tick_piece_end(index: u32, until: vec2f) -> vec2f {
    if (index + 1u < row_u(tick_row, EMITTER_ROW_RATE_COUNT)) {
        return dd_smaller(until, vec2f(tick_piece(index + 1u).time, 0.0));
    }
    return until;
}

fn tick_rate_run(begin: vec2f, until: vec2f, since: vec2f, silent: bool) {
    let pieces = max(row_u(tick_row, EMITTER_ROW_RATE_COUNT), 1u);
    var cursor = begin;
    for (var index = 0u; index < pieces; index++) {
        let end = tick_piece_end(index, until);
        if (dd_less(cursor, end)) {
            tick_piece_run(tick_piece(index), cursor, end, since, silent);
            cursor = end;
        }
    }
}

fn tick_next_burst(low: vec2f, high: vec2f, has_last: bool, last_time: f32, last_index: u32) -> Firing {
    var best = Firing(false, 0.0, 0u, 0u);
    let bursts = row_u(tick_row, EMITTER_ROW_BURST_COUNT);
    for (var index = 0u; index < bursts; index++) {
        let first_word = row_u(tick_row, EMITTER_ROW_BURST_OFFSET) + index * BURST_ROW_WORDS;
        let burst_time = tick_float(first_word + BURST_ROW_TIME);
        let interval = tick_float(first_word + BURST_ROW_INTERVAL);
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
                best = Firing(true, time, index, cycle);
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
    if (rng_unit(bits) >= tick_float(word + BURST_ROW_CHANCE)) {
        return 0u;
    }
    let more = u32(floor(rng_unit(pcg(bits)) * f32(most - least + 1u)));
    return least + min(more, most - least);
}

// Births of a stretch inside one loop: from the clock's time over `span`, `since` the step's start.
fn tick_span(span: vec2f, since: vec2f) {
    let until = dd_plus(tick_at, span);
    let to = dd_smaller(until, vec2f(row_f(tick_row, EMITTER_ROW_DURATION), 0.0));
    var cursor = tick_at;
    if (dd_less(tick_at, vec2f(0.0))) {
        cursor = vec2f(0.0);
    }
    let low = dd_minus(tick_at, vec2f(TIME_SLACK, 0.0));
    let high = dd_minus(until, vec2f(TIME_SLACK, 0.0));
    var has_last = false;
    var last_time = 0.0;
    var last_index = 0u;
    for (var i = 0u; i < MAX_FIRINGS; i++) {
        let next = tick_next_burst(low, high, has_last, last_time, last_index);
        if (!next.found) {
            break;
        }
        has_last = true;
        last_time = next.time;
        last_index = next.index;
        let moment = vec2f(next.time, 0.0);
        let cut = dd_smaller(moment, to);
        tick_rate_run(cursor, cut, since, false);
        if (dd_less(cursor, cut)) {
            cursor = cut;
        }
        let offset = dd_plus(since, dd_minus(moment, tick_at)).x;
        tick_run(tick_burst_count(tick_loop_index, next.index, next.cycle), offset, 0.0, 0.0, 0.0);
    }
    tick_rate_run(cursor, to, since, false);
}

fn tick_period() -> vec2f {
    return vec2f(row_f(tick_row, EMITTER_ROW_PERIOD), 0.0);
}

struct LoopBirths {
    // Births in a whole loop.
    sum: vec2f,
    // Births a second at its end.
    last: f32,
}

// What rate and way come to in a whole loop.
fn tick_rate_integral() -> LoopBirths {
    let until = dd_smaller(vec2f(row_f(tick_row, EMITTER_ROW_DURATION), 0.0), tick_period());
    let pieces = max(row_u(tick_row, EMITTER_ROW_RATE_COUNT), 1u);
    var out = LoopBirths(vec2f(0.0), 0.0);
    var cursor = vec2f(0.0);
    for (var index = 0u; index < pieces; index++) {
        let piece = tick_piece(index);
        let end = tick_piece_end(index, until);
        if (dd_less(cursor, end)) {
            let span = dd_minus(end, cursor);
            let rates = tick_rates_of(piece, cursor, span);
            if (rates[1].x > 0.0) {
                out.sum = dd_plus(out.sum, dd_by(span, rates[1]));
            }
            out.last = fence1(rates[0].x + fence1(span.x * piece.slope));
            cursor = end;
        }
    }
    return out;
}

// How often a burst fires in a whole loop.
fn tick_firings(word: u32) -> f32 {
    let left = fence1(fence1(row_f(tick_row, EMITTER_ROW_PERIOD) - TIME_SLACK) - tick_float(word + BURST_ROW_TIME));
    if (left <= 0.0) {
        return 0.0;
    }
    let cycles = tick_word(word + BURST_ROW_CYCLES);
    if (cycles <= 1u) {
        return f32(cycles);
    }
    let fit = floor(left / tick_float(word + BURST_ROW_INTERVAL)) + 1.0;
    return select(f32(cycles), fit, fit < f32(cycles));
}

// The births of whole loops to come, spread evenly over them: of the rate as many as they are, of bursts as many as
// those give on the mean.
fn tick_alike(loops: u32, since: vec2f) {
    if (loops == 0u) {
        return;
    }
    let many = f32(loops);
    let of_rate = tick_rate_integral();
    let slack = tick_slack(of_rate.last);
    var count = 0.0;
    if (row_f(tick_row, EMITTER_ROW_RATE_PER_METRE) > 0.0) {
        let owed = dd_plus(tick_owed, dd_times(of_rate.sum, many));
        count = tick_whole(owed, slack);
        tick_owed = dd_minus(owed, vec2f(count, 0.0));
    } else {
        count = fence1(tick_whole(of_rate.sum, slack) * many);
    }
    let bursts = row_u(tick_row, EMITTER_ROW_BURST_COUNT);
    for (var index = 0u; index < bursts; index++) {
        let word = row_u(tick_row, EMITTER_ROW_BURST_OFFSET) + index * BURST_ROW_WORDS;
        let ends = fence1(f32(tick_word(word + BURST_ROW_LEAST)) + f32(tick_word(word + BURST_ROW_MOST)));
        let mean = fence1(fence1(ends * 0.5) * tick_float(word + BURST_ROW_CHANCE));
        count = count + fence1(fence1(mean * tick_firings(word)) * many);
    }
    let most = f32(MAX_BIRTHS_A_RUN);
    if (count < most) {
        count = floor(fence1(count + 0.5));
    } else {
        count = most;
    }
    let rate = count / dd_times(tick_period(), many).x;
    tick_run(u32(count), since.x, 1.0, rate, 0.0);
}

// What a stretch from `at` (time in the loop) over `span` leaves owed, its births forgotten.
fn tick_skip(at: vec2f, span: vec2f) {
    let to = dd_smaller(dd_plus(at, span), vec2f(row_f(tick_row, EMITTER_ROW_DURATION), 0.0));
    var begin = at;
    if (dd_less(at, vec2f(0.0))) {
        begin = vec2f(0.0);
    }
    tick_rate_run(begin, to, vec2f(0.0), true);
}
