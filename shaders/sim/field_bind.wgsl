// Field bind: what a field is bound to is read off the world pose of a transform row and written over the field.
// Reads the emitter buffer's bindings and transforms. Writes the program buffer, as words: neighbouring fields share a vector,
// and a store to one lane of a vector may touch them all. One thread a binding. Twin of src/reference/field_bind.rs.
#include "lib/pose.wgsl"

fn bind_write(word: u32, value: vec4f, width: u32) {
    let first = frame.global_base + word;
    let size = arrayLength(&program_words);
    // The sums wrap for no word that lies in the buffer.
    if (word >= size || first + width > size) {
        return;
    }
    for (var lane = 0u; lane < width; lane++) {
        program_words[first + lane] = bitcast<u32>(value[lane]);
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= frame.binding_count) {
        return;
    }
    let first = frame.binding_base + id.x * BINDING_ROW_WORDS;
    let source = emitters[first + BINDING_ROW_SOURCE];
    let word = emitters[first + BINDING_ROW_WORD];
    let channel = emitters[first + BINDING_ROW_CHANNEL];
    if (emitters[first + BINDING_ROW_USED] == 0u || source >= frame.transform_count || channel >= POSE_CHANNELS) {
        return;
    }
    let place = source * (TRANSFORM_WORDS / 4u);
    let pose = Pose(transforms[place], transforms[place + 1u], transforms[place + 2u]);
    switch (channel) {
        case POSE_POSITION: {
            bind_write(word, vec4f(pose_position(pose), 0.0), 3u);
        }
        case POSE_DIRECTION: {
            bind_write(word, vec4f(pose_forward(pose), 0.0), 3u);
        }
        case POSE_UP: {
            bind_write(word, vec4f(pose_up(pose), 0.0), 3u);
        }
        default: {
            bind_write(word, pose_quaternion(pose), 4u);
        }
    }
}
