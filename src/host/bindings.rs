//! Fields bound to rows of the transforms: every step the GPU writes a row's place, direction, top or rotation
//! into an emitter's or a global field, so a beam ends at a joint the CPU never sees.
//!
//! A bound word is written anew in every step, so an upload that lands on it is gone before anything reads it.
//! What lets go of a binding hands its words back to the caller, who writes the field's own value there.

use std::ops::Range;

use bytemuck::{bytes_of, cast_slice};
use thiserror::Error;

use super::spans::{Spans, write_changed};
use super::transforms::{MAX_TRANSFORMS, TransformError, TransformTable};
use crate::base::gpu_struct::GpuStruct as _;
use crate::gpu_struct;

/// The owner of bindings of global fields, which no emitter takes with it.
pub const GLOBAL_OWNER: u32 = 0xffff_ffff;

/// What of a row's world pose a field gets. Right-handed, +Y up, forward is −Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
#[non_exhaustive]
pub enum PoseChannel {
    /// Its place, in metres.
    Position = 0,
    /// Where it looks: its −Z axis with length 1; 0 where that axis has no length.
    Direction = 1,
    /// Its top: its +Y axis with length 1; 0 where that axis has no length.
    Up = 2,
    /// Its rotation (x, y, z, w), scale divided out, a mirror taken out of the x axis; the identity where a
    /// scale is 0. See [`Pose::quaternion`](super::Pose::quaternion).
    Orientation = 3,
}

impl PoseChannel {
    /// All of them, by number.
    pub const ALL: [Self; 4] = [Self::Position, Self::Direction, Self::Up, Self::Orientation];

    /// Words it writes.
    #[must_use]
    pub const fn width(self) -> u32 {
        match self {
            Self::Orientation => 4,
            _ => 3,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Direction => "direction",
            Self::Up => "up",
            Self::Orientation => "orientation",
        }
    }

    fn from_word(word: u32) -> Option<Self> {
        Self::ALL.get(word as usize).copied()
    }
}

gpu_struct! {
    /// A row of the bindings.
    pub struct BindingRow {
        /// The transform row that is read.
        source: u32,
        /// The field's first word, from the field section's base.
        word: u32,
        /// What of the pose is written.
        channel: u32,
        /// 1 where the row is in use.
        used: u32,
    }
}

/// A field, what it is bound to, and for whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldBinding {
    /// Whoever takes the binding with it when it goes, by a key of the caller's; [`GLOBAL_OWNER`] for a
    /// global field.
    pub owner: u32,
    /// The field's first word, from the field section's base.
    pub word: u32,
    /// The transform row that is read; the binding holds it.
    pub source: u32,
    /// What of it the field gets.
    pub channel: PoseChannel,
}

/// Words that nothing writes any more: the caller puts the field's own value there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freed {
    /// Whose field it is.
    pub owner: u32,
    /// First word, from the field section's base.
    pub word: u32,
    /// Words.
    pub width: u32,
}

