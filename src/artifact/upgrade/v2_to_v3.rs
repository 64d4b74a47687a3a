//! Parameters and fields of emitters came: an older effect has none.

use super::Draft;
use crate::artifact::error::LoadError;
use crate::base::diag::Diagnostic;

pub(super) fn upgrade(draft: &mut Draft, _notes: &mut Vec<Diagnostic>) -> Result<(), LoadError> {
    draft.parameters.get_or_insert_default();
    for emitter in &mut draft.emitters {
        emitter.fields.get_or_insert_default();
    }
    Ok(())
}
