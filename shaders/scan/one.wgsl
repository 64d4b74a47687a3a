// Scan of at most SCAN_ONE_MAX numbers: inclusive sums, saturating at SCAN_LIMIT.
// Reads input. Writes output. One workgroup; a thread takes a stretch of numbers.
// Twin of src/reference/scan.rs: inclusive.
#include "scan/values.wgsl"

@compute @workgroup_size(SCAN_THREADS)
fn main(@builtin(local_invocation_index) lane: u32) {
    let stretch = (params.length + SCAN_THREADS - 1u) / SCAN_THREADS;
    let first = min(lane * stretch, params.length);
    let end = min(first + stretch, params.length);
    var own = 0u;
    for (var i = first; i < end; i++) {
        own = scan_add(own, scan_value(i));
    }
    var before = scan_before(lane, own);
    for (var i = first; i < end; i++) {
        before = scan_add(before, scan_value(i));
        output[i] = before;
    }
}
