// Trial: programs over records that belong to no emitter, a workgroup a program. The program buffer starts with
// the seed, the step and the loop, then the built-ins, four words each.
// Reads jobs, program, wind. Writes pool, outcome. One thread a record.
#include "vm/interpreter.wgsl"

var<private> trial_fields: u32;

fn vm_fields() -> u32 {
    return trial_fields;
}

fn vm_seed() -> u32 {
    return vm_program_word(0u);
}

fn vm_step() -> u32 {
    return vm_program_word(1u);
}

fn vm_loop() -> u32 {
    return vm_program_word(2u);
}

fn vm_ordinal() -> u32 {
    return pool[vm_record].y;
}

fn vm_builtin(id: u32) -> vec4u {
    if (id == BUILTIN_PARTICLE_ORDINAL) {
        return bitcast<vec4u>(vec4f(f32(vm_ordinal()), 0.0, 0.0, 0.0));
    }
    return vm_program_words(TRIAL_BUILTINS + id * 4u);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    var index = launch_begin(group, lane, frame.row_count);
    while (index < frame.pool_capacity) {
        trial_one(index);
        index = launch_next(index);
    }
}

// A job is the first words of code, constants and emitter fields, and the number of instructions.
fn trial_one(index: u32) {
    let job = jobs[index / WORKGROUP_SIZE];
    vm_record = index * (RECORD_WORDS / 4u);
    trial_fields = job.z;
    outcome[index] = u32(vm_run(job.x, job.w, job.y));
}
