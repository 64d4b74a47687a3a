//! A roll angle in the plane of the screen gave way to an orientation in space, which no angle read from a
//! field can stand for: the binding goes, the field stays.

use super::{Draft, ROTATION};
use crate::artifact::error::LoadError;
use crate::base::diag::{Diagnostic, Place};

pub(super) fn upgrade(draft: &mut Draft, notes: &mut Vec<Diagnostic>) -> Result<(), LoadError> {
    for (index, emitter) in draft.emitters.iter_mut().enumerate() {
        let Some(source) = emitter.rotation.take() else {
            continue;
        };
        let mut fields = emitter.emitter.layout.fields().iter();
        if source.width != 1 || !fields.any(|f| f.word == source.word && f.ty.width() == 1) {
            return Err(LoadError::Field {
                path: format!("emitters[{index}].channels.{ROTATION}"),
                message: format!("no field of one word lies at word {}", source.word),
            });
        }
        let id = &emitter.emitter.id;
        let message = format!(
            "The emitter {:?} ({id}) turned its sprites by an angle, the channel {ROTATION:?}, which gave way to \
             orientations: it is dropped, and its sprites stand upright.",
            emitter.emitter.name
        );
        notes.push(
            Diagnostic::note("dropped-rotation", Place::emitter(id), message).help(
                "Bind a rotation to the channel \"orientation\" in the document, and compile it again.",
            ),
        );
    }
    Ok(())
}
