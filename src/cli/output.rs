//! Printing: to people and to programs, to a pipe that may close.

use std::io::Write as _;

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

/// Prints to standard output. A reader that has gone away is no error of ours.
pub(super) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
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
