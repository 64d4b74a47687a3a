//! The program heap: constants, code and fields of all live effects in one buffer.
//!
//! Layout of the words: `[constants][code][fields]`; the field section opens with the global fields. Sections
//! only grow; growth moves sections and raises [`ProgramHeap::placement_version`], after which rows are
//! restaged. Programs are kept once by content and counted by their users.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use range_alloc::RangeAllocator;
use thiserror::Error;

use super::spans::{Spans, write_changed};
use crate::isa::link::link;
use crate::isa::{GLOBAL_FIELD_WORDS, GlobalImport, MAX_REGISTERS, Program};

/// A program cannot be placed. Nothing of it is left behind.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each case is its message")]
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
    #[error(
        "no room is left for the global field {name:?}: {GLOBAL_FIELD_WORDS} words are shared by all effects"
    )]
    GlobalsFull { name: String },
}

/// Where a program lies, in words of the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramPlace {
    /// First word of the constants.
    pub constants: u32,
    /// First word of INIT.
    pub init: u32,
    /// First word of UPDATE.
    pub update: u32,
}

#[derive(Debug)]
struct Placed {
    program: Arc<Program>,
    users: u32,
    constants: Range<u32>,
    code: Range<u32>,
}

/// One of the three sections.
#[derive(Debug)]
struct Area {
    base: u32,
    capacity: u32,
    allocator: RangeAllocator<u32>,
}

impl Area {
    fn new(capacity: u32) -> Self {
        Self {
            base: 0,
            capacity,
            allocator: RangeAllocator::new(0..capacity),
        }
    }

    /// A run of words, or by how many the section has to grow.
    fn take(&mut self, words: u32) -> Result<Range<u32>, u32> {
        if words == 0 {
            return Ok(0..0);
        }
        self.allocator.allocate_range(words).map_err(|_| {
            let grown = (self.capacity * 2).max(self.capacity + words.next_power_of_two());
            grown - self.capacity
        })
    }

    fn free(&mut self, range: Range<u32>) {
        if !range.is_empty() {
            self.allocator.free_range(range);
        }
    }
}

const CONSTANTS: usize = 0;
const CODE: usize = 1;
const FIELDS: usize = 2;

