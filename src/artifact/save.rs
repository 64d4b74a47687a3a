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
    // What the system said, without the name of the file we write beside.
    let plain = |error: std::io::Error| match error.raw_os_error() {
        Some(code) => fail(std::io::Error::from_raw_os_error(code)),
        None => fail(error.kind().into()),
    };
    // A link is followed, so that the file it names is replaced and the link stays.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let old = std::fs::metadata(&target).ok();
    if let Some(old) = &old {
        if old.is_dir() {
            return Err(fail(std::io::Error::other("it is a folder")));
        }
        if !old.is_file() {
            // A device or a pipe is written to, never replaced by a file.
            return std::fs::OpenOptions::new()
                .write(true)
                .open(&target)
                .and_then(|mut device| device.write_all(bytes))
                .map_err(plain);
        }
        if old.permissions().readonly() {
            return Err(fail(std::io::Error::new(
                std::io::ErrorKind::PermissionDenied,
                "the file is read-only",
            )));
        }
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".mote-");
    // A new file has the mode that the user's mask leaves; a replaced one keeps its own.
    #[cfg(unix)]
    let mode = {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::Permissions::from_mode(0o666)
    };
    #[cfg(unix)]
    builder.permissions(mode);
    let mut file = builder.tempfile_in(folder).map_err(plain)?;
    file.write_all(bytes).map_err(plain)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions()).map_err(plain)?;
    }
    file.as_file().sync_all().map_err(plain)?;
    file.persist(&target).map_err(|error| plain(error.error))?;
    Ok(())
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
