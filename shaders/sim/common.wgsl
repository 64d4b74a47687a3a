// What passes over particles share.

// First word of a workgroup's section in the simulation list: sections stand behind the list's length.
fn list_section(group: u32) -> u32 {
    return frame.section_base + LIST_HEADER_WORDS + group * SECTION_WORDS;
}

// The flat group number of a dispatch folded into two axes of `grid` groups.
fn flat_index(group: vec3u, lane: u32, grid: u32) -> u32 {
    return (group.y * grid + group.x) * WORKGROUP_SIZE + lane;
}

// Likewise in workgroups of BUCKET_THREADS.
fn flat_bucket_index(group: vec3u, lane: u32, grid: u32) -> u32 {
    return (group.y * grid + group.x) * BUCKET_THREADS + lane;
}
