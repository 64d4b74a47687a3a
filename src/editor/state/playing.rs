//! What the transport's commands do.

use super::EditorState;
use super::message::sentence;
use crate::play::Shown;
use crate::vm::WindScene;

/// Particles a burst by hand asks for.
const BURST: u32 = 100;

impl EditorState {
    /// Lets time go on, or stand.
    pub(in crate::editor) fn toggle_play(&mut self) {
        self.player.transport.playing ^= true;
    }

    /// Starts the effect over.
    pub(in crate::editor) fn restart(&mut self) {
        self.revision += 1;
        if let Err(error) = self.player.restart() {
            self.fail(sentence(&error));
        }
    }

    /// Stops time and takes one step.
    pub(in crate::editor) fn step_once(&mut self) {
        self.player.transport.playing = false;
        self.player.step_once();
        self.revision += 1;
        self.note_steps(1);
    }

    /// Throws particles of the selected emitter at the next step.
    pub(in crate::editor) fn burst(&mut self) {
        let Some(index) = self.emitter_index() else { return };
        match self.player.burst(index, BURST) {
            Ok(()) => {
                let name = self.emitter().map_or("", |e| e.name());
                self.say(format!("{BURST} particles of {name}."));
            }
            Err(error) => self.fail(sentence(&error)),
        }
    }

    /// Moves the air of the preview, from the next step on. The player keeps it for every effect it plays.
    pub(in crate::editor) fn blow(&mut self, wind: WindScene) {
        match self.player.set_wind_scene(wind.clone()) {
            Ok(()) => self.wind = wind,
            Err(error) => self.fail(sentence(&error)),
        }
    }

    /// Chooses which populations play.
    pub(in crate::editor) fn show(&mut self, shown: Shown) {
        self.revision += 1;
        if let Err(error) = self.player.show(shown) {
            self.fail(sentence(&error));
        }
    }
}