/// The heap.
#[derive(Debug)]
pub struct ProgramHeap {
    words: Vec<u32>,
    areas: [Area; 3],
    dirty: Spans,
    placement_version: u32,
    placed: Vec<Option<Placed>>,
    by_content: HashMap<Arc<Program>, u32>,
    globals: Vec<(GlobalImport, u32)>,
    register_limit: u32,
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
            areas: [
                Area::new(256),
                Area::new(4096),
                Area::new(GLOBAL_FIELD_WORDS + 1024),
            ],
            dirty: Spans::default(),
            placement_version: 1,
            placed: Vec::new(),
            by_content: HashMap::new(),
            globals: Vec::new(),
            register_limit: MAX_REGISTERS,
        };
        for area in &mut heap.areas {
            area.base = heap.words.len() as u32;
            heap.words.resize((area.base + area.capacity) as usize, 0);
        }
        heap.dirty.mark(0..heap.words.len() as u32);
        // The first run of the field section is the global fields'; nothing else was taken yet.
        let _ = heap.areas[FIELDS].take(GLOBAL_FIELD_WORDS);
        heap
    }

    fn take(&mut self, area: usize, words: u32) -> Range<u32> {
        match self.areas[area].take(words) {
            Ok(range) => range,
            Err(more) => {
                self.grow(area, more);
                // The section has just grown by a run at least that long.
                self.areas[area].take(words).unwrap_or(0..0)
            }
        }
    }

    fn grow(&mut self, area: usize, more: u32) {
        // Sections behind this one move; each is cut out by its old base and length first.
        let old: Vec<Vec<u32>> = self
            .areas
            .iter()
            .map(|a| self.words[a.base as usize..(a.base + a.capacity) as usize].to_vec())
            .collect();
        self.areas[area].capacity += more;
        let capacity = self.areas[area].capacity;
        self.areas[area].allocator.grow_to(capacity);
        self.words.clear();
        for (a, section) in self.areas.iter_mut().zip(old) {
            a.base = self.words.len() as u32;
            self.words.extend_from_slice(&section);
            self.words.resize((a.base + a.capacity) as usize, 0);
        }
        self.dirty.mark(0..self.words.len() as u32);
        self.placement_version += 1;
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
        self.check(program)?;
        let linked = self.declare(program);
        let constants = self.take(CONSTANTS, program.constants.len() as u32 * 4);
        let code = self.take(CODE, program.len() as u32 * 4);
        let id = match self.placed.iter().position(Option::is_none) {
            Some(free) => free,
            None => {
                self.placed.push(None);
                self.placed.len() - 1
            }
        };
        self.placed[id] = Some(Placed {
            program: Arc::clone(program),
            users: 1,
            constants,
            code,
        });
        self.by_content.insert(Arc::clone(program), id as u32);
        self.write(id, &linked);
        Ok(id as u32)
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
        self.check(program)?;
        let linked = self.declare(program);
        if let Some(placed) = &mut self.placed[id as usize] {
            self.by_content.remove(&placed.program);
            self.by_content.insert(Arc::clone(program), id);
            placed.program = Arc::clone(program);
        }
        self.write(id as usize, &linked);
        Ok(id)
    }

    /// Gives a reference back; the last one frees the program's words.
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
        }
    }

    /// Programs of more registers are refused from now on: the device has no place for them.
    pub fn set_register_limit(&mut self, registers: u32) {
        self.register_limit = registers;
    }

    fn check(&self, program: &Program) -> Result<(), HeapError> {
        self.check_all([program])
    }

    /// Whether all these programs could be placed together.
    ///
    /// # Errors
    /// [`HeapError`] of the first that could not.
    pub fn check_all<'a>(&self, programs: impl IntoIterator<Item = &'a Program>) -> Result<(), HeapError> {
        let most = self.register_limit;
        let mut next = self
            .globals
            .last()
            .map_or(0, |(import, word)| word + import.width);
        let mut new: Vec<&GlobalImport> = Vec::new();
        for program in programs {
            if program.registers > most {
                return Err(HeapError::Registers {
                    found: program.registers,
                    most,
                });
            }
            for import in &program.globals {
                let placed = self.globals.iter().map(|(known, _)| known);
                match placed
                    .chain(new.iter().copied())
                    .find(|known| known.name == import.name)
                {
                    Some(known) if known.width < import.width => {
                        let (name, declared, wanted) = (import.name.clone(), known.width, import.width);
                        return Err(HeapError::GlobalWidth {
                            name,
                            declared,
                            wanted,
                        });
                    }
                    Some(_) => {}
                    None => {
                        next += import.width;
                        new.push(import);
                    }
                }
                if next > GLOBAL_FIELD_WORDS {
                    return Err(HeapError::GlobalsFull {
                        name: import.name.clone(),
                    });
                }
            }
        }
        Ok(())
    }

    /// The words of the program's imports, declaring those that are new.
    fn declare(&mut self, program: &Program) -> Vec<u32> {
        let mut words = Vec::with_capacity(program.globals.len());
        for import in &program.globals {
            let known = self
                .globals
                .iter()
                .find(|(known, _)| known.name == import.name)
                .map(|(_, word)| *word);
            words.push(known.unwrap_or_else(|| {
                let word = self
                    .globals
                    .last()
                    .map_or(0, |(import, word)| word + import.width);
                self.globals.push((import.clone(), word));
                word
            }));
        }
        words
    }

    fn write(&mut self, id: usize, linked: &[u32]) {
        let Some(placed) = &self.placed[id] else { return };
        let program = &placed.program;
        let constants: Vec<u32> = program.constants.iter().flatten().copied().collect();
        let code: Vec<u32> = program
            .init
            .iter()
            .chain(&program.update)
            .flat_map(|&i| link(i, linked).0)
            .collect();
        let first = self.areas[CONSTANTS].base + placed.constants.start;
        write_changed(&mut self.words, first, &constants, &mut self.dirty);
        let first = self.areas[CODE].base + placed.code.start;
        write_changed(&mut self.words, first, &code, &mut self.dirty);
    }

    /// Where a program lies.
    #[must_use]
    pub fn place(&self, id: u32) -> Option<ProgramPlace> {
        let placed = self.placed.get(id as usize)?.as_ref()?;
        let init = self.areas[CODE].base + placed.code.start;
        Some(ProgramPlace {
            constants: self.areas[CONSTANTS].base + placed.constants.start,
            init,
            update: init + placed.program.init.len() as u32 * 4,
        })
    }

    /// The program of an id, unlinked.
    #[must_use]
    pub fn program(&self, id: u32) -> Option<&Arc<Program>> {
        Some(&self.placed.get(id as usize)?.as_ref()?.program)
    }

    /// Takes a block of the field section.
    pub fn take_block(&mut self, words: &[u32]) -> Range<u32> {
        let block = self.take(FIELDS, words.len() as u32);
        self.write_block(&block, 0, words);
        block
    }

    /// Writes words of a block, from its word `first`; only what differs is uploaded.
    pub fn write_block(&mut self, block: &Range<u32>, first: u32, words: &[u32]) {
        let first = self.areas[FIELDS].base + block.start + first;
        write_changed(&mut self.words, first, words, &mut self.dirty);
    }

    /// Gives a block back.
    pub fn free_block(&mut self, block: Range<u32>) {
        self.areas[FIELDS].free(block);
    }

    /// First word of a block in the buffer.
    #[must_use]
    pub fn block_word(&self, block: &Range<u32>) -> u32 {
        self.areas[FIELDS].base + block.start
    }

    /// First word of the global fields in the buffer.
    #[must_use]
    pub fn global_base(&self) -> u32 {
        self.areas[FIELDS].base
    }

    /// Sets a global field, declaring it where it is new.
    ///
    /// # Errors
    /// [`HeapError`] where its width differs from the declared one or no words are left.
    pub fn set_global(&mut self, name: &str, values: &[f32]) -> Result<(), HeapError> {
        let width = values.len() as u32;
        let known = self.globals.iter().find(|(known, _)| known.name == name);
        let word = match known {
            Some((known, word)) if known.width == width => *word,
            Some((known, _)) => {
                return Err(HeapError::GlobalWidth {
                    name: name.to_owned(),
                    declared: known.width,
                    wanted: width,
                });
            }
            None => {
                let word = self
                    .globals
                    .last()
                    .map_or(0, |(import, word)| word + import.width);
                if word + width > GLOBAL_FIELD_WORDS {
                    return Err(HeapError::GlobalsFull {
                        name: name.to_owned(),
                    });
                }
                self.globals.push((
                    GlobalImport {
                        name: name.to_owned(),
                        width,
                    },
                    word,
                ));
                word
            }
        };
        let words: Vec<u32> = values.iter().map(|v| v.to_bits()).collect();
        let first = self.areas[FIELDS].base + word;
        write_changed(&mut self.words, first, &words, &mut self.dirty);
        Ok(())
    }

    /// The largest register count over the programs held.
    #[must_use]
    pub fn max_registers(&self) -> u32 {
        self.placed
            .iter()
            .flatten()
            .map(|placed| placed.program.registers)
            .max()
            .unwrap_or(0)
    }

    /// Goes up when anything moved; rows staged before must be staged again.
    #[must_use]
    pub fn placement_version(&self) -> u32 {
        self.placement_version
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
