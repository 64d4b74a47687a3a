//! Groups of one's own: those of a document, and those of a folder that documents share.
//!
//! A group may hold groups, to any depth that does not end in itself. What a block group needs (fields, flows)
//! follows from the blocks inside.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::group::read_group;
use super::kind::{Body, FieldDecl, NodeKind};
use super::registry::{Registry, registry};
use crate::base::diag::FlowKind;

/// What the kind of a document's group starts with; the group's id follows.
pub const DOCUMENT_PREFIX: &str = "group.";
/// What the kind of a folder's group starts with.
pub const FOLDER_PREFIX: &str = "library.";

/// Why groups cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GroupError {
    /// Two of one id.
    #[error("two groups have the id {0:?}")]
    Twice(String),
    /// A group that comes to itself through what it holds.
    #[error("the group {:?} holds itself: {}", .0.first().map_or("", String::as_str), .0.join(" › "))]
    HoldsItself(Vec<String>),
    /// A group in whose chain blocks of no common flow stand.
    #[error("the blocks in the group {0:?} belong in no flow together")]
    NoFlow(String),
}

/// The groups of a document, and all node kinds with them.
#[derive(Debug, Clone, Default)]
pub struct Groups {
    list: Vec<Arc<NodeKind>>,
    registry: Option<Arc<Registry>>,
}

impl PartialEq for Groups {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl Groups {
    /// Takes groups under ids of their own; each kind's id is its group's.
    ///
    /// # Errors
    /// [`GroupError`].
    pub fn new(list: Vec<Arc<NodeKind>>) -> Result<Self, GroupError> {
        if list.is_empty() {
            return Ok(Self::default());
        }
        let mut all = registry().clone();
        add(&mut all, DOCUMENT_PREFIX, &list)?;
        Ok(Self {
            list,
            registry: Some(Arc::new(all)),
        })
    }

    /// The groups, in their order; a kind's id is the group's.
    #[must_use]
    pub fn list(&self) -> &[Arc<NodeKind>] {
        &self.list
    }

    /// The group of an id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Arc<NodeKind>> {
        self.list.iter().find(|group| group.id == id)
    }

    /// All node kinds, these groups among them under [`DOCUMENT_PREFIX`].
    #[must_use]
    pub fn registry(&self) -> &Registry {
        self.registry.as_deref().unwrap_or_else(|| registry())
    }

    /// The same groups with one more, or one in place of that of its id.
    ///
    /// # Errors
    /// [`GroupError`].
    pub fn with(&self, group: NodeKind) -> Result<Self, GroupError> {
        let mut list = self.list.clone();
        match list.iter().position(|known| known.id == group.id) {
            Some(at) => list[at] = Arc::new(group),
            None => list.push(Arc::new(group)),
        }
        Self::new(list)
    }

    /// The same groups without one.
    ///
    /// # Errors
    /// [`GroupError`].
    pub fn without(&self, id: &str) -> Result<Self, GroupError> {
        Self::new(self.list.iter().filter(|group| group.id != id).cloned().collect())
    }
}

