//! The hierarchy of transforms as the CPU stages it: local matrices, parents, and rows of the caller's own
//! buffer of matrices.
//!
//! Nothing is composed here. The transforms pass walks each row's parents and writes its world pose, beside
//! the last step's, into one table that every other pass reads; `crate::reference::transforms` is its twin.
//! Rows are held by counting: whoever claims a row holds it, and so do its children and the bindings that
//! read it. The last holder to let go frees it, and its number is handed out again only after a step, in
//! which what still names it dies.

use bytemuck::{Pod, Zeroable, bytes_of, cast_slice};
use thiserror::Error;

use super::pose::Pose;
use super::rows::{MAX_GROUPS_X, TRANSFORM_WORDS, WORKGROUP_SIZE};
use super::spans::{Spans, write_changed};
use crate::base::gpu_struct::GpuStruct as _;
use crate::gpu_struct;

/// Most rows of a chain, from one with no parent to the last child, both counted.
pub const MAX_DEPTH: u32 = 64;
/// Most rows: one thread each in one dispatch.
pub const MAX_TRANSFORMS: u32 = MAX_GROUPS_X * WORKGROUP_SIZE;
/// No row.
pub const NO_ROW: u32 = 0xffff_ffff;

/// The row is in use.
pub const FLAG_LIVE: u32 = 1;
/// Its matrix comes from the caller's buffer.
pub const FLAG_MATRIX: u32 = 2;
/// In this step it did not move from where it was: it, and what hangs on it, has no way behind it.
pub const FLAG_TELEPORT: u32 = 4;
/// It was handed out since the last step, so what the composed table holds of it is another's.
pub const FLAG_FRESH: u32 = 8;

const MARKS: u32 = FLAG_TELEPORT | FLAG_FRESH;

gpu_struct! {
    /// A row of the hierarchy.
    pub struct TransformRow {
        /// From the row's own space to its parent's, three rows of four.
        local: [[f32; 4]; 3],
        /// The parent's row, or none.
        parent: u32,
        /// Row of the caller's buffer of matrices.
        matrix: u32,
        /// Whether it lives, where its matrix is from, and the marks of this step.
        flags: u32,
        /// Keeps rows at a multiple of four words.
        reserved: u32,
    }
}

/// A row of the composed table: [`TRANSFORM_WORDS`] words.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Composed {
    /// World pose of this step.
    pub now: Pose,
    /// World pose of the step before; the same as `now` where there is no way between.
    pub last: Pose,
}

const _: () = assert!(size_of::<Composed>() == TRANSFORM_WORDS as usize * 4);

/// Where a row's matrix comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PoseSource {
    /// This matrix, in the parent's space; in the world where there is no parent.
    At(Pose),
    /// The world matrix that lies in this row of the caller's buffer, an `array<mat4x4f>` of column-major
    /// matrices as engines keep them, of which the last row is not read. The row's parent does not count
    /// while its matrix is from there. A row past the buffer's end is the identity.
    Row(u32),
}

impl From<Pose> for PoseSource {
    fn from(pose: Pose) -> Self {
        Self::At(pose)
    }
}

/// Something asked of a row cannot be done. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each case is its message")]
#[non_exhaustive]
pub enum TransformError {
    #[error("there is no transform row {0}")]
    NoRow(u32),
    #[error("transform row {row} cannot hang on row {parent}, which hangs on it")]
    Cycle { row: u32, parent: u32 },
    #[error("the chain over transform row {row} would have {depth} rows, {MAX_DEPTH} are the most")]
    TooDeep { row: u32, depth: u32 },
    #[error("there are {MAX_TRANSFORMS} transform rows, and no more")]
    Full,
}

/// What the CPU alone knows of a row.
#[derive(Debug, Clone, Copy)]
struct Link {
    /// 0 in a row that is not in use.
    holders: u32,
    parent: u32,
    first_child: u32,
    next: u32,
    previous: u32,
}

const UNUSED: Link = Link {
    holders: 0,
    parent: NO_ROW,
    first_child: NO_ROW,
    next: NO_ROW,
    previous: NO_ROW,
};

/// The staged rows.
#[derive(Debug, Default)]
pub struct TransformTable {
    words: Vec<u32>,
    links: Vec<Link>,
    free: Vec<u32>,
    /// Freed since the last step.
    resting: Vec<u32>,
    /// Rows that carry a mark of this step, once each.
    marked: Vec<u32>,
    dirty: Spans,
}

impl TransformTable {
    /// No rows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Hands out a row, which the caller then holds. It has no pose before this step's.
    ///
    /// # Errors
    /// [`TransformError`]: no such parent, too deep a chain, no more rows.
    pub fn claim(&mut self, source: PoseSource, parent: Option<u32>) -> Result<u32, TransformError> {
        let row = self.free.last().copied().unwrap_or(self.row_count());
        if let Some(parent) = parent {
            let depth = self.depth(parent)? + 1;
            if depth > MAX_DEPTH {
                return Err(TransformError::TooDeep { row, depth });
            }
        }
        if self.free.pop().is_none() {
            if self.row_count() >= MAX_TRANSFORMS {
                return Err(TransformError::Full);
            }
            self.grow();
        }
        self.links[row as usize] = Link { holders: 1, ..UNUSED };
        self.attach(row, parent);
        let mut staged = TransformRow {
            parent: parent.unwrap_or(NO_ROW),
            flags: FLAG_LIVE | FLAG_FRESH,
            ..TransformRow::default()
        };
        point(&mut staged, source);
        self.marked.push(row);
        self.store(row, &staged);
        Ok(row)
    }

