//! The rows both sides read, each stated once.
//!
//! Rows lie in word arrays; the shader library gets their offsets as constants. [`FrameParams`] is a uniform.

use crate::gpu_struct;
use crate::layout::StandardField;
use crate::vm::WindField;

/// Threads of every particle and row pass.
pub const WORKGROUP_SIZE: u32 = 64;
/// Threads of a workgroup of a scan.
pub const SCAN_THREADS: u32 = 256;
/// Numbers that one workgroup of a scan takes where there are several workgroups.
pub const SCAN_TILE: u32 = 1_024;
/// Most numbers that a single workgroup scans.
pub const SCAN_ONE_MAX: u32 = 4_096;
/// Bits of a sum that shares a word with two bits about it.
pub const SCAN_VALUE_BITS: u32 = 30;
/// Sums of scans saturate here, far above any pool: two of them added stay inside a word, and the order of
/// adding does not matter.
pub const SCAN_LIMIT: u32 = (1 << SCAN_VALUE_BITS) - 1;
/// Words behind the rows of the sums buffer: the births of each tile of rows.
pub const SCAN_PARTIALS: u32 = (MAX_GROUPS_X + 1) / SCAN_TILE;
/// Words of the sums that say how many are born in a step and how many slots were free.
pub const SCAN_PUBLISHED: u32 = 2;
/// Most distinct birth runs of one emitter in one step; the births of what is more are spread evenly over the time
/// from the last run's first to the step's end.
pub const MAX_SEGMENTS: u32 = 16;
/// Most loop ends of one emitter in one step, and in one catch-up, that are looked at one by one.
pub const MAX_LOOPS_A_STEP: u32 = 32;
/// Most firings of bursts in one loop of one step.
pub const MAX_FIRINGS: u32 = 1024;
/// Most whole loops passed over at once.
pub const MOST_PERIODS: f32 = 1e9;
/// Most births of one run, so that counts stay in range whatever the rate.
pub const MAX_BIRTHS_A_RUN: u32 = 1 << 22;
/// Most slack in counting births, in births: a birth due at a step's very end, or [`TIME_SLACK`] past it, is
/// born in that step however the span was cut.
pub const COUNT_SLACK: f32 = 1.0 / 4096.0;
/// Least slack in counting births, in births: what rounding in an integral of a sloped rate may lose.
pub const LEAST_SLACK: f32 = 1.0 / 1_048_576.0;
/// An emitter's step below this, in seconds, is none: it stands still.
pub const SHORTEST_STEP: f32 = 1e-9;
/// Parts of an emitter's way in a step below this are none, in metres.
pub const SHORTEST_WAY: f32 = 1e-9;
/// A way in one step that is longer is a jump, along which nothing is born, in metres.
pub const LONGEST_WAY: f32 = 1e6;
/// Slack in comparing times, in seconds: a burst due at a step's very end fires at the start of the next.
pub const TIME_SLACK: f32 = 1e-6;
/// The duration of an emitter that never ends, in seconds.
pub const ENDLESS: f32 = 1e30;
/// A channel bound to nothing.
pub const UNBOUND: u32 = 0xffff_ffff;
/// Bits of a channel word: the record's word in the low 8, the width above.
pub const CHANNEL_WIDTH_SHIFT: u32 = 8;
/// Workgroups on one axis of a dispatch at the most.
pub const MAX_GROUPS_X: u32 = 65_535;
/// Workgroups of a pass whose registers lie in a buffer, at the most: each lane takes particle after particle.
pub const WIDE_GROUPS: u32 = 1_024;
/// Rows of a page of the emitter table: one occupancy word.
pub const PAGE_ROWS: u32 = 32;
/// Views whose frusta are tested; with more, nothing is culled.
pub const MAX_VIEWS: usize = 4;
/// In place of a number of views: what was found in view last stays so, whoever looks on.
pub const VIEWS_FROZEN: u32 = 0xffff_ffff;
/// Threads of the passes that walk the alive list a workgroup at a time.
pub const BUCKET_THREADS: u32 = 256;
/// Programs counted in a workgroup's own memory before the buffer's; with more, each particle counts there.
pub const BUCKET_LOCAL: u32 = 1_024;
/// An entry of the simulation list that is no particle.
pub const PAD_SLOT: u32 = 0xffff_ffff;
/// Words of a section in the simulation list's buffer: UPDATE's first word and length, the constants' first word.
pub const SECTION_WORDS: u32 = 4;
/// Words before the first section: the list's length.
pub const LIST_HEADER_WORDS: u32 = 4;
/// Words of the program buffer that a uniform window holds: 64 KiB, the least every device has.
pub const CODE_UNIFORM_WORDS: u32 = 16_384;
/// Planes of a view's frustum.
pub const FRUSTUM_PLANES: u32 = 6;
/// Bits of a box's least coordinate while nothing lives: minus infinity.
pub const BOUNDS_EMPTY_MIN: u32 = f32::NEG_INFINITY.to_bits();
/// Bits of a box's greatest coordinate while nothing lives: infinity.
pub const BOUNDS_EMPTY_MAX: u32 = f32::INFINITY.to_bits();
/// How much wider than the sum of its parts a box is, so that rounding never cuts a sprite.
pub const BOUNDS_SLACK: f32 = 1.0 / 1_048_576.0;
/// Start of the hash of a pose's axes (FNV-1a, a word at a time).
pub const AXES_HASH_START: u32 = 0x811c_9dc5;
/// Its factor.
pub const AXES_HASH_FACTOR: u32 = 0x0100_0193;
/// Words of an emitter's transforms: this step's pose and the last one's, three rows of four words each.
pub const TRANSFORM_WORDS: u32 = 24;

