//! From the version of a file to the current one, a step at a time.
//!
//! Both readers give a [`Draft`]: what all versions have alike, and in `Option`s what they differ in. A step
//! makes a draft of one version a draft of the next. What a version does not have is `None` before the step
//! that brings it, never a default: a default that changes becomes such an `Option` too, and the step of the
//! change writes the older one where the file said nothing. `docs/file-format.md` states the policy.

mod v1_to_v2;
mod v2_to_v3;

use super::effect::{Effect, Emitter, Packed, Parameter, Texture};
use super::error::LoadError;
use super::render::ChannelSource;
use crate::base::diag::Diagnostic;
use crate::isa::Program;
use crate::layout::EmitterLayout;

/// The first version whose emitters bind an orientation; before it, a roll angle.
pub(super) const FIRST_ORIENTATION: u32 = 2;
/// The first version with parameters, emitter fields and packed textures.
pub(super) const FIRST_PARAMETERS: u32 = 3;

/// The channel that version 1 had in the place of `orientation`: a roll in radians, one word.
pub(super) const ROTATION: &str = "rotation";

/// An effect as a file of some version states it.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) version: u32,
    pub(super) name: String,
    /// From version 3 on.
    pub(super) parameters: Option<Vec<Parameter>>,
    pub(super) textures: Vec<Texture>,
    pub(super) programs: Vec<Program>,
    pub(super) packed: Vec<Packed>,
    pub(super) emitters: Vec<DraftEmitter>,
}

/// An emitter as a file of some version states it.
#[derive(Debug)]
pub(super) struct DraftEmitter {
    /// Without its own fields.
    pub(super) emitter: Emitter,
    /// Its own fields and their values: from version 3 on.
    pub(super) fields: Option<(EmitterLayout, Vec<u32>)>,
    /// The roll binding: in version 1 alone.
    pub(super) rotation: Option<ChannelSource>,
}

impl From<Emitter> for DraftEmitter {
    fn from(mut emitter: Emitter) -> Self {
        let layout = std::mem::take(&mut emitter.emitter_layout);
        let values = std::mem::take(&mut emitter.emitter_fields);
        Self {
            emitter,
            fields: Some((layout, values)),
            rotation: None,
        }
    }
}

impl From<DraftEmitter> for Emitter {
    fn from(draft: DraftEmitter) -> Self {
        let (emitter_layout, emitter_fields) = draft.fields.unwrap_or_default();
        Self {
            emitter_layout,
            emitter_fields,
            ..draft.emitter
        }
    }
}

type Step = fn(&mut Draft, &mut Vec<Diagnostic>) -> Result<(), LoadError>;

/// Step `n` leads from version `n + 1` to the next.
const STEPS: [Step; super::VERSION as usize - 1] = [v1_to_v2::upgrade, v2_to_v3::upgrade];

/// Takes the steps that are left to the current version. Gives what they could not carry over as notes.
pub(super) fn upgrade(mut draft: Draft) -> Result<(Effect, Vec<Diagnostic>), LoadError> {
    let mut notes = Vec::new();
    for step in STEPS.iter().skip(draft.version.saturating_sub(1) as usize) {
        step(&mut draft, &mut notes)?;
        draft.version += 1;
    }
    let effect = Effect {
        name: draft.name,
        parameters: draft.parameters.unwrap_or_default(),
        textures: draft.textures,
        programs: draft.programs,
        packed: draft.packed,
        emitters: draft.emitters.into_iter().map(Emitter::from).collect(),
    };
    Ok((effect, notes))
}
