//! One clock over a playing effect: drivers, transport, pictures. The editor and the headless commands play
//! through it.

pub mod capture;
pub mod player;
pub mod stats;
pub mod transport;

pub use capture::Picture;
pub use player::{Driver, Player, Shown, SwapReport};
pub use stats::{EmitterStats, Stats};
pub use transport::{StepMode, Transport};
