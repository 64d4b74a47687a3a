//! From pieces to instructions.
//!
//! The numbers of a piece (coefficients, start, one over its length) lie in as few four-lane constants as can
//! be; along the starts each is compared with the input once and each constant chosen once. All decisions are
//! exact: an input is compared with the smallest `f32` not below the start.
//!
//! The choices of one constant come to an end before those of the next begin, so what was compared would be
//! kept in between, a register a start. Many pieces therefore compare anew for each constant, and make up for
//! it by not scaling: their cubics are in the time since the start, which needs no constant to choose. As equal
//! computations are made once, they ask about an input that differs by name: its maximum with a number below
//! all inputs, which comes from what is chosen. So neither do curves with keys at the same times share what
//! would be kept.
//!
//! A repeating curve first brings its input to the nearest period around 0. Periods are taken off in two
//! goes, 2048 at a time and then one by one, by factors of at most 12 bits times a period split into halves of
//! 12 bits: every product and difference is exact, so the moment is, and so is on which side of a step it
//! lies.

use super::fit::within;
use super::pieces::Piece;
use crate::base::curve::{Curve, MAX_REPEATS};
use crate::base::hash::hash_words;
use crate::compiler::ir::{Ir, Val};
use crate::isa::Op;

/// What pieces come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cost {
    /// Instructions.
    pub(super) instructions: usize,
    /// Constants of the program.
    pub(super) constants: usize,
}

/// Instructions around the pieces: the input's clamp or period, the cubic, the held ends.
const AROUND: usize = 24;

/// Pieces up to which comparisons are kept from one constant to the next.
const KEPT: usize = 16;

/// At most so much.
pub(super) fn cost(pieces: &[Piece]) -> Cost {
    let layout = Layout::of(pieces);
    let (mut each, mut constants) = (usize::from(layout.kept), 0);
    for chunk in &layout.chunks {
        // A single number is no constant: the instruction holds it.
        let wide = usize::from(chunk.len() > 1);
        each += 1 + wide + usize::from(!layout.kept);
        constants += wide;
    }
    Cost {
        instructions: pieces.len() * each + AROUND,
        constants: pieces.len() * constants + 8,
    }
}

/// A number of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Coefficient { power: usize, lane: usize },
    Start,
    Scale,
}

/// How the numbers of pieces lie.
struct Layout {
    /// Highest power that any lane of any piece has.
    degree: usize,
    lanes: usize,
    /// Whether comparisons are kept from one constant to the next.
    kept: bool,
    /// Whether cubics are in 0 to 1 over the piece, not in the time since its start.
    scaled: bool,
    /// What lies together: the numbers of one power do, so that they need no gathering.
    chunks: Vec<Vec<Part>>,
}

impl Layout {
    fn of(pieces: &[Piece]) -> Self {
        let of = |row: &[f64; 4]| (0..4).find(|&i| row[i] != 0.0).map_or(0, |i| 3 - i);
        let degree = pieces
            .iter()
            .flat_map(|p| p.rows.iter().map(of))
            .max()
            .unwrap_or(0);
        let lanes = pieces.first().map_or(1, |p| p.rows.len());
        let power = |power| (0..lanes).map(|lane| Part::Coefficient { power, lane }).collect();
        let powers = (0..=degree).rev().map(power);
        let mut packed = Vec::new();
        powers.clone().for_each(|item| pack(&mut packed, item));
        let shared = packed.clone();
        if degree > 0 {
            pack(&mut packed, vec![Part::Start]);
            pack(&mut packed, vec![Part::Scale]);
        }
        // A third power of such a length is still a number.
        let tame = pieces.iter().all(|p| (1e-9..1e9).contains(&(p.end - p.start)));
        let kept = pieces.len() <= KEPT || packed.len() == 1;
        let scaled = kept || !tame;
        if !scaled {
            packed = shared;
            packed.push(vec![Part::Start]);
        }
        Self {
            degree,
            lanes,
            kept,
            scaled,
            chunks: packed,
        }
    }
}

/// Puts numbers that must lie together where there is room for them.
fn pack(chunks: &mut Vec<Vec<Part>>, item: Vec<Part>) {
    match chunks.iter_mut().find(|chunk| chunk.len() + item.len() <= 4) {
        Some(chunk) => chunk.extend(item),
        None => chunks.push(item),
    }
}

/// A piece as the instructions use it: cubics in `w = (x − start) · scale`, or in `x − start`.
struct Ready {
    /// The least input that is in it.
    from: f32,
    start: f32,
    scale: f32,
    rows: Vec<[f32; 4]>,
}

impl Ready {
    fn new(piece: &Piece, scaled: bool) -> Self {
        let length = piece.end - piece.start;
        let start = piece.start as f32;
        let scale = if scaled { (1.0 / length) as f32 } else { 1.0 };
        // What rounding start and scale changed is put right in the cubics: u = w / (scale · length) + shift.
        let shift = (f64::from(start) - piece.start) / length;
        let stretch = 1.0 / (f64::from(scale) * length);
        let row = |row: &[f64; 4]| within(row, shift, stretch).map(|c| c as f32);
        Self {
            from: at_least(piece.start),
            start,
            scale,
            rows: piece.rows.iter().map(row).collect(),
        }
    }

    fn part(&self, part: Part) -> f32 {
        match part {
            Part::Coefficient { power, lane } => self.rows[lane][3 - power],
            Part::Start => self.start,
            Part::Scale => self.scale,
        }
    }

