//! Second readers: the built-in model, or another one, extracts the same fields from the same documents.
//! Their input is bounded: from long documents they get only excerpts around the evidence.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use gen_core::structured::Dialect;
use gen_core::{ChatRequest, GenService, Message, ModelId, ModelIdError, Part, ResponseSchema, Role, Spend};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::call_options::CallOptions;
use super::super::coerce::{self, Coercion, RequiredFields};
use super::super::model_caller::{CallAnswer, ModelCaller};
use super::super::node::{NestedFields, Node, TextSpan};
use super::super::pictures::{GroupPictures, ShownPicture};
use super::super::request::ExtractRequest;
use super::super::segment::{Segment, Source};
use super::super::text::PrintConventions;
use super::super::{pictures, plan, prompt};
use crate::{Field, FormSchema};

// They bound the time of second reading, 0.4 ms for a receipt (docs/benchmarks/extraction.md), and its cost
// with a paid model. Chosen by hand.
/// Bytes of a document that is read whole.
const WHOLE: usize = 16_000;
/// Bytes of all documents of a group.
const ROOM: usize = 32_000;
/// Bytes before and after a quote in an excerpt.
const AROUND: usize = 600;
/// Scalars, those of rows counted once, above which a form gets no second reading.
const MAX_LEAVES: usize = 150;

/// The second reader of the documents; as text `builtin`, `off` or `model@provider`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SecondReader {
    /// The built-in model, free of charge, unless it gave the answer itself.
    #[default]
    BuiltIn,
    /// No second reader.
    Off,
    /// Another model, charged to the caller of the group, in addition to the built-in one.
    Model(ModelId),
}

impl TryFrom<String> for SecondReader {
    type Error = ModelIdError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "builtin" => Ok(Self::BuiltIn),
            "off" => Ok(Self::Off),
            model => model.parse().map(|model: ModelId| match model.is_extractive() {
                true => Self::BuiltIn,
                false => Self::Model(model),
            }),
        }
    }
}

impl From<SecondReader> for String {
    fn from(reader: SecondReader) -> Self {
        match reader {
            SecondReader::BuiltIn => "builtin".to_owned(),
            SecondReader::Off => "off".to_owned(),
            SecondReader::Model(model) => model.to_string(),
        }
    }
}

/// When a second reader with a cost is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SecondReading {
    /// For every group.
    Always,
    /// For groups with a value that would not be accepted otherwise.
    #[default]
    Doubt,
}

/// The input of second readers.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadingContext<'a> {
    pub(super) generation: &'a GenService,
    pub(super) request: &'a ExtractRequest<'a>,
    pub(super) sources: &'a [Source<'a>],
    pub(super) printing: &'a PrintConventions<'a>,
    pub(super) pictures: &'a GroupPictures<'a>,
}

