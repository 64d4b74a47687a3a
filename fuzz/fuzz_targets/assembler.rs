//! Any text: what the assembler reads has a text that reads back to the same program.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mote::isa::asm::assemble;
use mote::isa::disasm::disassemble;
use mote::isa::verify::verify;

fuzz_target!(|text: &str| {
    if let Ok(program) = assemble(text) {
        assert_eq!(assemble(&disassemble(&program)).as_ref(), Ok(&program));
        let _ = verify(&program, 8);
    }
});
