//! The best hits, in an order that does not depend on the segmentation of the index.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kb_core::{ChunkKey, Found, Hit};

/// Quantisation steps of a score between 0 and 1. Sums of the same numbers in another order differ by less
/// than a step.
const STEPS: f32 = (1 << 20) as f32;
/// Maximum hits of equal score that are ordered by their keys. Of more, those that come first in the index
/// stay. Protects time.
const MAX_EQUAL: usize = 2_000;

/// A chunk with its raw score.
pub(super) struct Candidate {
    pub(super) score: f32,
    pub(super) item: i64,
    pub(super) position: u32,
}

/// Rank order: better ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    steps: u32,
    key: Reverse<(i64, u32)>,
    sequence: i64,
}

/// Keeps the best candidates.
pub(super) struct TopChunks {
    limit: usize,
    reachable: f32,
    /// A heap with the worst on top.
    kept: BinaryHeap<Reverse<Rank>>,
    /// How many were rejected though they were as good as the worst.
    equal: usize,
    threshold: f32,
}

impl TopChunks {
    /// Keeps this many, and one more to know whether there are more.
    pub(super) fn new(limit: usize, reachable: f32) -> Self {
        let limit = limit.saturating_add(1);
        Self { limit, reachable, kept: BinaryHeap::new(), equal: 0, threshold: -1.0 }
    }

    /// Candidates up to this raw score need not be added.
    pub(super) fn threshold(&self) -> f32 {
        self.threshold
    }

    /// Adds a candidate if its score is high enough.
    pub(super) fn add(&mut self, candidate: Candidate, sequence: impl FnOnce() -> i64) {
        let Candidate { score, item, position } = candidate;
        let steps = (score / self.reachable * STEPS).round().clamp(0.0, STEPS) as u32;
        self.keep(Rank { steps, key: Reverse((item, position)), sequence: i64::MIN }, sequence);
    }

    fn keep(&mut self, mut rank: Rank, sequence: impl FnOnce() -> i64) {
        let worst = if self.kept.len() < self.limit { None } else { self.kept.peek().map(|worst| worst.0) };
        if let Some(worst) = worst {
            if rank < worst {
                self.equal += usize::from(rank.steps == worst.steps);
                return self.raise_threshold();
            }
            self.equal = if rank.steps > worst.steps { 0 } else { self.equal + 1 };
            self.kept.pop();
        }
        rank.sequence = sequence();
        self.kept.push(Reverse(rank));
        self.raise_threshold();
    }

    /// Merges the candidates of another thread.
    pub(super) fn merge(&mut self, other: Self) {
        for Reverse(rank) in other.kept {
            self.keep(rank, || rank.sequence);
        }
    }

    fn raise_threshold(&mut self) {
        if self.kept.len() < self.limit {
            return;
        }
        if let Some(Reverse(worst)) = self.kept.peek() {
            // Candidates of equal score have to be added as well, since their keys may come first.
            let steps = if self.equal < MAX_EQUAL { worst.steps as f32 - 1.0 } else { worst.steps as f32 };
            self.threshold = steps / STEPS * self.reachable;
        }
    }

    /// The hits, best first.
    pub(super) fn into_found(self) -> Found {
        let more = self.kept.len() == self.limit;
        let mut ranks: Vec<Rank> = self.kept.into_iter().map(|rank| rank.0).collect();
        ranks.sort_unstable_by(|a, b| b.cmp(a));
        ranks.truncate(self.limit - 1);
        let hits = ranks.into_iter().map(|Rank { steps, key: Reverse((item, position)), sequence }| Hit {
            key: ChunkKey { item, position },
            sequence,
            score: steps as f32 / STEPS,
        });
        Found { hits: hits.collect(), more }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(limit: usize, scores: &[(f32, i64)]) -> Found {
        let mut top = TopChunks::new(limit, 1.0);
        for (score, item) in scores {
            if *score > top.threshold() {
                top.add(Candidate { score: *score, item: *item, position: 0 }, || 7);
            }
        }
        top.into_found()
    }

    #[test]
    fn of_equals_the_first_keys_stay_in_whatever_order_they_come() {
        let scores = [(0.5, 9), (0.25, 4), (0.5, 1), (0.5, 5), (0.75, 8), (0.5, 2), (0.25, 1)];
        let found = best(3, &scores);
        assert_eq!(found.hits.iter().map(|hit| hit.key.item).collect::<Vec<_>>(), [8, 1, 2]);
        assert!(found.more && found.hits.iter().all(|hit| hit.sequence == 7));
        let mut backwards = scores;
        backwards.reverse();
        assert_eq!(best(3, &backwards), found);
        assert!(!best(7, &scores).more);
    }

    #[test]
    fn scores_that_differ_by_rounding_alone_are_equal() {
        let found = best(2, &[(0.1 + 0.2, 3), (0.3, 1)]);
        assert_eq!(found.hits.iter().map(|hit| hit.key.item).collect::<Vec<_>>(), [1, 3]);
    }
}