/// Workgroups of the scan over `rows` emitter rows. Where it is one, there is nothing to reduce before.
#[must_use]
pub const fn scan_groups(rows: u32) -> u32 {
    if rows <= SCAN_ONE_MAX {
        1
    } else {
        rows.div_ceil(SCAN_TILE)
    }
}

gpu_struct! {
    /// What the CPU stages for an emitter.
    pub struct EmitterRow {
        /// 1 to 65,535; 0 is a free row.
        generation: u32,
        /// Resolved seed.
        seed: u32,
        /// Its program's place in the table at the program buffer's start.
        program: u32,
        /// Its row of the transforms.
        transform: u32,
        /// 1 while particles are born; 0 once it was told to stop.
        emitting: u32,
        /// What its particles' opacity is multiplied by, 0 to 1.
        fade: f32,
        /// First word of the emitter's fields in the program buffer.
        field_offset: u32,
        /// First word of the bursts in the program buffer.
        burst_offset: u32,
        /// Number of bursts.
        burst_count: u32,
        /// Most particles alive.
        capacity: u32,
        /// Number of loops, 0 without end.
        loops: u32,
        /// Seconds before the first loop.
        delay: f32,
        /// Seconds a loop emits.
        duration: f32,
        /// Seconds from one loop's start to the next.
        period: f32,
        /// Particles a second.
        rate: f32,
        /// Channel sources, in the order of the channels.
        channel_position: u32,
        /// Velocity channel.
        channel_velocity: u32,
        /// Size channel.
        channel_size: u32,
        /// Color channel.
        channel_color: u32,
        /// Additive channel.
        channel_additive: u32,
        /// Orientation channel.
        channel_orientation: u32,
        /// Frame channel.
        channel_frame: u32,
        /// UV-rectangle channel.
        channel_uv_rect: u32,
        /// How colour meets what is behind.
        blend: u32,
        /// The frame a sprite is laid in.
        projection: u32,
        /// 1 where records are in the emitter's frame.
        local_space: u32,
        /// Place in the drawing order.
        draw_order: u32,
        /// First word of the rate's pieces in the program buffer.
        rate_offset: u32,
        /// Pieces of the rate; none is the steady rate.
        rate_count: u32,
        /// Particles a metre travelled.
        rate_per_metre: f32,
        /// Part of the emitter's velocity that newborns get.
        inherit_velocity: f32,
        /// The emitter's seconds in a second of the effect, the instance's scale in it.
        time_scale: f32,
        /// 1 where what is drawn at birth takes a seed of its loop.
        loop_seed: u32,
        /// 1 where it sleeps while it is out of view.
        culling: u32,
        /// Seconds of births made up for on waking, at the most.
        max_catchup: f32,
        /// Seconds it has run before it is first seen, in the step in which it starts; else 0.
        prewarm: f32,
        /// Seconds of velocity a stretched sprite is lengthened by.
        stretch: f32,
        /// The longest a stretched sprite gets, in heights; 0 is without limit.
        stretch_limit: f32,
        /// How far the sprite's centre lies from the position, in widths.
        pivot_x: f32,
        /// Likewise in heights.
        pivot_y: f32,
    }
}

