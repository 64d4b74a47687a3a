//! save
