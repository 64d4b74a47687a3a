//! The standard fields and the render channels they are drawn through.

use super::field::FieldType;

/// A field with a meaning of its own. None is compulsory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StandardField {
    /// The name.
    pub name: &'static str,
    /// The usual type; `size` may also have two words.
    pub ty: FieldType,
    /// What a particle is born with where nothing writes it. `position` starts at the emitter, `additive` at
    /// what the emitter's blend says.
    pub default: [f32; 4],
    /// The unit, for labels.
    pub unit: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// The standard fields, in the order a new layout declares them.
pub const STANDARD_FIELDS: &[StandardField] = &[
    field(
        "position",
        FieldType::Vec3,
        [0.0; 4],
        "m",
        "Where the particle is.",
    ),
    field("velocity", FieldType::Vec3, [0.0; 4], "m/s", "How fast it moves."),
    field("age", FieldType::Float, [0.0; 4], "s", "How long it has lived."),
    field(
        "lifetime",
        FieldType::Float,
        [1.0, 0.0, 0.0, 0.0],
        "s",
        "How long it lives.",
    ),
    field(
        "size",
        FieldType::Float,
        [0.1, 0.1, 0.0, 0.0],
        "m",
        "Full width of the sprite, or width and height.",
    ),
    field(
        "color",
        FieldType::Color,
        [1.0; 4],
        "",
        "Linear colour and coverage.",
    ),
    field(
        "additive",
        FieldType::Float,
        [0.0; 4],
        "",
        "0 covers what is behind, 1 only adds light.",
    ),
    field(
        "orientation",
        FieldType::Quat,
        [0.0, 0.0, 0.0, 1.0],
        "",
        "The turn inside the frame it is drawn in.",
    ),
    field(
        "frame",
        FieldType::Float,
        [0.0; 4],
        "",
        "The flipbook frame shown.",
    ),
    field(
        "uv_rect",
        FieldType::Vec4,
        [0.0, 0.0, 1.0, 1.0],
        "",
        "The part of the texture shown: corner and extent.",
    ),
];

const fn field(
    name: &'static str,
    ty: FieldType,
    default: [f32; 4],
    unit: &'static str,
    doc: &'static str,
) -> StandardField {
    StandardField {
        name,
        ty,
        default,
        unit,
        doc,
    }
}

impl StandardField {
    /// The standard field of a name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        STANDARD_FIELDS.iter().find(|field| field.name == name)
    }
}

/// What a particle is drawn from. Each channel is bound to a field of the layout, or unbound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(usize)]
#[non_exhaustive]
pub enum Channel {
    /// Centre.
    Position,
    /// Stretch direction.
    Velocity,
    /// Width, or width and height.
    Size,
    /// Colour.
    Color,
    /// Covering to emitting.
    Additive,
    /// Turn inside the projection's frame.
    Orientation,
    /// Flipbook frame.
    Frame,
    /// Part of the texture.
    UvRect,
}

impl Channel {
    /// All, in the order of the emitter row's bindings.
    pub const ALL: [Self; 8] = [
        Self::Position,
        Self::Velocity,
        Self::Size,
        Self::Color,
        Self::Additive,
        Self::Orientation,
        Self::Frame,
        Self::UvRect,
    ];

    /// The field it is bound to unless told otherwise; also its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::Size => "size",
            Self::Color => "color",
            Self::Additive => "additive",
            Self::Orientation => "orientation",
            Self::Frame => "frame",
            Self::UvRect => "uv_rect",
        }
    }

    /// Whether a field of `width` words can feed it.
    #[must_use]
    pub const fn accepts(self, width: u32) -> bool {
        match self {
            Self::Position | Self::Velocity => width == 3,
            Self::Size => width == 1 || width == 2,
            Self::Color | Self::Orientation | Self::UvRect => width == 4,
            Self::Additive | Self::Frame => width == 1,
        }
    }
}
