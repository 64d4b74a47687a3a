//! Runs of births: how many a stretch of a loop gives, and when each is.
//!
//! Twin of `shaders/sim/runs.wgsl`. A run is births on one curve: its number `k` is due where `rate·t + slope/2·t²`
//! reaches `first + k`, `t` from the run's start. Rates and ways add up to one integral, and number k of a loop is
//! born where that passes k, so runs stand in the order of time and counts do not depend on how time is cut.

use super::tick::Ticking;
use crate::base::dd::Dd;
use crate::base::rng::{pcg, unit};
use crate::host::rows::{
    BurstRow, COUNT_SLACK, EmitterRow, EmitterState, LEAST_SLACK, MAX_BIRTHS_A_RUN, MAX_FIRINGS,
    MAX_SEGMENTS, RateRow, TIME_SLACK,
};

/// A tick in progress: the emitter's clock and its runs so far.
pub(super) struct Tick<'a> {
    pub(super) row: &'a EmitterRow,
    bursts: &'a [BurstRow],
    rates: &'a [RateRow],
    /// Births a second that the emitter's way gives.
    pub(super) metre: Dd,
    /// Time in the loop.
    pub(super) at: Dd,
    pub(super) loop_index: u32,
    pub(super) ended: bool,
    /// Part of a birth owed.
    pub(super) owed: Dd,
    pub(super) total: u32,
    segments: usize,
    /// Whether runs were left without a place of their own.
    joined: bool,
    runs: [Run; MAX_SEGMENTS as usize],
}

#[derive(Clone, Copy, Default)]
struct Run {
    end: u32,
    time: f32,
    first: f32,
    rate: f32,
    slope: f32,
    loop_index: u32,
}

/// A burst's firing: when in the loop, which burst, which of its cycles.
type Firing = (f32, usize, u32);

impl<'a> Tick<'a> {
    pub(super) fn new(of: &Ticking<'a>, state: &EmitterState) -> Self {
        Self {
            row: of.row,
            bursts: of.bursts,
            rates: of.rates,
            metre: Dd::ZERO,
            at: Dd {
                hi: state.loop_time_hi,
                lo: state.loop_time_lo,
            },
            loop_index: state.loop_index,
            ended: state.ended != 0,
            owed: Dd {
                hi: state.owed_hi,
                lo: state.owed_lo,
            },
            total: 0,
            segments: 0,
            joined: false,
            runs: [Run::default(); MAX_SEGMENTS as usize],
        }
    }

    /// Writes clock and runs back.
    pub(super) fn store(&mut self, state: &mut EmitterState) {
        if self.joined {
            self.spread(state.dt);
        }
        state.ended = u32::from(self.ended);
        state.loop_index = self.loop_index;
        (state.loop_time_hi, state.loop_time_lo) = (self.at.hi, self.at.lo);
        (state.owed_hi, state.owed_lo) = (self.owed.hi, self.owed.lo);
        state.segment_count = self.segments as u32;
        for (i, run) in self.runs.iter().enumerate() {
            let (quad, lane) = (i / 4, i % 4);
            state.segment_end[quad][lane] = run.end;
            state.segment_time[quad][lane] = run.time;
            state.segment_first[quad][lane] = run.first;
            state.segment_rate[quad][lane] = run.rate;
            state.segment_slope[quad][lane] = run.slope;
            state.segment_loop[quad][lane] = run.loop_index;
        }
    }

    /// Spreads the last run, which others joined, over what is left of the step.
    fn spread(&mut self, step: f32) {
        let last = MAX_SEGMENTS as usize - 1;
        let count = self.runs[last].end - self.runs[last - 1].end;
        let run = &mut self.runs[last];
        let left = step - run.time;
        run.first = 1.0;
        run.slope = 0.0;
        run.rate = if left > 0.0 { count as f32 / left } else { 0.0 };
    }

    /// Adds a run of births. What finds no place of its own joins the last run.
    pub(super) fn run(&mut self, count: u32, time: f32, first: f32, rate: f32, slope: f32) {
        let count = count.min(MAX_BIRTHS_A_RUN);
        if count == 0 {
            return;
        }
        self.total = (self.total + count).min(MAX_BIRTHS_A_RUN);
        if self.segments < MAX_SEGMENTS as usize {
            self.runs[self.segments] = Run {
                end: 0,
                time,
                first,
                rate,
                slope,
                loop_index: self.loop_index,
            };
            self.segments += 1;
        } else {
            self.joined = true;
        }
        self.runs[self.segments - 1].end = self.total;
    }

