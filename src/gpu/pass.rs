//! The pass list: the one statement of what runs, in which order, over what.
//!
//! Shader bindings, bind groups, dispatch counts, timings and the binding-count test all read it.

use crate::host::rows::args;
use crate::host::warmup::MAX_TICKS;
use crate::isa::SLOT_CLASSES;

/// A buffer that passes share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the table in `info` says what each is")]
pub enum BufferId {
    Frame,
    Pool,
    Alive,
    AliveIn,
    Sim,
    Dead,
    Counters,
    Sums,
    Emitters,
    Program,
    Code,
    ProgramWords,
    Transforms,
    TransformRows,
    Matrices,
    Commands,
    Args,
    Buckets,
    Keys,
    Flags,
    MainPool,
    MainAlive,
    MainDead,
    MainCounters,
    Wind,
    Registers,
}

impl BufferId {
    /// Its name in shaders and labels, and the type of its words there.
    #[must_use]
    pub const fn info(self) -> (&'static str, &'static str) {
        match self {
            Self::Frame => ("frame", "FrameParams"),
            Self::Pool => ("pool", "array<vec4u>"),
            Self::Alive => ("alive", "array<u32>"),
            Self::AliveIn => ("alive_in", "array<u32>"),
            Self::Sim => ("sim", "array<u32>"),
            Self::Dead => ("dead", "array<u32>"),
            Self::Counters => ("counters", "array<atomic<u32>>"),
            Self::Sums => ("sums", "array<u32>"),
            Self::Emitters => ("emitters", "array<u32>"),
            Self::Program => ("program", "array<vec4u>"),
            Self::Code => ("code", "array<vec4u, CODE_UNIFORM_QUADS>"),
            Self::ProgramWords => ("program_words", "array<u32>"),
            Self::Transforms => ("transforms", "array<vec4f>"),
            Self::TransformRows => ("transform_rows", "array<u32>"),
            Self::Matrices => ("matrices", "array<mat4x4f>"),
            Self::Commands => ("commands", "array<vec2u>"),
            Self::Args => ("args", "array<u32>"),
            Self::Buckets => ("buckets", "array<atomic<u32>>"),
            Self::Keys => ("keys", "array<u32>"),
            Self::Flags => ("flags", "array<u32>"),
            Self::MainPool => ("main_pool", "array<vec4u>"),
            Self::MainAlive => ("main_alive", "array<u32>"),
            Self::MainDead => ("main_dead", "array<u32>"),
            Self::MainCounters => ("main_counters", "array<atomic<u32>>"),
            Self::Wind => ("wind", "texture_3d<f32>"),
            Self::Registers => ("registers", "array<u32>"),
        }
    }
}

/// What a pass does with a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// A uniform.
    Uniform,
    /// Reads.
    Read,
    /// Reads and writes.
    Write,
    /// Reads a texture's points.
    Load,
}

/// A buffer of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    /// The buffer.
    pub buffer: BufferId,
    /// What the pass does with it.
    pub access: Access,
}

/// How a pass is sized. Nothing here comes from a readback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dispatch {
    /// One workgroup.
    One,
    /// A thread a row.
    Rows,
    /// A thread a command the host wrote; none, no pass.
    Commands,
    /// A workgroup a tile of rows; none, no pass, where one workgroup scans all rows.
    Tiles,
    /// A workgroup a tile of rows, or one for all of them.
    Scan,
    /// A thread a transform row.
    Transforms,
    /// A thread a field binding; none, no pass.
    Bindings,
    /// From the indirect arguments, from this word.
    Indirect(u32),
}

/// Names a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the list below says what each does")]
#[repr(usize)]
pub enum PassId {
    Transforms,
    FieldBind,
    SpawnCommands,
    Tick,
    ScanReduce,
    Scan,
    Emit,
    Simulate,
    BuildIndirect,
    BucketCount,
    BucketScan,
    BucketScatter,
    BucketFill,
    BoundsAccumulate,
    BoundsPublish,
    WarmClock,
    WarmAdvance,
    WarmReduce,
    WarmTick,
    WarmScatter,
    WarmArgs,
    WarmFlag,
    WarmMigrate,
    WarmFinish,
}

/// A pass.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// Which.
    pub id: PassId,
    /// Its name in counts, timings and labels.
    pub name: &'static str,
    /// Its shader file.
    pub shader: &'static str,
    /// Its buffers; the order is the binding number.
    pub bindings: &'static [Binding],
    /// Its size.
    pub dispatch: Dispatch,
    /// Whether it runs programs, and so exists once a register class.
    pub runs_programs: bool,
    /// Whether all particles of a workgroup run one program, so that code may come from the uniform window.
    pub coherent: bool,
}

const FRAME: Binding = Binding {
    buffer: BufferId::Frame,
    access: Access::Uniform,
};

const fn read(buffer: BufferId) -> Binding {
    Binding {
        buffer,
        access: Access::Read,
    }
}

const fn write(buffer: BufferId) -> Binding {
    Binding {
        buffer,
        access: Access::Write,
    }
}

