// Whether no view sees a row's box. Twin of src/reference/cull.rs.
#include "lib/rows.wgsl"
#include "lib/fence.wgsl"

fn cull_hidden(row: u32) -> bool {
    if (frame.view_count == 0u || frame.view_count > MAX_VIEWS || state_u(row, EMITTER_STATE_BOUNDS_MIN) == BOUNDS_EMPTY_MIN) {
        return false;
    }
    let low = vec3f(
        state_f(row, EMITTER_STATE_BOUNDS_MIN),
        state_f(row, EMITTER_STATE_BOUNDS_MIN + 1u),
        state_f(row, EMITTER_STATE_BOUNDS_MIN + 2u),
    );
    let high = vec3f(
        state_f(row, EMITTER_STATE_BOUNDS_MAX),
        state_f(row, EMITTER_STATE_BOUNDS_MAX + 1u),
        state_f(row, EMITTER_STATE_BOUNDS_MAX + 2u),
    );
    for (var view = 0u; view < frame.view_count; view++) {
        var seen = true;
        for (var i = 0u; i < FRUSTUM_PLANES; i++) {
            let plane = frame.planes[view * FRUSTUM_PLANES + i];
            // The corner farthest along the plane's normal.
            let corner = select(low, high, plane.xyz > vec3f(0.0));
            let p = fence3(plane.xyz * corner);
            if (p.x + p.y + p.z + plane.w < 0.0) {
                seen = false;
            }
        }
        if (seen) {
            return false;
        }
    }
    return true;
}
