//! The rows both sides read, each stated once.
//!
//! Rows lie in word arrays; the shader library gets their offsets as constants. [`FrameParams`] is a uniform.

use crate::gpu_struct;
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
/// Most distinct birth runs of one emitter in one step; what is more joins the last run.
pub const MAX_SEGMENTS: u32 = 8;
/// Most loop ends of one emitter in one step.
pub const MAX_LOOPS_A_STEP: u32 = 16;
/// Most births of one run, so that counts stay in range whatever the rate.
pub const MAX_BIRTHS_A_RUN: u32 = 1 << 22;
/// Most slack in counting births, in births: a birth due at a step's very end, or [`TIME_SLACK`] past it, is
/// born in that step however the span was cut.
pub const COUNT_SLACK: f32 = 1.0 / 4096.0;
/// Slack in comparing times, in seconds: a burst due at a step's very end fires at the start of the next.
pub const TIME_SLACK: f32 = 1e-6;
/// The duration of an emitter that never ends, in seconds.
pub const ENDLESS: f32 = 1e30;
/// Shortest loop, in seconds.
pub const SHORTEST_LOOP: f32 = 1.0 / 1024.0;
/// A channel bound to nothing.
pub const UNBOUND: u32 = 0xffff_ffff;
/// Bits of a channel word: the record's word in the low 8, the width above.
pub const CHANNEL_WIDTH_SHIFT: u32 = 8;
/// Workgroups on one axis of a dispatch at the most.
pub const MAX_GROUPS_X: u32 = 65_535;
/// Workgroups of a pass whose registers lie in a buffer, at the most: each lane takes particle after particle.
pub const WIDE_GROUPS: u32 = 1_024;
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
        /// First word of INIT in the program buffer.
        init_offset: u32,
        /// Instructions of INIT.
        init_length: u32,
        /// First word of UPDATE in the program buffer.
        update_offset: u32,
        /// Instructions of UPDATE.
        update_length: u32,
        /// First word of the constants in the program buffer.
        constant_offset: u32,
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
        /// Keeps the segments at a multiple of four words.
        reserved: u32,
        /// Births up to and with each run.
        segment_end: [[u32; 4]; 2],
        /// When each run's first birth is, seconds after the step's start.
        segment_time: [[f32; 4]; 2],
        /// Seconds between a run's births.
        segment_interval: [[f32; 4]; 2],
        /// The loop each run belongs to.
        segment_loop: [[u32; 4]; 2],
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
    EmitGroups = 9,
    SimulateGroups = 10,
    AliveGroups = 11,
}

/// Name and meaning of each [`Counter`].
pub const COUNTER_NAMES: [(&str, &str); 12] = [
    ("alive", "particles in the alive list, stillborn ones included"),
    ("dead", "free slots"),
    ("alive_in", "length of the list that simulate walks"),
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
    ("emit_groups", "workgroups on the first axis of emit"),
    ("simulate_groups", "workgroups on the first axis of simulate"),
    (
        "alive_groups",
        "workgroups on the first axis of passes over the alive list",
    ),
];

/// Words before the rows' counters.
pub const COUNTER_HEADER_WORDS: u32 = 32;
/// Words a row has in the counters buffer: its living.
pub const ROW_COUNTER_WORDS: u32 = 1;

/// First words of the indirect arguments, in the args buffer.
pub mod args {
    /// Dispatch of emit.
    pub const EMIT: u32 = 0;
    /// Dispatch of simulate.
    pub const SIMULATE: u32 = 3;
    /// Dispatch of passes over the alive list.
    pub const ALIVE: u32 = 6;
    /// Draw: vertices, instances, first vertex, first instance.
    pub const DRAW: u32 = 9;
    /// Dispatch of emit with registers in a buffer: one axis, at most [`super::WIDE_GROUPS`].
    pub const EMIT_WIDE: u32 = 13;
    /// Likewise of simulate.
    pub const SIMULATE_WIDE: u32 = 16;
    /// Words in all.
    pub const WORDS: u32 = 19;
}

/// Vertices of one sprite.
pub const QUAD_VERTICES: u32 = 6;
