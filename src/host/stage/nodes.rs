//! Places in the world: nodes of the game's, what instances stand at, and fields bound to them.

use thiserror::Error;

use super::instances::check_finite;
use super::{InstanceId, Stage, StageError};
use crate::host::bindings::{BindError, FieldBinding, Freed, GLOBAL_OWNER, PoseChannel};
use crate::host::transforms::{PoseSource, TransformError, TransformTable};

/// A node of the hierarchy: something of the game's that instances hang on and fields follow, such as a joint.
/// Ids are never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeId {
    pub(super) row: u32,
    pub(super) serial: u32,
}

/// A node cannot be had, or a field cannot be bound to it. Nothing changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "each case is its message")]
#[non_exhaustive]
pub enum NodeError {
    #[error("there is no such node; it was removed")]
    NoNode,
    #[error(transparent)]
    Transform(#[from] TransformError),
    #[error(transparent)]
    Bind(#[from] BindError),
    #[error(transparent)]
    Stage(#[from] StageError),
    #[error("no effect that plays reads the global field {name:?}, and the game has not set it")]
    NoGlobal { name: String },
}

/// A field of an instance that follows a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Follow {
    pub(super) emitter: u32,
    pub(super) name: String,
    pub(super) node: NodeId,
    pub(super) channel: PoseChannel,
}

impl Stage {
    /// Makes a node under a parent, or in the world.
    ///
    /// # Errors
    /// [`NodeError`] where the parent is gone or its chain is too long.
    pub fn add_node(
        &mut self,
        pose: impl Into<PoseSource>,
        parent: Option<NodeId>,
    ) -> Result<NodeId, NodeError> {
        let parent = parent.map(|node| self.node_row(node)).transpose()?;
        let pose = pose.into();
        check_pose(&pose)?;
        let row = self.transforms.claim(pose, parent)?;
        Ok(self.name_node(row))
    }

    /// Gives a claimed row an id.
    pub(super) fn name_node(&mut self, row: u32) -> NodeId {
        if self.node_serials.len() <= row as usize {
            self.node_serials.resize(row as usize + 1, 0);
        }
        self.last_node += 1;
        self.node_serials[row as usize] = self.last_node;
        NodeId {
            row,
            serial: self.last_node,
        }
    }

    fn node_row(&self, node: NodeId) -> Result<u32, NodeError> {
        match self.node_serials.get(node.row as usize) {
            Some(&serial) if serial == node.serial => Ok(node.row),
            _ => Err(NodeError::NoNode),
        }
    }

    /// Moves a node and all that hangs on it.
    ///
    /// # Errors
    /// [`NodeError::NoNode`], [`StageError::NotFinite`].
    pub fn set_node(&mut self, node: NodeId, pose: impl Into<PoseSource>) -> Result<(), NodeError> {
        let row = self.node_row(node)?;
        let pose = pose.into();
        check_pose(&pose)?;
        Ok(self.transforms.set(row, pose)?)
    }

    /// Moves a node without a way between.
    ///
    /// # Errors
    /// As [`Self::set_node`].
    pub fn teleport_node(&mut self, node: NodeId, pose: impl Into<PoseSource>) -> Result<(), NodeError> {
        self.set_node(node, pose)?;
        Ok(self.transforms.teleport(self.node_row(node)?)?)
    }

    /// Hangs a node on another, or on the world.
    ///
    /// # Errors
    /// [`NodeError`] where one is gone, hangs on the other, or the chain would be too long.
    pub fn set_node_parent(&mut self, node: NodeId, parent: Option<NodeId>) -> Result<(), NodeError> {
        let row = self.node_row(node)?;
        let parent = parent.map(|node| self.node_row(node)).transpose()?;
        Ok(self.transforms.set_parent(row, parent)?)
    }

    /// Lets a node go. Fields that follow it get their own values back; instances and nodes that hang on it
    /// stay, and so does its place under them.
    ///
    /// # Errors
    /// [`NodeError::NoNode`].
    pub fn remove_node(&mut self, node: NodeId) -> Result<(), NodeError> {
        let row = self.node_row(node)?;
        self.node_serials[row as usize] = 0;
        self.release_target(row);
        self.transforms.release(row)?;
        Ok(())
    }

    /// The node an instance stands at, to hang others on or to let fields follow it.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn instance_node(&self, id: InstanceId) -> Result<NodeId, StageError> {
        Ok(self.instance(id)?.node)
    }

    /// Hangs an instance on a node, or on the world.
    ///
    /// # Errors
    /// As [`Self::set_node_parent`].
    pub fn attach(&mut self, id: InstanceId, parent: Option<NodeId>) -> Result<(), NodeError> {
        let node = self.instance(id)?.node;
        self.set_node_parent(node, parent)
    }

    /// Moves an instance; births between this step and the last are spread along the way.
    ///
    /// # Errors
    /// [`StageError::NoInstance`], [`StageError::NotFinite`].
    pub fn set_pose(&mut self, id: InstanceId, pose: impl Into<PoseSource>) -> Result<(), StageError> {
        let row = self.instance(id)?.node.row;
        let pose = pose.into();
        check_pose(&pose)?;
        // The instance holds its row.
        let _ = self.transforms.set(row, pose);
        Ok(())
    }

    /// Moves an instance without a way between: as [`Self::set_pose`], but births start at the new place.
    ///
    /// # Errors
    /// As [`Self::set_pose`].
    pub fn teleport(&mut self, id: InstanceId, pose: impl Into<PoseSource>) -> Result<(), StageError> {
        self.set_pose(id, pose)?;
        let row = self.instance(id)?.node.row;
        let _ = self.transforms.teleport(row);
        Ok(())
    }

    /// Lets a field of an emitter follow a node from the next step on.
    ///
    /// # Errors
    /// [`NodeError`] where the field is not there, has another width, or is bound already.
    pub fn bind_emitter_field(
        &mut self,
        id: InstanceId,
        emitter: usize,
        name: &str,
        node: NodeId,
        channel: PoseChannel,
    ) -> Result<(), NodeError> {
        self.node_row(node)?;
        let follow = Follow {
            emitter: emitter as u32,
            name: name.to_owned(),
            node,
            channel,
        };
        self.follow(id, &follow)?;
        self.instance_mut(id)?.follows.push(follow);
        Ok(())
    }

    pub(super) fn follow(&mut self, id: InstanceId, follow: &Follow) -> Result<(), NodeError> {
        // Bindings of blocks that moved go along before there are more.
        self.settle();
        let (row, word, width) = self.field_place(id, follow.emitter as usize, &follow.name)?;
        let binding = FieldBinding {
            owner: row,
            word,
            source: follow.node.row,
            channel: follow.channel,
        };
        self.bindings.bind(&mut self.transforms, binding, width)?;
        Ok(())
    }

    /// Row, word from the field section's base, and width of an emitter's field.
    fn field_place(&self, id: InstanceId, emitter: usize, name: &str) -> Result<(u32, u32, u32), NodeError> {
        let instance = self.instance(id)?;
        let of = self
            .loaded(instance.effect)
            .and_then(|l| l.effect.emitters.get(emitter))
            .ok_or(StageError::NoEmitter { index: emitter })?;
        let no_field = || StageError::NoField {
            emitter: of.name.clone(),
            name: name.to_owned(),
        };
        let field = of.emitter_layout.get(name).ok_or_else(no_field)?;
        let row = instance.rows[emitter];
        let owner = self.rows.owners[row as usize].as_ref();
        let block = owner.and_then(|owner| owner.block).ok_or_else(no_field)?;
        let word = self.heap.block_word(block) - self.heap.global_base() + field.word;
        Ok((row, word, field.ty.width()))
    }

    /// A field of an emitter follows nothing any more; its own value is back from the next step on.
    ///
    /// # Errors
    /// [`NodeError::Stage`] where the field is not there.
    pub fn unbind_emitter_field(
        &mut self,
        id: InstanceId,
        emitter: usize,
        name: &str,
    ) -> Result<(), NodeError> {
        let (_, word, _) = self.field_place(id, emitter, name)?;
        if let Some(freed) = self.bindings.unbind(&mut self.transforms, word) {
            restore(&mut self.heap, freed);
        }
        let follows = &mut self.instance_mut(id)?.follows;
        follows.retain(|f| f.emitter as usize != emitter || f.name != name);
        Ok(())
    }

    /// Lets a global field follow a node from the next step on.
    ///
    /// # Errors
    /// [`NodeError`] where nobody declared it, it has another width, or is bound already.
    pub fn bind_global_field(
        &mut self,
        name: &str,
        node: NodeId,
        channel: PoseChannel,
    ) -> Result<(), NodeError> {
        let source = self.node_row(node)?;
        let (word, width) = self.heap.globals().get(name).ok_or_else(|| NodeError::NoGlobal {
            name: name.to_owned(),
        })?;
        let binding = FieldBinding {
            owner: GLOBAL_OWNER,
            word,
            source,
            channel,
        };
        self.bindings.bind(&mut self.transforms, binding, width)?;
        Ok(())
    }

    /// A global field follows nothing any more; the value set last, or 0, is back from the next step on.
    pub fn unbind_global_field(&mut self, name: &str) {
        if let Some((word, _)) = self.heap.globals().get(name)
            && let Some(freed) = self.bindings.unbind(&mut self.transforms, word)
        {
            restore(&mut self.heap, freed);
        }
    }

    /// Fields that follow a row that goes get their own values back.
    pub(super) fn release_target(&mut self, row: u32) {
        if self.bindings.is_empty() {
            return;
        }
        for &freed in self.bindings.release_target(&mut self.transforms, row) {
            restore(&mut self.heap, freed);
        }
        for instance in self.instances.iter_mut().flatten() {
            instance.follows.retain(|follow| follow.node.row != row);
        }
    }

    /// Bindings of an emitter that goes, or whose fields change places.
    pub(super) fn release_owner(&mut self, row: u32) {
        for &freed in self.bindings.release_owner(&mut self.transforms, row) {
            restore(&mut self.heap, freed);
        }
    }

    /// Sets how many matrices the caller's buffer has; see [`PoseSource::Row`].
    pub fn set_matrix_count(&mut self, matrices: u32) {
        self.matrix_count = matrices;
    }

    /// Matrices in the caller's buffer.
    #[must_use]
    pub fn matrix_count(&self) -> u32 {
        self.matrix_count
    }

    /// The hierarchy.
    #[must_use]
    pub fn transforms(&self) -> &TransformTable {
        &self.transforms
    }

    /// The field bindings.
    #[must_use]
    pub fn bindings(&self) -> &crate::host::FieldBindings {
        &self.bindings
    }

    /// No row has a pose before the next step's, since the table of them was made anew.
    pub fn forget_poses(&mut self) {
        self.transforms.forget_poses();
    }
}

/// What the GPU wrote over a field is to be undone.
fn restore(heap: &mut crate::host::ProgramHeap, freed: Freed) {
    heap.touch_fields(freed.word..freed.word + freed.width);
}

pub(super) fn check_pose(source: &PoseSource) -> Result<(), StageError> {
    match source {
        PoseSource::At(pose) => check_finite("pose", pose.0.as_flattened()),
        PoseSource::Row(_) => Ok(()),
    }
}
