//! The document's file: `.mote`, JSON with sorted keys and one item a line.
//!
//! [`save`] of what [`load`] read gives the same text again. What this version does not know is kept where
//! that can be done (nodes of unknown kinds, items of nodes, emitters and the document) and noted.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::settings::{
    read_emission, read_parameter, read_render, write_emission, write_parameter, write_render,
};
use super::{Document, Emitter};
use crate::artifact::Space;
use crate::artifact::save::{SaveError, save_atomic};
use crate::base::diag::{Diagnostic, FlowKind, Place};
use crate::base::id::Id;
use crate::base::json::Json;
use crate::graph::Groups;
use crate::graph::codec::{
    Cursor, FormatError, read_field, read_flow, write_field, write_flow, write_numbers,
};
use crate::graph::group::{read_group_item, write_group};
use crate::layout::Channel;

/// The version written.
pub const VERSION: u32 = 1;

/// Why a document is not read or written.
#[derive(Debug, Error)]
pub enum FileError {
    /// An item is wrong.
    #[error("{0}")]
    Format(#[from] FormatError),
    /// It is no document.
    #[error("this is no Mote document: it has no item \"mote\": \"document\"")]
    NotADocument,
    /// It is newer than this build.
    #[error(
        "the document is of version {found}; this build reads up to version {VERSION}. Open it in a newer Mote"
    )]
    Newer {
        /// Its version.
        found: u32,
    },
    /// It cannot be written.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The system refused.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// The system's reason.
        source: std::io::Error,
    },
}

impl FileError {
    /// As a diagnostic with the place in the file.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::Format(error) => {
                let place = Place {
                    field: (!error.path.is_empty()).then(|| error.path.clone()),
                    line: Some(error.line),
                    column: Some(error.column),
                    ..Place::default()
                };
                Diagnostic::error("file-format", place, error.message.clone())
            }
            Self::NotADocument => Diagnostic::error("not-a-document", Place::default(), self.to_string()),
            Self::Newer { .. } => Diagnostic::error("newer-version", Place::default(), self.to_string()),
            Self::Save(_) | Self::Io { .. } => {
                Diagnostic::error("file-access", Place::default(), self.to_string())
            }
        }
    }
}

/// A document as read, with notes on what was odd about its file.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The document.
    pub document: Document,
    /// The version of the file.
    pub version: u32,
    /// Notes and warnings.
    pub notes: Vec<Diagnostic>,
}

/// Reads a document from a file's bytes.
///
/// # Errors
/// [`FileError`] with the path, line and column of what is wrong.
pub fn load(bytes: &[u8]) -> Result<Loaded, FileError> {
    let item = Json::parse(bytes).map_err(FormatError::from)?;
    let root = Cursor::root(&item);
    match root.get("mote") {
        Some(mark) if mark.text().is_ok_and(|text| text == "document") => {}
        _ => return Err(FileError::NotADocument),
    }
    let version = root.need("version")?;
    let found = version.u32()?;
    if found > VERSION {
        return Err(FileError::Newer { found });
    }
    if found == 0 {
        return Err(version.error("there never was a version 0").into());
    }
    let mut notes = Vec::new();
    let mut document = Document {
        name: root.get("name").map_or(Ok(""), |name| name.text())?.to_owned(),
        extra: others(
            &root,
            &["mote", "version", "name", "parameters", "emitters", "groups"],
            &mut notes,
        ),
        ..Document::default()
    };
    for item in elements(&root, "parameters")? {
        let parameter = read_parameter(&item)?;
        let twin = |p: &crate::artifact::Parameter| p.id == parameter.id || p.name == parameter.name;
        if document.parameters.iter().any(twin) {
            return Err(item.error("another parameter has this id or name").into());
        }
        document.parameters.push(parameter);
    }
    let mut groups = Vec::new();
    for item in elements(&root, "groups")? {
        let group = read_group_item(&item)?;
        Id::new(&group.id).map_err(|error| item.error(error.to_string()))?;
        groups.push(Arc::new(group));
    }
    if let Some(list) = root.get("groups") {
        document.groups = Groups::new(groups).map_err(|error| list.error(error.to_string()))?;
    }
    for item in elements(&root, "emitters")? {
        let emitter = read_emitter(&item, &mut notes)?;
        if document.emitter(emitter.id()).is_some() {
            return Err(item
                .error(format!("two emitters have the id {:?}", emitter.id().as_str()))
                .into());
        }
        document.emitters.push(Arc::new(emitter));
    }
    Ok(Loaded {
        document,
        version: found,
        notes,
    })
}

