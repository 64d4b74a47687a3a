//! The scalar executor: one particle, one section, one instruction after another. It is written to be read:
//! it is the definition.

use super::poly;
use super::wind::WindField;
use crate::base::rng::{DrawKey, draw_bits, hash, unit};
use crate::isa::builtin::{Builtin, EMITTER_FIELD_BASE, GLOBAL_FIELD_BASE};
use crate::isa::{Instruction, MAX_REGISTERS, Op, Operand, RECORD_WORDS};

/// Values of the built-ins for one run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Builtins {
    values: [[f32; 3]; Builtin::ALL.len()],
}

impl Builtins {
    /// Sets a scalar built-in.
    pub fn set(&mut self, builtin: Builtin, value: f32) {
        self.values[builtin as usize][0] = value;
    }

    /// Sets a vector built-in.
    pub fn set3(&mut self, builtin: Builtin, value: [f32; 3]) {
        self.values[builtin as usize] = value;
    }

    /// A built-in's lanes; lanes it has not are 0.
    #[must_use]
    pub fn get(&self, builtin: Builtin) -> [f32; 3] {
        self.values[builtin as usize]
    }
}

/// What a program reads besides its particle.
#[derive(Debug, Clone, Copy)]
pub struct Environment<'a> {
    /// The program's constants.
    pub constants: &'a [[u32; 4]],
    /// The emitter's fields.
    pub emitter_fields: &'a [u32],
    /// The global section, or the program's imports packed in order, four words each, if it is not linked.
    pub globals: &'a [u32],
    /// The engine's values.
    pub builtins: &'a Builtins,
    /// Key of the random draws.
    pub key: DrawKey,
    /// The wind; none is still air.
    pub wind: Option<&'a WindField>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// Whether the particle ends at the end of this step.
    pub killed: bool,
}

/// Runs one section over one record. Words out of range read as 0 and are not written; a verified program
/// has none.
pub fn run(
    code: &[Instruction],
    env: &Environment<'_>,
    record: &mut [u32; RECORD_WORDS as usize],
) -> Outcome {
    let mut machine = Machine {
        registers: [0; MAX_REGISTERS as usize + 4],
    };
    let mut outcome = Outcome::default();
    for &instruction in code {
        outcome.killed |= machine.step(instruction, env, record);
    }
    outcome
}

/// The register file, a word a slot. It starts at 0, though no verified program reads a slot it did not write.
#[derive(Debug, Clone)]
pub struct Machine {
    registers: [u32; MAX_REGISTERS as usize + 4],
}

impl Default for Machine {
    fn default() -> Self {
        Self {
            registers: [0; MAX_REGISTERS as usize + 4],
        }
    }
}

impl Machine {
    /// Runs one instruction. True where it killed the particle.
    pub fn step(
        &mut self,
        instruction: Instruction,
        env: &Environment<'_>,
        record: &mut [u32; RECORD_WORDS as usize],
    ) -> bool {
        let Some(op) = instruction.op() else { return false };
        let width = instruction.width().min(4) as usize;
        let raw = instruction.0[1];
        // Arrays are written out here and below: `map` over them is a call that is not always inlined.
        let a = self.read(instruction.operand(0));
        let b = self.read(instruction.operand(1));
        let c = self.read(instruction.operand(2));
        let mut result = [0u32; 4];
        match op {
            Op::Nop => return false,
            Op::Kill => return f32::from_bits(a[0]) != 0.0,
            Op::StoreField => {
                for (lane, value) in b.iter().take(width).enumerate() {
                    if let Some(word) = record.get_mut(raw as usize + lane) {
                        *word = *value;
                    }
                }
                return false;
            }
            Op::LoadConst => result = env.constants.get(raw as usize).copied().unwrap_or_default(),
            Op::LoadField => {
                for (lane, value) in result.iter_mut().take(width).enumerate() {
                    *value = record.get(raw as usize + lane).copied().unwrap_or(0);
                }
            }
            Op::LoadBuiltin => result = builtin(raw, env),
            Op::Random => {
                for (lane, word) in result.iter_mut().enumerate() {
                    *word = unit(draw_bits(env.key, instruction.0[2], raw, lane as u32)).to_bits();
                }
            }
            Op::SampleWind => {
                let place = [a[0], a[1], a[2]].map(f32::from_bits);
                let wind = env.wind.map_or([0.0; 3], |field| field.sample(place));
                result[..3].copy_from_slice(&wind.map(f32::to_bits));
            }
            _ => lanes(op, width, a, b, c, &mut result),
        }
        let lanes = op.info().shape.result_width(width as u32) as usize;
        let dst = usize::from(instruction.dst());
        self.registers[dst..dst + lanes].copy_from_slice(&result[..lanes]);
        false
    }

