//! One section of the heap: a run of words that only grows, handed out in ranges.

use std::ops::Range;

use range_alloc::RangeAllocator;

/// Why a section cannot give a range as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Short {
    /// There are words enough, in no run long enough.
    Scattered,
    /// There are too few words.
    Full,
}

/// A section.
#[derive(Debug)]
pub(super) struct Area {
    /// Its first word in the buffer.
    pub(super) base: u32,
    /// Its words.
    pub(super) capacity: u32,
    used: u32,
    allocator: RangeAllocator<u32>,
}

impl Area {
    pub(super) fn new(capacity: u32) -> Self {
        Self {
            base: 0,
            capacity,
            used: 0,
            allocator: RangeAllocator::new(0..capacity),
        }
    }

    /// A run of words, from the section's start.
    pub(super) fn take(&mut self, words: u32) -> Result<Range<u32>, Short> {
        if words == 0 {
            return Ok(0..0);
        }
        match self.allocator.allocate_range(words) {
            Ok(range) => {
                self.used += words;
                Ok(range)
            }
            Err(_) if self.capacity - self.used >= words => Err(Short::Scattered),
            Err(_) => Err(Short::Full),
        }
    }

    /// How many of so many words it has no room for, however it is packed.
    pub(super) fn lacks(&self, words: u64) -> u64 {
        words.saturating_sub(u64::from(self.capacity - self.used))
    }

    pub(super) fn free(&mut self, range: Range<u32>) {
        if !range.is_empty() {
            self.used -= range.end - range.start;
            self.allocator.free_range(range);
        }
    }

    pub(super) fn grow_to(&mut self, capacity: u32) {
        self.capacity = capacity;
        self.allocator.grow_to(capacity);
    }

    /// Forgets every range but a first run of so many words, which is given again from the start.
    pub(super) fn restart(&mut self, kept: u32) {
        self.used = 0;
        self.allocator = RangeAllocator::new(0..self.capacity);
        if kept > 0 {
            // A section of one free run gives its start.
            let _ = self.take(kept);
        }
    }

    /// The words of a range of this section in the buffer.
    pub(super) fn words(&self, range: &Range<u32>) -> Range<usize> {
        (self.base + range.start) as usize..(self.base + range.end) as usize
    }
}
