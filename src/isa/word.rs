//! The bit layout of an instruction.
//!
//! ```text
//! word 0   bits 0–7 opcode · 8–10 width (1–4) · 16–21 operand kinds, two bits each · 24–31 destination slot
//! word 1–3 operand words
//!          REG   bits 0–7 base slot · 8–15 swizzle, two bits a lane (lane i reads slot base + swizzle i)
//!          IMM   the bits of one f32, read in every lane
//!          NONE  a raw number the opcode reads for itself
//! ```

use super::ops::Op;

/// What an operand word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// A raw number, or no operand.
    None = 0,
    /// Registers.
    Reg = 1,
    /// One `f32` in every lane.
    Imm = 2,
}

impl Kind {
    /// The kind of a two-bit code.
    #[must_use]
    pub const fn from_code(code: u32) -> Option<Self> {
        match code {
            0 => Some(Self::None),
            1 => Some(Self::Reg),
            2 => Some(Self::Imm),
            _ => None,
        }
    }
}

/// Bit positions of word 0, injected into the shader library.
pub mod bits {
    /// First bit of the width.
    pub const WIDTH_SHIFT: u32 = 8;
    /// First bit of operand 0's kind; operand *i* is 2·*i* further.
    pub const KIND_SHIFT: u32 = 16;
    /// First bit of the destination slot.
    pub const DST_SHIFT: u32 = 24;
    /// First bit of lane 0's swizzle in a register operand; lane *i* is 2·*i* further.
    pub const SWIZZLE_SHIFT: u32 = 8;
}

/// The identity swizzle: lane *i* reads component *i*.
pub const SWIZZLE_XYZW: u8 = 0b11_10_01_00;

/// An operand, decoded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operand {
    /// No operand, or a raw number.
    Raw(u32),
    /// Registers from `base`, lane *i* reading component `swizzle >> 2i & 3`.
    Reg {
        /// First slot.
        base: u8,
        /// Two bits a lane.
        swizzle: u8,
    },
    /// A float in every lane, by its bits.
    Imm(u32),
}

impl Operand {
    /// Registers in order from `base`.
    #[must_use]
    pub const fn reg(base: u8) -> Self {
        Self::Reg {
            base,
            swizzle: SWIZZLE_XYZW,
        }
    }

    /// One register in every lane.
    #[must_use]
    pub const fn splat(slot: u8) -> Self {
        Self::Reg {
            base: slot,
            swizzle: 0,
        }
    }

    /// A float in every lane.
    #[must_use]
    pub const fn imm(value: f32) -> Self {
        Self::Imm(value.to_bits())
    }

    /// Its kind.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Raw(_) => Kind::None,
            Self::Reg { .. } => Kind::Reg,
            Self::Imm(_) => Kind::Imm,
        }
    }

    /// Its word.
    #[must_use]
    pub const fn word(self) -> u32 {
        match self {
            Self::Raw(raw) => raw,
            Self::Reg { base, swizzle } => base as u32 | (swizzle as u32) << bits::SWIZZLE_SHIFT,
            Self::Imm(value) => value,
        }
    }

    /// The slot that lane `lane` reads, for a register operand.
    #[must_use]
    pub const fn slot(self, lane: u32) -> Option<u32> {
        match self {
            Self::Reg { base, swizzle } => Some(base as u32 + ((swizzle >> (2 * lane)) & 3) as u32),
            _ => None,
        }
    }
}

/// One instruction: four words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Instruction(pub [u32; 4]);

impl Instruction {
    /// Packs an instruction. `width` is 1 to 4.
    #[must_use]
    pub const fn new(op: Op, width: u32, dst: u8, sources: [Operand; 3]) -> Self {
        let kinds =
            sources[0].kind() as u32 | (sources[1].kind() as u32) << 2 | (sources[2].kind() as u32) << 4;
        Self([
            op.code() as u32
                | width << bits::WIDTH_SHIFT
                | kinds << bits::KIND_SHIFT
                | (dst as u32) << bits::DST_SHIFT,
            sources[0].word(),
            sources[1].word(),
            sources[2].word(),
        ])
    }

    /// The opcode's number.
    #[must_use]
    pub const fn code(self) -> u8 {
        (self.0[0] & 0xff) as u8
    }

    /// The opcode, where the number is known.
    #[must_use]
    pub const fn op(self) -> Option<Op> {
        Op::from_code(self.code())
    }

    /// Lanes, 0 to 7; only 1 to 4 pass the verifier.
    #[must_use]
    pub const fn width(self) -> u32 {
        (self.0[0] >> bits::WIDTH_SHIFT) & 7
    }

    /// Destination slot.
    #[must_use]
    pub const fn dst(self) -> u8 {
        (self.0[0] >> bits::DST_SHIFT) as u8
    }

    /// Operand `index`'s kind code, 0 to 3.
    #[must_use]
    pub const fn kind_code(self, index: usize) -> u32 {
        (self.0[0] >> (bits::KIND_SHIFT + 2 * index as u32)) & 3
    }

    /// Operand `index`, 0 to 2. An unknown kind reads as raw.
    #[must_use]
    pub const fn operand(self, index: usize) -> Operand {
        let word = self.0[index + 1];
        match Kind::from_code(self.kind_code(index)) {
            Some(Kind::Reg) => Operand::Reg {
                base: (word & 0xff) as u8,
                swizzle: (word >> bits::SWIZZLE_SHIFT) as u8,
            },
            Some(Kind::Imm) => Operand::Imm(word),
            _ => Operand::Raw(word),
        }
    }

    /// Bits of word 0 and of register operands that no field owns; they must be 0.
    #[must_use]
    pub const fn stray_bits(self) -> bool {
        let mut stray = self.0[0] & 0x00c0_f800 != 0;
        let mut i = 0;
        while i < 3 {
            if self.kind_code(i) == Kind::Reg as u32 && self.0[i + 1] >> 16 != 0 {
                stray = true;
            }
            i += 1;
        }
        stray
    }
}
