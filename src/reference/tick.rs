//! The emitter tick: how many particles an emitter wants in this step, and when each is born.
//!
//! Twin of `shaders/sim/tick.wgsl`; every sum and product stands in the same order there.

use crate::base::dd::Dd;
use crate::base::rng::{pcg, unit};
use crate::host::rows::{
    BOUNDS_EMPTY_MAX, BOUNDS_EMPTY_MIN, BurstRow, COUNT_SLACK, EmitterRow, EmitterState, FrameParams,
    MAX_BIRTHS_A_RUN, MAX_LOOPS_A_STEP, MAX_SEGMENTS, TIME_SLACK,
};

/// Runs one row's tick over its state and gives the births asked for, already held to the row's capacity.
pub fn tick(frame: &FrameParams, row: &EmitterRow, bursts: &[BurstRow], state: &mut EmitterState) -> u32 {
    if row.generation == 0 {
        *state = EmitterState::default();
        return 0;
    }
    if state.generation != row.generation {
        let pending = if state.generation == 0 { state.pending } else { 0 };
        *state = EmitterState {
            generation: row.generation,
            loop_time_hi: -row.delay,
            pending,
            bounds_min: [f32::from_bits(BOUNDS_EMPTY_MIN); 3],
            bounds_max: [f32::from_bits(BOUNDS_EMPTY_MAX); 3],
            ..EmitterState::default()
        };
    }
    let step = Dd {
        hi: frame.dt,
        lo: frame.dt_lo,
    };
    state.step += 1;
    state.age_start = state.age_hi;
    let age = Dd {
        hi: state.age_hi,
        lo: state.age_lo,
    }
    .plus(step);
    (state.age_hi, state.age_lo) = (age.hi, age.lo);

    let mut tick = Tick {
        row,
        bursts,
        segments: 0,
        total: 0,
        end: [0; MAX_SEGMENTS as usize],
        time: [0.0; MAX_SEGMENTS as usize],
        interval: [0.0; MAX_SEGMENTS as usize],
        loop_of: [0; MAX_SEGMENTS as usize],
        loop_index: state.loop_index,
        owed: Dd {
            hi: state.owed_hi,
            lo: state.owed_lo,
        },
    };
    tick.run(state.pending, 0.0, 0.0);
    state.pending = 0;

    let mut at = Dd {
        hi: state.loop_time_hi,
        lo: state.loop_time_lo,
    };
    let mut left = step;
    let mut since = Dd::ZERO;
    let period = Dd::new(row.period);
    if row.emitting == 0 {
        state.ended = 1;
    }
    for _ in 0..MAX_LOOPS_A_STEP {
        if state.ended != 0 {
            break;
        }
        let to_end = period.minus(at);
        let wraps = !left.less(to_end.minus(Dd::new(TIME_SLACK)));
        let span = if wraps { to_end } else { left };
        tick.span(state.loop_index, at, span, since);
        at = at.plus(span);
        since = since.plus(span);
        left = left.minus(span);
        if !wraps {
            break;
        }
        at = Dd::ZERO;
        tick.owed = Dd::ZERO;
        state.loop_index += 1;
        tick.loop_index = state.loop_index;
        if row.loops != 0 && state.loop_index >= row.loops {
            state.ended = 1;
        }
    }
    (state.loop_time_hi, state.loop_time_lo) = (at.hi, at.lo);
    (state.owed_hi, state.owed_lo) = (tick.owed.hi, tick.owed.lo);
    state.segment_count = tick.segments as u32;
    for i in 0..MAX_SEGMENTS as usize {
        state.segment_end[i / 4][i % 4] = tick.end[i];
        state.segment_time[i / 4][i % 4] = tick.time[i];
        state.segment_interval[i / 4][i % 4] = tick.interval[i];
        state.segment_loop[i / 4][i % 4] = tick.loop_of[i];
    }
    state.wanted = tick.total;
    let room = row.capacity.saturating_sub(state.living);
    tick.total.min(room)
}

struct Tick<'a> {
    row: &'a EmitterRow,
    bursts: &'a [BurstRow],
    segments: usize,
    total: u32,
    end: [u32; MAX_SEGMENTS as usize],
    time: [f32; MAX_SEGMENTS as usize],
    interval: [f32; MAX_SEGMENTS as usize],
    loop_of: [u32; MAX_SEGMENTS as usize],
    loop_index: u32,
    owed: Dd,
}

