// Indirect arguments of a dispatch: workgroups past one axis fold into two.

fn build_dispatch(first: u32, count: u32, threads: u32) {
    let groups = (count + threads - 1u) / threads;
    let wide = min(groups, frame.max_groups_x);
    args[first] = wide;
    args[first + 1u] = (groups + max(wide, 1u) - 1u) / max(wide, 1u);
    args[first + 2u] = 1u;
}

// Likewise of a bounded launch, whose lanes take particle after particle.
fn build_wide_dispatch(first: u32, count: u32) {
    let groups = (count + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    args[first] = min(groups, frame.wide_lanes / WORKGROUP_SIZE);
    args[first + 1u] = 1u;
    args[first + 2u] = 1u;
}
