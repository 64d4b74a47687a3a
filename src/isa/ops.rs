//! The opcode table.
//!
//! One line states an opcode: number, name, mnemonic, shape, tolerance on hardware, what it computes, what
//! edge cases give, the WGSL expression over `vec4f` operands `a`, `b`, `c`, and the Rust expression over one
//! lane. Ops are defined by portable formulas so that executors agree bit for bit, NaN and infinities
//! included, wherever the device rounds to nearest even: a minimum is `a < b ? a : b` and never the
//! language's own. A body with a product that feeds a sum is fenced on the GPU (`fence`), because a driver
//! may otherwise fuse the two roundings into one.

/// Calls `$callback!` with the whole opcode table. See the module's text for the columns.
#[macro_export]
macro_rules! for_each_op {
    ($callback:ident) => {
        $callback! {
            special {
                0x00 Nop        "nop"        Nop        "Does nothing." "–";
                0x01 LoadConst  "load_const" LoadConst  "dst = constant s0, its first lanes." "Bits are kept.";
                0x02 LoadBuiltin "load_builtin" LoadBuiltin "dst = built-in s0; from EMITTER_FIELD_BASE up a word of the emitter's fields, from GLOBAL_FIELD_BASE up a global field." "Bits are kept.";
                0x03 LoadField  "load_field" LoadField  "dst = the record's words from s0." "Bits are kept.";
                0x04 StoreField "store_field" StoreField "the record's words from s0 = s1." "Bits are kept.";
                0x05 Kill       "kill"       Kill       "Ends the particle at the end of the step where s0 is not 0." "−0 is 0; NaN is not 0 and kills.";
                0x06 Random     "random"     Random     "dst = random numbers in [0, 1), a function of (seed, ordinal, stream s0, lane, step); scope s1: 0 a new draw every step, 1 one for the particle's life, 2 one for the emitter's loop, 3 one for the emitter." "Never 1.";
                0x07 SampleWind "sample_wind" SampleWind "dst = the wind at the place s0 in the world, in metres a second." "Still air without a field; past its sides the nearest point holds; NaN counts as the first point.";
            }
            reserved {
                0x08 "emit_event" "events for other emitters";
            }
            lanes {
                0x10 Mov   "mov"   1 exact   "dst = a" "Bits are kept." "a" { |a| a };
                0x11 Add   "add"   2 exact   "dst = a + b" "IEEE: inf − inf is NaN." "a + b" { |a, b| a + b };
                0x12 Sub   "sub"   2 exact   "dst = a − b" "IEEE: inf − inf is NaN." "a - b" { |a, b| a - b };
                0x13 Mul   "mul"   2 exact   "dst = a · b" "IEEE: 0 · inf is NaN." "a * b" { |a, b| a * b };
                0x14 Div   "div"   2 ulp(3)  "dst = a / b" "IEEE: x/0 is ±inf, 0/0 is NaN." "a / b" { |a, b| a / b };
                0x15 Mad   "mad"   3 exact   "dst = a · b + c, rounded twice" "As mul, then add." "fence(a * b) + c" { |a, b, c| a * b + c };
                0x16 Neg   "neg"   1 exact   "dst = −a" "Flips the sign, of NaN too." "op_neg(a)" { |a| f32::from_bits(a.to_bits() ^ 0x8000_0000) };
                0x17 Abs   "abs"   1 exact   "dst = |a|" "Clears the sign, of NaN too." "op_abs(a)" { |a| f32::from_bits(a.to_bits() & 0x7fff_ffff) };
                0x18 Min   "min"   2 exact   "dst = a < b ? a : b" "With a NaN: b." "op_min(a, b)" { |a, b| if a < b { a } else { b } };
                0x19 Max   "max"   2 exact   "dst = a > b ? a : b" "With a NaN: b." "op_max(a, b)" { |a, b| if a > b { a } else { b } };
                0x1a Floor "floor" 1 exact   "dst = the largest integer not above a" "±inf and NaN are kept." "floor(a)" { |a| a.floor() };
                0x1b Fract "fract" 1 exact   "dst = a − floor(a)" "±inf and NaN give NaN." "a - floor(a)" { |a| a - a.floor() };
                0x1c Sqrt  "sqrt"  1 ulp(2)  "dst = √a" "Below 0 and NaN: NaN; −0 is kept." "sqrt(a)" { |a| a.sqrt() };
                0x1d Rsqrt "rsqrt" 1 ulp(3)  "dst = 1 / √a" "0 gives inf, below 0 and NaN give NaN." "vec4f(1.0) / sqrt(a)" { |a| 1.0 / a.sqrt() };
                0x1e Ceil  "ceil"  1 exact   "dst = the smallest integer not below a" "±inf and NaN are kept; above −1 and below 0: −0." "ceil(a)" { |a| a.ceil() };
                0x1f Round "round" 1 exact   "dst = the integer nearest to a, an even one where two are" "±inf and NaN are kept." "round(a)" { |a| a.round_ties_even() };
                0x20 Sin   "sin"   1 ulp(4)  "dst = sin a, a in radians" "Past ±65,536 as for 0; NaN is kept." "op_sin(a)" { |a| poly::sin(a) };
                0x21 Cos   "cos"   1 ulp(4)  "dst = cos a, a in radians" "Past ±65,536 as for 0; NaN is kept." "op_cos(a)" { |a| poly::cos(a) };
                0x22 Exp2  "exp2"  1 ulp(4)  "dst = 2 to the a" "Below −126: 0; above 127 and NaN: 2¹²⁷." "op_exp2(a)" { |a| poly::exp2(a) };
                0x23 Log2  "log2"  1 ulp(4)  "dst = the binary logarithm of a" "0, denormals and below 0: −126; inf gives 128; NaN is kept." "op_log2(a)" { |a| poly::log2(a) };
                0x24 Trunc "trunc" 1 exact   "dst = a without its fraction" "±inf and NaN are kept." "trunc(a)" { |a| a.trunc() };
                0x25 Sign  "sign"  1 exact   "dst = 1 with the sign of a, and a itself where a is 0" "NaN is kept." "op_sign(a)" { |a| if a == 0.0 || a.is_nan() { a } else { f32::from_bits(a.to_bits() & 0x8000_0000 | 0x3f80_0000) } };
                0x26 Hash  "hash"  2 exact   "dst = a number in [0, 1) that the bits of a and b choose; chained, it hashes any number of lanes" "−0 is 0; all NaN are one." "op_hash(a, b)" { |a, b| hash(a, b) };
                0x30 CmpLt "cmp_lt" 2 exact  "dst = a < b ? 1 : 0" "With a NaN: 0." "op_bool(a < b)" { |a, b| if a < b { 1.0 } else { 0.0 } };
                0x31 CmpLe "cmp_le" 2 exact  "dst = a ≤ b ? 1 : 0" "With a NaN: 0." "op_bool(a <= b)" { |a, b| if a <= b { 1.0 } else { 0.0 } };
                0x32 CmpEq "cmp_eq" 2 exact  "dst = a = b ? 1 : 0" "With a NaN: 0; −0 = 0." "op_bool(a == b)" { |a, b| if a == b { 1.0 } else { 0.0 } };
                0x33 Select "select" 3 exact "dst = a = 0 ? c : b, lane by lane" "−0 chooses c; NaN chooses b." "op_select(a, b, c)" { |a, b, c| if a == 0.0 { c } else { b } };
                0x34 And   "and"   2 exact   "dst = a and b are both not 0 ? 1 : 0" "−0 is 0; NaN is not 0." "op_and(a, b)" { |a, b| if a == 0.0 || b == 0.0 { 0.0 } else { 1.0 } };
                0x35 Or    "or"    2 exact   "dst = a or b is not 0 ? 1 : 0" "−0 is 0; NaN is not 0." "op_or(a, b)" { |a, b| if a == 0.0 && b == 0.0 { 0.0 } else { 1.0 } };
                0x36 Not   "not"   1 exact   "dst = a is 0 ? 1 : 0" "−0 is 0; NaN is not 0." "op_bool(a == vec4f(0.0))" { |a| if a == 0.0 { 1.0 } else { 0.0 } };
            }
            reduce {
                0x40 Dot "dot" ulp(8) "dst = the sum of a · b over the lanes, from the first" "IEEE, lane by lane." "op_dot(a, b, width)";
            }
        }
    };
}