/// A field cannot be bound. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each case is its message")]
#[non_exhaustive]
pub enum BindError {
    #[error("{} writes {} numbers, the field has {found}", channel.name(), channel.width())]
    Width { channel: PoseChannel, found: u32 },
    #[error("the field is bound to transform row {source_row} already")]
    Bound { source_row: u32 },
    #[error(transparent)]
    Transform(#[from] TransformError),
    #[error("there are {MAX_TRANSFORMS} bindings, and no more")]
    Full,
}

/// The staged bindings. A row keeps its number as long as its binding lives.
#[derive(Debug, Default)]
pub struct FieldBindings {
    words: Vec<u32>,
    owners: Vec<u32>,
    /// (word, row), sorted.
    by_word: Vec<(u32, u32)>,
    free: Vec<u32>,
    freed: Vec<Freed>,
    dirty: Spans,
}

impl FieldBindings {
    /// No bindings.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Binds a field of `width` words and gives the binding's row. The first request for a field stands: it
    /// is let go before another is taken.
    ///
    /// # Errors
    /// [`BindError`].
    pub fn bind(
        &mut self,
        transforms: &mut TransformTable,
        binding: FieldBinding,
        width: u32,
    ) -> Result<u32, BindError> {
        let FieldBinding { word, channel, .. } = binding;
        if width != channel.width() {
            return Err(BindError::Width {
                channel,
                found: width,
            });
        }
        if let Some(other) = self.overlapping(word, width) {
            let source_row = self.rows()[other as usize].source;
            return Err(BindError::Bound { source_row });
        }
        if self.free.is_empty() && self.row_count() >= MAX_TRANSFORMS {
            return Err(BindError::Full);
        }
        transforms.hold(binding.source)?;
        let row = self.free.pop().unwrap_or_else(|| self.grow());
        self.owners[row as usize] = binding.owner;
        self.enter(word, row);
        let staged = BindingRow {
            source: binding.source,
            word,
            channel: channel as u32,
            used: 1,
        };
        self.store(row, &staged);
        Ok(row)
    }

    /// Lets go of the binding of the field that starts at a word.
    pub fn unbind(&mut self, transforms: &mut TransformTable, word: u32) -> Option<Freed> {
        let (row, _) = self.find(word)?;
        self.freed.clear();
        self.let_go(transforms, row);
        self.freed.first().copied()
    }

    /// Lets go of everything an owner bound, as it goes. What is given back is freed.
    pub fn release_owner(&mut self, transforms: &mut TransformTable, owner: u32) -> &[Freed] {
        self.retain(transforms, |binding| binding.owner != owner)
    }

    /// Lets go of everything that reads a transform row, as what stands there goes. What is given back is
    /// freed; the row's other holders still hold it.
    pub fn release_target(&mut self, transforms: &mut TransformTable, source: u32) -> &[Freed] {
        self.retain(transforms, |binding| binding.source != source)
    }

    /// Lets go of everything that is not to be kept, such as fields a layout no longer has. What is given
    /// back is freed.
    pub fn retain(
        &mut self,
        transforms: &mut TransformTable,
        mut keep: impl FnMut(&FieldBinding) -> bool,
    ) -> &[Freed] {
        self.freed.clear();
        if !self.is_empty() {
            for row in 0..self.row_count() {
                if self.get(row).is_some_and(|binding| !keep(&binding)) {
                    self.let_go(transforms, row);
                }
            }
        }
        &self.freed
    }

    /// A binding's field lies elsewhere now. Says whether there is such a binding. Blocks that change places
    /// one after another may pass through each other's words.
    pub fn move_word(&mut self, row: u32, word: u32) -> bool {
        let Some(binding) = self.get(row) else {
            return false;
        };
        self.leave(binding.word, row);
        self.enter(word, row);
        let staged = BindingRow {
            word,
            ..self.rows()[row as usize]
        };
        self.store(row, &staged);
        true
    }

    /// An owner's block lies elsewhere now: the fields it had in `from` lie as far behind `to`.
    pub fn move_block(&mut self, owner: u32, from: &Range<u32>, to: u32) {
        if self.is_empty() || from.start == to {
            return;
        }
        for row in 0..self.row_count() {
            if let Some(binding) = self.get(row)
                && binding.owner == owner
                && from.contains(&binding.word)
            {
                self.move_word(row, to + (binding.word - from.start));
            }
        }
    }

    /// The binding of a row, if it has one.
    #[must_use]
    pub fn get(&self, row: u32) -> Option<FieldBinding> {
        let staged = self.rows().get(row as usize).filter(|staged| staged.used != 0)?;
        Some(FieldBinding {
            owner: self.owners[row as usize],
            word: staged.word,
            source: staged.source,
            channel: PoseChannel::from_word(staged.channel)?,
        })
    }

