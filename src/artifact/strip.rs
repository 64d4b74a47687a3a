//! An effect without what only people read.

use super::effect::Effect;
use crate::base::hash::content_hash;
use crate::layout::{FieldSlot, ParticleLayout, StandardField};

/// The same effect without the names and labels that playing does not need.
///
/// Gone are the effect's and the emitters' names, and units and ranges of parameters. The name of a particle field
/// that is no standard one becomes `f` and eight hex digits of its hash, so that a reload still tells one layout from
/// another. Kept is what a game asks for: names and ids of parameters, names of emitter fields and global imports,
/// ids of emitters, paths of textures. The particles are the same, word by word.
#[must_use]
pub fn strip(effect: &Effect) -> Effect {
    let mut effect = effect.clone();
    effect.name.clear();
    for parameter in &mut effect.parameters {
        parameter.unit.clear();
        parameter.range = None;
    }
    for emitter in &mut effect.emitters {
        emitter.name.clear();
        let mut slots: Vec<FieldSlot> = emitter.layout.clone().into();
        for slot in &mut slots {
            if StandardField::by_name(&slot.name).is_none() {
                let hash = content_hash(slot.name.as_bytes());
                slot.name = format!("f{:08x}", hash as u32);
            }
        }
        // Two names of one hash would be refused: then these fields keep their names.
        if let Ok(layout) = ParticleLayout::from_slots(slots) {
            emitter.layout = layout;
        }
    }
    effect
}
