//! The batched executor: one instruction after another, each over many particles of one emitter.
//!
//! Registers are arrays with an entry a particle, so decoding is paid once for [`LANES`] particles and the
//! loops become vector instructions. It gives the bits of the scalar executor, which defines them: bodies come
//! from the same lines of the opcode table.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators over arrays are calls that are not always inlined where the loop is compiled for AVX2"
)]

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

/// A section, decoded: made once, run over batch after batch.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    steps: Vec<Step>,
}

/// An instruction with all that decoding it finds out.
#[derive(Debug, Clone, Copy)]
struct Step {
    op: Op,
    shape: Shape,
    width: usize,
    results: usize,
    dst: usize,
    raw: u32,
    second: u32,
    sources: [[Source; 4]; 3],
}

/// What a lane of an operand is: an entry a particle, or one for all.
#[derive(Debug, Clone, Copy)]
enum Source {
    Slot(u8),
    One(u32),
}

impl Plan {
    /// Decodes a section. Unknown opcodes, which no verified program has, do nothing.
    #[must_use]
    pub fn new(code: &[Instruction]) -> Self {
        let step = |instruction: &Instruction| {
            let op = instruction.op()?;
            let shape = op.info().shape;
            let width = instruction.width().min(4);
            let lanes = |operand: usize| {
                [0, 1, 2, 3].map(|lane| match instruction.operand(operand) {
                    Operand::Imm(bits) => Source::One(bits),
                    Operand::Raw(_) => Source::One(0),
                    register => Source::Slot(register.slot(lane).unwrap_or(0).min(255) as u8),
                })
            };
            Some(Step {
                op,
                shape,
                width: width as usize,
                results: shape.result_width(width) as usize,
                dst: usize::from(instruction.dst()),
                raw: instruction.0[1],
                second: instruction.0[2],
                sources: [lanes(0), lanes(1), lanes(2)],
            })
        };
        Self {
            steps: code.iter().filter_map(step).collect(),
        }
    }
}

impl Batch {
    /// Runs a section over the records in `slots`, at most [`LANES`]; `ordinals` has one for each. True for
    /// each particle that the program ended.
    pub fn run(
        &mut self,
        plan: &Plan,
        shared: &Shared<'_>,
        records: &mut [[u32; RECORD_WORDS as usize]],
        slots: &[u32],
        ordinal_word: u32,
    ) -> [bool; LANES] {
        let slots = &slots[..slots.len().min(LANES)];
        for (i, &slot) in slots.iter().enumerate() {
            self.ordinals.0[i] = records[slot as usize][ordinal_word as usize];
        }
        self.killed.0.fill(0);
        execute(self, plan, shared, records, slots);
        let mut ended = [false; LANES];
        for (flag, word) in ended.iter_mut().zip(&self.killed.0) {
            *flag = *word != 0;
        }
        ended
    }
}

fn execute(
    batch: &mut Batch,
    plan: &Plan,
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
            execute_avx2(batch, plan, shared, records, slots);
        }
        return;
    }
    execute_body(batch, plan, shared, records, slots);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn execute_avx2(
    batch: &mut Batch,
    plan: &Plan,
    shared: &Shared<'_>,
    records: &mut [[u32; RECORD_WORDS as usize]],
    slots: &[u32],
) {
    execute_body(batch, plan, shared, records, slots);
}

// From here to the opcodes everything is inlined into `execute_avx2`, and nothing calls a function of its own: a
// function compiled without the feature would be a call, with the registers cleared before it. So there are
// loops where iterators and `map` over arrays would read better.

#[inline(always)]
fn execute_body(
    batch: &mut Batch,
    plan: &Plan,
    shared: &Shared<'_>,
    records: &mut [[u32; RECORD_WORDS as usize]],
    slots: &[u32],
) {
    let seed = shared.seed;
    for i in 0..LANES {
        batch.keys.0[i] = pcg(seed ^ pcg(batch.ordinals.0[i]));
    }
    for step in &plan.steps {
        match step.shape {
            Shape::Nop => {}
            Shape::Kill => kill(batch, step.sources[0][0]),
            Shape::StoreField => store(batch, step, records, slots),
            Shape::LoadField => load(batch, step, records, slots),
            Shape::LoadConst => {
                let constant = shared
                    .constants
                    .get(step.raw as usize)
                    .copied()
                    .unwrap_or_default();
                for lane in 0..step.width {
                    batch.spare[lane].0.fill(constant[lane]);
                }
            }
            Shape::LoadBuiltin => builtin(batch, step.raw, step.width, shared),
            Shape::Random => random(batch, step, shared),
            Shape::SampleWind => wind(batch, step, shared.wind),
            Shape::Lanes(_) => lanes(batch, step),
            Shape::Reduce => dot(batch, step),
        }
        for lane in 0..step.results {
            std::mem::swap(&mut batch.registers[step.dst + lane], &mut batch.spare[lane]);
        }
    }
}

