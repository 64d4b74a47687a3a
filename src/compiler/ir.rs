//! The program before registers: pure values in the order they are computed, and what they are for.
//!
//! A [`Val`] names what stands in each of its lanes: a constant or a lane of a computed value. So splitting,
//! combining and repeating lanes cost nothing until an instruction needs them side by side. Equal
//! computations are made once, constants are folded by the scalar executor itself, and what no store and no
//! kill needs is dropped.

use std::hash::{Hash, Hasher};
use std::ops::Deref;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};
use smallvec::SmallVec;

use crate::base::rng::DrawKey;
use crate::isa::{Instruction, MAX_REGISTERS, Op, Operand, RECORD_WORDS, Shape};
use crate::vm::scalar::{Builtins, Environment, Machine};

/// Operands that an instruction has at most.
const MOST_OPERANDS: usize = 3;

/// Instructions of a section that there is room for at once.
const USUAL: usize = 256;

/// What stands in one lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Lane {
    /// A constant, by its bits.
    Imm(u32),
    /// A lane of a computed value.
    Of(u32, u8),
}

/// A value of one to four lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Val {
    width: u8,
    lanes: [Lane; 4],
}

impl Val {
    pub(super) const fn imm(value: f32) -> Self {
        Self::single(Lane::Imm(value.to_bits()))
    }

    const fn single(lane: Lane) -> Self {
        let lanes = [lane, Lane::Imm(0), Lane::Imm(0), Lane::Imm(0)];
        Self { width: 1, lanes }
    }

    pub(super) fn constant(values: &[f32]) -> Self {
        Self::of_lanes(values.iter().map(|v| Lane::Imm(v.to_bits())))
    }

    fn of_lanes(given: impl IntoIterator<Item = Lane>) -> Self {
        let mut lanes = [Lane::Imm(0); 4];
        let mut width = 0;
        for (place, lane) in lanes.iter_mut().zip(given) {
            *place = lane;
            width += 1;
        }
        Self { width, lanes }
    }

    fn computed(id: u32, width: u32) -> Self {
        let mut lanes = [Lane::Imm(0); 4];
        for (at, lane) in lanes[..width as usize].iter_mut().enumerate() {
            *lane = Lane::Of(id, at as u8);
        }
        let width = width as u8;
        Self { width, lanes }
    }

    pub(super) fn width(self) -> u32 {
        u32::from(self.width)
    }

    fn lanes(&self) -> &[Lane] {
        &self.lanes[..usize::from(self.width)]
    }

    /// One lane; a lane it has not is 0.
    pub(super) fn lane(self, lane: usize) -> Self {
        Self::single(self.lanes().get(lane).copied().unwrap_or(Lane::Imm(0)))
    }

    /// Lanes side by side, at most four.
    pub(super) fn join(parts: &[Self]) -> Self {
        Self::of_lanes(parts.iter().flat_map(|part| part.lanes().iter().copied()))
    }

    /// As so many lanes: a single one is repeated, further ones are dropped, missing ones are 0.
    pub(super) fn resized(mut self, width: u32) -> Self {
        let (from, to) = (usize::from(self.width), width as usize);
        if from == to {
            return self;
        }
        if from == 1 {
            let lane = self.lanes[0];
            self.lanes[..to].fill(lane);
        }
        self.lanes[to..].fill(Lane::Imm(0));
        self.width = width as u8;
        self
    }

    /// Its numbers, where all lanes are constants.
    pub(super) fn known(&self) -> Option<[f32; 4]> {
        self.known_bits().map(|bits| bits.map(f32::from_bits))
    }

    /// Their bits. Lanes it has not are 0.
    fn known_bits(&self) -> Option<[u32; 4]> {
        let mut out = [0; 4];
        for (place, lane) in out.iter_mut().zip(self.lanes) {
            match lane {
                Lane::Imm(bits) => *place = bits,
                Lane::Of(..) => return None,
            }
        }
        Some(out)
    }
}

