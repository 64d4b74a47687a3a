//! Registers and instruction words: linear scan, first fit, lanes side by side.

use rustc_hash::FxHashMap;

use super::ir::{Arg, Code, Inst, Lane};
use super::optimise::together;
use crate::isa::{EMITTER_FIELD_BASE, GLOBAL_FIELD_BASE, Instruction, MAX_REGISTERS, Op, Operand};

/// What both sections of a program share.
#[derive(Debug, Default)]
pub(super) struct Pool {
    pub(super) constants: Vec<[u32; 4]>,
    places: FxHashMap<[u32; 4], u32>,
    /// First words of the emitter's fields, by parameter index.
    pub(super) parameter_words: FxHashMap<usize, u32>,
    /// First words of the emitter's own fields, by their index.
    pub(super) field_words: FxHashMap<usize, u32>,
    /// Import indices, by index of the global in the emitter's list.
    pub(super) imports: FxHashMap<usize, u32>,
}

impl Pool {
    fn constant(&mut self, bits: [u32; 4]) -> u32 {
        let next = self.constants.len() as u32;
        let place = *self.places.entry(bits).or_insert(next);
        if place == next {
            self.constants.push(bits);
        }
        place
    }
}

/// A section as it ships, and for each instruction the source it is from.
#[derive(Debug, Default)]
pub(super) struct Emitted {
    pub(super) code: Vec<Instruction>,
    pub(super) sources: Vec<u32>,
    /// Slots used.
    pub(super) registers: u32,
}

/// Why a section has no registers.
#[derive(Debug)]
pub(super) struct Overflow {
    /// The source of the value that found no place.
    pub(super) source: u32,
}

/// Slots side by side that one word of bits stands for.
const WORD: usize = u64::BITS as usize;

/// Which slots are taken, a bit each.
struct Slots {
    taken: [u64; MAX_REGISTERS as usize / WORD],
    most: u32,
}

impl Slots {
    /// The first slots that lie side by side and are free.
    fn take(&mut self, width: u32) -> Option<u8> {
        for at in 0..self.taken.len() {
            // This word's slots, and those after them that a value may reach into.
            let next = self.taken.get(at + 1).copied().unwrap_or(u64::MAX);
            let taken = u128::from(self.taken[at]) | u128::from(next) << WORD;
            let blocked = (1..width).fold(taken, |blocked, lane| blocked | taken >> lane);
            let first = (blocked as u64).trailing_ones();
            if first < u64::BITS {
                let first = at as u32 * u64::BITS + first;
                self.mark(first, width, true);
                self.most = self.most.max(first + width);
                return Some(first as u8);
            }
        }
        None
    }

    fn give_back(&mut self, first: u8, width: u32) {
        self.mark(first.into(), width, false);
    }

    fn mark(&mut self, first: u32, width: u32, taken: bool) {
        for slot in first as usize..(first + width) as usize {
            let bit = 1 << (slot % WORD);
            if taken {
                self.taken[slot / WORD] |= bit;
            } else {
                self.taken[slot / WORD] &= !bit;
            }
        }
    }
}

/// Where a value is computed that is needed for nothing but a gathered one: straight in its lanes of that.
#[derive(Debug, Clone, Copy)]
struct Home {
    gathered: u32,
    width: u32,
    lane: u8,
}

/// The homes of values, by id. A value has one if it is made once, read by one gathered value alone, and stands
/// there once, with all its lanes in order.
fn homes(order: &[(u32, Inst)], values: usize) -> Vec<Option<Home>> {
    let mut made = vec![0_u32; values];
    let mut readers = vec![0_u32; values];
    let mut widths = vec![0; values];
    for (id, inst) in order {
        made[*id as usize] += 1;
        widths[*id as usize] = result_lanes(inst);
        for &read in inst.reads_once().iter() {
            readers[read as usize] += 1;
        }
    }
    let mut homes = vec![None; values];
    for (id, inst) in order {
        let Code::Pack(lanes) = inst.code else { continue };
        if made[*id as usize] != 1 {
            continue;
        }
        let lanes = &lanes[..inst.width as usize];
        for (lane, of) in lanes.iter().enumerate() {
            let Lane::Of(value, 0) = *of else { continue };
            let width = widths[value as usize] as usize;
            let whole = (0..width).all(|k| lanes.get(lane + k) == Some(&Lane::Of(value, k as u8)));
            let times = lanes
                .iter()
                .filter(|of| matches!(of, Lane::Of(id, _) if *id == value))
                .count();
            let alone = made[value as usize] == 1 && readers[value as usize] == 1;
            if whole && alone && times == width && width > 0 {
                homes[value as usize] = Some(Home {
                    gathered: *id,
                    width: inst.width,
                    lane: lane as u8,
                });
            }
        }
    }
    homes
}

fn result_lanes(inst: &Inst) -> u32 {
    match inst.code {
        Code::Op(op) => op.info().shape.result_width(inst.width),
        Code::Store(_) | Code::Kill => 0,
        _ => inst.width,
    }
}

