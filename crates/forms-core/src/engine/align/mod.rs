//! Evidence: locating each value of a record in its source texts, by code. A model's citation is only a hint.
//! It must not know models.
//!
//! Support is graded as in LangExtract (Google, 2025): exact, normalised, fuzzy (words in order),
//! unsupported. Each text is folded and scanned once for all values.

mod boolean_values;
mod citation;
pub(super) mod currency;
mod fuzzy;
mod headings;
mod matching;
mod place_choice;
mod printed_units;
mod reduced_dates;
mod time_of_day;
mod value_query;
mod value_search;

use std::ops::Range;

pub(super) use place_choice::label_words;

use super::node::{Leaf, NestedFields, Node, TextSpan};
use super::segment::{Segment, Source};
use super::trust;
use crate::{Evidence, Field, Support};

/// The place of a value: the index of a text, and a byte range in it.
#[derive(Clone, Debug, PartialEq)]
struct ValuePlace {
    document: usize,
    range: Range<usize>,
    support: Support,
}

/// The structure of a record's values; numbers are indices of its leaves.
#[derive(Debug)]
enum LeafTree {
    One(usize),
    /// Members of one object: they stand close together.
    Row(Vec<LeafTree>),
    /// Items in their order.
    List(Vec<LeafTree>),
}