/// What computes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Code {
    Op(Op),
    Const([u32; 4]),
    Builtin(u32),
    /// A parameter, by its index in the document.
    Parameter(usize),
    /// A field of the emitter, by its index in the emitter.
    EmitterField(usize),
    /// A global field, by its index in [`Ir::globals`].
    Global(usize),
    Field(u32),
    Random {
        stream: u32,
        scope: u32,
    },
    /// Lanes gathered from several places.
    Pack([Lane; 4]),
    /// No value: the record's words from here are given operand 0.
    Store(u32),
    /// No value: ends the particle where operand 0 is not 0.
    Kill,
}

/// An operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Arg {
    None,
    Imm(u32),
    Value { id: u32, swizzle: u8 },
}

/// One computation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inst {
    pub(super) code: Code,
    pub(super) width: u32,
    pub(super) args: [Arg; 3],
    /// Index into the source list of whoever lowers.
    pub(super) source: u32,
}

/// Ids of values that an instruction reads: of at most three operands, or four gathered lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reads {
    ids: [u32; 4],
    count: usize,
}

impl Reads {
    const NONE: Self = Self {
        ids: [0; 4],
        count: 0,
    };

    fn add(&mut self, id: u32) {
        self.ids[self.count] = id;
        self.count += 1;
    }
}

impl Deref for Reads {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        &self.ids[..self.count]
    }
}

impl Inst {
    /// The ids of the values it reads, each once.
    pub(super) fn reads_once(&self) -> Reads {
        let mut once = Reads::NONE;
        for &id in &*self.reads() {
            if !once.contains(&id) {
                once.add(id);
            }
        }
        once
    }

    /// The ids of the values it reads.
    pub(super) fn reads(&self) -> Reads {
        let mut reads = Reads::NONE;
        if let Code::Pack(lanes) = self.code {
            // What gathers lanes has no operands.
            for lane in lanes {
                if let Lane::Of(id, _) = lane {
                    reads.add(id);
                }
            }
            return reads;
        }
        for arg in self.args {
            if let Arg::Value { id, .. } = arg {
                reads.add(id);
            }
        }
        reads
    }

    /// A hash of what is computed.
    fn hash(code: Code, width: u32, args: [Arg; 3]) -> u64 {
        let mut hasher = FxHasher::default();
        hasher.write_u32(width);
        code.hash(&mut hasher);
        for arg in args {
            // A tag, then what is under it, in one word: hashing is by words.
            hasher.write_u64(match arg {
                Arg::None => 0,
                Arg::Imm(bits) => 1 << 40 | u64::from(bits),
                Arg::Value { id, swizzle } => 2 << 40 | u64::from(swizzle) << 32 | u64::from(id),
            });
        }
        hasher.finish()
    }
}

/// A section in the making.
#[derive(Debug)]
pub(super) struct Ir {
    pub(super) insts: Vec<Inst>,
    /// The last instruction of each hash.
    seen: FxHashMap<u64, u32>,
    /// For each instruction the one of its hash before it, or itself.
    alike: Vec<u32>,
    /// Who is being lowered.
    pub(super) source: u32,
    /// Whether to leave everything as it is asked for: nothing is shared, folded or dropped.
    pub(super) plain: bool,
}

impl Ir {
    pub(super) fn new(plain: bool) -> Self {
        Self {
            insts: Vec::with_capacity(USUAL),
            seen: FxHashMap::with_capacity_and_hasher(USUAL, FxBuildHasher),
            alike: Vec::with_capacity(USUAL),
            source: 0,
            plain,
        }
    }

    fn push(&mut self, code: Code, width: u32, args: [Arg; 3]) -> u32 {
        let id = self.insts.len() as u32;
        self.insts.push(Inst {
            code,
            width,
            args,
            source: self.source,
        });
        self.alike.push(id);
        id
    }

