//! Requests of other threads: a bounded queue that the next step empties, in the order they came.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::{ParticleSystem, SystemError};
use crate::artifact::Effect;
use crate::host::{InstanceId, Placement, PoseSource, Stop};

/// Most refusals that are kept until asked for; the oldest go first.
const MOST_REFUSALS: usize = 256;

/// A request was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CommandError {
    /// The next step makes room.
    #[error("no more commands can wait for the next step; raise the system's commands or ask again after it")]
    Full,
    /// The system was dropped.
    #[error("the system is gone")]
    Gone,
}

/// An instance that another thread asked for, known before it is placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Asked(u64);

/// An instance, by its id or by the request that placed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Whom {
    /// By its id.
    Instance(InstanceId),
    /// By the request.
    Asked(Asked),
}

impl From<InstanceId> for Whom {
    fn from(id: InstanceId) -> Self {
        Self::Instance(id)
    }
}

impl From<Asked> for Whom {
    fn from(asked: Asked) -> Self {
        Self::Asked(asked)
    }
}

#[derive(Debug)]
enum Command {
    Place(Asked, Arc<Effect>, Placement, bool),
    Stop(Whom, Stop),
    Restart(Whom),
    SetPose(Whom, PoseSource),
    Teleport(Whom, PoseSource),
    SetTimeScale(Whom, f32),
    Burst(Whom, usize, u32),
    SetParameter(Whom, Box<str>, [f32; 4]),
    SetEmitterField(Whom, usize, Box<str>, [f32; 4]),
    SetGlobal(Box<str>, Vec<f32>),
    Reload(Whom, Arc<Effect>),
}

/// A request that could not be carried out when its step came.
#[derive(Debug)]
pub struct Refusal {
    /// The instance it was for, if any.
    pub whom: Option<Whom>,
    /// Why.
    pub error: SystemError,
}

/// Tells a system what to do from any thread, cloned as often as there are threads. Nothing here waits: what finds no
/// room is given back as [`CommandError::Full`].
#[derive(Debug, Clone)]
pub struct Commands {
    sender: SyncSender<Command>,
    next: Arc<AtomicU64>,
}

impl Commands {
    fn send(&self, command: Command) -> Result<(), CommandError> {
        self.sender.try_send(command).map_err(|error| match error {
            TrySendError::Full(_) => CommandError::Full,
            TrySendError::Disconnected(_) => CommandError::Gone,
        })
    }

    fn ask(&self, effect: Arc<Effect>, placement: Placement, once: bool) -> Result<Asked, CommandError> {
        let asked = Asked(self.next.fetch_add(1, Ordering::Relaxed));
        self.send(Command::Place(asked, effect, placement, once))?;
        Ok(asked)
    }

    /// As [`ParticleSystem::place`]; [`ParticleSystem::instance`] gives its id after the next step.
    ///
    /// # Errors
    /// [`CommandError`], as everything here.
    pub fn place(&self, effect: Arc<Effect>, placement: Placement) -> Result<Asked, CommandError> {
        self.ask(effect, placement, false)
    }

    /// As [`ParticleSystem::play_once`].
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn play_once(&self, effect: Arc<Effect>, placement: Placement) -> Result<Asked, CommandError> {
        self.ask(effect, placement, true)
    }

    /// As [`ParticleSystem::stop`].
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn stop(&self, whom: impl Into<Whom>, how: Stop) -> Result<(), CommandError> {
        self.send(Command::Stop(whom.into(), how))
    }

    /// As [`ParticleSystem::restart`].
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn restart(&self, whom: impl Into<Whom>) -> Result<(), CommandError> {
        self.send(Command::Restart(whom.into()))
    }

    /// As [`ParticleSystem::set_pose`].
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn set_pose(&self, whom: impl Into<Whom>, pose: impl Into<PoseSource>) -> Result<(), CommandError> {
        self.send(Command::SetPose(whom.into(), pose.into()))
    }

    /// As [`ParticleSystem::teleport`].
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn teleport(&self, whom: impl Into<Whom>, pose: impl Into<PoseSource>) -> Result<(), CommandError> {
        self.send(Command::Teleport(whom.into(), pose.into()))
    }

    /// As [`ParticleSystem::set_time_scale`].
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn set_time_scale(&self, whom: impl Into<Whom>, scale: f32) -> Result<(), CommandError> {
        self.send(Command::SetTimeScale(whom.into(), scale))
    }

    /// As [`ParticleSystem::burst`].
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn burst(&self, whom: impl Into<Whom>, emitter: usize, count: u32) -> Result<(), CommandError> {
        self.send(Command::Burst(whom.into(), emitter, count))
    }

    /// As [`ParticleSystem::set_parameter`].
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn set_parameter(
        &self,
        whom: impl Into<Whom>,
        name: &str,
        value: [f32; 4],
    ) -> Result<(), CommandError> {
        self.send(Command::SetParameter(whom.into(), name.into(), value))
    }

    /// As [`ParticleSystem::set_emitter_field`].
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn set_emitter_field(
        &self,
        whom: impl Into<Whom>,
        emitter: usize,
        name: &str,
        value: [f32; 4],
    ) -> Result<(), CommandError> {
        self.send(Command::SetEmitterField(whom.into(), emitter, name.into(), value))
    }

