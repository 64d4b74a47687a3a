//! Printing: to people and to programs, to a pipe that may close.

use std::io::Write as _;
use std::path::Path;

use clap::ValueEnum;
use serde::Serialize;

use crate::base::diag::Diagnostic;

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Default)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// Prints to standard output. A reader that has gone away is no error of ours; a full disk is.
pub(super) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(failure) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && failure.kind() != std::io::ErrorKind::BrokenPipe
    {
        error(&format!("standard output could not be written: {failure}").into());
        std::process::exit(1);
    }
}

/// Prints a line.
pub(super) fn line(text: &str) {
    print(&format!("{text}\n"));
}

/// Prints a value as JSON.
pub(super) fn json(value: &impl Serialize) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => line(&text),
        Err(failure) => error(&failure.into()),
    }
}

/// Prints why a command stopped, to standard error.
pub(super) fn error(failure: &super::Failure) {
    let _ = writeln!(std::io::stderr().lock(), "error: {failure}");
}

/// Prints what a command goes on without, to standard error.
pub(super) fn warning(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "warning: {text}");
}

/// A diagnostic as lines: `file: error[code] at place: message` and its help.
pub(super) fn diagnostic(file: &str, diagnostic: &Diagnostic) -> String {
    let place = diagnostic.place.to_string();
    let at = if place.is_empty() {
        String::new()
    } else {
        format!(" at {place}")
    };
    let (severity, code) = (diagnostic.severity.name(), diagnostic.code);
    let help = diagnostic
        .help
        .as_ref()
        .map_or(String::new(), |help| format!("\n    {help}"));
    format!("{file}: {severity}[{code}]{at}: {}{help}", diagnostic.message)
}

/// Refuses an output that would replace one of the inputs or another output.
pub(super) fn distinct(output: &Path, others: &[&Path]) -> Result<(), super::Failure> {
    let same = |a: &Path, b: &Path| match (std::fs::canonicalize(a), std::fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    };
    match others.iter().find(|other| same(output, other)) {
        None => Ok(()),
        Some(other) => {
            let (output, other) = (output.display(), other.display());
            Err(format!("{output} would be written over {other}; name another file").into())
        }
    }
}

/// Refuses an output whose name does not end as its content asks for.
pub(super) fn ending(output: &Path, ending: &str) -> Result<(), super::Failure> {
    let fits = output
        .extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(ending));
    // A device or a pipe has no ending.
    if fits || std::fs::metadata(output).is_ok_and(|m| !m.is_file() && !m.is_dir()) {
        return Ok(());
    }
    Err(format!("{}: the file's name must end in .{ending}", output.display()).into())
}

/// Refuses an output whose name is not that of a compiled effect.
pub(super) fn compiled_ending(output: &Path) -> Result<(), super::Failure> {
    let name = output.to_string_lossy();
    if name.ends_with(".motefx") || name.ends_with(".json") {
        return Ok(());
    }
    Err(format!("{name}: the output's name must end in .motefx or .motefx.json").into())
}