    /// Births of a stretch inside one loop: from the clock's time over `span`, `since` the step's start.
    pub(super) fn span(&mut self, span: Dd, since: Dd) {
        let at = self.at;
        let until = at.plus(span);
        let to = until.smaller(Dd::new(self.row.duration));
        let mut cursor = if at.less(Dd::ZERO) { Dd::ZERO } else { at };
        let window = (at.minus(Dd::new(TIME_SLACK)), until.minus(Dd::new(TIME_SLACK)));
        let mut last = None;
        // Bursts cut the rate into runs, so that births stand in the order of their times.
        for _ in 0..MAX_FIRINGS {
            let Some((time, index, cycle)) = self.next_burst(window, last) else {
                break;
            };
            last = Some((time, index));
            let moment = Dd::new(time);
            let cut = moment.smaller(to);
            self.rate_run(cursor, cut, since, false);
            if cursor.less(cut) {
                cursor = cut;
            }
            let offset = since.plus(moment.minus(at)).hi;
            let count = burst_count(
                self.row.seed,
                self.loop_index,
                index as u32,
                cycle,
                &self.bursts[index],
            );
            self.run(count, offset, 0.0, 0.0, 0.0);
        }
        self.rate_run(cursor, to, since, false);
    }

    /// The births of whole loops to come, spread evenly over them: of the rate as many as they are, of bursts as many as
    /// those give on the mean.
    pub(super) fn alike(&mut self, loops: u32, since: Dd) {
        if loops == 0 {
            return;
        }
        let many = loops as f32;
        let (of_rate, last) = self.rate_integral();
        let slack = self.slack(last);
        let mut count = if self.row.rate_per_metre > 0.0 {
            let owed = self.owed.plus(of_rate.times(many));
            let whole = whole_births(owed, slack);
            self.owed = owed.minus(Dd::new(whole));
            whole
        } else {
            whole_births(of_rate, slack) * many
        };
        for burst in self.bursts {
            let mean = (burst.least as f32 + burst.most as f32) * 0.5 * burst.chance;
            count += mean * self.firings(burst) * many;
        }
        let most = MAX_BIRTHS_A_RUN as f32;
        let count = if count < most { (count + 0.5).floor() } else { most };
        let rate = count / self.period().times(many).hi;
        self.run(count as u32, since.hi, 1.0, rate, 0.0);
    }

    /// How often a burst fires in a whole loop.
    fn firings(&self, burst: &BurstRow) -> f32 {
        let left = self.row.period - TIME_SLACK - burst.time;
        if left <= 0.0 {
            return 0.0;
        }
        let cycles = burst.cycles as f32;
        if burst.cycles <= 1 {
            return cycles;
        }
        let fit = (left / burst.interval).floor() + 1.0;
        if fit < cycles { fit } else { cycles }
    }

    /// What rate and way come to in a whole loop, in births, and the rate at its end.
    fn rate_integral(&self) -> (Dd, f32) {
        let to = Dd::new(self.row.duration).smaller(self.period());
        let (mut sum, mut last) = (Dd::ZERO, 0.0);
        let mut cursor = Dd::ZERO;
        for index in 0..self.rates.len().max(1) {
            let (piece, end) = self.piece(index, to);
            if cursor.less(end) {
                let span = end.minus(cursor);
                let (begin, mean) = self.rates_of(piece, cursor, span);
                if mean.hi > 0.0 {
                    sum = sum.plus(span.by(mean));
                }
                last = begin.hi + span.hi * piece.slope;
                cursor = end;
            }
        }
        (sum, last)
    }

    /// Piece `index` of the rate, and where it ends, no later than `to`.
    fn piece(&self, index: usize, to: Dd) -> (RateRow, Dd) {
        let steady = RateRow {
            time: 0.0,
            rate: self.row.rate,
            slope: 0.0,
        };
        let piece = self.rates.get(index).copied().unwrap_or(steady);
        let end = match self.rates.get(index + 1) {
            Some(next) => to.smaller(Dd::new(next.time)),
            None => to,
        };
        (piece, end)
    }

    /// Births a second of rate and way at the start of a stretch of a piece, and on the mean over it.
    fn rates_of(&self, piece: RateRow, from: Dd, span: Dd) -> (Dd, Dd) {
        let mut begin = Dd::new(piece.rate);
        let mut mean = begin;
        if piece.slope != 0.0 {
            begin = begin.plus(from.minus(Dd::new(piece.time)).times(piece.slope));
            mean = begin.plus(span.times(0.5 * piece.slope));
        }
        (begin.plus(self.metre), mean.plus(self.metre))
    }

