//! The emitter tick: how many particles an emitter wants in this step, and when each is born.
//!
//! Twin of `shaders/sim/tick.wgsl`; every sum and product stands in the same order there. This file moves the
//! emitter's clock; `runs.rs` counts the births of a stretch of it.

use super::cull::hidden;
use super::runs::Tick;
use crate::base::dd::Dd;
use crate::host::Pose;
use crate::host::rows::{
    BOUNDS_EMPTY_MAX, BOUNDS_EMPTY_MIN, BurstRow, EmitterRow, EmitterState, FrameParams, LONGEST_WAY,
    MAX_LOOPS_A_STEP, MOST_PERIODS, RateRow, SHORTEST_STEP, SHORTEST_WAY, TIME_SLACK, VIEWS_FROZEN,
};

/// What a tick reads of an emitter.
#[derive(Debug, Clone, Copy)]
pub struct Ticking<'a> {
    /// Its row.
    pub row: &'a EmitterRow,
    /// Its bursts.
    pub bursts: &'a [BurstRow],
    /// The pieces of its rate; none is the row's steady rate.
    pub rates: &'a [RateRow],
    /// Its pose of this step and of the last.
    pub poses: (Pose, Pose),
}

/// Runs one row's tick over its state and gives the births asked for, already held to the row's capacity.
pub fn tick(frame: &FrameParams, of: &Ticking<'_>, state: &mut EmitterState) -> u32 {
    let row = of.row;
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
    begin_step(state);
    if frame.view_count != VIEWS_FROZEN {
        state.culled = u32::from(row.culling != 0 && hidden(frame, state));
    }
    let culled = row.culling != 0 && state.culled != 0;
    // One that starts with a pre-warm starts with it.
    let step = if row.prewarm > 0.0 {
        Dd::ZERO
    } else {
        frame_step(frame).times(row.time_scale)
    };
    if clock(step, state) {
        births(of, state, culled)
    } else {
        0
    }
}

/// What was wanted in the step before is forgotten.
pub fn begin_step(state: &mut EmitterState) {
    state.wanted = 0;
    state.segment_count = 0;
    state.caught_up = 0.0;
}

/// A row's time goes on by `step`, or stands still where that is too short. False where it stands.
pub fn clock(step: Dd, state: &mut EmitterState) -> bool {
    if step.hi < SHORTEST_STEP {
        (state.dt, state.dt_lo) = (0.0, 0.0);
        return false;
    }
    (state.dt, state.dt_lo) = (step.hi, step.lo);
    state.step = state.step.wrapping_add(1);
    state.age_start = state.age_hi;
    let age = Dd {
        hi: state.age_hi,
        lo: state.age_lo,
    }
    .plus(step);
    (state.age_hi, state.age_lo) = (age.hi, age.lo);
    true
}

/// The births of the step that the row's clock has just gone on by, held to its capacity.
pub fn births(of: &Ticking<'_>, state: &mut EmitterState, culled: bool) -> u32 {
    let row = of.row;
    let step = Dd {
        hi: state.dt,
        lo: state.dt_lo,
    };
    let mut tick = Tick::new(of, state);
    let mut pending = state.pending;
    if row.emitting == 0 {
        // Told to stop: neither the clock nor the host gives births any more.
        tick.end();
        pending = 0;
    }
    let sleep = Dd {
        hi: state.sleep_hi,
        lo: state.sleep_lo,
    };
    let mut slept = Dd::ZERO;
    if culled {
        // What the host asks for while nobody sees it is refused.
        state.wanted = pending;
        if !tick.ended {
            slept = sleep.plus(step);
            tick.advance(step);
            // An end that waking could still show is none yet.
            if tick.over() && !tick.at.less(Dd::new(row.max_catchup)) {
                tick.end();
                slept = Dd::ZERO;
            }
        }
    } else {
        let back = sleep.smaller(Dd::new(row.max_catchup));
        if back.hi > 0.0 && !tick.ended {
            state.caught_up = back.hi;
            tick.rewind(back);
            tick.pass(back, Dd::ZERO.minus(back));
        }
        tick.run(pending, 0.0, 0.0, 0.0, 0.0);
        tick.metre = metre_rate(row, of.poses, step);
        tick.pass(step, Dd::ZERO);
        state.wanted = tick.total;
    }
    state.pending = 0;
    (state.sleep_hi, state.sleep_lo) = (slept.hi, slept.lo);
    tick.store(state);
    if culled {
        return 0;
    }
    let room = row.capacity.saturating_sub(state.living);
    tick.total.min(room)
}

fn frame_step(frame: &FrameParams) -> Dd {
    Dd {
        hi: frame.dt,
        lo: frame.dt_lo,
    }
}

/// Births a second of the row's time that its way in this step gives: spread evenly over the step.
fn metre_rate(row: &EmitterRow, (now, before): (Pose, Pose), step: Dd) -> Dd {
    if row.rate_per_metre <= 0.0 {
        return Dd::ZERO;
    }
    let (to, from) = (now.position(), before.position());
    let [x, y, z] = [0, 1, 2].map(|i| {
        let part = to[i] - from[i];
        let counts = part.abs() >= SHORTEST_WAY;
        let part = if counts { part } else { 0.0 };
        Dd::product(part, part)
    });
    let square = x.plus(y).plus(z);
    if square.hi > 0.0 && square.hi < LONGEST_WAY * LONGEST_WAY {
        square.root().times(row.rate_per_metre).over(step)
    } else {
        Dd::ZERO
    }
}

