//! `mote disasm`: the programs of a file as assembler text.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::output::{self, Format};
use super::{Failure, input};
use crate::isa::disasm::{disassemble, disassemble_with, instruction_text};
use crate::isa::{Program, Section};

#[derive(Debug, Args)]
pub(super) struct Disasm {
    /// A document or compiled effect.
    file: PathBuf,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Serialize)]
struct ProgramText {
    emitters: Vec<String>,
    registers: u32,
    init: Vec<String>,
    update: Vec<String>,
    text: String,
}

impl Disasm {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let read = input::read(&self.file)?;
        let Some(effect) = &read.effect else {
            input::effect(&self.file)?;
            return Ok(ExitCode::from(1));
        };
        let users = |index: usize| -> Vec<String> {
            effect
                .emitters
                .iter()
                .filter(|e| e.program as usize == index)
                .map(|e| e.name.clone())
                .collect()
        };
        match self.format {
            Format::Json => {
                let lines = |program: &Program, section| -> Vec<String> {
                    program
                        .section(section)
                        .iter()
                        .map(|&i| instruction_text(i))
                        .collect()
                };
                let programs: Vec<ProgramText> = effect
                    .programs
                    .iter()
                    .enumerate()
                    .map(|(index, program)| ProgramText {
                        emitters: users(index),
                        registers: program.registers,
                        init: lines(program, Section::Init),
                        update: lines(program, Section::Update),
                        text: disassemble(program),
                    })
                    .collect();
                output::json(&programs);
            }
            Format::Text => {
                for (index, program) in effect.programs.iter().enumerate() {
                    output::line(&format!(".program {index:<35} ; {}", users(index).join(", ")));
                    let emitter = effect.emitters.iter().position(|e| e.program as usize == index);
                    let map = read.document.as_ref().map(|(_, compiled)| &compiled.map);
                    let note = |section, pc| {
                        let source = map
                            .zip(emitter)
                            .and_then(|(map, emitter)| map.source(emitter, section, pc));
                        source.map_or(String::new(), |source| {
                            let path: Vec<&str> =
                                source.node.iter().map(crate::base::id::Id::as_str).collect();
                            let port = source
                                .port
                                .as_ref()
                                .map_or(String::new(), |port| format!(" · {port}"));
                            format!("{}{port}", path.join("/"))
                        })
                    };
                    output::print(&disassemble_with(program, note));
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
