//! The headless commands: everything the editor does to a file, for build systems and tests.
//!
//! Exit codes: 0 on success, 1 when the input is at fault (or the machine lacks something), 2 on wrong usage.

mod asm;
mod batch;
mod bench;
mod check;
mod compare;
mod compile;
mod diff;
mod disasm;
mod import;
mod input;
mod new;
mod output;
mod page;
mod parity;
mod render;
mod run;
mod sequence;
mod stats;
mod upgrade;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::graph::groups::read_folder;
use crate::graph::registry::install;

pub use output::Format;

/// Author GPU particle effects and play them in games.
///
/// With no command the editor opens, with FILE in it where one is given.
#[derive(Debug, Parser)]
#[command(name = "mote", version)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// The document to open.
    file: Option<PathBuf>,
    /// A folder of groups that documents share, one a .json file. Without it the environment variable
    /// MOTE_LIBRARY names one.
    #[arg(long, global = true, value_name = "DIR")]
    library: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what is wrong with documents and compiled effects.
    Check(check::Check),
    /// Compile documents to .motefx or .motefx.json files.
    Compile(compile::Compile),
    /// Print the programs of a document or effect.
    Disasm(disasm::Disasm),
    /// Turn assembler text into an effect.
    Asm(asm::Asm),
    /// Say what changed between two documents or effects, in settings, nodes and instructions.
    Diff(diff::Diff),
    /// Write another tool's effect as a document, and say what could not be carried over.
    Import(import::Import),
    /// Write a file of an older version as one of the current version.
    Upgrade(upgrade::Upgrade),
    /// Write a preset as a new document.
    New(new::New),
    /// Play an effect and write a picture, a folder of them, an animation or a flipbook sheet.
    Render(render::Render),
    /// Play an effect and print what its emitters did.
    Stats(stats::StatsCommand),
    /// Play effects on the GPU and on the CPU and compare every particle.
    Compare(compare::Compare),
    /// Run random programs through every executor and compare them bit for bit.
    Parity(parity::Parity),
    /// Measure how fast this build is here.
    Bench(bench::Bench),
    /// Print completions for a shell.
    Completions(page::Completions),
    /// Print or write the manual pages.
    Man(page::Man),
}

/// What the binary is asked to do.
#[derive(Debug)]
pub enum Request {
    /// Open the editor.
    Edit(Option<PathBuf>),
    /// It was a command, and it is done.
    Done(ExitCode),
}

/// Why a command stops: a sentence for the person, and exit code 1.
pub(crate) type Failure = Box<dyn std::error::Error>;

/// Parses the process's arguments and runs a command if there is one. Wrong usage ends the process with 2.
#[must_use]
pub fn start() -> Request {
    let arguments = Arguments::parse();
    let library = arguments
        .library
        .or_else(|| Some(std::env::var_os("MOTE_LIBRARY")?.into()));
    if let Some(folder) = library.filter(|folder| !folder.as_os_str().is_empty()) {
        let (kinds, problems) = read_folder(&folder);
        for problem in problems {
            let path = problem.path.display();
            output::warning(&format!(
                "{path}: {}. What the folder's other files give is used",
                problem.message
            ));
        }
        if !install(kinds) {
            tracing::error!("the library folder was named too late and is not used");
        }
    }
    let Some(command) = arguments.command else {
        return Request::Edit(arguments.file);
    };
    if let Some(file) = arguments.file {
        let text = format!("{} stands before a command; name files after it", file.display());
        output::error(&text.into());
        return Request::Done(ExitCode::from(2));
    }
    let result = match command {
        Command::Check(command) => command.run(),
        Command::Compile(command) => command.run(),
        Command::Disasm(command) => command.run(),
        Command::Asm(command) => command.run(),
        Command::Diff(command) => command.run(),
        Command::Import(command) => command.run(),
        Command::Upgrade(command) => command.run(),
        Command::New(command) => command.run(),
        Command::Render(command) => command.run(),
        Command::Stats(command) => command.run(),
        Command::Compare(command) => command.run(),
        Command::Parity(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Completions(command) => command.run(),
        Command::Man(command) => command.run(),
    };
    Request::Done(match result {
        Ok(code) => code,
        Err(failure) => {
            output::error(&failure);
            ExitCode::from(1)
        }
    })
}
