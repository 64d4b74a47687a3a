//! What the status bar says.

use std::time::{Duration, Instant};

/// How long a notice stays.
const NOTICE: Duration = Duration::from_secs(8);

/// How a message sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Something happened; the message goes by itself.
    Notice,
    /// Something did not work; the message stays until it is dismissed.
    Failure,
}

/// A sentence in the status bar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The sentence.
    pub text: String,
    /// How it sounds.
    pub tone: Tone,
    since: Instant,
}

impl Message {
    fn new(text: String, tone: Tone) -> Self {
        Self {
            text,
            tone,
            since: Instant::now(),
        }
    }

    /// How long it is still shown; none for a message that stays.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        (self.tone == Tone::Notice).then(|| NOTICE.saturating_sub(self.since.elapsed()))
    }
}

impl super::EditorState {
    /// Says that something happened.
    pub fn say(&mut self, text: impl Into<String>) {
        self.message = Some(Message::new(text.into(), Tone::Notice));
    }

    /// Says that something did not work.
    pub fn fail(&mut self, text: impl Into<String>) {
        let text = text.into();
        tracing::warn!("{text}");
        self.message = Some(Message::new(text, Tone::Failure));
    }

    /// Drops a notice whose time is over.
    pub fn expire_message(&mut self) {
        if self.message.as_ref().and_then(Message::left) == Some(Duration::ZERO) {
            self.message = None;
        }
    }

    /// Takes the message and a file's problem off the window.
    pub(super) fn dismiss(&mut self) {
        self.message = None;
        self.file_problem = None;
    }
}

/// A sentence of somebody's error: a capital at its start, a full stop at its end.
#[must_use]
pub(super) fn sentence(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    let mut chars = text.chars();
    let Some(first) = chars.next() else {
        return text;
    };
    let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    first.to_uppercase().chain(chars).chain(stop.chars()).collect()
}
