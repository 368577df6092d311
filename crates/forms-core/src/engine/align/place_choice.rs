//! Chooses among several places of a value: beside its siblings, after the previous row, or next to the
//! field's name; else the first.

use language::fold::words;

use super::citation::support_rank;
use super::matching::{self, PrintedValue};
use super::value_search::SearchMatches;
use super::{LeafTree, SearchText, ValuePlace, is_weak};
use crate::Support;

// The first three bound the time of values that are printed often (`examples/evidence_speed`: 6,000 values in
// 33 ms). `LINE` and `BACK` are costs by which places compare. Chosen by hand; no measurement is recorded.
/// Places of one value that are compared.
const WEIGHED: usize = 64;
/// Places of an anchor value around which the other values are searched.
const ANCHORS: usize = 12;
/// Bytes from which a value counts as long: only its first places are compared.
const LONG: usize = 1_000;
/// Bytes before a value in which its field's name is searched.
const LABEL: usize = 200;
/// The cost of a line break between two values of a row, in bytes.
const LINE: usize = 500;
/// The cost of a place before the end of the previous row, in bytes.
const BACK: usize = 10_000;

/// A byte position in one of the texts.
#[derive(Clone, Copy, Debug)]
struct TextPosition {
    document: usize,
    at: usize,
}

/// Where a value is expected.
#[derive(Clone, Copy, Debug, Default)]
struct ExpectedPosition {
    /// After the previous item.
    after: Option<TextPosition>,
    /// Close to a sibling.
    near: Option<TextPosition>,
}

/// Chooses places for leaves among all occurrences.
#[derive(Debug)]
pub(super) struct PlaceChooser<'c> {
    texts: &'c [SearchText<'c>],
    found: &'c SearchMatches,
    /// The words of each leaf's field name.
    labels: Vec<Vec<String>>,
}

