//! Which stretches of a vector changed since they were last uploaded.

use std::ops::Range;

/// Changed stretches, in words, kept sorted and merged. It allocates only while it grows.
#[derive(Debug, Clone, Default)]
pub struct Spans {
    ranges: Vec<Range<u32>>,
}

/// Stretches nearer than this are one: an upload call costs more than so many words.
const GAP_WORDS: u32 = 64;

impl Spans {
    /// Marks a stretch.
    pub fn mark(&mut self, range: Range<u32>) {
        if range.is_empty() {
            return;
        }
        let start = self
            .ranges
            .partition_point(|r| r.end.saturating_add(GAP_WORDS) < range.start);
        let end = self
            .ranges
            .partition_point(|r| r.start <= range.end.saturating_add(GAP_WORDS));
        if start == end {
            self.ranges.insert(start, range);
        } else {
            let merged = self.ranges[start].start.min(range.start)..self.ranges[end - 1].end.max(range.end);
            self.ranges[start] = merged;
            self.ranges.drain(start + 1..end);
        }
    }

    /// The stretches, sorted.
    #[must_use]
    pub fn ranges(&self) -> &[Range<u32>] {
        &self.ranges
    }

    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Forgets all, keeping the memory.
    pub fn clear(&mut self) {
        self.ranges.clear();
    }
}

/// Copies `words` over `target` from `first` and marks only what differs.
pub fn write_changed(target: &mut [u32], first: u32, words: &[u32], spans: &mut Spans) {
    let place = &mut target[first as usize..first as usize + words.len()];
    let Some(from) = place.iter().zip(words).position(|(a, b)| a != b) else {
        return;
    };
    let to = place.iter().zip(words).rposition(|(a, b)| a != b).unwrap_or(from);
    place[from..=to].copy_from_slice(&words[from..=to]);
    spans.mark(first + from as u32..first + to as u32 + 1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_merge_near_ones_and_keep_far_ones() {
        let mut spans = Spans::default();
        spans.mark(1000..1010);
        spans.mark(0..4);
        spans.mark(8..12);
        assert_eq!(spans.ranges(), &[0..12, 1000..1010]);
        spans.mark(2..1005);
        assert_eq!(spans.ranges(), std::slice::from_ref(&(0..1010)));
    }

    #[test]
    fn spans_mark_only_what_differs() {
        let mut spans = Spans::default();
        let mut target = vec![0, 1, 2, 3, 4];
        write_changed(&mut target, 1, &[1, 9, 3], &mut spans);
        assert_eq!(
            (target.as_slice(), spans.ranges()),
            (&[0, 1, 9, 3, 4][..], std::slice::from_ref(&(2..3)))
        );
        spans.clear();
        write_changed(&mut target, 0, &[0, 1, 9], &mut spans);
        assert!(spans.is_empty());
    }
}