impl ReadingContext<'_> {
    /// The record as extracted by the built-in model, parallel to the form's fields; `None` when there is no
    /// built-in model, or nothing for it to read.
    pub(super) async fn built_in(&self, nodes: &[Node]) -> Option<Vec<Node>> {
        let (form, parts, used) = self.question(nodes, |_| false)?;
        let schema = ResponseSchema { name: "record".to_owned(), schema: form.to_native_schema() };
        let messages = vec![Message { role: Role::User, parts }];
        let question = ChatRequest { messages, response_schema: Some(schema), ..ChatRequest::default() };
        // A reader that fails abstains; the record does not depend on it.
        let answer = self.generation.answer_built_in(question).await?.ok()?;
        let Ok(Value::Object(object)) = serde_json::from_str(&answer.text) else { return None };
        let citations = answer.citations.iter().map(|cited| (cited.pointer.as_str(), cited)).collect();
        let coercion = Coercion {
            printing: self.printing,
            citations,
            documents: &used,
            cut_at: None,
            required: RequiredFields::None,
        };
        Some(parallel_to(nodes, coercion.record(&form.fields, &object)))
    }

    /// The record as extracted by another model, and the spend. It sees the pages that the first model saw because their
    /// text is missing or doubtful. After a failure, the reader abstains and its spend still counts.
    pub(super) async fn model(&self, model: &ModelId, nodes: &[Node]) -> (Option<Vec<Node>>, Spend) {
        let sees = self.generation.vision(model) != Some(false) && !self.pictures.is_refused_by(model);
        let has_pages = |document| sees && self.pictures.pages_to_read(document).next().is_some();
        let Some((form, mut parts, used)) = self.question(nodes, has_pages) else {
            return (None, Spend::default());
        };
        let request = self.request;
        parts.push(Part::Text(prompt::QUESTION.to_owned()));
        let question = ChatRequest {
            system: Some(prompt::system_prompt(&form, request.instructions)),
            messages: vec![Message { role: Role::User, parts }],
            ..ChatRequest::default()
        };
        let asking =
            ModelCaller::new(self.generation, request.payer, model, request.answers, CallOptions::default());
        asking.begin(1);
        let seen = match sees {
            true => self.pictures.load_for_second_reader(&used, self.sources).await,
            false => Vec::new(),
        };
        let Some(mut asked) = self.ask(&asking, model, &form, &question, &used, &seen).await else {
            return (None, asking.spent());
        };
        asking.save(&mut asked).await;
        let read = coerce::answer_object::parse_object(&form.fields, &asked.answer.text).and_then(|parsed| {
            let Value::Object(mut object) = parsed.value else { return None };
            if !seen.is_empty() {
                // Its places are no votes.
                object.shift_remove(&pictures::places_key(&form.fields));
            }
            // Only the complete values of a truncated answer count as votes.
            let cut_at = parsed.cut.then_some(parsed.cut_at);
            let coercion = Coercion {
                printing: self.printing,
                citations: HashMap::new(),
                documents: &used,
                cut_at: cut_at.as_deref(),
                required: RequiredFields::None,
            };
            Some(parallel_to(nodes, coercion.record(&form.fields, &object)))
        });
        (read, asking.spent())
    }

    /// The answer of a model, without pictures where it refuses them; `None` when it fails, and when nothing is left to
    /// read.
    async fn ask(
        &self,
        asking: &ModelCaller<'_>,
        model: &ModelId,
        form: &FormSchema,
        question: &ChatRequest,
        used: &[usize],
        seen: &[ShownPicture],
    ) -> Option<CallAnswer> {
        let mut is_refused = false;
        if !seen.is_empty() {
            let key = pictures::places_key(&form.fields);
            let whole = |document: &usize| Some(Segment::whole(*document, self.sources.get(*document)?));
            let shown: Vec<Segment> = used.iter().filter_map(whole).collect();
            let request = pictures::add_pictures(question, self.sources, &shown, seen, &key);
            let request = prompt::with_schema(request, form, Dialect::of(model), Some(&key));
            match asking.ask(request).await {
                Ok(asked) => return Some(asked),
                Err(failure) if failure.is_refused_request() => is_refused = true,
                Err(_) => return None,
            }
        }
        let text = |document: &usize| self.sources.get(*document).map(Source::text).unwrap_or_default();
        let is_blank = used.iter().all(|document| text(document).trim().is_empty());
        let request = prompt::with_schema(question.clone(), form, Dialect::of(model), None);
        let asked = if is_blank { None } else { asking.ask(request).await.ok() };
        if is_refused {
            self.pictures.record_refused(model, asked.is_some());
        }
        asked
    }

    /// The form of the fields that have values, the excerpts of the documents, and the documents' indices.
    /// `has_pages`: whether a document has pages to see, so that it needs no text.
    fn question(
        &self,
        nodes: &[Node],
        has_pages: impl Fn(usize) -> bool,
    ) -> Option<(FormSchema, Vec<Part>, Vec<usize>)> {
        let fields = &self.request.schema.fields;
        // A `null` needs no confidence.
        let stated = fields.iter().zip(nodes).filter(|(_, node)| has_leaf(node));
        let asked: Vec<Field> = stated.map(|(field, _)| field.clone()).collect();
        if asked.is_empty() || plan::parts::count_leaves(&asked) > MAX_LEAVES {
            return None;
        }
        let (parts, used): (Vec<Part>, Vec<usize>) =
            passages(self.sources, fields, nodes, has_pages).into_iter().unzip();
        (!parts.is_empty()).then(|| (plan::schema_of(asked), parts, used))
    }
}

/// The second reading of the fields that have values, parallel to all fields.
fn parallel_to(nodes: &[Node], read: Vec<Node>) -> Vec<Node> {
    let mut read = read.into_iter();
    let one = |node: &Node| if has_leaf(node) { read.next().unwrap_or(Node::Absent) } else { Node::Absent };
    nodes.iter().map(one).collect()
}

fn has_leaf(node: &Node) -> bool {
    match node {
        Node::Leaf(_) => true,
        Node::Group(nodes) | Node::List { items: nodes, .. } => nodes.iter().any(has_leaf),
        Node::Absent | Node::Failed(_) => false,
    }
}

