//! Shader text made from the Rust tables: nothing here is typed twice.

use std::fmt::Write as _;

use super::compose::{ComposeError, Composed, compose};
use super::single::{NEVER, single};
use crate::artifact::Projection;
use crate::base::gpu_struct::GpuStruct as _;
use crate::base::{dd, rng};
use crate::gpu::pass::{Access, Backing, Binding, Code, Decode, Pass, Variant};
use crate::host::bindings::{BindingRow, PoseChannel};
use crate::host::pose;
use crate::host::rows::{
    self, BurstRow, COUNTER_NAMES, EmitterRow, EmitterState, FrameParams, ProgramRow, RateRow, args,
};
use crate::host::transforms::{self, TransformRow};
use crate::isa::ops::{OPS, Shape};
use crate::isa::word::{Kind, bits};
use crate::isa::{Builtin, EMITTER_FIELD_BASE, GLOBAL_FIELD_BASE, RECORD_WORDS};
use crate::vm::poly;

/// Composes a pass in a variant.
///
/// # Errors
/// [`ComposeError`].
pub fn compose_pass(pass: &Pass, variant: Variant) -> Result<Composed, ComposeError> {
    compose_host(
        pass.shader,
        pass.bindings_of(variant.backing).map(Declared::from),
        variant,
    )
}

/// Composes a pass that runs programs with another text in place of the interpreter's: it defines `vm_run`.
///
/// # Errors
/// [`ComposeError`].
pub(crate) fn compose_pass_with(pass: &Pass, variant: Variant, run: &str) -> Result<Composed, ComposeError> {
    let declared = pass.bindings_of(variant.backing).map(Declared::from);
    let prelude = format!("{}{}", prelude(), bindings(declared));
    compose(pass.shader, &|path| match path {
        "gen/prelude.wgsl" => Some(prelude.clone()),
        "gen/registers.wgsl" => Some(registers(variant)),
        "vm/interpreter.wgsl" => Some(run.to_owned()),
        _ => None,
    })
}

/// A binding as a shader declares it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Declared {
    /// Its name.
    pub(crate) name: &'static str,
    /// The type of what is bound.
    pub(crate) ty: &'static str,
    /// What the shader does with it.
    pub(crate) access: Access,
}

impl From<Binding> for Declared {
    fn from(binding: Binding) -> Self {
        let (name, ty) = binding.buffer.info();
        let access = binding.access;
        Self { name, ty, access }
    }
}

/// Composes a module that runs programs, over given bindings in order of their numbers.
///
/// # Errors
/// [`ComposeError`].
pub(crate) fn compose_host(
    path: &str,
    declared: impl Iterator<Item = Declared>,
    variant: Variant,
) -> Result<Composed, ComposeError> {
    let prelude = format!("{}{}", prelude(), bindings(declared));
    compose(path, &|path| match path {
        "gen/prelude.wgsl" => Some(prelude.clone()),
        "gen/alu.wgsl" => Some(alu()),
        "gen/single.wgsl" => Some(match variant.decode {
            Decode::Four => NEVER.to_owned(),
            Decode::OneOrFour => single(),
        }),
        "gen/registers.wgsl" => Some(registers(variant)),
        _ => None,
    })
}

/// Composes a module outside the pass list: `declarations` go where a pass has its bindings.
///
/// # Errors
/// [`ComposeError`].
pub fn compose_module(path: &str, declarations: &str) -> Result<Composed, ComposeError> {
    let prelude = format!("{}{declarations}", prelude());
    compose(path, &|path| {
        (path == "gen/prelude.wgsl").then(|| prelude.clone())
    })
}

