// Writing states; only in passes that bind the emitter buffer to write.
#include "lib/rows.wgsl"

fn set_state_u(row: u32, word: u32, value: u32) {
    emitters[state_word(row, word)] = value;
}

fn set_state_f(row: u32, word: u32, value: f32) {
    emitters[state_word(row, word)] = bitcast<u32>(value);
}

fn clear_state(row: u32) {
    for (var i = 0u; i < EMITTER_STATE_WORDS; i++) {
        emitters[state_word(row, i)] = 0u;
    }
}