fn elements<'a>(cursor: &Cursor<'a>, key: &str) -> Result<Vec<Cursor<'a>>, FormatError> {
    cursor.get(key).map_or(Ok(Vec::new()), |list| list.elements())
}

fn others(cursor: &Cursor<'_>, known: &[&str], notes: &mut Vec<Diagnostic>) -> Vec<(String, Json)> {
    let others = cursor.others(known);
    for (name, _) in &others {
        let place = cursor.get(name).map(|item| Place {
            field: Some(item.path().to_owned()),
            line: Some(item.item().line),
            column: Some(item.item().column),
            ..Place::default()
        });
        notes.push(Diagnostic::note(
            "unknown-item",
            place.unwrap_or_default(),
            format!("This version does not know {name:?}; it is kept as it is."),
        ));
    }
    others
}

const EMITTER_ITEMS: &[&str] = &[
    "id",
    "name",
    "fields",
    "attributes",
    "emitter_fields",
    "birth",
    "every_frame",
    "emission",
    "space",
    "render",
    "bindings",
    "texture",
    "transform",
];

fn read_emitter(cursor: &Cursor<'_>, notes: &mut Vec<Diagnostic>) -> Result<Emitter, FormatError> {
    let mut emitter = Emitter::new(cursor.need("id")?.id()?, "");
    if let Some(name) = cursor.get("name") {
        name.text()?.clone_into(&mut emitter.name);
    }
    // "attributes" is the older word.
    let fields = if cursor.get("fields").is_some() {
        "fields"
    } else {
        "attributes"
    };
    for item in elements(cursor, fields)? {
        let field = read_field(&item)?;
        if emitter.field(&field.name).is_some() {
            return Err(item.error(format!("the field {:?} is declared twice", field.name)));
        }
        emitter.fields.push(field);
    }
    for item in elements(cursor, "emitter_fields")? {
        let field = read_field(&item)?;
        if field.transient
            || emitter
                .emitter_fields
                .iter()
                .any(|known| known.name == field.name)
        {
            let why = if field.transient {
                "cannot be transient"
            } else {
                "is declared twice"
            };
            return Err(item.error(format!("the emitter field {:?} {why}", field.name)));
        }
        emitter.emitter_fields.push(field);
    }
    for kind in FlowKind::ALL {
        if let Some(flow) = cursor.get(kind.name()) {
            let read = read_flow(&flow)?;
            if let Some(node) = read.nodes().find(|node| emitter.flow_of(&node.id).is_some()) {
                return Err(flow.error(format!("two nodes have the id {:?}", node.id.as_str())));
            }
            *emitter.flow_mut(kind) = read;
        }
    }
    if let Some(emission) = cursor.get("emission") {
        emitter.emission = read_emission(&emission)?;
    }
    if let Some(space) = cursor.get("space") {
        emitter.space = match space.text()? {
            "world" => Space::World,
            "local" => Space::Local,
            name => return Err(space.error(format!("{name:?} is neither world nor local"))),
        };
    }
    if let Some(render) = cursor.get("render") {
        emitter.render = read_render(&render)?;
    }
    if let Some(bindings) = cursor.get("bindings") {
        for (name, item) in bindings.entries()? {
            let channel = Channel::ALL
                .into_iter()
                .find(|channel| channel.name() == name)
                .ok_or_else(|| item.error(format!("there is no channel {name:?}")))?;
            let field = match &item.item().value {
                Json::Null => None,
                _ => Some(item.text()?.to_owned()),
            };
            emitter.bindings.push((channel, field));
        }
        emitter.bindings.sort_by_key(|(channel, _)| *channel);
    }
    if let Some(texture) = cursor.get("texture") {
        emitter.texture = Some(texture.text()?.to_owned());
    }
    if let Some(transform) = cursor.get("transform") {
        let columns = transform.elements()?;
        let [x, y, z, position] = &columns[..] else {
            return Err(transform.error("three axes and a position belong here"));
        };
        emitter.transform = [
            x.numbers_of()?,
            y.numbers_of()?,
            z.numbers_of()?,
            position.numbers_of()?,
        ];
    }
    emitter.extra = others(cursor, EMITTER_ITEMS, notes);
    Ok(emitter)
}

