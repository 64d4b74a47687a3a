//! From curves to the pieces that cover every input.
//!
//! Where curves hold, the pieces are their segments. Where they repeat, the input is first brought to the
//! moment of its period that lies around 0 (see [`super::emit`]), so the pieces are the segments of the
//! periods around 0.

use crate::base::curve::{Curve, Segment};

/// A stretch of the input with the cubic of each lane in the local `u` in 0 to 1, highest power first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    /// Where it starts.
    pub(super) start: f64,
    /// Where it ends, above `start`.
    pub(super) end: f64,
    /// The cubic of each lane.
    pub(super) rows: Vec<[f64; 4]>,
}

/// How much of a period to either side of 0 is covered: half, and what the nearest period is off by where
/// rounding decided it.
const COVERED: f64 = 0.501;

/// The pieces of curves whose keys stand at the same times, by start.
pub(super) fn pieces(curves: &[&Curve]) -> Vec<Piece> {
    let segments: Vec<Vec<Segment>> = curves.iter().map(|c| c.segments().collect()).collect();
    let once: Vec<Piece> = segments[0]
        .iter()
        .enumerate()
        .map(|(i, s)| Piece {
            start: s.t0,
            end: s.t1,
            rows: segments.iter().map(|of| of[i].cubic).collect(),
        })
        .collect();
    let Some(period) = curves[0].period().map(f64::from) else {
        return once;
    };
    let Some(origin) = once.first().map(|p| p.start) else {
        return once;
    };
    let reach = COVERED * period;
    let nth = |t: f64| ((t - origin) / period).floor() as i64;
    let mut out = Vec::new();
    for n in nth(-reach)..=nth(reach) {
        let shift = n as f64 * period;
        let copies = once.iter().map(|p| Piece {
            start: p.start + shift,
            end: p.end + shift,
            rows: p.rows.clone(),
        });
        out.extend(copies.filter(|p| p.end > -reach && p.start <= reach));
    }
    out
}
