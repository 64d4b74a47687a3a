//! Bounded random trials of the assembler, the verifier, the CPU executors and the readers of compiled files. `fuzz/` has the same without a
//! bound; `tests/gpu/fuzzing.rs` has the device's.

use mote::artifact::{binary, json};
use mote::inspect::fuzz;
use mote::inspect::parity::generate::{Rolls, job, passes, program_of, world};
use mote::inspect::parity::same_word;
use mote::isa::asm::assemble;
use mote::isa::disasm::disassemble;
use mote::isa::verify::verify;
use mote::isa::{Instruction, Program};
use mote::vm::trial::{Job, run_batched, run_scalar};

/// Bytes that assembler texts are made of, and some that they are not.
const PIECES: [&str; 34] = [
    "add",
    "mul.3",
    "load_field",
    "store_field.2",
    "kill.1",
    "random.4",
    ".registers",
    ".const",
    ".global",
    ".word",
    "init:",
    "update:",
    " r0",
    " r255",
    " r999",
    ".xyzw",
    ".xx",
    ", ",
    " c0",
    " w4",
    " w31",
    " #0x5",
    " 1.0",
    " -0.0",
    " 1e39",
    " bits:0x7fc00000",
    " emitter[0]",
    " global[4294967295]",
    " time",
    ";",
    "\n",
    "\u{fe}",
    " 0x",
    ".9",
];

#[test]
fn fuzz_the_assembler_reads_anything_and_what_it_reads_has_a_text() {
    let mut rolls = Rolls::new(71);
    let mut read = 0;
    for round in 0..30_000 {
        let mut text = String::new();
        if round % 2 == 0 {
            for _ in 0..rolls.below(24) {
                text.push_str(PIECES[rolls.below(PIECES.len() as u32) as usize]);
            }
        } else {
            // A real text with a few characters changed.
            text = disassemble(&program_of(&job(&mut rolls, 3, 1)));
            let mut letters: Vec<char> = text.chars().collect();
            for _ in 0..1 + rolls.below(3) {
                let at = rolls.below(letters.len() as u32) as usize;
                letters[at] = char::from_u32(rolls.below(0x80)).unwrap_or(' ');
            }
            text = letters.into_iter().collect();
        }
        if let Ok(program) = assemble(&text) {
            read += 1;
            assert_eq!(
                assemble(&disassemble(&program)).as_ref(),
                Ok(&program),
                "seed 71:\n{text}"
            );
            let _ = verify(&program, rolls.below(8));
        }
    }
    assert!(read > 1_000, "{read}");
}

/// A job with random bits of its instructions turned, of which some still pass.
fn damaged(rolls: &mut Rolls) -> Job {
    let mut job = job(rolls, 8, 4);
    for _ in 0..1 + rolls.below(4) {
        let at = rolls.below(job.code.len() as u32) as usize;
        let word = rolls.below(4) as usize;
        job.code[at].0[word] ^= 1 << rolls.below(32);
    }
    if rolls.below(8) == 0 {
        job.registers = rolls.below(300);
    }
    if rolls.below(4) == 0 {
        let words = [0; 4].map(|_| rolls.bits());
        job.code.push(Instruction(words));
    }
    job
}

#[test]
fn fuzz_what_the_verifier_passes_stays_inside_its_record() {
    let mut rolls = Rolls::new(72);
    let world = world(&mut rolls);
    let (mut passed, mut refused) = (0, 0);
    for round in 0..20_000 {
        let job = damaged(&mut rolls);
        if !passes(&job) {
            refused += 1;
            // What is refused does not run; being asked must not hurt either.
            let _ = format!("{:?}", verify(&program_of(&job), 8));
            continue;
        }
        passed += 1;
        let jobs = std::slice::from_ref(&job);
        let (scalar, batched) = (run_scalar(&world, jobs), run_batched(&world, jobs));
        for (i, given) in job.records.iter().enumerate() {
            let (a, b) = (&scalar[0].records[i], &batched[0].records[i]);
            assert_eq!(
                a[..2],
                given[..2],
                "seed 72, round {round}: the header and the ordinal are nobody's"
            );
            assert!(
                a.iter().zip(b).all(|(a, b)| same_word(*a, *b)),
                "seed 72, round {round}"
            );
        }
        assert_eq!(scalar[0].killed, batched[0].killed);
    }
    assert!(
        passed > 400 && refused > 3_000,
        "{passed} passed, {refused} refused"
    );
}

