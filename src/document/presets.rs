//! The effects that ship with the editor, as documents.

use super::Document;
use super::file;

macro_rules! presets {
    ($($name:literal $title:literal $description:literal;)*) => {
        /// Name, title, one line, and the file's text.
        const FILES: &[(&str, &str, &str, &str)] = &[
            $(($name, $title, $description, include_str!(concat!("../../effects/", $name, ".mote"))),)*
        ];
    };
}

presets! {
    "explosion" "Explosion" "A burst of sparks that fall.";
    "water_jet" "Water jet" "A thin fountain.";
    "rain" "Rain" "Rain over 20 by 20 metres.";
    "smoke" "Smoke" "Slow grey puffs that grow.";
    "fire" "Fire" "A small bright flame.";
    "snow" "Snow" "Slow turning flakes over 10 by 10 metres.";
    "sparkles" "Sparkles" "Glints that hang in the air.";
    "debris" "Debris" "Chunks thrown from a blast.";
    "bonfire" "Bonfire" "Flames, smoke, embers and flakes of soot.";
}

/// A preset's name, title and one line about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// The name on the command line and of its file.
    pub name: &'static str,
    /// The name on screen.
    pub title: &'static str,
    /// One line about it.
    pub description: &'static str,
    /// The document's text.
    pub text: &'static str,
}

/// All presets, in gallery order.
pub fn presets() -> impl Iterator<Item = Preset> {
    FILES.iter().map(|&(name, title, description, text)| Preset {
        name,
        title,
        description,
        text,
    })
}

/// The document of a preset.
#[must_use]
pub fn preset(name: &str) -> Option<Document> {
    let preset = presets().find(|preset| preset.name == name)?;
    // The files are part of the build and a test loads every one.
    file::load(preset.text.as_bytes())
        .ok()
        .map(|loaded| loaded.document)
}
