//! The desktop application. The document is the truth and every panel a view of it: a panel reads state and
//! asks for [`action::Action`]s, which the application carries out between two pictures.

pub mod action;
pub mod app;
pub mod autosave;
pub mod blocks;
pub mod canvas;
pub mod commands;
mod dialogs;
mod launch;
pub mod palette;
pub mod panels;
pub mod state;
pub mod theme;
mod watch;
pub mod widgets;

pub use app::EditorApp;
pub use launch::{EditorError, run};