    /// One more holder.
    ///
    /// # Errors
    /// [`TransformError::NoRow`].
    pub fn hold(&mut self, row: u32) -> Result<(), TransformError> {
        self.check(row)?;
        self.links[row as usize].holders += 1;
        Ok(())
    }

    /// One holder less. Says whether it was the last: then the row is freed, and with it the parents that
    /// nobody else holds.
    ///
    /// # Errors
    /// [`TransformError::NoRow`].
    pub fn release(&mut self, row: u32) -> Result<bool, TransformError> {
        self.check(row)?;
        let freed = self.links[row as usize].holders == 1;
        let mut at = row;
        while at != NO_ROW {
            let link = &mut self.links[at as usize];
            link.holders -= 1;
            if link.holders > 0 {
                break;
            }
            let parent = link.parent;
            self.detach(at);
            self.links[at as usize] = UNUSED;
            self.store(at, &TransformRow::default());
            self.resting.push(at);
            at = parent;
        }
        Ok(freed)
    }

    /// Sets where a row's matrix comes from. An equal one costs nothing.
    ///
    /// # Errors
    /// [`TransformError::NoRow`].
    pub fn set(&mut self, row: u32, source: PoseSource) -> Result<(), TransformError> {
        let mut staged = self.row(row)?;
        point(&mut staged, source);
        self.store(row, &staged);
        Ok(())
    }

    /// In this step the row, and all that hangs on it, does not come from where it was: it stands, and the
    /// next movement starts, where this step finds it.
    ///
    /// # Errors
    /// [`TransformError::NoRow`].
    pub fn teleport(&mut self, row: u32) -> Result<(), TransformError> {
        let staged = self.row(row)?;
        self.mark(row, staged, FLAG_TELEPORT);
        Ok(())
    }

    /// Hangs a row, with all that hangs on it, on another one, or on none. Its local matrix stays as it is;
    /// what that moves counts as movement unless the row is told that it teleports.
    ///
    /// # Errors
    /// [`TransformError`]: no such row, a cycle, too deep a chain.
    pub fn set_parent(&mut self, row: u32, parent: Option<u32>) -> Result<(), TransformError> {
        let mut staged = self.row(row)?;
        let old = self.parent(row)?;
        if old == parent {
            return Ok(());
        }
        if let Some(parent) = parent {
            self.check(parent)?;
            if self.chain(parent).any(|above| above == row) {
                return Err(TransformError::Cycle { row, parent });
            }
            let depth = self.depth(parent)? + self.height(row);
            if depth > MAX_DEPTH {
                return Err(TransformError::TooDeep { row, depth });
            }
        }
        self.detach(row);
        self.attach(row, parent);
        staged.parent = parent.unwrap_or(NO_ROW);
        self.store(row, &staged);
        if let Some(old) = old {
            self.release(old)?;
        }
        Ok(())
    }

    /// The composed table is another one, or was made anew: no row has a pose before this step's.
    pub fn forget_poses(&mut self) {
        for row in 0..self.row_count() {
            if let Ok(staged) = self.row(row) {
                self.mark(row, staged, FLAG_FRESH);
            }
        }
    }

    /// Closes a step: what was staged counts as uploaded, marks are taken off for the next upload, and freed
    /// rows may be handed out.
    pub fn end_step(&mut self) {
        self.dirty.clear();
        for index in 0..self.marked.len() {
            let row = self.marked[index];
            if let Ok(mut staged) = self.row(row) {
                staged.flags &= !MARKS;
                self.store(row, &staged);
            }
        }
        self.marked.clear();
        self.free.append(&mut self.resting);
    }

    /// Rows in use, resting and free: the length of both tables.
    #[must_use]
    pub fn row_count(&self) -> u32 {
        self.links.len() as u32
    }

    /// Rows in use.
    #[must_use]
    pub fn live_count(&self) -> u32 {
        (self.links.len() - self.free.len() - self.resting.len()) as u32
    }

    /// Whether a row is in use.
    #[must_use]
    pub fn is_live(&self, row: u32) -> bool {
        self.holders(row) > 0
    }

    /// Who holds a row: its claimer, its children, bindings. 0 where it is not in use.
    #[must_use]
    pub fn holders(&self, row: u32) -> u32 {
        self.links.get(row as usize).map_or(0, |link| link.holders)
    }

    /// What a row hangs on.
    ///
    /// # Errors
    /// [`TransformError::NoRow`].
    pub fn parent(&self, row: u32) -> Result<Option<u32>, TransformError> {
        self.check(row)?;
        let parent = self.links[row as usize].parent;
        Ok((parent != NO_ROW).then_some(parent))
    }

