//! Which of several places a value was taken from: beside its siblings, after the row before, or next
//! to the name of its field; else the first.

use super::super::text::fold::words;
use super::hint::rank;
use super::matching::{self, Printed};
use super::wanted::Found;
use super::{Place, Shape, Text, is_weak};
use crate::Support;

/// Places of one value that are weighed.
const WEIGHED: usize = 64;
/// Places of one part of a row around which the others are looked for.
const ANCHORS: usize = 12;
/// Bytes of a value of which only the first places are weighed.
const LONG: usize = 1_000;
/// Bytes before a value in which its field's name is looked for.
const LABEL: usize = 200;
/// What a line between two parts of a row counts, in bytes.
const LINE: usize = 500;
/// What going back behind the row before counts, in bytes.
const BACK: usize = 10_000;

/// A byte of one of the texts.
#[derive(Clone, Copy, Debug)]
struct Spot {
    document: usize,
    at: usize,
}

/// Where a value is expected.
#[derive(Clone, Copy, Debug, Default)]
struct Expected {
    /// After the item before.
    after: Option<Spot>,
    /// Close to a sibling.
    near: Option<Spot>,
}

/// Chooses places for leaves from all that were found.
#[derive(Debug)]
pub(super) struct Chooser<'c> {
    texts: &'c [Text<'c>],
    found: &'c Found,
    /// For each leaf, the words of its field's name.
    labels: Vec<Vec<String>>,
}

impl<'c> Chooser<'c> {
    pub(super) fn new(texts: &'c [Text<'c>], found: &'c Found, names: &[&str]) -> Self {
        Self { texts, found, labels: names.iter().map(|name| label(name)).collect() }
    }

    /// Fills in the places that are open.
    pub(super) fn settle(&self, shapes: &[Shape], places: &mut [Option<Place>]) {
        for shape in shapes {
            self.shape(shape, None, places);
        }
    }

    /// Settles one shape that is expected after a spot, and tells where it ends.
    fn shape(&self, shape: &Shape, after: Option<Spot>, places: &mut [Option<Place>]) -> Option<Spot> {
        match shape {
            Shape::One(leaf) => {
                self.one(*leaf, Expected { after, near: None }, places).map(|place| end(&place))
            }
            Shape::Row(parts) => self.row(parts, after, places),
            Shape::List(items) => {
                let mut cursor = after;
                for item in items {
                    cursor = self.shape(item, cursor, places).or(cursor);
                }
                cursor
            }
        }
    }

    /// Settles the parts of an object around the one that is easiest to place.
    fn row(&self, parts: &[Shape], after: Option<Spot>, places: &mut [Option<Place>]) -> Option<Spot> {
        let (mut leaves, mut lists) = (Vec::new(), Vec::new());
        gather(parts, &mut leaves, &mut lists);
        let known = leaves.iter().find_map(|leaf| settled(places, *leaf)).cloned();
        let anchor = known.or_else(|| {
            let (leaf, place) = self.anchor(&leaves, after)?;
            *places.get_mut(leaf)? = Some(place.clone());
            Some(place)
        });
        let near = anchor.as_ref().map(|anchor| Spot { document: anchor.document, at: anchor.range.start });
        for leaf in leaves.iter().filter(|_| near.is_some()) {
            self.one(*leaf, Expected { after, near }, places);
        }
        // Lists of an object whose own values are nowhere may be somewhere all the same.
        let mut last = anchor.as_ref().map(end).or(after);
        for list in lists {
            last = self.shape(list, last, places).or(last);
        }
        last
    }

    /// The rarest of some leaves, at that of its places which has the others closest.
    fn anchor(&self, leaves: &[usize], after: Option<Spot>) -> Option<(usize, Place)> {
        let counted = leaves.iter().map(|leaf| (self.count(*leaf), *leaf)).filter(|(count, _)| *count > 0);
        let (_, rarest) = counted.min()?;
        let mut ranked = self.ranked(rarest, Expected { after, near: None });
        ranked.truncate(ANCHORS);
        let around = |place: &Place| {
            let near = Some(Spot { document: place.document, at: place.range.start });
            let others = leaves.iter().filter(|leaf| **leaf != rarest);
            let nearest = |leaf: &usize| Some(self.best(*leaf, Expected { after, near })?.0.3.min(2 * BACK));
            others.filter_map(nearest).sum::<usize>()
        };
        let scored = ranked.into_iter().map(|(cost, place)| ((cost.0, cost.1, around(&place), cost), place));
        scored.min_by_key(|(score, _)| *score).map(|(_, place)| (rarest, place))
    }

    fn one(&self, leaf: usize, expected: Expected, places: &mut [Option<Place>]) -> Option<Place> {
        if let Some(place) = settled(places, leaf) {
            return Some(place.clone());
        }
        let best = self.best(leaf, expected).map(|(_, place)| place);
        let slot = places.get_mut(leaf)?;
        if let Some(place) = best
            && slot.as_ref().is_none_or(|old| rank(place.support) < rank(old.support))
        {
            *slot = Some(place);
        }
        slot.clone()
    }

    /// How many places a leaf may have.
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

    fn best(&self, leaf: usize, expected: Expected) -> Option<(Cost, Place)> {
        self.places(leaf, expected).min_by_key(|(cost, _)| *cost)
    }

    /// The places of a leaf, best first.
    fn ranked(&self, leaf: usize, expected: Expected) -> Vec<(Cost, Place)> {
        let mut ranked: Vec<_> = self.places(leaf, expected).collect();
        ranked.sort_by_key(|(cost, _)| *cost);
        ranked
    }

    /// The places of a leaf that are worth weighing, with what speaks against each.
    fn places(&self, leaf: usize, expected: Expected) -> impl Iterator<Item = (Cost, Place)> {
        let query = self.found.queries.get(&leaf);
        let labels = self.labels.get(leaf).map(Vec::as_slice).unwrap_or_default();
        let keys = move || query.into_iter().flat_map(|query| query.keys.iter().map(move |key| (query, key)));
        let texts = self.texts.iter().zip(&self.found.places).enumerate();
        texts.flat_map(move |(document, (text, places))| {
            keys().flat_map(move |(query, (key, stands_for))| {
                // Long texts are compared letter by letter, and seldom stand more than once.
                let weighed = if query.text.len() > LONG { 2 } else { usize::MAX };
                let list = places.get(key).map(Vec::as_slice).unwrap_or_default();
                around(list, document, expected).take(weighed).filter_map(move |printed| {
                    let (support, range) = matching::support(query, key, stands_for, text.text, printed)?;
                    let place = Place { document, range, support };
                    // Beside its siblings, what spaces set apart is likely a value of its own.
                    let part = printed.part && !(printed.apart && expected.near.is_some());
                    Some((cost(text.text, &place, part, expected, labels), place))
                })
            })
        })
    }
}

