//! Selects the best of many.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// An item with its score. A greater score ranks higher; of equal scores, the smaller item.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredItem<T> {
    pub(super) score: f32,
    pub(super) item: T,
}

impl<T: Ord> Ord for ScoredItem<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| other.item.cmp(&self.item))
    }
}

impl<T: Ord> PartialOrd for ScoredItem<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> PartialEq for ScoredItem<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T: Ord> Eq for ScoredItem<T> {}

/// Keeps the best `k`.
#[derive(Debug)]
pub(super) struct TopK<T: Ord> {
    limit: usize,
    heap: BinaryHeap<Reverse<ScoredItem<T>>>,
}

impl<T: Ord> TopK<T> {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, heap: BinaryHeap::new() }
    }

    /// Whether something with this score might be kept.
    pub(super) fn would_keep(&self, rate: f32) -> bool {
        self.heap.len() < self.limit
            || self.heap.peek().is_some_and(|worst| rate.total_cmp(&worst.0.score) != Ordering::Less)
    }

    pub(super) fn is_full(&self) -> bool {
        self.heap.len() >= self.limit
    }

    pub(super) fn push(&mut self, rate: f32, what: T) {
        self.heap.push(Reverse(ScoredItem { score: rate, item: what }));
        if self.heap.len() > self.limit {
            self.heap.pop();
        }
    }

    /// Best first.
    pub(super) fn into_best(self) -> Vec<ScoredItem<T>> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(rated)| rated).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_kept_and_of_equals_the_first() {
        let mut top = TopK::new(3);
        for (rate, what) in [(0.1, 1), (0.9, 2), (0.5, 9), (0.5, 4), (0.5, 5), (-1.0, 0)] {
            top.push(rate, what);
        }
        assert!(top.is_full() && top.would_keep(0.5) && !top.would_keep(0.4));
        let best: Vec<i32> = top.into_best().into_iter().map(|rated| rated.item).collect();
        assert_eq!(best, [2, 4, 5]);
        let mut none = TopK::new(0);
        none.push(1.0, 1);
        assert!(none.into_best().is_empty());
    }
}
