//! Colours, spacing and fonts, from one table of tokens.

pub mod tokens;

pub use tokens::Tokens;
