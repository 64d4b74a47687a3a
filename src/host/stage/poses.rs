//! Where rows stand, this step and the last.

use bytemuck::{bytes_of, cast_slice};

use super::Stage;
use super::instances::Instance;
use crate::host::pose::Pose;
use crate::host::rows::TRANSFORM_WORDS;
use crate::host::spans::{Spans, write_changed};

/// The table of transforms: a row's pose of this step and of the last.
#[derive(Debug, Default)]
pub(super) struct Poses {
    pub(super) words: Vec<u32>,
    pub(super) dirty: Spans,
    /// Rows whose pose of the last step differs from this one's.
    moving: Vec<u32>,
}

impl Poses {
    pub(super) fn reserve(&mut self, rows: usize) {
        self.words.resize(rows * TRANSFORM_WORDS as usize, 0);
    }

    /// Writes a row's pose of this step, and where it teleported that of the last one too.
    pub(super) fn write(&mut self, row: u32, pose: &Pose, teleport: bool) {
        let first = row * TRANSFORM_WORDS;
        let words: &[u32] = cast_slice(bytes_of(pose));
        write_changed(&mut self.words, first, words, &mut self.dirty);
        if teleport {
            let before = first + TRANSFORM_WORDS / 2;
            write_changed(&mut self.words, before, words, &mut self.dirty);
        } else {
            // Twice in one step is harmless: ending the step copies the pose it finds.
            self.moving.push(row);
        }
    }

    /// This step's poses become the last one's.
    pub(super) fn end_step(&mut self) {
        let half = TRANSFORM_WORDS / 2;
        for row in self.moving.drain(..) {
            let first = row * TRANSFORM_WORDS;
            let mut pose = [0; TRANSFORM_WORDS as usize / 2];
            pose.copy_from_slice(&self.words[first as usize..(first + half) as usize]);
            write_changed(&mut self.words, first + half, &pose, &mut self.dirty);
        }
    }

    /// A row's pose of this step and of the last.
    pub(super) fn get(&self, row: u32) -> (Pose, Pose) {
        let (first, half) = ((row * TRANSFORM_WORDS) as usize, TRANSFORM_WORDS as usize / 2);
        let read = |from: usize| bytemuck::pod_read_unaligned(cast_slice(&self.words[from..from + half]));
        (read(first), read(first + half))
    }
}

impl Stage {
    /// Writes the poses of an instance's rows where they differ from what is staged.
    pub(super) fn stage_poses(&mut self, place: u32, teleport: bool) {
        let Some(Some(Instance {
            rows, pose, effect, ..
        })) = self.instances.get(place as usize)
        else {
            return;
        };
        let Some(Some(loaded)) = self.effects.get(*effect as usize) else {
            return;
        };
        for (&row, emitter) in rows.iter().zip(&loaded.effect.emitters) {
            let pose = pose.then(&Pose::from_columns(emitter.transform));
            if teleport || self.poses.get(row).0 != pose {
                self.poses.write(row, &pose, teleport);
            }
        }
    }
}
