//! The best of many.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Something with its rate; greater is better, and of equals the one that came first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rated<T> {
    pub(super) rate: f32,
    pub(super) what: T,
}

impl<T: Ord> Ord for Rated<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rate.total_cmp(&other.rate).then_with(|| other.what.cmp(&self.what))
    }
}

impl<T: Ord> PartialOrd for Rated<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> PartialEq for Rated<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T: Ord> Eq for Rated<T> {}

/// Keeps the best that it is given.
#[derive(Debug)]
pub(super) struct Top<T: Ord> {
    limit: usize,
    heap: BinaryHeap<Reverse<Rated<T>>>,
}

impl<T: Ord> Top<T> {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, heap: BinaryHeap::new() }
    }

    /// Whether something of this rate might be kept.
    pub(super) fn wants(&self, rate: f32) -> bool {
        self.heap.len() < self.limit
            || self.heap.peek().is_some_and(|worst| rate.total_cmp(&worst.0.rate) != Ordering::Less)
    }

    pub(super) fn is_full(&self) -> bool {
        self.heap.len() >= self.limit
    }

    pub(super) fn push(&mut self, rate: f32, what: T) {
        self.heap.push(Reverse(Rated { rate, what }));
        if self.heap.len() > self.limit {
            self.heap.pop();
        }
    }

    /// Best first.
    pub(super) fn into_best(self) -> Vec<Rated<T>> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(rated)| rated).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_kept_and_of_equals_the_first() {
        let mut top = Top::new(3);
        for (rate, what) in [(0.1, 1), (0.9, 2), (0.5, 9), (0.5, 4), (0.5, 5), (-1.0, 0)] {
            top.push(rate, what);
        }
        assert!(top.is_full() && top.wants(0.5) && !top.wants(0.4));
        let best: Vec<i32> = top.into_best().into_iter().map(|rated| rated.what).collect();
        assert_eq!(best, [2, 4, 5]);
        let mut none = Top::new(0);
        none.push(1.0, 1);
        assert!(none.into_best().is_empty());
    }
}
