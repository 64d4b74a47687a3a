//! The batched executor against the scalar one, bit for bit.

use std::sync::Arc;

use mote::compiler::compile;
use mote::document::presets::presets;
use mote::host::{Placement, Stage};
use mote::inspect::parity::generate::{Rolls, job, world};
use mote::inspect::parity::{Backend, ParityError, parity, same_word};
use mote::isa::ORDINAL_WORD;
use mote::reference::Reference;
use mote::reference::twin::Executor;
use mote::vm::batch::{Batch, LANES, Plan, Shared};
use mote::vm::trial::{Job, Ran, World, run_scalar};

#[test]
fn batch_equals_scalar_on_random_programs_with_special_values() {
    let report = parity(600, 5, &mut [Backend::Batched.executor(None).unwrap()]).unwrap();
    assert_eq!(report.failed, 0, "seed 5: {:#?}", report.failures);
    assert!(report.unused().is_empty(), "never tried: {:?}", report.unused());
}

#[test]
fn batch_of_any_size_over_scattered_slots_equals_scalar() {
    let mut rolls = Rolls::new(17);
    let world = world(&mut rolls);
    let mut batch = Batch::default();
    for round in 0..40 {
        let whole = job(&mut rolls, 24, 200);
        let count = [1, 7, LANES - 1, LANES][round % 4];
        let slots: Vec<u32> = (0..count as u32).map(|i| (i * 37 + 11) % 200).collect();
        let expected = run_scalar(&world, std::slice::from_ref(&whole)).remove(0);
        let mut records = whole.records.clone();
        let shared = Shared {
            constants: &whole.constants,
            emitter_fields: &world.emitter_fields,
            globals: &world.globals,
            builtins: &world.builtins,
            seed: world.seed,
            step: world.step,
            loop_index: world.loop_index,
            wind: world.wind.as_ref(),
        };
        let ended = batch.run(
            &Plan::new(&whole.code),
            &shared,
            &mut records,
            &slots,
            ORDINAL_WORD,
        );
        for (i, &slot) in slots.iter().enumerate() {
            let (found, wanted) = (&records[slot as usize], &expected.records[slot as usize]);
            let equal = found.iter().zip(wanted).all(|(a, b)| same_word(*a, *b));
            assert!(
                equal && ended[i] == expected.killed[slot as usize],
                "seed 17, round {round}, particle {i}"
            );
        }
        let others = (0..200).filter(|slot| !slots.contains(slot));
        for slot in others {
            assert_eq!(
                records[slot as usize], whole.records[slot as usize],
                "not asked for"
            );
        }
    }
}

#[test]
fn batch_and_scalar_play_the_presets_to_one_state() {
    for preset in presets() {
        let document = mote::document::presets::preset(preset.name).unwrap();
        let effect = Arc::new(compile(&document).effect.unwrap());
        let capacity = effect.emitters.iter().map(|e| e.emission.capacity).sum();
        let mut stage = Stage::new(capacity);
        stage.place(effect, Placement::default()).unwrap();
        let mut twins = [Executor::Scalar, Executor::Batched].map(|e| Reference::with(capacity, e));
        for _ in 0..65 {
            let frame = stage.begin_step(1.0 / 30.0).unwrap();
            twins.iter_mut().for_each(|twin| twin.step(&stage, &frame));
            stage.end_step();
        }
        let [scalar, batched] = twins.each_ref().map(|twin| {
            mote::reference::digest(
                &stage,
                &mote::reference::digest::live_particles(&stage, twin.live_records()),
            )
        });
        assert_eq!(scalar, batched, "{}", preset.name);
        assert!(twins[0].live_records().count() > 10, "{}", preset.name);
    }
}

/// The batched executor, wrong about one opcode.
struct Wrong;

impl mote::inspect::parity::Executor for Wrong {
    fn name(&self) -> &'static str {
        "wrong"
    }

    fn run(&mut self, world: &World, jobs: &[Job]) -> Result<Vec<Ran>, ParityError> {
        let mut jobs = jobs.to_vec();
        for instruction in jobs.iter_mut().flat_map(|job| &mut job.code) {
            if instruction.op() == Some(mote::isa::Op::Floor) {
                instruction.0[0] = instruction.0[0] & !0xff | u32::from(mote::isa::Op::Round.code());
            }
        }
        Backend::Batched.executor(None).unwrap().run(world, &jobs)
    }
}

#[test]
fn parity_finds_a_planted_difference_and_shows_the_smallest_program() {
    let report = parity(64, 3, &mut [Box::new(Wrong)]).unwrap();
    assert!(report.failed > 5);
    let text = &report.failures[0].text;
    let program = mote::isa::asm::assemble(text).unwrap();
    let ops: Vec<_> = program.update.iter().filter_map(|i| i.op()).collect();
    assert!(ops.contains(&mote::isa::Op::Floor), "{text}");
    assert!(ops.len() <= 5, "{text}");
    assert!(text.contains("; record ") && text.contains("scalar"), "{text}");
    assert!(same_word(0x7fc0_0000, 0xffc0_0001) && same_word(1, 1));
    assert!(!same_word(0, 0x8000_0000) && !same_word(1, 2) && !same_word(0x7fc0_0000, 0));
}
