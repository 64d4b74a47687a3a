//! Effects in use: their programs in the heap, and what each of their instances starts from.

use std::sync::Arc;

use super::{Stage, StageError};
use crate::artifact::validate::validate;
use crate::artifact::{Effect, Emitter};
use crate::host::rows::EmitterRow;
use crate::isa::Program;

/// An effect that instances play. Instances of one effect share its programs and differ in their rows alone.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) effect: Arc<Effect>,
    /// Ids in the heap, in the order of the effect's programs.
    pub(super) programs: Vec<u32>,
    pub(super) instances: u32,
    /// What each emitter's row starts as.
    pub(super) emitters: Vec<Prepared>,
}

/// An emitter's part of every instance.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) row: EmitterRow,
    /// Its fields, then its bursts.
    pub(super) block: Vec<u32>,
}

impl Stage {
    /// The effects in use, each with the number of its instances and the heap's ids of its programs.
    pub fn effects(&self) -> impl Iterator<Item = (&Arc<Effect>, u32, &[u32])> + '_ {
        let loaded = self.effects.iter().flatten();
        loaded.map(|l| (&l.effect, l.instances, l.programs.as_slice()))
    }

    pub(super) fn loaded(&self, place: u32) -> Option<&Loaded> {
        self.effects.get(place as usize)?.as_ref()
    }

    /// Whether an effect's programs could be placed; nothing is claimed.
    ///
    /// An effect may be made in memory as well as read from a file: no program reaches a device unverified.
    pub(super) fn check(&self, effect: &Effect) -> Result<(), StageError> {
        validate(effect)?;
        for emitter in &effect.emitters {
            self.heap
                .check_all(effect.programs.get(emitter.program as usize))
                .map_err(|source| StageError::Program {
                    emitter: emitter.name.clone(),
                    source,
                })?;
        }
        self.heap
            .check_all(&effect.programs)
            .map_err(|source| StageError::Program {
                emitter: effect.name.clone(),
                source,
            })
    }

    /// One more instance of an effect. Gives its place among the loaded ones.
    pub(super) fn load(&mut self, effect: &Arc<Effect>) -> Result<u32, StageError> {
        let known = self
            .effects
            .iter()
            .position(|l| l.as_ref().is_some_and(|l| Arc::ptr_eq(&l.effect, effect)));
        if let Some(place) = known {
            if let Some(loaded) = &mut self.effects[place] {
                loaded.instances += 1;
            }
            return Ok(place as u32);
        }
        self.check(effect)?;
        let mut programs = Vec::with_capacity(effect.programs.len());
        for program in &effect.programs {
            programs.push(self.acquire(effect, &Arc::new(program.clone()))?);
        }
        Ok(self.keep(effect, programs))
    }

    fn keep(&mut self, effect: &Arc<Effect>, programs: Vec<u32>) -> u32 {
        let emitters = effect.emitters.iter().map(|e| prepare(e, &programs)).collect();
        let loaded = Loaded {
            effect: Arc::clone(effect),
            programs,
            instances: 1,
            emitters,
        };
        match self.effects.iter().position(Option::is_none) {
            Some(free) => {
                self.effects[free] = Some(loaded);
                free as u32
            }
            None => {
                self.effects.push(Some(loaded));
                self.effects.len() as u32 - 1
            }
        }
    }

    /// One instance fewer; with the last one the programs go.
    pub(super) fn unload(&mut self, place: u32) {
        let Some(slot) = self.effects.get_mut(place as usize) else {
            return;
        };
        let Some(loaded) = slot else { return };
        loaded.instances -= 1;
        if loaded.instances == 0
            && let Some(loaded) = slot.take()
        {
            loaded.programs.into_iter().for_each(|id| self.heap.release(id));
        }
    }

    /// An instance's effect becomes another: where nobody else plays the old one, programs of equal length are
    /// overwritten where they lie.
    pub(super) fn exchange(&mut self, place: u32, effect: &Arc<Effect>) -> Result<u32, StageError> {
        let shared = self.loaded(place).is_none_or(|l| l.instances > 1);
        let known = self
            .effects
            .iter()
            .flatten()
            .any(|l| Arc::ptr_eq(&l.effect, effect));
        if shared || known {
            let new = self.load(effect)?;
            self.unload(place);
            return Ok(new);
        }
        self.check(effect)?;
        let old = self.effects[place as usize]
            .take()
            .map_or(Vec::new(), |l| l.programs);
        let mut programs = Vec::with_capacity(effect.programs.len());
        for (index, program) in effect.programs.iter().enumerate() {
            let program = Arc::new(program.clone());
            let id = match old.get(index) {
                Some(&id) => self
                    .heap
                    .exchange(id, &program)
                    .map_err(|source| StageError::Program {
                        emitter: effect.name.clone(),
                        source,
                    })?,
                None => self.acquire(effect, &program)?,
            };
            programs.push(id);
        }
        for &id in old.iter().skip(effect.programs.len()) {
            self.heap.release(id);
        }
        Ok(self.keep(effect, programs))
    }

    fn acquire(&mut self, effect: &Effect, program: &Arc<Program>) -> Result<u32, StageError> {
        self.heap.acquire(program).map_err(|source| StageError::Program {
            emitter: effect.name.clone(),
            source,
        })
    }
}

fn prepare(emitter: &Emitter, programs: &[u32]) -> Prepared {
    Prepared {
        row: super::rows::row_of(
            emitter,
            programs.get(emitter.program as usize).copied().unwrap_or(0),
        ),
        block: super::rows::block_of(emitter),
    }
}