/// Attaches evidence to every leaf of `nodes`, found in the segments of the prompt.
pub(super) fn attach_evidence(
    fields: &[Field],
    nodes: &mut [Node],
    sources: &[Source<'_>],
    shown: &[Segment],
) {
    let mut leaves = Vec::new();
    let shapes = flatten(fields, nodes, &mut leaves);
    let texts = collect_texts(sources, shown);
    let mut places: Vec<Option<ValuePlace>> =
        leaves.iter().map(|(field, leaf)| citation::cited_place(field, leaf, &texts)).collect();
    let open = |places: &[Option<ValuePlace>]| -> Vec<usize> {
        (0..places.len())
            .filter(|at| places.get(*at).is_some_and(|p| p.as_ref().is_none_or(is_weak)))
            .collect()
    };
    let missing = open(&places);
    if !missing.is_empty() {
        let wanted = value_search::ValueSearch::new(
            missing.iter().filter_map(|at| leaves.get(*at).map(|l| (*at, &*l.1))),
        );
        let found = wanted.find(&texts);
        let names: Vec<&str> = leaves.iter().map(|(field, _)| field.name.as_str()).collect();
        let chooser = place_choice::PlaceChooser::new(&texts, &found, &names);
        chooser.assign_places(&shapes, &mut places);
        for at in missing {
            if let Some((_, leaf)) = leaves.get_mut(at) {
                leaf.mentions = u32::try_from(chooser.count(at)).ok();
            }
        }
    }
    boolean_values::find_places(&leaves, &texts, &mut places);
    let missing = open(&places);
    let unfound: Vec<(usize, &Leaf)> = missing
        .iter()
        .filter(|at| places.get(**at).is_some_and(Option::is_none))
        .filter_map(|at| leaves.get(*at).map(|l| (*at, &*l.1)))
        .collect();
    for (at, place) in fuzzy::find_places(&unfound, &texts) {
        if let Some(slot) = places.get_mut(at) {
            *slot = Some(place);
        }
    }
    for ((_, leaf), place) in leaves.into_iter().zip(places) {
        leaf.span = place.as_ref().and_then(|place| to_span(place, &texts));
        leaf.evidence = Some(build_evidence(leaf, place, &texts));
    }
    let mut headings = headings::Headings::new(sources);
    printed_units::settle(fields, nodes, sources, &mut headings);
    time_of_day::settle(fields, nodes, sources);
}

/// The texts of all pieces, in the order of the prompt.
fn collect_texts<'a>(sources: &'a [Source<'a>], shown: &[Segment]) -> Vec<SearchText<'a>> {
    let mut texts = Vec::new();
    for (index, segment) in shown.iter().enumerate() {
        let Some(source) = sources.get(segment.document) else { continue };
        for (piece, shown_at) in segment.pieces.iter().zip(segment.piece_offsets(source)) {
            let text = source.slice(piece);
            texts.push(SearchText {
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

fn to_span(place: &ValuePlace, texts: &[SearchText<'_>]) -> Option<TextSpan> {
    let text = texts.get(place.document)?;
    let (start, end) = (text.offset + place.range.start, text.offset + place.range.end);
    Some(TextSpan { document: text.document, start, end })
}

/// A cited place that supports a value only fuzzily is replaced by a better one.
fn is_weak(place: &ValuePlace) -> bool {
    place.support == Support::Fuzzy
}

/// A piece of a document's text that is searched.
#[derive(Debug)]
struct SearchText<'a> {
    /// Index of its segment in the prompt.
    index: usize,
    /// Index of the document in its group.
    document: usize,
    source: &'a Source<'a>,
    text: &'a str,
    /// Byte offset of the piece in the document.
    offset: usize,
    /// Characters of its segment before it, as shown in the prompt.
    shown_at: usize,
}

impl SearchText<'_> {
    /// The number of characters of the document before byte `at` of the piece.
    fn characters(&self, at: usize) -> usize {
        self.source.characters.count(self.source.text(), self.offset + at)
    }

    /// The byte of the piece at the character with number `shown` in the prompt.
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
) -> Vec<LeafTree> {
    fields.iter().zip(nodes).filter_map(|(field, node)| build_shape(field, node, leaves)).collect()
}

fn build_shape<'n>(
    field: &'n Field,
    node: &'n mut Node,
    leaves: &mut Vec<(&'n Field, &'n mut Leaf)>,
) -> Option<LeafTree> {
    match (node, NestedFields::of(field)) {
        (Node::Leaf(leaf), _) => {
            leaves.push((field.of_value(&leaf.value), leaf));
            Some(LeafTree::One(leaves.len() - 1))
        }
        (Node::Group(parts), NestedFields::Parts(fields)) => {
            Some(LeafTree::Row(flatten(fields, parts, leaves)))
        }
        (Node::List { items, .. }, NestedFields::Items(item)) => Some(LeafTree::List(
            items.iter_mut().filter_map(|node| build_shape(item, node, leaves)).collect(),
        )),
        _ => None,
    }
}

/// Visits every single value with its field.
fn visit_leaves(fields: &[Field], nodes: &mut [Node], visit: &mut dyn FnMut(&Field, &mut Node)) {
    for (field, node) in fields.iter().zip(nodes) {
        match (&mut *node, NestedFields::of(field)) {
            (Node::Group(parts), NestedFields::Parts(fields)) => visit_leaves(fields, parts, visit),
            (Node::List { items, .. }, NestedFields::Items(item)) => {
                for entry in items {
                    visit_leaves(std::slice::from_ref(item), std::slice::from_mut(entry), visit);
                }
            }
            (Node::Leaf(leaf), _) => {
                let field = field.of_value(&leaf.value);
                visit(field, node);
            }
            _ => {}
        }
    }
}

/// The evidence of a value at a place of a document, in bytes.
fn evidence_at(source: &Source<'_>, span: TextSpan, support: Support, confidence: f32) -> Option<Evidence> {
    let quote = source.text().get(span.start..span.end)?;
    let start = source.characters.count(source.text(), span.start);
    let end = start + quote.chars().count();
    Some(Evidence {
        document: Some(source.document.name.clone()),
        index: u32::try_from(span.document).ok(),
        page: source.document.document.page_at(start),
        quote: Some(quote.to_owned()),
        start: Some(start),
        end: Some(end),
        rect: source.document.document.bounding_box(start, end),
        ..Evidence::without_place(support, confidence)
    })
}

fn build_evidence(leaf: &Leaf, place: Option<ValuePlace>, texts: &[SearchText<'_>]) -> Evidence {
    let support = place.as_ref().map_or(Support::Unsupported, |place| place.support);
    let confidence = trust::preliminary(support, leaf.hint.map(|hint| hint.confidence));
    let found = place.and_then(|place| {
        let span = to_span(&place, texts)?;
        evidence_at(texts.get(place.document)?.source, span, support, confidence)
    });
    found.unwrap_or_else(|| Evidence::without_place(Support::Unsupported, confidence))
}