/// Gives every value its slots and writes the instructions. `order` names each value where it is made; a value
/// made again is a new one from there on.
pub(super) fn emit(order: &[(u32, Inst)], values: usize, pool: &mut Pool) -> Result<Emitted, Overflow> {
    // Which making each read means, and the last read of each making.
    let mut current = vec![0_usize; values];
    let mut last_use: Vec<usize> = (0..order.len()).collect();
    for (at, (id, inst)) in order.iter().enumerate() {
        for &read in inst.reads().iter() {
            last_use[current[read as usize]] = at;
        }
        current[*id as usize] = at;
    }
    let mut slots = Slots {
        taken: [0; MAX_REGISTERS as usize / WORD],
        most: 0,
    };
    let homes = homes(order, values);
    // Slots of gathered values that have some of their lanes already.
    let mut begun: FxHashMap<u32, u8> = FxHashMap::default();
    let mut place = vec![0_u8; values];
    let mut making = vec![0_usize; values];
    let mut out = Emitted {
        code: Vec::with_capacity(order.len()),
        sources: Vec::with_capacity(order.len()),
        registers: 0,
    };
    for (at, (id, inst)) in order.iter().enumerate() {
        let lanes = result_lanes(inst);
        let reads = inst.reads();
        let free = |slots: &mut Slots, place: &[u8], making: &[usize]| {
            for &read in reads.iter() {
                let maker = making[read as usize];
                if last_use[maker] == at && homes[read as usize].is_none() {
                    slots.give_back(place[read as usize], result_lanes(&order[maker].1));
                }
            }
        };
        // An instruction reads all its operands before it writes, so its result may lie where they lay. A
        // gathered value is several instructions and may not.
        let several = matches!(inst.code, Code::Pack(_));
        if !several {
            free(&mut slots, &place, &making);
        }
        let overflow = Overflow { source: inst.source };
        let dst = if let Some(home) = homes[*id as usize] {
            let first = match begun.get(&home.gathered) {
                Some(&first) => first,
                None => slots.take(home.width).ok_or(overflow)?,
            };
            begun.insert(home.gathered, first);
            first + home.lane
        } else if several && let Some(&first) = begun.get(id) {
            first
        } else if lanes > 0 {
            slots.take(lanes).ok_or(overflow)?
        } else {
            0
        };
        if several {
            free(&mut slots, &place, &making);
        }
        place[*id as usize] = dst;
        making[*id as usize] = at;
        write(inst, dst, &place, &homes, pool, &mut out);
        out.sources.resize(out.code.len(), inst.source);
    }
    out.registers = slots.most;
    Ok(out)
}

fn write(inst: &Inst, dst: u8, place: &[u8], homes: &[Option<Home>], pool: &mut Pool, out: &mut Emitted) {
    let none = Operand::Raw(0);
    let operand = |arg: Arg| match arg {
        Arg::None => none,
        Arg::Imm(bits) => Operand::Imm(bits),
        Arg::Value { id, swizzle } => Operand::Reg {
            base: place[id as usize],
            swizzle,
        },
    };
    let raw = |op: Op, word: u32, second: u32| {
        Instruction::new(
            op,
            inst.width,
            dst,
            [Operand::Raw(word), Operand::Raw(second), none],
        )
    };
    let instruction = match inst.code {
        Code::Op(op) => Instruction::new(op, inst.width, dst, inst.args.map(operand)),
        Code::Const(bits) => raw(Op::LoadConst, pool.constant(bits), 0),
        Code::Builtin(id) => raw(Op::LoadBuiltin, id, 0),
        Code::Parameter(index) => {
            let word = pool.parameter_words.get(&index).copied().unwrap_or(0);
            raw(Op::LoadBuiltin, EMITTER_FIELD_BASE + word, 0)
        }
        Code::EmitterField(index) => {
            let word = pool.field_words.get(&index).copied().unwrap_or(0);
            raw(Op::LoadBuiltin, EMITTER_FIELD_BASE + word, 0)
        }
        Code::Global(index) => {
            let import = pool.imports.get(&index).copied().unwrap_or(0);
            raw(Op::LoadBuiltin, GLOBAL_FIELD_BASE + import, 0)
        }
        Code::Field(word) => raw(Op::LoadField, word, 0),
        Code::Random { stream, scope } => raw(Op::Random, stream, scope),
        Code::Store(word) => Instruction::new(
            Op::StoreField,
            inst.width,
            0,
            [Operand::Raw(word), operand(inst.args[0]), none],
        ),
        Code::Kill => Instruction::new(Op::Kill, 1, 0, [operand(inst.args[0]), none, none]),
        Code::Pack(lanes) => {
            gather(&lanes[..inst.width as usize], dst, place, homes, out);
            return;
        }
    };
    out.code.push(instruction);
}

/// Moves that put lanes side by side: one for each run of lanes from one place.
fn gather(lanes: &[Lane], dst: u8, place: &[u8], homes: &[Option<Home>], out: &mut Emitted) {
    let mut start = 0;
    while start < lanes.len() {
        let run = lanes[start..]
            .iter()
            .take_while(|&&lane| together(lane, lanes[start]))
            .count();
        let operand = match lanes[start] {
            Lane::Of(id, _) if homes[id as usize].is_some() => {
                // It was computed in its place.
                start += run;
                continue;
            }
            Lane::Imm(bits) => Operand::Imm(bits),
            Lane::Of(id, _) => {
                let mut swizzle = crate::isa::word::SWIZZLE_XYZW;
                for (i, lane) in lanes[start..start + run].iter().enumerate() {
                    if let Lane::Of(_, pick) = lane {
                        swizzle = swizzle & !(3 << (2 * i)) | pick << (2 * i);
                    }
                }
                Operand::Reg {
                    base: place[id as usize],
                    swizzle,
                }
            }
        };
        let none = Operand::Raw(0);
        let to = dst + start as u8;
        out.code
            .push(Instruction::new(Op::Mov, run as u32, to, [operand, none, none]));
        start += run;
    }
}
