//! The benchmarks measure what they say.

use mote::inspect::bench::{NAMES, vm};
use mote::isa::asm::assemble;
use mote::isa::verify::verify;

#[test]
fn bench_programs_and_loops_by_hand_do_the_same_work() {
    assert_eq!(vm::disagreements(), [""; 0]);
    let long = include_str!("../../assets/bench/long.asm");
    let short = include_str!("../../assets/bench/short.asm");
    let vectors = include_str!("../../assets/bench/vectors.asm");
    for (text, length, single) in [(short, 15, 5), (long, 118, 70), (vectors, 118, 31)] {
        let program = assemble(text).unwrap();
        verify(&program, 0).unwrap();
        assert_eq!(program.len(), length);
        let computes = |i: &&mote::isa::Instruction| {
            let op = i.op().unwrap();
            i.width() == 1 && matches!(op.info().shape, mote::isa::Shape::Lanes(_))
        };
        let count = program.update.iter().filter(computes).count();
        assert_eq!(count, single, "arithmetic over one number");
    }
    assert!(NAMES.contains(&"vm") && NAMES.contains(&"files"));
}

#[test]
fn bench_compiles_a_graph_of_two_thousand_nodes() {
    let document = mote::inspect::bench::compile::large_graph();
    let flow = document.emitters()[0].flow(mote::base::diag::FlowKind::EveryFrame);
    assert_eq!(flow.values.len(), 2_000);
    let compiled = mote::compiler::compile(&document);
    assert!(
        compiled.effect.unwrap().programs[0].len() > 1_500,
        "little of it is dropped or folded"
    );
}

#[test]
fn bench_counts_are_read_and_named() {
    use mote::inspect::bench::{Options, needs_gpu, run};
    assert!(needs_gpu("simulate") && needs_gpu("emitters") && !needs_gpu("vm"));
    assert!(
        run("simulate", None, &Options::default()).is_none(),
        "no device, no figures"
    );
    assert!(run("nothing", None, &Options::default()).is_none());
}
