//! Builds a graph on several threads.

use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::Mutex;
use pulp::Arch;

use super::super::codes::{QueryVector, similarity};
use super::super::top::ScoredItem;
use super::super::view::ShardView;
use super::duplicates::DuplicateGroups;
use super::links::{Links, NEIGHBOURS, level};
use super::walk::VisitedSet;
use super::{BUILD_BREADTH, Calibration, Graph};

/// Number of locks for writing lists; two places rarely share one. Chosen by hand; no measurement recorded.
const LOCKS: usize = 1_024;
/// Places that a thread takes in one batch. Chosen by hand; no measurement recorded.
const BATCH: u32 = 64;

/// The graph of all places of a view. It extends `old`, a graph of the first of them. `None` when `stop` ends
/// the build.
pub(in super::super) fn build(
    view: &ShardView,
    old: Option<&Graph>,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Graph> {
    let (duplicates, alone) = DuplicateGroups::find(view);
    let from = old.map_or(0, Graph::places);
    let wanted = |place: &u32| alone.get(*place as usize).is_some_and(|alone| *alone);
    let links = Links::new(view.places, old.map(|old| &old.links));
    // The place with the highest level comes first, so that all others are reachable from it.
    let high = (from..view.places).filter(wanted).map(|place| (level(place), std::cmp::Reverse(place))).max();
    let high = high.map(|(level, place)| (place.0, level));
    let entry = match (old.map(|old| old.entry), high) {
        (Some(old), Some(new)) if old.1 >= new.1 => old,
        (_, Some(new)) => new,
        (old, None) => old?,
    };
    let work =
        GraphBuilder { view, arch: Arch::new(), links, locks: (0..LOCKS).map(|_| Mutex::new(())).collect() };
    if let (Some(old), Some(new)) = (old, high) {
        // A new entry point is inserted by a walk from the old one.
        work.insert(new.0, old.entry, &mut VisitedSet::new(view.places));
    }
    let next = AtomicU32::new(from);
    let whole = std::thread::scope(|scope| {
        let thread = || {
            let mut visited = VisitedSet::new(view.places);
            loop {
                let first = next.fetch_add(BATCH, Ordering::Relaxed);
                if first >= view.places || first < from {
                    return true;
                }
                if stop() {
                    return false;
                }
                let last = first.saturating_add(BATCH).min(view.places);
                let new =
                    (first..last).filter(wanted).filter(|place| Some(*place) != high.map(|high| high.0));
                new.for_each(|place| work.insert(place, entry, &mut visited));
            }
        };
        let others: Vec<_> = (1..threads.max(1)).map(|_| scope.spawn(thread)).collect();
        let own = thread();
        others.into_iter().map(|other| other.join().unwrap_or(false)).fold(own, |all, one| all && one)
    });
    if !whole {
        return None;
    }
    let unmeasured = Calibration { breadth: None, recall: 1.0 };
    let graph = Graph { links: work.links, entry, duplicates, calibration: unmeasured };
    Some(Graph { calibration: Calibration::measure(&graph, view), ..graph })
}

struct GraphBuilder<'a> {
    view: &'a ShardView,
    arch: Arch,
    links: Links,
    locks: Vec<Mutex<()>>,
}

impl GraphBuilder<'_> {
    fn insert(&self, place: u32, entry: (u32, usize), visited: &mut VisitedSet) {
        if place == entry.0 {
            return;
        }
        let (coarse, step) = self.view.coarse(place);
        let probe = QueryVector::from_stored(coarse, step);
        let rate = |other: u32| {
            let (coarse, step) = self.view.coarse(other);
            probe.score(coarse, step)
        };
        let highest = level(place).min(entry.1);
        let mut starts = vec![self.links.descend(entry, highest, &rate)];
        for level in (0..=highest).rev() {
            visited.clear();
            let accept = |other: u32| other != place;
            let near = self.links.walk(level, &starts, BUILD_BREADTH, &rate, &accept, visited, usize::MAX);
            let near = near.unwrap_or_default();
            for neighbour in self.choose(&near, NEIGHBOURS) {
                self.connect(place, neighbour, level);
                self.connect(neighbour.item, ScoredItem { item: place, ..neighbour }, level);
            }
            if !near.is_empty() {
                starts = near;
            }
        }
        visited.clear();
    }

    /// Makes `other` a neighbour of a place. A list that gets too long is selected anew.
    fn connect(&self, place: u32, other: ScoredItem<u32>, level: usize) {
        let _lock = self.locks.get(place as usize % LOCKS).map(|lock| lock.lock());
        let mut list: Vec<u32> = self.links.neighbours(place, level).collect();
        if list.contains(&other.item) {
            return;
        }
        if list.len() < Links::capacity(level) {
            list.push(other.item);
            self.links.write(place, level, &list);
            return;
        }
        let own = self.view.coarse(place);
        let rated = |what: &u32| ScoredItem {
            score: similarity(self.arch, own, self.view.coarse(*what)),
            item: *what,
        };
        let mut all: Vec<ScoredItem<u32>> = list.iter().map(rated).chain([other]).collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        let chosen = self.choose(&all, Links::capacity(level));
        let chosen: Vec<u32> = chosen.into_iter().map(|rated| rated.item).collect();
        self.links.write(place, level, &chosen);
    }

    /// Selects the neighbours among candidates, best first. Each is nearer to the place than to any selected
    /// before it, so that they lie in all directions (the paper's algorithm 4).
    fn choose(&self, candidates: &[ScoredItem<u32>], most: usize) -> Vec<ScoredItem<u32>> {
        let mut chosen: Vec<ScoredItem<u32>> = Vec::with_capacity(most);
        for candidate in candidates {
            if chosen.len() == most {
                break;
            }
            let own = self.view.coarse(candidate.item);
            let apart = |other: &ScoredItem<u32>| {
                similarity(self.arch, own, self.view.coarse(other.item)) < candidate.score
            };
            if chosen.iter().all(apart) {
                chosen.push(*candidate);
            }
        }
        chosen
    }
}
