//! `#include "path"`, once a module, with a map from composed lines back to files.

use std::collections::BTreeSet;

use include_dir::{Dir, include_dir};
use thiserror::Error;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/shaders");

/// Composed text that knows where each line came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Composed {
    /// The text naga gets.
    pub text: String,
    origins: Vec<(String, u32)>,
}

impl Composed {
    /// File and line of a line of the text, both from 1.
    #[must_use]
    pub fn origin(&self, line: u32) -> (&str, u32) {
        match self.origins.get(line.saturating_sub(1) as usize) {
            Some((file, line)) => (file, *line),
            None => ("", 0),
        }
    }
}

/// A module cannot be composed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each case is its message")]
pub enum ComposeError {
    #[error("{from}:{line}: there is no shader file {path:?}")]
    Missing { path: String, from: String, line: u32 },
    #[error("{file}:{line}: an include is written #include \"path\", alone on its line")]
    Malformed { file: String, line: u32 },
    #[error("{path:?} includes itself")]
    Cycle { path: String },
}

/// Composes the module that starts at `path`. `generated(path)` gives the text of `gen/…` files.
///
/// # Errors
/// [`ComposeError`] with file and line.
pub fn compose(path: &str, generated: &dyn Fn(&str) -> Option<String>) -> Result<Composed, ComposeError> {
    let mut composer = Composer {
        generated,
        done: BTreeSet::new(),
        open: Vec::new(),
        out: Composed {
            text: String::new(),
            origins: Vec::new(),
        },
    };
    // Every module starts with what all of them share: constants, structs, bindings.
    composer.file("gen/prelude.wgsl", "", 0)?;
    composer.file(path, "", 0)?;
    Ok(composer.out)
}

struct Composer<'a> {
    generated: &'a dyn Fn(&str) -> Option<String>,
    done: BTreeSet<String>,
    open: Vec<String>,
    out: Composed,
}

impl Composer<'_> {
    fn file(&mut self, path: &str, from: &str, line: u32) -> Result<(), ComposeError> {
        if self.open.iter().any(|open| open == path) {
            return Err(ComposeError::Cycle {
                path: path.to_owned(),
            });
        }
        if !self.done.insert(path.to_owned()) {
            return Ok(());
        }
        let missing = || ComposeError::Missing {
            path: path.to_owned(),
            from: from.to_owned(),
            line,
        };
        let text = match (self.generated)(path) {
            Some(text) => text,
            None => file_text(path).ok_or_else(missing)?.to_owned(),
        };
        self.open.push(path.to_owned());
        for (index, line) in text.lines().enumerate() {
            let number = index as u32 + 1;
            let trimmed = line.trim();
            if let Some(rest) = trimmed.strip_prefix("#include") {
                let target = rest
                    .trim()
                    .strip_prefix('"')
                    .and_then(|rest| rest.strip_suffix('"'));
                let target = target.ok_or_else(|| ComposeError::Malformed {
                    file: path.to_owned(),
                    line: number,
                })?;
                self.file(target, path, number)?;
            } else {
                self.out.text.push_str(line);
                self.out.text.push('\n');
                self.out.origins.push((path.to_owned(), number));
            }
        }
        self.open.pop();
        Ok(())
    }
}

/// The text of a shader file.
pub(super) fn file_text(path: &str) -> Option<&'static str> {
    FILES.get_file(path).and_then(|file| file.contents_utf8())
}

/// Every shader file there is, by path, for tests.
#[must_use]
pub fn file_paths() -> Vec<String> {
    fn walk(dir: &Dir<'_>, out: &mut Vec<String>) {
        for file in dir.files() {
            if file.path().extension().is_some_and(|ending| ending == "wgsl") {
                out.push(file.path().to_string_lossy().replace('\\', "/"));
            }
        }
        dir.dirs().for_each(|dir| walk(dir, out));
    }
    let mut out = Vec::new();
    walk(&FILES, &mut out);
    out.sort();
    out
}
