//! Field bind: a row's pose into a field. Twin of `shaders/sim/field_bind.wgsl`.

use crate::host::bindings::{BindingRow, PoseChannel};
use crate::host::{Pose, transforms::Composed};

/// Writes every binding into `fields`, the words from the field section's base on. What lies past the end of a
/// table is passed over.
pub fn field_bind(rows: &[BindingRow], composed: &[Composed], fields: &mut [u32]) {
    for row in rows.iter().filter(|row| row.used != 0) {
        let Some(channel) = PoseChannel::ALL.get(row.channel as usize) else {
            continue;
        };
        let first = row.word as usize;
        let place = fields.get_mut(first..first + channel.width() as usize);
        if let (Some(source), Some(place)) = (composed.get(row.source as usize), place) {
            let value = value(&source.now, *channel);
            for (word, number) in place.iter_mut().zip(value) {
                *word = number.to_bits();
            }
        }
    }
}

/// What a channel reads off a world pose: its first [`PoseChannel::width`] numbers. Direction and up are those
/// of the nodes Emitter's direction and Emitter's up.
#[must_use]
pub fn value(pose: &Pose, channel: PoseChannel) -> [f32; 4] {
    let [x, y, z] = match channel {
        PoseChannel::Position => pose.position(),
        PoseChannel::Direction => pose.forward(),
        PoseChannel::Up => pose.up(),
        PoseChannel::Orientation => return pose.quaternion(),
    };
    [x, y, z, 0.0]
}
