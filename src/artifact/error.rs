//! Why a shipped file does not load.

use thiserror::Error;

use crate::isa::verify::Fault;
use crate::layout::LayoutError;

/// Why a `.motefx` or `.motefx.json` is refused. Every message says what, where and, where there is
/// something to do, what to do.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "each case is its message")]
#[non_exhaustive]
pub enum LoadError {
    #[error("this is no Mote effect: it starts neither with the mark of a .motefx file nor as JSON")]
    NotAnEffect,
    #[error(
        "the file is of version {found}; this build reads up to version {supported}. Open it in a newer Mote, or export it again from its document"
    )]
    Newer { found: u32, supported: u32 },
    #[error("the file is of version {found}, which never existed")]
    UnknownVersion { found: u32 },
    #[error(
        "{what} at byte {offset} needs {wanted} bytes and {left} are left: the file is cut short or damaged"
    )]
    Truncated {
        what: &'static str,
        offset: usize,
        wanted: usize,
        left: usize,
    },
    #[error("{what} at byte {offset} is {found}, {limit} is the most")]
    TooLarge {
        what: &'static str,
        offset: usize,
        found: u64,
        limit: u64,
    },
    #[error("{what} at byte {offset} has the value {found}, which has no meaning")]
    BadValue {
        what: &'static str,
        offset: usize,
        found: u64,
    },
    #[error(
        "the section {section:?} at byte {offset} is damaged: its checksum is {found:08x}, not {stated:08x}. Export the effect again"
    )]
    Checksum {
        section: String,
        offset: usize,
        found: u32,
        stated: u32,
    },
    #[error("{what} ends at byte {offset}, and more bytes follow that belong to nothing")]
    Surplus { what: &'static str, offset: usize },
    #[error("the file has no section {section:?}")]
    MissingSection { section: &'static str },
    #[error(
        "the file names at byte {offset} the section {section:?}, which a reader of its version does not know and may not skip. Open it in a newer Mote"
    )]
    UnknownSection { section: String, offset: usize },
    #[error("the file names the section {section:?} twice, the second time at byte {offset}")]
    RepeatedSection { section: String, offset: usize },
    #[error(
        "the section {section:?}, named at byte {offset}, starts at byte {start}, before what stands in front of it ends at byte {end}"
    )]
    Overlap {
        section: String,
        offset: usize,
        start: usize,
        end: usize,
    },
    #[error(
        "the bytes packed for the texture {stated:016x} have the hash {found:016x}. Export the effect again"
    )]
    Packed { found: u64, stated: u64 },
    #[error("text in {what} at byte {offset} is not UTF-8")]
    NotUtf8 { what: &'static str, offset: usize },
    #[error("line {line}, column {column}: {message}")]
    Json {
        line: usize,
        column: usize,
        message: String,
    },
    #[error("{path}: {message}")]
    Field { path: String, message: String },
    #[error("{path}: {fault}")]
    Program { path: String, fault: Fault },
    #[error("{path}: {source}")]
    Layout { path: String, source: LayoutError },
}
