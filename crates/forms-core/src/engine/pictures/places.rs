//! Where the model says that it saw a value: checked, and compared with the text and the ink of the page.

use std::collections::HashMap;

use document::{Document, Page, Rect, Span};
use serde_json::Value;

use super::super::node::{NestedFields, Node, pointer_token};
use super::super::segment::Source;
use super::ink::{Ink, PlaceInk};
use super::named_place::NamedPlace;
use super::shown_picture::ShownPicture;
use crate::{Evidence, Field, Support};

/// The edge of a picture in the model's units.
const EDGE: f64 = 1_000.0;
/// Share of a page that a value covers at most: a larger box names no place. Chosen by hand; no measurement is recorded.
const MAX_SHARE: f64 = 0.5;

/// Gives values without support in the text the place that the model names, if the page was shown, the place is one, and
/// the page has no other text there. A value that the ink there refutes becomes a failure.
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
    let mut found: HashMap<String, (NamedPlace, Evidence)> = HashMap::new();
    visit(fields, nodes, &mut String::new(), &mut |field, path, node| {
        let (Node::Leaf(leaf), Some(place)) = (node, places.get(path)) else { return };
        let is_unsupported =
            leaf.evidence.as_ref().is_some_and(|evidence| evidence.support == Support::Unsupported);
        // A mark is often over print, and never is the print.
        let is_over_print = field.mark().is_some();
        if is_unsupported && let Some(evidence) = checked(place, sources, pictures, is_over_print) {
            found.insert(path.to_owned(), ((*place).clone(), evidence));
        }
    });
    let boxes: Vec<NamedPlace> = found.values().map(|(place, _)| place.clone()).collect();
    let ink = PlaceInk::of(&boxes, pictures, sources);
    visit(fields, nodes, &mut String::new(), &mut |field, path, node| {
        let (Node::Leaf(leaf), Some((_, seen))) = (&mut *node, found.remove(path)) else { return };
        match refutation(field, &leaf.value, ink.at(path, field.mark())) {
            Some(reason) => *node = Node::Failed(reason),
            None => {
                let confidence = leaf.evidence.as_ref().map_or(0.0, |evidence| evidence.confidence);
                leaf.evidence = Some(Evidence { confidence, ..seen });
            }
        }
    });
}

/// Why the ink in a box refutes a value.
fn refutation(field: &Field, value: &Value, ink: Ink) -> Option<String> {
    let is_absence = field.mark().is_some() && *value == Value::Bool(false);
    match (is_absence, ink) {
        (false, Ink::Blank) => {
            Some(format!("there is no ink at the place that was named for '{}'", field.name))
        }
        (true, Ink::Written) => {
            Some(format!("there is ink at the place that was named as empty for '{}'", field.name))
        }
        _ => None,
    }
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