    /// Where a row's matrix comes from.
    ///
    /// # Errors
    /// [`TransformError::NoRow`].
    pub fn source(&self, row: u32) -> Result<PoseSource, TransformError> {
        let staged = self.row(row)?;
        Ok(if staged.flags & FLAG_MATRIX == 0 {
            PoseSource::At(Pose(staged.local))
        } else {
            PoseSource::Row(staged.matrix)
        })
    }

    /// Rows of the chain that ends with this one, itself counted: 1 to [`MAX_DEPTH`].
    ///
    /// # Errors
    /// [`TransformError::NoRow`].
    pub fn depth(&self, row: u32) -> Result<u32, TransformError> {
        self.check(row)?;
        Ok(self.chain(row).count() as u32)
    }

    /// The rows as words, [`TransformRow`] after [`TransformRow`].
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[TransformRow] {
        cast_slice(&self.words)
    }

    /// What changed in the words.
    #[must_use]
    pub fn dirty(&self) -> &Spans {
        &self.dirty
    }

    /// Everything counts as uploaded, without a step.
    pub fn clear_dirty(&mut self) {
        self.dirty.clear();
    }

    /// Bytes kept on the CPU. It grows with the most rows there ever were and with nothing else.
    #[must_use]
    pub fn memory(&self) -> usize {
        let words = self.words.capacity() + self.free.capacity() + self.resting.capacity();
        (words + self.marked.capacity()) * 4 + self.links.capacity() * size_of::<Link>()
    }

    fn check(&self, row: u32) -> Result<(), TransformError> {
        if self.is_live(row) {
            Ok(())
        } else {
            Err(TransformError::NoRow(row))
        }
    }

    fn row(&self, row: u32) -> Result<TransformRow, TransformError> {
        self.check(row)?;
        Ok(self.rows()[row as usize])
    }

    fn store(&mut self, row: u32, staged: &TransformRow) {
        let first = row * TransformRow::words();
        write_changed(
            &mut self.words,
            first,
            cast_slice(bytes_of(staged)),
            &mut self.dirty,
        );
    }

    fn mark(&mut self, row: u32, mut staged: TransformRow, flag: u32) {
        if staged.flags & MARKS == 0 {
            self.marked.push(row);
        }
        staged.flags |= flag;
        self.store(row, &staged);
    }

    /// One row more, and room in every list for all rows, so that nothing grows in a step.
    fn grow(&mut self) {
        self.links.push(UNUSED);
        let rows = self.links.len();
        self.words.resize(rows * TransformRow::words() as usize, 0);
        for list in [&mut self.free, &mut self.resting, &mut self.marked] {
            list.reserve(rows - list.len());
        }
    }

    /// The row, its parent, and on to the one with no parent.
    fn chain(&self, row: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(row), |&row| {
            let parent = self.links[row as usize].parent;
            (parent != NO_ROW).then_some(parent)
        })
    }

    /// Rows of the longest chain from this one down, itself counted.
    fn height(&self, root: u32) -> u32 {
        let (mut at, mut depth, mut most) = (root, 1, 1);
        loop {
            let child = self.links[at as usize].first_child;
            if child != NO_ROW {
                at = child;
                depth += 1;
                most = most.max(depth);
                continue;
            }
            loop {
                if at == root {
                    return most;
                }
                let link = &self.links[at as usize];
                if link.next != NO_ROW {
                    at = link.next;
                    break;
                }
                at = link.parent;
                depth -= 1;
            }
        }
    }

    /// Enters a row that hangs on nothing among the children of its parent, which it then holds.
    fn attach(&mut self, row: u32, parent: Option<u32>) {
        let Some(parent) = parent else {
            return;
        };
        let above = &mut self.links[parent as usize];
        above.holders += 1;
        let next = std::mem::replace(&mut above.first_child, row);
        if next != NO_ROW {
            self.links[next as usize].previous = row;
        }
        let link = &mut self.links[row as usize];
        link.parent = parent;
        link.next = next;
        link.previous = NO_ROW;
    }

    /// Takes a row from among the children of its parent, which it still counts as a holder of.
    fn detach(&mut self, row: u32) {
        let link = self.links[row as usize];
        if link.previous != NO_ROW {
            self.links[link.previous as usize].next = link.next;
        } else if link.parent != NO_ROW {
            self.links[link.parent as usize].first_child = link.next;
        }
        if link.next != NO_ROW {
            self.links[link.next as usize].previous = link.previous;
        }
        let link = &mut self.links[row as usize];
        link.parent = NO_ROW;
        link.next = NO_ROW;
        link.previous = NO_ROW;
    }
}

fn point(staged: &mut TransformRow, source: PoseSource) {
    match source {
        PoseSource::At(pose) => {
            staged.local = pose.0;
            staged.flags &= !FLAG_MATRIX;
        }
        PoseSource::Row(row) => {
            staged.matrix = row;
            staged.flags |= FLAG_MATRIX;
        }
    }
}
