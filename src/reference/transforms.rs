//! Transforms: each row's world pose. Twin of `shaders/sim/transforms.wgsl`.

use crate::host::Pose;
use crate::host::transforms::{
    Composed, FLAG_FRESH, FLAG_LIVE, FLAG_MATRIX, FLAG_TELEPORT, MAX_DEPTH, TransformRow,
};

/// A matrix of the caller's buffer: four columns.
pub type Matrix = [[f32; 4]; 4];

/// Composes every row in use for a step of `dt` seconds. `composed` has as many rows as `rows`; rows not in use
/// keep what they had. In a step of no time rows take their places and no pose becomes the last step's: what is
/// moved in a pause is not movement.
pub fn transforms(rows: &[TransformRow], matrices: &[Matrix], composed: &mut [Composed], dt: f32) {
    for (index, place) in composed.iter_mut().enumerate().take(rows.len()) {
        if rows[index].flags & FLAG_LIVE != 0 {
            *place = one(rows, matrices, index, place, dt > 0.0);
        }
    }
}

fn one(
    rows: &[TransformRow],
    matrices: &[Matrix],
    index: usize,
    before: &Composed,
    passes: bool,
) -> Composed {
    let (world, cut) = world(rows, matrices, index);
    let fresh = rows[index].flags & FLAG_FRESH != 0;
    let known = if fresh { Pose::IDENTITY } else { before.now };
    let now = if world.is_finite() { world } else { known };
    let last = if fresh || cut {
        now
    } else if passes {
        before.now
    } else {
        before.last
    };
    Composed { now, last }
}

/// The row's matrix under those of its parents, and whether one of the chain teleported. A chain ends at a row
/// whose matrix is the caller's, since that is a world matrix.
#[must_use]
pub fn world(rows: &[TransformRow], matrices: &[Matrix], index: usize) -> (Pose, bool) {
    let mut world = own(&rows[index], matrices);
    let mut flags = rows[index].flags;
    let mut at = &rows[index];
    for _ in 1..MAX_DEPTH {
        if at.flags & FLAG_MATRIX != 0 {
            break;
        }
        let Some(parent) = rows.get(at.parent as usize) else {
            break;
        };
        world = own(parent, matrices).then(&world);
        flags |= parent.flags;
        at = parent;
    }
    (world, flags & FLAG_TELEPORT != 0)
}

fn own(row: &TransformRow, matrices: &[Matrix]) -> Pose {
    if row.flags & FLAG_MATRIX == 0 {
        return Pose(row.local);
    }
    matrices.get(row.matrix as usize).map_or(Pose::IDENTITY, |m| {
        Pose([0, 1, 2].map(|i| [m[0][i], m[1][i], m[2][i], m[3][i]]))
    })
}
