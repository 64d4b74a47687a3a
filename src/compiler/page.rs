//! What the shipped effects come to, as the last part of `docs/instructions.md`.

use std::fmt::Write as _;

use super::{Options, compile_as};
use crate::document::presets;
use crate::isa::Section;

/// A table of the presets' instructions, without and with the optimiser.
#[must_use]
pub fn counts() -> String {
    let mut page = String::from(
        "\n## What the shipped effects come to\n\n\
         Instructions of each emitter as its graph asks for them, and after sharing, folding, fusing and narrowing. The \
         records are the same.\n\n\
         | effect | emitter | birth | every frame | registers |\n| --- | --- | --- | --- | --- |\n",
    );
    for preset in presets::presets() {
        let Some(document) = presets::preset(preset.name) else {
            continue;
        };
        let sides = [false, true].map(|optimise| {
            let options = Options { optimise };
            compile_as(&document, document.registry(), options)
                .effect
                .unwrap_or_default()
        });
        for (index, emitter) in document.emitters().iter().enumerate() {
            let program = sides.each_ref().map(|effect| {
                let emitter = effect.emitters.get(index)?;
                effect.programs.get(emitter.program as usize)
            });
            let [Some(before), Some(after)] = program else {
                continue;
            };
            let count = |section| {
                format!(
                    "{} → {}",
                    before.section(section).len(),
                    after.section(section).len()
                )
            };
            let _ = writeln!(
                page,
                "| {} | {} | {} | {} | {} → {} |",
                preset.name,
                emitter.name(),
                count(Section::Init),
                count(Section::Update),
                before.registers,
                after.registers
            );
        }
    }
    page
}
