//! The batched executor: one instruction after another, each over many particles of one emitter.
//!
//! Registers are arrays with an entry a particle, so decoding is paid once for [`LANES`] particles and the
//! loops become vector instructions. It gives the bits of the scalar executor, which defines them: bodies come
//! from the same lines of the opcode table.

use super::scalar::Builtins;
use super::wind::WindField;
use crate::base::rng::{DrawKey, SCOPE_LOOP, hash, pcg, unit};
use crate::isa::builtin::{Builtin, EMITTER_FIELD_BASE, GLOBAL_FIELD_BASE};
use crate::isa::{Instruction, MAX_REGISTERS, Op, Operand, RECORD_WORDS, Shape};
use crate::vm::poly;

/// Particles of a batch.
pub const LANES: usize = 128;

/// A register: a word for each particle.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
struct Lane([u32; LANES]);

impl Lane {
    fn new() -> Box<Self> {
        Box::new(Self([0; LANES]))
    }
}

/// What the particles of a batch share.
#[derive(Debug, Clone, Copy)]
pub struct Shared<'a> {
    /// The program's constants.
    pub constants: &'a [[u32; 4]],
    /// The emitter's fields.
    pub emitter_fields: &'a [u32],
    /// The global section.
    pub globals: &'a [u32],
    /// The engine's values; the ordinal in it is not read.
    pub builtins: &'a Builtins,
    /// The emitter's seed.
    pub seed: u32,
    /// The emitter's own step count.
    pub step: u32,
    /// The emitter's loop.
    pub loop_index: u32,
    /// The wind; none is still air.
    pub wind: Option<&'a WindField>,
}

/// The register file and scratch of a batch; made once, used for all.
#[derive(Debug)]
#[allow(
    clippy::vec_box,
    reason = "an instruction's result is swapped into its register, pointer for pointer"
)]
pub struct Batch {
    registers: Vec<Box<Lane>>,
    spare: [Box<Lane>; 4],
    splats: [Box<Lane>; 3],
    ordinals: Box<Lane>,
    keys: Box<Lane>,
    killed: Box<Lane>,
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            registers: (0..MAX_REGISTERS as usize + 4).map(|_| Lane::new()).collect(),
            spare: std::array::from_fn(|_| Lane::new()),
            splats: std::array::from_fn(|_| Lane::new()),
            ordinals: Lane::new(),
            keys: Lane::new(),
            killed: Lane::new(),
        }
    }
}

/// A source of a lane: an entry a particle, or one for all.
#[derive(Clone, Copy)]
enum Source<'a> {
    Each(&'a [u32; LANES]),
    One(u32),
}

impl Batch {
    /// Runs a section over the records in `slots`, at most [`LANES`]; `ordinals` has one for each. True for
    /// each particle that the program ended.
    pub fn run(
        &mut self,
        code: &[Instruction],
        shared: &Shared<'_>,
        records: &mut [[u32; RECORD_WORDS as usize]],
        slots: &[u32],
        ordinal_word: u32,
    ) -> [bool; LANES] {
        let slots = &slots[..slots.len().min(LANES)];
        for (i, &slot) in slots.iter().enumerate() {
            self.ordinals.0[i] = records[slot as usize][ordinal_word as usize];
        }
        let seed = shared.seed;
        for (key, ordinal) in self.keys.0.iter_mut().zip(&self.ordinals.0) {
            *key = pcg(seed ^ pcg(*ordinal));
        }
        self.killed.0.fill(0);
        execute(self, code, shared, records, slots);
        let mut ended = [false; LANES];
        for (flag, word) in ended.iter_mut().zip(&self.killed.0) {
            *flag = *word != 0;
        }
        ended
    }
}

fn execute(
    batch: &mut Batch,
    code: &[Instruction],
    shared: &Shared<'_>,
    records: &mut [[u32; RECORD_WORDS as usize]],
    slots: &[u32],
) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[allow(
            unsafe_code,
            reason = "the only way to call code compiled for a feature the target lacks"
        )]
        // SAFETY: the processor has just been found to have AVX2, which is all the callee was compiled for.
        unsafe {
            execute_avx2(batch, code, shared, records, slots);
        }
        return;
    }
    execute_body(batch, code, shared, records, slots);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn execute_avx2(
    batch: &mut Batch,
    code: &[Instruction],
    shared: &Shared<'_>,
    records: &mut [[u32; RECORD_WORDS as usize]],
    slots: &[u32],
) {
    execute_body(batch, code, shared, records, slots);
}

