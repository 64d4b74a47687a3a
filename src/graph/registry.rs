//! All node kinds by id, and finding them by words.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::group::read_group;
use super::kind::{NodeKind, Signature};
use super::node::Node;
use super::special::Special;
use super::types::Scope;
use super::{codec::FormatError, opcode};
use crate::base::diag::FlowKind;

use super::library::LIBRARY;

/// Node kinds by id.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    kinds: BTreeMap<String, Arc<NodeKind>>,
    /// The same, to be asked often.
    by_id: FxHashMap<String, Arc<NodeKind>>,
}

static REGISTRY: OnceLock<Registry> = OnceLock::new();
static INSTALLED: AtomicBool = AtomicBool::new(false);

/// The kinds there are: those this build ships, and those of the library folder.
#[must_use]
pub fn registry() -> &'static Registry {
    // The files are part of the build and a test reads every one; one that did not read would be missing.
    REGISTRY.get_or_init(|| Registry::standard().0)
}

/// Makes `kinds` those that [`registry`] gives, before anybody has asked for them. False where somebody has.
pub fn install(kinds: Registry) -> bool {
    let done = REGISTRY.set(kinds).is_ok();
    INSTALLED.fetch_or(done, Ordering::Relaxed);
    done
}

/// Whether [`install`] was done: documents may use kinds that no build ships.
#[must_use]
pub fn has_installed() -> bool {
    INSTALLED.load(Ordering::Relaxed)
}

impl Registry {
    /// The standard kinds, and the library files that do not read, by name.
    #[must_use]
    pub fn standard() -> (Self, Vec<(&'static str, FormatError)>) {
        let mut registry = Self::default();
        for kind in opcode::kinds().into_iter().chain(Special::kinds()) {
            registry.add(kind);
        }
        let mut failed = Vec::new();
        for (name, text) in LIBRARY {
            match read_group(text.as_bytes()) {
                Ok(kind) => registry.add(kind),
                Err(error) => failed.push((*name, error)),
            }
        }
        (registry, failed)
    }

    /// Adds a kind, in place of one of the same id.
    pub fn add(&mut self, kind: NodeKind) {
        let kind = Arc::new(kind);
        self.by_id.insert(kind.id.clone(), Arc::clone(&kind));
        self.kinds.insert(kind.id.clone(), kind);
    }

    /// The kind of an id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Arc<NodeKind>> {
        self.by_id.get(id)
    }

    /// All kinds, by id.
    pub fn kinds(&self) -> impl Iterator<Item = &Arc<NodeKind>> {
        self.kinds.values()
    }

    /// The ports of a node as it is set; none for an unknown kind.
    #[must_use]
    pub fn signature(&self, node: &Node, scope: &Scope) -> Option<Signature<'_>> {
        self.get(&node.kind).map(|kind| kind.signature(node, scope))
    }

    /// Kinds that may stand in `flow` and match every word of `query`, best first. No query gives all.
    #[must_use]
    pub fn search(&self, query: &str, flow: Option<FlowKind>) -> Vec<&Arc<NodeKind>> {
        let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
        let mut found: Vec<(u32, &Arc<NodeKind>)> = self
            .kinds
            .values()
            .filter(|kind| kind.listed && flow.is_none_or(|flow| kind.flows.contains(&flow)))
            .filter_map(|kind| {
                let score: Option<u32> = words.iter().map(|word| rank(kind, word)).sum();
                score.map(|score| (score, kind))
            })
            .collect();
        found.sort_by(|(a, x), (b, y)| {
            (a, !x.block, x.slot, &x.category, &x.title).cmp(&(b, !y.block, y.slot, &y.category, &y.title))
        });
        found.into_iter().map(|(_, kind)| kind).collect()
    }
}

/// How well a word finds a kind; smaller is better.
fn rank(kind: &NodeKind, word: &str) -> Option<u32> {
    let title = kind.title.to_lowercase();
    if title == word {
        Some(0)
    } else if title.starts_with(word) {
        Some(1)
    } else if title.split_whitespace().any(|part| part.starts_with(word)) {
        Some(2)
    } else if kind.words.iter().any(|w| w.starts_with(word)) {
        Some(3)
    } else if title.contains(word) || kind.id.contains(word) {
        Some(4)
    } else if kind.category.to_lowercase().starts_with(word) {
        Some(5)
    } else if kind.description.to_lowercase().contains(word) {
        Some(8)
    } else {
        None
    }
}