/// How a hardware result may differ from the scalar executor's. On software Vulkan nothing may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tolerance {
    /// Equal bits (±0 and flushed denormals aside).
    Exact,
    /// Within so many units in the last place of the largest operand or the result.
    Ulp(u32),
}

/// What an opcode does with its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// No operands, no result.
    Nop,
    /// `dst ← constant`, s0 raw: constant index.
    LoadConst,
    /// `dst ← built-in`, s0 raw: id.
    LoadBuiltin,
    /// `dst ← record`, s0 raw: word.
    LoadField,
    /// `record ← s1`, s0 raw: word.
    StoreField,
    /// s0: a value of width 1.
    Kill,
    /// `dst ← random`, s0 raw: stream; s1 raw: scope.
    Random,
    /// `dst ← wind`, s0: a place, three lanes.
    SampleWind,
    /// `dst ← f(s0 …)`, lane by lane, with so many sources.
    Lanes(u8),
    /// A scalar `dst` from two sources of the instruction's width.
    Reduce,
}

impl Shape {
    /// How many sources are read as values, and which slots they stand in.
    #[must_use]
    pub const fn value_sources(self) -> &'static [usize] {
        match self {
            Self::Nop | Self::LoadConst | Self::LoadBuiltin | Self::LoadField | Self::Random => &[],
            Self::StoreField => &[1],
            Self::Kill | Self::SampleWind | Self::Lanes(1) => &[0],
            Self::Lanes(2) | Self::Reduce => &[0, 1],
            Self::Lanes(_) => &[0, 1, 2],
        }
    }

    /// Lanes that an instruction of width `width` reads of each value source.
    #[must_use]
    pub const fn lanes_read(self, width: u32) -> u32 {
        match self {
            Self::Kill => 1,
            _ => width,
        }
    }

    /// Which sources are raw words.
    #[must_use]
    pub const fn raw_sources(self) -> &'static [usize] {
        match self {
            Self::LoadConst | Self::LoadBuiltin | Self::LoadField | Self::StoreField => &[0],
            Self::Random => &[0, 1],
            _ => &[],
        }
    }

    /// Lanes written to `dst` by an instruction of width `width`, or 0.
    #[must_use]
    pub const fn result_width(self, width: u32) -> u32 {
        match self {
            Self::Nop | Self::StoreField | Self::Kill => 0,
            Self::Reduce => 1,
            _ => width,
        }
    }
}

