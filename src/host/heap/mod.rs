//! The program heap: programs and fields of all live effects in one buffer.
//!
//! Layout of the words: `[header][constants][code][fields]`. The header is a table of [`ProgramRow`]s, so a
//! program that moves is told of in one place; the field section opens with the global fields. Sections only
//! grow. Where a section has words enough but no run long enough it is repacked in place. Programs are kept
//! once by content and counted by their users; an id is given again once free, and never renumbered.

mod area;
mod globals;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use bytemuck::{bytes_of, cast_slice};
use thiserror::Error;

use self::area::{Area, Short};
pub use self::globals::GlobalFields;
use super::rows::{CODE_UNIFORM_WORDS, ProgramRow};
use super::spans::{Spans, write_changed};
use crate::base::gpu_struct::GpuStruct;
use crate::isa::link::link;
use crate::isa::{GLOBAL_FIELD_WORDS, MAX_REGISTERS, Program};

/// A program cannot be placed. Nothing of it is left behind.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each case is its message")]
#[non_exhaustive]
pub enum HeapError {
    #[error(
        "the program needs {found} registers, {most} are the most on this device. Split the effect's longest block or remove inputs"
    )]
    Registers { found: u32, most: u32 },
    #[error("the global field {name:?} has {declared} numbers, the effect reads {wanted}")]
    GlobalWidth {
        name: String,
        declared: u32,
        wanted: u32,
    },
    #[error("the global field {name:?} was given {found} numbers; a field has 1 to 4")]
    GlobalLength { name: String, found: usize },
    #[error("a global field has a name")]
    GlobalUnnamed,
    #[error("the global field {name:?} was given a number that is not finite")]
    GlobalNotFinite { name: String },
    #[error(
        "no room is left for the global field {name:?}: {GLOBAL_FIELD_WORDS} words are shared by all effects"
    )]
    GlobalsFull { name: String },
    #[error(
        "the programs of all effects would need {wanted} words, {most} are the most here. Remove effects or raise the system's program words"
    )]
    Full { wanted: u64, most: u64 },
}

/// A block of the field section; it may move, its id does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlockId(u32);

#[derive(Debug)]
struct Placed {
    program: Arc<Program>,
    users: u32,
    constants: Range<u32>,
    code: Range<u32>,
}

const HEADER: usize = 0;
const CONSTANTS: usize = 1;
const CODE: usize = 2;
const FIELDS: usize = 3;

/// Words each section starts with.
const FIRST_CAPACITIES: [u32; 4] = [512, 1_024, 8_192, GLOBAL_FIELD_WORDS + 1_024];

/// Words of a heap without a program: the least that any has.
pub const LEAST_WORDS: u32 = FIRST_CAPACITIES[HEADER]
    + FIRST_CAPACITIES[CONSTANTS]
    + FIRST_CAPACITIES[CODE]
    + FIRST_CAPACITIES[FIELDS];

/// The heap.
#[derive(Debug)]
pub struct ProgramHeap {
    words: Vec<u32>,
    areas: [Area; 4],
    dirty: Spans,
    placement_version: u32,
    code_version: u32,
    placed: Vec<Option<Placed>>,
    free_ids: Vec<u32>,
    by_content: HashMap<Arc<Program>, u32>,
    blocks: Vec<Option<Range<u32>>>,
    free_blocks: Vec<u32>,
    globals: GlobalFields,
    register_limit: u32,
    word_limit: u64,
    max_registers: u32,
    /// What a repack works with, kept so that it allocates only once.
    order: Vec<(u32, u32)>,
}

impl Default for ProgramHeap {
    fn default() -> Self {
        Self::new()
    }
}