/// The excerpt of each document, with its index.
fn passages(
    sources: &[Source<'_>],
    fields: &[Field],
    nodes: &[Node],
    has_pages: impl Fn(usize) -> bool,
) -> Vec<(Part, usize)> {
    let mut room = ROOM;
    let mut spots: Option<Vec<TextSpan>> = None;
    let mut read = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let most = WHOLE.min(room);
        let passage: Arc<str> = match source.text().len() <= most {
            true => source.text().into(),
            false => excerpt(
                source.text(),
                spans_of(index, spots.get_or_insert_with(|| all_spans(fields, nodes))),
                most,
            )
            .into(),
        };
        room = room.saturating_sub(passage.len());
        if !passage.is_empty() || has_pages(index) {
            let name = source.document.name.clone();
            read.push((Part::Document { name, description: None, text: passage }, index));
        }
    }
    read
}

/// The spans of all values, sorted by document.
fn all_spans(fields: &[Field], nodes: &[Node]) -> Vec<TextSpan> {
    let mut spots = Vec::new();
    fields.iter().zip(nodes).for_each(|(field, node)| collect_spans(field, node, &mut spots));
    spots.sort_unstable();
    spots
}

/// The spans in one document.
fn spans_of(document: usize, spots: &[TextSpan]) -> &[TextSpan] {
    let from = spots.partition_point(|spot| spot.document < document);
    let to = spots.partition_point(|spot| spot.document <= document);
    spots.get(from..to).unwrap_or_default()
}

fn collect_spans(field: &Field, node: &Node, spots: &mut Vec<TextSpan>) {
    match (node, NestedFields::of(field)) {
        (Node::Leaf(leaf), _) => spots.extend(leaf.span),
        (Node::Group(nodes), NestedFields::Parts(fields)) => {
            fields.iter().zip(nodes).for_each(|(field, node)| collect_spans(field, node, spots));
        }
        (Node::List { items, .. }, NestedFields::Items(item)) => {
            items.iter().for_each(|node| collect_spans(item, node, spots));
        }
        _ => {}
    }
}

/// The lines of `text` around the spans, at most `room` bytes.
fn excerpt(text: &str, spots: &[TextSpan], room: usize) -> String {
    let mut out = String::new();
    let mut done = 0;
    for spot in spots {
        if spot.end <= done {
            continue;
        }
        let range = widen_to_lines(text, spot.start..spot.end);
        let from = range.start.max(done);
        let Some(passage) = text.get(from..range.end) else { continue };
        if out.len() + passage.len() >= room {
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

/// A range widened by its context, to whole lines unless these are long.
fn widen_to_lines(text: &str, range: Range<usize>) -> Range<usize> {
    let first = text.floor_char_boundary(range.start.saturating_sub(AROUND));
    let last = text.ceil_char_boundary(range.end.saturating_add(AROUND).min(text.len()));
    let before = text.get(first..range.start).unwrap_or_default();
    let after = text.get(range.end..last).unwrap_or_default();
    let start = before.find('\n').map_or(first, |at| first + at + 1);
    let end = after.rfind('\n').map_or(last, |at| range.end + at);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(start: usize, end: usize) -> TextSpan {
        TextSpan { document: 0, start, end }
    }

    #[test]
    fn an_excerpt_has_whole_lines_around_the_evidence_and_keeps_to_its_room() {
        let text = (0..2_000).map(|n| format!("line é {n}\n")).collect::<String>();
        let at = |words: &str| text.find(words).unwrap();
        let (first, last) =
            (spot(at("line é 5\n"), at("line é 6\n")), spot(at("line é 1500"), at("line é 1501")));
        let short = excerpt(&text, &[first, last], 24_000);
        assert!(short.contains("line é 5\n") && short.contains("\nline é 1500\n"));
        assert!(!short.contains("line é 700\n"));
        assert!(short.lines().all(|line| line.is_empty() || line.starts_with("line é ")), "{short}");
        let many: Vec<TextSpan> = (0..20_000).step_by(10).map(|n| spot(n, n + 3)).collect();
        assert!(excerpt(&text, &many, 5_000).len() <= 5_000);
        assert_eq!(excerpt(&text, &[spot(usize::MAX - 1, usize::MAX), spot(9, 3)], 5_000), "");
        let both = [
            spot(0, 3),
            TextSpan { document: 2, start: 1, end: 2 },
            TextSpan { document: 2, start: 4, end: 5 },
        ];
        assert_eq!((spans_of(0, &both).len(), spans_of(1, &both).len(), spans_of(2, &both).len()), (1, 0, 2));
    }
}