/// Everything the table says of an opcode.
#[derive(Debug, Clone, Copy)]
pub struct OpInfo {
    /// The opcode.
    pub op: Op,
    /// Wire number.
    pub code: u8,
    /// Assembler name.
    pub mnemonic: &'static str,
    /// Operands.
    pub shape: Shape,
    /// What hardware may differ by.
    pub tolerance: Tolerance,
    /// What it computes.
    pub doc: &'static str,
    /// What zero, negative, infinite and NaN inputs give.
    pub edges: &'static str,
    /// WGSL over `vec4f` operands `a`, `b`, `c` and `width: u32`; empty for those the interpreter writes out.
    pub wgsl: &'static str,
}

macro_rules! tolerance {
    (exact) => {
        Tolerance::Exact
    };
    (ulp $n:literal) => {
        Tolerance::Ulp($n)
    };
}

macro_rules! declare_ops {
    (
        special { $($sc:literal $sn:ident $sm:literal $shape:ident $sd:literal $se:literal;)* }
        reserved { $($rc:literal $rm:literal $rd:literal;)* }
        lanes { $($lc:literal $ln:ident $lm:literal $arity:literal $lt:ident $(($lu:literal))? $ld:literal $le:literal $lw:literal { $($cpu:tt)* };)* }
        reduce { $($dc:literal $dn:ident $dm:literal $dt:ident $(($du:literal))? $dd:literal $de:literal $dw:literal;)* }
    ) => {
        /// An opcode. The discriminant is its wire number.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Op {
            $(#[doc = $sd] $sn = $sc,)*
            $(#[doc = $ld] $ln = $lc,)*
            $(#[doc = $dd] $dn = $dc,)*
        }

        /// The table, in order of number.
        pub const OPS: &[OpInfo] = &[
            $(OpInfo { op: Op::$sn, code: $sc, mnemonic: $sm, shape: Shape::$shape, tolerance: Tolerance::Exact, doc: $sd, edges: $se, wgsl: "" },)*
            $(OpInfo { op: Op::$ln, code: $lc, mnemonic: $lm, shape: Shape::Lanes($arity), tolerance: tolerance!($lt $($lu)?), doc: $ld, edges: $le, wgsl: $lw },)*
            $(OpInfo { op: Op::$dn, code: $dc, mnemonic: $dm, shape: Shape::Reduce, tolerance: tolerance!($dt $($du)?), doc: $dd, edges: $de, wgsl: $dw },)*
        ];

        /// Numbers kept for opcodes to come, with their names and purposes.
        pub const RESERVED: &[(u8, &str, &str)] = &[$(($rc, $rm, $rd),)*];

        impl Op {
            /// The opcode of a wire number.
            #[must_use]
            pub const fn from_code(code: u8) -> Option<Self> {
                match code {
                    $($sc => Some(Self::$sn),)*
                    $($lc => Some(Self::$ln),)*
                    $($dc => Some(Self::$dn),)*
                    _ => None,
                }
            }
        }
    };
}

crate::for_each_op!(declare_ops);

/// Where each opcode's line stands in [`OPS`].
const PLACES: [u8; 256] = {
    let mut places = [0; 256];
    let mut place = 0;
    while place < OPS.len() {
        places[OPS[place].code as usize] = place as u8;
        place += 1;
    }
    places
};

impl Op {
    /// Wire number.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// What the table says of it.
    #[must_use]
    pub const fn info(self) -> &'static OpInfo {
        &OPS[PLACES[self as usize] as usize]
    }

    /// The opcode of an assembler name.
    #[must_use]
    pub fn from_mnemonic(name: &str) -> Option<Self> {
        match name {
            // Older spellings of the field opcodes still load.
            "load_attr" => Some(Self::LoadField),
            "store_attr" => Some(Self::StoreField),
            _ => OPS.iter().find(|info| info.mnemonic == name).map(|info| info.op),
        }
    }
}
