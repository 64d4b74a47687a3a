// Counter-based random numbers. Twin of src/base/rng.rs; integers, so exact everywhere.

fn pcg(value: u32) -> u32 {
    let state = value * PCG_MULTIPLIER + PCG_INCREMENT;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * PCG_OUTPUT;
    return (word >> 22u) ^ word;
}

fn rng_loop_seed(seed: u32, loop_index: u32) -> u32 {
    return pcg(pcg(loop_index ^ LOOP_SALT) ^ seed);
}

fn rng_unit(bits: u32) -> f32 {
    return f32(bits >> 8u) * RNG_UNIT_SCALE;
}

// `particle` is pcg(seed ^ pcg(ordinal)), which all draws of a particle share.
fn rng_draw(particle: u32, stream: u32, lane: u32, step: u32) -> u32 {
    return pcg(pcg(particle + stream + lane) + step);
}
