//! A search in the vectors of a base as they are at one moment. Pure work on the processor.

use std::ops::Range;
use std::sync::Arc;

use kb_core::{ChunkKey, Found, Hit, ItemSet};

use super::block::{BLOCK, Block};
use super::codes::Probe;
use super::graph::Graph;
use super::top::{Rated, Top};

/// Which places are looked at.
#[derive(Clone, Debug)]
pub(super) enum Among {
    /// All.
    All,
    /// These.
    Places(Vec<Range<u32>>),
    /// Those of these items, which are many.
    Items(ItemSet),
}

/// The vectors of a base and model at one moment.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) dimensions: usize,
    pub(super) blocks: Arc<Vec<Arc<Block>>>,
    pub(super) dead: Arc<Vec<u64>>,
    pub(super) places: u32,
    pub(super) live: usize,
    pub(super) graph: Option<Arc<Graph>>,
    pub(super) among: Among,
}

impl View {
    /// The nearest.
    pub(super) fn search(&self, probe: &Probe, limit: usize) -> Found {
        if probe.dimensions() != self.dimensions || limit == 0 {
            return Found::default();
        }
        // As coarse rates decide who is rated again, more are taken than are wanted.
        let limit = limit.min(self.places as usize);
        let mut top = Top::new(limit * 2 + 32);
        match (&self.among, &self.graph) {
            (Among::Places(ranges), graph) if self.scans(ranges, graph.as_deref(), limit) => {
                ranges.iter().for_each(|range| self.scan(range.clone(), probe, &mut top));
            }
            (_, Some(graph)) => {
                match graph.search(self, probe, limit * 2 + 32, &mut top) {
                    true => self.scan(graph.places()..self.places, probe, &mut top),
                    // The wanted ones lie too far away for the graph.
                    false => {
                        top = Top::new(limit * 2 + 32);
                        self.scan(0..self.places, probe, &mut top);
                    }
                }
            }
            (_, None) => self.scan(0..self.places, probe, &mut top),
        }
        self.found(top, probe, limit)
    }

    /// Whether to look at each of some places, rather than to look for them in the graph: that visits more the
    /// fewer of all they are.
    fn scans(&self, ranges: &[Range<u32>], graph: Option<&Graph>, limit: usize) -> bool {
        let chosen: usize = ranges.iter().map(Range::len).sum();
        graph.is_none_or(|graph| chosen.saturating_mul(chosen) <= graph.visits(limit) * self.live.max(1))
    }

    /// Whether a place is one that is wanted.
    pub(super) fn accepts(&self, place: u32) -> bool {
        self.is_live(place) && self.is_among(place)
    }

    fn is_among(&self, place: u32) -> bool {
        match &self.among {
            Among::All => true,
            Among::Places(ranges) => {
                let after = ranges.partition_point(|range| range.start <= place);
                after.checked_sub(1).and_then(|at| ranges.get(at)).is_some_and(|range| range.contains(&place))
            }
            Among::Items(items) => {
                let (block, at) = self.at(place);
                block.and_then(|block| block.keys.get(at)).is_some_and(|key| items.contains(key.item))
            }
        }
    }

    pub(super) fn is_live(&self, place: u32) -> bool {
        self.dead.get(place as usize / 64).is_some_and(|word| word & (1 << (place % 64)) == 0)
    }

    /// Where a place is.
    pub(super) fn at(&self, place: u32) -> (Option<&Block>, usize) {
        (self.blocks.get(place as usize / BLOCK).map(Arc::as_ref), place as usize % BLOCK)
    }

    /// The coarse bytes of a place, and their step.
    pub(super) fn coarse(&self, place: u32) -> (&[i8], f32) {
        let (Some(block), at) = self.at(place) else { return (&[], 0.0) };
        let bytes = block.coarse.get(at * self.dimensions..(at + 1) * self.dimensions);
        (bytes.unwrap_or_default(), block.steps.get(at).copied().unwrap_or_default())
    }

    fn scan(&self, places: Range<u32>, probe: &Probe, top: &mut Top<u32>) {
        let mut rates = Vec::with_capacity(BLOCK);
        let mut from = places.start;
        while from < places.end {
            let (block, at) = self.at(from);
            let Some(block) = block else { return };
            let count = (block.len().saturating_sub(at)).min((places.end - from) as usize);
            if count == 0 {
                return;
            }
            let bytes = at * self.dimensions..(at + count) * self.dimensions;
            let (coarse, steps) = (block.coarse.get(bytes), block.steps.get(at..at + count));
            probe.rate_all(coarse.unwrap_or_default(), steps.unwrap_or_default(), &mut rates);
            for (rate, place) in rates.iter().zip(from..) {
                if top.wants(*rate) && self.accepts(place) {
                    top.push(*rate, place);
                }
            }
            from += count as u32;
        }
    }

    /// Rates the best again, by both of their bytes.
    fn found(&self, top: Top<u32>, probe: &Probe, limit: usize) -> Found {
        let mut best: Top<(ChunkKey, i64)> = Top::new(limit);
        let candidates = top.into_best();
        let more = candidates.len() > limit;
        for Rated { what: place, .. } in candidates {
            let (Some(block), at) = self.at(place) else { continue };
            let (coarse, fine) = block.codes(at);
            let (Some(key), Some(sequence), Some(step)) =
                (block.keys.get(at), block.sequences.get(at), block.steps.get(at))
            else {
                continue;
            };
            best.push(probe.cosine(coarse, fine, *step).clamp(0.0, 1.0), (*key, *sequence));
        }
        let hit = |Rated { rate, what: (key, sequence) }| Hit { key, sequence, score: rate };
        Found { hits: best.into_best().into_iter().map(hit).collect(), more }
    }
}
