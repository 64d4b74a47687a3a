//! The reference page of the instruction set, made from the tables.

use std::fmt::Write as _;

use super::builtin::{Builtin, EMITTER_FIELD_BASE, GLOBAL_FIELD_BASE};
use super::ops::{OPS, RESERVED, Shape, Tolerance};

/// The whole of `docs/instructions.md`. A test holds the file to it.
#[must_use]
pub fn reference_page() -> String {
    let mut page = String::from(
        "# Instructions\n\n\
         Made from the tables in `src/isa/ops.rs` and `src/isa/builtin.rs`; do not edit by hand. \
         `MOTE_BLESS=1 cargo test --test core page` writes it anew.\n\n\
         An instruction is four words; `src/isa/word.rs` states the bits. `name.3` works on three lanes. Numbers are \
         wire format and never change their meaning.\n\n\
         \"Exact\" means equal bits on every device, but for flushed denormals and the sign of zero; \"n ulp\" is what \
         hardware may differ by. Software Vulkan equals the CPU bit for bit in every instruction.\n\n\
         | number | name | operands | does | edge cases | hardware |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for info in OPS {
        let operands = match info.shape {
            Shape::Nop => "–".to_owned(),
            Shape::LoadConst => "dst, constant".to_owned(),
            Shape::LoadBuiltin => "dst, built-in".to_owned(),
            Shape::LoadField => "dst, word".to_owned(),
            Shape::StoreField => "word, value".to_owned(),
            Shape::Kill => "condition".to_owned(),
            Shape::Random => "dst, stream, scope".to_owned(),
            Shape::SampleWind => "dst, place".to_owned(),
            Shape::Lanes(n) => format!(
                "dst, {}",
                ["a", "a, b", "a, b, c"][usize::from(n.clamp(1, 3)) - 1]
            ),
            Shape::Reduce => "dst (one lane), a, b".to_owned(),
        };
        let tolerance = match info.tolerance {
            Tolerance::Exact => "exact".to_owned(),
            Tolerance::Ulp(n) => format!("{n} ulp"),
        };
        let _ = writeln!(
            page,
            "| {:#04x} | `{}` | {operands} | {} | {} | {tolerance} |",
            info.code,
            info.mnemonic,
            escape(info.doc),
            escape(info.edges)
        );
    }
    page.push_str("\n## Kept numbers\n\n| number | name | for |\n| --- | --- | --- |\n");
    for (code, name, purpose) in RESERVED {
        let _ = writeln!(page, "| {code:#04x} | `{name}` | {purpose} |");
    }
    let _ = write!(
        page,
        "\n## Built-ins\n\nWhat `load_builtin` reads. From id {EMITTER_FIELD_BASE:#x} up it reads words of the emitter's own \
         fields, from {GLOBAL_FIELD_BASE:#x} up global fields.\n\n| id | name | lanes | is |\n| --- | --- | --- | --- |\n"
    );
    for &builtin in Builtin::ALL {
        let doc = builtin.doc().trim();
        let _ = writeln!(
            page,
            "| {} | `{}` | {} | {doc} |",
            builtin as u32,
            builtin.mnemonic(),
            builtin.width()
        );
    }
    page
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|")
}
