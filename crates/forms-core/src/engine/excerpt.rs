//! Excerpts of documents around the places of values, where the documents need more than one prompt.

use std::collections::BTreeMap;
use std::ops::Range;

use super::segment::{Segment, Source};
use crate::Evidence;

// A place with the lines around it, and as much in all as a prompt has of a long document
// (`plan::reading_budget`). Chosen by hand; no measurement is recorded.
/// Bytes shown before and after a place.
const MARGIN: usize = 600;
/// Bytes of an excerpt at most.
const MOST: usize = 40_000;

/// The lines around the places of evidence, as one segment for each document. `None` where there are none, or where they
/// are too long.
pub(super) fn around<'e>(
    evidence: impl Iterator<Item = &'e Evidence>,
    sources: &[Source<'_>],
) -> Option<Vec<Segment>> {
    let mut places: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
    for one in evidence {
        let Some((document, place)) = window(one, sources) else { continue };
        places.entry(document).or_default().push(place);
    }
    let segments: Vec<Segment> = places
        .into_iter()
        .map(|(document, places)| Segment {
            document,
            pieces: joined(places),
            context: String::new(),
            part: None,
            pictures: Vec::new(),
        })
        .collect();
    let length: usize = segments.iter().flat_map(|segment| &segment.pieces).map(ExactSizeIterator::len).sum();
    (!segments.is_empty() && length <= MOST).then_some(segments)
}

/// The document of a place, and the whole lines around it.
fn window(evidence: &Evidence, sources: &[Source<'_>]) -> Option<(usize, Range<usize>)> {
    let document = usize::try_from(evidence.index?).ok()?;
    let source = sources.get(document)?;
    let text = source.text();
    let start = source.characters.byte(text, evidence.start?)?;
    let end = source.characters.byte(text, evidence.end?)?;
    let from = text.floor_char_boundary(start.saturating_sub(MARGIN));
    let to = text.ceil_char_boundary((end + MARGIN).min(text.len()));
    let first = text.get(..from)?.rfind('\n').map_or(0, |at| at + 1);
    let last = text.get(to..)?.find('\n').map_or(text.len(), |at| to + at);
    // A line without end is shown in part.
    let first = if start - first > 2 * MARGIN { from } else { first };
    let last = if last - end > 2 * MARGIN { to } else { last };
    Some((document, first..last))
}

/// The ranges in order, those that overlap or touch as one.
fn joined(mut places: Vec<Range<usize>>) -> Vec<Range<usize>> {
    places.sort_by_key(|place| (place.start, place.end));
    let mut joined: Vec<Range<usize>> = Vec::new();
    for place in places {
        match joined.last_mut().filter(|last| place.start <= last.end + 1) {
            Some(last) => last.end = last.end.max(place.end),
            None => joined.push(place),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use document::Document;

    use super::*;
    use crate::{GroupDocument, Support};

    #[test]
    fn the_lines_around_all_places_are_shown_once_and_in_order() {
        let line = "é".repeat(100);
        let text = vec![line.clone(); 100].join("\n");
        let document = Arc::new(Document { text, ..Document::default() });
        let document = GroupDocument { name: "a".into(), description: None, document, host: None };
        let sources = [Source::new(&document)];
        let at = |start: usize| Evidence {
            index: Some(0),
            start: Some(start),
            end: Some(start + 1),
            ..Evidence::without_place(Support::Exact, 0.5)
        };
        let shown = |places: &[Evidence]| around(places.iter(), &sources);
        let found = shown(&[at(9_000), at(350), at(500)]).expect("two pieces");
        let pieces = &found[0].pieces;
        assert_eq!((found.len(), pieces.len()), (1, 2));
        assert!(pieces.iter().all(|piece| sources[0].slice(piece).lines().all(|shown| shown == line)));
        assert!(sources[0].slice(&pieces[0]).len() < 3_000);
        let nowhere = Evidence::without_place(Support::Unsupported, 0.1);
        assert_eq!(shown(&[nowhere]), None);
        let endless = Arc::new(Document { text: "x".repeat(100_000), ..Document::default() });
        let endless = GroupDocument { document: endless, ..document.clone() };
        let sources = [Source::new(&endless)];
        let found = around([at(50_000)].iter(), &sources).expect("a part of the line");
        assert_eq!(found[0].pieces.as_slice(), std::slice::from_ref(&(50_000 - MARGIN..50_001 + MARGIN)));
        let many: Vec<Evidence> = (0..90).map(|number| at(number * 1_100 + 600)).collect();
        assert_eq!(around(many.iter(), &sources), None);
    }
}
