//! Entries that are given twice.

use std::collections::HashMap;

use super::super::merge::is_same_node;
use super::super::node::{Node, Spot};
use super::places::{leaves, supported};

/// Entries at the same spots that are compared with another.
const MAX_ALIKE: usize = 16;

/// The entries without those that say once more what one before says of the very same places, copies included.
/// Models that lose their way repeat themselves; what a text really says twice stands at two places. What stands at
/// the same place of a copy may be read otherwise there.
pub(in super::super) fn without_repeats(items: Vec<Node>) -> Vec<Node> {
    let mut seen: HashMap<Vec<Spot>, Vec<usize>> = HashMap::new();
    let mut kept: Vec<Node> = Vec::with_capacity(items.len());
    for item in items {
        let leaves = leaves(&item);
        let spots: Vec<Spot> = leaves.iter().copied().filter_map(supported).collect();
        let may_repeat = spots.len() > 1 || leaves.iter().any(|leaf| leaf.is_copy);
        let is_repeat = !spots.is_empty() && {
            let alike = seen.entry(spots).or_default();
            let repeats = may_repeat
                && alike.iter().any(|at| kept.get(*at).is_some_and(|known| is_same_reading(known, &item)));
            if !repeats && alike.len() < MAX_ALIKE {
                alike.push(kept.len());
            }
            repeats
        };
        if !is_repeat {
            kept.push(item);
        }
    }
    kept
}

/// Whether two entries say the same, but for what a copy shows otherwise.
fn is_same_reading(a: &Node, b: &Node) -> bool {
    match (a, b) {
        (Node::Leaf(own), Node::Leaf(other)) => {
            let is_read_again =
                (own.is_copy || other.is_copy) && own.spot.is_some() && own.spot == other.spot;
            is_read_again || is_same_node(a, b)
        }
        (Node::Group(a), Node::Group(b)) | (Node::List { items: a, .. }, Node::List { items: b, .. }) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_reading(a, b))
        }
        _ => is_same_node(a, b),
    }
}
