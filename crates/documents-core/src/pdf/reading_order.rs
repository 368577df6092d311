//! The reading order of tags, when it is plausible.

use super::lines::Line;
use super::paragraphs::Paragraph;

/// Minimum part of the paragraphs that must have an order. Chosen by hand; no measurement recorded.
const ORDERED: f64 = 0.8;
/// Maximum part of the steps that go back up the same column; above, the order is implausible.
/// `an_order_that_runs_up_the_page_is_not_followed` has three of four.
/// Chosen by hand; no measurement recorded.
const BACKWARD: f64 = 0.1;

/// A paragraph with its position.
pub(super) struct PlacedParagraph<'l> {
    pub(super) paragraph: Paragraph<'l>,
    pub(super) flow: usize,
    pub(super) region: usize,
    pub(super) angle: u16,
}

/// Sorts the paragraphs of a page by the order of their tags. Those without one stay after their
/// predecessors.
pub(super) fn by_tags(pieces: &mut Vec<PlacedParagraph<'_>>) {
    let known = pieces.iter().filter(|piece| order(piece).is_some()).count();
    if known < 2 || (known as f64) < ORDERED * pieces.len() as f64 {
        return;
    }
    let mut last = 0;
    let mut places: Vec<(u32, usize)> = Vec::with_capacity(pieces.len());
    for (index, piece) in pieces.iter().enumerate() {
        last = order(piece).unwrap_or(last);
        places.push((last, index));
    }
    if places.is_sorted() {
        return;
    }
    places.sort_unstable();
    if is_absurd(&places, pieces) {
        return;
    }
    let mut rest: Vec<Option<PlacedParagraph<'_>>> = std::mem::take(pieces).into_iter().map(Some).collect();
    pieces.extend(places.iter().filter_map(|(_, index)| rest.get_mut(*index)?.take()));
}

/// The tag order of a paragraph; only text in the main direction has one.
fn order(piece: &PlacedParagraph<'_>) -> Option<u32> {
    piece
        .paragraph
        .lines
        .iter()
        .filter_map(|line| line.tag)
        .map(|tag| tag.order)
        .min()
        .filter(|_| piece.flow == 0)
}

fn is_absurd(places: &[(u32, usize)], pieces: &[PlacedParagraph<'_>]) -> bool {
    let ordered: Vec<&PlacedParagraph<'_>> =
        places.iter().filter_map(|(_, index)| pieces.get(*index)).collect();
    let backward = ordered.windows(2).filter(|pair| matches!(pair, [a, b] if is_above(b, a))).count();
    backward as f64 > BACKWARD * ordered.len() as f64
}

/// Whether a paragraph is above another in the same column.
fn is_above(piece: &PlacedParagraph<'_>, other: &PlacedParagraph<'_>) -> bool {
    let (Some(last), Some(first)) = (piece.paragraph.lines.last(), other.paragraph.lines.first()) else {
        return false;
    };
    let width = |line: &Line| line.x1 - line.x0;
    let shared = last.x1.min(first.x1) - last.x0.max(first.x0);
    piece.flow == other.flow && last.bottom <= first.top && shared * 2.0 > width(last).min(width(first))
}
