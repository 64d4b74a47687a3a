//! A field: a name, a type and where it lies.

use serde::{Deserialize, Serialize};

/// What a field holds. The width decides the words it takes; the type decides ports, widgets and names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FieldType {
    /// One number.
    Float,
    /// Two numbers.
    Vec2,
    /// Three numbers.
    Vec3,
    /// Four numbers.
    Vec4,
    /// Linear RGB and alpha.
    Color,
    /// A rotation (x, y, z, w).
    Quat,
    /// 0 or 1.
    Bool,
}

impl FieldType {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Float,
        Self::Vec2,
        Self::Vec3,
        Self::Vec4,
        Self::Color,
        Self::Quat,
        Self::Bool,
    ];

    /// Words, 1 to 4.
    #[must_use]
    pub const fn width(self) -> u32 {
        match self {
            Self::Float | Self::Bool => 1,
            Self::Vec2 => 2,
            Self::Vec3 => 3,
            Self::Vec4 | Self::Color | Self::Quat => 4,
        }
    }

    /// The name in files and on screen.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Float => "float",
            Self::Vec2 => "vec2",
            Self::Vec3 => "vec3",
            Self::Vec4 => "vec4",
            Self::Color => "color",
            Self::Quat => "quat",
            Self::Bool => "bool",
        }
    }
}

/// A field with its place.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FieldSlot {
    /// Its name, unique in its layout.
    pub name: String,
    /// What it holds.
    #[serde(rename = "type")]
    pub ty: FieldType,
    /// First word: of the record for a particle field, of the block for an emitter field.
    pub word: u32,
}

impl FieldSlot {
    /// The words it takes.
    #[must_use]
    pub fn words(&self) -> std::ops::Range<u32> {
        self.word..self.word + self.ty.width()
    }
}