impl ProgramHeap {
    /// An empty heap.
    #[must_use]
    pub fn new() -> Self {
        let mut heap = Self {
            words: Vec::new(),
            areas: FIRST_CAPACITIES.map(Area::new),
            dirty: Spans::default(),
            placement_version: 1,
            code_version: 1,
            placed: Vec::new(),
            free_ids: Vec::new(),
            by_content: HashMap::new(),
            blocks: Vec::new(),
            free_blocks: Vec::new(),
            globals: GlobalFields::default(),
            register_limit: MAX_REGISTERS,
            word_limit: u64::from(u32::MAX),
            max_registers: 0,
            order: Vec::new(),
        };
        for area in &mut heap.areas {
            area.base = heap.words.len() as u32;
            heap.words.resize((area.base + area.capacity) as usize, 0);
        }
        heap.dirty.mark(0..heap.words.len() as u32);
        heap.areas[FIELDS].restart(GLOBAL_FIELD_WORDS);
        heap
    }

    fn take(&mut self, area: usize, words: u32) -> Range<u32> {
        loop {
            match self.areas[area].take(words) {
                Ok(range) => return range,
                Err(Short::Scattered) => self.repack(area),
                Err(Short::Full) => self.grow(area, words),
            }
        }
    }

    fn grow(&mut self, area: usize, words: u32) {
        let had = self.areas[area].capacity;
        let most = self.words.len() as u32;
        let left = self.word_limit.saturating_sub(u64::from(most)) / 4 * 4;
        let left = u32::try_from(left).unwrap_or(u32::MAX).max(words);
        let doubled = (had * 2)
            .max(had + words.next_power_of_two())
            .min(had.saturating_add(left));
        // Code that still fits the uniform window grows no further than its end.
        let end = self.areas[FIELDS].base;
        let room = CODE_UNIFORM_WORDS.saturating_sub(end) / 4 * 4;
        let capacity = if area != FIELDS && doubled - had > room && room >= words {
            had + room
        } else {
            doubled
        };
        let old: Vec<Range<usize>> = self.areas.iter().map(|a| a.words(&(0..a.capacity))).collect();
        self.areas[area].grow_to(capacity);
        self.words.resize((most + capacity - had) as usize, 0);
        // Sections behind this one move, the last first.
        let moved = (capacity - had) as usize;
        for behind in (area + 1..old.len()).rev() {
            let from = old[behind].clone();
            self.words.copy_within(from.clone(), from.start + moved);
            self.areas[behind].base += moved as u32;
        }
        let first = old[area].end;
        self.words[first..first + moved].fill(0);
        self.dirty.mark(old[area].end as u32..self.words.len() as u32);
        if area < FIELDS {
            self.placement_version += 1;
        }
        if area < CODE {
            self.moved_programs();
        }
    }

    /// Moves a section's ranges together, in their order.
    fn repack(&mut self, area: usize) {
        if area == HEADER {
            return;
        }
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        if area == FIELDS {
            let live = self.blocks.iter().enumerate();
            order.extend(live.filter_map(|(id, b)| b.as_ref().map(|b| (b.start, id as u32))));
        } else {
            let live = self.placed.iter().enumerate();
            order.extend(live.filter_map(|(id, p)| {
                p.as_ref().map(|p| {
                    (
                        if area == CODE {
                            p.code.start
                        } else {
                            p.constants.start
                        },
                        id as u32,
                    )
                })
            }));
        }
        order.sort_unstable();
        self.areas[area].restart(if area == FIELDS { GLOBAL_FIELD_WORDS } else { 0 });
        for &(_, id) in &order {
            let old = match area {
                FIELDS => self.blocks[id as usize].clone(),
                CODE => self.placed[id as usize].as_ref().map(|p| p.code.clone()),
                _ => self.placed[id as usize].as_ref().map(|p| p.constants.clone()),
            }
            .unwrap_or(0..0);
            // What was there a moment ago fits again.
            let new = self.areas[area].take(old.end - old.start).unwrap_or(old.clone());
            let (from, to) = (self.areas[area].words(&old), self.areas[area].words(&new));
            if from != to {
                self.words.copy_within(from, to.start);
                self.dirty.mark(to.start as u32..to.end as u32);
            }
            match area {
                FIELDS => self.blocks[id as usize] = Some(new),
                CODE => self.placed[id as usize]
                    .iter_mut()
                    .for_each(|p| p.code = new.clone()),
                _ => self.placed[id as usize]
                    .iter_mut()
                    .for_each(|p| p.constants = new.clone()),
            }
        }
        self.order = order;
        if area == FIELDS {
            self.placement_version += 1;
        } else {
            self.moved_programs();
        }
    }

