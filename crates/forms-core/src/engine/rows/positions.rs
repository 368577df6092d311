//! The positions of rows and of their values.

use super::super::node::{Leaf, Node, TextSpan};
use super::super::segment::Source;
use crate::Support;

/// Bytes before a value in which the start of its line is searched. Bounds the time.
const MAX_LINE: usize = 2_000;
/// Values of a row that determine its position. Bounds the time.
pub(super) const MAX_PLACED: usize = 100;

/// The position of a row: a byte of the line with most of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct RowPosition {
    pub(in super::super) document: usize,
    pub(in super::super) at: usize,
}

pub(in super::super) fn line_of(text: &str, at: usize) -> &str {
    let end = text.floor_char_boundary(at.saturating_add(MAX_LINE));
    let start = text.floor_char_boundary(line_start(text, at));
    text.get(start..end).and_then(|line| line.split('\n').next()).unwrap_or_default()
}

pub(super) fn row_position(node: &Node, sources: &[Source<'_>]) -> Option<RowPosition> {
    // Per line: the number of values, their total length, and the start of the first.
    let mut lines: Vec<(usize, usize, (usize, usize, usize))> = Vec::new();
    for leaf in leaf_values(node).into_iter().take(MAX_PLACED) {
        let Some(spot) = supported_span(leaf) else { continue };
        let Some(source) = sources.get(spot.document) else { continue };
        let line = line_start(source.text(), spot.start);
        let known = lines.iter_mut().find(|known| (known.0, known.1) == (spot.document, line));
        match known {
            Some((.., (count, length, at))) => {
                *count += 1;
                *length += spot.end - spot.start;
                *at = (*at).min(spot.start);
            }
            None => lines.push((spot.document, line, (1, spot.end - spot.start, spot.start))),
        }
    }
    let best = lines.into_iter().max_by_key(|(document, line, (count, length, _))| {
        (*count, *length, std::cmp::Reverse((*document, *line)))
    });
    best.map(|(document, _, (.., at))| RowPosition { document, at })
}

/// The start of the line of a byte; on very long lines, a byte common to all nearby positions.
pub(in super::super) fn line_start(text: &str, at: usize) -> usize {
    let from = at.saturating_sub(MAX_LINE);
    let before = text.as_bytes().get(from..at).unwrap_or_default();
    match before.iter().rposition(|byte| *byte == b'\n') {
        Some(newline) => from + newline + 1,
        None if from == 0 => 0,
        None => at - at % MAX_LINE,
    }
}

/// The span of a leaf whose support is exact or normalised.
pub(super) fn supported_span(leaf: &Leaf) -> Option<TextSpan> {
    let is_sure =
        leaf.evidence.as_ref().is_some_and(|e| matches!(e.support, Support::Exact | Support::Normalised));
    leaf.span.filter(|_| is_sure)
}

/// All leaves of a node.
pub(in super::super) fn leaf_values(node: &Node) -> Vec<&Leaf> {
    fn collect<'n>(node: &'n Node, out: &mut Vec<&'n Leaf>) {
        match node {
            Node::Leaf(leaf) => out.push(leaf),
            Node::Group(nodes) | Node::List { items: nodes, .. } => {
                nodes.iter().for_each(|node| collect(node, out))
            }
            Node::Absent | Node::Failed(_) => {}
        }
    }
    let mut out = Vec::new();
    collect(node, &mut out);
    out
}

/// The number of values of two rows with equal spans, and with different spans.
pub(super) fn count_agreement(a: &Node, b: &Node) -> (usize, usize) {
    match (a, b) {
        (Node::Leaf(a), Node::Leaf(b)) => match (supported_span(a), supported_span(b)) {
            (Some(a), Some(b)) if a == b => (1, 0),
            (Some(_), Some(_)) => (0, 1),
            _ => (0, 0),
        },
        (Node::Group(a), Node::Group(b)) | (Node::List { items: a, .. }, Node::List { items: b, .. }) => a
            .iter()
            .zip(b)
            .map(|(a, b)| count_agreement(a, b))
            .fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1)),
        _ => (0, 0),
    }
}
