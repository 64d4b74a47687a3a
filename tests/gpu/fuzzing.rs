//! Random verified programs on the device beside records that are nobody's.

use mote::gpu::Decode;
use mote::gpu::trial::Trial;
use mote::inspect::parity::generate::{Rolls, job, passes, world};
use mote::vm::trial::{Job, run_scalar};

use crate::support::{counting, gpu};

/// Programs whose instructions had random bits turned and that the verifier still passes.
fn damaged(rolls: &mut Rolls, count: usize) -> Vec<Job> {
    let mut jobs = Vec::new();
    while jobs.len() < count {
        let mut job = job(rolls, 12, 48);
        let at = rolls.below(job.code.len() as u32) as usize;
        job.code[at].0[rolls.below(4) as usize] ^= 1 << rolls.below(32);
        if passes(&job) {
            jobs.push(job);
        }
    }
    jobs
}

#[test]
fn fuzz_what_the_verifier_passes_stays_inside_its_record_on_the_device() {
    let _alone = counting();
    let mut rolls = Rolls::new(74);
    let world = world(&mut rolls);
    let jobs = damaged(&mut rolls, 400);
    // Between them programs that do nothing: their records must come back as they were.
    let idle = |records: &[[u32; 32]]| Job {
        code: Vec::new(),
        constants: Vec::new(),
        registers: 0,
        records: records.to_vec(),
    };
    let beside: Vec<Job> = jobs
        .iter()
        .flat_map(|job| [job.clone(), idle(&job.records)])
        .collect();
    let expected = run_scalar(&world, &beside);
    for (decode, wide) in [
        (Decode::Four, false),
        (Decode::OneOrFour, false),
        (Decode::Four, true),
    ] {
        let ran = Trial::new(&gpu().0, decode).run(&world, &beside, wide).unwrap();
        for (i, (job, ran)) in beside.iter().zip(&ran).enumerate() {
            for (given, record) in job.records.iter().zip(&ran.records) {
                assert_eq!(given[..2], record[..2], "seed 74, program {i}");
                assert!(
                    !job.code.is_empty() || given == record,
                    "seed 74, record beside program {i}"
                );
            }
            assert_eq!(ran.killed, expected[i].killed, "seed 74, program {i}");
        }
    }
}
