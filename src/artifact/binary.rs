//! x
use super::{Effect, LoadError};
/// x
pub fn is_binary(_b: &[u8]) -> bool {
    false
}
/// x
pub fn read(_b: &[u8]) -> Result<Effect, LoadError> {
    Err(LoadError::NotAnEffect)
}
