//! Curves and gradients as arithmetic: the segment's numbers are chosen along the keys, then one cubic or one
//! straight line is computed.

use super::ir::{Ir, Val};
use crate::base::curve::{Curve, Gradient, Segment};
use crate::isa::Op;

/// A curve at `x`: within 1e-5 of the largest key or handle (or of 1) of the exact curve, everywhere.
pub(super) fn lower_curve(ir: &mut Ir, curve: &Curve, x: Val) -> Val {
    let segments: Vec<Segment> = curve.segments().collect();
    let pieces: Vec<Piece> = segments
        .iter()
        .map(|s| Piece {
            start: s.t0 as f32,
            scale: (1.0 / (s.t1 - s.t0)) as f32,
            rows: vec![s.cubic.map(|c| c as f32)],
        })
        .collect();
    let ends = Ends {
        first: vec![curve.first()],
        last: vec![curve.last()],
        time: span(
            curve.keys().first().map(|k| k.t),
            curve.keys().last().map(|k| k.t),
        ),
    };
    lower(ir, &pieces, &ends, x)
}

/// A gradient at `x`, four lanes.
pub(super) fn lower_gradient(ir: &mut Ir, gradient: &Gradient, x: Val) -> Val {
    let channels = [0, 1, 2, 3].map(|c| gradient.channel(c));
    let segments = channels.each_ref().map(|c| c.segments().collect::<Vec<_>>());
    let pieces: Vec<Piece> = segments[0]
        .iter()
        .enumerate()
        .map(|(i, s)| Piece {
            start: s.t0 as f32,
            scale: (1.0 / (s.t1 - s.t0)) as f32,
            rows: segments.iter().map(|of| of[i].cubic.map(|c| c as f32)).collect(),
        })
        .collect();
    let keys = gradient.keys();
    let ends = Ends {
        first: channels.iter().map(Curve::first).collect(),
        last: channels.iter().map(Curve::last).collect(),
        time: span(keys.first().map(|k| k.t), keys.last().map(|k| k.t)),
    };
    lower(ir, &pieces, &ends, x)
}

fn span(first: Option<f32>, last: Option<f32>) -> [f32; 2] {
    [first.unwrap_or(0.0), last.unwrap_or(0.0)]
}

/// A segment: its start, one over its length, and the cubic of each lane.
struct Piece {
    start: f32,
    scale: f32,
    rows: Vec<[f32; 4]>,
}

struct Ends {
    first: Vec<f32>,
    last: Vec<f32>,
    time: [f32; 2],
}

fn lower(ir: &mut Ir, pieces: &[Piece], ends: &Ends, x: Val) -> Val {
    let x = x.lane(0);
    let first = Val::constant(&ends.first);
    let last = Val::constant(&ends.last);
    let Some(head) = pieces.first() else {
        // One key, or all at one time.
        let after = ir.op(Op::CmpLe, &[Val::imm(ends.time[0]), x]);
        return if ends.first == ends.last {
            last
        } else {
            ir.op(Op::Select, &[after, last, first])
        };
    };
    let degree = if pieces
        .iter()
        .all(|p| p.rows.iter().all(|c| c[0] == 0.0 && c[1] == 0.0))
    {
        1
    } else {
        3
    };
    // Which segment: its start and scale, and its coefficients, highest first.
    let mut place = Val::constant(&[head.start, head.scale]);
    let column = |piece: &Piece, power: usize| {
        let values: Vec<f32> = piece.rows.iter().map(|row| row[3 - power]).collect();
        Val::constant(&values)
    };
    let mut coefficients: Vec<Val> = (0..=degree).rev().map(|power| column(head, power)).collect();
    if head.rows.len() == 1 {
        coefficients = vec![Val::join(&coefficients)];
    }
    for piece in &pieces[1..] {
        let inside = ir.op(Op::CmpLe, &[Val::imm(piece.start), x]);
        place = ir.op(
            Op::Select,
            &[inside, Val::constant(&[piece.start, piece.scale]), place],
        );
        let mut next: Vec<Val> = (0..=degree).rev().map(|power| column(piece, power)).collect();
        if piece.rows.len() == 1 {
            next = vec![Val::join(&next)];
        }
        for (chosen, next) in coefficients.iter_mut().zip(next) {
            *chosen = ir.op(Op::Select, &[inside, next, *chosen]);
        }
    }
    let from_start = ir.op(Op::Sub, &[x, place.lane(0)]);
    let u = ir.op(Op::Mul, &[from_start, place.lane(1)]);
    // Held at both ends, and at the end of a segment where a step follows it.
    let u = ir.op(Op::Max, &[u, Val::imm(0.0)]);
    let u = ir.op(Op::Min, &[u, Val::imm(1.0)]);
    let nth = |n: usize| {
        if coefficients.len() == 1 {
            coefficients[0].lane(n)
        } else {
            coefficients[n]
        }
    };
    let mut value = nth(0);
    for n in 1..=degree {
        value = ir.op(Op::Mad, &[value, u, nth(n)]);
    }
    // The last key's value exactly, and after a step at the end the value after it.
    let over = ir.op(Op::CmpLe, &[Val::imm(ends.time[1]), x]);
    let value = ir.op(Op::Select, &[over, last, value]);
    if pieces[0].start == ends.time[0] && ends.first == first_row(&pieces[0]) {
        return value;
    }
    let before = ir.op(Op::CmpLt, &[x, Val::imm(ends.time[0])]);
    ir.op(Op::Select, &[before, first, value])
}

fn first_row(piece: &Piece) -> Vec<f32> {
    piece.rows.iter().map(|row| row[3]).collect()
}
