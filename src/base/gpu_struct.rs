//! One statement of a struct that both sides read.
//!
//! [`gpu_struct!`](crate::gpu_struct) writes the Rust type (`#[repr(C)]`, plain words) and a field table. From the table come
//! the WGSL offset constants (for rows that live in word arrays), the WGSL declaration (for uniforms) and a
//! reader's view of raw words, so an offset is never typed anywhere.

/// A Rust type that is one WGSL member made of 4-byte words.
pub trait GpuMember {
    /// The WGSL spelling, such as `vec4f`.
    const WGSL: &'static str;
    /// Size in words.
    const WORDS: u32;
}

macro_rules! members {
    ($($rust:ty => $wgsl:literal, $words:literal;)*) => {
        $(impl GpuMember for $rust {
            const WGSL: &'static str = $wgsl;
            const WORDS: u32 = $words;
        })*
    };
}

members! {
    u32 => "u32", 1;
    f32 => "f32", 1;
    [f32; 2] => "vec2f", 2;
    [f32; 3] => "vec3f", 3;
    [f32; 4] => "vec4f", 4;
    [u32; 4] => "vec4u", 4;
    [[f32; 4]; 3] => "mat3x4f", 12;
    [[f32; 4]; 4] => "mat4x4f", 16;
    [[f32; 4]; 24] => "array<vec4f, 24>", 96;
    [[f32; 4]; 2] => "array<vec4f, 2>", 8;
    [[u32; 4]; 2] => "array<vec4u, 2>", 8;
    [[u32; 4]; 4] => "array<vec4u, 4>", 16;
}

/// One field of a [`GpuStruct`].
#[derive(Debug, Clone, Copy)]
pub struct GpuField {
    /// Name, the same in Rust and WGSL.
    pub name: &'static str,
    /// WGSL type.
    pub wgsl: &'static str,
    /// First word, from the struct's start.
    pub offset: u32,
    /// Number of words.
    pub words: u32,
    /// What it means, with its unit.
    pub doc: &'static str,
}

/// A struct stated through [`gpu_struct!`](crate::gpu_struct).
pub trait GpuStruct: bytemuck::Pod {
    /// Name, the same in Rust and WGSL.
    const NAME: &'static str;
    /// Its fields in order.
    fn fields() -> Vec<GpuField>;

    /// Size in words.
    #[must_use]
    fn words() -> u32 {
        (size_of::<Self>() / 4) as u32
    }

    /// `const NAME_FIELD: u32 = offset;` for each field and `NAME_WORDS`, for rows read out of word arrays.
    #[must_use]
    fn wgsl_offsets() -> String {
        let prefix = shouting(Self::NAME);
        let mut text = format!("const {prefix}_WORDS: u32 = {}u;\n", Self::words());
        for field in Self::fields() {
            let name = field.name.to_ascii_uppercase();
            text.push_str(&format!(
                "const {prefix}_{name}: u32 = {}u; // {}\n",
                field.offset,
                field.doc.trim()
            ));
        }
        text
    }

    /// The WGSL `struct` declaration, for uniforms.
    #[must_use]
    fn wgsl_struct() -> String {
        let mut text = format!("struct {} {{\n", Self::NAME);
        for field in Self::fields() {
            text.push_str(&format!(
                "    {}: {}, // {}\n",
                field.name,
                field.wgsl,
                field.doc.trim()
            ));
        }
        text.push_str("}\n");
        text
    }
}

/// `EmitterRow` → `EMITTER_ROW`.
fn shouting(name: &str) -> String {
    let mut out = String::new();
    for (i, c) in name.chars().enumerate() {
        if i > 0 && c.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_uppercase());
    }
    out
}

/// States a struct for both sides; see the module's text.
#[macro_export]
macro_rules! gpu_struct {
    ($(#[doc = $sdoc:literal])* pub struct $name:ident { $($(#[doc = $doc:literal])* $field:ident : $ty:ty,)* }) => {
        $(#[doc = $sdoc])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        pub struct $name { $($(#[doc = $doc])* pub $field: $ty,)* }

        impl $crate::base::gpu_struct::GpuStruct for $name {
            const NAME: &'static str = stringify!($name);
            fn fields() -> Vec<$crate::base::gpu_struct::GpuField> {
                vec![$($crate::base::gpu_struct::GpuField {
                    name: stringify!($field),
                    wgsl: <$ty as $crate::base::gpu_struct::GpuMember>::WGSL,
                    offset: (core::mem::offset_of!($name, $field) / 4) as u32,
                    words: <$ty as $crate::base::gpu_struct::GpuMember>::WORDS,
                    doc: concat!($($doc,)*),
                },)*]
            }
        }

        impl Default for $name {
            fn default() -> Self { bytemuck::Zeroable::zeroed() }
        }
    };
}
