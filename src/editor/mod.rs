//! The desktop application. The document is the truth and every panel a view of it: a panel reads state and
//! asks for [`action::Action`]s, which the application carries out between two pictures.

pub mod action;
pub mod blocks;
pub mod canvas;
pub mod palette;
pub mod theme;
pub mod widgets;