/// The start of the program buffer, while header, constants and code fit a uniform window: constant memory is
/// read faster than storage.
const CODE: Binding = Binding {
    buffer: BufferId::Code,
    access: Access::Uniform,
};

/// The wind field's points. A texture, because the passes that run programs have no storage buffer to spare.
const WIND: Binding = Binding {
    buffer: BufferId::Wind,
    access: Access::Load,
};

/// Where a program's registers lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backing {
    /// In so many private slots of each lane.
    Fast(u32),
    /// In a buffer, slot by slot, for so many lanes as are launched at once.
    Wide,
}

/// Where a program's instructions and constants are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// The uniform window of the program buffer.
    Uniform,
    /// The program buffer itself.
    Storage,
}

/// How instructions are carried out. Results are the same, bit for bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decode {
    /// Each over four lanes. A software device, which carries out every case of a switch, is faster with it.
    Four,
    /// Those of width 1 over one lane, by a switch of their own.
    OneOrFour,
}

/// A text that a pass with programs is made in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// How instructions are carried out.
    pub decode: Decode,
    /// Where registers lie.
    pub backing: Backing,
    /// Where code is read.
    pub code: Code,
}

/// The variants that passes with programs are made in: each class of [`SLOT_CLASSES`] with code in storage, then
/// registers in a buffer, then each class with code in the uniform window. [`Variant::on`] chooses how they decode.
pub const VARIANTS: [Variant; SLOT_CLASSES.len() * 2 + 1] = {
    let wide = Variant {
        decode: Decode::Four,
        backing: Backing::Wide,
        code: Code::Storage,
    };
    let mut variants = [wide; SLOT_CLASSES.len() * 2 + 1];
    let mut class = 0;
    while class < SLOT_CLASSES.len() {
        let backing = Backing::Fast(SLOT_CLASSES[class]);
        variants[class] = Variant {
            decode: Decode::Four,
            backing,
            code: Code::Storage,
        };
        variants[WIDE + 1 + class] = Variant {
            decode: Decode::Four,
            backing,
            code: Code::Uniform,
        };
        class += 1;
    }
    variants
};

/// The place of [`Backing::Wide`] in [`VARIANTS`].
pub const WIDE: usize = SLOT_CLASSES.len();

impl Variant {
    /// It as a device of this kind runs it best. With registers in a buffer there is one way only.
    #[must_use]
    pub const fn on(self, decode: Decode) -> Self {
        match self.backing {
            Backing::Fast(_) => Self { decode, ..self },
            Backing::Wide => self,
        }
    }
}

impl Pass {
    /// Its buffers with a backing, in order of their binding numbers.
    pub fn bindings_of(&self, backing: Backing) -> impl Iterator<Item = Binding> {
        let registers = backing == Backing::Wide && self.runs_programs;
        let registers = registers.then_some(write(BufferId::Registers));
        self.bindings.iter().copied().chain(registers)
    }

    /// Its size with a backing: a wide launch is bounded and has arguments of its own.
    #[must_use]
    pub fn dispatch_of(&self, backing: Backing) -> Dispatch {
        match (backing, self.id) {
            (Backing::Wide, PassId::Emit) => Dispatch::Indirect(args::EMIT_WIDE),
            (Backing::Wide, PassId::Simulate | PassId::WarmAdvance) => {
                Dispatch::Indirect(args::SIMULATE_WIDE)
            }
            _ => self.dispatch,
        }
    }
}

/// A line of [`PASSES`]: what a pass is, its buffers in order of their binding numbers, and its size.
macro_rules! pass {
    ($id:ident $name:literal [$($binding:expr),* $(,)?] $dispatch:expr) => {
        pass!($id $name [$($binding),*] $dispatch, programs: false, coherent: false)
    };
    ($id:ident $name:literal [$($binding:expr),*] $dispatch:expr, programs: $programs:literal, coherent: $coherent:literal) => {
        Pass {
            id: PassId::$id,
            name: $name,
            shader: concat!("sim/", $name, ".wgsl"),
            bindings: &[$($binding),*],
            dispatch: $dispatch,
            runs_programs: $programs,
            coherent: $coherent,
        }
    };
}

