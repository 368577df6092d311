//! Lists of a document that an attachment states again: the entries are the same, so they are not joined.

use std::collections::HashSet;

use super::node::Node;
use super::rows::document_of;
use super::segment::Source;

/// Removes the entries of documents of which an attachment has entries: there they are data, while those of a page
/// are found by its layout.
pub(super) fn remove_restated(lists: &mut Vec<(Vec<Node>, Option<String>)>, sources: &[Source<'_>]) {
    if sources.iter().all(|source| source.document.host.is_none()) {
        return;
    }
    let places = lists.iter().flat_map(|(items, _)| items).filter_map(|item| document_of(item, sources));
    let host = |document: usize| sources.get(document).and_then(|source| source.document.host);
    let restated: HashSet<usize> = places.filter_map(host).collect();
    for (items, _) in lists.iter_mut() {
        items.retain(|item| document_of(item, sources).is_none_or(|document| !restated.contains(&document)));
    }
    lists.retain(|(items, _)| restated.is_empty() || !items.is_empty());
}