#[inline(always)]
fn kill(batch: &mut Batch, source: Source) {
    match source {
        Source::Slot(slot) => {
            let values = &batch.registers[usize::from(slot)].0;
            for i in 0..LANES {
                batch.killed.0[i] |= u32::from(f32::from_bits(values[i]) != 0.0);
            }
        }
        Source::One(value) => {
            let ends = u32::from(f32::from_bits(value) != 0.0);
            for i in 0..LANES {
                batch.killed.0[i] |= ends;
            }
        }
    }
}

#[inline(always)]
fn load(batch: &mut Batch, step: &Step, records: &[[u32; RECORD_WORDS as usize]], slots: &[u32]) {
    for lane in 0..step.width {
        let word = step.raw as usize + lane;
        if word < RECORD_WORDS as usize {
            let values = &mut batch.spare[lane].0;
            for i in 0..slots.len().min(LANES) {
                values[i] = records[slots[i] as usize][word];
            }
        }
    }
}

#[inline(always)]
fn store(batch: &Batch, step: &Step, records: &mut [[u32; RECORD_WORDS as usize]], slots: &[u32]) {
    for lane in 0..step.width {
        let word = step.raw as usize + lane;
        if word >= RECORD_WORDS as usize {
            return;
        }
        match step.sources[1][lane] {
            Source::Slot(slot) => {
                let values = &batch.registers[usize::from(slot)].0;
                for i in 0..slots.len().min(LANES) {
                    records[slots[i] as usize][word] = values[i];
                }
            }
            Source::One(value) => {
                for i in 0..slots.len() {
                    records[slots[i] as usize][word] = value;
                }
            }
        }
    }
}

#[inline(always)]
fn builtin(batch: &mut Batch, id: u32, width: usize, shared: &Shared<'_>) {
    if id == Builtin::ParticleOrdinal as u32 {
        for i in 0..LANES {
            batch.spare[0].0[i] = (batch.ordinals.0[i] as f32).to_bits();
        }
        return;
    }
    for lane in 0..width {
        let value = if let Some(first) = id.checked_sub(GLOBAL_FIELD_BASE) {
            shared.globals.get(first as usize + lane).copied().unwrap_or(0)
        } else if let Some(first) = id.checked_sub(EMITTER_FIELD_BASE) {
            shared
                .emitter_fields
                .get(first as usize + lane)
                .copied()
                .unwrap_or(0)
        } else {
            match Builtin::from_id(id) {
                Some(builtin) if lane < 3 => shared.builtins.get(builtin)[lane].to_bits(),
                _ => 0,
            }
        };
        batch.spare[lane].0.fill(value);
    }
}

#[inline(always)]
fn random(batch: &mut Batch, step: &Step, shared: &Shared<'_>) {
    let (stream, scope) = (step.raw, step.second);
    let key = DrawKey {
        seed: shared.seed,
        ordinal: 0,
        step: shared.step,
        loop_index: shared.loop_index,
    };
    let (root, count) = (key.root(scope), key.step_of(scope));
    for lane in 0..step.width {
        let salt = stream.wrapping_add(lane as u32);
        let values = &mut batch.spare[lane].0;
        if scope >= SCOPE_LOOP {
            values.fill(unit(pcg(pcg(root.wrapping_add(salt)).wrapping_add(count))).to_bits());
            continue;
        }
        for i in 0..LANES {
            let root = batch.keys.0[i];
            values[i] = unit(pcg(pcg(root.wrapping_add(salt)).wrapping_add(count))).to_bits();
        }
    }
}

#[inline(always)]
fn wind(batch: &mut Batch, step: &Step, field: Option<&WindField>) {
    for i in 0..LANES {
        let mut place = [0.0; 3];
        for lane in 0..3 {
            place[lane] = f32::from_bits(match step.sources[0][lane] {
                Source::Slot(slot) => batch.registers[usize::from(slot)].0[i],
                Source::One(value) => value,
            });
        }
        let air = match field {
            Some(field) => field.sample(place),
            None => [0.0; 3],
        };
        for lane in 0..3 {
            batch.spare[lane].0[i] = air[lane].to_bits();
        }
    }
}

