//! Two populations of one stage against each other, particle by particle.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::host::Stage;
use crate::reference::LiveParticle;

/// How far a field differs between the two.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldDifference {
    /// The emitter's name.
    pub emitter: String,
    /// The field's name.
    pub field: String,
    /// Words that differ in any bit.
    pub words: u64,
    /// Largest difference relative to the larger magnitude, with magnitudes below 0.01 counted as 0.01.
    pub relative: f32,
    /// Ordinal of the particle with that difference.
    pub ordinal: u32,
}

/// What a comparison found.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct Comparison {
    /// Particles alive in the first.
    pub left: usize,
    /// Particles alive in the second.
    pub right: usize,
    /// Particles alive in both.
    pub matched: usize,
    /// Words compared.
    pub words: u64,
    /// One line a field and emitter, where anything differs.
    pub differences: Vec<FieldDifference>,
}

/// A magnitude below this counts as this in a relative difference: a metre's hundredth, a hundredth of a second.
const SMALLEST_MAGNITUDE: f32 = 0.01;

impl Comparison {
    /// Share of the larger population that lives in both, 0 to 1; 1 where nothing lives.
    #[must_use]
    pub fn share(&self) -> f64 {
        let most = self.left.max(self.right);
        if most == 0 {
            1.0
        } else {
            self.matched as f64 / most as f64
        }
    }

    /// Largest relative difference of any field.
    #[must_use]
    pub fn largest(&self) -> f32 {
        self.differences.iter().map(|d| d.relative).fold(0.0, f32::max)
    }

    /// Whether the two agree: equal counts, `share` of particles in both, every field within `relative`.
    #[must_use]
    pub fn within(&self, share: f64, relative: f32) -> bool {
        self.left == self.right && self.share() >= share && self.largest() <= relative
    }

    /// Whether every particle and every word is the same.
    #[must_use]
    pub fn identical(&self) -> bool {
        self.left == self.right && self.matched == self.left && self.differences.is_empty()
    }
}

/// Compares two populations, each sorted by instance, emitter and ordinal.
#[must_use]
pub fn compare(stage: &Stage, left: &[LiveParticle], right: &[LiveParticle]) -> Comparison {
    let mut result = Comparison {
        left: left.len(),
        right: right.len(),
        ..Comparison::default()
    };
    let mut worst: BTreeMap<(usize, u32), FieldDifference> = BTreeMap::new();
    let key = |p: &LiveParticle| (p.instance, p.emitter, p.ordinal);
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        let (a, b) = (&left[i], &right[j]);
        match key(a).cmp(&key(b)) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                result.matched += 1;
                (i, j) = (i + 1, j + 1);
                let Ok(effect) = stage.instance_effect(a.instance) else {
                    continue;
                };
                let emitter = &effect.emitters[a.emitter];
                for field in emitter.layout.fields() {
                    for word in field.words() {
                        result.words += 1;
                        let (x, y) = (a.record[word as usize], b.record[word as usize]);
                        if x == y {
                            continue;
                        }
                        let relative = relative(f32::from_bits(x), f32::from_bits(y));
                        let entry = worst
                            .entry((a.emitter, field.word))
                            .or_insert_with(|| FieldDifference {
                                emitter: emitter.name.clone(),
                                field: field.name.clone(),
                                words: 0,
                                relative: 0.0,
                                ordinal: a.ordinal,
                            });
                        entry.words += 1;
                        if relative > entry.relative {
                            (entry.relative, entry.ordinal) = (relative, a.ordinal);
                        }
                    }
                }
            }
        }
    }
    result.differences = worst.into_values().collect();
    result
}

fn relative(x: f32, y: f32) -> f32 {
    if x == y || (x.is_nan() && y.is_nan()) {
        return 0.0;
    }
    let difference = (x - y).abs() / x.abs().max(y.abs()).max(SMALLEST_MAGNITUDE);
    if difference.is_nan() {
        f32::INFINITY
    } else {
        difference
    }
}
