//! A search in a snapshot of a base's vectors: a scan, or a walk through the graph. CPU-bound, no I/O.

use std::ops::Range;
use std::sync::Arc;

use kb_core::Found;

use super::codes::QueryVector;
use super::graph::Graph;
use super::top::TopK;
use super::view::{PlaceFilter, ShardView};

/// Candidates that are rescored: so many for each result, and so many more. A scan then has a recall@10 of
/// 1.0000 (`docs/benchmarks/retrieval.md`, Vectors).
const RESCORED: usize = 2;
const RESCORED_MORE: usize = 32;

/// A snapshot of the vectors of a base and model, with the graph of the first of them.
#[derive(Clone, Debug)]
pub(super) struct ShardSnapshot {
    pub(super) view: ShardView,
    pub(super) graph: Option<Arc<Graph>>,
}

impl ShardSnapshot {
    /// The nearest chunks.
    pub(super) fn search(&self, probe: &QueryVector, limit: usize) -> Found {
        if probe.dimensions() != self.view.dimensions || limit == 0 {
            return Found::default();
        }
        // Coarse scores decide what is rescored, so more candidates are kept than wanted.
        let limit = limit.min(self.view.places as usize);
        let mut top = TopK::new(limit * RESCORED + RESCORED_MORE);
        match (&self.view.filter, &self.graph) {
            (PlaceFilter::Places(ranges), graph) if self.prefers_scan(ranges, graph.as_deref(), limit) => {
                ranges.iter().for_each(|range| self.view.scan(range.clone(), probe, &mut top));
            }
            (_, Some(graph)) => {
                match graph.search(&self.view, probe, limit * RESCORED + RESCORED_MORE, &mut top) {
                    true => self.view.scan(graph.places()..self.view.places, probe, &mut top),
                    // The wanted vectors lie too far away for the graph.
                    false => {
                        top = TopK::new(limit * RESCORED + RESCORED_MORE);
                        self.view.scan(0..self.view.places, probe, &mut top);
                    }
                }
            }
            (_, None) => self.view.scan(0..self.view.places, probe, &mut top),
        }
        self.view.rescore(top, probe, limit)
    }

    /// Whether to scan some places rather than to search them in the graph: the graph visits more, the
    /// smaller their share.
    fn prefers_scan(&self, ranges: &[Range<u32>], graph: Option<&Graph>, limit: usize) -> bool {
        let chosen: usize = ranges.iter().map(Range::len).sum();
        graph.is_none_or(|graph| chosen.saturating_mul(chosen) <= graph.visits(limit) * self.view.live.max(1))
    }
}
