//! Pictures of readings: each page goes to the prompt that has its text, and readings with too many pictures are
//! divided at pages.

use std::ops::Range;

use super::super::segment::{Segment, Source};
use super::page_text::page_bytes;

/// A segment has the picture of a page if it has at least the fourth part of its text: the other parts are shown few
/// lines of it as overlap. Chosen by hand; no measurement is recorded.
const LEAST_SHARE: usize = 4;

/// The pages to show, and how many of them in one call.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct ChosenPages {
    /// For each document the numbers of its pages, ascending.
    pub(super) pages: Vec<Vec<u32>>,
    /// Pictures of one call at most.
    pub(super) per_call: usize,
}

impl ChosenPages {
    /// The most pictures that a call needs.
    pub(in super::super) fn wanted(&self) -> usize {
        self.pages.iter().map(Vec::len).sum::<usize>().min(self.per_call)
    }

    /// Adds the pictures to the readings, at most `most` to each, and divides those with more.
    pub(in super::super) fn divide(
        &self,
        readings: Vec<Vec<Segment>>,
        sources: &[Source<'_>],
        most: usize,
    ) -> Vec<Vec<Segment>> {
        if self.wanted() == 0 {
            return readings;
        }
        let mut readings = readings;
        for (document, pages) in self.pages.iter().enumerate() {
            let Some(source) = sources.get(document) else { continue };
            let own = readings.iter_mut().flatten().filter(|segment| segment.document == document);
            assign(&mut own.collect::<Vec<_>>(), source, pages);
        }
        let count = readings.iter().map(Vec::len).sum::<usize>();
        let mut divided: Vec<Vec<Segment>> =
            readings.into_iter().flat_map(|reading| divide_reading(reading, sources, most.max(1))).collect();
        if divided.iter().map(Vec::len).sum::<usize>() > count {
            number_parts(&mut divided, sources.len());
        }
        divided
    }
}

/// Adds each page to the segments of its document that have its text.
fn assign(segments: &mut [&mut Segment], source: &Source<'_>, pages: &[u32]) {
    for page in source.document.document.pages.iter().filter(|page| pages.contains(&page.number)) {
        let bytes = page_bytes(source, page);
        let shares: Vec<usize> = segments.iter().map(|segment| overlap(segment, &bytes)).collect();
        let least = (bytes.len() / LEAST_SHARE).max(1);
        if shares.iter().any(|share| *share >= least) {
            let own = segments.iter_mut().zip(&shares).filter(|(_, share)| **share >= least);
            own.for_each(|(segment, _)| segment.pictures.push(page.number));
            continue;
        }
        // A page without text, or whose text is divided into many parts.
        let begins =
            |segment: &&mut Segment| segment.pieces.first().is_none_or(|piece| piece.start <= bytes.start);
        let at = segments.iter().rposition(begins).unwrap_or(0);
        if let Some(segment) = segments.get_mut(at) {
            segment.pictures.push(page.number);
        }
    }
}

/// Bytes of a range that the segment has.
fn overlap(segment: &Segment, bytes: &Range<usize>) -> usize {
    let of = |piece: &Range<usize>| piece.end.min(bytes.end).saturating_sub(piece.start.max(bytes.start));
    segment.pieces.iter().map(of).sum()
}

fn divide_reading(reading: Vec<Segment>, sources: &[Source<'_>], most: usize) -> Vec<Vec<Segment>> {
    let mut readings: Vec<Vec<Segment>> = Vec::new();
    let (mut current, mut count) = (Vec::new(), 0);
    for segment in reading {
        let Some(source) = sources.get(segment.document) else { continue };
        for part in split_segment(segment, source, most) {
            if count > 0 && count + part.pictures.len() > most {
                readings.push(std::mem::take(&mut current));
                count = 0;
            }
            count += part.pictures.len();
            current.push(part);
        }
    }
    if !current.is_empty() {
        readings.push(current);
    }
    readings
}

/// The segment in parts of at most `most` pictures, cut where pages begin.
fn split_segment(segment: Segment, source: &Source<'_>, most: usize) -> Vec<Segment> {
    let mut parts = Vec::new();
    let mut rest = segment;
    while rest.pictures.len() > most {
        let later = rest.pictures.split_off(most);
        let page = source.document.document.pages.iter().find(|page| later.first() == Some(&page.number));
        let at = page.map_or(0, |page| page_bytes(source, page).start);
        let (before, after) = split_pieces(&rest.pieces, at);
        let next = Segment { pieces: after, pictures: later, context: String::new(), ..rest.clone() };
        parts.push(Segment { pieces: before, ..rest });
        rest = next;
    }
    parts.push(rest);
    parts
}

/// The pieces before and after a byte; neither is empty.
fn split_pieces(pieces: &[Range<usize>], at: usize) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let before = pieces.iter().filter(|piece| piece.start < at).map(|piece| piece.start..piece.end.min(at));
    let after = pieces.iter().filter(|piece| piece.end > at).map(|piece| piece.start.max(at)..piece.end);
    let or_none = |pieces: Vec<Range<usize>>| {
        if pieces.is_empty() { std::iter::once(at..at).collect() } else { pieces }
    };
    (or_none(before.collect()), or_none(after.collect()))
}

/// Numbers the parts of each document that has several.
fn number_parts(readings: &mut [Vec<Segment>], documents: usize) {
    for document in 0..documents {
        let own = || |segment: &&mut Segment| segment.document == document;
        let of = readings.iter_mut().flatten().filter(own()).count();
        if of > 1 {
            let parts = readings.iter_mut().flatten().filter(own());
            parts.enumerate().for_each(|(at, segment)| segment.part = Some((at + 1, of)));
        }
    }
}