#[inline(always)]
fn execute_body(
    batch: &mut Batch,
    code: &[Instruction],
    shared: &Shared<'_>,
    records: &mut [[u32; RECORD_WORDS as usize]],
    slots: &[u32],
) {
    for &instruction in code {
        let Some(op) = instruction.op() else { continue };
        let shape = op.info().shape;
        let width = instruction.width().min(4) as usize;
        let raw = instruction.0[1];
        match shape {
            Shape::Nop => {}
            Shape::Kill => kill(batch, instruction.operand(0)),
            Shape::StoreField => store(batch, instruction.operand(1), width, raw as usize, records, slots),
            Shape::LoadField => {
                for lane in 0..width {
                    let word = raw as usize + lane;
                    if word < RECORD_WORDS as usize {
                        for (value, &slot) in batch.spare[lane].0.iter_mut().zip(slots) {
                            *value = records[slot as usize][word];
                        }
                    }
                }
            }
            Shape::LoadConst => {
                let constant = shared.constants.get(raw as usize).copied().unwrap_or_default();
                for (spare, value) in batch.spare.iter_mut().zip(constant).take(width) {
                    spare.0.fill(value);
                }
            }
            Shape::LoadBuiltin => builtin(batch, raw, width, shared),
            Shape::Random => {
                let scope = instruction.0[2];
                let key = DrawKey {
                    seed: shared.seed,
                    ordinal: 0,
                    step: shared.step,
                    loop_index: shared.loop_index,
                };
                let (root, step) = (key.root(scope), key.step_of(scope));
                let draw = |root: u32, salt: u32| {
                    unit(pcg(pcg(root.wrapping_add(salt)).wrapping_add(step))).to_bits()
                };
                for lane in 0..width {
                    let salt = raw.wrapping_add(lane as u32);
                    if scope >= SCOPE_LOOP {
                        batch.spare[lane].0.fill(draw(root, salt));
                        continue;
                    }
                    for (value, root) in batch.spare[lane].0.iter_mut().zip(&batch.keys.0) {
                        *value = draw(*root, salt);
                    }
                }
            }
            Shape::SampleWind => wind(batch, instruction.operand(0), shared.wind),
            Shape::Lanes(_) => lanes(batch, op, width, instruction),
            Shape::Reduce => dot(batch, width, instruction),
        }
        let results = shape.result_width(width as u32) as usize;
        let dst = usize::from(instruction.dst());
        for lane in 0..results {
            std::mem::swap(&mut batch.registers[dst + lane], &mut batch.spare[lane]);
        }
    }
}

/// What lane `lane` of an operand reads.
#[inline(always)]
fn source(registers: &[Box<Lane>], operand: Operand, lane: usize) -> Source<'_> {
    match operand {
        Operand::Imm(bits) => Source::One(bits),
        Operand::Reg { .. } => Source::Each(&registers[operand.slot(lane as u32).unwrap_or(0) as usize].0),
        Operand::Raw(_) => Source::One(0),
    }
}

#[inline(always)]
fn kill(batch: &mut Batch, operand: Operand) {
    match source(&batch.registers, operand, 0) {
        Source::Each(values) => {
            for (flag, value) in batch.killed.0.iter_mut().zip(values) {
                *flag |= u32::from(f32::from_bits(*value) != 0.0);
            }
        }
        Source::One(value) => {
            let ends = u32::from(f32::from_bits(value) != 0.0);
            batch.killed.0.iter_mut().for_each(|flag| *flag |= ends);
        }
    }
}

#[inline(always)]
fn store(
    batch: &Batch,
    operand: Operand,
    width: usize,
    first: usize,
    records: &mut [[u32; RECORD_WORDS as usize]],
    slots: &[u32],
) {
    for lane in 0..width {
        let word = first + lane;
        if word >= RECORD_WORDS as usize {
            return;
        }
        match source(&batch.registers, operand, lane) {
            Source::Each(values) => {
                for (&slot, value) in slots.iter().zip(values) {
                    records[slot as usize][word] = *value;
                }
            }
            Source::One(value) => {
                for &slot in slots {
                    records[slot as usize][word] = value;
                }
            }
        }
    }
}

#[inline(always)]
fn builtin(batch: &mut Batch, id: u32, width: usize, shared: &Shared<'_>) {
    if id == Builtin::ParticleOrdinal as u32 {
        for (value, ordinal) in batch.spare[0].0.iter_mut().zip(&batch.ordinals.0) {
            *value = (*ordinal as f32).to_bits();
        }
        return;
    }
    for lane in 0..width {
        let word = |section: &[u32], first: u32| section.get(first as usize + lane).copied().unwrap_or(0);
        let value = if let Some(first) = id.checked_sub(GLOBAL_FIELD_BASE) {
            word(shared.globals, first)
        } else if let Some(first) = id.checked_sub(EMITTER_FIELD_BASE) {
            word(shared.emitter_fields, first)
        } else {
            let values = Builtin::from_id(id).map_or([0.0; 3], |builtin| shared.builtins.get(builtin));
            values.get(lane).map_or(0, |value| value.to_bits())
        };
        batch.spare[lane].0.fill(value);
    }
}

