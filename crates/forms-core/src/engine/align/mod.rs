//! Evidence: finding each value of a record in the texts that it was taken from, by code. What the
//! model cites is a hint only. It must not know models.
//!
//! Support is graded as in LangExtract (Google, 2025): letter by letter, normalised, by words in
//! order, not at all. Each text is folded and scanned once for all values together.

mod choose;
mod flags;
mod fuzzy;
mod hint;
mod matching;
mod wanted;

use std::ops::Range;

use super::node::{Fields, Leaf, Node, Spot};
use super::segment::{Segment, Source};
use super::trust;
use crate::{Evidence, Field, Support};

/// Where a value stands: a document by index among those at hand, and bytes of its text.
#[derive(Clone, Debug, PartialEq)]
struct Place {
    document: usize,
    range: Range<usize>,
    support: Support,
}

/// How the values of a record lie to each other; numbers are indices among its leaves.
#[derive(Debug)]
enum Shape {
    One(usize),
    /// Parts of one object: they stand close together.
    Row(Vec<Shape>),
    /// Items that stand one after another.
    List(Vec<Shape>),
}

/// Gives every leaf of `nodes` its evidence in the segments that the model was shown.
pub(super) fn attach(fields: &[Field], nodes: &mut [Node], sources: &[Source<'_>], shown: &[Segment]) {
    let mut leaves = Vec::new();
    let shapes = flatten(fields, nodes, &mut leaves);
    let texts = texts(sources, shown);
    let mut places: Vec<Option<Place>> =
        leaves.iter().map(|(field, leaf)| hint::place(field, leaf, &texts)).collect();
    let open = |places: &[Option<Place>]| -> Vec<usize> {
        (0..places.len())
            .filter(|at| places.get(*at).is_some_and(|p| p.as_ref().is_none_or(is_weak)))
            .collect()
    };
    let missing = open(&places);
    if !missing.is_empty() {
        let wanted =
            wanted::Wanted::new(missing.iter().filter_map(|at| leaves.get(*at).map(|l| (*at, &*l.1))));
        let found = wanted.find(&texts);
        let names: Vec<&str> = leaves.iter().map(|(field, _)| field.name.as_str()).collect();
        let chooser = choose::Chooser::new(&texts, &found, &names);
        chooser.settle(&shapes, &mut places);
        for at in missing {
            if let Some((_, leaf)) = leaves.get_mut(at) {
                leaf.mentions = u32::try_from(chooser.count(at)).ok();
            }
        }
    }
    flags::find(&leaves, &texts, &mut places);
    let missing = open(&places);
    let unfound: Vec<(usize, &Leaf)> = missing
        .iter()
        .filter(|at| places.get(**at).is_some_and(Option::is_none))
        .filter_map(|at| leaves.get(*at).map(|l| (*at, &*l.1)))
        .collect();
    for (at, place) in fuzzy::find(&unfound, &texts) {
        if let Some(slot) = places.get_mut(at) {
            *slot = Some(place);
        }
    }
    for ((_, leaf), place) in leaves.into_iter().zip(places) {
        leaf.spot = place.as_ref().and_then(|place| spot(place, &texts));
        leaf.evidence = Some(evidence(leaf, place, &texts));
    }
}

/// The texts of all pieces, in the order in which they are shown.
fn texts<'a>(sources: &'a [Source<'a>], shown: &[Segment]) -> Vec<Text<'a>> {
    let mut texts = Vec::new();
    for (index, segment) in shown.iter().enumerate() {
        let Some(source) = sources.get(segment.document) else { continue };
        for (piece, shown_at) in segment.pieces.iter().zip(segment.shown_at(source)) {
            let text = source.slice(piece);
            texts.push(Text {
                index,
                document: segment.document,
                source,
                text,
                offset: piece.start,
                shown_at,
            });
        }
    }
    texts
}

fn spot(place: &Place, texts: &[Text<'_>]) -> Option<Spot> {
    let text = texts.get(place.document)?;
    let (start, end) = (text.offset + place.range.start, text.offset + place.range.end);
    Some(Spot { document: text.document, start, end })
}

/// A hint that supports a value only by some of its words gives way to a better place.
fn is_weak(place: &Place) -> bool {
    place.support == Support::Fuzzy
}

/// A piece of a document's text while values are looked for in it.
#[derive(Debug)]
struct Text<'a> {
    /// Index among the segments that were shown.
    index: usize,
    /// Index of the document in its group.
    document: usize,
    source: &'a Source<'a>,
    text: &'a str,
    /// Bytes of the document before it.
    offset: usize,
    /// Characters that were shown before it with its segment.
    shown_at: usize,
}

impl Text<'_> {
    /// Characters of the document before byte `at` of the piece.
    fn characters(&self, at: usize) -> usize {
        self.source.characters.count(self.source.text(), self.offset + at)
    }

    /// The byte of the piece at which the character begins that was shown as number `shown`.
    fn byte(&self, shown: usize) -> Option<usize> {
        let character = self.characters(0).checked_add(shown.checked_sub(self.shown_at)?)?;
        let at = self.source.characters.byte(self.source.text(), character)?.checked_sub(self.offset)?;
        (at <= self.text.len()).then_some(at)
    }
}

fn flatten<'n>(
    fields: &'n [Field],
    nodes: &'n mut [Node],
    leaves: &mut Vec<(&'n Field, &'n mut Leaf)>,
) -> Vec<Shape> {
    fields.iter().zip(nodes).filter_map(|(field, node)| shape(field, node, leaves)).collect()
}

fn shape<'n>(
    field: &'n Field,
    node: &'n mut Node,
    leaves: &mut Vec<(&'n Field, &'n mut Leaf)>,
) -> Option<Shape> {
    match (node, Fields::of(field)) {
        (Node::Leaf(leaf), _) => {
            leaves.push((field, leaf));
            Some(Shape::One(leaves.len() - 1))
        }
        (Node::Group(parts), Fields::Parts(fields)) => Some(Shape::Row(flatten(fields, parts, leaves))),
        (Node::List { items, .. }, Fields::Items(item)) => {
            Some(Shape::List(items.iter_mut().filter_map(|node| shape(item, node, leaves)).collect()))
        }
        _ => None,
    }
}

fn evidence(leaf: &Leaf, place: Option<Place>, texts: &[Text<'_>]) -> Evidence {
    let support = place.as_ref().map_or(Support::Unsupported, |place| place.support);
    let confidence = trust::preliminary(support, leaf.hint.map(|hint| hint.confidence));
    let found = place.and_then(|place| {
        let text = texts.get(place.document)?;
        let quote = text.text.get(place.range.clone())?;
        let start = text.characters(place.range.start);
        Some((text, quote, start, start + quote.chars().count()))
    });
    match found {
        None => Evidence {
            document: None,
            file: None,
            index: None,
            page: None,
            quote: None,
            start: None,
            end: None,
            rect: None,
            support: Support::Unsupported,
            confidence,
            accepted: None,
        },
        Some((text, quote, start, end)) => Evidence {
            document: Some(text.source.document.name.clone()),
            file: None,
            index: u32::try_from(text.document).ok(),
            page: text.source.document.document.page_at(start),
            quote: Some(quote.to_owned()),
            start: Some(start),
            end: Some(end),
            rect: text.source.document.document.box_of(start, end),
            support,
            confidence,
            accepted: None,
        },
    }
}
