//! Merges several answers into one record: the best evidence wins, contradictions are reported, lists are
//! joined.

use std::collections::HashSet;
use std::slice;

use super::attachments::{is_printed, take_restated};
use super::coerce;
use super::equality::{is_same_node, is_same_value};
use super::node::{Leaf, NestedFields, Node, pointer_token};
use super::restated_rows::differing_cells;
use super::rows::{Row, RowList, are_apart, begins_document, remove_repeats};
use super::segment::Source;
use super::text::PrintConventions;
use super::totals;
use crate::{Conflict, ConflictValue, Evidence, Field, Support};

/// Rows compared where two lists are joined. The time is quadratic.
const MAX_SEAM: usize = 500;
/// Distinct values of one field at most. Bounds the response. Chosen by hand; no measurement is recorded.
const MAX_SIDES: usize = 16;

/// Merges the answers, each parallel to `fields`, in document order.
pub(super) fn merge(
    fields: &[Field],
    answers: Vec<Vec<Node>>,
    sources: &[Source<'_>],
    printing: &PrintConventions<'_>,
) -> (Vec<Node>, Vec<Conflict>) {
    let mut merger = Merger { sources, printing, conflicts: Vec::new() };
    let nodes = merger.parts(fields, answers, "");
    (nodes, merger.conflicts)
}

struct Merger<'a> {
    sources: &'a [Source<'a>],
    printing: &'a PrintConventions<'a>,
    conflicts: Vec<Conflict>,
}

impl Merger<'_> {
    fn parts(&mut self, fields: &[Field], answers: Vec<Vec<Node>>, path: &str) -> Vec<Node> {
        let mut columns: Vec<_> = answers.into_iter().map(Vec::into_iter).collect();
        let merge_field = |field: &Field| {
            let nodes: Vec<Node> = columns.iter_mut().filter_map(Iterator::next).collect();
            let path = format!("{path}/{}", pointer_token(&field.name));
            self.node(field, nodes, &path)
        };
        fields.iter().map(merge_field).collect()
    }

    fn node(&mut self, field: &Field, nodes: Vec<Node>, path: &str) -> Node {
        let mut failed = None;
        let (mut leaves, mut groups, mut lists) = (Vec::new(), Vec::new(), Vec::new());
        for node in nodes {
            match node {
                Node::Absent => {}
                Node::Failed(message) => failed = failed.or(Some(message)),
                Node::Leaf(leaf) => leaves.push(*leaf),
                Node::Group(parts) => groups.push(parts),
                Node::List { items, problem } => lists.push((items, problem)),
            }
        }
        match NestedFields::of(field) {
            NestedFields::None if !leaves.is_empty() => self.leaf(field, leaves, path),
            NestedFields::Parts(fields) if !groups.is_empty() => {
                Node::Group(self.parts(fields, groups, path))
            }
            NestedFields::Items(_) if !lists.is_empty() => self.list(field, lists, failed, path),
            _ => failed.map_or(Node::Absent, Node::Failed),
        }
    }

    /// The value with the best evidence. Ties are broken in favour of an attachment against the document that
    /// contains it, then by the number of places, then the model's confidence, then the order.
    fn leaf(&mut self, field: &Field, leaves: Vec<Leaf>, path: &str) -> Node {
        let mut sides: Vec<ValueCandidate> = Vec::new();
        for leaf in leaves {
            let is_full = sides.len() >= MAX_SIDES;
            match sides.iter_mut().find(|side| is_same_value(self.printing, &side.leaf.value, &leaf.value)) {
                Some(side) => side.add(leaf),
                None if is_full => {}
                None => sides.push(ValueCandidate::new(leaf)),
            }
        }
        let hosts = self.hosts_of(&sides);
        for side in &mut sides {
            side.is_restated = side.is_within(&hosts);
        }
        // The sort is stable: of equals, the first one wins.
        sides.sort_by(|a, b| b.weight().partial_cmp(&a.weight()).unwrap_or(std::cmp::Ordering::Equal));
        self.remove_agreeing(field, &mut sides);
        if sides.len() > 1 {
            let told = |side: &ValueCandidate| {
                Some(ConflictValue { value: side.leaf.value.clone(), evidence: side.leaf.evidence.clone()? })
            };
            let values: Vec<ConflictValue> = sides.iter().filter_map(told).collect();
            if values.len() > 1 {
                self.conflicts.push(Conflict { path: path.to_owned(), values });
            }
        }
        let winner = sides.into_iter().next().map(|side| Box::new(side.leaf));
        winner.map_or(Node::Absent, Node::Leaf)
    }

    /// The documents whose attachments have one of the values.
    fn hosts_of(&self, sides: &[ValueCandidate]) -> HashSet<usize> {
        let host = |document: usize| self.sources.get(document).and_then(|source| source.document.host);
        sides.iter().flat_map(ValueCandidate::documents).filter_map(host).collect()
    }

    /// Removes the values of documents that also print the best value, which is that of their attachments.
    fn remove_agreeing(&self, field: &Field, sides: &mut Vec<ValueCandidate>) {
        let Some(best) = sides.first() else { return };
        let (value, hosts) = (best.leaf.value.clone(), self.hosts_of(slice::from_ref(best)));
        sides.retain(|side| {
            let prints = |document| is_printed(field, &value, document, self.sources);
            !(side.is_within(&hosts) && side.documents().all(prints))
        });
    }

    /// The joined rows of several lists. Cells of a document's rows that differ from those of its attachment are
    /// conflicts.
    fn list(
        &mut self,
        field: &Field,
        mut lists: Vec<(Vec<Node>, Option<String>)>,
        failed: Option<String>,
        path: &str,
    ) -> Node {
        let restated = take_restated(&mut lists, self.sources);
        let node = self.joined_list(field, lists, failed);
        if let Node::List { items, .. } = &node {
            self.conflicts.extend(differing_cells(
                field,
                items,
                &restated,
                self.sources,
                self.printing,
                path,
            ));
        }
        node
    }

    /// Joins the rows of several lists. A row that two prompts over the same text returned has the same
    /// position and is kept once. Rows without positions are deduplicated where the end of one list and the
    /// start of the next overlap.
    fn joined_list(
        &self,
        field: &Field,
        lists: Vec<(Vec<Node>, Option<String>)>,
        failed: Option<String>,
    ) -> Node {
        if lists.len() == 1 && failed.is_none() {
            let (items, problem) = lists.into_iter().next().unwrap_or_default();
            return self.without_summaries(field, remove_repeats(items), problem);
        }
        let mut problem = failed;
        let mut joined = RowList::default();
        for (items, own) in lists {
            let items = remove_repeats(items);
            problem = problem.or(own.filter(|own| !is_count(field, items.len(), own)));
            let mut rows: Vec<Row> = items.into_iter().map(|node| Row::new(node, self.sources)).collect();
            if joined.len() == 0 {
                joined = RowList::from_rows(rows);
                continue;
            }
            let seam = match rows.first() {
                Some(first) if begins_document(first, self.sources) => overlap_length(&joined, &rows),
                _ => 0,
            };
            let rest = rows.split_off(seam);
            joined.merge_rows(rest);
        }
        let items = joined.into_nodes();
        self.without_summaries(field, items, problem)
    }

    /// The list without entries that are summaries; its problem also reports what was removed.
    fn without_summaries(&self, field: &Field, items: Vec<Node>, problem: Option<String>) -> Node {
        let problem = problem.filter(|problem| !is_count(field, items.len(), problem));
        let cleared = totals::remove_summaries(&field.name, items, self.sources, self.printing);
        let counted = || coerce::count_rule(field, cleared.items.len());
        let said: Vec<String> = problem.or_else(counted).into_iter().chain(cleared.told).collect();
        Node::List { items: cleared.items, problem: (!said.is_empty()).then(|| said.join("; ")) }
    }
}

