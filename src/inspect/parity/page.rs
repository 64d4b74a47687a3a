//! What hardware was measured to differ by, as a part of `docs/instructions.md`.

use std::fmt::Write as _;

use serde::Deserialize;

use super::hardware::allowed_text;
use crate::isa::Op;

/// A run of `mote parity --format json` on hardware, kept with the sources.
const MEASURED: &str = include_str!("../../../assets/bench/hardware.json");

#[derive(Deserialize)]
struct Measured {
    device: String,
    programs: u32,
    seed: u32,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    op: String,
    lanes: u64,
    outside: u64,
    worst_ulp: f64,
}

/// The table of what was measured.
#[must_use]
pub fn measured() -> String {
    // The file is part of the build, and a test looks at the page.
    let Ok(measured) = serde_json::from_str::<Measured>(MEASURED) else {
        return String::new();
    };
    let mut page = format!(
        "\n## Measured on hardware\n\n\
         `mote parity --programs {} --seed {} --backends all` on {}: no failures. Every instruction of every program was run by \
         itself on the operands it had. A lane is outside where an operand, a product or the result is infinite, NaN, a \
         denormal or at their edge, or above 2¹²⁶: there devices go their own ways. The GPU with private registers and with \
         registers in a buffer gave the same bits.\n\n\
         | instruction | lanes | outside | worst, ulp | allowed |\n| --- | --- | --- | --- | --- |\n",
        measured.programs, measured.seed, measured.device
    );
    for row in &measured.rows {
        let Some(op) = Op::from_mnemonic(&row.op) else {
            continue;
        };
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | {} |",
            row.op,
            row.lanes,
            row.outside,
            row.worst_ulp,
            allowed_text(op)
        );
    }
    page
}