    /// Programs lie elsewhere: the header says where.
    fn moved_programs(&mut self) {
        for id in 0..self.placed.len() {
            self.write_header(id);
        }
        self.code_version += 1;
    }

    /// Takes a program, or one more reference to it, and gives its id.
    ///
    /// # Errors
    /// [`HeapError`] where the device or the global fields cannot take it; then nothing changed.
    pub fn acquire(&mut self, program: &Arc<Program>) -> Result<u32, HeapError> {
        if let Some(&id) = self.by_content.get(program) {
            if let Some(placed) = &mut self.placed[id as usize] {
                placed.users += 1;
            }
            return Ok(id);
        }
        self.check_all([&**program])?;
        let linked = self.declare(program);
        let constants = self.take(CONSTANTS, program.constants.len() as u32 * 4);
        let code = self.take(CODE, program.len() as u32 * 4);
        let id = self.free_ids.pop().unwrap_or_else(|| {
            self.placed.push(None);
            self.placed.len() as u32 - 1
        });
        let rows = (id + 1) * ProgramRow::words();
        if rows > self.areas[HEADER].capacity {
            self.grow(HEADER, rows - self.areas[HEADER].capacity);
        }
        self.max_registers = self.max_registers.max(program.registers);
        self.placed[id as usize] = Some(Placed {
            program: Arc::clone(program),
            users: 1,
            constants,
            code,
        });
        self.by_content.insert(Arc::clone(program), id);
        self.write(id as usize, &linked);
        Ok(id)
    }

    /// Exchanges a program for another: in place where it has only this user and equal lengths, so that an
    /// edited constant moves a few words and no row.
    ///
    /// # Errors
    /// As [`Self::acquire`]; then the old program stays.
    pub fn exchange(&mut self, id: u32, program: &Arc<Program>) -> Result<u32, HeapError> {
        let in_place = match &self.placed[id as usize] {
            Some(old) if *old.program == **program => return Ok(id),
            Some(old) => {
                old.users == 1
                    && old.program.constants.len() == program.constants.len()
                    && old.program.init.len() == program.init.len()
                    && old.program.update.len() == program.update.len()
                    && !self.by_content.contains_key(program)
            }
            None => false,
        };
        if !in_place {
            let new = self.acquire(program)?;
            self.release(id);
            return Ok(new);
        }
        self.check_all([&**program])?;
        let linked = self.declare(program);
        if let Some(placed) = &mut self.placed[id as usize] {
            self.by_content.remove(&placed.program);
            self.by_content.insert(Arc::clone(program), id);
            placed.program = Arc::clone(program);
        }
        self.count_registers();
        self.write(id as usize, &linked);
        Ok(id)
    }

    /// Gives a reference back; the last one frees the program's words and its id.
    pub fn release(&mut self, id: u32) {
        let Some(slot) = self.placed.get_mut(id as usize) else {
            return;
        };
        let Some(placed) = slot else { return };
        placed.users -= 1;
        if placed.users == 0
            && let Some(placed) = slot.take()
        {
            self.by_content.remove(&placed.program);
            self.areas[CONSTANTS].free(placed.constants);
            self.areas[CODE].free(placed.code);
            self.free_ids.push(id);
            self.write_header(id as usize);
            if placed.program.registers == self.max_registers {
                self.count_registers();
            }
        }
    }

    fn count_registers(&mut self) {
        let live = self.placed.iter().flatten();
        self.max_registers = live.map(|placed| placed.program.registers).max().unwrap_or(0);
    }

    /// Programs of more registers are refused from now on: the device has no place for them.
    pub fn set_register_limit(&mut self, registers: u32) {
        self.register_limit = registers;
    }

