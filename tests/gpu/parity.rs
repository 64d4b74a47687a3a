//! The GPU's interpreter against the scalar executor, with private registers and with registers in a buffer.

use mote::gpu::Decode;
use mote::gpu::trial::Trial;
use mote::inspect::parity::{Backend, Device, Executor, Report, parity};
use mote::isa::asm::assemble;

use crate::support::{counting, gpu};

fn run(programs: u32, seed: u32, executor: Box<dyn Executor>) -> Report {
    parity(programs, seed, &mut [executor]).unwrap()
}

#[test]
fn parity_every_executor_gives_the_same_bits() {
    let _alone = counting();
    let mut executors: Vec<Box<dyn Executor>> = Backend::ALL
        .iter()
        .map(|backend| backend.executor(Some(&gpu().0)).unwrap())
        .collect();
    let report = parity(300, 7, &mut executors).unwrap();
    assert_eq!(report.failed, 0, "seed 7: {:#?}", report.failures);
    assert!(report.unused().is_empty(), "never tried: {:?}", report.unused());
    assert_eq!(report.backends, ["batched", "gpu-fast", "gpu-single", "gpu-wide"]);
}

#[test]
fn parity_an_interpreter_that_lacks_an_opcode_fails() {
    let _alone = counting();
    let lacking = |text: String| {
        let kept: Vec<&str> = text.lines().filter(|line| !line.ends_with("// cmp_eq")).collect();
        assert!(kept.len() < text.lines().count());
        kept.join("\n")
    };
    for (decode, backend) in [
        (Decode::Four, Backend::Fast),
        (Decode::OneOrFour, Backend::Single),
        (Decode::Four, Backend::Wide),
    ] {
        let trial = Trial::rewritten(&gpu().0, decode, lacking);
        let report = run(64, 7, Box::new(Device::of(trial, backend, true)));
        assert!(report.failed > 0);
        for failure in &report.failures {
            assert!(failure.text.contains("cmp_eq"), "{}", failure.text);
            assemble(&failure.text).unwrap();
        }
    }
}

#[test]
fn parity_on_hardware_an_instruction_past_its_tolerance_fails() {
    let _alone = counting();
    let honest = |text: String| text;
    let near = |text: String| {
        let wrong = "{ result = bitcast<vec4u>(sqrt(a)) + vec4u(1u); } // sqrt";
        let changed = text.replace("{ result = bitcast<vec4u>(sqrt(a)); } // sqrt", wrong);
        assert_ne!(changed, text);
        changed
    };
    let far = |text: String| {
        let wrong = "{ result = bitcast<vec4u>((a - b) * 1.001); } // sub";
        text.replace("{ result = bitcast<vec4u>(a - b); } // sub", wrong)
    };
    for (rewrite, fails) in [
        (honest as fn(String) -> String, false),
        (near, false),
        (far, true),
    ] {
        let trial = Trial::rewritten(&gpu().0, Decode::Four, rewrite);
        let report = run(64, 7, Box::new(Device::of(trial, Backend::Fast, false)));
        assert_eq!(report.failed > 0, fails, "{:?}", report.failures.first());
        let sqrt = report.hardware.iter().find(|row| row.op == "sqrt").unwrap();
        assert!(sqrt.lanes > 100);
    }
}
