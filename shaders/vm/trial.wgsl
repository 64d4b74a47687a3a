// Trial: programs over records that belong to no emitter, a workgroup a program. The program buffer starts with
// the seed, the step and the loop, then the built-ins, four words each.
// Reads jobs, program, wind. Writes pool, outcome. One thread a record.
#include "vm/interpreter.wgsl"

fn vm_builtin(id: u32) -> vec4u {
    if (id == BUILTIN_PARTICLE_ORDINAL) {
        return bitcast<vec4u>(vec4f(f32(pool[vm_record].y), 0.0, 0.0, 0.0));
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
    vm_fields = job.z;
    vm_seed = vm_program_word(0u);
    vm_step = vm_program_word(1u);
    vm_loop = vm_program_word(2u);
    let ordinal = pool[vm_record].y;
    vm_particle_key = pcg(vm_seed ^ pcg(ordinal));
    outcome[index] = u32(vm_run(job.x, job.w, job.y));
}
