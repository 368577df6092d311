//! Walks the graph from neighbour to neighbour towards the query.

use std::collections::BinaryHeap;

use super::super::top::{ScoredItem, TopK};
use super::links::Links;

/// The places that a walk has visited.
#[derive(Debug)]
pub(super) struct VisitedSet {
    bits: Vec<u64>,
    touched: Vec<u32>,
}

impl VisitedSet {
    pub(super) fn new(places: u32) -> Self {
        Self { bits: vec![0; (places as usize).div_ceil(64)], touched: Vec::new() }
    }

    /// Marks a place as visited; returns whether it is new.
    fn insert(&mut self, place: u32) -> bool {
        let (word, bit) = (place / 64, 1 << (place % 64));
        let Some(bits) = self.bits.get_mut(word as usize) else { return false };
        if *bits == 0 {
            self.touched.push(word);
        }
        let new = *bits & bit == 0;
        *bits |= bit;
        new
    }

    pub(super) fn clear(&mut self) {
        for word in self.touched.drain(..) {
            if let Some(bits) = self.bits.get_mut(word as usize) {
                *bits = 0;
            }
        }
    }
}

impl Links {
    /// Descends from the entry point to the level above `level`, on each to the nearest place.
    pub(super) fn descend(
        &self,
        entry: (u32, usize),
        level: usize,
        rate: &impl Fn(u32) -> f32,
    ) -> ScoredItem<u32> {
        let mut best = ScoredItem { score: rate(entry.0), item: entry.0 };
        for above in (level + 1..=entry.1).rev() {
            loop {
                let near = self
                    .neighbours(best.item, above)
                    .map(|what| ScoredItem { score: rate(what), item: what })
                    .max();
                match near.filter(|near| near.score > best.score) {
                    Some(near) => best = near,
                    None => break,
                }
            }
        }
        best
    }

    /// The nearest `breadth` accepted places on a level, best first, starting from the given ones; `None`
    /// when more than `most` would have to be visited.
    #[expect(clippy::too_many_arguments, reason = "each of them is one of the algorithm's")]
    pub(super) fn walk(
        &self,
        level: usize,
        starts: &[ScoredItem<u32>],
        breadth: usize,
        rate: &impl Fn(u32) -> f32,
        accept: &impl Fn(u32) -> bool,
        visited: &mut VisitedSet,
        most: usize,
    ) -> Option<Vec<ScoredItem<u32>>> {
        let mut open = BinaryHeap::new();
        let mut found = TopK::new(breadth);
        let mut count = 0;
        for start in starts {
            if visited.insert(start.item) {
                open.push(*start);
                if accept(start.item) {
                    found.push(start.score, start.item);
                }
            }
        }
        while let Some(nearest) = open.pop() {
            if found.is_full() && !found.would_keep(nearest.score) {
                break;
            }
            for what in self.neighbours(nearest.item, level) {
                if !visited.insert(what) {
                    continue;
                }
                count += 1;
                let rate = rate(what);
                if !found.is_full() || found.would_keep(rate) {
                    open.push(ScoredItem { score: rate, item: what });
                    if accept(what) {
                        found.push(rate, what);
                    }
                }
            }
            if count > most {
                return None;
            }
        }
        Some(found.into_best())
    }
}
