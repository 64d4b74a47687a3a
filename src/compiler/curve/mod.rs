//! Curves and gradients as arithmetic.
//!
//! Curves become pieces, pieces that one cubic can say become one, and the numbers of the piece at hand are
//! chosen along the starts before one cubic or straight line is computed. The result lies within
//! 1e-5 × max(1, largest absolute value of keys and handles) of the exact curve at any input.

mod emit;
mod fit;
mod pieces;
mod program;

use super::ir::{Ir, Val};
use super::lower::Lowering;
use crate::base::curve::{Curve, Gradient};
use crate::base::diag::Severity;
use crate::isa::{MAX_CONSTANTS, MAX_SECTION_LEN};

pub use program::{curve_program, gradient_program};

/// A curve that no program can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLarge {
    /// Pieces that are left when all that could be joined is.
    pieces: usize,
}

/// Curves over one input, one a lane, at most four. Those whose keys stand at the same times share all but
/// their values.
fn lower(ir: &mut Ir, curves: &[Curve], x: Val) -> Result<Val, TooLarge> {
    let mut lanes: Vec<Option<Val>> = vec![None; curves.len()];
    while let Some(first) = lanes.iter().position(Option::is_none) {
        let group: Vec<usize> = (first..curves.len())
            .filter(|&i| lanes[i].is_none() && together(&curves[first], &curves[i]))
            .collect();
        let members: Vec<&Curve> = group.iter().map(|&i| &curves[i]).collect();
        let pieces = fit::reduce(pieces::pieces(&members), &members);
        let cost = emit::cost(&pieces);
        if cost.instructions > MAX_SECTION_LEN || cost.constants > MAX_CONSTANTS {
            return Err(TooLarge { pieces: pieces.len() });
        }
        let value = emit::emit(ir, &pieces, &members, x.lane(0));
        for (lane, &index) in group.iter().enumerate() {
            lanes[index] = Some(value.lane(lane));
        }
    }
    let lanes: Vec<Val> = lanes.into_iter().flatten().collect();
    Ok(Val::join(&lanes))
}

/// Whether two curves' keys stand at the same times and their ends do the same.
fn together(a: &Curve, b: &Curve) -> bool {
    let times = |curve: &Curve| curve.keys().iter().map(|k| k.t.to_bits()).collect::<Vec<_>>();
    a.ends() == b.ends() && times(a) == times(b)
}

impl Lowering<'_, '_> {
    /// Curves over one input, one a lane; says so where they cannot be had, at `port` or at the whole node.
    pub(super) fn curves(&mut self, curves: &[Curve], x: Val, port: Option<&str>) -> Option<Val> {
        if curves.iter().any(Curve::unsorted) {
            self.note_order("curve", port);
        }
        let made = lower(&mut self.ir, curves, x);
        self.made(made, "curve", port)
    }

    /// A gradient, four lanes.
    pub(super) fn gradient(&mut self, gradient: &Gradient, x: Val, port: Option<&str>) -> Option<Val> {
        if gradient.unsorted() {
            self.note_order("gradient", port);
        }
        let made = lower(&mut self.ir, &gradient.channels(), x);
        self.made(made, "gradient", port)
    }

    fn note_order(&mut self, what: &str, port: Option<&str>) {
        let message = format!("The keys of this {what} were not in order of time; they count in that order.");
        let help = "Saving the document writes them in order.";
        self.report(Severity::Warning, "unsorted-keys", port, message, Some(help));
    }

    fn made(&mut self, made: Result<Val, TooLarge>, what: &str, port: Option<&str>) -> Option<Val> {
        match made {
            Ok(val) => Some(val),
            Err(TooLarge { pieces }) => {
                let message = format!(
                    "This {what} comes to {pieces} pieces that cannot be joined within its exactness, more than a program holds."
                );
                let help = "Remove keys, smooth it, or scale it down: what differs by less than 0.00001 of its largest value is joined.";
                self.report(Severity::Error, "too-large", port, message, Some(help));
                None
            }
        }
    }
}