#[test]
fn fuzz_programs_of_any_words_are_judged_and_not_run_past() {
    let mut rolls = Rolls::new(73);
    for _ in 0..20_000 {
        let words = |rolls: &mut Rolls, count: u32| -> Vec<Instruction> {
            (0..count)
                .map(|_| Instruction([0; 4].map(|_| rolls.bits())))
                .collect()
        };
        let (init, update) = (rolls.below(3), rolls.below(6));
        let program = Program {
            init: words(&mut rolls, init),
            update: words(&mut rolls, update),
            constants: vec![[rolls.bits(); 4]; rolls.below(3) as usize],
            registers: rolls.bits() >> rolls.below(32),
            globals: Vec::new(),
        };
        let _ = verify(&program, rolls.bits() >> rolls.below(32));
    }
}

/// A sound file of either form, small.
fn files() -> Vec<Vec<u8>> {
    let small = |name| {
        let document = mote::document::presets::preset(name).unwrap();
        mote::compiler::compile(&document).effect.unwrap()
    };
    [small("snow"), small("debris"), crate::format::everything()]
        .iter()
        .flat_map(|effect| [binary::write(effect), json::write(effect).into_bytes()])
        .collect()
}

/// One to three changes: a digit, a byte, a bit, a word, a stretch that is cut out or doubled.
fn spoil(file: &mut Vec<u8>, rolls: &mut crate::support::Rolls) {
    for _ in 0..=rolls.below(3) {
        let at = rolls.below(file.len() as u32) as usize;
        let end = (at + 1 + rolls.below(40) as usize).min(file.len());
        match rolls.below(12) {
            0 => file[at] = rolls.next() as u8,
            1 => drop(file.drain(at..end)),
            2 => {
                let part = file[at..end].to_vec();
                file.splice(at..at, part);
            }
            3..=6 => {
                if let Some(digit) = file[at..].iter_mut().find(|b| b.is_ascii_digit()) {
                    *digit = b'0' + rolls.below(10) as u8;
                }
            }
            7 => {
                let word = rolls.next() >> rolls.below(32);
                let end = (at + 4).min(file.len());
                file[at..end].copy_from_slice(&word.to_le_bytes()[..end - at]);
            }
            _ => file[at] ^= 1 << rolls.below(8),
        }
        if file.is_empty() {
            return;
        }
    }
}

#[test]
fn fuzz_compiled_files_end_in_an_error_or_in_an_effect_that_both_forms_keep_and_that_plays() {
    const SEED: u32 = 74;
    let mut rolls = crate::support::Rolls(SEED);
    let files = files();
    let (mut loaded, mut refused) = ([0, 0], [0, 0]);
    for round in 0..6_000 {
        let form = round % 2;
        let mut file = files[round % files.len()].clone();
        spoil(&mut file, &mut rolls);
        // A fault is a panic, which says what was wrong; the round says with what.
        let sound = std::panic::catch_unwind(|| {
            if form == 0 {
                fuzz::binary(&file)
            } else {
                fuzz::json(&file)
            }
        })
        .unwrap_or_else(|_| panic!("seed {SEED}, round {round}"));
        let counts = if sound { &mut loaded } else { &mut refused };
        counts[form] += 1;
    }
    let all = [loaded, refused].concat();
    assert!(
        all.iter().all(|count| *count > 30),
        "loaded {loaded:?}, refused {refused:?}"
    );
}

/// Inputs that a fuzzer starts from, and those that once were wrong: `fuzz/corpus/TARGET/seed-*`.
#[test]
fn fuzz_the_corpora_hold() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    if std::env::var_os("MOTE_BLESS").is_some() {
        for (index, file) in files().iter().enumerate() {
            let (target, ending) = [("binary", "motefx"), ("json", "motefx.json")][index % 2];
            let folder = folder.join(target);
            std::fs::create_dir_all(&folder).unwrap();
            let path = folder.join(format!("seed-{}.{ending}", index / 2));
            std::fs::write(path, file).unwrap();
        }
    }
    type Target = (&'static str, fn(&[u8]) -> bool);
    let targets: [Target; 2] = [("binary", fuzz::binary), ("json", fuzz::json)];
    for (name, target) in targets {
        let mut loaded = 0;
        for entry in std::fs::read_dir(folder.join(name)).unwrap() {
            loaded += u32::from(target(&std::fs::read(entry.unwrap().path()).unwrap()));
        }
        assert!(loaded >= 5, "{name}: {loaded}");
    }
}