    /// As [`ParticleSystem::set_global`].
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn set_global(&self, name: &str, values: &[f32]) -> Result<(), CommandError> {
        self.send(Command::SetGlobal(name.into(), values.to_vec()))
    }

    /// As [`ParticleSystem::reload`].
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn reload(&self, whom: impl Into<Whom>, effect: Arc<Effect>) -> Result<(), CommandError> {
        self.send(Command::Reload(whom.into(), effect))
    }
}

/// The system's end of the queue.
#[derive(Debug)]
pub(super) struct Queue {
    commands: Commands,
    /// Locked by nobody: the lock makes the system shareable between threads.
    receiver: Mutex<Receiver<Command>>,
    asked: FxHashMap<Asked, InstanceId>,
    refusals: VecDeque<Refusal>,
}

impl Queue {
    pub(super) fn new(room: u32) -> Self {
        let (sender, receiver) = sync_channel(room as usize);
        Self {
            commands: Commands {
                sender,
                next: Arc::default(),
            },
            receiver: Mutex::new(receiver),
            asked: FxHashMap::default(),
            refusals: VecDeque::new(),
        }
    }

    fn next(&mut self) -> Option<Command> {
        let receiver = self.receiver.get_mut().unwrap_or_else(PoisonError::into_inner);
        receiver.try_recv().ok()
    }
}

impl ParticleSystem {
    /// A handle for other threads, whose requests the next step carries out first.
    #[must_use]
    pub fn commands(&self) -> Commands {
        self.queue.commands.clone()
    }

    /// The instance that a request placed: none before the step that did, where it was refused, and when it is gone.
    #[must_use]
    pub fn instance(&self, asked: Asked) -> Option<InstanceId> {
        let id = *self.queue.asked.get(&asked)?;
        self.is_playing(id).then_some(id)
    }

    /// Takes what requests of other threads came to nothing since last asked, the newest 256 at the most.
    pub fn refusals(&mut self) -> impl Iterator<Item = Refusal> + '_ {
        self.queue.refusals.drain(..)
    }

    /// Carries out what waits.
    pub(super) fn obey(&mut self) {
        // What comes while this goes on is for the next step, so that a busy thread cannot hold this one.
        for _ in 0..self.descriptor.commands {
            let Some(command) = self.queue.next() else { break };
            let whom = command.whom();
            if let Err(error) = self.carry_out(command) {
                tracing::warn!(%error, ?whom, "a command was refused");
                if self.queue.refusals.len() == MOST_REFUSALS {
                    self.queue.refusals.pop_front();
                }
                self.queue.refusals.push_back(Refusal { whom, error });
            }
        }
    }

    fn carry_out(&mut self, command: Command) -> Result<(), SystemError> {
        match command {
            Command::Place(asked, effect, placement, once) => {
                let id = if once {
                    self.play_once(effect, placement)?
                } else {
                    self.place(effect, placement)?
                };
                if self.queue.asked.len() >= 2 * self.stage.instance_count() as usize + 16 {
                    let stage = &self.stage;
                    self.queue.asked.retain(|_, id| stage.is_playing(*id));
                }
                self.queue.asked.insert(asked, id);
            }
            Command::Stop(whom, how) => self.stop(self.resolve(whom)?, how)?,
            Command::Restart(whom) => self.restart(self.resolve(whom)?)?,
            Command::SetPose(whom, pose) => self.set_pose(self.resolve(whom)?, pose)?,
            Command::Teleport(whom, pose) => self.teleport(self.resolve(whom)?, pose)?,
            Command::SetTimeScale(whom, scale) => self.set_time_scale(self.resolve(whom)?, scale)?,
            Command::Burst(whom, emitter, count) => self.burst(self.resolve(whom)?, emitter, count)?,
            Command::SetParameter(whom, name, value) => {
                self.set_parameter(self.resolve(whom)?, &name, value)?;
            }
            Command::SetEmitterField(whom, emitter, name, value) => {
                self.set_emitter_field(self.resolve(whom)?, emitter, &name, value)?;
            }
            Command::SetGlobal(name, values) => self.set_global(&name, &values)?,
            Command::Reload(whom, effect) => {
                self.reload(self.resolve(whom)?, effect)?;
            }
        }
        Ok(())
    }

    fn resolve(&self, whom: Whom) -> Result<InstanceId, SystemError> {
        match whom {
            Whom::Instance(id) => Ok(id),
            Whom::Asked(asked) => {
                let id = self.queue.asked.get(&asked).copied();
                id.ok_or(SystemError::Stage(crate::host::StageError::NoInstance))
            }
        }
    }
}

impl Command {
    fn whom(&self) -> Option<Whom> {
        match self {
            Self::Place(asked, ..) => Some(Whom::Asked(*asked)),
            Self::Stop(whom, _)
            | Self::Restart(whom)
            | Self::SetPose(whom, _)
            | Self::Teleport(whom, _)
            | Self::SetTimeScale(whom, _)
            | Self::Burst(whom, ..)
            | Self::SetParameter(whom, ..)
            | Self::SetEmitterField(whom, ..)
            | Self::Reload(whom, _) => Some(*whom),
            Self::SetGlobal(..) => None,
        }
    }
}
