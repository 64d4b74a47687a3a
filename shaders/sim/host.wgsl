// What a particle's emitter gives the interpreter: emit and simulate share it. Who includes it says how old the
// emitter is and what draws are keyed by: `sim/stepping.wgsl` for the living, emit for newborns. Twin of src/reference/emit.rs
// (set_pose) and simulate.rs.
#include "lib/rows.wgsl"
#include "vm/interpreter.wgsl"

fn host_mix(a: vec3f, b: vec3f, fraction: f32) -> vec3f {
    return a + fence3((b - a) * fraction);
}

var<private> host_row: u32;
var<private> host_ordinal: u32;
var<private> host_dt: f32;

fn vm_ordinal() -> u32 {
    return host_ordinal;
}

fn vm_fields() -> u32 {
    return row_u(host_row, EMITTER_ROW_FIELD_OFFSET);
}

// A column of the emitter's pose in the world, `host_fraction()` of the way from the last step's to this one's.
fn host_pose_column(column: u32) -> vec3f {
    let first = row_u(host_row, EMITTER_ROW_TRANSFORM) * (TRANSFORM_WORDS / 4u);
    let to = vec3f(transforms[first][column], transforms[first + 1u][column], transforms[first + 2u][column]);
    let begin = vec3f(transforms[first + 3u][column], transforms[first + 4u][column], transforms[first + 5u][column]);
    return host_mix(begin, to, host_fraction());
}

fn host_velocity() -> vec3f {
    let first = row_u(host_row, EMITTER_ROW_TRANSFORM) * (TRANSFORM_WORDS / 4u);
    let to = vec3f(transforms[first].w, transforms[first + 1u].w, transforms[first + 2u].w);
    let begin = vec3f(transforms[first + 3u].w, transforms[first + 4u].w, transforms[first + 5u].w);
    return (to - begin) / frame.dt;
}

fn host_vector(value: vec3f) -> vec4u {
    return bitcast<vec4u>(vec4f(value, 0.0));
}

fn host_number(value: f32) -> vec4u {
    return vec4u(bitcast<u32>(value), 0u, 0u, 0u);
}

// A built-in, computed only where a program reads it. In LOCAL space the pose in simulation space is none.
fn vm_builtin(id: u32) -> vec4u {
    let local = row_u(host_row, EMITTER_ROW_LOCAL_SPACE) != 0u;
    switch (id) {
        case BUILTIN_DELTA_TIME: { return host_number(host_dt); }
        case BUILTIN_TIME: { return host_number(host_time()); }
        case BUILTIN_EMITTER_AGE: { return host_number(host_age()); }
        case BUILTIN_PARTICLE_ORDINAL: { return host_number(f32(host_ordinal)); }
        case BUILTIN_SPAWN_FRACTION: { return host_number(host_spawn_fraction()); }
        case BUILTIN_EMITTER_WORLD_POSITION: { return host_vector(host_pose_column(3u)); }
        case BUILTIN_EMITTER_WORLD_AXIS_X, BUILTIN_EMITTER_WORLD_AXIS_Y, BUILTIN_EMITTER_WORLD_AXIS_Z: {
            return host_vector(host_pose_column(id - BUILTIN_EMITTER_WORLD_AXIS_X));
        }
        case BUILTIN_EMITTER_WORLD_VELOCITY: { return host_vector(host_velocity()); }
        case BUILTIN_EMITTER_POSITION: {
            if (local) { return vec4u(0u); }
            return host_vector(host_pose_column(3u));
        }
        case BUILTIN_EMITTER_AXIS_X, BUILTIN_EMITTER_AXIS_Y, BUILTIN_EMITTER_AXIS_Z: {
            let axis = id - BUILTIN_EMITTER_AXIS_X;
            if (local) {
                return host_vector(vec3f(f32(axis == 0u), f32(axis == 1u), f32(axis == 2u)));
            }
            return host_vector(host_pose_column(axis));
        }
        case BUILTIN_EMITTER_VELOCITY: {
            if (local) { return vec4u(0u); }
            return host_vector(host_velocity());
        }
        default: { return vec4u(0u); }
    }
}

fn host_begin(row: u32, slot: u32, ordinal: u32) {
    host_row = row;
    host_ordinal = ordinal;
    vm_record = slot * (RECORD_WORDS / 4u);
}

fn host_channel_bad(channel: u32) -> bool {
    if (channel == UNBOUND) {
        return false;
    }
    var bad = false;
    let words = vm_load_field(channel & 0xffu);
    for (var lane = 0u; lane < (channel >> CHANNEL_WIDTH_SHIFT); lane++) {
        bad = bad || ((words[lane] & 0x7f800000u) == 0x7f800000u);
    }
    return bad;
}

// Whether the bound position or size holds an infinity or a NaN.
fn host_ended_badly(row: u32) -> bool {
    return host_channel_bad(row_u(row, EMITTER_ROW_CHANNEL_POSITION)) || host_channel_bad(row_u(row, EMITTER_ROW_CHANNEL_SIZE));
}

fn host_note_non_finite(row: u32, ordinal: u32) {
    atomicAdd(&counters[COUNTER_NON_FINITE], 1u);
    atomicStore(&counters[COUNTER_NON_FINITE_ORDINAL], ordinal);
    atomicStore(&counters[COUNTER_NON_FINITE_ROW], row);
}
