//! A flow: an ordered chain of blocks, value nodes beside it, wires, and where things lie on the canvas.

use std::collections::BTreeMap;
use std::fmt;

use rustc_hash::FxHashMap;

use super::node::Node;
use crate::base::id::Id;

/// A port of a node.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Socket {
    /// The node.
    pub node: Id,
    /// The port's name.
    pub port: String,
}

impl Socket {
    /// A port of a node.
    #[must_use]
    pub fn new(node: &Id, port: &str) -> Self {
        Self {
            node: node.clone(),
            port: port.to_owned(),
        }
    }
}

impl fmt::Display for Socket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.node, self.port)
    }
}

/// A wire from an output to an input.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wire {
    /// The output.
    pub from: Socket,
    /// The input.
    pub to: Socket,
}

/// How a node lies on the canvas. Never part of meaning.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NodeView {
    /// Upper left corner, in canvas points.
    pub position: [f32; 2],
    /// The artist's own title.
    pub title: Option<String>,
    /// Header colour, sRGB.
    pub color: Option<[u8; 3]>,
}

/// A frame around nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Persistent id.
    pub id: Id,
    /// Its title.
    pub title: String,
    /// Corner and extent, in canvas points.
    pub rect: [f32; 4],
    /// Colour, sRGB.
    pub color: Option<[u8; 3]>,
}

/// A text on the canvas.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// Persistent id.
    pub id: Id,
    /// The text.
    pub text: String,
    /// Upper left corner, in canvas points.
    pub position: [f32; 2],
}

/// The layout half of a flow: saved and undone, never part of meaning.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Layout {
    /// By node.
    pub nodes: BTreeMap<Id, NodeView>,
    /// Frames.
    pub frames: Vec<Frame>,
    /// Notes.
    pub notes: Vec<Note>,
}

/// A flow.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Flow {
    /// The chain, first to last.
    pub blocks: Vec<Node>,
    /// Value nodes. Their order means nothing.
    pub values: BTreeMap<Id, Node>,
    /// Wires by their input, which has at most one.
    pub wires: BTreeMap<Socket, Socket>,
    /// Where things lie.
    pub layout: Layout,
}

impl Flow {
    /// A block or value node.
    #[must_use]
    pub fn node(&self, id: &Id) -> Option<&Node> {
        self.values
            .get(id)
            .or_else(|| self.blocks.iter().find(|block| block.id == *id))
    }

    /// A block or value node, to change.
    pub fn node_mut(&mut self, id: &Id) -> Option<&mut Node> {
        match self.values.get_mut(id) {
            Some(node) => Some(node),
            None => self.blocks.iter_mut().find(|block| block.id == *id),
        }
    }

    /// A block's place in the chain.
    #[must_use]
    pub fn block_index(&self, id: &Id) -> Option<usize> {
        self.blocks.iter().position(|block| block.id == *id)
    }

    /// Blocks in order, then value nodes.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.blocks.iter().chain(self.values.values())
    }

    /// The wires, by their input.
    pub fn wires(&self) -> impl Iterator<Item = Wire> + '_ {
        self.wires.iter().map(|(to, from)| Wire {
            from: from.clone(),
            to: to.clone(),
        })
    }

    /// What is wired into an input.
    #[must_use]
    pub fn source(&self, node: &Id, port: &str) -> Option<&Socket> {
        self.wires.get(&Socket::new(node, port))
    }

    /// The wires into a node.
    pub fn wires_into<'a>(&'a self, node: &'a Id) -> impl Iterator<Item = (&'a str, &'a Socket)> + 'a {
        self.wires
            .range(Socket::new(node, "")..)
            .take_while(move |(to, _)| to.node == *node)
            .map(|(to, from)| (to.port.as_str(), from))
    }

    /// Nodes on a loop of wires, or behind one.
    #[must_use]
    pub fn stuck(&self) -> Vec<Id> {
        let mut waiting: FxHashMap<&Id, usize> = self.nodes().map(|node| (&node.id, 0)).collect();
        let mut users: FxHashMap<&Id, Vec<&Id>> = FxHashMap::default();
        for (to, from) in &self.wires {
            // Wires from or to nobody hold nothing up.
            if waiting.contains_key(&from.node)
                && let Some(count) = waiting.get_mut(&to.node)
            {
                *count += 1;
                users.entry(&from.node).or_default().push(&to.node);
            }
        }
        let mut ready: Vec<&Id> = self.nodes().map(|node| &node.id).collect();
        ready.retain(|id| waiting.get(id) == Some(&0));
        while let Some(id) = ready.pop() {
            waiting.remove(id);
            for user in users.get(id).into_iter().flatten() {
                if let Some(count) = waiting.get_mut(user) {
                    *count -= 1;
                    if *count == 0 {
                        ready.push(user);
                    }
                }
            }
        }
        let mut stuck: Vec<Id> = waiting.into_keys().cloned().collect();
        stuck.sort_unstable();
        stuck
    }

    /// The nodes from `from` to `to` along wires, both included, where there is a way.
    #[must_use]
    pub fn path(&self, from: &Id, to: &Id) -> Option<Vec<Id>> {
        // Backwards from `to`: inputs know their source, outputs do not know their wires.
        let mut next: BTreeMap<&Id, Option<&Id>> = BTreeMap::from([(to, None)]);
        let mut open = vec![to];
        while let Some(node) = open.pop() {
            if node == from {
                let mut path = vec![from.clone()];
                let mut at = from;
                while let Some(Some(step)) = next.get(at) {
                    path.push((*step).clone());
                    at = step;
                }
                return Some(path);
            }
            for (_, source) in self.wires_into(node) {
                if !next.contains_key(&source.node) {
                    next.insert(&source.node, Some(node));
                    open.push(&source.node);
                }
            }
        }
        None
    }
}
