// Sums over a workgroup of SCAN_THREADS threads.

var<workgroup> scan_sums: array<u32, SCAN_THREADS>;

// Both at most SCAN_LIMIT, so the sum stays inside u32. Saturating sums of counts may be taken in any order.
fn scan_add(a: u32, b: u32) -> u32 {
    return min(a + b, SCAN_LIMIT);
}

// The sum of what the lanes before this one gave; scan_total() is then the sum of all. Called by all lanes.
fn scan_before(lane: u32, own: u32) -> u32 {
    scan_sums[lane] = own;
    workgroupBarrier();
    for (var offset = 1u; offset < SCAN_THREADS; offset = offset * 2u) {
        var add = 0u;
        if (lane >= offset) {
            add = scan_sums[lane - offset];
        }
        workgroupBarrier();
        scan_sums[lane] = scan_add(scan_sums[lane], add);
        workgroupBarrier();
    }
    if (lane == 0u) {
        return 0u;
    }
    return scan_sums[lane - 1u];
}

fn scan_total() -> u32 {
    return scan_sums[SCAN_THREADS - 1u];
}

// The sum of what all lanes gave. Called by all lanes; the sums may be used again at once.
fn scan_sum(lane: u32, own: u32) -> u32 {
    scan_before(lane, own);
    let total = scan_total();
    workgroupBarrier();
    return total;
}
