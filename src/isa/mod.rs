//! The instruction set: what a program is and what each instruction means.
//!
//! An instruction is four words (see [`word`]). Registers are scalar slots; a value of width *w* lies in *w*
//! neighbouring slots. There are no jumps: conditions select, [`Op::Kill`] marks the particle. A program has
//! two sections: INIT, which gives a new record its state, and UPDATE, which advances it.
//!
//! [`for_each_op!`](crate::for_each_op) is the only statement of the opcodes; executors, assembler, verifier,
//! the WGSL switch and the reference page are made from it. Opcode numbers are wire format: never reused,
//! never renumbered.

pub mod asm;
pub mod builtin;
pub mod disasm;
pub mod link;
pub mod ops;
#[cfg(feature = "compiler")]
pub mod page;
pub mod program;
pub mod verify;
pub mod word;

pub use builtin::{Builtin, EMITTER_FIELD_BASE, GLOBAL_FIELD_BASE};
pub use ops::{Op, OpInfo, Shape, Tolerance};
pub use program::{GlobalImport, Program, Section};
pub use word::{Instruction, Kind, Operand};

/// Words of one particle record.
pub const RECORD_WORDS: u32 = 32;
/// Header word: emitter row in the low half, generation in the high half. Generation 0 is "not alive".
pub const HEADER_WORD: u32 = 0;
/// The particle's ordinal: the how-many-eth particle of its emitter it is, from 0.
pub const ORDINAL_WORD: u32 = 1;
/// First word a field may take.
pub const FIRST_FIELD_WORD: u32 = 2;
/// Words of a quad; no field straddles one.
pub const QUAD_WORDS: u32 = 4;
/// Most scalar slots an operand can name.
pub const MAX_REGISTERS: u32 = 256;
/// Register-file sizes the GPU has a fast pipeline for, smallest first.
pub const SLOT_CLASSES: [u32; 3] = [16, 32, 64];
/// Most instructions of one section.
pub const MAX_SECTION_LEN: usize = 16_384;
/// Most constants of one program.
pub const MAX_CONSTANTS: usize = 4_096;
/// Words reserved for global fields at the start of the field section.
pub const GLOBAL_FIELD_WORDS: u32 = 256;
/// Most words of one emitter's fields.
pub const MAX_EMITTER_FIELD_WORDS: u32 = 1_024;
