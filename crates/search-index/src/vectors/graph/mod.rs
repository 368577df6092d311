//! Approximate nearest neighbours in a graph: HNSW (Malkov and Yashunin, "Efficient and robust approximate
//! nearest neighbor search using Hierarchical Navigable Small World graphs", 2018).
//!
//! The graph covers the places up to some number; later ones are scanned. Walks pass through dead places but
//! do not return them. Of equal vectors only one is in the graph, since many of them would isolate themselves
//! from the rest.

mod build;
mod calibration;
mod duplicates;
mod links;
mod walk;

use super::codes::QueryVector;
use super::top::TopK;
use super::view::ShardView;
pub(super) use calibration::Calibration;
use duplicates::DuplicateGroups;
use links::{Links, NEIGHBOURS};
use walk::VisitedSet;

/// Candidates from which the neighbours are selected (the paper's efConstruction).
/// Chosen by hand; no measurement recorded.
const BUILD_BREADTH: usize = 100;
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
    calibration: Calibration,
}

impl Graph {
    /// The graph covers the places below this.
    pub(super) fn places(&self) -> u32 {
        self.links.places()
    }

    pub(super) fn bytes(&self) -> usize {
        self.links.bytes() + self.duplicates.bytes()
    }

    /// What was measured when it was built.
    pub(super) fn calibration(&self) -> Calibration {
        self.calibration
    }

    /// Candidates of a search for this many results; `None` when a scan is better.
    fn breadth(&self, wanted: usize) -> Option<usize> {
        self.calibration.breadth.map(|least| wanted.max(least))
    }

    /// Approximate number of vectors that a search scores.
    pub(super) fn visits(&self, wanted: usize) -> usize {
        self.breadth(wanted).map_or(self.places() as usize, |breadth| breadth * NEIGHBOURS)
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
        self.breadth(wanted).is_some_and(|breadth| self.walk(view, probe, breadth, top))
    }

    /// As [`Graph::search`], with this many candidates.
    fn walk(&self, view: &ShardView, probe: &QueryVector, breadth: usize, top: &mut TopK<u32>) -> bool {
        let rate = |place: u32| {
            let (coarse, step) = view.coarse(place);
            probe.score(coarse, step)
        };
        let accept = |place: u32| self.duplicates.of(place).any(|twin| view.accepts(twin));
        let mut visited = VisitedSet::new(self.places());
        let start = self.links.descend(self.entry, 0, &rate);
        let most = (self.places() as usize / MAX_VISIT_SHARE).max(4 * breadth * NEIGHBOURS);
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
