//! The canvas, the block list, the palette and the value widgets, driven as an artist would.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

mod canvas;
mod host;
mod list;
mod pictures;
mod values;
