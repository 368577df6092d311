//! What an attachment states again: there it is data, while on a page it is found by the layout.

use std::collections::HashSet;
use std::slice;

use serde_json::Value;

use super::align::attach_evidence;
use super::node::{Leaf, Node};
use super::rows::document_of;
use super::segment::{Segment, Source};
use crate::{Field, FieldType, Support};

/// Characters of a value at least, of which it is said that a page states it too: shorter ones may be printed by
/// chance. Chosen by hand: page numbers, rates and quantities have at most three.
const MIN_CHARS: usize = 4;

/// Whether a document prints a value of one of its attachments, so that they agree although another value was found
/// in the document.
pub(super) fn is_printed(field: &Field, value: &Value, document: usize, sources: &[Source<'_>]) -> bool {
    let Some(source) = sources.get(document) else { return false };
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if matches!(field.kind, FieldType::Boolean) || text.chars().nth(MIN_CHARS - 1).is_none() {
        return false;
    }
    let mut nodes = [Node::Leaf(Box::new(Leaf::new(value.clone())))];
    attach_evidence(slice::from_ref(field), &mut nodes, sources, &[Segment::whole(document, source)]);
    let [Node::Leaf(leaf)] = nodes else { return false };
    let support = leaf.evidence.map(|evidence| evidence.support);
    matches!(support, Some(Support::Exact | Support::Normalised))
}

/// Removes the entries of documents of which an attachment has entries: they are the same ones. Returns them.
pub(super) fn take_restated(
    lists: &mut Vec<(Vec<Node>, Option<String>)>,
    sources: &[Source<'_>],
) -> Vec<Node> {
    let mut taken = Vec::new();
    if sources.iter().all(|source| source.document.host.is_none()) {
        return taken;
    }
    let places = lists.iter().flat_map(|(items, _)| items).filter_map(|item| document_of(item, sources));
    let host = |document: usize| sources.get(document).and_then(|source| source.document.host);
    let restated: HashSet<usize> = places.filter_map(host).collect();
    for (items, _) in lists.iter_mut() {
        let is_restated =
            |item: &mut Node| document_of(item, sources).is_some_and(|document| restated.contains(&document));
        taken.extend(items.extract_if(.., is_restated));
    }
    lists.retain(|(items, _)| restated.is_empty() || !items.is_empty());
    taken
}
