//! Who instructions are for, written down as lowering goes from node to node.
//!
//! A path is kept as its last step and the path before it, so that noting one costs nothing however deep it is.

use super::map::Source;
use crate::base::id::Id;

/// Paths that there is room for at once.
const USUAL: usize = 256;

/// Paths and what was noted at them.
#[derive(Debug)]
pub(super) struct Sources<'a> {
    /// A node, and the index of the path it stands in; the first is the empty path.
    paths: Vec<(u32, Option<&'a Id>)>,
    at: u32,
    /// A path and a port. The first is nobody's.
    list: Vec<(u32, Option<&'a str>)>,
}

impl Default for Sources<'_> {
    fn default() -> Self {
        let mut sources = Self {
            paths: Vec::with_capacity(USUAL),
            at: 0,
            list: Vec::with_capacity(USUAL),
        };
        sources.paths.push((0, None));
        sources.list.push((0, None));
        sources
    }
}

impl<'a> Sources<'a> {
    pub(super) fn step_in(&mut self, node: &'a Id) {
        self.paths.push((self.at, Some(node)));
        self.at = self.paths.len() as u32 - 1;
    }

    pub(super) fn step_out(&mut self) {
        self.at = self.paths[self.at as usize].0;
    }

    /// A source at the node at hand.
    pub(super) fn add(&mut self, port: Option<&'a str>) -> u32 {
        // Sources come in runs, so the last is nearly always the one.
        let same = self
            .list
            .last()
            .is_some_and(|(at, last)| *at == self.at && *last == port);
        if !same {
            self.list.push((self.at, port));
        }
        self.list.len() as u32 - 1
    }

    /// A source at the node of another.
    pub(super) fn add_beside(&mut self, source: u32, port: &'a str) -> u32 {
        let at = self.list.get(source as usize).map_or(0, |(at, _)| *at);
        let before = std::mem::replace(&mut self.at, at);
        let source = self.add(Some(port));
        self.at = before;
        source
    }

    /// A source as it is told.
    pub(super) fn get(&self, source: u32) -> Source {
        let Some((mut at, port)) = self.list.get(source as usize).copied() else {
            return Source::default();
        };
        let mut node = Vec::with_capacity(self.depth(at));
        while let (before, Some(id)) = self.paths[at as usize] {
            node.push(id.clone());
            at = before;
        }
        node.reverse();
        let port = port.map(str::to_owned);
        Source { node, port }
    }

    /// The steps of a path.
    fn depth(&self, mut at: u32) -> usize {
        let mut depth = 0;
        while let (before, Some(_)) = self.paths[at as usize] {
            depth += 1;
            at = before;
        }
        depth
    }
}
