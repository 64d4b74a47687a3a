//! What can be saved once all of a section is known: multiply-add, lanes nobody reads, lanes gathered only to be
//! stored. Every rewriting keeps the bits: a multiply-add rounds twice, as the two operations did.

use smallvec::SmallVec;

use super::ir::{Arg, Code, Inst, Lane};
use crate::isa::word::SWIZZLE_XYZW;
use crate::isa::{Op, Shape};

/// Rewrites a section in place. Ids keep their meaning; what nothing needs any more is dropped.
pub(super) fn optimise(insts: &mut Vec<Option<Inst>>) {
    fuse(insts);
    narrow(insts);
    split_stores(insts);
    drop_dead(insts);
}

/// The lane that lane `lane` of a swizzle reads.
const fn pick(swizzle: u8, lane: usize) -> u8 {
    swizzle >> (2 * lane) & 3
}

/// A swizzle of so many lanes from the lane that each reads; the rest are the identity's.
fn swizzle_of(width: usize, picked: impl Fn(usize) -> u8) -> u8 {
    (0..width).fold(SWIZZLE_XYZW, |swizzle, lane| {
        swizzle & !(3 << (2 * lane)) | picked(lane) << (2 * lane)
    })
}

/// How many instructions read each value.
fn uses(insts: &[Option<Inst>]) -> Vec<u32> {
    let mut uses = vec![0; insts.len()];
    for inst in insts.iter().flatten() {
        for &read in inst.reads_once().iter() {
            uses[read as usize] += 1;
        }
    }
    uses
}

/// Products that feed nothing but sums become part of them.
fn fuse(insts: &mut [Option<Inst>]) {
    let uses = uses(insts);
    let mut fusable = vec![0_u32; insts.len()];
    let product = |insts: &[Option<Inst>], arg: Arg| match arg {
        Arg::Value { id, .. } => insts[id as usize]
            .as_ref()
            .is_some_and(|inst| matches!(inst.code, Code::Op(Op::Mul)))
            .then_some(id),
        _ => None,
    };
    let sum = |inst: &Inst| matches!(inst.code, Code::Op(Op::Add | Op::Sub));
    for inst in insts.iter().flatten().filter(|inst| sum(inst)) {
        let mut found: SmallVec<[u32; 3]> = inst.args.iter().filter_map(|&arg| product(insts, arg)).collect();
        found.dedup();
        for id in found {
            let this = |insts: &[Option<Inst>], arg: Arg| product(insts, arg).filter(|&found| found == id);
            fusable[id as usize] += u32::from(fused(insts, inst, this).is_some());
        }
    }
    for at in 0..insts.len() {
        let Some(inst) = insts[at].filter(sum) else {
            continue;
        };
        let only_sums = |insts: &[Option<Inst>], arg: Arg| {
            product(insts, arg).filter(|&id| fusable[id as usize] == uses[id as usize])
        };
        if let Some((_, mad)) = fused(insts, &inst, only_sums) {
            insts[at] = Some(mad);
        }
    }
}

