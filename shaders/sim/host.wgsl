// Setting up the interpreter for a particle: emit and simulate share it. Twin of src/reference/emit.rs
// (set_pose) and simulate.rs.
#include "lib/rows.wgsl"
#include "vm/interpreter.wgsl"

fn host_mix(a: vec3f, b: vec3f, fraction: f32) -> vec3f {
    return a + fence3((b - a) * fraction);
}

fn host_set3(id: u32, value: vec3f) {
    vm_builtins[id] = vec4f(value, 0.0);
}

fn host_set1(id: u32, value: f32) {
    vm_builtins[id] = vec4f(value, 0.0, 0.0, 0.0);
}

var<private> host_row: u32;
var<private> host_fraction: f32;

// The emitter's pose in the world, read only by programs that ask for it.
fn vm_world_builtin(id: u32) -> vec4u {
    let first = host_row * (TRANSFORM_WORDS / 4u);
    let now = array<vec4f, 3>(transforms[first], transforms[first + 1u], transforms[first + 2u]);
    let before = array<vec4f, 3>(transforms[first + 3u], transforms[first + 4u], transforms[first + 5u]);
    if (id == BUILTIN_EMITTER_WORLD_VELOCITY) {
        let way = vec3f(now[0].w - before[0].w, now[1].w - before[1].w, now[2].w - before[2].w);
        return bitcast<vec4u>(vec4f(way / frame.dt, 0.0));
    }
    var column = id - BUILTIN_EMITTER_WORLD_AXIS_X;
    if (id == BUILTIN_EMITTER_WORLD_POSITION) {
        column = 3u;
    }
    let begin = vec3f(before[0][column], before[1][column], before[2][column]);
    let to = vec3f(now[0][column], now[1][column], now[2][column]);
    return bitcast<vec4u>(vec4f(host_mix(begin, to, host_fraction), 0.0));
}

// The emitter's place in simulation space, `fraction` of the way from the last step's pose to this one's.
fn host_set_pose(row: u32, fraction: f32) {
    host_row = row;
    host_fraction = fraction;
    var now = array<vec4f, 3>(vec4f(1.0, 0.0, 0.0, 0.0), vec4f(0.0, 1.0, 0.0, 0.0), vec4f(0.0, 0.0, 1.0, 0.0));
    var before = now;
    if (row_u(row, EMITTER_ROW_LOCAL_SPACE) == 0u) {
        let first = row * (TRANSFORM_WORDS / 4u);
        for (var i = 0u; i < 3u; i++) {
            now[i] = transforms[first + i];
            before[i] = transforms[first + 3u + i];
        }
    }
    let begin = vec3f(before[0].w, before[1].w, before[2].w);
    let to = vec3f(now[0].w, now[1].w, now[2].w);
    host_set3(BUILTIN_EMITTER_POSITION, host_mix(begin, to, fraction));
    host_set3(BUILTIN_EMITTER_AXIS_X, host_mix(vec3f(before[0].x, before[1].x, before[2].x), vec3f(now[0].x, now[1].x, now[2].x), fraction));
    host_set3(BUILTIN_EMITTER_AXIS_Y, host_mix(vec3f(before[0].y, before[1].y, before[2].y), vec3f(now[0].y, now[1].y, now[2].y), fraction));
    host_set3(BUILTIN_EMITTER_AXIS_Z, host_mix(vec3f(before[0].z, before[1].z, before[2].z), vec3f(now[0].z, now[1].z, now[2].z), fraction));
    host_set3(BUILTIN_EMITTER_VELOCITY, (to - begin) / frame.dt);
}

fn host_begin(row: u32, slot: u32, ordinal: u32) {
    vm_record = slot * (RECORD_WORDS / 4u);
    vm_fields = row_u(row, EMITTER_ROW_FIELD_OFFSET);
    host_seed(row_u(row, EMITTER_ROW_SEED), ordinal);
    host_set1(BUILTIN_PARTICLE_ORDINAL, f32(ordinal));
}

fn host_seed(seed: u32, ordinal: u32) {
    vm_seed = seed;
    vm_particle_key = pcg(seed ^ pcg(ordinal));
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
