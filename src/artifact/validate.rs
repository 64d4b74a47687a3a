//! x
use super::{Effect, LoadError};
/// x
pub fn validate(_b: &Effect) -> Result<(), LoadError> {
    Ok(())
}