impl<'c> PlaceChooser<'c> {
    pub(super) fn new(texts: &'c [SearchText<'c>], found: &'c SearchMatches, names: &[&str]) -> Self {
        Self { texts, found, labels: names.iter().map(|name| label_words(name)).collect() }
    }

    /// Assigns places to the leaves that have none.
    pub(super) fn assign_places(&self, shapes: &[LeafTree], places: &mut [Option<ValuePlace>]) {
        for shape in shapes {
            self.assign_shape(shape, None, places);
        }
    }

    /// Assigns places within a shape that is expected after a position; returns its end.
    fn assign_shape(
        &self,
        shape: &LeafTree,
        after: Option<TextPosition>,
        places: &mut [Option<ValuePlace>],
    ) -> Option<TextPosition> {
        match shape {
            LeafTree::One(leaf) => self
                .assign_leaf(*leaf, ExpectedPosition { after, near: None }, places)
                .map(|place| end_position(&place)),
            LeafTree::Row(parts) => self.assign_row(parts, after, places),
            LeafTree::List(items) => {
                let mut cursor = after;
                for item in items {
                    cursor = self.assign_shape(item, cursor, places).or(cursor);
                }
                cursor
            }
        }
    }

    /// Assigns places to the members of an object around an anchor, the one with the fewest places.
    fn assign_row(
        &self,
        parts: &[LeafTree],
        after: Option<TextPosition>,
        places: &mut [Option<ValuePlace>],
    ) -> Option<TextPosition> {
        let (mut leaves, mut lists) = (Vec::new(), Vec::new());
        collect_leaves(parts, &mut leaves, &mut lists);
        let known = leaves.iter().find_map(|leaf| firm_place(places, *leaf)).cloned();
        let anchor = known.or_else(|| {
            let (leaf, place) = self.anchor(&leaves, after)?;
            *places.get_mut(leaf)? = Some(place.clone());
            Some(place)
        });
        let near =
            anchor.as_ref().map(|anchor| TextPosition { document: anchor.document, at: anchor.range.start });
        for leaf in leaves.iter().filter(|_| near.is_some()) {
            self.assign_leaf(*leaf, ExpectedPosition { after, near }, places);
        }
        // A list may be found even if none of its object's own values are.
        let mut last = anchor.as_ref().map(end_position).or(after);
        for list in lists {
            last = self.assign_shape(list, last, places).or(last);
        }
        last
    }

    /// The leaf with the fewest places, at the place that is closest to the other leaves.
    fn anchor(&self, leaves: &[usize], after: Option<TextPosition>) -> Option<(usize, ValuePlace)> {
        let counted = leaves.iter().map(|leaf| (self.count(*leaf), *leaf)).filter(|(count, _)| *count > 0);
        let (_, rarest) = counted.min()?;
        let mut ranked = self.ranked(rarest, ExpectedPosition { after, near: None });
        ranked.truncate(ANCHORS);
        let around = |place: &ValuePlace| {
            let near = Some(TextPosition { document: place.document, at: place.range.start });
            let others = leaves.iter().filter(|leaf| **leaf != rarest);
            let nearest =
                |leaf: &usize| Some(self.best(*leaf, ExpectedPosition { after, near })?.0.3.min(2 * BACK));
            others.filter_map(nearest).sum::<usize>()
        };
        let scored = ranked.into_iter().map(|(cost, place)| ((cost.0, cost.1, around(&place), cost), place));
        scored.min_by_key(|(score, _)| *score).map(|(_, place)| (rarest, place))
    }

    fn assign_leaf(
        &self,
        leaf: usize,
        expected: ExpectedPosition,
        places: &mut [Option<ValuePlace>],
    ) -> Option<ValuePlace> {
        if let Some(place) = firm_place(places, leaf) {
            return Some(place.clone());
        }
        let best = self.best(leaf, expected).map(|(_, place)| place);
        let slot = places.get_mut(leaf)?;
        if let Some(place) = best
            && slot.as_ref().is_none_or(|old| support_rank(place.support) < support_rank(old.support))
        {
            *slot = Some(place);
        }
        slot.clone()
    }

    /// The number of candidate places of a leaf.
    pub(super) fn count(&self, leaf: usize) -> usize {
        let Some(query) = self.found.queries.get(&leaf) else { return 0 };
        let keys = || query.keys.iter().map(|(key, _)| key);
        self.found
            .places
            .iter()
            .flat_map(|places| keys().filter_map(|key| places.get(key)))
            .map(Vec::len)
            .sum()
    }

    fn best(&self, leaf: usize, expected: ExpectedPosition) -> Option<(PlaceCost, ValuePlace)> {
        self.places(leaf, expected).min_by_key(|(cost, _)| *cost)
    }

    /// The places of a leaf, best first.
    fn ranked(&self, leaf: usize, expected: ExpectedPosition) -> Vec<(PlaceCost, ValuePlace)> {
        let mut ranked: Vec<_> = self.places(leaf, expected).collect();
        ranked.sort_by_key(|(cost, _)| *cost);
        ranked
    }

    /// The places of a leaf that are compared, each with its cost.
    fn places(
        &self,
        leaf: usize,
        expected: ExpectedPosition,
    ) -> impl Iterator<Item = (PlaceCost, ValuePlace)> {
        let query = self.found.queries.get(&leaf);
        let labels = self.labels.get(leaf).map(Vec::as_slice).unwrap_or_default();
        let keys = move || query.into_iter().flat_map(|query| query.keys.iter().map(move |key| (query, key)));
        let texts = self.texts.iter().zip(&self.found.places).enumerate();
        texts.flat_map(move |(document, (text, places))| {
            keys().flat_map(move |(query, (key, stands_for))| {
                // Long texts are compared in full and seldom occur more than once.
                let weighed = if query.text.len() > LONG { 2 } else { usize::MAX };
                let list = places.get(key).map(Vec::as_slice).unwrap_or_default();
                nearby_places(list, document, expected).take(weighed).filter_map(move |printed| {
                    let (support, range) =
                        matching::grade_support(query, key, stands_for, text.text, printed)?;
                    let place = ValuePlace { document, range, support };
                    // Beside its siblings, a number set apart by spaces is probably a value of its own.
                    let part = printed.part && !(printed.apart && expected.near.is_some());
                    Some((cost(text.text, &place, part, expected, labels), place))
                })
            })
        })
    }
}

