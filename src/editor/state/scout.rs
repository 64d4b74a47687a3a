//! Where to look from when a document opens, found by running its effect aside.

use std::sync::Arc;
use std::time::Duration;

use glam::Vec3;

use crate::artifact::Effect;
use crate::layout::Channel;
use crate::play::{Driver, Player, Shown};
use crate::render::OrbitCamera;

/// Effect times looked at, in seconds.
const TIMES: [f64; 4] = [0.3, 0.6, 1.0, 1.6];
/// Wall time an effect may take to be run to each of them.
const BUDGET: Duration = Duration::from_millis(20);
/// The part of the particles at either end of an axis that may be out of the picture.
const OUTSIDE: f32 = 0.08;

/// Height under which particles are left out, in metres.
const BELOW: f32 = -0.5;
/// Farthest that small particles can still be seen from, in metres.
const FARTHEST: f32 = 11.0;

/// A camera that sees most of what an effect does in its first seconds.
pub(super) fn look_at(effect: &Arc<Effect>) -> OrbitCamera {
    let mut camera = OrbitCamera::default();
    let mut player = Player::new(None, Shown::Cpu);
    if player.load(Arc::clone(effect)).is_err() {
        return camera;
    }
    let mut places: [Vec<f32>; 3] = Default::default();
    let (mut sizes, mut count) = (0.0_f32, 0.0_f32);
    for time in TIMES {
        if !player.run_to(time, BUDGET) {
            break;
        }
        for particle in player.live(Driver::Cpu).unwrap_or_default() {
            let bindings = effect.emitters[particle.emitter].render.bindings;
            let word = |word: u32| f32::from_bits(particle.record[word as usize]);
            let Some(place) = bindings.get(Channel::Position) else {
                continue;
            };
            // What has fallen through the ground is past its show.
            if word(place.word + 1) < BELOW {
                continue;
            }
            for (axis, places) in places.iter_mut().enumerate() {
                places.push(word(place.word + axis as u32));
            }
            sizes += bindings.get(Channel::Size).map_or(0.1, |size| word(size.word));
            count += 1.0;
        }
    }
    if count > 0.0 {
        let margin = Vec3::splat((sizes / count).clamp(0.05, 2.0) * 0.5);
        let (low, high) = middle(&mut places);
        camera.frame(low - margin, high + margin);
        camera.distance = (camera.distance * 1.1).clamp(1.0, FARTHEST);
    }
    camera
}

/// The box that all but the outermost lie in, axis by axis.
fn middle(places: &mut [Vec<f32>; 3]) -> (Vec3, Vec3) {
    let (mut low, mut high) = (Vec3::ZERO, Vec3::ZERO);
    for (axis, places) in places.iter_mut().enumerate() {
        places.sort_by(f32::total_cmp);
        let last = places.len().saturating_sub(1);
        let outside = (last as f32 * OUTSIDE) as usize;
        low[axis] = places.get(outside).copied().unwrap_or(0.0);
        high[axis] = places.get(last - outside).copied().unwrap_or(0.0);
    }
    (low, high)
}