    /// The instruction that computes this, made where there is none.
    fn shared(&mut self, code: Code, width: u32, args: [Arg; 3]) -> u32 {
        let next = self.insts.len() as u32;
        let last = self.seen.entry(Inst::hash(code, width, args)).or_insert(next);
        let mut id = *last;
        while id != next {
            let inst = &self.insts[id as usize];
            if inst.code == code && inst.width == width && inst.args == args {
                return id;
            }
            let before = self.alike[id as usize];
            if before == id {
                break;
            }
            id = before;
        }
        let before = std::mem::replace(last, next);
        self.push(code, width, args);
        self.alike[next as usize] = before;
        next
    }

    /// A value computed once however often it is asked for.
    fn pure(&mut self, code: Code, width: u32, args: [Arg; 3]) -> Val {
        let id = if self.plain {
            self.push(code, width, args)
        } else {
            self.shared(code, width, args)
        };
        let lanes = match code {
            Code::Op(op) => op.info().shape.result_width(width),
            _ => width,
        };
        Val::computed(id, lanes)
    }

    pub(super) fn load(&mut self, code: Code, width: u32) -> Val {
        self.pure(code, width, [Arg::None; 3])
    }

    /// The value as an operand: as it is where its lanes lie in one value, else gathered first.
    fn arg(&mut self, val: Val) -> Arg {
        let lanes = val.lanes();
        if let Lane::Imm(bits) = lanes[0]
            && lanes.iter().all(|&lane| lane == Lane::Imm(bits))
        {
            return Arg::Imm(bits);
        }
        if let Lane::Of(first, _) = lanes[0] {
            let mut swizzle = crate::isa::word::SWIZZLE_XYZW;
            let one = lanes.iter().enumerate().all(|(i, lane)| match lane {
                Lane::Of(id, pick) if *id == first => {
                    swizzle = swizzle & !(3 << (2 * i)) | pick << (2 * i);
                    true
                }
                _ => false,
            });
            if one {
                // Lanes that are not read repeat nothing: the identity keeps equal operands equal.
                return Arg::Value { id: first, swizzle };
            }
        }
        let mut packed = [Lane::Imm(0); 4];
        packed[..lanes.len()].copy_from_slice(lanes);
        let code = val.known_bits().map_or(Code::Pack(packed), Code::Const);
        match self.load(code, val.width()).lanes[0] {
            Lane::Of(id, _) => Arg::Value {
                id,
                swizzle: crate::isa::word::SWIZZLE_XYZW,
            },
            Lane::Imm(bits) => Arg::Imm(bits),
        }
    }

    /// An opcode over operands of one width; single lanes are repeated.
    pub(super) fn op(&mut self, op: Op, operands: &[Val]) -> Val {
        let width = operands.iter().map(|v| v.width()).max().unwrap_or(1);
        let resized = each(operands, |operand| operand.resized(width));
        let operands = &resized[..operands.len()];
        if !self.plain {
            if let Some(val) = simpler(op, operands) {
                return val;
            }
            if let Some(folded) = fold(op, width, operands) {
                return folded;
            }
            if let Some(val) = self.rewritten(op, operands) {
                return val;
            }
            if let Some(val) = self.narrower(op, operands) {
                return val;
            }
        }
        let mut args = [Arg::None; MOST_OPERANDS];
        for (index, &operand) in operands.iter().enumerate() {
            args[index] = self.arg(operand);
        }
        self.pure(Code::Op(op), width, args)
    }

    /// The operation as a cheaper one of the same bits.
    fn rewritten(&mut self, op: Op, operands: &[Val]) -> Option<Val> {
        match (op, operands) {
            // Where x = 0 or c is not 0: the choice's own condition, the other way round.
            (Op::Select, [condition, yes, no]) => {
                let zero = self.zero_of(condition)?;
                Some(self.op(Op::Select, &[zero, *no, *yes]))
            }
            // A quotient by a power of two is the product with its inverse, exactly.
            (Op::Div, [a, b]) => {
                let inverse = b.known()?;
                let lanes = &inverse[..b.lanes().len()];
                if !lanes.iter().all(|&value| inverts(value)) {
                    return None;
                }
                let inverse: Vec<f32> = lanes.iter().map(|value| 1.0 / value).collect();
                Some(self.op(Op::Mul, &[*a, Val::constant(&inverse)]))
            }
            _ => None,
        }
    }

