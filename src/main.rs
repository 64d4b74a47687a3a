//! The `mote` binary: arguments, logging, then a command or the editor.

use std::process::ExitCode;

use mote::cli::{Request, start};
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    let filter = EnvFilter::try_from_env("MOTE_LOG")
        .unwrap_or_else(|_| EnvFilter::new("warn,wgpu=error,wgpu_hal=off,wgpu_core=error,naga=error"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    match start() {
        Request::Done(code) => code,
        Request::Edit(file) => edit(file),
    }
}

#[cfg(feature = "editor")]
fn edit(file: Option<std::path::PathBuf>) -> ExitCode {
    match mote::editor::run(file) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::debug!(?error, "the editor ended");
            eprintln!("error: {error}");
            ExitCode::from(1)
        }
    }
}

#[cfg(not(feature = "editor"))]
fn edit(_file: Option<std::path::PathBuf>) -> ExitCode {
    eprintln!(
        "error: this build has no editor. Name a command (see --help), or build with the feature \"editor\""
    );
    ExitCode::from(2)
}
