// Where the births of a tile of rows lie: at the tail of the sums, behind the rows.

fn partial_word(tile: u32) -> u32 {
    return arrayLength(&sums) - SCAN_PARTIALS + tile;
}
