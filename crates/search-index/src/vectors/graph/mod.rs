//! Approximate nearest neighbours in a graph: HNSW (Malkov and Yashunin, "Efficient and robust approximate
//! nearest neighbor search using Hierarchical Navigable Small World graphs", 2018).
//!
//! The graph covers the places up to some number; later ones are scanned. Walks pass through dead places but
//! do not return them. Of equal vectors only one is in the graph, since many of them would isolate themselves
//! from the rest.

mod build;
mod duplicates;
mod links;
mod walk;

use super::codes::QueryVector;
use super::top::TopK;
use super::view::ShardView;
use duplicates::DuplicateGroups;
use links::{Links, NEIGHBOURS};
use walk::VisitedSet;

/// Candidates from which the neighbours are selected (the paper's efConstruction).
/// Chosen by hand; no measurement recorded.
const BUILD_BREADTH: usize = 100;
/// Minimum candidates of a search (the paper's ef). In large graphs it is half of the square root of the
/// number of vectors, as the same breadth finds less the more there are (`docs/benchmarks/retrieval.md`).
/// Chosen by hand; no measurement recorded.
const MIN_SEARCH_BREADTH: usize = 96;
/// Maximum share of all vectors that a search visits, as a divisor. Above, the vectors are
/// scanned. Chosen by hand; no measurement recorded.
const MAX_VISIT_SHARE: usize = 8;

pub(super) use build::build;

/// An HNSW graph.
#[derive(Debug)]
pub(super) struct Graph {
    links: Links,
    /// Entry point of walks, and its level.
    entry: (u32, usize),
    duplicates: DuplicateGroups,
}

impl Graph {
    /// The graph covers the places below this.
    pub(super) fn places(&self) -> u32 {
        self.links.places()
    }

    pub(super) fn bytes(&self) -> usize {
        self.links.bytes() + self.duplicates.bytes()
    }

    /// Candidates of a search for this many results.
    fn breadth(&self, wanted: usize) -> usize {
        wanted.max(MIN_SEARCH_BREADTH).max(self.places().isqrt() as usize / 2)
    }

    /// Approximate number of vectors that a search scores.
    pub(super) fn visits(&self, wanted: usize) -> usize {
        self.breadth(wanted) * NEIGHBOURS
    }

    /// Adds the nearest `wanted` places that the view accepts to `top`; false when they are so far away, or
    /// so few, that too many would have to be visited.
    pub(super) fn search(
        &self,
        view: &ShardView,
        probe: &QueryVector,
        wanted: usize,
        top: &mut TopK<u32>,
    ) -> bool {
        let rate = |place: u32| {
            let (coarse, step) = view.coarse(place);
            probe.score(coarse, step)
        };
        let accept = |place: u32| self.duplicates.of(place).any(|twin| view.accepts(twin));
        let mut visited = VisitedSet::new(self.places());
        let start = self.links.descend(self.entry, 0, &rate);
        let breadth = self.breadth(wanted);
        let most = (self.places() as usize / MAX_VISIT_SHARE).max(4 * self.visits(wanted));
        let Some(found) = self.links.walk(0, &[start], breadth, &rate, &accept, &mut visited, most) else {
            return false;
        };
        for rated in found {
            for twin in self.duplicates.of(rated.item).filter(|twin| view.accepts(*twin)) {
                top.push(rated.score, twin);
            }
        }
        true
    }
}