    fn constant(&self, chunk: &[Part]) -> Val {
        let values: Vec<f32> = chunk.iter().map(|&part| self.part(part)).collect();
        Val::constant(&values)
    }
}

/// The smallest float not below a number.
fn at_least(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) < value {
        near.next_up()
    } else {
        near
    }
}

/// The curves' values at `x`, one a lane. They share their keys' times and their ends.
pub(super) fn emit(ir: &mut Ir, pieces: &[Piece], curves: &[&Curve], x: Val) -> Val {
    let of = |value: fn(&Curve) -> f32| curves.iter().map(|c| value(c)).collect::<Vec<f32>>();
    let (first, last) = (of(Curve::first), of(Curve::last));
    let keys = curves[0].keys();
    let (start, end) = (keys[0].t, keys[keys.len() - 1].t);
    if pieces.is_empty() {
        // One key, or all at one time.
        if first == last {
            return Val::constant(&last);
        }
        let after = ir.op(Op::CmpLe, &[Val::imm(end), x]);
        return ir.op(Op::Select, &[after, Val::constant(&last), Val::constant(&first)]);
    }
    if let Some(period) = curves[0].period() {
        let moment = moment(ir, x, period);
        return along(ir, pieces, moment);
    }
    let held = ir.op(Op::Max, &[x, Val::imm(start)]);
    let held = ir.op(Op::Min, &[held, Val::imm(end)]);
    let value = along(ir, pieces, held);
    // The last key's value exactly, and after a step at the end the value after it.
    let over = ir.op(Op::CmpLe, &[Val::imm(end), x]);
    let value = ir.op(Op::Select, &[over, Val::constant(&last), value]);
    let begins: Vec<f32> = pieces[0].rows.iter().map(|row| row[3] as f32).collect();
    if first == begins {
        return value;
    }
    // Asked so that NaN counts as before.
    let begun = ir.op(Op::CmpLe, &[Val::imm(start), x]);
    ir.op(Op::Select, &[begun, value, Val::constant(&first)])
}

/// The pieces at an input that none lies outside of, and that is a number.
fn along(ir: &mut Ir, pieces: &[Piece], x: Val) -> Val {
    let layout = Layout::of(pieces);
    let head = Ready::new(&pieces[0], layout.scaled);
    let rest: Vec<Ready> = pieces[1..]
        .iter()
        .map(|piece| Ready::new(piece, layout.scaled))
        .collect();
    let mut chosen = Vec::with_capacity(layout.chunks.len());
    for chunk in &layout.chunks {
        let asked = if pieces.len() <= KEPT {
            x
        } else {
            ir.op(Op::Max, &[x, Val::imm(below_all(&rest, chunk))])
        };
        let mut value = head.constant(chunk);
        for ready in &rest {
            let inside = ir.op(Op::CmpLe, &[Val::imm(ready.from), asked]);
            value = ir.op(Op::Select, &[inside, ready.constant(chunk), value]);
        }
        chosen.push(value);
    }
    let part = |wanted: Part| {
        let place = |chunk: &Vec<Part>| chunk.iter().position(|&part| part == wanted);
        let mut all = layout.chunks.iter().zip(&chosen);
        let found = all.find_map(|(chunk, val)| Some(val.lane(place(chunk)?)));
        found.unwrap_or(Val::imm(1.0))
    };
    let row = |power: usize| {
        let lanes: Vec<Val> = (0..layout.lanes)
            .map(|lane| part(Part::Coefficient { power, lane }))
            .collect();
        Val::join(&lanes)
    };
    let mut value = row(layout.degree);
    if layout.degree > 0 {
        let from_start = ir.op(Op::Sub, &[x, part(Part::Start)]);
        let w = ir.op(Op::Mul, &[from_start, part(Part::Scale)]);
        for power in (0..layout.degree).rev() {
            value = ir.op(Op::Mad, &[value, w, row(power)]);
        }
    }
    value
}

/// A number below every input, from what is chosen: its upper bits are those of −2¹⁰⁰.
fn below_all(pieces: &[Ready], chunk: &[Part]) -> f32 {
    let words = pieces
        .iter()
        .flat_map(|ready| chunk.iter().map(|&part| ready.part(part).to_bits()));
    f32::from_bits(0xf180_0000 | hash_words(words) as u32 & 0x007f_ffff)
}

/// The input less whole periods: the nearest to 0. Past the most repeats it is 0.
fn moment(ir: &mut Ir, x: Val, period: f32) -> Val {
    const AT_ONCE: f32 = 2048.0;
    const { assert!(AT_ONCE * AT_ONCE == MAX_REPEATS) };
    let far = period * MAX_REPEATS;
    let mut x = ir.op(Op::Max, &[x, Val::imm(-far)]);
    x = ir.op(Op::Min, &[x, Val::imm(far)]);
    for step in [period * AT_ONCE, period] {
        let count = ir.op(Op::Mul, &[x, Val::imm(1.0 / step)]);
        let count = ir.op(Op::Round, &[count]);
        // The upper 12 bits of the step, and the lower.
        let upper = f32::from_bits(step.to_bits() & 0xffff_f000);
        for half in [upper, step - upper] {
            if half != 0.0 {
                x = ir.op(Op::Mad, &[count, Val::imm(-half), x]);
            }
        }
    }
    x
}
