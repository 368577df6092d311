//! Where the model says that it saw a value: parsed, checked, and compared with the text of the page.

use std::collections::HashMap;

use document::{Document, Page, Rect, Span};
use serde_json::{Map, Value};

use super::super::node::{NestedFields, Node, pointer_token};
use super::super::segment::Source;
use super::shown_picture::ShownPicture;
use crate::{Evidence, Field, Support};

/// Places of an answer at most. Bounds the time. Chosen by hand; no measurement is recorded.
const MAX_PLACES: usize = 1_000;
/// The edge of a picture in the model's units.
const EDGE: f64 = 1_000.0;
/// Share of a page that a value covers at most: a larger box names no place. Chosen by hand; no measurement is recorded.
const MAX_SHARE: f64 = 0.5;

/// A place that the model names. It is not checked.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct NamedPlace {
    /// JSON pointer of the value in the answer.
    pointer: String,
    /// Number of the picture, from 1.
    picture: usize,
    /// Left, top, right and bottom, of 1,000.
    edges: [f64; 4],
}

/// Removes the places from an answer. Entries of another shape are dropped.
pub(in super::super) fn take_places(answer: &mut Map<String, Value>, key: &str) -> Vec<NamedPlace> {
    let Some(Value::Array(entries)) = answer.shift_remove(key) else { return Vec::new() };
    entries.iter().take(MAX_PLACES).filter_map(named_place).collect()
}

impl NamedPlace {
    /// Whether it is in the picture at a position, from 0.
    pub(in super::super) fn is_in(&self, position: usize) -> bool {
        self.picture == position + 1
    }
}

fn named_place(entry: &Value) -> Option<NamedPlace> {
    let pointer = entry.get("field")?.as_str()?.trim();
    let pointer = if pointer.starts_with('/') { pointer.to_owned() } else { format!("/{pointer}") };
    let picture = usize::try_from(entry.get("picture")?.as_u64()?).ok()?;
    let edges: Vec<f64> = entry.get("box")?.as_array()?.iter().filter_map(Value::as_f64).collect();
    Some(NamedPlace { pointer, picture, edges: edges.try_into().ok()? })
}

/// Gives values without support in the text the place that the model names, if the page was shown, the place is one, and
/// the page has no other text there.
pub(in super::super) fn attach_places(
    fields: &[Field],
    nodes: &mut [Node],
    sources: &[Source<'_>],
    pictures: &[ShownPicture],
    places: &[NamedPlace],
) {
    let places: HashMap<&str, &NamedPlace> =
        places.iter().map(|place| (place.pointer.as_str(), place)).collect();
    if places.is_empty() {
        return;
    }
    visit(fields, nodes, &mut String::new(), &mut |field, path, node| {
        let Node::Leaf(leaf) = node else { return };
        let Some(evidence) = &mut leaf.evidence else { return };
        // A mark is often over print, and never is the print.
        let is_over_print = field.mark().is_some();
        if evidence.support == Support::Unsupported
            && let Some(found) =
                places.get(path).and_then(|place| checked(place, sources, pictures, is_over_print))
        {
            *evidence = Evidence { confidence: evidence.confidence, ..found };
        }
    });
}

/// The evidence of a place; `None` when it does not hold. `is_over_print`: whether print may stand there.
fn checked(
    place: &NamedPlace,
    sources: &[Source<'_>],
    pictures: &[ShownPicture],
    is_over_print: bool,
) -> Option<Evidence> {
    let picture = pictures.get(place.picture.checked_sub(1)?)?;
    let source = sources.get(picture.document)?;
    let document = &source.document.document;
    let page = document.pages.iter().find(|page| page.number == picture.page)?;
    let [left, top, right, bottom] = place.edges;
    let is_within =
        place.edges.iter().all(|edge| (0.0..=EDGE).contains(edge)) && left < right && top < bottom;
    if !is_within || (right - left) * (bottom - top) > EDGE * EDGE * MAX_SHARE {
        return None;
    }
    let rect = picture.size.map(|(width, height)| {
        let (wide, high) = (f64::from(width) / EDGE, f64::from(height) / EDGE);
        Rect { x0: left * wide, y0: top * high, x1: right * wide, y1: bottom * high }
    });
    if !is_over_print && rect.is_some_and(|rect| has_words(source, document, page, &rect)) {
        return None;
    }
    Some(Evidence {
        document: Some(source.document.name.clone()),
        index: u32::try_from(picture.document).ok(),
        page: Some(page.number),
        rect,
        ..Evidence::without_place(Support::Pictured, 0.0)
    })
}

/// Whether the page has letters or digits in a box. They are not the value, which is not found in the text.
fn has_words(source: &Source<'_>, document: &Document, page: &Page, rect: &Rect) -> bool {
    let first = document.spans.partition_point(|span| span.end <= page.start);
    let spans = document.spans.get(first..).unwrap_or_default();
    spans.iter().take_while(|span| span.start < page.end).any(|span| {
        let is_beside = {
            let middle = f64::midpoint(span.rect.y0, span.rect.y1);
            let own = f64::midpoint(rect.y0, rect.y1);
            (rect.y0..=rect.y1).contains(&middle) || (span.rect.y0..=span.rect.y1).contains(&own)
        };
        is_beside && text_within(source, span, rect).chars().any(char::is_alphanumeric)
    })
}

/// The characters of a line between the left and right edge of a box, as if all were equally wide: spans have no
/// positions of single characters.
fn text_within<'a>(source: &Source<'a>, span: &Span, rect: &Rect) -> &'a str {
    let (count, wide) = (span.end.saturating_sub(span.start), span.rect.x1 - span.rect.x0);
    if count == 0 || wide <= 0.0 {
        return "";
    }
    let at = |x: f64| {
        let share = ((x - span.rect.x0) / wide).clamp(0.0, 1.0);
        (share * count as f64).round() as usize
    };
    let byte = |character| source.characters.byte(source.text(), span.start + character);
    match (byte(at(rect.x0)), byte(at(rect.x1))) {
        (Some(start), Some(end)) if start < end => source.slice(&(start..end)),
        _ => "",
    }
}

/// Visits every single value with its field and JSON pointer.
pub(super) fn visit(
    fields: &[Field],
    nodes: &mut [Node],
    path: &mut String,
    found: &mut impl FnMut(&Field, &str, &mut Node),
) {
    for (field, node) in fields.iter().zip(nodes) {
        let length = path.len();
        path.push('/');
        path.push_str(&pointer_token(&field.name));
        visit_node(field, node, path, found);
        path.truncate(length);
    }
}

fn visit_node(
    field: &Field,
    node: &mut Node,
    path: &mut String,
    found: &mut impl FnMut(&Field, &str, &mut Node),
) {
    match (node, NestedFields::of(field)) {
        (node @ Node::Leaf(_), _) => found(field, path, node),
        (Node::Group(parts), NestedFields::Parts(fields)) => visit(fields, parts, path, found),
        (Node::List { items, .. }, NestedFields::Items(item)) => {
            for (index, node) in items.iter_mut().enumerate() {
                let length = path.len();
                path.push_str(&format!("/{index}"));
                visit_node(item, node, path, found);
                path.truncate(length);
            }
        }
        _ => {}
    }
}