gpu_struct! {
    /// Where a program lies in the program buffer.
    pub struct ProgramRow {
        /// First word of INIT.
        init_offset: u32,
        /// Instructions of INIT.
        init_length: u32,
        /// First word of UPDATE.
        update_offset: u32,
        /// Instructions of UPDATE.
        update_length: u32,
        /// First word of the constants.
        constant_offset: u32,
        /// Keeps rows at a multiple of four words.
        reserved_a: u32,
        /// Likewise.
        reserved_b: u32,
        /// Likewise.
        reserved_c: u32,
    }
}

gpu_struct! {
    /// What the GPU keeps of an emitter. The CPU never writes it; a row whose generation differs from the
    /// emitter's starts over.
    pub struct EmitterState {
        /// The generation this state belongs to.
        generation: u32,
        /// 1 once the last loop has ended.
        ended: u32,
        /// 1 once it has ended and its last particle is gone.
        finished: u32,
        /// Steps since the start; the first is 1.
        step: u32,
        /// Particles born so far.
        spawned: u32,
        /// Particles born in this step.
        born: u32,
        /// Births wanted in this step.
        wanted: u32,
        /// Births refused so far.
        dropped: u32,
        /// Particles alive at the end of the last step.
        living: u32,
        /// Births asked for by the host.
        pending: u32,
        /// Loops ended.
        loop_index: u32,
        /// Birth runs of this step.
        segment_count: u32,
        /// Time in the loop, seconds; below 0 in the start delay.
        loop_time_hi: f32,
        /// Its rest.
        loop_time_lo: f32,
        /// Part of a birth owed, 0 to 1.
        owed_hi: f32,
        /// Its rest.
        owed_lo: f32,
        /// Age at the step's end, seconds.
        age_hi: f32,
        /// Its rest.
        age_lo: f32,
        /// Age at the step's start, seconds.
        age_start: f32,
        /// The emitter's step in its own time, seconds; 0 while it stands still.
        dt: f32,
        /// Its rest.
        dt_lo: f32,
        /// Seconds it has slept; 0 while it is awake.
        sleep_hi: f32,
        /// Its rest.
        sleep_lo: f32,
        /// Seconds before the step's start from which on births are made up for in this step.
        caught_up: f32,
        /// 1 while it is out of view. The tick reads it where the row may be culled.
        culled: u32,
        /// Where the emitter stood when the box was published.
        boxed_at: [f32; 3],
        /// Births up to and with each run.
        segment_end: [[u32; 4]; 4],
        /// When each run starts, seconds after the step's start.
        segment_time: [[f32; 4]; 4],
        /// What the integral of the run's rate is at its first birth, in births.
        segment_first: [[f32; 4]; 4],
        /// The rate at the run's start, births a second; 0 is all at once.
        segment_rate: [[f32; 4]; 4],
        /// How the rate changes, births a second, a second.
        segment_slope: [[f32; 4]; 4],
        /// The loop each run belongs to.
        segment_loop: [[u32; 4]; 4],
        /// Least corner in the world of a box around the living and their sprites, and while the emitter sleeps around
        /// what it showed when it fell asleep; minus infinity where that is not known.
        bounds_min: [f32; 3],
        /// Greatest corner; infinity where it is not known.
        bounds_max: [f32; 3],
        /// A hash of how it was turned and scaled then.
        boxed_axes: u32,
        /// Keeps rows at a multiple of four words.
        reserved: f32,
    }
}