impl Tick<'_> {
    /// Whether the last loop's end has passed. `at` then counts on from it.
    fn over(&self) -> bool {
        self.row.loops != 0 && self.loop_index >= self.row.loops
    }

    fn end(&mut self) {
        self.ended = true;
        self.at = Dd::ZERO;
    }

    pub(super) fn period(&self) -> Dd {
        Dd::new(self.row.period)
    }

    /// Lives through `span`, which starts `since` after the step's start, with its births.
    fn pass(&mut self, span: Dd, since: Dd) {
        let mut left = span;
        let mut since = since;
        let mut inside = false;
        for _ in 0..MAX_LOOPS_A_STEP {
            if self.over() {
                self.end();
            }
            if self.ended {
                return;
            }
            let to_end = self.period().minus(self.at);
            let wraps = !left.less(to_end.minus(Dd::new(TIME_SLACK)));
            let span = if wraps { to_end } else { left };
            self.span(span, since);
            self.at = self.at.plus(span);
            since = since.plus(span);
            left = left.minus(span);
            if !wraps {
                inside = true;
                break;
            }
            self.at = Dd::ZERO;
            self.wrap(1);
        }
        if !inside && !self.over() {
            self.crowd(left, since);
        }
        if self.over() {
            self.end();
        }
    }

    /// Lives through a span from a loop's start in which too many loops end to be looked at one by one.
    fn crowd(&mut self, span: Dd, since: Dd) {
        let (whole, rest) = self.periods(span);
        let many = if self.row.loops == 0 || whole < self.row.loops - self.loop_index {
            whole
        } else {
            self.row.loops - self.loop_index
        };
        self.alike(many, since);
        self.wrap(many);
        if !self.over() {
            self.span(rest, since.plus(self.period().times(many as f32)));
            self.at = rest;
        }
    }

    /// Loops end: what is owed of a rate is forgotten, of a way it is not.
    fn wrap(&mut self, loops: u32) {
        self.loop_index = self.loop_index.wrapping_add(loops);
        if self.row.rate_per_metre <= 0.0 {
            self.owed = Dd::ZERO;
        }
    }

    /// Moves the clock by `span` with no births, whole loops by division.
    fn advance(&mut self, span: Dd) {
        if self.over() {
            self.at = self.at.plus(span);
            return;
        }
        let to_end = self.period().minus(self.at);
        if span.less(to_end.minus(Dd::new(TIME_SLACK))) {
            self.skip(self.at, span);
            self.at = self.at.plus(span);
            return;
        }
        let left = span.minus(to_end);
        self.wrap(1);
        let (whole, rest) = self.periods(left);
        let room = if self.row.loops == 0 {
            u32::MAX
        } else {
            self.row.loops - self.loop_index
        };
        if whole <= room {
            self.wrap(whole);
            self.at = rest;
        } else {
            self.wrap(room);
            self.at = left.minus(self.period().times(room as f32));
        }
        if !self.over() {
            self.skip(Dd::ZERO, self.at);
        }
    }

    /// Takes the clock back by `span`, not before the first loop. What is owed is counted anew from the loop's start.
    fn rewind(&mut self, span: Dd) {
        let slack = Dd::new(TIME_SLACK);
        self.at = self.at.minus(span);
        if self.loop_index > 0 && self.at.plus(slack).less(Dd::ZERO) {
            let (whole, rest) = self.periods(Dd::ZERO.minus(self.at));
            let mut back = whole;
            let mut at = Dd::ZERO.minus(rest);
            if at.plus(slack).less(Dd::ZERO) {
                back += 1;
                at = self.period().minus(rest);
            }
            if back > self.loop_index {
                back = self.loop_index;
                at = self.at.plus(self.period().times(back as f32));
            }
            self.loop_index -= back;
            self.at = at;
        }
        if self.row.rate_per_metre <= 0.0 {
            self.owed = Dd::ZERO;
            self.skip(Dd::ZERO, self.at);
        }
    }

    /// Whole periods in a time that is not below 0 by more than the slack, and the rest of it.
    fn periods(&self, time: Dd) -> (u32, Dd) {
        let period = self.period();
        let slack = Dd::new(TIME_SLACK);
        let guess = (time.hi / period.hi).floor();
        let most = if guess < MOST_PERIODS { guess } else { MOST_PERIODS };
        let many = if most > 0.0 { most } else { 0.0 };
        let mut whole = many as u32;
        let mut rest = time.minus(period.times(many));
        // A quotient of more than 24 bits is off by a few.
        let off = (rest.hi / period.hi).floor();
        if off > -1e6 && off < 1e6 {
            whole = whole.wrapping_add_signed(off as i32);
            rest = rest.minus(period.times(off));
        }
        if !rest.plus(slack).less(period) {
            whole = whole.wrapping_add(1);
            rest = rest.minus(period);
        }
        if rest.plus(slack).less(Dd::ZERO) {
            whole = whole.wrapping_sub(1);
            rest = rest.plus(period);
        }
        (whole, rest)
    }
}
