//! Effects of other tools, as documents of ordinary blocks and nodes.
//!
//! A format is one file here with an [`Importer`] in it, and one line in [`IMPORTERS`]. What a format says and
//! a document cannot is listed in [`Imported::notes`], each with the key it stands under.

mod build;
pub mod plist;

use std::path::Path;

use thiserror::Error;

use super::Document;
use super::edit::EditError;
use crate::base::diag::{Diagnostic, Place};

/// Largest file that is read, in bytes.
pub const MAX_BYTES: usize = 16 << 20;

/// Fewest and most pixels a metre.
pub const PIXELS_PER_METRE: [f32; 2] = [0.001, 1e6];

/// How a file is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// How many of the file's pixels make a metre, within [`PIXELS_PER_METRE`].
    pub pixels_per_metre: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            pixels_per_metre: 100.0,
        }
    }
}

/// What became of a file.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The document: it compiles, and it can be edited like any other.
    pub document: Document,
    /// What could not be carried over, or not as it was; `place.field` is the file's own key.
    pub notes: Vec<Diagnostic>,
}

/// Why a file is not imported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// No importer knows it.
    #[error("nothing here reads this kind of file. What can be imported: {}", known())]
    UnknownFormat,
    /// It is larger than [`MAX_BYTES`].
    #[error(
        "the file has {bytes} bytes, and {MAX_BYTES} are the most that are read. An embedded picture can be taken out of it"
    )]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// It cannot be read as what it should be.
    #[error("{message}")]
    Malformed {
        /// Line and column from 1, where the format has lines.
        at: Option<(u32, u32)>,
        /// What is wrong and what to do.
        message: String,
    },
    /// It lacks something that nothing can be made without.
    #[error("the key {key:?} is missing: {why}")]
    MissingKey {
        /// The key.
        key: &'static str,
        /// What it is needed for.
        why: &'static str,
    },
    /// A value is of no use.
    #[error("{key:?} is {found}; {expected} belongs there")]
    BadValue {
        /// Its key.
        key: String,
        /// Line from 1, where it is known.
        line: Option<u32>,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// [`Options::pixels_per_metre`] is of no use.
    #[error("{found} pixels a metre make no sense; {least} to {most} do", least = PIXELS_PER_METRE[0], most = PIXELS_PER_METRE[1])]
    PixelsPerMetre {
        /// What was asked for.
        found: f32,
    },
    /// The document refused what was made from the file.
    #[error("what the file asks for does not fit into a document: {0}")]
    Refused(#[from] EditError),
    /// The system refused.
    #[error("{path} could not be read: {source}. Check the name and the folder")]
    Io {
        /// The file.
        path: String,
        /// The system's reason.
        source: std::io::Error,
    },
}

impl ImportError {
    /// As a diagnostic, with the key and the place in the file where they are known.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        let mut place = Place::default();
        let code = match self {
            Self::UnknownFormat => "unknown-format",
            Self::TooLarge { .. } => "too-large",
            Self::Malformed { at, .. } => {
                (place.line, place.column) = (at.map(|at| at.0), at.map(|at| at.1));
                "file-format"
            }
            Self::MissingKey { key, .. } => {
                place.field = Some((*key).to_owned());
                "missing-key"
            }
            Self::BadValue { key, line, .. } => {
                (place.field, place.line) = (Some(key.clone()), *line);
                "bad-value"
            }
            Self::PixelsPerMetre { .. } => "bad-option",
            Self::Refused(_) => "refused",
            Self::Io { .. } => "file-access",
        };
        Diagnostic::error(code, place, self.to_string())
    }
}

/// A reader of one format.
pub trait Importer: Sync {
    /// What the format is called.
    fn title(&self) -> &'static str;

    /// How its files' names end, without the dot, in small letters.
    fn endings(&self) -> &'static [&'static str];

    /// Whether bytes look like it, whatever the file is called.
    fn knows(&self, bytes: &[u8]) -> bool;

    /// Makes a document of a file. `name` is what the effect is called where the file does not say; `bytes` are at
    /// most [`MAX_BYTES`], and the options are within their ranges.
    ///
    /// # Errors
    /// [`ImportError`], with the key or the place in the file.
    fn read(&self, name: &str, bytes: &[u8], options: &Options) -> Result<Imported, ImportError>;
}

/// All formats.
pub const IMPORTERS: &[&dyn Importer] = &[&plist::Plist];

fn known() -> String {
    let one = |importer: &&dyn Importer| {
        let endings: Vec<String> = importer.endings().iter().map(|e| format!(".{e}")).collect();
        format!("{} ({})", importer.title(), endings.join(", "))
    };
    IMPORTERS.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// The importer of a file: by its name's ending, else by what is in it.
#[must_use]
pub fn importer(path: &Path, bytes: &[u8]) -> Option<&'static dyn Importer> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    let by_name = ending.and_then(|ending| {
        IMPORTERS
            .iter()
            .find(|importer| importer.endings().contains(&ending.as_str()))
    });
    by_name
        .or_else(|| IMPORTERS.iter().find(|importer| importer.knows(bytes)))
        .copied()
}

/// Makes a document of another tool's file. `path` gives the ending and the name; nothing is read from it.
///
/// # Errors
/// [`ImportError`]; see [`ImportError::diagnostic`] for where.
pub fn import(path: &Path, bytes: &[u8], options: &Options) -> Result<Imported, ImportError> {
    let [least, most] = PIXELS_PER_METRE;
    // Written so that NaN is refused too.
    if !(least..=most).contains(&options.pixels_per_metre) {
        return Err(ImportError::PixelsPerMetre {
            found: options.pixels_per_metre,
        });
    }
    if bytes.len() > MAX_BYTES {
        return Err(ImportError::TooLarge { bytes: bytes.len() });
    }
    let importer = importer(path, bytes).ok_or(ImportError::UnknownFormat)?;
    let name = path
        .file_stem()
        .map_or_else(|| "Imported".into(), |stem| stem.to_string_lossy());
    importer.read(&name, bytes, options)
}

/// [`import`] of the file at `path`.
///
/// # Errors
/// [`ImportError`], with the path where the system refuses.
pub fn import_from(path: &Path, options: &Options) -> Result<Imported, ImportError> {
    use std::io::Read as _;
    let io = |source| ImportError::Io {
        path: path.display().to_string(),
        source,
    };
    let mut bytes = Vec::new();
    // One more than is taken, so that a longer file is seen to be one and never read whole.
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(io)?;
    if bytes.len() > MAX_BYTES {
        let whole = std::fs::metadata(path).map_or(bytes.len() as u64, |of| of.len());
        return Err(ImportError::TooLarge {
            bytes: usize::try_from(whole).unwrap_or(usize::MAX).max(bytes.len()),
        });
    }
    import(path, &bytes, options)
}
