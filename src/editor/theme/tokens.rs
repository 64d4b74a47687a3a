//! Every colour of the interface, by what it is for.

use egui::Color32;

use crate::layout::FieldType;

/// The colours of a theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tokens {
    /// Whether the theme is dark.
    pub dark: bool,
    /// The lowest surface: the canvas, the viewport's surround.
    pub surface_low: Color32,
    /// Panels.
    pub surface: Color32,
    /// What stands out of a panel: fields, node bodies, buttons.
    pub surface_high: Color32,
    /// Lines between surfaces.
    pub line: Color32,
    /// Text.
    pub text: Color32,
    /// Text that steps back: units, hints.
    pub text_dim: Color32,
    /// What is active.
    pub accent: Color32,
    /// Text on the accent.
    pub on_accent: Color32,
    /// What is selected.
    pub selection: Color32,
    /// Problems that stop an effect.
    pub error: Color32,
    /// Problems that do not.
    pub warning: Color32,
    /// Tint of the canvas that shows Birth.
    pub birth_tint: Color32,
    /// Tint of the canvas that shows Every frame.
    pub frame_tint: Color32,
}

impl Tokens {
    /// The dark theme.
    #[must_use]
    pub const fn dark() -> Self {
        Self {
            dark: true,
            surface_low: Color32::from_rgb(0x17, 0x18, 0x1a),
            surface: Color32::from_rgb(0x1f, 0x20, 0x23),
            surface_high: Color32::from_rgb(0x2b, 0x2d, 0x31),
            line: Color32::from_rgb(0x3a, 0x3d, 0x42),
            text: Color32::from_rgb(0xe3, 0xe4, 0xe6),
            text_dim: Color32::from_rgb(0x92, 0x96, 0x9d),
            accent: Color32::from_rgb(0xff, 0x8a, 0x3d),
            on_accent: Color32::from_rgb(0x1c, 0x12, 0x0a),
            selection: Color32::from_rgb(0x4d, 0x9d, 0xff),
            error: Color32::from_rgb(0xf0, 0x5b, 0x5b),
            warning: Color32::from_rgb(0xe6, 0xb4, 0x50),
            birth_tint: Color32::from_rgb(0x1b, 0x19, 0x17),
            frame_tint: Color32::from_rgb(0x16, 0x19, 0x1c),
        }
    }

    /// The light theme, of the same structure.
    #[must_use]
    pub const fn light() -> Self {
        Self {
            dark: false,
            surface_low: Color32::from_rgb(0xd9, 0xda, 0xdd),
            surface: Color32::from_rgb(0xec, 0xed, 0xef),
            surface_high: Color32::from_rgb(0xfa, 0xfa, 0xfb),
            line: Color32::from_rgb(0xc2, 0xc5, 0xca),
            text: Color32::from_rgb(0x22, 0x24, 0x28),
            text_dim: Color32::from_rgb(0x6a, 0x6f, 0x77),
            accent: Color32::from_rgb(0xd9, 0x62, 0x12),
            on_accent: Color32::from_rgb(0xff, 0xff, 0xff),
            selection: Color32::from_rgb(0x1f, 0x6f, 0xd6),
            error: Color32::from_rgb(0xc6, 0x2f, 0x2f),
            warning: Color32::from_rgb(0x9a, 0x6b, 0x00),
            birth_tint: Color32::from_rgb(0xdd, 0xd9, 0xd4),
            frame_tint: Color32::from_rgb(0xd4, 0xd9, 0xdd),
        }
    }

    /// The colour of ports and wires of a type.
    #[must_use]
    pub const fn port(&self, ty: FieldType) -> Color32 {
        if !self.dark {
            return match ty {
                FieldType::Float => Color32::from_rgb(0x6d, 0x75, 0x80),
                FieldType::Vec2 => Color32::from_rgb(0x1f, 0x8a, 0x79),
                FieldType::Vec3 => Color32::from_rgb(0xb0, 0x84, 0x00),
                FieldType::Vec4 => Color32::from_rgb(0xa3, 0x4c, 0xa3),
                FieldType::Color => Color32::from_rgb(0xd4, 0x66, 0x1e),
                FieldType::Quat => Color32::from_rgb(0x3a, 0x68, 0xc8),
                FieldType::Bool => Color32::from_rgb(0xc0, 0x44, 0x4f),
            };
        }
        match ty {
            FieldType::Float => Color32::from_rgb(0xa8, 0xb0, 0xba),
            FieldType::Vec2 => Color32::from_rgb(0x6f, 0xc7, 0xb8),
            FieldType::Vec3 => Color32::from_rgb(0xe6, 0xc8, 0x5c),
            FieldType::Vec4 => Color32::from_rgb(0xd8, 0x8f, 0xd8),
            FieldType::Color => Color32::from_rgb(0xff, 0x9e, 0x64),
            FieldType::Quat => Color32::from_rgb(0x7f, 0xa8, 0xff),
            FieldType::Bool => Color32::from_rgb(0xe0, 0x6c, 0x75),
        }
    }

    /// The header colour of nodes and blocks of a palette category. Text on it is [`Tokens::on_category`].
    #[must_use]
    pub fn category(&self, name: &str) -> Color32 {
        match name {
            "Shape" => Color32::from_rgb(0x3f, 0x7d, 0x63),
            "Birth" => Color32::from_rgb(0x8f, 0x6b, 0x32),
            "Force" => Color32::from_rgb(0x3f, 0x6d, 0xa8),
            "Velocity" => Color32::from_rgb(0x2f, 0x7f, 0x8c),
            "Motion" => Color32::from_rgb(0x57, 0x63, 0xb0),
            "Over life" => Color32::from_rgb(0x87, 0x52, 0x8f),
            "Aim" => Color32::from_rgb(0x4a, 0x6f, 0x8a),
            "End" => Color32::from_rgb(0x96, 0x48, 0x48),
            "Particle" => Color32::from_rgb(0x5d, 0x80, 0x42),
            "Random" => Color32::from_rgb(0x77, 0x59, 0xa6),
            "Noise" => Color32::from_rgb(0x6b, 0x62, 0x8f),
            "Wave" => Color32::from_rgb(0x3d, 0x7a, 0x86),
            "Colour" => Color32::from_rgb(0x9a, 0x58, 0x3f),
            "Curve" => Color32::from_rgb(0xa0, 0x66, 0x3c),
            "Vector" => Color32::from_rgb(0x77, 0x7c, 0x3a),
            "Rotation" => Color32::from_rgb(0x42, 0x78, 0xb5),
            "Input" => Color32::from_rgb(0x9c, 0x52, 0x6c),
            _ => Color32::from_rgb(0x5c, 0x63, 0x6e),
        }
    }

    /// Text on the colour of a category, in both themes.
    #[must_use]
    pub const fn on_category(&self) -> Color32 {
        Color32::from_rgb(0xf4, 0xf4, 0xf5)
    }
}
