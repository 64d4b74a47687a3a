// Emitter rows and states out of the emitter buffer's words.

fn row_u(row: u32, word: u32) -> u32 {
    return emitters[row * EMITTER_ROW_WORDS + word];
}

fn row_f(row: u32, word: u32) -> f32 {
    return bitcast<f32>(row_u(row, word));
}

// Whether a row is in use: a page of rows has a word of bits.
fn row_used(row: u32) -> bool {
    return ((emitters[frame.occupancy_base + row / PAGE_ROWS] >> (row % PAGE_ROWS)) & 1u) != 0u;
}

fn state_word(row: u32, word: u32) -> u32 {
    return frame.state_base + row * EMITTER_STATE_WORDS + word;
}

fn state_u(row: u32, word: u32) -> u32 {
    return emitters[state_word(row, word)];
}

fn state_f(row: u32, word: u32) -> f32 {
    return bitcast<f32>(state_u(row, word));
}
