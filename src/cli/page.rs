//! `mote completions` and `mote man`: what shells and manual readers want, from the commands' own statement.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::{Arguments, Failure, output};

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell. For bash: `mote completions bash > ~/.local/share/bash-completion/completions/mote`.
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "mote", &mut text);
        output::print(&String::from_utf8(text)?);
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
pub(super) struct Man {
    /// A folder to write a page of each command to, `mote.1`, `mote-render.1` and so on. Without it the page of `mote` is
    /// printed.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

impl Man {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let command = Arguments::command();
        let Some(folder) = self.output else {
            output::print(&page(command)?);
            return Ok(ExitCode::SUCCESS);
        };
        let written =
            std::fs::create_dir_all(&folder).and_then(|()| clap_mangen::generate_to(command, &folder));
        written.map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn page(command: clap::Command) -> Result<String, Failure> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    Ok(String::from_utf8(text)?)
}
