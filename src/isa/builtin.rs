//! What `LOAD_BUILTIN` can read.
//!
//! The engine's built-ins are the emitter's members as the engine declares them; an effect's emitter fields
//! are the members it declares itself. Both are read by one instruction: ids from [`EMITTER_FIELD_BASE`] up
//! are words of the emitter's field block, ids from [`GLOBAL_FIELD_BASE`] up are global fields: in a program
//! as written an import index, in a program as placed a word of the global section.

/// First id that reads the emitter's own fields: id − base is the word.
pub const EMITTER_FIELD_BASE: u32 = 0x1000;
/// First id that reads global fields: id − base is the import index, after linking the word.
pub const GLOBAL_FIELD_BASE: u32 = 0x8000;

macro_rules! builtins {
    ($($(#[doc = $doc:literal])* $code:literal $name:ident $mnemonic:literal $width:literal;)*) => {
        /// A value the engine gives every program. The discriminant is its id.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u32)]
        pub enum Builtin { $($(#[doc = $doc])* $name = $code,)* }

        impl Builtin {
            /// All of them, in order of id.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The built-in of an id.
            #[must_use]
            pub const fn from_id(id: u32) -> Option<Self> {
                match id { $($code => Some(Self::$name),)* _ => None }
            }

            /// Assembler name, and the shader library's constant in capitals.
            #[must_use]
            pub const fn mnemonic(self) -> &'static str {
                match self { $(Self::$name => $mnemonic,)* }
            }

            /// Lanes.
            #[must_use]
            pub const fn width(self) -> u32 {
                match self { $(Self::$name => $width,)* }
            }

            /// What it is, with its unit.
            #[must_use]
            pub const fn doc(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc,)*),)* }
            }
        }
    };
}

builtins! {
    /// Seconds this run advances: the step, or what is left of it for a newborn.
    0 DeltaTime "delta_time" 1;
    /// Effect time at the end of what this run advances, in seconds.
    1 Time "time" 1;
    /// Seconds since the emitter started.
    2 EmitterAge "emitter_age" 1;
    /// The emitter's place in simulation space, in metres, at this moment of the step.
    3 EmitterPosition "emitter_position" 3;
    /// The emitter's first axis in simulation space, with its scale.
    4 EmitterAxisX "emitter_axis_x" 3;
    /// The emitter's second axis in simulation space, with its scale.
    5 EmitterAxisY "emitter_axis_y" 3;
    /// The emitter's third axis in simulation space, with its scale.
    6 EmitterAxisZ "emitter_axis_z" 3;
    /// How fast the emitter moves, in metres a second.
    7 EmitterVelocity "emitter_velocity" 3;
    /// Which particle of its emitter this one is, from 0.
    8 ParticleOrdinal "particle_ordinal" 1;
    /// Where in its step the particle was born: 0 at the start, 1 at the end. After birth 0.
    9 SpawnFraction "spawn_fraction" 1;
    /// The emitter's place in the world, in metres.
    10 EmitterWorldPosition "emitter_world_position" 3;
    /// The emitter's first axis in the world, with its scale.
    11 EmitterWorldAxisX "emitter_world_axis_x" 3;
    /// The emitter's second axis in the world, with its scale.
    12 EmitterWorldAxisY "emitter_world_axis_y" 3;
    /// The emitter's third axis in the world, with its scale.
    13 EmitterWorldAxisZ "emitter_world_axis_z" 3;
    /// How fast the emitter moves in the world, in metres a second.
    14 EmitterWorldVelocity "emitter_world_velocity" 3;
}
