//! `mote asm`: assembler text to an effect, the way back from `mote disasm`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{Failure, input, output};
use crate::artifact::save::{encode_for, save_atomic};
use crate::artifact::validate::validate;
use crate::artifact::{Effect, Emission, Emitter};
use crate::base::id::Id;
use crate::isa::Program;
use crate::isa::asm::assemble_all;
use crate::layout::ParticleLayout;
use crate::layout::standard::STANDARD_FIELDS;

/// Without --of the effect has an emitter a program, each with all standard fields and ten births a second; the command
/// says in which words they lie.
#[derive(Debug, Args)]
pub(super) struct Asm {
    /// The text, as `mote disasm` prints it.
    text: PathBuf,
    /// The file to write: `.motefx`, or `.motefx.json` for JSON.
    #[arg(short, long)]
    output: PathBuf,
    /// A document or compiled effect that gets these programs in place of its own.
    #[arg(long, value_name = "FILE")]
    of: Option<PathBuf>,
}

impl Asm {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        output::compiled_ending(&self.output)?;
        let others: Vec<&std::path::Path> = std::iter::once(&self.text)
            .chain(&self.of)
            .map(PathBuf::as_path)
            .collect();
        output::distinct(&self.output, &others)?;
        let name = self.text.display();
        let text = std::fs::read_to_string(&self.text)
            .map_err(|error| format!("{name} could not be read: {error}"))?;
        let programs = assemble_all(&text).map_err(|error| format!("{name}: {error}"))?;
        let effect = match &self.of {
            Some(of) => {
                let mut effect = Effect::clone(&*input::effect(of)?);
                if programs.len() != effect.programs.len() {
                    let (found, wanted) = (programs.len(), effect.programs.len());
                    let of = of.display();
                    return Err(format!("{name} has {found} programs, {of} has {wanted}").into());
                }
                effect.programs = programs;
                effect
            }
            None => bare(programs)?,
        };
        validate(&effect).map_err(|error| format!("{name}: {error}"))?;
        let bytes = encode_for(&self.output, &effect);
        save_atomic(&self.output, &bytes)?;
        let instructions: usize = effect.programs.iter().map(Program::len).sum();
        output::line(&format!(
            "{}: {} programs, {instructions} instructions, {} bytes",
            self.output.display(),
            effect.programs.len(),
            bytes.len()
        ));
        if self.of.is_none()
            && let Some(emitter) = effect.emitters.first()
        {
            let slots = emitter.layout.fields().iter();
            let fields: Vec<String> = slots
                .map(|slot| format!("{} w{}", slot.name, slot.word))
                .collect();
            output::line(&format!("fields: {}", fields.join(", ")));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// An emitter a program, with every standard field that fits.
fn bare(programs: Vec<Program>) -> Result<Effect, Failure> {
    let mut layout = ParticleLayout::default();
    for field in STANDARD_FIELDS {
        // The last may find no room; none of the others depends on it.
        let _ = layout.push(field.name, field.ty);
    }
    let emitters: Result<Vec<Emitter>, Failure> = (0..programs.len())
        .map(|index| {
            let emission = Emission {
                rate: 10.0,
                ..Emission::default()
            };
            let mut emitter = Emitter::new(Id::new(&format!("program-{index}"))?, layout.clone(), emission);
            emitter.program = index as u32;
            Ok(emitter)
        })
        .collect();
    Ok(Effect {
        name: "assembled".to_owned(),
        emitters: emitters?,
        programs,
        ..Effect::default()
    })
}