#[inline(always)]
fn wind(batch: &mut Batch, operand: Operand, field: Option<&WindField>) {
    let Some(field) = field else {
        batch.spare[..3].iter_mut().for_each(|lane| lane.0.fill(0));
        return;
    };
    for i in 0..LANES {
        let place = [0, 1, 2].map(|lane| match source(&batch.registers, operand, lane) {
            Source::Each(values) => f32::from_bits(values[i]),
            Source::One(value) => f32::from_bits(value),
        });
        for (lane, value) in batch.spare.iter_mut().zip(field.sample(place)) {
            lane.0[i] = value.to_bits();
        }
    }
}

#[inline(always)]
fn dot(batch: &mut Batch, width: usize, instruction: Instruction) {
    let (first, second) = (instruction.operand(0), instruction.operand(1));
    for lane in 0..width {
        let [a, b] = [first, second].map(|operand| source(&batch.registers, operand, lane));
        let sum = &mut batch.spare[0].0;
        two(&mut batch.splats[0].0, a, b, |a, b| a * b);
        if lane == 0 {
            sum.copy_from_slice(&batch.splats[0].0);
        } else {
            for (sum, product) in sum.iter_mut().zip(&batch.splats[0].0) {
                *sum = (f32::from_bits(*sum) + f32::from_bits(*product)).to_bits();
            }
        }
    }
}

#[inline(always)]
fn one(out: &mut [u32; LANES], a: Source<'_>, f: impl Fn(f32) -> f32) {
    match a {
        Source::Each(a) => {
            for (out, a) in out.iter_mut().zip(a) {
                *out = f(f32::from_bits(*a)).to_bits();
            }
        }
        Source::One(a) => out.fill(f(f32::from_bits(a)).to_bits()),
    }
}

#[inline(always)]
fn two(out: &mut [u32; LANES], a: Source<'_>, b: Source<'_>, f: impl Fn(f32, f32) -> f32) {
    match (a, b) {
        (Source::Each(a), Source::Each(b)) => {
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                *out = f(f32::from_bits(*a), f32::from_bits(*b)).to_bits();
            }
        }
        (Source::Each(a), Source::One(b)) => {
            let b = f32::from_bits(b);
            for (out, a) in out.iter_mut().zip(a) {
                *out = f(f32::from_bits(*a), b).to_bits();
            }
        }
        (Source::One(a), Source::Each(b)) => {
            let a = f32::from_bits(a);
            for (out, b) in out.iter_mut().zip(b) {
                *out = f(a, f32::from_bits(*b)).to_bits();
            }
        }
        (Source::One(a), Source::One(b)) => out.fill(f(f32::from_bits(a), f32::from_bits(b)).to_bits()),
    }
}

#[inline(always)]
fn three(
    out: &mut [u32; LANES],
    sources: [Source<'_>; 3],
    splats: &mut [Box<Lane>; 3],
    f: impl Fn(f32, f32, f32) -> f32,
) {
    for (source, splat) in sources.iter().zip(splats.iter_mut()) {
        if let Source::One(value) = source {
            splat.0.fill(*value);
        }
    }
    let [a, b, c] = [0, 1, 2].map(|i| match sources[i] {
        Source::Each(values) => values,
        Source::One(_) => &splats[i].0,
    });
    for (((out, a), b), c) in out.iter_mut().zip(a).zip(b).zip(c) {
        *out = f(f32::from_bits(*a), f32::from_bits(*b), f32::from_bits(*c)).to_bits();
    }
}

/// Lane-wise opcodes. Every such line of the table is expanded here, so one without a body does not compile.
#[inline(always)]
fn lanes(batch: &mut Batch, op: Op, width: usize, instruction: Instruction) {
    let operands = [0, 1, 2].map(|operand| instruction.operand(operand));
    let Batch {
        registers,
        spare,
        splats,
        ..
    } = batch;
    macro_rules! apply {
        (1, $f:expr) => {
            for lane in 0..width {
                one(&mut spare[lane].0, source(registers, operands[0], lane), $f);
            }
        };
        (2, $f:expr) => {
            for lane in 0..width {
                let [a, b] = [0, 1].map(|i: usize| source(registers, operands[i], lane));
                two(&mut spare[lane].0, a, b, $f);
            }
        };
        (3, $f:expr) => {
            for lane in 0..width {
                let sources = [0, 1, 2].map(|i: usize| source(registers, operands[i], lane));
                three(&mut spare[lane].0, sources, splats, $f);
            }
        };
    }
    macro_rules! expand {
        (
            special { $($s:tt)* }
            reserved { $($r:tt)* }
            lanes { $($code:literal $name:ident $m:literal $arity:tt $tol:ident $(($u:literal))? $d:literal $e:literal $w:literal { $cpu:expr };)* }
            reduce { $($x:tt)* }
        ) => {
            match op {
                $(Op::$name => apply!($arity, $cpu),)*
                _ => {}
            }
        };
    }
    crate::for_each_op!(expand);
}
