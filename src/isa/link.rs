//! Linking: import indices of global fields become words of the system's global section.

use super::builtin::GLOBAL_FIELD_BASE;
use super::ops::Op;
use super::word::Instruction;

/// `instruction` as it is placed: where it reads global field *i*, its operand becomes
/// `GLOBAL_FIELD_BASE + words[i]`. Others pass unchanged.
#[must_use]
pub fn link(instruction: Instruction, words: &[u32]) -> Instruction {
    if instruction.op() == Some(Op::LoadBuiltin)
        && let Some(index) = instruction.0[1].checked_sub(GLOBAL_FIELD_BASE)
        && let Some(word) = words.get(index as usize)
    {
        let mut linked = instruction;
        linked.0[1] = GLOBAL_FIELD_BASE + word;
        return linked;
    }
    instruction
}