/// Adds groups to a registry under a prefix, each after those it holds.
fn add(all: &mut Registry, prefix: &str, groups: &[Arc<NodeKind>]) -> Result<(), GroupError> {
    for (i, group) in groups.iter().enumerate() {
        if groups[..i].iter().any(|other| other.id == group.id) {
            return Err(GroupError::Twice(group.id.clone()));
        }
    }
    let held = |group: &NodeKind| -> Vec<usize> {
        let Body::Group(inside) = &group.body else {
            return Vec::new();
        };
        let kinds = inside
            .flow
            .nodes()
            .filter_map(|node| node.kind.strip_prefix(prefix));
        kinds
            .filter_map(|id| groups.iter().position(|group| group.id == id))
            .collect()
    };
    // Depth first without recursion: a group is done after those it holds.
    let mut done = vec![false; groups.len()];
    for start in 0..groups.len() {
        let mut path: Vec<(usize, Vec<usize>)> = vec![(start, held(&groups[start]))];
        while let Some((at, waiting)) = path.last_mut() {
            let at = *at;
            match waiting.pop() {
                Some(next) if done[next] => {}
                Some(next) => {
                    if let Some(from) = path.iter().position(|(on, _)| *on == next) {
                        let names = path[from..].iter().map(|(on, _)| *on).chain([next]);
                        let names = names.map(|i| groups[i].id.clone());
                        return Err(GroupError::HoldsItself(names.collect()));
                    }
                    path.push((next, held(&groups[next])));
                }
                None => {
                    if !std::mem::replace(&mut done[at], true) {
                        all.add(complete(&groups[at], prefix, all)?);
                    }
                    path.pop();
                }
            }
        }
    }
    Ok(())
}

/// A group under its kind's name, with what the blocks inside need.
fn complete(group: &NodeKind, prefix: &str, all: &Registry) -> Result<NodeKind, GroupError> {
    let mut kind = group.clone();
    kind.id = format!("{prefix}{}", group.id);
    let Body::Group(inside) = &group.body else {
        return Ok(kind);
    };
    let mut flows: Vec<FlowKind> = FlowKind::ALL.to_vec();
    for block in &inside.flow.blocks {
        let Some(held) = all.get(&block.kind) else {
            continue;
        };
        flows.retain(|flow| held.flows.contains(flow));
        let missing: Vec<FieldDecl> = held
            .fields
            .iter()
            .filter(|field| kind.fields.iter().all(|known| known.name != field.name))
            .cloned()
            .collect();
        kind.fields.extend(missing);
    }
    kind.flows.retain(|flow| flows.contains(flow));
    if kind.flows.is_empty() {
        return Err(GroupError::NoFlow(group.id.clone()));
    }
    Ok(kind)
}

/// A file of a library folder that gives no group, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderProblem {
    /// The file, or the folder where it is not one file's fault.
    pub path: PathBuf,
    /// What is wrong.
    pub message: String,
}

/// The standard kinds and the groups in a folder's `.json` files, under [`FOLDER_PREFIX`]; files that do not read
/// and groups that hold themselves are left out and reported.
#[must_use]
pub fn read_folder(folder: &Path) -> (Registry, Vec<FolderProblem>) {
    let mut problems = Vec::new();
    let mut problem = |path: &Path, message: String| {
        problems.push(FolderProblem {
            path: path.to_owned(),
            message,
        });
    };
    let mut groups: Vec<Arc<NodeKind>> = Vec::new();
    let mut paths: Vec<PathBuf> = match std::fs::read_dir(folder) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(error) => {
            problem(folder, format!("the folder cannot be read: {error}"));
            Vec::new()
        }
    };
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.sort();
    for path in paths {
        let read = std::fs::read(&path)
            .map_err(|error| error.to_string())
            .and_then(|bytes| read_group(&bytes).map_err(|error| error.to_string()));
        match read {
            Ok(group) if groups.iter().any(|known| known.id == group.id) => {
                problem(&path, GroupError::Twice(group.id).to_string());
            }
            Ok(group) => groups.push(Arc::new(group)),
            Err(message) => problem(&path, message),
        }
    }
    let (standard, _) = Registry::standard();
    loop {
        let mut all = standard.clone();
        let error = match add(&mut all, FOLDER_PREFIX, &groups) {
            Ok(()) => return (all, problems),
            Err(error) => error,
        };
        let bad: Vec<String> = match &error {
            GroupError::HoldsItself(path) => path.clone(),
            GroupError::Twice(id) | GroupError::NoFlow(id) => vec![id.clone()],
        };
        problems.push(FolderProblem {
            path: folder.to_owned(),
            message: error.to_string(),
        });
        groups.retain(|group| !bad.contains(&group.id));
    }
}