/// Constants and structs that every module starts with.
#[must_use]
pub fn prelude() -> String {
    let mut text = String::new();
    let mut word = |name: &str, value: u32| {
        let _ = writeln!(text, "const {name}: u32 = {value}u;");
    };
    word("WORKGROUP_SIZE", rows::WORKGROUP_SIZE);
    word("SCAN_THREADS", rows::SCAN_THREADS);
    word("SCAN_TILE", rows::SCAN_TILE);
    word("SCAN_VALUE_BITS", rows::SCAN_VALUE_BITS);
    word("SCAN_LIMIT", rows::SCAN_LIMIT);
    word("SCAN_PARTIALS", rows::SCAN_PARTIALS);
    word("SCAN_PUBLISHED", rows::SCAN_PUBLISHED);
    word("SCAN_SCRATCH_HEADER", crate::gpu::scan::SCRATCH_HEADER);
    word("SCAN_TRIES", crate::gpu::scan::TRIES);
    word("MAX_SEGMENTS", rows::MAX_SEGMENTS);
    word("MAX_LOOPS_A_STEP", rows::MAX_LOOPS_A_STEP);
    word("MAX_BIRTHS_A_RUN", rows::MAX_BIRTHS_A_RUN);
    word("MAX_FIRINGS", rows::MAX_FIRINGS);
    word("UNBOUND", rows::UNBOUND);
    word("CHANNEL_WIDTH_SHIFT", rows::CHANNEL_WIDTH_SHIFT);
    word("PAGE_ROWS", rows::PAGE_ROWS);
    word("BUCKET_THREADS", rows::BUCKET_THREADS);
    word("BUCKET_LOCAL", rows::BUCKET_LOCAL);
    word("PAD_SLOT", rows::PAD_SLOT);
    word("SECTION_WORDS", rows::SECTION_WORDS);
    word("LIST_HEADER_WORDS", rows::LIST_HEADER_WORDS);
    word("CODE_UNIFORM_QUADS", rows::CODE_UNIFORM_WORDS / 4);
    word("MAX_VIEWS", rows::MAX_VIEWS as u32);
    word("VIEWS_FROZEN", rows::VIEWS_FROZEN);
    word("FRUSTUM_PLANES", rows::FRUSTUM_PLANES);
    word("BOUNDS_EMPTY_MIN", rows::BOUNDS_EMPTY_MIN);
    word("BOUNDS_EMPTY_MAX", rows::BOUNDS_EMPTY_MAX);
    word("AXES_HASH_START", rows::AXES_HASH_START);
    word("AXES_HASH_FACTOR", rows::AXES_HASH_FACTOR);
    word("ROW_COUNTER_MIN", rows::ROW_COUNTER_MIN);
    word("ROW_COUNTER_REFUSED", rows::ROW_COUNTER_REFUSED);
    word("ROW_COUNTER_MAX", rows::ROW_COUNTER_MAX);
    word("PROJECTION_STRETCHED", Projection::Stretched as u32);
    word("TRANSFORM_WORDS", rows::TRANSFORM_WORDS);
    word("TRANSFORM_LIVE", transforms::FLAG_LIVE);
    word("TRANSFORM_MATRIX", transforms::FLAG_MATRIX);
    word("TRANSFORM_TELEPORT", transforms::FLAG_TELEPORT);
    word("TRANSFORM_FRESH", transforms::FLAG_FRESH);
    word("TRANSFORM_MAX_DEPTH", transforms::MAX_DEPTH);
    for channel in PoseChannel::ALL {
        let name = channel.name().to_ascii_uppercase();
        word(&format!("POSE_{name}"), channel as u32);
    }
    word("POSE_CHANNELS", PoseChannel::ALL.len() as u32);
    word("COUNTER_HEADER_WORDS", rows::COUNTER_HEADER_WORDS);
    word("ROW_COUNTER_WORDS", rows::ROW_COUNTER_WORDS);
    word("QUAD_VERTICES", rows::QUAD_VERTICES);
    word("ARGS_EMIT", args::EMIT);
    word("ARGS_SIMULATE", args::SIMULATE);
    word("ARGS_BUCKET", args::BUCKET);
    word("ARGS_FILL", args::FILL);
    word("ARGS_DRAW", args::DRAW);
    word("ARGS_ALIVE_COUNT", args::ALIVE_COUNT);
    word("ARGS_EMIT_WIDE", args::EMIT_WIDE);
    word("ARGS_SIMULATE_WIDE", args::SIMULATE_WIDE);
    word("RECORD_WORDS", RECORD_WORDS);
    word("EMITTER_FIELD_BASE", EMITTER_FIELD_BASE);
    word("GLOBAL_FIELD_BASE", GLOBAL_FIELD_BASE);
    word("WIDTH_SHIFT", bits::WIDTH_SHIFT);
    word("KIND_SHIFT", bits::KIND_SHIFT);
    word("DST_SHIFT", bits::DST_SHIFT);
    word("SWIZZLE_SHIFT", bits::SWIZZLE_SHIFT);
    word("KIND_REG", Kind::Reg as u32);
    word("PCG_MULTIPLIER", rng::PCG_MULTIPLIER);
    word("LOOP_SALT", rng::LOOP_SALT);
    word("SCOPE_STEP", rng::SCOPE_STEP);
    word("SCOPE_LOOP", rng::SCOPE_LOOP);
    word("SCOPE_INSTANCE", rng::SCOPE_INSTANCE);
    word("PCG_INCREMENT", rng::PCG_INCREMENT);
    word("PCG_OUTPUT", rng::PCG_OUTPUT);
    word("HASH_NAN", rng::HASH_NAN);
    word("POLY_LOG_CUT", poly::LOG_CUT);
    word("TRIAL_BUILTINS", crate::gpu::trial::BUILTIN_WORDS);
    for (index, (name, _)) in COUNTER_NAMES.iter().enumerate() {
        word(&format!("COUNTER_{}", name.to_ascii_uppercase()), index as u32);
    }
    for &builtin in Builtin::ALL {
        word(
            &format!("BUILTIN_{}", builtin.mnemonic().to_ascii_uppercase()),
            builtin as u32,
        );
    }
    for info in OPS {
        word(
            &format!("OP_{}", info.mnemonic.to_ascii_uppercase()),
            u32::from(info.code),
        );
    }
    let mut float = |name: &str, value: f32| {
        let _ = writeln!(text, "const {name}: f32 = {value:?}f;");
    };
    float("COUNT_SLACK", rows::COUNT_SLACK);
    float("LEAST_SLACK", rows::LEAST_SLACK);
    float("TIME_SLACK", rows::TIME_SLACK);
    float("BOUNDS_SLACK", rows::BOUNDS_SLACK);
    float("DEFAULT_SIZE", rows::default_size());
    float("SHORTEST_STEP", rows::SHORTEST_STEP);
    float("SHORTEST_WAY", rows::SHORTEST_WAY);
    float("LONGEST_WAY", rows::LONGEST_WAY);
    float("MOST_PERIODS", rows::MOST_PERIODS);
    float("RNG_UNIT_SCALE", rng::UNIT_SCALE);
    float("DD_SPLITTER", dd::SPLITTER);
    float("SHORTEST_AXIS", pose::SHORTEST_AXIS);
    float("LARGEST_FLOAT", f32::MAX);
    for (name, value) in poly::CONSTANTS {
        float(&format!("POLY_{name}"), *value);
    }
    text.push_str(&EmitterRow::wgsl_offsets());
    text.push_str(&EmitterState::wgsl_offsets());
    text.push_str(&BurstRow::wgsl_offsets());
    text.push_str(&ProgramRow::wgsl_offsets());
    text.push_str(&TransformRow::wgsl_offsets());
    text.push_str(&BindingRow::wgsl_offsets());
    text.push_str(&RateRow::wgsl_offsets());
    text.push_str(&FrameParams::wgsl_struct());
    text
}

