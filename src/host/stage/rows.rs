//! An emitter's row: claimed, staged, freed.

use std::sync::Arc;

use bytemuck::{bytes_of, cast_slice};

use super::{Instance, Row, Stage, StageError};
use crate::artifact::{Effect, Emission, Emitter, SeedMode, Space};
use crate::base::gpu_struct::GpuStruct;
use crate::base::hash::emitter_seed;
use crate::host::pose::Pose;
use crate::host::rows::{
    BurstRow, CHANNEL_WIDTH_SHIFT, ENDLESS, EmitterRow, RateRow, SHORTEST_LOOP, TIME_SLACK, TRANSFORM_WORDS,
    UNBOUND,
};
use crate::host::spans::write_changed;
use crate::isa::Program;
use crate::layout::Channel;

impl Stage {
    pub(super) fn claim_row(&mut self, instance: &Instance, index: usize, program: u32) -> u32 {
        let emitter = &instance.effect.emitters[index];
        let block_words = block_of(emitter);
        let row = Row {
            program,
            block: self.heap.take_block(&block_words),
            block_words,
            generation: self.next_generation(),
            instance: instance.id,
            emitter: index,
            emitter_id: emitter.id.clone(),
        };
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                self.rows.push(None);
                self.row_words
                    .resize(self.rows.len() * EmitterRow::words() as usize, 0);
                self.transforms
                    .resize(self.rows.len() * TRANSFORM_WORDS as usize, 0);
                self.rows.len() as u32 - 1
            }
        };
        self.rows[slot as usize] = Some(row);
        let pose = instance.pose.then(&Pose::from_columns(emitter.transform));
        self.write_pose(slot, pose, true);
        slot
    }

    pub(super) fn next_generation(&mut self) -> u32 {
        self.generation = if self.generation >= 0xffff {
            1
        } else {
            self.generation + 1
        };
        self.generation
    }

    pub(super) fn free_row(&mut self, slot: u32) {
        if let Some(row) = self.rows[slot as usize].take() {
            self.heap.release(row.program);
            self.heap.free_block(row.block);
            let zero = EmitterRow::default();
            let first = slot * EmitterRow::words();
            write_changed(
                &mut self.row_words,
                first,
                cast_slice(bytes_of(&zero)),
                &mut self.row_dirty,
            );
            self.resting.push(slot);
        }
    }

    pub(super) fn restage_kept(
        &mut self,
        slot: u32,
        place: usize,
        program: &Arc<Program>,
        same: bool,
        emitter: &Emitter,
    ) -> Result<(), StageError> {
        let generation = if same { None } else { Some(self.next_generation()) };
        let words = block_of(emitter);
        let Some(row) = &mut self.rows[slot as usize] else {
            return Ok(());
        };
        row.program = self
            .heap
            .exchange(row.program, program)
            .map_err(|source| StageError::Program {
                emitter: emitter.name.clone(),
                source,
            })?;
        row.emitter = place;
        row.generation = generation.unwrap_or(row.generation);
        if words.len() == row.block_words.len() {
            self.heap.write_block(&row.block, 0, &words);
        } else {
            self.heap.free_block(row.block.clone());
            row.block = self.heap.take_block(&words);
        }
        row.block_words = words;
        Ok(())
    }

    pub(super) fn restage_poses(&mut self, index: usize, teleport: bool) {
        let instance = &self.instances[index];
        let poses: Vec<(u32, Pose)> = instance
            .rows
            .iter()
            .zip(&instance.effect.emitters)
            .map(|(&row, emitter)| (row, instance.pose.then(&Pose::from_columns(emitter.transform))))
            .collect();
        for (row, pose) in poses {
            self.write_pose(row, pose, teleport);
        }
    }

    /// Writes a row's pose of this step, and where it teleported that of the last one too.
    pub(super) fn write_pose(&mut self, slot: u32, pose: Pose, teleport: bool) {
        let first = slot * TRANSFORM_WORDS;
        let words: &[u32] = cast_slice(bytes_of(&pose));
        write_changed(&mut self.transforms, first, words, &mut self.transform_dirty);
        if teleport {
            write_changed(
                &mut self.transforms,
                first + TRANSFORM_WORDS / 2,
                words,
                &mut self.transform_dirty,
            );
        } else {
            // Twice in one step is harmless: ending the step copies the pose it finds.
            self.moving.push(slot);
        }
    }

    pub(super) fn restage(&mut self, index: usize) {
        let instance = self.instances.remove(index);
        self.stage_instance(&instance);
        self.instances.insert(index, instance);
    }

    pub(super) fn stage_instance(&mut self, instance: &Instance) {
        for (order, (&slot, emitter)) in instance.rows.iter().zip(&instance.effect.emitters).enumerate() {
            let Some(row) = &self.rows[slot as usize] else {
                continue;
            };
            let staged = self.row_of(row, emitter, instance.seed, order as u32);
            let first = slot * EmitterRow::words();
            write_changed(
                &mut self.row_words,
                first,
                cast_slice(bytes_of(&staged)),
                &mut self.row_dirty,
            );
        }
        self.restage_poses_of(instance);
    }

    pub(super) fn restage_poses_of(&mut self, instance: &Instance) {
        for (&row, emitter) in instance.rows.iter().zip(&instance.effect.emitters) {
            let pose = instance.pose.then(&Pose::from_columns(emitter.transform));
            let first = row * TRANSFORM_WORDS;
            let words: &[u32] = cast_slice(bytes_of(&pose));
            let known = &self.transforms[first as usize..(first + TRANSFORM_WORDS / 2) as usize];
            if known != words {
                // An edited transform is not a movement: nothing is born along the way.
                self.write_pose(row, pose, true);
            }
        }
    }

    pub(super) fn row_of(
        &self,
        row: &Row,
        emitter: &Emitter,
        instance_seed: u32,
        draw_order: u32,
    ) -> EmitterRow {
        let e = &emitter.emission;
        let duration = e.duration.unwrap_or(ENDLESS);
        let place = self.heap.place(row.program);
        let lengths = self
            .heap
            .program(row.program)
            .map_or((0, 0), |p| (p.init.len(), p.update.len()));
        let field_offset = self.heap.block_word(&row.block);
        let channel = |c: Channel| {
            emitter
                .render
                .bindings
                .get(c)
                .map_or(UNBOUND, |s| s.word | s.width << CHANNEL_WIDTH_SHIFT)
        };
        let burst_offset = field_offset + emitter.emitter_layout.words();
        let burst_count = e.bursts.len() as u32;
        EmitterRow {
            generation: row.generation,
            seed: match e.seed_mode {
                SeedMode::Play | SeedMode::Loop => emitter_seed(instance_seed, &emitter.id),
                SeedMode::Fixed => emitter_seed(e.seed, &emitter.id),
            },
            init_offset: place.map_or(0, |p| p.init),
            init_length: lengths.0 as u32,
            update_offset: place.map_or(0, |p| p.update),
            update_length: lengths.1 as u32,
            constant_offset: place.map_or(0, |p| p.constants),
            field_offset,
            burst_offset,
            burst_count,
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
            draw_order,
            rate_offset: burst_offset + burst_count * BurstRow::words(),
            rate_count: rate_pieces(e).len() as u32,
            rate_per_metre: e.rate_per_metre,
            inherit_velocity: e.inherit_velocity,
            time_scale: e.time_scale,
            loop_seed: u32::from(e.seed_mode == SeedMode::Loop),
            culling: u32::from(e.culling),
            max_catchup: e.max_catchup,
        }
    }
}

pub(super) fn program_of(effect: &Effect, emitter: &Emitter) -> Arc<Program> {
    Arc::new(
        effect
            .programs
            .get(emitter.program as usize)
            .cloned()
            .unwrap_or_default(),
    )
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
