//! Removal of repeated entries.

use std::collections::HashMap;

use super::super::equality::is_same_node;
use super::super::node::{Node, TextSpan};
use super::positions::{count_agreement, leaf_values, supported_span};

/// Entries with a common span that are compared with another one. Bounds the time of lists of equal rows.
const MAX_ALIKE: usize = 16;

/// Removes entries that repeat an earlier one at the same spans, with copied lines moved to their first
/// occurrence. Models in a loop repeat themselves; what a text really states twice has two positions. A
/// copied line may be read differently there.
pub(in super::super) fn remove_repeats(items: Vec<Node>) -> Vec<Node> {
    let mut known = RepeatFilter {
        has_copies: items.iter().flat_map(leaf_values).any(|leaf| leaf.is_copy),
        ..RepeatFilter::default()
    };
    for item in items {
        let spots: Vec<TextSpan> = leaf_values(&item).into_iter().filter_map(supported_span).collect();
        if !known.repeats(&item, &spots) {
            known.add(item, spots);
        }
    }
    known.kept
}

/// The entries to keep.
#[derive(Debug, Default)]
struct RepeatFilter {
    kept: Vec<Node>,
    has_copies: bool,
    /// Indices by all spans of an entry.
    by_spots: HashMap<Vec<TextSpan>, Vec<usize>>,
    /// Indices by each span of an entry; only filled if there are copied lines.
    by_spot: HashMap<TextSpan, Vec<usize>>,
}

impl RepeatFilter {
    fn add(&mut self, item: Node, spots: Vec<TextSpan>) {
        let number = self.kept.len();
        let note = |alike: &mut Vec<usize>| {
            if alike.len() < MAX_ALIKE {
                alike.push(number);
            }
        };
        if self.has_copies {
            spots.iter().for_each(|spot| note(self.by_spot.entry(*spot).or_default()));
        }
        if !spots.is_empty() {
            note(self.by_spots.entry(spots).or_default());
        }
        self.kept.push(item);
    }

    fn repeats(&self, item: &Node, spots: &[TextSpan]) -> bool {
        let has_copy = |node: &Node| leaf_values(node).iter().any(|leaf| leaf.is_copy);
        let is_copy = has_copy(item);
        let may_repeat = spots.len() > 1 || is_copy;
        let alike = |numbers: Option<&Vec<usize>>, is_repeat: &dyn Fn(&Node) -> bool| {
            numbers.into_iter().flatten().filter_map(|at| self.kept.get(*at)).any(is_repeat)
        };
        let is_again = |known: &Node| {
            let (same, apart) = count_agreement(known, item);
            same > apart && (is_copy || has_copy(known)) && is_same_reading(known, item)
        };
        may_repeat && alike(self.by_spots.get(spots), &|known| is_same_node(known, item))
            || self.has_copies && spots.iter().any(|spot| alike(self.by_spot.get(spot), &is_again))
    }
}

/// Whether two entries are equal, apart from values that OCR read differently on a copied line.
fn is_same_reading(a: &Node, b: &Node) -> bool {
    match (a, b) {
        (Node::Leaf(own), Node::Leaf(other)) => {
            let is_read_again =
                (own.is_copy || other.is_copy) && own.span.is_some() && own.span == other.span;
            is_read_again || is_same_node(a, b)
        }
        (Node::Group(a), Node::Group(b)) | (Node::List { items: a, .. }, Node::List { items: b, .. }) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_reading(a, b))
        }
        _ => is_same_node(a, b),
    }
}
