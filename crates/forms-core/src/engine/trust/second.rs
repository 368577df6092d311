//! The second reader: the built-in model reads the same fields from the same documents, free of
//! charge. Its work is bounded: of long documents it reads what stands around the evidence.

use std::collections::HashMap;
use std::ops::Range;

use gen_core::{ChatRequest, GenService, Message, Part, ResponseSchema, Role};
use serde_json::Value;

use super::super::align::Characters;
use super::super::coerce::Coercion;
use super::super::node::{Fields, Node};
use super::super::text::Printing;
use super::super::{ExtractRequest, plan};
use crate::{Evidence, Field, GroupDocument};

/// Bytes of a document that is read as a whole.
const WHOLE: usize = 24_000;
/// Bytes of all documents of a group that are read.
const ROOM: usize = 64_000;
/// Bytes before and after a quote that are read of longer documents.
const AROUND: usize = 600;
/// Single values, rows counted once, beyond which a form is not read a second time.
const MAX_LEAVES: usize = 150;

/// The record as the built-in model reads it, parallel to the form's fields; `None` where there is no
/// built-in model, or nothing that it may read.
pub(super) async fn read(
    generation: &GenService,
    request: &ExtractRequest<'_>,
    printing: &Printing<'_>,
    nodes: &[Node],
) -> Option<Vec<Node>> {
    let fields = &request.schema.fields;
    if plan::leaves(fields) > MAX_LEAVES {
        return None;
    }
    let (parts, used): (Vec<Part>, Vec<usize>) =
        passages(request.documents, fields, nodes).into_iter().unzip();
    if parts.is_empty() {
        return None;
    }
    let schema = ResponseSchema { name: "record".to_owned(), schema: request.schema.to_json_schema() };
    let messages = vec![Message { role: Role::User, parts }];
    let question = ChatRequest { messages, response_schema: Some(schema), ..ChatRequest::default() };
    // A reader that fails has no opinion; the record does not depend on it.
    let answer = generation.built_in(question).await?.ok()?;
    let Ok(Value::Object(object)) = serde_json::from_str(&answer.text) else { return None };
    let citations = answer.citations.iter().map(|cited| (cited.pointer.as_str(), cited)).collect();
    let coercion = Coercion { printing, citations, documents: &used, cut_at: None };
    Some(coercion.record(fields, &object))
}

/// What is read of each document, with its index.
fn passages(documents: &[GroupDocument], fields: &[Field], nodes: &[Node]) -> Vec<(Part, usize)> {
    let mut room = ROOM;
    let mut evidence: Option<HashMap<&str, Vec<&Evidence>>> = None;
    let mut read = Vec::new();
    for (index, document) in documents.iter().enumerate() {
        let text = document.document.text.as_str();
        let passage = if text.len() <= WHOLE.min(room) {
            text.into()
        } else {
            let evidence = evidence.get_or_insert_with(|| by_document(fields, nodes));
            let found = evidence.get(document.name.as_str()).map(Vec::as_slice).unwrap_or_default();
            excerpt(text, found, WHOLE.min(room)).into()
        };
        let passage: std::sync::Arc<str> = passage;
        room = room.saturating_sub(passage.len());
        if !passage.is_empty() {
            read.push((
                Part::Document { name: document.name.clone(), description: None, text: passage },
                index,
            ));
        }
    }
    read
}

/// The evidence of all values by the name of its document.
fn by_document<'n>(fields: &[Field], nodes: &'n [Node]) -> HashMap<&'n str, Vec<&'n Evidence>> {
    let mut found: HashMap<&str, Vec<&Evidence>> = HashMap::new();
    let mut add = |evidence: &'n Evidence| {
        if let Some(name) = &evidence.document {
            found.entry(name.as_str()).or_default().push(evidence);
        }
    };
    fields.iter().zip(nodes).for_each(|(field, node)| collect(field, node, &mut add));
    found
}

fn collect<'n>(field: &Field, node: &'n Node, add: &mut impl FnMut(&'n Evidence)) {
    match (node, Fields::of(field)) {
        (Node::Leaf(leaf), _) => leaf.evidence.iter().for_each(add),
        (Node::Group(nodes), Fields::Parts(fields)) => {
            fields.iter().zip(nodes).for_each(|(field, node)| collect(field, node, add));
        }
        (Node::List { items, .. }, Fields::Items(item)) => {
            items.iter().for_each(|node| collect(item, node, add));
        }
        _ => {}
    }
}

/// The lines of `text` around what was found in it, at most `room` bytes.
fn excerpt(text: &str, found: &[&Evidence], room: usize) -> String {
    let characters = Characters::new(text);
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut wanted = 0;
    for evidence in found {
        let (Some(start), Some(end)) = (evidence.start, evidence.end) else { continue };
        let bytes = characters.byte(text, start).zip(characters.byte(text, end));
        let Some((start, end)) = bytes.filter(|(start, end)| start <= end) else { continue };
        ranges.push(lines(text, start..end));
        wanted += end - start + 2 * AROUND;
        // Values that stand close together share their lines, so more is looked at than fits.
        if wanted > 8 * room {
            break;
        }
    }
    ranges.sort_by_key(|range| range.start);
    let mut out = String::new();
    let mut done = 0;
    for range in ranges {
        let from = range.start.max(done);
        let Some(passage) = text.get(from..range.end) else { continue };
        if out.len() + passage.len() > room {
            break;
        }
        if from > done && !out.is_empty() {
            out.push('\n');
        }
        out.push_str(passage);
        done = range.end;
    }
    out
}

/// A range with what stands around it, by whole lines where these are not long.
fn lines(text: &str, range: Range<usize>) -> Range<usize> {
    let first = text.floor_char_boundary(range.start.saturating_sub(AROUND));
    let last = text.ceil_char_boundary((range.end + AROUND).min(text.len()));
    let before = text.get(first..range.start).unwrap_or_default();
    let after = text.get(range.end..last).unwrap_or_default();
    let start = before.find('\n').map_or(first, |at| first + at + 1);
    let end = after.rfind('\n').map_or(last, |at| range.end + at);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Support;

    fn evidence(start: usize, end: usize) -> Evidence {
        Evidence {
            document: Some("a".into()),
            page: None,
            quote: None,
            start: Some(start),
            end: Some(end),
            rect: None,
            support: Support::Exact,
            confidence: 0.5,
        }
    }

    #[test]
    fn an_excerpt_has_whole_lines_around_the_evidence_and_keeps_to_its_room() {
        let text = (0..2_000).map(|n| format!("line é {n}\n")).collect::<String>();
        let at = |words: &str| text[..text.find(words).unwrap()].chars().count();
        let (first, last) =
            (evidence(at("line é 5\n"), at("line é 6\n")), evidence(at("line é 1500"), at("line é 1501")));
        let short = excerpt(&text, &[&last, &first], 24_000);
        assert!(
            short.contains("line é 5\n")
                && short.contains("\nline é 1500\n")
                && !short.contains("line é 700\n")
        );
        assert!(short.lines().all(|line| line.is_empty() || line.starts_with("line é ")), "{short}");
        let many: Vec<Evidence> = (0..20_000).step_by(10).map(|n| evidence(n, n + 3)).collect();
        assert!(excerpt(&text, &many.iter().collect::<Vec<_>>(), 5_000).len() <= 5_000);
        assert_eq!(excerpt(&text, &[&evidence(usize::MAX, usize::MAX), &evidence(9, 3)], 5_000), "");
    }
}
