//! The benchmarks measure what they say.

use mote::inspect::bench::{NAMES, vm};
use mote::isa::asm::assemble;
use mote::isa::verify::verify;

#[test]
fn bench_programs_and_loops_by_hand_do_the_same_work() {
    assert_eq!(vm::disagreements(), [""; 0]);
    let long = include_str!("../../assets/bench/long.asm");
    let short = include_str!("../../assets/bench/short.asm");
    for (text, least, most) in [(short, 15, 15), (long, 110, 130)] {
        let program = assemble(text).unwrap();
        verify(&program, 0).unwrap();
        assert!((least..=most).contains(&program.len()), "{}", program.len());
    }
    assert!(NAMES.contains(&"vm"));
}