/// The passes of a step, in order, then those of a pre-warm, which a step that registered one runs after simulate.
#[rustfmt::skip]
pub const PASSES: [Pass; 24] = {
    use BufferId::*;
    use Dispatch as D;
    [
        pass!(Transforms "transforms" [FRAME, read(TransformRows), read(Matrices), write(Transforms)] D::Transforms),
        pass!(FieldBind "field_bind" [FRAME, read(Emitters), read(Transforms), write(ProgramWords)] D::Bindings),
        pass!(SpawnCommands "spawn_commands" [FRAME, read(Commands), write(Emitters)] D::Commands),
        pass!(Tick "tick" [FRAME, write(Emitters), write(Sums), read(Program), read(Transforms)] D::Rows),
        pass!(ScanReduce "scan_reduce" [FRAME, write(Sums), write(Counters)] D::Tiles),
        pass!(Scan "scan" [FRAME, write(Emitters), write(Sums), write(Counters), write(Args)] D::Scan),
        pass!(Emit "emit" [
            FRAME, write(Pool), read(Dead), write(Alive), write(Counters), read(Sums), read(Emitters), read(Program), read(Transforms), WIND
        ] D::Indirect(args::EMIT), programs: true, coherent: false),
        pass!(Simulate "simulate" [
            FRAME, write(Pool), read(Sim), write(Alive), write(Dead), write(Counters), read(Emitters), read(Program), read(Transforms), CODE, WIND
        ] D::Indirect(args::SIMULATE), programs: true, coherent: true),
        pass!(BuildIndirect "build_indirect" [FRAME, write(Counters), write(Args)] D::One),
        pass!(BucketCount "bucket_count" [
            FRAME, read(Alive), read(Pool), read(Emitters), read(Args), write(Buckets), write(Keys)
        ] D::Indirect(args::BUCKET)),
        pass!(BucketScan "bucket_scan" [FRAME, write(Buckets), write(Counters), write(Args)] D::One),
        pass!(BucketScatter "bucket_scatter" [
            FRAME, read(Alive), read(Keys), read(Args), write(Buckets), write(Sim)
        ] D::Indirect(args::BUCKET)),
        pass!(BucketFill "bucket_fill" [
            FRAME, read(Program), write(Counters), write(Buckets), write(Sim)
        ] D::Indirect(args::FILL)),
        pass!(BoundsAccumulate "bounds_accumulate" [
            FRAME, read(Pool), read(Alive), read(Emitters), read(Transforms), read(Args), write(Counters)
        ] D::Indirect(args::BUCKET)),
        pass!(BoundsPublish "bounds_publish" [FRAME, write(Emitters), read(Transforms), write(Counters)] D::Rows),
        pass!(WarmClock "warm_clock" [FRAME, write(Emitters), write(Sums), read(Program), read(Transforms)] D::Rows),
        pass!(WarmAdvance "warm_advance" [
            FRAME, write(Pool), read(AliveIn), write(Flags), write(Dead), write(Counters), read(Emitters), read(Program), read(Transforms), WIND
        ] D::Indirect(args::SIMULATE), programs: true, coherent: false),
        pass!(WarmReduce "warm_reduce" [FRAME, write(Flags), write(Counters)] D::Indirect(args::BUCKET)),
        pass!(WarmTick "warm_tick" [
            FRAME, write(Emitters), write(Sums), read(Program), read(Transforms), write(Counters)
        ] D::Rows),
        pass!(WarmScatter "warm_scatter" [
            FRAME, read(AliveIn), write(Flags), write(Alive), write(Counters)
        ] D::Indirect(args::BUCKET)),
        pass!(WarmArgs "warm_args" [FRAME, write(Counters), write(Args)] D::One),
        pass!(WarmFlag "warm_flag" [
            FRAME, read(Pool), read(AliveIn), write(Flags), write(Counters)
        ] D::Indirect(args::FILL)),
        pass!(WarmMigrate "warm_migrate" [
            FRAME, read(Pool), read(AliveIn), write(Flags), write(Counters), write(MainPool), write(MainAlive), read(MainDead), write(MainCounters)
        ] D::Indirect(args::BUCKET)),
        pass!(WarmFinish "warm_finish" [FRAME, write(Flags), write(Counters), write(MainCounters)] D::One),
    ]
};

/// How many passes of [`PASSES`] a step has; those behind are the pre-warm's.
pub const STEP_PASSES: usize = PassId::WarmClock as usize;

/// The passes of a tick of a pre-warm, in order: some are the step's own, over the pre-warm's buffers.
pub const WARM_TICK: [PassId; 9] = [
    PassId::WarmClock,
    PassId::WarmAdvance,
    PassId::WarmReduce,
    PassId::WarmTick,
    PassId::ScanReduce,
    PassId::Scan,
    PassId::Emit,
    PassId::WarmScatter,
    PassId::WarmArgs,
];

/// The passes that move a pre-warm's population into the pool.
pub const WARM_END: [PassId; 4] = [
    PassId::WarmFlag,
    PassId::WarmReduce,
    PassId::WarmMigrate,
    PassId::WarmFinish,
];

/// Most runs of passes in a step: each once, the bucketing of an edit, and the longest pre-warm.
pub const MOST_RUNS: usize =
    STEP_PASSES + BUCKETING.len() + MAX_TICKS as usize * WARM_TICK.len() + WARM_END.len();

/// The passes that group the alive list by program: at a step's end, and before a step in which a row with
/// particles has another program.
pub const BUCKETING: [PassId; 4] = [
    PassId::BucketCount,
    PassId::BucketScan,
    PassId::BucketScatter,
    PassId::BucketFill,
];

impl PassId {
    /// The pass.
    #[must_use]
    pub fn pass(self) -> &'static Pass {
        &PASSES[self as usize]
    }
}
