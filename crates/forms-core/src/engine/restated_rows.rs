//! Rows that a page and its attachment both have: cells that differ are conflicts.

use super::attachments::is_printed;
use super::equality::is_same_value;
use super::node::{Leaf, NestedFields, Node, pointer_token};
use super::rows::document_of;
use super::segment::Source;
use super::text::PrintConventions;
use crate::{Conflict, ConflictValue, Field};

// They bound time and response. Chosen by hand; no measurement is recorded.
/// Rows of a page that are compared; the time is quadratic.
const MAX_ROWS: usize = 500;
/// Conflicts of a list.
const MAX_CONFLICTS: usize = 200;

/// The conflicts between the rows of attachments among `items` and those of the pages that contain them. Rows belong
/// together that share most of their cells, the same row only once.
pub(super) fn differing_cells(
    field: &Field,
    items: &[Node],
    restated: &[Node],
    sources: &[Source<'_>],
    printing: &PrintConventions<'_>,
    path: &str,
) -> Vec<Conflict> {
    let NestedFields::Items(item) = NestedFields::of(field) else { return Vec::new() };
    let mut found = Vec::new();
    let mut is_taken = vec![false; items.len()];
    for row in restated.iter().take(MAX_ROWS) {
        let Some(page) = document_of(row, sources) else { continue };
        let comparison = RowComparison { page, sources, printing };
        let free =
            items.iter().enumerate().take(MAX_ROWS).filter(|(at, _)| is_taken.get(*at) == Some(&false));
        let own = free.filter(|(_, item)| comparison.is_attached(item));
        let scored = own.map(|(at, own)| (at, own, comparison.score(item, own, row)));
        // Of equals, the first one.
        let best = scored.rev().max_by_key(|(_, _, (equal, _))| *equal);
        let Some((at, own, (equal, compared))) = best else { continue };
        if equal == 0 || equal * 2 < compared {
            continue;
        }
        if let Some(taken) = is_taken.get_mut(at) {
            *taken = true;
        }
        comparison.add_conflicts(item, own, row, &format!("{path}/{at}"), &mut found);
        if found.len() >= MAX_CONFLICTS {
            found.truncate(MAX_CONFLICTS);
            break;
        }
    }
    found
}

/// Compares rows with those of a page.
struct RowComparison<'a> {
    /// Index of the document with the page.
    page: usize,
    sources: &'a [Source<'a>],
    printing: &'a PrintConventions<'a>,
}

impl RowComparison<'_> {
    /// Whether a row is of an attachment of the page's document.
    fn is_attached(&self, row: &Node) -> bool {
        let document = document_of(row, self.sources).and_then(|document| self.sources.get(document));
        document.is_some_and(|source| source.document.host == Some(self.page))
    }

    /// How many cells are equal, and how many both rows have.
    fn score(&self, field: &Field, own: &Node, other: &Node) -> (usize, usize) {
        let (mut equal, mut compared) = (0, 0);
        visit_pairs(field, own, other, "", &mut |_, _, own, other| {
            compared += 1;
            equal += usize::from(is_same_value(self.printing, &own.value, &other.value));
        });
        (equal, compared)
    }

    fn add_conflicts(&self, field: &Field, own: &Node, other: &Node, path: &str, found: &mut Vec<Conflict>) {
        visit_pairs(field, own, other, path, &mut |field, path, own, other| {
            let (Some(own_evidence), Some(evidence)) = (&own.evidence, &other.evidence) else { return };
            if is_same_value(self.printing, &own.value, &other.value)
                || is_printed(field, &own.value, self.page, self.sources)
            {
                return;
            }
            let side = |leaf: &Leaf, evidence: &crate::Evidence| ConflictValue {
                value: leaf.value.clone(),
                evidence: evidence.clone(),
            };
            let values = vec![side(own, own_evidence), side(other, evidence)];
            found.push(Conflict { path: path.to_owned(), values });
        });
    }
}

/// Visits the single values that two nodes of a field both have, with their JSON pointer.
fn visit_pairs(
    field: &Field,
    own: &Node,
    other: &Node,
    path: &str,
    found: &mut impl FnMut(&Field, &str, &Leaf, &Leaf),
) {
    match (own, other, NestedFields::of(field)) {
        (Node::Leaf(own), Node::Leaf(other), _) => found(field, path, own, other),
        (Node::Group(own), Node::Group(other), NestedFields::Parts(fields)) => {
            for (field, (own, other)) in fields.iter().zip(own.iter().zip(other)) {
                visit_pairs(field, own, other, &format!("{path}/{}", pointer_token(&field.name)), found);
            }
        }
        _ => {}
    }
}
