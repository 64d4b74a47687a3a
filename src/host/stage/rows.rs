//! Emitters' rows: claimed, staged, freed.

use bytemuck::{bytes_of, cast_slice};

use super::instances::Instance;
use super::{InstanceId, MAX_ROWS, Stage, StageError};
use crate::artifact::effect::IDENTITY_TRANSFORM;
use crate::artifact::emission::SHORTEST_LOOP;
use crate::artifact::{Emission, Emitter, SeedMode, Space};
use crate::base::gpu_struct::GpuStruct;
use crate::base::hash::emitter_seed;
use crate::host::heap::{BlockId, ProgramHeap};
use crate::host::pose::Pose;
use crate::host::rows::{
    BurstRow, CHANNEL_WIDTH_SHIFT, ENDLESS, EmitterRow, PAGE_ROWS, RateRow, TIME_SLACK, UNBOUND,
};
use crate::host::spans::{Spans, write_changed};
use crate::host::transforms::{PoseSource, TransformTable};
use crate::layout::Channel;

/// What the CPU knows of a row.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) instance: InstanceId,
    pub(super) emitter: u32,
    /// The block of its fields and bursts; none where it has neither.
    pub(super) block: Option<BlockId>,
    /// The transform row it stands at, which it holds.
    pub(super) transform: u32,
    /// Where the block lay when the row was staged last, from the field section's base.
    pub(super) placed: u32,
}

/// The table of emitters: rows and a bit each that says whether the row is in use, a page a word.
#[derive(Debug)]
pub(super) struct RowTable {
    pub(super) owners: Vec<Option<Row>>,
    pub(super) words: Vec<u32>,
    pub(super) dirty: Spans,
    pub(super) occupancy: Vec<u32>,
    pub(super) occupancy_dirty: Spans,
    /// Rows freed in this step; handed out again only after it, when their orphans are dead.
    resting: Vec<u32>,
    free: Vec<u32>,
    generation: u32,
    /// Goes up when a row with living particles takes another program.
    pub(super) assignment_version: u32,
    pub(super) limit: u32,
    /// The spawn command of each row in this step, plus 1; 0 is none.
    pub(super) command_of: Vec<u32>,
}

impl Default for RowTable {
    fn default() -> Self {
        Self {
            owners: Vec::new(),
            words: Vec::new(),
            dirty: Spans::default(),
            occupancy: Vec::new(),
            occupancy_dirty: Spans::default(),
            resting: Vec::new(),
            free: Vec::new(),
            generation: 0,
            assignment_version: 0,
            limit: MAX_ROWS,
            command_of: Vec::new(),
        }
    }
}

impl RowTable {
    /// Rows that are taken or rest.
    pub(super) fn used(&self) -> u32 {
        (self.owners.len() - self.free.len()) as u32
    }

    pub(super) fn check_room(&self, more: usize) -> Result<(), StageError> {
        let most = self.limit;
        if self.used() as usize + more > most as usize {
            return Err(StageError::RowsFull { most });
        }
        Ok(())
    }

    pub(super) fn next_generation(&mut self) -> u32 {
        self.generation = if self.generation >= 0xffff {
            1
        } else {
            self.generation + 1
        };
        self.generation
    }

    /// A free row, the lowest one where there is a choice.
    fn claim(&mut self, owner: Row) -> u32 {
        let row = self.free.pop().unwrap_or_else(|| {
            self.owners.push(None);
            self.command_of.push(0);
            self.words
                .resize(self.owners.len() * EmitterRow::words() as usize, 0);
            let pages = self.owners.len().div_ceil(PAGE_ROWS as usize);
            self.occupancy.resize(pages, 0);
            self.owners.len() as u32 - 1
        });
        self.owners[row as usize] = Some(owner);
        self.occupy(row, true);
        row
    }

    fn occupy(&mut self, row: u32, used: bool) {
        let (page, bit) = (row / PAGE_ROWS, 1 << (row % PAGE_ROWS));
        let word = self.occupancy[page as usize];
        let word = if used { word | bit } else { word & !bit };
        write_changed(&mut self.occupancy, page, &[word], &mut self.occupancy_dirty);
    }

    pub(super) fn get(&self, row: u32) -> EmitterRow {
        let words = EmitterRow::words() as usize;
        let first = row as usize * words;
        match self.words.get(first..first + words) {
            Some(words) => bytemuck::pod_read_unaligned(cast_slice(words)),
            None => EmitterRow::default(),
        }
    }