    /// The binding of the field that starts at a word, with its row.
    #[must_use]
    pub fn find(&self, word: u32) -> Option<(u32, FieldBinding)> {
        let at = self.by_word.partition_point(|&(other, _)| other < word);
        let &(found, row) = self.by_word.get(at)?;
        (found == word).then(|| self.get(row).map(|binding| (row, binding)))?
    }

    /// Rows, used or not: the threads of the pass.
    #[must_use]
    pub fn row_count(&self) -> u32 {
        self.owners.len() as u32
    }

    /// Bindings that live.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_word.len()
    }

    /// Length of the table while anything is bound, else 0: the pass has nothing to do then.
    #[must_use]
    pub fn bound_rows(&self) -> u32 {
        if self.is_empty() { 0 } else { self.row_count() }
    }

    /// Whether no binding lives: then the pass is not recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_word.is_empty()
    }

    /// The rows as words, [`BindingRow`] after [`BindingRow`].
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[BindingRow] {
        cast_slice(&self.words)
    }

    /// What changed in the words.
    #[must_use]
    pub fn dirty(&self) -> &Spans {
        &self.dirty
    }

    /// Everything counts as uploaded.
    pub fn clear_dirty(&mut self) {
        self.dirty.clear();
    }

    /// Bytes kept on the CPU. It grows with the most bindings there ever were and with nothing else.
    #[must_use]
    pub fn memory(&self) -> usize {
        (self.words.capacity() + self.owners.capacity() + self.free.capacity()) * 4
            + self.by_word.capacity() * size_of::<(u32, u32)>()
            + self.freed.capacity() * size_of::<Freed>()
    }

    fn store(&mut self, row: u32, staged: &BindingRow) {
        let first = row * BindingRow::words();
        write_changed(
            &mut self.words,
            first,
            cast_slice(bytes_of(staged)),
            &mut self.dirty,
        );
    }

    /// One row more, and room in every list for all rows, so that nothing grows in a step.
    fn grow(&mut self) -> u32 {
        let row = self.row_count();
        self.owners.push(GLOBAL_OWNER);
        let rows = self.owners.len();
        self.words.resize(rows * BindingRow::words() as usize, 0);
        self.free.reserve(rows - self.free.len());
        self.by_word.reserve(rows - self.by_word.len());
        self.freed.clear();
        self.freed.reserve(rows);
        row
    }

    fn let_go(&mut self, transforms: &mut TransformTable, row: u32) {
        let Some(binding) = self.get(row) else {
            return;
        };
        self.leave(binding.word, row);
        self.store(row, &BindingRow::default());
        self.free.push(row);
        self.freed.push(Freed {
            owner: binding.owner,
            word: binding.word,
            width: binding.channel.width(),
        });
        let released = transforms.release(binding.source);
        debug_assert!(released.is_ok(), "a binding holds its row");
    }

    fn enter(&mut self, word: u32, row: u32) {
        let at = self.by_word.partition_point(|&entry| entry < (word, row));
        self.by_word.insert(at, (word, row));
    }

    fn leave(&mut self, word: u32, row: u32) {
        if let Ok(at) = self.by_word.binary_search(&(word, row)) {
            self.by_word.remove(at);
        }
    }

    /// The row of a binding that writes any of these words.
    fn overlapping(&self, word: u32, width: u32) -> Option<u32> {
        let ends_at = |row: u32| {
            self.get(row)
                .map_or(0, |b| b.word.saturating_add(b.channel.width()))
        };
        let at = self.by_word.partition_point(|&(other, _)| other < word);
        let after = self
            .by_word
            .get(at)
            .filter(|&&(other, _)| other < word.saturating_add(width));
        let before = at.checked_sub(1).and_then(|at| self.by_word.get(at));
        after
            .or_else(|| before.filter(|&&(_, row)| ends_at(row) > word))
            .map(|&(_, row)| row)
    }
}
