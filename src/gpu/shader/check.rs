//! Checking composed text with naga, without a device.

use thiserror::Error;

use super::compose::Composed;

/// A module that is not valid, with the place in its file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}:{line}: {message}")]
pub struct ShaderError {
    /// The file the line came from.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// What naga says.
    pub message: String,
}

/// Parses and validates a module with the capabilities of a default device.
///
/// # Errors
/// [`ShaderError`] at the place of the fault.
pub fn check(composed: &Composed) -> Result<naga::Module, ShaderError> {
    let at = |line: u32, message: String| {
        let (file, line) = composed.origin(line);
        ShaderError {
            file: file.to_owned(),
            line,
            message,
        }
    };
    let module = naga::front::wgsl::parse_str(&composed.text).map_err(|error| {
        let line = error.location(&composed.text).map_or(0, |l| l.line_number);
        at(line, error.emit_to_string(&composed.text))
    })?;
    let mut validator = naga::valid::Validator::new(
        naga::valid::ValidationFlags::all(),
        naga::valid::Capabilities::empty(),
    );
    match validator.validate(&module) {
        Ok(_) => Ok(module),
        Err(error) => {
            let line = error.location(&composed.text).map_or(0, |l| l.line_number);
            Err(at(line, error.emit_to_string(&composed.text)))
        }
    }
}

/// How many storage buffers a module binds.
#[must_use]
pub fn storage_buffers(module: &naga::Module) -> usize {
    module
        .global_variables
        .iter()
        .filter(|(_, variable)| matches!(variable.space, naga::AddressSpace::Storage { .. }))
        .count()
}

/// Bytes of workgroup memory a module declares. No device validates it.
#[must_use]
pub fn workgroup_bytes(module: &naga::Module) -> u32 {
    let mut layouter = naga::proc::Layouter::default();
    if layouter.update(module.to_ctx()).is_err() {
        return u32::MAX;
    }
    module
        .global_variables
        .iter()
        .filter(|(_, variable)| variable.space == naga::AddressSpace::WorkGroup)
        .map(|(_, variable)| layouter[variable.ty].size)
        .sum()
}

/// The members of a struct of the module: name, byte offset; and its size in bytes.
#[must_use]
pub fn struct_layout(module: &naga::Module, name: &str) -> Option<(Vec<(String, u32)>, u32)> {
    module.types.iter().find_map(|(_, ty)| match &ty.inner {
        naga::TypeInner::Struct { members, span } if ty.name.as_deref() == Some(name) => {
            let members = members
                .iter()
                .map(|m| (m.name.clone().unwrap_or_default(), m.offset))
                .collect();
            Some((members, *span))
        }
        _ => None,
    })
}