    /// What `condition` compares with 0, lane for lane, where it is such a comparison.
    fn zero_of(&self, condition: &Val) -> Option<Val> {
        let mut lanes: SmallVec<[Lane; 4]> = SmallVec::new();
        for lane in condition.lanes() {
            let Lane::Of(id, pick) = *lane else { return None };
            let inst = &self.insts[id as usize];
            let compared = match (inst.code, inst.args) {
                (Code::Op(Op::Not), [arg, ..]) => arg,
                (Code::Op(Op::CmpEq), [arg, Arg::Imm(zero), _] | [Arg::Imm(zero), arg, _])
                    if f32::from_bits(zero) == 0.0 =>
                {
                    arg
                }
                _ => return None,
            };
            lanes.push(match compared {
                Arg::Value { id, swizzle } => Lane::Of(id, swizzle >> (2 * pick) & 3),
                Arg::Imm(bits) => Lane::Imm(bits),
                Arg::None => return None,
            });
        }
        Some(Val::of_lanes(lanes))
    }

    /// Computes only the lanes that are not constants, and a single one where all are alike.
    fn narrower(&mut self, op: Op, operands: &[Val]) -> Option<Val> {
        let width = operands.first()?.lanes().len();
        if width == 1 || !matches!(op.info().shape, Shape::Lanes(_)) {
            return None;
        }
        let same = |i: usize| {
            operands
                .iter()
                .all(|operand| operand.lanes[i] == operand.lanes[0])
        };
        if (1..width).all(same) {
            let single = each(operands, |operand| operand.lane(0));
            return Some(self.op(op, &single[..operands.len()]).resized(width as u32));
        }
        let fixed = |i: usize| {
            let is_number = |operand: &Val| matches!(operand.lanes[i], Lane::Imm(_));
            operands.iter().all(is_number)
        };
        if !(0..width).any(fixed) {
            return None;
        }
        let computed: SmallVec<[usize; 4]> = (0..width).filter(|&i| !fixed(i)).collect();
        let of = |operand: &Val| Val::of_lanes(computed.iter().map(|&i| operand.lanes[i]));
        let rest = each(operands, of);
        let rest = self.op(op, &rest[..operands.len()]);
        let mut out = [Lane::Imm(0); 4];
        for (i, place) in out.iter_mut().enumerate().take(width) {
            *place = match computed.iter().position(|&c| c == i) {
                Some(at) => rest.lanes[at],
                None => {
                    let single = each(operands, |operand| operand.lane(i));
                    fold(op, 1, &single[..operands.len()])?.lanes[0]
                }
            };
        }
        Some(Val::of_lanes(out.into_iter().take(width)))
    }

    pub(super) fn store(&mut self, word: u32, val: Val) {
        let arg = self.arg(val);
        self.push(Code::Store(word), val.width(), [arg, Arg::None, Arg::None]);
    }

    pub(super) fn kill(&mut self, val: Val) {
        if !self.plain && val.known().is_some_and(|v| v[0] == 0.0) {
            return;
        }
        let arg = self.arg(val.resized(1));
        self.push(Code::Kill, 1, [arg, Arg::None, Arg::None]);
    }

    /// Drops what no store and no kill needs. Ids keep their meaning: what is dropped is `None`.
    pub(super) fn live(&self) -> Vec<Option<Inst>> {
        let mut needed = vec![false; self.insts.len()];
        for (id, inst) in self.insts.iter().enumerate().rev() {
            if needed[id] || self.plain || matches!(inst.code, Code::Store(_) | Code::Kill) {
                needed[id] = true;
                for &read in inst.reads().iter() {
                    needed[read as usize] = true;
                }
            }
        }
        let live = |(inst, needed): (&Inst, bool)| needed.then_some(*inst);
        self.insts.iter().zip(needed).map(live).collect()
    }
}

