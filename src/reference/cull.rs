//! Whether no view sees an emitter's box. Twin of `shaders/lib/cull.wgsl`.

use crate::host::rows::{BOUNDS_EMPTY_MIN, EmitterState, FRUSTUM_PLANES, FrameParams, MAX_VIEWS};

/// Whether the box that the last step measured lies outside every view. A box that is not known is seen, and
/// with no view everything is.
#[must_use]
pub fn hidden(frame: &FrameParams, state: &EmitterState) -> bool {
    if frame.view_count as usize > MAX_VIEWS
        || frame.view_count == 0
        || state.bounds_min[0].to_bits() == BOUNDS_EMPTY_MIN
    {
        return false;
    }
    let (low, high) = (state.bounds_min, state.bounds_max);
    let views = frame.planes.chunks_exact(FRUSTUM_PLANES as usize);
    !views.take(frame.view_count as usize).any(|planes| {
        planes.iter().all(|plane| {
            let corner = |i: usize| if plane[i] > 0.0 { high[i] } else { low[i] };
            let p = [0, 1, 2].map(|i| plane[i] * corner(i));
            let outside = p[0] + p[1] + p[2] + plane[3] < 0.0;
            !outside
        })
    })
}
