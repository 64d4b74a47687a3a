// Pre-warm finish: the pool counts what moved into it. Reads flags, counters. Writes main_counters. One workgroup.
#include "lib/warm_rank.wgsl"

@compute @workgroup_size(SCAN_THREADS)
fn main(@builtin(local_invocation_index) lane: u32) {
    let total = warm_base(lane, warm_tiles());
    if (lane > 0u) {
        return;
    }
    let kept = min(total, atomicLoad(&main_counters[COUNTER_DEAD]));
    atomicSub(&main_counters[COUNTER_DEAD], kept);
    atomicAdd(&main_counters[COUNTER_ALIVE], kept);
    let bad = atomicLoad(&counters[COUNTER_NON_FINITE]);
    if (bad > 0u) {
        atomicAdd(&main_counters[COUNTER_NON_FINITE], bad);
        atomicStore(&main_counters[COUNTER_NON_FINITE_ORDINAL], atomicLoad(&counters[COUNTER_NON_FINITE_ORDINAL]));
        atomicStore(&main_counters[COUNTER_NON_FINITE_ROW], atomicLoad(&counters[COUNTER_NON_FINITE_ROW]));
    }
}
