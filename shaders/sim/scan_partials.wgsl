// What lies at the tail of the sums, behind the rows: the births of the step and the free slots before them, which
// emit reads, then the births of each tile of rows.

fn partial_word(tile: u32) -> u32 {
    return arrayLength(&sums) - SCAN_PARTIALS + tile;
}

fn published_word() -> u32 {
    return arrayLength(&sums) - SCAN_PARTIALS - SCAN_PUBLISHED;
}
