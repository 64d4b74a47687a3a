//! Nodes of the game's that instances hang on, and fields that follow them.

use super::{ParticleSystem, SystemError};
use crate::host::{InstanceId, NodeError, NodeId, PoseChannel, PoseSource, StageError};

impl ParticleSystem {
    /// Makes a node under a parent, or in the world.
    ///
    /// # Errors
    /// [`NodeError`] where the parent is gone or its chain is too long.
    pub fn add_node(
        &mut self,
        pose: impl Into<PoseSource>,
        parent: Option<NodeId>,
    ) -> Result<NodeId, NodeError> {
        self.stage.add_node(pose, parent)
    }

    /// Moves a node and all that hangs on it.
    ///
    /// # Errors
    /// [`NodeError::NoNode`], [`StageError::NotFinite`].
    pub fn set_node(&mut self, node: NodeId, pose: impl Into<PoseSource>) -> Result<(), NodeError> {
        self.stage.set_node(node, pose)
    }

    /// Moves a node without a way between.
    ///
    /// # Errors
    /// As [`Self::set_node`].
    pub fn teleport_node(&mut self, node: NodeId, pose: impl Into<PoseSource>) -> Result<(), NodeError> {
        self.stage.teleport_node(node, pose)
    }

    /// Hangs a node on another, or on the world.
    ///
    /// # Errors
    /// [`NodeError`] where one is gone, hangs on the other, or the chain would be too long.
    pub fn set_node_parent(&mut self, node: NodeId, parent: Option<NodeId>) -> Result<(), NodeError> {
        self.stage.set_node_parent(node, parent)
    }

    /// Lets a node go; what hangs on it stays where it is, fields that follow it get their own values back.
    ///
    /// # Errors
    /// [`NodeError::NoNode`].
    pub fn remove_node(&mut self, node: NodeId) -> Result<(), NodeError> {
        self.stage.remove_node(node)
    }

    /// The node an instance stands at.
    ///
    /// # Errors
    /// [`StageError::NoInstance`].
    pub fn instance_node(&self, id: InstanceId) -> Result<NodeId, StageError> {
        self.stage.instance_node(id)
    }

    /// Hangs an instance on a node, or on the world.
    ///
    /// # Errors
    /// As [`Self::set_node_parent`].
    pub fn attach(&mut self, id: InstanceId, parent: Option<NodeId>) -> Result<(), NodeError> {
        self.stage.attach(id, parent)
    }

    /// Sets the buffer that [`PoseSource::Row`] reads from: `count` column-major matrices of 64 bytes, usage STORAGE.
    /// A row past its end is the identity.
    ///
    /// # Errors
    /// [`SystemError::Usage`] where it lacks the usage; then the one before stays.
    pub fn set_matrices(&mut self, buffer: &wgpu::Buffer, count: u32) -> Result<(), SystemError> {
        if !buffer.usage().contains(wgpu::BufferUsages::STORAGE) {
            return Err(SystemError::Usage {
                what: "buffer of matrices",
                usage: "STORAGE",
            });
        }
        let room = u32::try_from(buffer.size() / 64).unwrap_or(u32::MAX);
        self.stage.set_matrix_count(count.min(room));
        self.on.simulation.set_matrices(buffer);
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
        self.stage.bind_emitter_field(id, emitter, name, node, channel)
    }

    /// A field of an emitter follows nothing any more and has its own value again.
    ///
    /// # Errors
    /// [`NodeError::Stage`] where the field is not there.
    pub fn unbind_emitter_field(
        &mut self,
        id: InstanceId,
        emitter: usize,
        name: &str,
    ) -> Result<(), NodeError> {
        self.stage.unbind_emitter_field(id, emitter, name)
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
        self.stage.bind_global_field(name, node, channel)
    }

    /// A global field follows nothing any more and has its own value again.
    pub fn unbind_global_field(&mut self, name: &str) {
        self.stage.unbind_global_field(name);
    }
}
