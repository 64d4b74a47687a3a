//! Counter-based random numbers: a draw is a pure function of its key, never of a running stream.
//!
//! The key is (emitter seed, particle ordinal, node stream, lane, step), so adding, muting or reordering
//! nodes reshuffles nothing and a CPU run can be matched to a GPU run particle by particle. All of it is
//! integer arithmetic modulo 2³² and so exact on every device; `shaders/lib/rng.wgsl` is the same text.

/// The PCG output hash RXS-M-XS over one LCG step (Jarzynski and Olano, "Hash Functions for GPU Rendering",
/// JCGT 2020). The constants are injected into the shader library.
#[must_use]
pub fn pcg(value: u32) -> u32 {
    let state = value.wrapping_mul(PCG_MULTIPLIER).wrapping_add(PCG_INCREMENT);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(PCG_OUTPUT);
    (word >> 22) ^ word
}

/// Multiplier of the LCG step in [`pcg`].
pub const PCG_MULTIPLIER: u32 = 747_796_405;
/// Increment of the LCG step in [`pcg`].
pub const PCG_INCREMENT: u32 = 2_891_336_453;
/// Multiplier of the output permutation in [`pcg`].
pub const PCG_OUTPUT: u32 = 277_803_737;

/// What every draw of one particle at one step shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawKey {
    /// The emitter's seed.
    pub seed: u32,
    /// The particle's ordinal within its emitter.
    pub ordinal: u32,
    /// 0 at birth, else the emitter's own step count since its start.
    pub step: u32,
    /// The emitter's loop: the one the particle is born in, later the one the emitter is in.
    pub loop_index: u32,
}

/// Scope word of a draw that is new in every step.
pub const SCOPE_STEP: u32 = 0;
/// Scope word of a draw that is one and the same for a particle's life, as if drawn at birth.
pub const SCOPE_PARTICLE: u32 = 1;
/// Scope word of a draw that is one and the same for a loop of the emitter.
pub const SCOPE_LOOP: u32 = 2;
/// Scope word of a draw that is one and the same for the emitter as long as it plays.
pub const SCOPE_INSTANCE: u32 = 3;
/// Scope words there are.
pub const SCOPES: u32 = 4;

impl DrawKey {
    /// What all draws of a scope share: of a particle, of a loop or of the emitter. A seed is hashed once more
    /// for the wider scopes, so that they meet no particle's draws.
    #[must_use]
    pub fn root(self, scope: u32) -> u32 {
        match scope {
            SCOPE_LOOP => pcg(pcg(self.seed) ^ pcg(self.loop_index)),
            SCOPE_INSTANCE => pcg(pcg(self.seed)),
            _ => pcg(self.seed ^ pcg(self.ordinal)),
        }
    }

    /// The step that a scope's draws depend on: all but those of [`SCOPE_STEP`] are drawn once.
    #[must_use]
    pub const fn step_of(self, scope: u32) -> u32 {
        if scope == SCOPE_STEP { self.step } else { 0 }
    }
}

/// The 32 random bits of lane `lane` of `stream` in a scope. The ordinal is hashed before it meets the seed: otherwise
/// emitters with near seeds would share all their streams.
#[must_use]
pub fn draw_bits(key: DrawKey, scope: u32, stream: u32, lane: u32) -> u32 {
    let root = key.root(scope);
    pcg(pcg(root.wrapping_add(stream).wrapping_add(lane)).wrapping_add(key.step_of(scope)))
}

/// The seed that takes the emitter's place for what is drawn at birth in a loop.
#[must_use]
pub fn loop_seed(seed: u32, loop_index: u32) -> u32 {
    pcg(pcg(loop_index ^ LOOP_SALT) ^ seed)
}

/// Keeps the hashes of loops apart from those of ordinals.
pub const LOOP_SALT: u32 = 0x9e37_79b9;

/// 32 random bits to a float in [0, 1): the upper 24 bits, exact.
#[must_use]
pub fn unit(bits: u32) -> f32 {
    (bits >> 8) as f32 * UNIT_SCALE
}

/// A number in [0, 1) that the bits of `a` and `b` choose. All zeros are one, and all NaN.
#[must_use]
pub fn hash(a: f32, b: f32) -> f32 {
    unit(pcg(hash_word(a).wrapping_add(pcg(hash_word(b)))))
}

fn hash_word(value: f32) -> u32 {
    if value == 0.0 {
        0
    } else if value.is_nan() {
        HASH_NAN
    } else {
        value.to_bits()
    }
}

/// The word that [`hash()`] takes for any NaN.
pub const HASH_NAN: u32 = 0x7fc0_0000;

/// 2⁻²⁴: one step of [`unit()`].
pub const UNIT_SCALE: f32 = 1.0 / 16_777_216.0;
