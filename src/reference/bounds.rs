//! Bounds: each emitter's living, and the box around them and their sprites. Twin of
//! `shaders/sim/bounds_accumulate.wgsl` and `shaders/sim/bounds_publish.wgsl`.

use crate::artifact::Projection;
use crate::base::keys::{float_of, key_of};
use crate::host::Pose;
use crate::host::rows::{
    AXES_HASH_FACTOR, AXES_HASH_START, BOUNDS_EMPTY_MAX, BOUNDS_EMPTY_MIN, BOUNDS_SLACK, CHANNEL_WIDTH_SHIFT,
    EmitterRow, EmitterState, UNBOUND, default_size,
};
use crate::isa::RECORD_WORDS;

/// What has been gathered of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gathered {
    /// Particles.
    pub living: u32,
    /// Keys of the least corner.
    pub least: [u32; 3],
    /// Keys of the greatest corner.
    pub most: [u32; 3],
}

impl Default for Gathered {
    fn default() -> Self {
        Self {
            living: 0,
            least: [u32::MAX; 3],
            most: [0; 3],
        }
    }
}

impl Gathered {
    /// Adds a living particle of the row. One whose box is not finite counts and has no place in the box.
    pub fn add(&mut self, row: &EmitterRow, pose: &Pose, record: &[u32; RECORD_WORDS as usize]) {
        self.living += 1;
        let Some((low, high)) = sprite_box(row, pose, record) else {
            return;
        };
        for i in 0..3 {
            self.least[i] = self.least[i].min(key_of(low[i]));
            self.most[i] = self.most[i].max(key_of(high[i]));
        }
    }

    /// Publishes what was gathered to the row's state. True where the row has ended and is empty.
    ///
    /// The box of an emitter that sleeps only grows: it keeps what it showed when it fell asleep and goes along with it,
    /// else the death of its last particle would wake it. One that turned or changed its size in its sleep has a box
    /// that is not known, and so is seen.
    pub fn publish(&self, row: &EmitterRow, pose: &Pose, state: &mut EmitterState) -> bool {
        let empty = self.least[0] > self.most[0];
        let mut low = self.least.map(float_of);
        let mut high = self.most.map(float_of);
        let known = state.bounds_min[0].to_bits() != BOUNDS_EMPTY_MIN;
        let (at, axes) = (pose.position(), hash_of_axes(pose));
        let keeps = row.culling != 0 && state.culled != 0 && known;
        if keeps {
            for i in 0..3 {
                let way = at[i] - state.boxed_at[i];
                let (kept_low, kept_high) = (state.bounds_min[i] + way, state.bounds_max[i] + way);
                if empty || kept_low < low[i] {
                    low[i] = kept_low;
                }
                if empty || kept_high > high[i] {
                    high[i] = kept_high;
                }
            }
        }
        let unknown = if keeps { axes != state.boxed_axes } else { empty };
        if unknown {
            low = [f32::from_bits(BOUNDS_EMPTY_MIN); 3];
            high = [f32::from_bits(BOUNDS_EMPTY_MAX); 3];
        }
        (state.bounds_min, state.bounds_max) = (low, high);
        (state.boxed_at, state.boxed_axes) = (at, axes);
        state.living = self.living;
        let stopped = state.ended != 0 || row.emitting == 0;
        let over = stopped && self.living == 0 && state.pending == 0;
        state.finished = u32::from(over);
        over
    }
}

fn hash_of_axes(pose: &Pose) -> u32 {
    let axes = pose.0.iter().flat_map(|row| &row[..3]);
    axes.fold(AXES_HASH_START, |hash, x| {
        (hash ^ x.to_bits()).wrapping_mul(AXES_HASH_FACTOR)
    })
}

fn channel(record: &[u32; RECORD_WORDS as usize], channel: u32) -> [f32; 4] {
    let word = (channel & 0xff) as usize;
    let (quad, begin) = (word & !3, word & 3);
    [0, 1, 2, 3].map(|lane| f32::from_bits(record[quad + (begin + lane).min(3)]))
}

fn length3(v: [f32; 3]) -> f32 {
    let p = v.map(|x| x * x);
    (p[0] + p[1] + p[2]).sqrt()
}

/// The farthest a sprite's corner lies from its particle, in metres, whatever turns it.
fn reach(row: &EmitterRow, record: &[u32; RECORD_WORDS as usize]) -> f32 {
    let mut size = [default_size(); 2];
    if row.channel_size != UNBOUND {
        let words = channel(record, row.channel_size);
        let square = row.channel_size >> CHANNEL_WIDTH_SHIFT == 1;
        size = if square {
            [words[0]; 2]
        } else {
            [words[0], words[1]]
        };
    }
    size = size.map(f32::abs);
    if row.projection == Projection::Stretched as u32 && row.channel_velocity != UNBOUND {
        let [x, y, z, _] = channel(record, row.channel_velocity);
        let mut factor = 1.0 + row.stretch * length3([x, y, z]);
        if row.stretch_limit > 0.0 && factor > row.stretch_limit {
            factor = row.stretch_limit;
        }
        size[1] *= factor;
    }
    let half = [
        size[0] * (0.5 + row.pivot_x.abs()),
        size[1] * (0.5 + row.pivot_y.abs()),
    ];
    (half[0] * half[0] + half[1] * half[1]).sqrt()
}

/// The box of a particle's sprite in the world; none where it is not finite.
fn sprite_box(
    row: &EmitterRow,
    pose: &Pose,
    record: &[u32; RECORD_WORDS as usize],
) -> Option<([f32; 3], [f32; 3])> {
    let mut center = [0.0; 3];
    if row.channel_position != UNBOUND {
        let [x, y, z, _] = channel(record, row.channel_position);
        center = [x, y, z];
    }
    let mut reach = reach(row, record);
    if row.local_space != 0 {
        let axes = pose.0;
        center = axes.map(|r| {
            let p = [r[0] * center[0], r[1] * center[1], r[2] * center[2]];
            p[0] + p[1] + p[2] + r[3]
        });
        let column = |i: usize| length3([axes[0][i], axes[1][i], axes[2][i]]);
        let (mut scale, y, z) = (column(0), column(1), column(2));
        if y > scale {
            scale = y;
        }
        if z > scale {
            scale = z;
        }
        reach *= scale;
    }
    let slack = center.map(|c| c.abs() * BOUNDS_SLACK + reach * BOUNDS_SLACK);
    let low = [0, 1, 2].map(|i| center[i] - reach - slack[i]);
    let high = [0, 1, 2].map(|i| center[i] + reach + slack[i]);
    let finite = |v: [f32; 3]| v.iter().all(|x| x.is_finite());
    (finite(low) && finite(high)).then_some((low, high))
}