#[inline(always)]
fn dot(batch: &mut Batch, step: &Step) {
    let Batch {
        registers,
        spare,
        splats,
        ..
    } = batch;
    for lane in 0..step.width {
        let [product, ..] = splats;
        let sources = [step.sources[0][lane], step.sources[1][lane]];
        two(&mut product.0, registers, sources, |a, b| a * b);
        let sum = &mut spare[0].0;
        if lane == 0 {
            sum.copy_from_slice(&product.0);
        } else {
            for i in 0..LANES {
                sum[i] = (f32::from_bits(sum[i]) + f32::from_bits(product.0[i])).to_bits();
            }
        }
    }
}

#[inline(always)]
fn one(out: &mut [u32; LANES], registers: &[Box<Lane>], source: Source, f: impl Fn(f32) -> f32) {
    match source {
        Source::Slot(a) => {
            let a = &registers[usize::from(a)].0;
            for i in 0..LANES {
                out[i] = f(f32::from_bits(a[i])).to_bits();
            }
        }
        Source::One(a) => out.fill(f(f32::from_bits(a)).to_bits()),
    }
}

#[inline(always)]
fn two(out: &mut [u32; LANES], registers: &[Box<Lane>], sources: [Source; 2], f: impl Fn(f32, f32) -> f32) {
    match sources {
        [Source::Slot(a), Source::Slot(b)] => {
            let (a, b) = (&registers[usize::from(a)].0, &registers[usize::from(b)].0);
            for i in 0..LANES {
                out[i] = f(f32::from_bits(a[i]), f32::from_bits(b[i])).to_bits();
            }
        }
        [Source::Slot(a), Source::One(b)] => {
            let (a, b) = (&registers[usize::from(a)].0, f32::from_bits(b));
            for i in 0..LANES {
                out[i] = f(f32::from_bits(a[i]), b).to_bits();
            }
        }
        [Source::One(a), Source::Slot(b)] => {
            let (a, b) = (f32::from_bits(a), &registers[usize::from(b)].0);
            for i in 0..LANES {
                out[i] = f(a, f32::from_bits(b[i])).to_bits();
            }
        }
        [Source::One(a), Source::One(b)] => out.fill(f(f32::from_bits(a), f32::from_bits(b)).to_bits()),
    }
}

#[inline(always)]
fn three(
    out: &mut [u32; LANES],
    registers: &[Box<Lane>],
    sources: [Source; 3],
    splats: &mut [Box<Lane>; 3],
    f: impl Fn(f32, f32, f32) -> f32,
) {
    for k in 0..3 {
        if let Source::One(value) = sources[k] {
            splats[k].0.fill(value);
        }
    }
    let a = each(registers, sources[0], &splats[0]);
    let b = each(registers, sources[1], &splats[1]);
    let c = each(registers, sources[2], &splats[2]);
    for i in 0..LANES {
        out[i] = f(f32::from_bits(a[i]), f32::from_bits(b[i]), f32::from_bits(c[i])).to_bits();
    }
}

#[inline(always)]
fn each<'a>(registers: &'a [Box<Lane>], source: Source, splat: &'a Lane) -> &'a [u32; LANES] {
    match source {
        Source::Slot(slot) => &registers[usize::from(slot)].0,
        Source::One(_) => &splat.0,
    }
}

/// Lane-wise opcodes. Every such line of the table is expanded here, so one without a body does not compile.
#[inline(always)]
fn lanes(batch: &mut Batch, step: &Step) {
    let [first, second, third] = &step.sources;
    let Batch {
        registers,
        spare,
        splats,
        ..
    } = batch;
    macro_rules! apply {
        (1, $f:expr) => {
            for lane in 0..step.width {
                one(&mut spare[lane].0, registers, first[lane], $f);
            }
        };
        (2, $f:expr) => {
            for lane in 0..step.width {
                two(
                    &mut spare[lane].0,
                    registers,
                    [first[lane], second[lane]],
                    $f,
                );
            }
        };
        (3, $f:expr) => {
            for lane in 0..step.width {
                let sources = [first[lane], second[lane], third[lane]];
                three(&mut spare[lane].0, registers, sources, splats, $f);
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
            match step.op {
                $(Op::$name => apply!($arity, $cpu),)*
                _ => {}
            }
        };
    }
    crate::for_each_op!(expand);
}
