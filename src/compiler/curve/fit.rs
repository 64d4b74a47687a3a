//! Fewer pieces: what one straight line or one cubic says within a small part of the exactness becomes one.
//!
//! A fit is taken only where it is proven: over each piece it replaces, the difference is a cubic, and no
//! cubic leaves the hull of its Bernstein coefficients.

use super::emit;
use super::pieces::Piece;
use crate::base::curve::Curve;

/// Pieces up to which nothing but straight lines along one straight line is joined.
const KEPT: usize = 16;
/// Part of the scale by which joining straight lines may be off: rounding of the keys.
const STRAIGHT: f64 = 1e-7;
/// Part of the scale by which a fit may be off; the rest of the 1e-5 is left to `f32` arithmetic.
const FITTED: f64 = 7e-6;

/// The pieces of `curves`, with those joined that can be.
pub(super) fn reduce(pieces: Vec<Piece>, curves: &[&Curve]) -> Vec<Piece> {
    let scales: Vec<f64> = curves.iter().map(|c| c.magnitude().max(1.0)).collect();
    let pieces = joined(&pieces, &scales, 1, STRAIGHT);
    if pieces.len() <= KEPT {
        return pieces;
    }
    let lines = joined(&pieces, &scales, 1, FITTED);
    let cubics = joined(&pieces, &scales, 3, FITTED);
    // A cubic costs more than a line.
    if emit::cost(&cubics).instructions < emit::cost(&lines).instructions {
        cubics
    } else {
        lines
    }
}

/// From the left, each run of pieces as long as one polynomial of a degree says it.
fn joined(pieces: &[Piece], scales: &[f64], degree: usize, part: f64) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut from = 0;
    while from < pieces.len() {
        let rest = &pieces[from..];
        let mut best = (1, rest[0].clone());
        // Twice as long while that fits, then halves in between.
        let mut step = 1;
        let mut fits = true;
        while step > 0 {
            let length = best.0 + step;
            let made = (length <= rest.len())
                .then(|| fit(&rest[..length], scales, degree, part))
                .flatten();
            match made {
                Some(piece) => {
                    best = (length, piece);
                    if fits {
                        step *= 2;
                        continue;
                    }
                }
                None => fits = false,
            }
            step /= 2;
        }
        from += best.0;
        out.push(best.1);
    }
    out
}

/// One piece for a run, where it is near enough.
fn fit(run: &[Piece], scales: &[f64], degree: usize, part: f64) -> Option<Piece> {
    let (start, end) = (run.first()?.start, run.last()?.end);
    let length = end - start;
    let place = |t: f64| (t - start) / length;
    let mut rows = Vec::with_capacity(scales.len());
    for (lane, scale) in scales.iter().enumerate() {
        let row = match degree {
            1 => line(run, lane),
            _ => cubic(run, lane, place)?,
        };
        // Far handles would lose what the fit wins to rounding.
        if bernstein(&row).iter().any(|b| b.abs() > 2.0 * scale) {
            return None;
        }
        for piece in run {
            let from = place(piece.start);
            let over = within(&row, from, place(piece.end) - from);
            let mut off = piece.rows[lane];
            off.iter_mut().zip(over).for_each(|(off, fit)| *off -= fit);
            if bernstein(&off).iter().any(|b| b.abs() > part * scale) {
                return None;
            }
        }
        rows.push(row);
    }
    Some(Piece { start, end, rows })
}

fn ends(run: &[Piece], lane: usize) -> [f64; 2] {
    let first = run[0].rows[lane][3];
    let last = run[run.len() - 1].rows[lane].iter().sum();
    [first, last]
}

fn line(run: &[Piece], lane: usize) -> [f64; 4] {
    let [p0, p1] = ends(run, lane);
    [0.0, 0.0, p1 - p0, p0]
}

/// The cubic through both ends that is nearest in between, by least squares over three moments of each piece.
fn cubic(run: &[Piece], lane: usize, place: impl Fn(f64) -> f64) -> Option<[f64; 4]> {
    let [p0, p3] = ends(run, lane);
    let (mut aa, mut ab, mut bb, mut ar, mut br) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for piece in run {
        let width = piece.end - piece.start;
        for part in [1.0 / 6.0, 0.5, 5.0 / 6.0] {
            let s = place(piece.start + part * width);
            let r = 1.0 - s;
            let (a, b) = (3.0 * s * r * r, 3.0 * s * s * r);
            let rest = value(&piece.rows[lane], part) - p0 * r * r * r - p3 * s * s * s;
            // By the piece's length, so that dense keys do not outweigh sparse ones.
            aa += width * a * a;
            ab += width * a * b;
            bb += width * b * b;
            ar += width * a * rest;
            br += width * b * rest;
        }
    }
    let det = aa * bb - ab * ab;
    let (p1, p2) = ((ar * bb - br * ab) / det, (br * aa - ar * ab) / det);
    (p1.is_finite() && p2.is_finite()).then_some({
        [
            p3 - 3.0 * p2 + 3.0 * p1 - p0,
            3.0 * (p2 - 2.0 * p1 + p0),
            3.0 * (p1 - p0),
            p0,
        ]
    })
}

fn value(row: &[f64; 4], u: f64) -> f64 {
    ((row[0] * u + row[1]) * u + row[2]) * u + row[3]
}

/// The cubic in `w`, where its own variable is `from + h · w`.
pub(super) fn within(row: &[f64; 4], from: f64, h: f64) -> [f64; 4] {
    let [a, b, c, _] = *row;
    [
        a * h * h * h,
        (3.0 * a * from + b) * h * h,
        ((3.0 * a * from + 2.0 * b) * from + c) * h,
        value(row, from),
    ]
}

fn bernstein(row: &[f64; 4]) -> [f64; 4] {
    let [a, b, c, d] = *row;
    [d, d + c / 3.0, d + (2.0 * c + b) / 3.0, a + b + c + d]
}