gpu_struct! {
    /// A stretch of a loop in which the rate is a straight line, behind the emitter's bursts. The first starts at 0, the
    /// last has no end.
    pub struct RateRow {
        /// Seconds after the loop's start.
        time: f32,
        /// Particles a second at its start.
        rate: f32,
        /// How the rate changes, particles a second, a second.
        slope: f32,
    }
}

gpu_struct! {
    /// A burst as the tick reads it, behind the emitter's fields.
    pub struct BurstRow {
        /// Seconds after the loop's start.
        time: f32,
        /// Fewest particles.
        least: u32,
        /// Most particles.
        most: u32,
        /// How often it fires in a loop.
        cycles: u32,
        /// Seconds between cycles.
        interval: f32,
        /// The chance that a cycle fires.
        chance: f32,
    }
}

gpu_struct! {
    /// A step's numbers.
    pub struct FrameParams {
        /// Planes of the views' frusta, six a view: a point is inside where `xyz · p + w ≥ 0` for all six.
        planes: [[f32; 4]; MAX_VIEWS * FRUSTUM_PLANES as usize],
        /// Seconds of the step.
        dt: f32,
        /// What rounding `dt` lost.
        dt_lo: f32,
        /// Effect time at the step's start, seconds.
        time_start: f32,
        /// Effect time at the step's end, seconds.
        time_end: f32,
        /// 0, read where a compiler must not know it: the fence of `fence()`.
        zero: u32,
        /// Emitter rows in use.
        row_count: u32,
        /// Particles the pool holds.
        pool_capacity: u32,
        /// First word of the states in the emitter buffer.
        state_base: u32,
        /// First word of the occupancy in the emitter buffer: a bit a row.
        occupancy_base: u32,
        /// Views whose planes are there; 0 culls nothing, [`VIEWS_FROZEN`] changes nothing.
        view_count: u32,
        /// Programs of the table at the program buffer's start.
        program_count: u32,
        /// Programs the bucket tables have room for.
        bucket_capacity: u32,
        /// First word of the sections in the simulation list's buffer.
        section_base: u32,
        /// Rows the row counters have room for.
        row_capacity: u32,
        /// Workgroups on the first axis of a dispatch at the most.
        max_groups_x: u32,
        /// First word of the global fields in the program buffer.
        global_base: u32,
        /// Spawn commands of this step.
        command_count: u32,
        /// The wind field's first point, x, in metres.
        wind_origin_x: f32,
        /// y.
        wind_origin_y: f32,
        /// z.
        wind_origin_z: f32,
        /// Its points a metre along x.
        wind_inverse_cell_x: f32,
        /// Along y.
        wind_inverse_cell_y: f32,
        /// Along z.
        wind_inverse_cell_z: f32,
        /// Its points along x; 0 is still air.
        wind_size_x: u32,
        /// Along y.
        wind_size_y: u32,
        /// Along z.
        wind_size_z: u32,
        /// Lanes that have registers in the buffer of a wide launch.
        wide_lanes: u32,
        /// Rows of the transforms.
        transform_count: u32,
        /// Matrices in the caller's buffer.
        matrix_count: u32,
        /// Rows of the field bindings.
        binding_count: u32,
        /// First word of the field bindings in the emitter buffer.
        binding_base: u32,
        /// Seconds of a tick of the pre-warm.
        warm_tick: f32,
        /// Seconds of the pre-warm behind this tick of it.
        warm_after: f32,
        /// Seconds of the step that a pre-warm goes through besides.
        warm_step: f32,
        /// Keeps the uniform at a multiple of four words.
        reserved_a: u32,
        /// Likewise.
        reserved_b: u32,
    }
}

