// The emitter of a living particle, at the step's end. Each is read where a program asks for it, since most do not.
#include "sim/host.wgsl"

fn vm_seed() -> u32 {
    return row_u(host_row, EMITTER_ROW_SEED);
}

fn vm_step() -> u32 {
    return state_u(host_row, EMITTER_STATE_STEP);
}

fn vm_loop() -> u32 {
    return state_u(host_row, EMITTER_STATE_LOOP_INDEX);
}

fn host_time() -> f32 {
    return frame.time_end;
}

fn host_age() -> f32 {
    return state_f(host_row, EMITTER_STATE_AGE_HI);
}

fn host_fraction() -> f32 {
    return 1.0;
}

fn host_spawn_fraction() -> f32 {
    return 0.0;
}
