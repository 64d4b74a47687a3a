//! The digest of a state: what two runs must agree on, whatever the order of their lists.

use crate::base::hash::hash_words;
use crate::base::id::Id;
use crate::host::{InstanceId, Stage};
use crate::isa::{HEADER_WORD, ORDINAL_WORD, RECORD_WORDS};

/// A live particle with its owner.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveParticle {
    /// The instance it belongs to.
    pub instance: InstanceId,
    /// Place of its emitter in the effect.
    pub emitter: usize,
    /// Its emitter's id.
    pub emitter_id: Id,
    /// Which particle of its emitter it is.
    pub ordinal: u32,
    /// Its record.
    pub record: [u32; RECORD_WORDS as usize],
}

/// The live particles among `records`, sorted by instance, emitter and ordinal.
pub fn live_particles<'a>(
    stage: &Stage,
    records: impl IntoIterator<Item = &'a [u32; RECORD_WORDS as usize]>,
) -> Vec<LiveParticle> {
    let mut live: Vec<LiveParticle> = records
        .into_iter()
        .filter_map(|record| {
            let header = record[HEADER_WORD as usize];
            let (row, generation) = (header & 0xffff, header >> 16);
            if generation == 0 || row >= stage.row_count() || stage.row(row).generation != generation {
                return None;
            }
            let (instance, emitter, owner) = stage.owner(row)?;
            let (emitter_id, ordinal) = (owner.id.clone(), record[ORDINAL_WORD as usize]);
            Some(LiveParticle {
                instance,
                emitter,
                emitter_id,
                ordinal,
                record: *record,
            })
        })
        .collect();
    live.sort_by_key(|p| (p.instance, p.emitter, p.ordinal));
    live
}

/// The wrapping sum over live particles of a 64-bit hash of (instance's place, emitter id, ordinal, the words
/// of its fields in layout order). Header, slot and unused words stay out of it.
#[must_use]
pub fn digest(stage: &Stage, particles: &[LiveParticle]) -> u64 {
    let order: Vec<InstanceId> = stage.instances().collect();
    let mut sum = 0u64;
    for particle in particles {
        let Ok(effect) = stage.instance_effect(particle.instance) else {
            continue;
        };
        let Some(emitter) = effect.emitters.get(particle.emitter) else {
            continue;
        };
        let place = order.iter().position(|&id| id == particle.instance).unwrap_or(0) as u32;
        let name = crate::base::hash::content_hash(emitter.id.as_str().as_bytes());
        let fields = emitter
            .layout
            .fields()
            .iter()
            .flat_map(|f| f.words())
            .map(|w| particle.record[w as usize]);
        let key = [place, name as u32, (name >> 32) as u32, particle.ordinal];
        sum = sum.wrapping_add(hash_words(key.into_iter().chain(fields)));
    }
    sum
}