/// Lower is better, compared from left to right: not fuzzy, not before the previous item, not part of
/// something else, close to its siblings, beside its label, better support, first.
type PlaceCost = (bool, bool, bool, usize, usize, u8, usize, usize);

fn cost(
    text: &str,
    place: &ValuePlace,
    part: bool,
    expected: ExpectedPosition,
    labels: &[String],
) -> PlaceCost {
    let at = place.range.start;
    let behind = |spot: TextPosition| (place.document, at) < (spot.document, spot.at);
    let before = expected.after.is_some_and(behind);
    let (distance, unlabelled) = match expected.near {
        Some(spot) => (distance(text, place, spot) + if before { BACK } else { 0 }, 0),
        None if expected.after.is_some() => (0, 0),
        None => (0, usize::MAX - count_label_words(text, at, labels)),
    };
    let skipped = before && expected.near.is_none();
    let weak = place.support == Support::Fuzzy;
    (weak, skipped, part, distance, unlabelled, support_rank(place.support), place.document, at)
}

/// The distance of a place from a sibling, in bytes; line breaks cost extra.
fn distance(text: &str, place: &ValuePlace, sibling: TextPosition) -> usize {
    if place.document != sibling.document {
        return usize::MAX / 2;
    }
    let (from, to) = (place.range.start.min(sibling.at), place.range.start.max(sibling.at));
    // Farther places are surely on other lines; reading them would cost time.
    let short = to - from <= 4 * LINE;
    let crosses = !short || text.get(from..to).is_none_or(|between| between.contains('\n'));
    to - from + if crosses { LINE } else { 0 }
}

/// The number of words of the field's name before a value: those on its own line count twice, those on the
/// line above once.
fn count_label_words(text: &str, at: usize, labels: &[String]) -> usize {
    let start = text.floor_char_boundary(at.saturating_sub(LABEL));
    let Some(before) = text.get(start..at) else { return 0 };
    let mut lines = before.rsplit('\n');
    let mut count = |weight: usize| {
        let line: Vec<String> =
            lines.next().map(|line| words(line).map(|(_, word)| word).collect()).unwrap_or_default();
        weight * labels.iter().filter(|label| line.contains(label)).count()
    };
    count(2).max(count(1))
}

/// The words of a field's name, split at underscores and capitals, without single letters.
pub(in super::super) fn label_words(name: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut lower = false;
    for c in name.chars() {
        if (lower && c.is_uppercase()) || c == '_' {
            spaced.push(' ');
        }
        lower = c.is_lowercase();
        spaced.push(c);
    }
    words(&spaced.replace('_', " "))
        .map(|(_, word)| word)
        .filter(|word| word.chars().nth(1).is_some())
        .collect()
}

/// The places of a list that are compared: those around a sibling or after the previous item, else the first
/// ones.
fn nearby_places(
    list: &[PrintedValue],
    document: usize,
    expected: ExpectedPosition,
) -> impl Iterator<Item = &PrintedValue> {
    let spot = expected.near.or(expected.after);
    let (from, to) = match spot {
        None => (0, WEIGHED),
        Some(spot) if spot.document == document => {
            let middle = list.partition_point(|printed| printed.range.start < spot.at);
            // Half as many where siblings show the position, fewer in other documents.
            (middle.saturating_sub(WEIGHED / 4), middle + WEIGHED / 4)
        }
        Some(_) => (0, WEIGHED / 8),
    };
    list.iter().take(to).skip(from)
}

fn collect_leaves<'s>(parts: &'s [LeafTree], leaves: &mut Vec<usize>, lists: &mut Vec<&'s LeafTree>) {
    for part in parts {
        match part {
            LeafTree::One(leaf) => leaves.push(*leaf),
            LeafTree::Row(parts) => collect_leaves(parts, leaves, lists),
            LeafTree::List(_) => lists.push(part),
        }
    }
}

fn firm_place(places: &[Option<ValuePlace>], leaf: usize) -> Option<&ValuePlace> {
    places.get(leaf)?.as_ref().filter(|place| !is_weak(place))
}

fn end_position(place: &ValuePlace) -> TextPosition {
    TextPosition { document: place.document, at: place.range.end }
}
