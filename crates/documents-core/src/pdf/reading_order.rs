//! The order of reading that tags declare, where it is not absurd.

use super::lines::Line;
use super::write::PlacedParagraph;

/// Part of the pieces that must have an order.
const ORDERED: f64 = 0.8;
/// Steps back up the same column, to the part of all steps, that make an order absurd.
const BACKWARD: f64 = 0.1;

/// Sorts the pieces of a page by the order of their tags. Pieces without one stay after those before them.
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

/// Only what runs in the main direction has its place told by tags.
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

/// Whether a piece lies above another in the same column.
fn is_above(piece: &PlacedParagraph<'_>, other: &PlacedParagraph<'_>) -> bool {
    let (Some(last), Some(first)) = (piece.paragraph.lines.last(), other.paragraph.lines.first()) else {
        return false;
    };
    let width = |line: &Line| line.x1 - line.x0;
    let shared = last.x1.min(first.x1) - last.x0.max(first.x0);
    piece.flow == other.flow && last.bottom <= first.top && shared * 2.0 > width(last).min(width(first))
}