impl FrameParams {
    /// The same with the places of a wind field's points; none is still air.
    #[must_use]
    pub fn with_wind(self, wind: Option<&WindField>) -> Self {
        let (origin, cell, size) = wind.map_or(([0.0; 3], [0.0; 3], [0; 3]), |wind| {
            (wind.origin(), wind.inverse_cell(), wind.size())
        });
        Self {
            wind_origin_x: origin[0],
            wind_origin_y: origin[1],
            wind_origin_z: origin[2],
            wind_inverse_cell_x: cell[0],
            wind_inverse_cell_y: cell[1],
            wind_inverse_cell_z: cell[2],
            wind_size_x: size[0],
            wind_size_y: size[1],
            wind_size_z: size[2],
            ..self
        }
    }
}

/// Words of the counters buffer before the rows'.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
#[allow(missing_docs, reason = "the table in `COUNTER_NAMES` says what each is")]
pub enum Counter {
    Alive = 0,
    Dead = 1,
    AliveIn = 2,
    Budget = 3,
    Born = 4,
    Stillborn = 5,
    NonFinite = 6,
    NonFiniteOrdinal = 7,
    NonFiniteRow = 8,
    SimPadded = 9,
    Finished = 10,
    Overflow = 11,
}

/// Name and meaning of each [`Counter`].
pub const COUNTER_NAMES: [(&str, &str); 12] = [
    ("alive", "particles in the alive list, stillborn ones included"),
    ("dead", "free slots"),
    ("alive_in", "length of the alive list at the step's end"),
    ("budget", "free slots at the step's start"),
    ("born", "particles born in this step"),
    (
        "stillborn",
        "particles that ended in the step they were born in, freed by the next",
    ),
    (
        "non_finite",
        "particles killed so far because position or size was not finite",
    ),
    ("non_finite_ordinal", "ordinal of the last of them"),
    ("non_finite_row", "emitter row of the last of them"),
    (
        "sim_padded",
        "length of the list that simulate walks, each program's part filled up to whole workgroups",
    ),
    ("finished", "emitters that have ended and are empty"),
    ("overflow", "slots freed beyond the pool, which never happens"),
];

/// Words before the rows' counters.
pub const COUNTER_HEADER_WORDS: u32 = 32;
/// Words a row has in the counters buffer: its living, and its box as ordered keys.
pub const ROW_COUNTER_WORDS: u32 = 8;
/// The word of a row's counters where the box's least corner starts.
pub const ROW_COUNTER_MIN: u32 = 1;
/// The word of a row's counters where the box's greatest corner starts.
pub const ROW_COUNTER_MAX: u32 = 4;
/// The word of a row's counters that counts what found no place after a pre-warm.
pub const ROW_COUNTER_REFUSED: u32 = 7;

/// First words of the indirect arguments, in the args buffer.
pub mod args {
    /// Dispatch of emit.
    pub const EMIT: u32 = 0;
    /// Dispatch of simulate.
    pub const SIMULATE: u32 = EMIT + 3;
    /// Draw: vertices, instances, first vertex, first instance.
    pub const DRAW: u32 = SIMULATE + 3;
    /// Instances of the draw: the length of the alive list at the step's end.
    pub const ALIVE_COUNT: u32 = DRAW + 1;
    /// Dispatch of emit with registers in a buffer: one axis, at most [`super::WIDE_GROUPS`].
    pub const EMIT_WIDE: u32 = DRAW + 4;
    /// Likewise of simulate.
    pub const SIMULATE_WIDE: u32 = EMIT_WIDE + 3;
    /// Dispatch of the passes over the alive list, in workgroups of [`super::BUCKET_THREADS`].
    pub const BUCKET: u32 = SIMULATE_WIDE + 3;
    /// Dispatch of the pass that fills the simulation list up.
    pub const FILL: u32 = BUCKET + 3;
    /// Words in all.
    pub const WORDS: u32 = FILL + 3;
}

/// Width and height of a particle without a size, in metres.
#[must_use]
pub fn default_size() -> f32 {
    StandardField::by_name("size").map_or(0.1, |field| field.default[0])
}

/// Vertices of one sprite.
pub const QUAD_VERTICES: u32 = 6;