/// `@group(0) @binding(n) var…` for bindings in their order.
pub(crate) fn bindings(declared: impl Iterator<Item = Declared>) -> String {
    let mut text = String::new();
    for (index, Declared { name, ty, access }) in declared.enumerate() {
        let space = match access {
            Access::Uniform => "<uniform>",
            Access::Read => "<storage, read>",
            Access::Write => "<storage, read_write>",
            Access::Load => "",
        };
        let _ = writeln!(text, "@group(0) @binding({index}) var{space} {name}: {ty};");
    }
    text
}

/// Where code is read, the register file and how lanes take particles. A file has [`SPARE_SLOTS`] more than a
/// program may name.
fn registers(variant: Variant) -> String {
    let code = match variant.code {
        Code::Storage => "fn vm_code(quad: u32) -> vec4u { return program[quad]; }\n",
        Code::Uniform => "fn vm_code(quad: u32) -> vec4u { return code[quad]; }\n",
    };
    let file = match variant.backing {
        Backing::Fast(slots) => format!(
            "#include \"sim/common.wgsl\"
var<private> vm_registers: array<u32, {}>;
fn register_get(slot: u32) -> u32 {{ return vm_registers[slot]; }}
fn register_set(slot: u32, word: u32) {{ vm_registers[slot] = word; }}
fn launch_begin(group: vec3u, lane: u32, grid: u32) -> u32 {{ return flat_index(group, lane, grid); }}
fn launch_next(index: u32) -> u32 {{ return 0xffffffffu; }}
",
            slots + SPARE_SLOTS
        ),
        Backing::Wide => "var<private> vm_lane: u32;
fn register_get(slot: u32) -> u32 { return registers[slot * frame.wide_lanes + vm_lane]; }
fn register_set(slot: u32, word: u32) { registers[slot * frame.wide_lanes + vm_lane] = word; }
fn launch_begin(group: vec3u, lane: u32, grid: u32) -> u32 {
    vm_lane = group.x * WORKGROUP_SIZE + lane;
    return vm_lane;
}
fn launch_next(index: u32) -> u32 { return index + frame.wide_lanes; }
"
        .to_owned(),
    };
    format!("{code}{file}")
}

/// Slots past those a program may name, so that the lanes an operand does not use still read inside the file.
pub(crate) const SPARE_SLOTS: u32 = 4;

/// The opcode table as cases of the interpreter's switch, over four lanes.
#[must_use]
pub fn alu() -> String {
    let mut cases = String::new();
    for info in OPS.iter().filter(|info| !info.wgsl.is_empty()) {
        let one = if info.shape == Shape::Reduce {
            " lanes = 1u;"
        } else {
            ""
        };
        let _ = writeln!(
            cases,
            "            case {}u: {{ result = bitcast<vec4u>({});{one} }} // {}",
            info.code, info.wgsl, info.mnemonic
        );
    }
    cases
}
