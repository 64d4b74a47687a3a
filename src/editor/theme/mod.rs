//! Colours, spacing and fonts, from one table of tokens.

pub mod icon;
pub mod style;
pub mod tokens;

pub use tokens::Tokens;