fn write_emitter(emitter: &Emitter) -> Json {
    let mut items = vec![
        ("id".to_owned(), Json::text(emitter.id.as_str())),
        ("name".to_owned(), Json::text(emitter.name.as_str())),
        (
            "fields".to_owned(),
            Json::array(emitter.fields.iter().map(write_field)),
        ),
        ("emission".to_owned(), write_emission(&emitter.emission)),
        ("render".to_owned(), write_render(&emitter.render)),
    ];
    for kind in FlowKind::ALL {
        items.push((kind.name().to_owned(), write_flow(emitter.flow(kind))));
    }
    if !emitter.emitter_fields.is_empty() {
        let fields = emitter.emitter_fields.iter().map(write_field);
        items.push(("emitter_fields".to_owned(), Json::array(fields)));
    }
    if emitter.space == Space::Local {
        items.push(("space".to_owned(), Json::text("local")));
    }
    if !emitter.bindings.is_empty() {
        let bindings = emitter.bindings.iter().map(|(channel, field)| {
            let field = field.as_ref().map_or(Json::Null, |f| Json::text(f.as_str()));
            (channel.name(), field)
        });
        items.push(("bindings".to_owned(), Json::object(bindings)));
    }
    if let Some(texture) = &emitter.texture {
        items.push(("texture".to_owned(), Json::text(texture.as_str())));
    }
    if emitter.transform != crate::artifact::effect::IDENTITY_TRANSFORM {
        let columns = emitter.transform.iter().map(|column| write_numbers(column));
        items.push(("transform".to_owned(), Json::array(columns)));
    }
    items.extend(emitter.extra.iter().cloned());
    Json::object(items)
}

/// The document's text: UTF-8, line feeds, canonical.
#[must_use]
pub fn save(document: &Document) -> String {
    let mut items = vec![
        ("mote".to_owned(), Json::text("document")),
        ("version".to_owned(), Json::u32(VERSION)),
        ("name".to_owned(), Json::text(document.name.as_str())),
        (
            "emitters".to_owned(),
            Json::array(document.emitters.iter().map(|e| write_emitter(e))),
        ),
    ];
    if !document.parameters.is_empty() {
        let parameters = document.parameters.iter().map(write_parameter);
        items.push(("parameters".to_owned(), Json::array(parameters)));
    }
    if !document.groups.list().is_empty() {
        let groups = document.groups.list().iter().map(|group| write_group(group));
        items.push(("groups".to_owned(), Json::array(groups)));
    }
    items.extend(document.extra.iter().cloned());
    Json::object(items).print()
}

/// Reads a document from a file.
///
/// # Errors
/// [`FileError`], with the path where the system refuses.
pub fn load_from(path: &Path) -> Result<Loaded, FileError> {
    let bytes = std::fs::read(path).map_err(|source| io(path, source))?;
    load(&bytes)
}

/// Writes a document beside `path`, flushes it and puts it in place: the file there is the old one or the new
/// one, never half of one. What stood there is kept once, in [`backup_of`] it.
///
/// # Errors
/// [`FileError::Save`].
pub fn save_to(document: &Document, path: &Path) -> Result<(), FileError> {
    let text = save(document);
    if let Ok(old) = std::fs::read(path)
        && old != text.as_bytes()
        && let Err(error) = save_atomic(&backup_of(path), &old)
    {
        tracing::warn!(%error, "no backup was made");
    }
    Ok(save_atomic(path, text.as_bytes())?)
}

/// Where the last version of a document's file is kept: beside it, `.bak` behind its name.
#[must_use]
pub fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bak");
    name.into()
}

fn io(path: &Path, source: std::io::Error) -> FileError {
    FileError::Io {
        path: path.display().to_string(),
        source,
    }
}