/// Whether a problem is about the count of one list, which says nothing about the joined list.
fn is_count(field: &Field, count: usize, problem: &str) -> bool {
    coerce::count_rule(field, count).as_deref() == Some(problem)
}

/// A candidate value of a field.
struct ValueCandidate {
    /// The leaf with the best evidence.
    leaf: Leaf,
    /// Its spans in the texts.
    spots: Vec<super::node::TextSpan>,
    /// The number of leaves without a span.
    unplaced: usize,
    /// Whether attachments of its documents have another value.
    is_restated: bool,
}

impl ValueCandidate {
    fn new(leaf: Leaf) -> Self {
        let spots: Vec<_> = leaf.span.into_iter().collect();
        let unplaced = usize::from(spots.is_empty());
        Self { leaf, spots, unplaced, is_restated: false }
    }

    fn add(&mut self, leaf: Leaf) {
        match leaf.span {
            Some(spot) if !self.spots.contains(&spot) => self.spots.push(spot),
            Some(_) => {}
            None => self.unplaced += 1,
        }
        if (support_tier(&leaf), confidence(&leaf)) > (support_tier(&self.leaf), confidence(&self.leaf)) {
            self.leaf = leaf;
        }
    }

    /// The documents of its places.
    fn documents(&self) -> impl Iterator<Item = usize> {
        self.spots.iter().map(|spot| spot.document)
    }

    /// Whether it has places, all of them in some documents.
    fn is_within(&self, documents: &HashSet<usize>) -> bool {
        !self.spots.is_empty() && self.documents().all(|document| documents.contains(&document))
    }

    fn weight(&self) -> (u8, bool, usize, f32) {
        (
            support_tier(&self.leaf),
            !self.is_restated,
            self.spots.len() + self.unplaced,
            confidence(&self.leaf),
        )
    }
}

/// The tier of support; higher is better. A date in words counts as much as one in figures.
fn support_tier(leaf: &Leaf) -> u8 {
    match leaf.evidence.as_ref().map(|evidence| evidence.support) {
        Some(Support::Exact | Support::Normalised) => 3,
        Some(Support::Fuzzy) => 2,
        Some(Support::Pictured) => 1,
        Some(Support::Unsupported | Support::Computed) | None => 0,
    }
}

fn confidence(leaf: &Leaf) -> f32 {
    leaf.evidence.as_ref().map_or(0.0, |evidence: &Evidence| evidence.confidence)
}

/// The number of rows at the start of `after` that equal those at the end of `before`.
fn overlap_length(before: &RowList, after: &[Row]) -> usize {
    let mut end: Vec<&Row> = before.iter_reversed().take(MAX_SEAM.min(after.len())).collect();
    // Rows of one document that have positions are compared by these.
    let document = |row: Option<&Row>| row.and_then(|row| row.place).map(|place| place.document);
    let (last, first) = (document(end.first().copied()), document(after.first()));
    if last.is_some() && last == first {
        return 0;
    }
    end.reverse();
    let is_common = |a: &Row, b: &Row| is_same_node(&a.node, &b.node) && !are_apart(a, b);
    let fits = |count: &usize| end.iter().skip(end.len() - count).zip(after).all(|(a, b)| is_common(a, b));
    (1..=end.len()).rev().find(fits).unwrap_or(0)
}