    pub(super) fn set(&mut self, row: u32, value: &EmitterRow) {
        let first = row * EmitterRow::words();
        write_changed(
            &mut self.words,
            first,
            cast_slice(bytes_of(value)),
            &mut self.dirty,
        );
    }

    pub(super) fn end_step(&mut self) {
        // The lowest row is handed out first, so that tables stay dense.
        if !self.resting.is_empty() {
            self.free.append(&mut self.resting);
            self.free.sort_unstable_by(|a, b| b.cmp(a));
        }
    }

    pub(super) fn free(&mut self, heap: &mut ProgramHeap, row: u32) {
        if let Some(owner) = self.owners[row as usize].take() {
            if let Some(block) = owner.block {
                heap.free_block(block);
            }
            self.set(row, &EmitterRow::default());
            self.occupy(row, false);
            self.resting.push(row);
        }
    }
}

impl Stage {
    /// Takes a row for an emitter of an instance and stages it.
    pub(super) fn claim_row(&mut self, instance: &Instance, emitter: u32) -> u32 {
        let prepared = self.effects[instance.effect as usize]
            .as_ref()
            .and_then(|loaded| loaded.emitters.get(emitter as usize));
        let block = prepared
            .filter(|p| !p.block.is_empty())
            .map(|p| self.heap.take_block(&p.block));
        let transform = match self.effects[instance.effect as usize]
            .as_ref()
            .and_then(|loaded| loaded.effect.emitters.get(emitter as usize))
        {
            Some(of) => place_emitter(&mut self.transforms, None, of, instance.node.row),
            None => instance.node.row,
        };
        let row = self.rows.claim(Row {
            instance: instance.id,
            emitter,
            block,
            transform,
            placed: 0,
        });
        let generation = self.rows.next_generation();
        self.stage_row(instance, row, Some(generation));
        row
    }

    /// Stages a row out of its instance and its effect; with a generation it starts over.
    pub(super) fn stage_row(&mut self, instance: &Instance, row: u32, generation: Option<u32>) {
        let Some(owner) = &mut self.rows.owners[row as usize] else {
            return;
        };
        let Some(Some(loaded)) = self.effects.get(instance.effect as usize) else {
            return;
        };
        let index = owner.emitter as usize;
        let (prepared, emitter) = (&loaded.emitters[index], &loaded.effect.emitters[index]);
        let base = self.heap.global_base();
        let field_offset = owner.block.map_or(base, |block| self.heap.block_word(block));
        owner.placed = field_offset - base;
        let transform = owner.transform;
        let burst_offset = field_offset + emitter.emitter_layout.words();
        let was = self.rows.get(row);
        let e = &emitter.emission;
        let gives_births = instance.emitting;
        let staged = EmitterRow {
            generation: generation.unwrap_or(was.generation),
            seed: match e.seed_mode {
                SeedMode::Fixed => emitter_seed(e.seed, &emitter.id),
                _ => emitter_seed(instance.seed, &emitter.id),
            },
            transform,
            emitting: u32::from(instance.emitting),
            fade: instance.fade,
            field_offset,
            burst_offset,
            rate_offset: burst_offset + prepared.row.burst_count * BurstRow::words(),
            time_scale: e.time_scale * instance.time_scale,
            draw_order: index as u32,
            prewarm: if generation.is_some() && gives_births {
                instance.prewarm.unwrap_or(e.prewarm)
            } else {
                was.prewarm
            },
            ..prepared.row
        };
        if generation.is_none() && staged.program != was.program {
            self.rows.assignment_version += 1;
        }
        if generation.is_some() && staged.prewarm > 0.0 && !self.warming.contains(&row) {
            self.warming.push(row);
        }
        self.rows.set(row, &staged);
    }

    /// A row goes, and what belonged to it.
    pub(super) fn free_row(&mut self, row: u32) {
        self.drop_command(row);
        self.warming.retain(|&warming| warming != row);
        self.release_owner(row);
        if let Some(owner) = &self.rows.owners[row as usize] {
            // The row held it.
            let _ = self.transforms.release(owner.transform);
        }
        self.rows.free(&mut self.heap, row);
    }

    /// Stages every row of an instance.
    pub(super) fn stage_instance(&mut self, place: u32) {
        let Some(instance) = self.instances[place as usize].take() else {
            return;
        };
        for &row in &instance.rows {
            self.stage_row(&instance, row, None);
        }
        self.instances[place as usize] = Some(instance);
    }
}

