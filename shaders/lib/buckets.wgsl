// The bucket tables, one behind the other: a program's count while counting, how many it got, where its part of
// the simulation list starts, and the next free place in it.

fn bucket_count(program: u32) -> u32 {
    return program;
}

fn bucket_size(program: u32) -> u32 {
    return frame.bucket_capacity + program;
}

fn bucket_start(program: u32) -> u32 {
    return 2u * frame.bucket_capacity + program;
}

fn bucket_cursor(program: u32) -> u32 {
    return 3u * frame.bucket_capacity + program;
}
