//! Saving without ever leaving half a file: written beside, flushed, renamed.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::effect::Effect;

/// A file could not be written. The old file, if there was one, is as it was.
#[derive(Debug, Error)]
#[error("{} could not be written: {source}. Check that the folder exists and can be written to, or save elsewhere", path.display())]
pub struct SaveError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub source: std::io::Error,
}

/// Writes `bytes` to `path` so that at any moment the file is the old one or the new one.
///
/// # Errors
/// [`SaveError`] where the folder is missing, read-only or full.
pub fn save_atomic(path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
    let fail = |source| SaveError {
        path: path.to_owned(),
        source,
    };
    // A link is followed, so that the file it names is replaced and the link stays.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if target.is_dir() {
        return Err(fail(std::io::Error::other("it is a folder")));
    }
    if let Ok(metadata) = std::fs::metadata(&target)
        && metadata.permissions().readonly()
    {
        return Err(fail(std::io::Error::new(
            std::io::ErrorKind::PermissionDenied,
            "the file is read-only",
        )));
    }
    let mut file = tempfile::Builder::new()
        .prefix(".mote-")
        .tempfile_in(folder)
        .map_err(fail)?;
    file.write_all(bytes).map_err(fail)?;
    file.as_file().sync_all().map_err(fail)?;
    #[cfg(unix)]
    set_mode(&target, file.as_file()).map_err(fail)?;
    file.persist(&target).map_err(|error| fail(error.error))?;
    Ok(())
}

/// A temporary file is private; the saved one has the old file's mode, or a new file's usual one.
#[cfg(unix)]
fn set_mode(target: &Path, file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::metadata(target).map_or(0o644, |metadata| metadata.permissions().mode());
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

/// The bytes of an effect for a file of this name: JSON where it ends in `.json`, else binary.
#[must_use]
pub fn encode_for(path: &Path, effect: &Effect) -> Vec<u8> {
    if path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
    {
        super::json::write(effect).into_bytes()
    } else {
        super::binary::write(effect)
    }
}