/// Something of each operand.
fn each(operands: &[Val], of: impl Fn(&Val) -> Val) -> [Val; MOST_OPERANDS] {
    let mut out = [const { Val::imm(0.0) }; MOST_OPERANDS];
    for (index, operand) in operands.iter().enumerate() {
        out[index] = of(operand);
    }
    out
}

/// What an operation comes to without computing: a choice that is known, a factor of 1.
fn simpler(op: Op, operands: &[Val]) -> Option<Val> {
    let is = |val: &Val, number: f32| {
        val.lanes()
            .iter()
            .all(|&lane| lane == Lane::Imm(number.to_bits()))
    };
    match (op, operands) {
        (Op::Select, [condition, yes, no]) => {
            if yes == no {
                return Some(*yes);
            }
            condition.known()?;
            Some(Val::of_lanes(condition.lanes().iter().enumerate().map(
                |(i, lane)| {
                    let zero = matches!(lane, Lane::Imm(bits) if f32::from_bits(*bits) == 0.0);
                    if zero { no.lanes[i] } else { yes.lanes[i] }
                },
            )))
        }
        (Op::Mul | Op::Div, [a, b]) if is(b, 1.0) => Some(*a),
        (Op::Mul, [a, b]) if is(a, 1.0) => Some(*b),
        // Adding −0 changes nothing, of +0 neither; adding +0 makes −0 of that.
        (Op::Add, [a, b]) if is(b, -0.0) => Some(*a),
        (Op::Add, [a, b]) if is(a, -0.0) => Some(*b),
        (Op::Sub, [a, b]) if is(b, 0.0) => Some(*a),
        (Op::Min | Op::Max, [a, b]) if a == b => Some(*a),
        _ => None,
    }
}

/// Whether a number is a power of two, either way, whose inverse is no denormal.
fn inverts(value: f32) -> bool {
    let inverse = 1.0 / value;
    value.is_normal() && inverse.is_normal() && value.to_bits() & 0x007f_ffff == 0
}

/// The result of an operation on constants, computed by the scalar executor.
fn fold(op: Op, width: u32, operands: &[Val]) -> Option<Val> {
    // Most operations are on something that is not known.
    let known = |operand: &Val| operand.lanes.iter().all(|lane| matches!(lane, Lane::Imm(_)));
    if !operands.iter().all(known) || !matches!(op.info().shape, Shape::Lanes(_) | Shape::Reduce) {
        return None;
    }
    let mut constants = [[0; 4]; MOST_OPERANDS];
    for (place, operand) in constants.iter_mut().zip(operands) {
        *place = operand.known_bits()?;
    }
    let builtins = Builtins::default();
    let env = Environment {
        constants: &constants,
        emitter_fields: &[],
        globals: &[],
        builtins: &builtins,
        key: DrawKey {
            seed: 0,
            ordinal: 0,
            step: 0,
            loop_index: 0,
        },
        wind: None,
    };
    let mut machine = Machine::default();
    let mut record = [0; RECORD_WORDS as usize];
    let mut sources = [Operand::Raw(0); MOST_OPERANDS];
    for (index, source) in sources.iter_mut().enumerate().take(operands.len()) {
        let slot = 4 * index as u8;
        let load = [Operand::Raw(index as u32), Operand::Raw(0), Operand::Raw(0)];
        machine.step(
            Instruction::new(Op::LoadConst, width, slot, load),
            &env,
            &mut record,
        );
        *source = Operand::reg(slot);
    }
    const RESULT: u8 = 12;
    const { assert!((RESULT as u32) + 4 <= MAX_REGISTERS) };
    machine.step(Instruction::new(op, width, RESULT, sources), &env, &mut record);
    let lanes = op.info().shape.result_width(width) as u8;
    let lanes = (0..lanes).map(|lane| Lane::Imm(machine.register(RESULT + lane)));
    Some(Val::of_lanes(lanes))
}
