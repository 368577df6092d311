//! Rows: list entries with a position. Their order, and which of them are the same.

mod positions;
mod repeated_rows;
mod row_list;

use language::fold::fold_letters;
use serde_json::Value;

use super::equality::is_same_node;
use super::node::{Node, TextSpan};
use super::segment::Source;
use super::text::line_shape::LineShape;
use positions::{MAX_PLACED, count_agreement, row_position, supported_span};
pub(super) use positions::{RowPosition, leaf_values, line_of, line_start};
pub(super) use repeated_rows::remove_repeats;
pub(super) use row_list::RowList;

/// Bytes of a text that can be a name. Longer ones are paragraphs. Chosen by hand; no measurement is
/// recorded.
const MAX_NAME: usize = 200;

/// An entry and its position, if known.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) node: Node,
    pub(super) place: Option<RowPosition>,
    /// Its document and folded text, if it is in running text: there a repeated name is the same thing, while
    /// every row of a table is distinct.
    named: Option<(usize, String)>,
    /// The shape of its line.
    shape: Option<LineShape>,
    /// Whether it is in running text or on a line of words, such as a name under a contract, and not in a
    /// table.
    is_mention: bool,
}

impl Row {
    pub(super) fn new(node: Node, sources: &[Source<'_>]) -> Self {
        let place = row_position(&node, sources);
        let named = place
            .filter(|place| is_prose(&node, *place, sources))
            .map(|place| (place.document, folded_text(&node)));
        let source = place.and_then(|place| Some((sources.get(place.document)?, place.at)));
        let shape = source.and_then(|(source, at)| LineShape::of(line_of(source.text(), at)));
        let is_mention = named.is_some() || shape.as_ref().is_some_and(LineShape::is_words);
        Self { node, place, named, shape, is_mention }
    }

    /// Whether both rows are the same thing: they share a name, no cell contradicts another, and they are not
    /// two rows of one table. Equal rows are the same only if one of them is a mention in the same document.
    fn is_same_thing(&self, other: &Self) -> bool {
        let Some((own, others)) = additions(&self.node, &other.node) else { return false };
        let (Some(a), Some(b)) = (self.place, other.place) else { return false };
        let (is_mention, is_near) = (self.is_mention || other.is_mention, a.document == b.document);
        let is_apart = || matches!((&self.shape, &other.shape), (Some(a), Some(b)) if !a.is_like(b));
        match (own, others) {
            (0, 0) => is_mention && is_near,
            (0, _) | (_, 0) => is_mention || (!is_near && is_apart()),
            _ => is_mention || is_apart(),
        }
    }

    /// The positions of its values.
    pub(super) fn places(&self) -> impl Iterator<Item = RowPosition> {
        let spots = leaf_values(&self.node).into_iter().filter_map(supported_span).take(MAX_PLACED);
        spots.map(|spot| RowPosition { document: spot.document, at: spot.start })
    }
}

/// The number of cells that each of two entries has and the other lacks; `None` when they share no name or a
/// cell differs.
fn additions(a: &Node, b: &Node) -> Option<(usize, usize)> {
    let (Node::Group(a), Node::Group(b)) = (a, b) else { return None };
    let is_empty = |node: &Node| match node {
        Node::Absent | Node::Failed(_) => true,
        Node::List { items, .. } => items.is_empty(),
        Node::Leaf(_) | Node::Group(_) => false,
    };
    let (mut own, mut others, mut is_named) = (0, 0, false);
    for (a, b) in a.iter().zip(b) {
        match (is_empty(a), is_empty(b)) {
            (true, true) => {}
            (false, true) => own += 1,
            (true, false) => others += 1,
            (false, false) if is_same_node(a, b) => is_named |= cell_name(a).is_some(),
            (false, false) => return None,
        }
    }
    is_named.then_some((own, others))
}

/// The folded text of a cell that can be a name.
fn cell_name(node: &Node) -> Option<String> {
    let Node::Leaf(leaf) = node else { return None };
    let text = leaf.value.as_str().filter(|text| text.len() <= MAX_NAME)?;
    text.chars().any(char::is_alphabetic).then(|| fold_letters(text))
}

/// The cells of an entry that can name it, with their indices.
fn cell_names(node: &Node) -> impl Iterator<Item = (usize, String)> {
    let cells = match node {
        Node::Group(cells) => cells.as_slice(),
        _ => &[],
    };
    cells.iter().enumerate().filter_map(|(at, cell)| Some((at, cell_name(cell)?)))
}

/// Whether an entry is a mention in running text: less than half of a line that is no row, or a few words on
/// a line of words.
fn is_prose(node: &Node, place: RowPosition, sources: &[Source<'_>]) -> bool {
    let Some(source) = sources.get(place.document) else { return false };
    let line = line_of(source.text(), place.at);
    let shape = LineShape::of(line);
    if shape.as_ref().is_some_and(LineShape::is_telling) {
        return false;
    }
    let start = line_start(source.text(), place.at);
    let own = |spot: &TextSpan| line_start(source.text(), spot.start) == start;
    let spots = leaf_values(node).into_iter().filter_map(supported_span).filter(own);
    let said: usize = spots.map(|spot| spot.end - spot.start).sum();
    said * 2 < line.trim().len()
        || (matches!(node, Node::Leaf(_)) && shape.is_some_and(|shape| shape.is_words()))
}

/// All values of an entry, folded.
fn folded_text(node: &Node) -> String {
    let mut said = String::new();
    for leaf in leaf_values(node) {
        match &leaf.value {
            Value::String(text) => said.push_str(&fold_letters(text)),
            other => said.push_str(&other.to_string()),
        }
        said.push('\n');
    }
    said
}

/// The document of an entry, if its position is known.
pub(super) fn document_of(entry: &Node, sources: &[Source<'_>]) -> Option<usize> {
    row_position(entry, sources).map(|position| position.document)
}

/// Whether two equal rows have different positions in one document.
pub(super) fn are_apart(a: &Row, b: &Row) -> bool {
    let same_document = matches!((a.place, b.place), (Some(a), Some(b)) if a.document == b.document);
    let (same, apart) = count_agreement(&a.node, &b.node);
    same_document && apart >= same
}

/// Whether a row is the first of its document: no number precedes it.
pub(super) fn begins_document(row: &Row, sources: &[Source<'_>]) -> bool {
    let above = row.place.and_then(|place| {
        let text = sources.get(place.document)?.text();
        text.get(..line_start(text, place.at))
    });
    above.is_none_or(|above| !above.chars().any(char::is_numeric))
}
