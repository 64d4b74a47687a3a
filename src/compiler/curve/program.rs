//! A curve or gradient as a program of its own: for measuring, and for holding every executor to the exact
//! curve.

use super::{TooLarge, lower};
use crate::base::curve::{Curve, Gradient};
use crate::compiler::ir::{Code, Ir};
use crate::compiler::{alloc, optimise, schedule};
use crate::isa::FIRST_FIELD_WORD;
use crate::isa::program::Program;

/// A program whose update section reads `x` from word 2 of the record and stores the curve's value there in
/// word 3; none where no program can hold the curve.
#[must_use]
pub fn curve_program(curve: &Curve) -> Option<Program> {
    program(std::slice::from_ref(curve), FIRST_FIELD_WORD + 1)
}

/// A program whose update section reads `x` from word 2 of the record and stores the gradient's red, green,
/// blue and alpha there in words 4 to 7; none where no program can hold the gradient.
#[must_use]
pub fn gradient_program(gradient: &Gradient) -> Option<Program> {
    program(&gradient.channels(), FIRST_FIELD_WORD + 2)
}

fn program(curves: &[Curve], word: u32) -> Option<Program> {
    let mut ir = Ir::new(false);
    let x = ir.load(Code::Field(FIRST_FIELD_WORD), 1);
    match lower(&mut ir, curves, x) {
        Ok(value) => ir.store(word, value),
        Err(TooLarge { .. }) => return None,
    }
    let mut live = ir.live();
    optimise::optimise(&mut live);
    let order = schedule::schedule(&live);
    let mut pool = alloc::Pool::default();
    let emitted = alloc::emit(&order, live.len(), &mut pool).ok()?;
    Some(Program {
        update: emitted.code,
        constants: pool.constants,
        registers: emitted.registers,
        ..Program::default()
    })
}