    /// What a stretch from `at` (time in the loop) over `span` leaves owed, its births forgotten.
    pub(super) fn skip(&mut self, at: Dd, span: Dd) {
        let to = at.plus(span).smaller(Dd::new(self.row.duration));
        let from = if at.less(Dd::ZERO) { Dd::ZERO } else { at };
        self.rate_run(from, to, Dd::ZERO, true);
    }

    /// The earliest burst in the window that comes after `last` in the order of (time, index).
    fn next_burst(&self, window: (Dd, Dd), last: Option<(f32, usize)>) -> Option<Firing> {
        let mut best: Option<Firing> = None;
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

    /// Births of the rate from `from` to `to` (time in the loop), piece by piece.
    fn rate_run(&mut self, from: Dd, to: Dd, since: Dd, silent: bool) {
        let mut cursor = from;
        for index in 0..self.rates.len().max(1) {
            let (piece, end) = self.piece(index, to);
            if cursor.less(end) {
                self.piece_run(piece, cursor, end, since, silent);
                cursor = end;
            }
        }
    }

    fn piece_run(&mut self, piece: RateRow, from: Dd, to: Dd, since: Dd, silent: bool) {
        let span = to.minus(from);
        let (begin, mean) = self.rates_of(piece, from, span);
        if mean.hi <= 0.0 {
            return;
        }
        let owed = self.owed.plus(span.by(mean));
        let slack = self.slack(begin.hi + span.hi * piece.slope);
        let whole = whole_births(owed, slack);
        if silent {
            // A long stretch has more births than one float counts.
            let rest = owed.minus(Dd::new(whole));
            self.owed = rest.minus(Dd::new(whole_births(rest, slack)));
            return;
        }
        let most = MAX_BIRTHS_A_RUN as f32;
        let count = if whole < most { whole } else { most };
        let first = (1.0 - self.owed.hi) - self.owed.lo;
        let time = since.plus(from.minus(self.at)).hi;
        self.owed = if count < most {
            owed.minus(Dd::new(count))
        } else {
            Dd::ZERO
        };
        let rate = if begin.hi > 0.0 { begin.hi } else { 0.0 };
        self.run(count as u32, time, first, rate, piece.slope);
    }

    /// How near a whole number counts as it, in births, at a rate.
    fn slack(&self, rate: f32) -> f32 {
        let near = rate * TIME_SLACK;
        let least = if near > LEAST_SLACK { near } else { LEAST_SLACK };
        if self.metre.hi > 0.0 || least > COUNT_SLACK {
            COUNT_SLACK
        } else {
            least
        }
    }
}

fn whole_births(owed: Dd, slack: f32) -> f32 {
    let whole = ((owed.hi + slack) + owed.lo).floor();
    if whole > 0.0 { whole } else { 0.0 }
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

/// When birth `index` of a step is due, in seconds after the step's start, and in which loop. Below 0 where it is made
/// up for after sleep.
#[must_use]
pub fn birth_time(state: &EmitterState, index: u32) -> (f32, u32) {
    let mut before = 0;
    for segment in 0..state.segment_count.min(MAX_SEGMENTS) as usize {
        let (quad, lane) = (segment / 4, segment % 4);
        let end = state.segment_end[quad][lane];
        if index < end {
            let amount = state.segment_first[quad][lane] + (index - before) as f32;
            let rate = state.segment_rate[quad][lane];
            let slope = state.segment_slope[quad][lane];
            let time = state.segment_time[quad][lane] + time_of(amount, rate, slope);
            let not_early = if time > -state.caught_up {
                time
            } else {
                -state.caught_up
            };
            let due = if not_early < state.dt { not_early } else { state.dt };
            return (due, state.segment_loop[quad][lane]);
        }
        before = end;
    }
    (state.dt, state.loop_index)
}

/// Where `rate·t + slope/2·t²` reaches `amount` first: the root that also holds where the slope is small.
fn time_of(amount: f32, rate: f32, slope: f32) -> f32 {
    if slope == 0.0 {
        return if rate > 0.0 { amount / rate } else { 0.0 };
    }
    let under = rate * rate + (slope + slope) * amount;
    // Past the top of a falling rate, by slack, there is no root: the top is meant.
    let root = if under > 0.0 { under.sqrt() } else { 0.0 };
    let bottom = rate + root;
    if bottom > 0.0 {
        (amount + amount) / bottom
    } else {
        0.0
    }
}
