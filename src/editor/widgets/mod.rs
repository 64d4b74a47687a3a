//! Value widgets: every number, vector, colour, curve and choice of the editor is edited with these.
//!
//! A widget is given the value as it is and a rectangle, paints itself, and returns an [`Edited`]: whether a
//! gesture began, the value asked for, whether the gesture ended. The caller turns that into actions, so that
//! one drag is one step of the history, whatever is dragged.

pub mod color;
pub mod curve;
pub mod edited;
pub mod expression;
pub mod gradient;
pub mod input;
pub mod lanes;
pub mod look;
pub mod menu;
pub mod modes;
pub mod number;
pub mod picker;
pub mod rotation;
pub mod settings;
pub mod text;
pub mod value;

pub use edited::Edited;
pub use input::{InputEdit, InputEditor, input_editor};
pub use look::Look;
pub use number::Number;
pub use text::Text;
pub use value::ValueEditor;
