//! The opcode table as a switch over one lane: instructions of width 1 read three words in place of twelve.
//!
//! What its expressions call is made from the four-lane text: the same operations, word for word, over one number.

use std::fmt::Write as _;

use super::compose::file_text;
use crate::isa::ops::{OPS, Shape};

/// Files whose functions the table's expressions call.
const CALLED: [&str; 2] = ["vm/poly.wgsl", "vm/ops.wgsl"];

/// Text over four lanes and the text over one, longer ones before those they contain.
const ONE_FOR_FOUR: [(&str, &str); 8] = [
    ("vec4<bool>", "bool"),
    ("vec4f", "f32"),
    ("vec4u", "u32"),
    ("vec4i", "i32"),
    ("fence(", "fence1("),
    ("op_", "op1_"),
    ("poly_", "poly1_"),
    ("PolyReduced", "PolyReduced1"),
];

fn over_one(text: &str) -> String {
    ONE_FOR_FOUR
        .iter()
        .fold(text.to_owned(), |text, (four, one)| text.replace(four, one))
}

/// The functions of [`CALLED`] over one lane, but for those that add lanes up.
fn functions() -> String {
    let mut text = String::new();
    for path in CALLED {
        let file = file_text(path).unwrap_or_default();
        let lines: Vec<&str> = file
            .lines()
            .filter(|line| !line.starts_with("#include") && !line.starts_with("//"))
            .collect();
        for part in lines.join("\n").split("\n\n") {
            let sums = part
                .lines()
                .any(|line| line.starts_with("fn ") && line.contains("width: u32"));
            if !sums {
                text.push_str(&over_one(part));
                text.push_str("\n\n");
            }
        }
    }
    text
}

/// `vm_single`, which runs an instruction of width 1 and says whether it did.
#[must_use]
pub fn single() -> String {
    let mut cases = String::new();
    for info in OPS.iter().filter(|info| matches!(info.shape, Shape::Lanes(_))) {
        let _ = writeln!(
            cases,
            "        case {}u: {{ result = {}; }} // {}",
            info.code,
            over_one(info.wgsl),
            info.mnemonic
        );
    }
    format!(
        "{}fn vm_read_one(kind: u32, word: u32) -> f32 {{
    if (kind == KIND_REG) {{
        return bitcast<f32>(register_get((word & 0xffu) + ((word >> SWIZZLE_SHIFT) & 3u)));
    }}
    return bitcast<f32>(word);
}}

fn vm_single(instruction: vec4u) -> bool {{
    let head = instruction.x;
    if (((head >> WIDTH_SHIFT) & 7u) != 1u) {{
        return false;
    }}
    let a = vm_read_one((head >> KIND_SHIFT) & 3u, instruction.y);
    let b = vm_read_one((head >> (KIND_SHIFT + 2u)) & 3u, instruction.z);
    let c = vm_read_one((head >> (KIND_SHIFT + 4u)) & 3u, instruction.w);
    var result: f32;
    switch (head & 0xffu) {{
{cases}        case OP_LOAD_FIELD: {{
            result = bitcast<f32>(pool[vm_record + (instruction.y >> 2u)][instruction.y & 3u]);
        }}
        case OP_STORE_FIELD: {{
            pool[vm_record + (instruction.y >> 2u)][instruction.y & 3u] = bitcast<u32>(b);
            return true;
        }}
        default: {{ return false; }}
    }}
    register_set(head >> DST_SHIFT, bitcast<u32>(result));
    return true;
}}
",
        functions()
    )
}

/// `vm_single` where every instruction goes over four lanes.
pub(super) const NEVER: &str = "fn vm_single(instruction: vec4u) -> bool { return false; }\n";