impl Tick<'_> {
    /// Adds a run of births. What finds no place of its own joins the last run.
    fn run(&mut self, count: u32, time: f32, interval: f32) {
        let count = count.min(MAX_BIRTHS_A_RUN);
        if count == 0 {
            return;
        }
        self.total = (self.total + count).min(MAX_BIRTHS_A_RUN);
        if self.segments < MAX_SEGMENTS as usize {
            self.time[self.segments] = time;
            self.interval[self.segments] = interval;
            self.loop_of[self.segments] = self.loop_index;
            self.segments += 1;
        }
        self.end[self.segments - 1] = self.total;
    }

    /// Births of a stretch inside one loop: from `at` (time in the loop) over `span`, `since` the step's start.
    fn span(&mut self, loop_index: u32, at: Dd, span: Dd, since: Dd) {
        let until = at.plus(span);
        let from = if at.less(Dd::ZERO) { Dd::ZERO } else { at };
        let to = until.smaller(Dd::new(self.row.duration));
        let window = (at.minus(Dd::new(TIME_SLACK)), until.minus(Dd::new(TIME_SLACK)));
        let mut cursor = from;
        let mut last = None;
        // Bursts cut the steady rate into runs, so that births stand in the order of their times.
        for _ in 0..MAX_SEGMENTS {
            let Some((time, index, cycle)) = self.next_burst(window, last) else {
                break;
            };
            last = Some((time, index));
            let moment = Dd::new(time);
            let cut = moment.smaller(to);
            self.rate_run(cursor, cut, at, since);
            if cursor.less(cut) {
                cursor = cut;
            }
            let offset = since.plus(moment.minus(at)).hi;
            let count = burst_count(
                self.row.seed,
                loop_index,
                index as u32,
                cycle,
                &self.bursts[index],
            );
            self.run(count, if offset > 0.0 { offset } else { 0.0 }, 0.0);
        }
        self.rate_run(cursor, to, at, since);
    }

    /// The earliest burst in the window that comes after `last` in the order of (time, index).
    fn next_burst(&self, window: (Dd, Dd), last: Option<(f32, usize)>) -> Option<(f32, usize, u32)> {
        let mut best: Option<(f32, usize, u32)> = None;
        for (index, burst) in self.bursts.iter().enumerate() {
            let lower = match last {
                Some((time, _)) if time > window.0.hi => time,
                _ => window.0.hi,
            };
            let guess = if burst.cycles > 1 {
                ((lower - burst.time) / burst.interval).floor()
            } else {
                0.0
            };
            let first = if guess > 0.0 {
                (guess as u32).min(burst.cycles)
            } else {
                0
            };
            for cycle in first..first.saturating_add(3) {
                if cycle >= burst.cycles {
                    break;
                }
                let time = burst.time + cycle as f32 * burst.interval;
                let moment = Dd::new(time);
                if moment.less(window.0) || !moment.less(window.1) {
                    continue;
                }
                let after = last.is_none_or(|(t, i)| time > t || (time == t && index > i));
                let sooner = best.is_none_or(|(t, _, _)| time < t);
                if after && sooner {
                    best = Some((time, index, cycle));
                }
            }
        }
        best
    }

    /// Births of the steady rate from `from` to `to` (time in the loop).
    fn rate_run(&mut self, from: Dd, to: Dd, at: Dd, since: Dd) {
        let emits = self.row.rate > 0.0 && from.less(to);
        if !emits {
            return;
        }
        let rate = self.row.rate;
        let owed = self.owed.plus(to.minus(from).times(rate));
        let near = rate * TIME_SLACK;
        let slack = if near < COUNT_SLACK { near } else { COUNT_SLACK };
        let whole = ((owed.hi + slack) + owed.lo).floor();
        let count = if whole > 0.0 {
            if whole < MAX_BIRTHS_A_RUN as f32 {
                whole
            } else {
                MAX_BIRTHS_A_RUN as f32
            }
        } else {
            0.0
        };
        let interval = 1.0 / rate;
        let start = since.plus(from.minus(at)).hi;
        let first = start + (1.0 - self.owed.hi) * interval;
        self.owed = if count < MAX_BIRTHS_A_RUN as f32 {
            owed.minus(Dd::new(count))
        } else {
            Dd::ZERO
        };
        self.run(count as u32, first, interval);
    }
}

/// How many particles a burst's cycle gives: a draw of (seed, loop, burst, cycle).
#[must_use]
pub fn burst_count(seed: u32, loop_index: u32, burst: u32, cycle: u32, row: &BurstRow) -> u32 {
    let bits = pcg(pcg(pcg(seed ^ pcg(loop_index)).wrapping_add(burst)).wrapping_add(cycle));
    if unit(bits) >= row.chance {
        return 0;
    }
    let more = (unit(pcg(bits)) * (row.most - row.least + 1) as f32).floor() as u32;
    row.least + more.min(row.most - row.least)
}

/// When birth `index` of a step is due, in seconds after the step's start, and in which loop.
#[must_use]
pub fn birth_time(frame: &FrameParams, state: &EmitterState, index: u32) -> (f32, u32) {
    let mut before = 0;
    for segment in 0..state.segment_count.min(MAX_SEGMENTS) as usize {
        let (row, lane) = (segment / 4, segment % 4);
        let end = state.segment_end[row][lane];
        if index < end {
            let time =
                state.segment_time[row][lane] + (index - before) as f32 * state.segment_interval[row][lane];
            let not_early = if time > 0.0 { time } else { 0.0 };
            let due = if not_early < frame.dt { not_early } else { frame.dt };
            return (due, state.segment_loop[row][lane]);
        }
        before = end;
    }
    (frame.dt, state.loop_index)
}
