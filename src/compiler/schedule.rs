//! The order in which a section computes: each stored field from its operands up, as soon as what it stores
//! is known, so that few values are alive at once.
//!
//! Wide values that cost one instruction (constants, built-ins) are made again for each field rather than
//! kept. A field is loaded before it is stored, whoever needs what it was.

use super::ir::{Code, Inst};

/// The instructions to write, in order; each names its value, and a value made again has its name again.
pub(super) fn schedule(insts: &[Option<Inst>]) -> Vec<(u32, Inst)> {
    let mut roots: Vec<(usize, u32)> = Vec::new();
    for (id, inst) in insts.iter().enumerate() {
        if let Some(inst) = inst
            && matches!(inst.code, Code::Store(_) | Code::Kill)
        {
            roots.push((known_at(insts, inst), id as u32));
        }
    }
    roots.sort_unstable();
    let loads: Vec<u32> = (0..insts.len() as u32)
        .filter(|&id| matches!(insts[id as usize], Some(inst) if matches!(inst.code, Code::Field(_))))
        .collect();
    let mut order = Order {
        insts,
        made: vec![false; insts.len()],
        again: Vec::new(),
        out: Vec::with_capacity(insts.len()),
        stack: Vec::new(),
    };
    for (_, root) in roots {
        if let Some(Inst {
            code: Code::Store(word),
            width,
            ..
        }) = &insts[root as usize]
        {
            // What reads these words reads them as they were.
            let overlaps = |inst: &Inst| match inst.code {
                Code::Field(first) => first < word + width && *word < first + inst.width,
                _ => false,
            };
            for load in loads
                .iter()
                .filter(|&&load| insts[load as usize].as_ref().is_some_and(overlaps))
            {
                order.demand(*load);
            }
        }
        order.demand(root);
        for id in order.again.drain(..) {
            order.made[id as usize] = false;
        }
    }
    order.out
}

/// The last of the values that a root needs, not counting lanes gathered for it alone.
fn known_at(insts: &[Option<Inst>], root: &Inst) -> usize {
    let reads = root.reads();
    reads
        .iter()
        .map(|&id| match &insts[id as usize] {
            Some(inst) if matches!(inst.code, Code::Pack(_)) => {
                inst.reads().iter().copied().max().unwrap_or(id)
            }
            Some(inst) if cheap(inst) => 0,
            _ => id,
        })
        .max()
        .unwrap_or(0) as usize
}

fn cheap(inst: &Inst) -> bool {
    inst.width >= 3 && matches!(inst.code, Code::Const(_) | Code::Builtin(_))
}

struct Order<'a> {
    insts: &'a [Option<Inst>],
    made: Vec<bool>,
    again: Vec<u32>,
    out: Vec<(u32, Inst)>,
    /// Values on the way to the one demanded.
    stack: Vec<u32>,
}

impl Order<'_> {
    /// Writes a value and what it needs that is not yet written, operands first.
    fn demand(&mut self, id: u32) {
        self.stack.push(id);
        while let Some(&id) = self.stack.last() {
            let Some(inst) = &self.insts[id as usize] else {
                self.stack.pop();
                continue;
            };
            if self.made[id as usize] {
                self.stack.pop();
                continue;
            }
            // Operands that were computed first come first; single cheap ones come last, next to their use.
            let pending = |read: &u32| !self.made[*read as usize];
            let wide = |read: &u32| self.insts[*read as usize].as_ref().is_some_and(cheap);
            let reads = inst.reads();
            let pending = reads.iter().copied().filter(pending);
            let next = pending.min_by_key(|read| (wide(read), *read));
            match next {
                Some(next) => self.stack.push(next),
                None => {
                    self.made[id as usize] = true;
                    if cheap(inst) {
                        self.again.push(id);
                    }
                    self.out.push((id, *inst));
                    self.stack.pop();
                }
            }
        }
    }
}