/// Lower is better, compared from left to right: shown at all, not before the item before, not part
/// of something else, close to its siblings, beside its label, letter by letter, first.
type Cost = (bool, bool, bool, usize, usize, u8, usize, usize);

fn cost(text: &str, place: &Place, part: bool, expected: Expected, labels: &[String]) -> Cost {
    let at = place.range.start;
    let behind = |spot: Spot| (place.document, at) < (spot.document, spot.at);
    let before = expected.after.is_some_and(behind);
    let (distance, unlabelled) = match expected.near {
        Some(spot) => (apart(text, place, spot) + if before { BACK } else { 0 }, 0),
        None if expected.after.is_some() => (0, 0),
        None => (0, usize::MAX - named(text, at, labels)),
    };
    let skipped = before && expected.near.is_none();
    let weak = place.support == Support::Fuzzy;
    (weak, skipped, part, distance, unlabelled, rank(place.support), place.document, at)
}

/// How far a place lies from a sibling.
fn apart(text: &str, place: &Place, sibling: Spot) -> usize {
    if place.document != sibling.document {
        return usize::MAX / 2;
    }
    let (from, to) = (place.range.start.min(sibling.at), place.range.start.max(sibling.at));
    let short = to - from <= 4 * LINE;
    let crosses = !short || text.get(from..to).is_none_or(|between| between.contains('\n'));
    to - from + if crosses { LINE } else { 0 }
}

/// How many words of the field's name stand before a value: twice as much on its own line as on the
/// line above.
fn named(text: &str, at: usize, labels: &[String]) -> usize {
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

/// The words of a field's name, split at underscores and at capitals.
pub(super) fn label(name: &str) -> Vec<String> {
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

/// The places of a list that are worth weighing: those around a sibling, those after the item before,
/// else the first ones.
fn around(list: &[Printed], document: usize, expected: Expected) -> impl Iterator<Item = &Printed> {
    let spot = expected.near.or(expected.after);
    let (from, to) = match spot {
        None => (0, WEIGHED),
        Some(spot) if spot.document == document => {
            let middle = list.partition_point(|printed| printed.range.start < spot.at);
            (middle.saturating_sub(WEIGHED / 4), middle + WEIGHED / 4)
        }
        Some(_) => (0, WEIGHED / 8),
    };
    list.iter().take(to).skip(from)
}

fn gather<'s>(parts: &'s [Shape], leaves: &mut Vec<usize>, lists: &mut Vec<&'s Shape>) {
    for part in parts {
        match part {
            Shape::One(leaf) => leaves.push(*leaf),
            Shape::Row(parts) => gather(parts, leaves, lists),
            Shape::List(_) => lists.push(part),
        }
    }
}

fn settled(places: &[Option<Place>], leaf: usize) -> Option<&Place> {
    places.get(leaf)?.as_ref().filter(|place| !is_weak(place))
}

fn end(place: &Place) -> Spot {
    Spot { document: place.document, at: place.range.end }
}