    /// A slot's word.
    #[must_use]
    pub fn register(&self, slot: u8) -> u32 {
        self.registers[usize::from(slot)]
    }

    /// The words of an operand, lane by lane.
    #[must_use]
    pub fn read(&self, operand: Operand) -> [u32; 4] {
        match operand {
            Operand::Imm(bits) => [bits; 4],
            Operand::Reg { base, swizzle } => {
                let first = usize::from(base);
                let word = |lane: u32| self.registers[first + usize::from(swizzle >> (2 * lane) & 3)];
                [word(0), word(1), word(2), word(3)]
            }
            Operand::Raw(_) => [0; 4],
        }
    }
}

fn builtin(id: u32, env: &Environment<'_>) -> [u32; 4] {
    let words = |section: &[u32], first: u32| {
        [0, 1, 2, 3].map(|lane| section.get((first + lane) as usize).copied().unwrap_or(0))
    };
    if let Some(word) = id.checked_sub(GLOBAL_FIELD_BASE) {
        words(env.globals, word)
    } else if let Some(word) = id.checked_sub(EMITTER_FIELD_BASE) {
        words(env.emitter_fields, word)
    } else {
        let [x, y, z] = Builtin::from_id(id).map_or([0.0; 3], |builtin| env.builtins.get(builtin));
        [x.to_bits(), y.to_bits(), z.to_bits(), 0]
    }
}

/// Applies a lane-wise or reducing opcode. Every such line of the table is expanded here, so an opcode
/// without a CPU body does not compile.
fn lanes(op: Op, width: usize, a: [u32; 4], b: [u32; 4], c: [u32; 4], result: &mut [u32; 4]) {
    macro_rules! expand {
        (
            special { $($s:tt)* }
            reserved { $($r:tt)* }
            lanes { $($code:literal $name:ident $m:literal $arity:tt $tol:ident $(($u:literal))? $d:literal $e:literal $w:literal { $cpu:expr };)* }
            reduce { $($rcode:literal $rname:ident $rest:tt $rt:ident $(($ru:literal))? $rd:literal $re:literal $rw:literal;)* }
        ) => {
            match op {
                $(Op::$name => {
                    for lane in 0..width {
                        result[lane] = apply!($arity, $cpu, a[lane], b[lane], c[lane]).to_bits();
                    }
                })*
                $(Op::$rname => reduce::$rname(width, a, b, result),)*
                _ => {}
            }
        };
    }
    macro_rules! apply {
        (1, $f:expr, $a:expr, $b:expr, $c:expr) => {
            call1($f, $a)
        };
        (2, $f:expr, $a:expr, $b:expr, $c:expr) => {
            call2($f, $a, $b)
        };
        (3, $f:expr, $a:expr, $b:expr, $c:expr) => {
            call3($f, $a, $b, $c)
        };
    }
    crate::for_each_op!(expand);
}

#[inline(always)]
fn call1(f: impl Fn(f32) -> f32, a: u32) -> f32 {
    f(f32::from_bits(a))
}
#[inline(always)]
fn call2(f: impl Fn(f32, f32) -> f32, a: u32, b: u32) -> f32 {
    f(f32::from_bits(a), f32::from_bits(b))
}
#[inline(always)]
fn call3(f: impl Fn(f32, f32, f32) -> f32, a: u32, b: u32, c: u32) -> f32 {
    f(f32::from_bits(a), f32::from_bits(b), f32::from_bits(c))
}

/// Reducing opcodes, by the table's names.
#[allow(
    non_snake_case,
    reason = "named as the table names the opcodes, so that the macro finds them"
)]
mod reduce {
    pub(super) fn Dot(width: usize, a: [u32; 4], b: [u32; 4], result: &mut [u32; 4]) {
        let product = |lane: usize| f32::from_bits(a[lane]) * f32::from_bits(b[lane]);
        let mut sum = product(0);
        for lane in 1..width {
            sum += product(lane);
        }
        result[0] = sum.to_bits();
    }
}
