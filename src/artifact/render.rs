//! How an emitter's particles are drawn.

use serde::{Deserialize, Serialize};

use crate::layout::{Channel, FieldSlot, ParticleLayout};

/// How colour meets what is behind. One pipeline draws all three; `additive` mixes per particle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u32)]
#[non_exhaustive]
pub enum Blend {
    /// Straight alpha covers.
    #[default]
    Alpha = 0,
    /// Light is added.
    Additive = 1,
    /// The colour is already multiplied by alpha.
    Premultiplied = 2,
}

/// The frame a sprite is laid in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u32)]
#[non_exhaustive]
pub enum Projection {
    /// Faces the camera.
    #[default]
    Billboard = 0,
    /// Faces the camera, its up along the velocity on screen.
    Stretched = 1,
    /// Lies on the ground, facing up.
    Horizontal = 2,
    /// Stands upright, turning toward the camera.
    Vertical = 3,
    /// The world's axes; only its orientation turns it.
    FacingWorld = 4,
}

/// A grid of frames in a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Flipbook {
    /// Columns, at least 1.
    pub columns: u32,
    /// Rows, at least 1.
    pub rows: u32,
    /// Whether neighbouring frames are mixed.
    pub blend: bool,
}

impl Default for Flipbook {
    fn default() -> Self {
        Self {
            columns: 1,
            rows: 1,
            blend: false,
        }
    }
}

/// Where each render channel reads the record: a field's first word and width, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bindings(pub [Option<ChannelSource>; Channel::ALL.len()]);

/// A bound channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChannelSource {
    /// First word of the record.
    pub word: u32,
    /// Words.
    pub width: u32,
}

impl From<&FieldSlot> for ChannelSource {
    fn from(field: &FieldSlot) -> Self {
        Self {
            word: field.word,
            width: field.ty.width(),
        }
    }
}

impl Bindings {
    /// Each channel to the field of its name, where there is one that it can take.
    #[must_use]
    pub fn by_name(layout: &ParticleLayout) -> Self {
        let mut bindings = Self::default();
        for channel in Channel::ALL {
            let field = layout
                .get(channel.name())
                .filter(|f| channel.accepts(f.ty.width()));
            bindings.set(channel, field.map(ChannelSource::from));
        }
        bindings
    }

    /// The source of a channel.
    #[must_use]
    pub fn get(&self, channel: Channel) -> Option<ChannelSource> {
        self.0[channel as usize]
    }

    /// Binds a channel.
    pub fn set(&mut self, channel: Channel, source: Option<ChannelSource>) {
        self.0[channel as usize] = source;
    }
}

/// How an emitter's particles are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RenderSettings {
    /// How colour meets what is behind.
    pub blend: Blend,
    /// The frame a sprite is laid in.
    pub projection: Projection,
    /// Seconds of screen velocity a stretched sprite is lengthened by.
    pub stretch: f32,
    /// The longest a stretched sprite gets, as a multiple of its height; 0 is without limit.
    pub stretch_limit: f32,
    /// The point of the sprite that lies on the position, in sizes from its centre.
    pub pivot: [f32; 2],
    /// Metres toward the camera the sprite is tested at.
    pub depth_offset: f32,
    /// Whether what is in front hides it.
    pub depth_test: bool,
    /// The flipbook grid.
    pub flipbook: Flipbook,
    /// Bound channels; written by the compiler, kept out of the settings' own file entry.
    #[serde(skip)]
    pub bindings: Bindings,
}

impl Default for RenderSettings {
    fn default() -> Self {
        Self {
            blend: Blend::Alpha,
            projection: Projection::Billboard,
            stretch: 1.0,
            stretch_limit: 0.0,
            pivot: [0.0; 2],
            depth_offset: 0.0,
            depth_test: true,
            flipbook: Flipbook::default(),
            bindings: Bindings::default(),
        }
    }
}