    /// Programs that would make the buffer longer than this are refused from now on.
    pub fn set_word_limit(&mut self, words: u64) {
        self.word_limit = words;
    }

    /// Whether all these programs could be placed together.
    ///
    /// # Errors
    /// [`HeapError`] of the first that could not.
    pub fn check_all<'a>(
        &self,
        programs: impl IntoIterator<Item = &'a Program> + Clone,
    ) -> Result<(), HeapError> {
        let most = self.register_limit;
        let (mut constants, mut code) = (0u64, 0u64);
        for program in programs.clone() {
            if program.registers > most {
                let found = program.registers;
                return Err(HeapError::Registers { found, most });
            }
            if !self.by_content.contains_key(program) {
                constants += program.constants.len() as u64 * 4;
                code += program.len() as u64 * 4;
            }
        }
        let more = self.areas[CONSTANTS].lacks(constants) + self.areas[CODE].lacks(code);
        let after = self.words.len() as u64 + more;
        if more > 0 && after > self.word_limit {
            return Err(HeapError::Full {
                wanted: after,
                most: self.word_limit,
            });
        }
        self.globals.check(programs)
    }

    /// The words of the program's imports, declaring those that are new.
    fn declare(&mut self, program: &Program) -> Vec<u32> {
        let imports = program.globals.iter();
        imports
            .map(|import| self.globals.declare(&import.name, import.width))
            .collect()
    }

    fn write(&mut self, id: usize, linked: &[u32]) {
        let Some(placed) = &self.placed[id] else { return };
        let program = &placed.program;
        let first = self.areas[CONSTANTS].base + placed.constants.start;
        let constants: &[u32] = program.constants.as_flattened();
        write_changed(&mut self.words, first, constants, &mut self.dirty);
        let mut first = self.areas[CODE].base + placed.code.start;
        for &instruction in program.init.iter().chain(&program.update) {
            write_changed(
                &mut self.words,
                first,
                &link(instruction, linked).0,
                &mut self.dirty,
            );
            first += 4;
        }
        self.write_header(id);
    }

    fn write_header(&mut self, id: usize) {
        let row = match &self.placed[id] {
            Some(placed) => {
                let init = self.areas[CODE].base + placed.code.start;
                ProgramRow {
                    init_offset: init,
                    init_length: placed.program.init.len() as u32,
                    update_offset: init + placed.program.init.len() as u32 * 4,
                    update_length: placed.program.update.len() as u32,
                    constant_offset: self.areas[CONSTANTS].base + placed.constants.start,
                    ..ProgramRow::default()
                }
            }
            None => ProgramRow::default(),
        };
        let first = id as u32 * ProgramRow::words();
        write_changed(
            &mut self.words,
            first,
            cast_slice(bytes_of(&row)),
            &mut self.dirty,
        );
    }

    /// Where a program lies.
    #[must_use]
    pub fn row(&self, id: u32) -> ProgramRow {
        let (first, size) = (
            id as usize * ProgramRow::words() as usize,
            ProgramRow::words() as usize,
        );
        match self.placed.get(id as usize) {
            Some(Some(_)) => bytemuck::pod_read_unaligned(cast_slice(&self.words[first..first + size])),
            _ => ProgramRow::default(),
        }
    }

    /// The program of an id, unlinked.
    #[must_use]
    pub fn program(&self, id: u32) -> Option<&Arc<Program>> {
        Some(&self.placed.get(id as usize)?.as_ref()?.program)
    }

    /// Ids given so far, those free again among them: the length of the header's table.
    #[must_use]
    pub fn program_count(&self) -> u32 {
        self.placed.len() as u32
    }

    /// Takes a block of the field section.
    pub fn take_block(&mut self, words: &[u32]) -> BlockId {
        let range = self.take(FIELDS, words.len() as u32);
        let id = self.free_blocks.pop().unwrap_or_else(|| {
            self.blocks.push(None);
            self.blocks.len() as u32 - 1
        });
        self.blocks[id as usize] = Some(range);
        self.write_block(BlockId(id), 0, words);
        BlockId(id)
    }

    /// Writes words of a block, from its word `first`; only what differs is uploaded. Words past its end are
    /// left out.
    pub fn write_block(&mut self, block: BlockId, first: u32, words: &[u32]) {
        let Some(Some(range)) = self.blocks.get(block.0 as usize) else {
            return;
        };
        let room = (range.end - range.start).saturating_sub(first);
        let words = &words[..words.len().min(room as usize)];
        let first = self.areas[FIELDS].base + range.start + first;
        write_changed(&mut self.words, first, words, &mut self.dirty);
    }

    /// Marks words of the field section, from its base, as changed though they are not: what the GPU wrote over
    /// them is to be undone.
    pub fn touch_fields(&mut self, words: Range<u32>) {
        let base = self.global_base();
        self.dirty.mark(base + words.start..base + words.end);
    }

    /// The words of a block.
    #[must_use]
    pub fn block(&self, block: BlockId) -> &[u32] {
        match self.blocks.get(block.0 as usize) {
            Some(Some(range)) => &self.words[self.areas[FIELDS].words(range)],
            _ => &[],
        }
    }

    /// Gives a block back.
    pub fn free_block(&mut self, block: BlockId) {
        if let Some(range) = self.blocks.get_mut(block.0 as usize).and_then(Option::take) {
            self.areas[FIELDS].free(range);
            self.free_blocks.push(block.0);
        }
    }

    /// First word of a block in the buffer.
    #[must_use]
    pub fn block_word(&self, block: BlockId) -> u32 {
        let range = self.blocks.get(block.0 as usize).and_then(Option::as_ref);
        self.areas[FIELDS].base + range.map_or(0, |range| range.start)
    }

    /// First word of the field section, where the global fields are.
    #[must_use]
    pub fn global_base(&self) -> u32 {
        self.areas[FIELDS].base
    }

    /// The global fields declared so far.
    #[must_use]
    pub fn globals(&self) -> &GlobalFields {
        &self.globals
    }

    /// Sets a global field, declaring it where it is new.
    ///
    /// # Errors
    /// [`HeapError`] where its width differs from the declared one or no words are left.
    pub fn set_global(&mut self, name: &str, values: &[f32]) -> Result<(), HeapError> {
        if !(1..=4).contains(&values.len()) {
            return Err(HeapError::GlobalLength {
                name: name.to_owned(),
                found: values.len(),
            });
        }
        if name.is_empty() {
            return Err(HeapError::GlobalUnnamed);
        }
        if values.iter().any(|value| !value.is_finite()) {
            return Err(HeapError::GlobalNotFinite {
                name: name.to_owned(),
            });
        }
        let word = self.globals.exact(name, values.len() as u32)?;
        let first = self.areas[FIELDS].base + word;
        write_changed(&mut self.words, first, cast_slice(values), &mut self.dirty);
        Ok(())
    }

    /// The largest register count over the programs held.
    #[must_use]
    pub fn max_registers(&self) -> u32 {
        self.max_registers
    }

    /// Goes up when a block moved; rows staged before must be staged again.
    #[must_use]
    pub fn placement_version(&self) -> u32 {
        self.placement_version
    }

    /// Goes up when a program moved: what was made of the header before is stale.
    #[must_use]
    pub fn code_version(&self) -> u32 {
        self.code_version
    }

    /// Whether header, constants and code fit a uniform window of the buffer.
    #[must_use]
    pub fn code_is_uniform(&self) -> bool {
        self.areas[FIELDS].base <= CODE_UNIFORM_WORDS
    }

    /// The buffer.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// What changed since the spans were cleared.
    #[must_use]
    pub fn dirty(&self) -> &Spans {
        &self.dirty
    }

    /// Forgets what changed.
    pub fn clear_dirty(&mut self) {
        self.dirty.clear();
    }
}
