//! The vectors of a snapshot by place: liveness, filter and scores. CPU-bound, no I/O.

use std::ops::Range;
use std::sync::Arc;

use kb_core::{ChunkKey, Found, Hit, ItemSet};

use super::block::{BLOCK_LEN, Block};
use super::codes::QueryVector;
use super::top::{ScoredItem, TopK};

/// Which places are searched.
#[derive(Clone, Debug)]
pub(super) enum PlaceFilter {
    /// All of them.
    All,
    /// The places in these ranges.
    Places(Vec<Range<u32>>),
    /// The places of these items, which are many.
    Items(ItemSet),
}

/// A snapshot of the vectors of a base and model.
#[derive(Clone, Debug)]
pub(super) struct ShardView {
    pub(super) dimensions: usize,
    pub(super) blocks: Arc<Vec<Arc<Block>>>,
    pub(super) dead: Arc<Vec<u64>>,
    pub(super) places: u32,
    pub(super) live: usize,
    pub(super) filter: PlaceFilter,
}

impl ShardView {
    /// Whether a search may return a place.
    pub(super) fn accepts(&self, place: u32) -> bool {
        self.is_live(place) && self.matches_filter(place)
    }

    fn matches_filter(&self, place: u32) -> bool {
        match &self.filter {
            PlaceFilter::All => true,
            PlaceFilter::Places(ranges) => {
                let after = ranges.partition_point(|range| range.start <= place);
                after.checked_sub(1).and_then(|at| ranges.get(at)).is_some_and(|range| range.contains(&place))
            }
            PlaceFilter::Items(items) => {
                let (block, at) = self.locate(place);
                block.and_then(|block| block.keys.get(at)).is_some_and(|key| items.contains(key.item))
            }
        }
    }

    pub(super) fn is_live(&self, place: u32) -> bool {
        self.dead.get(place as usize / 64).is_some_and(|word| word & (1 << (place % 64)) == 0)
    }

    /// The block of a place, and the index within it.
    pub(super) fn locate(&self, place: u32) -> (Option<&Block>, usize) {
        (self.blocks.get(place as usize / BLOCK_LEN).map(Arc::as_ref), place as usize % BLOCK_LEN)
    }

    /// The coarse codes of a place, and their step size.
    pub(super) fn coarse(&self, place: u32) -> (&[i8], f32) {
        let (Some(block), at) = self.locate(place) else { return (&[], 0.0) };
        let bytes = block.coarse.get(at * self.dimensions..(at + 1) * self.dimensions);
        (bytes.unwrap_or_default(), block.steps.get(at).copied().unwrap_or_default())
    }

    /// Adds the best of a range of places that the filter accepts, by their coarse scores.
    pub(super) fn scan(&self, places: Range<u32>, probe: &QueryVector, top: &mut TopK<u32>) {
        let mut rates = Vec::with_capacity(BLOCK_LEN);
        let mut from = places.start;
        while from < places.end {
            let (block, at) = self.locate(from);
            let Some(block) = block else { return };
            let count = (block.len().saturating_sub(at)).min((places.end - from) as usize);
            if count == 0 {
                return;
            }
            let bytes = at * self.dimensions..(at + count) * self.dimensions;
            let (coarse, steps) = (block.coarse.get(bytes), block.steps.get(at..at + count));
            probe.score_all(coarse.unwrap_or_default(), steps.unwrap_or_default(), &mut rates);
            for (rate, place) in rates.iter().zip(from..) {
                if top.would_keep(*rate) && self.accepts(place) {
                    top.push(*rate, place);
                }
            }
            from += count as u32;
        }
    }

    /// Rescores the best candidates by both codes.
    pub(super) fn rescore(&self, top: TopK<u32>, probe: &QueryVector, limit: usize) -> Found {
        let mut best: TopK<(ChunkKey, i64)> = TopK::new(limit);
        let candidates = top.into_best();
        let more = candidates.len() > limit;
        for ScoredItem { item: place, .. } in candidates {
            let (Some(block), at) = self.locate(place) else { continue };
            let (coarse, fine) = block.codes(at);
            let (Some(key), Some(sequence), Some(step)) =
                (block.keys.get(at), block.sequences.get(at), block.steps.get(at))
            else {
                continue;
            };
            best.push(probe.cosine(coarse, fine, *step).clamp(0.0, 1.0), (*key, *sequence));
        }
        let hit = |ScoredItem { score: rate, item: (key, sequence) }| Hit { key, sequence, score: rate };
        Found { hits: best.into_best().into_iter().map(hit).collect(), more }
    }
}
