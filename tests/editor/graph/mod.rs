//! The canvas, the block list, the palette and the value widgets, driven as an artist would.

mod canvas;
mod curves;
mod host;
mod list;
mod pictures;
mod values;
