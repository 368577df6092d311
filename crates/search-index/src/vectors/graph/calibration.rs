//! Measures how much of the nearest a graph finds, and chooses the breadth of its searches by that.

use super::super::codes::QueryVector;
use super::super::top::TopK;
use super::super::view::ShardView;
use super::{Graph, Links, MAX_VISIT_SHARE};

/// Queries of a measurement. Of 640 results at a recall of .97, the standard error is .007.
const QUERIES: u32 = 64;
/// Results of a query.
const RESULTS: usize = 10;
/// The recall that the breadth is chosen for: the .95 of the documentation and twice the error.
const TARGET: f32 = 0.965;
/// The smallest breadth. Chosen by hand; no measurement recorded.
const MIN_BREADTH: usize = 96;
/// The share of another vector in a query. Queries are near to texts and equal to none: at .5 the cosine with the
/// first vector is about .9.
const OTHER_SHARE: f32 = 0.5;

/// The breadth of the searches of a graph, and their recall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Calibration {
    /// Candidates of a search (the paper's ef); `None` when a scan of all vectors is as fast as what would be needed.
    pub(super) breadth: Option<usize>,
    /// The share of the nearest ten that is found, from 0 to 1.
    pub(in super::super) recall: f32,
}

impl Calibration {
    /// The smallest of doubled breadths that reaches the target.
    pub(super) fn measure(graph: &Graph, view: &ShardView) -> Self {
        let queries: Vec<(QueryVector, Vec<u32>)> = (0..QUERIES).filter_map(|at| query(view, at)).collect();
        let most = (graph.places() as usize / MAX_VISIT_SHARE / Links::capacity(0)).max(MIN_BREADTH);
        let breadths = std::iter::successors(Some(MIN_BREADTH), |breadth| Some(breadth * 2));
        for breadth in breadths.take_while(|breadth| *breadth <= most) {
            let recall = recall(graph, view, &queries, breadth);
            if recall >= TARGET {
                return Self { breadth: Some(breadth), recall };
            }
        }
        Self { breadth: None, recall: 1.0 }
    }
}

/// A query between two of the vectors, with the places that a scan finds.
fn query(view: &ShardView, at: u32) -> Option<(QueryVector, Vec<u32>)> {
    let place = |at: u32| (u64::from(at) * u64::from(view.places) / u64::from(2 * QUERIES)) as u32;
    // The other one is half of the vectors away in the order of addition.
    let (own, other) =
        (view.coarse(place(2 * at)), view.coarse(place((2 * at + QUERIES + 1) % (2 * QUERIES))));
    let numbers = own.0.iter().zip(other.0);
    let mixed = numbers.map(|(a, b)| f32::from(*a) * own.1 + OTHER_SHARE * f32::from(*b) * other.1);
    let probe = QueryVector::new(&mixed.collect::<Vec<_>>())?;
    let mut top = TopK::new(RESULTS);
    view.scan(0..view.places, &probe, &mut top);
    Some((probe, places(top)))
}

fn places(top: TopK<u32>) -> Vec<u32> {
    top.into_best().into_iter().map(|scored| scored.item).collect()
}

fn recall(graph: &Graph, view: &ShardView, queries: &[(QueryVector, Vec<u32>)], breadth: usize) -> f32 {
    let (mut found, mut all) = (0, 0);
    for (probe, nearest) in queries {
        let mut top = TopK::new(RESULTS);
        graph.walk(view, probe, breadth, &mut top);
        let walked = places(top);
        found += nearest.iter().filter(|place| walked.contains(place)).count();
        all += nearest.len();
    }
    if all == 0 { 1.0 } else { found as f32 / all as f32 }
}