/// A sum with a product that may be fused, and the multiply-add it becomes.
fn fused(
    insts: &[Option<Inst>],
    sum: &Inst,
    product: impl Fn(&[Option<Inst>], Arg) -> Option<u32>,
) -> Option<(u32, Inst)> {
    let [left, right, _] = sum.args;
    let negated = |arg: Arg| match arg {
        Arg::Imm(bits) => Some(Arg::Imm(bits ^ 0x8000_0000)),
        _ => None,
    };
    // The product's operands as the sum's lanes read them.
    let factors = |id: u32, arg: Arg| -> Option<[Arg; 2]> {
        let Arg::Value { swizzle, .. } = arg else {
            return None;
        };
        let inst = insts[id as usize]?;
        let through = |factor: Arg| match factor {
            Arg::Value { id, swizzle: own } => Arg::Value {
                id,
                swizzle: swizzle_of(sum.width as usize, |lane| pick(own, pick(swizzle, lane).into())),
            },
            other => other,
        };
        Some([through(inst.args[0]), through(inst.args[1])])
    };
    let mad = |id: u32, [a, b]: [Arg; 2], c: Arg| {
        let code = Code::Op(Op::Mad);
        Some((
            id,
            Inst {
                code,
                args: [a, b, c],
                ..*sum
            },
        ))
    };
    match sum.code {
        Code::Op(Op::Add) => {
            if let Some(id) = product(insts, left) {
                return mad(id, factors(id, left)?, right);
            }
            let id = product(insts, right)?;
            mad(id, factors(id, right)?, left)
        }
        Code::Op(Op::Sub) => {
            // a·b − c with a number c, and c − a·b with a number among the factors.
            if let (Some(id), Some(number)) = (product(insts, left), negated(right)) {
                return mad(id, factors(id, left)?, number);
            }
            let id = product(insts, right)?;
            let [a, b] = factors(id, right)?;
            match (negated(a), negated(b)) {
                (Some(a), _) => mad(id, [a, b], left),
                (_, Some(b)) => mad(id, [a, b], left),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Lanes of each value that are read, as bits.
fn read_lanes(from: &Inst, into: &mut [u8]) {
    let width = match from.code {
        Code::Kill => 1,
        _ => from.width as usize,
    };
    for arg in from.args {
        if let Arg::Value { id, swizzle } = arg {
            for lane in 0..width {
                into[id as usize] |= 1 << pick(swizzle, lane);
            }
        }
    }
    if let Code::Pack(lanes) = from.code {
        for lane in &lanes[..from.width as usize] {
            if let Lane::Of(id, of) = lane {
                into[*id as usize] |= 1 << of;
            }
        }
    }
}

/// The lanes whose bits are set, in order, and how many there are.
fn lanes_in(bits: u8) -> ([u8; 4], usize) {
    let (mut lanes, mut count) = ([0; 4], 0);
    for lane in 0..4 {
        if bits & 1 << lane != 0 {
            lanes[count] = lane;
            count += 1;
        }
    }
    (lanes, count)
}

/// Computes only the lanes that are read.
fn narrow(insts: &mut [Option<Inst>]) {
    let mut read = vec![0_u8; insts.len()];
    // Where each lane of a narrowed value has gone.
    let mut moved: Vec<Option<[u8; 4]>> = vec![None; insts.len()];
    for at in (0..insts.len()).rev() {
        let Some(inst) = &mut insts[at] else { continue };
        let (kept, count) = lanes_in(read[at]);
        let kept = &kept[..count];
        if let (Some(&first), Some(&last)) = (kept.first(), kept.last()) {
            let width = inst.width;
            match &mut inst.code {
                Code::Op(op) if matches!(op.info().shape, Shape::Lanes(_)) => {
                    for arg in &mut inst.args {
                        if let Arg::Value { swizzle, .. } = arg {
                            let picked = *swizzle;
                            *swizzle = swizzle_of(count, |lane| pick(picked, kept[lane].into()));
                        }
                    }
                    inst.width = count as u32;
                    moved[at] = Some(places(kept));
                }
                Code::Const(bits) => {
                    let mut packed = [0; 4];
                    for (place, &lane) in packed.iter_mut().zip(kept) {
                        *place = bits[usize::from(lane)];
                    }
                    *bits = packed;
                    inst.width = count as u32;
                    moved[at] = Some(places(kept));
                }
                Code::Pack(lanes) => {
                    let mut packed = [Lane::Imm(0); 4];
                    for (place, &lane) in packed.iter_mut().zip(kept) {
                        *place = lanes[usize::from(lane)];
                    }
                    *lanes = packed;
                    inst.width = count as u32;
                    moved[at] = Some(places(kept));
                }
                Code::Field(word) => {
                    *word += u32::from(first);
                    inst.width = u32::from(last - first) + 1;
                    moved[at] = Some(std::array::from_fn(|lane| (lane as u8).saturating_sub(first)));
                }
                // Their first lanes are what they are; only the last can go.
                Code::Random { .. }
                | Code::Builtin(_)
                | Code::Parameter(_)
                | Code::EmitterField(_)
                | Code::Global(_) => {
                    inst.width = u32::from(last) + 1;
                }
                _ => {}
            }
            debug_assert!(inst.width <= width || !matches!(inst.code, Code::Op(_)));
        }
        read_lanes(inst, &mut read);
    }
    for inst in insts.iter_mut().flatten() {
        let width = match inst.code {
            Code::Kill => 1,
            _ => inst.width as usize,
        };
        for arg in &mut inst.args {
            if let Arg::Value { id, swizzle } = arg
                && let Some(places) = moved[*id as usize]
            {
                // Lanes that are not read keep the identity: only that has a text.
                let picked = *swizzle;
                *swizzle = swizzle_of(width, |lane| places[usize::from(pick(picked, lane))]);
            }
        }
        if let Code::Pack(lanes) = &mut inst.code {
            for lane in lanes {
                if let Lane::Of(id, of) = lane
                    && let Some(places) = moved[*id as usize]
                {
                    *of = places[usize::from(*of)];
                }
            }
        }
    }
}

/// Where each lane goes when only `kept` stay. What is dropped goes anywhere.
fn places(kept: &[u8]) -> [u8; 4] {
    std::array::from_fn(|lane| kept.iter().position(|&k| usize::from(k) == lane).unwrap_or(0) as u8)
}

/// Lanes gathered for one store alone are stored from where they are.
fn split_stores(insts: &mut Vec<Option<Inst>>) {
    let uses = uses(insts);
    let mut out: Vec<(usize, Vec<Inst>)> = Vec::new();
    for (at, inst) in insts.iter().enumerate() {
        let Some(Inst {
            code: Code::Store(word),
            args: [Arg::Value { id, swizzle }, ..],
            width,
            source,
        }) = *inst
        else {
            continue;
        };
        let Some(Inst {
            code: Code::Pack(lanes),
            ..
        }) = insts[id as usize]
        else {
            continue;
        };
        if uses[id as usize] != 1 {
            continue;
        }
        let lanes: Vec<Lane> = (0..width as usize)
            .map(|lane| lanes[usize::from(pick(swizzle, lane))])
            .collect();
        let mut parts = Vec::new();
        let mut start = 0;
        while start < lanes.len() {
            let run = lanes[start..]
                .iter()
                .take_while(|&&lane| together(lane, lanes[start]))
                .count();
            let arg = match lanes[start] {
                Lane::Imm(bits) => Arg::Imm(bits),
                Lane::Of(id, _) => {
                    let swizzle = swizzle_of(run, |lane| match lanes[start + lane] {
                        Lane::Of(_, of) => of,
                        Lane::Imm(_) => 0,
                    });
                    Arg::Value { id, swizzle }
                }
            };
            parts.push(Inst {
                code: Code::Store(word + start as u32),
                width: run as u32,
                args: [arg, Arg::None, Arg::None],
                source,
            });
            start += run;
        }
        out.push((at, parts));
    }
    for (at, parts) in out {
        insts[at] = None;
        insts.extend(parts.into_iter().map(Some));
    }
}

/// Whether two lanes can be moved by one instruction.
pub(super) fn together(a: Lane, b: Lane) -> bool {
    match (a, b) {
        (Lane::Imm(a), Lane::Imm(b)) => a == b,
        (Lane::Of(a, _), Lane::Of(b, _)) => a == b,
        _ => false,
    }
}

/// Drops what no store and no kill needs.
fn drop_dead(insts: &mut [Option<Inst>]) {
    let mut needed = vec![false; insts.len()];
    // Stores may stand last, whatever they read: what is needed spreads until nothing is added.
    let mut stack: Vec<usize> = (0..insts.len())
        .filter(|&at| matches!(insts[at], Some(inst) if matches!(inst.code, Code::Store(_) | Code::Kill)))
        .collect();
    while let Some(at) = stack.pop() {
        if std::mem::replace(&mut needed[at], true) {
            continue;
        }
        if let Some(inst) = &insts[at] {
            stack.extend(inst.reads().iter().map(|&id| id as usize));
        }
    }
    for (inst, needed) in insts.iter_mut().zip(needed) {
        if !needed {
            *inst = None;
        }
    }
}
