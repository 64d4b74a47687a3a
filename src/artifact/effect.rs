//! The shipped effect as data.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::emission::Emission;
use super::error::LoadError;
use super::render::{Bindings, RenderSettings};
use crate::base::id::Id;
use crate::isa::Program;
use crate::layout::{EmitterLayout, FieldType, ParticleLayout};

/// Most emitters of an effect.
pub const MAX_EMITTERS: usize = 512;
/// Most programs of an effect.
pub const MAX_PROGRAMS: usize = MAX_EMITTERS;
/// Most parameters of an effect.
pub const MAX_PARAMETERS: usize = 1_024;
/// Most textures of an effect.
pub const MAX_TEXTURES: usize = 512;
/// Most bytes of one packed texture.
pub const MAX_PACKED: usize = 1 << 26;
/// Most bytes of all packed textures of an effect.
pub const MAX_PACKED_ALL: usize = 1 << 30;

/// A compiled effect.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Effect {
    /// The artist's name for it.
    pub name: String,
    /// What the game may set.
    pub parameters: Vec<Parameter>,
    /// Its emitters, in drawing order.
    pub emitters: Vec<Emitter>,
    /// Programs, each stored once; emitters name them by index.
    pub programs: Vec<Program>,
    /// Textures, each stored once; emitters name them by index.
    pub textures: Vec<Texture>,
    /// Image files carried along, by ascending hash, each once. See [`Effect::packed`].
    pub packed: Vec<Packed>,
}

impl Effect {
    /// Reads a `.motefx` or `.motefx.json` file of any version up to [`super::VERSION`] and checks it.
    ///
    /// # Errors
    /// [`LoadError`] says what is wrong and where. Nothing panics, and nothing larger than the bytes justify
    /// is allocated.
    pub fn load(bytes: &[u8]) -> Result<Arc<Self>, LoadError> {
        super::load_noted(bytes).map(|loaded| loaded.effect)
    }

    /// The bytes of the image file with this hash, where the effect carries it; [`Texture::hash`] names it.
    #[must_use]
    pub fn packed(&self, hash: u64) -> Option<&[u8]> {
        let place = self.packed.binary_search_by_key(&hash, |packed| packed.hash);
        place.ok().map(|index| &*self.packed[index].bytes)
    }
}

/// In which space an emitter's particles live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Space {
    /// Records are in the world; a moved emitter leaves them behind.
    #[default]
    World,
    /// Records are in the emitter's frame and follow it.
    Local,
}

/// One emitter of an effect.
#[derive(Debug, Clone, PartialEq)]
pub struct Emitter {
    /// Persistent id; with the instance's seed it decides the emitter's seed.
    pub id: Id,
    /// The artist's name for it.
    pub name: String,
    /// Its particles' fields.
    pub layout: ParticleLayout,
    /// Index into [`Effect::programs`].
    pub program: u32,
    /// Its own fields, among them the effect's parameters.
    pub emitter_layout: EmitterLayout,
    /// Values of its own fields, word by word.
    pub emitter_fields: Vec<u32>,
    /// When and how many particles are born.
    pub emission: Emission,
    /// Where particles live.
    pub space: Space,
    /// How they are drawn.
    pub render: RenderSettings,
    /// Index into [`Effect::textures`]; none is the built-in soft disc.
    pub texture: Option<u32>,
    /// Its place in the effect: the first three columns are axes, the fourth the position, in metres.
    pub transform: [[f32; 3]; 4],
}

impl Emitter {
    /// An emitter of the effect's first program, at the effect's origin, named as its id. Channels are bound to the
    /// fields of their names.
    #[must_use]
    pub fn new(id: Id, layout: ParticleLayout, emission: Emission) -> Self {
        let render = RenderSettings {
            bindings: Bindings::by_name(&layout),
            ..RenderSettings::default()
        };
        Self {
            name: id.as_str().to_owned(),
            id,
            layout,
            program: 0,
            emitter_layout: EmitterLayout::default(),
            emitter_fields: Vec::new(),
            emission,
            space: Space::World,
            render,
            texture: None,
            transform: IDENTITY_TRANSFORM,
        }
    }
}

/// The transform that changes nothing.
pub const IDENTITY_TRANSFORM: [[f32; 3]; 4] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]];

/// When a parameter takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ParameterRead {
    /// As particles are born.
    Birth,
    /// Every step.
    #[default]
    Step,
}

/// A value that the game sets. In each emitter that reads it, it is the emitter field of the same name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Persistent id.
    pub id: Id,
    /// Its name.
    pub name: String,
    /// What it holds.
    #[serde(rename = "type")]
    pub ty: FieldType,
    /// The value it starts with.
    pub default: [f32; 4],
    /// Smallest and largest sensible value of each lane.
    pub range: Option<[f32; 2]>,
    /// The unit, for labels.
    #[serde(default)]
    pub unit: String,
    /// When it takes effect.
    #[serde(default)]
    pub read: ParameterRead,
}

/// An image an effect draws with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texture {
    /// Path as the document has it, relative to its folder, with `/` between parts.
    pub path: String,
    /// XXH3 (64 bits, seed 0) of the image file's bytes, 0 where unknown.
    pub hash: u64,
}

/// An image file that an effect carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// XXH3 of the bytes.
    pub hash: u64,
    /// The file as it is, PNG or whatever it was.
    pub bytes: Arc<[u8]>,
}
