//! Any words: a program that the verifier passes gives the same records on both CPU executors, and leaves the
//! header and the ordinal alone.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mote::inspect::parity::generate::{Rolls, passes, world};
use mote::inspect::parity::same_word;
use mote::isa::Instruction;
use mote::vm::trial::{Job, run_batched, run_scalar};

fuzz_target!(|words: Vec<[u32; 4]>| {
    let mut rolls = Rolls::new(words.len() as u32);
    let job = Job {
        code: words.iter().copied().map(Instruction).collect(),
        constants: vec![[0, 0x7fc0_0000, 1, 0x3f80_0000]],
        registers: 64,
        records: (0..3).map(|_| std::array::from_fn(|_| rolls.number())).collect(),
    };
    if !passes(&job) {
        return;
    }
    let world = world(&mut rolls);
    let jobs = std::slice::from_ref(&job);
    let (scalar, batched) = (run_scalar(&world, jobs), run_batched(&world, jobs));
    for (i, given) in job.records.iter().enumerate() {
        let (a, b) = (&scalar[0].records[i], &batched[0].records[i]);
        assert_eq!(a[..2], given[..2]);
        assert!(a.iter().zip(b).all(|(a, b)| same_word(*a, *b)));
    }
});
