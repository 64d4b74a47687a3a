//! Curves on the device, against the exact curve.

use mote::base::curve::Curve;
use mote::compiler::curve_program;
use mote::gpu::trial::Trial;
use mote::vm::trial::{Job, Record, World};

use crate::support::curves::{inputs, random_curve};
use crate::support::{Rolls, counting, gpu};

/// Inputs of a curve: a workgroup's lanes.
const INPUTS: usize = 64;

#[test]
fn curves_on_the_device_are_as_exact_as_is_said() {
    let _alone = counting();
    let mut rolls = Rolls(41);
    let curves: Vec<Curve> = (0..10_000).map(|_| random_curve(&mut rolls)).collect();
    let jobs: Vec<Job> = curves
        .iter()
        .map(|curve| {
            let program = curve_program(curve).unwrap();
            let times: Vec<f32> = curve.keys().iter().map(|k| k.t).collect();
            let xs = inputs(&times, &mut rolls, INPUTS);
            let record = |x: &f32| -> Record {
                let mut record = [0; 32];
                record[2] = x.to_bits();
                record
            };
            Job {
                code: program.update,
                constants: program.constants,
                registers: program.registers,
                // The odd inputs stand last: they are kept and some of the others left out.
                records: xs[xs.len() - INPUTS..].iter().map(record).collect(),
            }
        })
        .collect();
    let ran = Trial::new(&gpu().0, gpu().0.decode())
        .run(&World::default(), &jobs, false)
        .unwrap();
    for (curve, ran) in curves.iter().zip(&ran) {
        let scale = curve.magnitude().max(1.0);
        for record in &ran.records {
            let (x, found) = (f32::from_bits(record[2]), f32::from_bits(record[3]));
            let off = (f64::from(found) - curve.eval(f64::from(x))).abs() / scale;
            assert!(off <= 1e-5, "seed 41, {curve:?} at {x:e}: {found}");
        }
    }
}