/// The transform row of an emitter, held: its instance's own where the emitter stands unmoved in its effect, else
/// one under it. `had` is the one it held before. An edited transform is not a movement.
pub(super) fn place_emitter(
    transforms: &mut TransformTable,
    had: Option<u32>,
    emitter: &Emitter,
    node: u32,
) -> u32 {
    let wants_own = emitter.transform != IDENTITY_TRANSFORM;
    let source = PoseSource::At(Pose::from_columns(emitter.transform));
    if let Some(had) = had {
        if wants_own == (had != node) {
            if wants_own && transforms.source(had) != Ok(source) {
                // It is held, so it is there.
                let _ = transforms.set(had, source);
                let _ = transforms.teleport(had);
            }
            return had;
        }
        let _ = transforms.release(had);
    }
    // Where the table is full the emitter stands where its instance does.
    let own = if wants_own {
        transforms.claim(source, Some(node)).ok()
    } else {
        None
    };
    own.unwrap_or_else(|| {
        let _ = transforms.hold(node);
        node
    })
}

/// What a row of an emitter starts from: all that does not depend on the instance.
pub(super) fn row_of(emitter: &Emitter, program: u32) -> EmitterRow {
    let e = &emitter.emission;
    let duration = e.duration.unwrap_or(ENDLESS);
    let channel = |c: Channel| {
        emitter
            .render
            .bindings
            .get(c)
            .map_or(UNBOUND, |s| s.word | s.width << CHANNEL_WIDTH_SHIFT)
    };
    EmitterRow {
        program,
        burst_count: e.bursts.len() as u32,
        capacity: e.capacity,
        loops: e.loops,
        delay: e.delay,
        duration,
        period: (duration + e.loop_delay).max(SHORTEST_LOOP),
        rate: e.rate,
        channel_position: channel(Channel::Position),
        channel_velocity: channel(Channel::Velocity),
        channel_size: channel(Channel::Size),
        channel_color: channel(Channel::Color),
        channel_additive: channel(Channel::Additive),
        channel_orientation: channel(Channel::Orientation),
        channel_frame: channel(Channel::Frame),
        channel_uv_rect: channel(Channel::UvRect),
        blend: emitter.render.blend as u32,
        projection: emitter.render.projection as u32,
        local_space: u32::from(emitter.space == Space::Local),
        stretch: emitter.render.stretch,
        stretch_limit: emitter.render.stretch_limit,
        pivot_x: emitter.render.pivot[0],
        pivot_y: emitter.render.pivot[1],
        rate_count: rate_pieces(e).len() as u32,
        rate_per_metre: e.rate_per_metre,
        inherit_velocity: e.inherit_velocity,
        loop_seed: u32::from(e.seed_mode == SeedMode::Loop),
        culling: u32::from(e.culling),
        max_catchup: e.max_catchup,
        ..EmitterRow::default()
    }
}

/// An emitter's block: its fields, then its bursts, then the pieces of its rate.
pub(super) fn block_of(emitter: &Emitter) -> Vec<u32> {
    let mut words = emitter.emitter_fields.clone();
    for burst in &emitter.emission.bursts {
        let row = BurstRow {
            time: burst.time,
            least: burst.min,
            most: burst.max,
            cycles: burst.cycles,
            interval: burst.interval,
            chance: burst.chance,
        };
        words.extend_from_slice(cast_slice(bytes_of(&row)));
    }
    for piece in rate_pieces(&emitter.emission) {
        words.extend_from_slice(cast_slice(bytes_of(&piece)));
    }
    words
}

/// The straight pieces of a rate with keys; none of a steady rate. Keys nearer to each other than [`TIME_SLACK`] are a
/// jump.
fn rate_pieces(e: &Emission) -> Vec<RateRow> {
    let mut pieces = Vec::new();
    let mut piece = |time, rate, slope| pieces.push(RateRow { time, rate, slope });
    if let Some(first) = e.rate_keys.first().filter(|first| first.time > 0.0) {
        piece(0.0, first.rate, 0.0);
    }
    for pair in e.rate_keys.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let time = to.time - from.time;
        if time > TIME_SLACK {
            piece(from.time, from.rate, (to.rate - from.rate) / time);
        }
    }
    if let Some(last) = e.rate_keys.last() {
        piece(last.time, last.rate, 0.0);
    }
    pieces
}
