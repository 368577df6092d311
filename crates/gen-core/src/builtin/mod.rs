//! The built-in model: extracts typed fields from documents by heuristics, without a key and a network.
//!
//! Each field of the schema has a *kind*, from its type, name and description. Candidates of that kind in the
//! text are scored by the label beside them, above them or at the head of their column. A field without a
//! labelled candidate is null. Without a schema the model answers questions: see `qa`.

mod address;
mod cache;
mod currency;
mod dates;
mod field_value;
mod gazetteer;
mod kind;
mod label_position;
mod label_reader;
mod labelled_text;
mod labels;
mod lines;
mod options;
mod organisation;
mod periods;
mod prose;
mod qa;
mod schema;
mod tables;
mod total;
mod values;
mod vocabulary;
mod yes_no_answers;

use async_trait::async_trait;
use serde_json::{Map, Value};

use crate::{
    ChatAnswer, ChatEvent, ChatEvents, ChatModel, ChatRequest, Citation, Finish, Part, ProviderError,
    StreamingChatModel, Usage,
};
pub use label_reader::{FieldWords, LabelReader, is_label};
use lines::Text;
use schema::{Leaf, SchemaNode};
pub use yes_no_answers::PrintedAnswer;

/// Maximum bytes of all documents that are read; the rest is skipped. Bounds the time.
const MAX_CHARS: usize = 8_000_000;

/// The built-in model. It is CPU-bound: servers call [`answer`] on threads for such work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extractive;

#[async_trait]
impl ChatModel for Extractive {
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        answer(&request)
    }
}

#[async_trait]
impl StreamingChatModel for Extractive {
    async fn stream(&self, request: ChatRequest) -> Result<ChatEvents, ProviderError> {
        stream(&request)
    }
}

/// Streams [`answer`]: answers to questions by sentence, a filled schema as a whole.
///
/// # Errors
/// As [`answer`].
pub fn stream(request: &ChatRequest) -> Result<ChatEvents, ProviderError> {
    if request.response_schema.is_none() {
        return qa::events(request);
    }
    let ChatAnswer { text, finish, usage, warnings, .. } = answer(request)?;
    let events = [ChatEvent::Text(text), ChatEvent::End { finish, usage, warnings }];
    Ok(Box::pin(futures_util::stream::iter(events.map(Ok))))
}

/// Fills the request's schema from its documents; without a schema, answers the last message from them. The
/// nth [`Part::Document`] of the request is cited as `[n]`.
///
/// # Errors
/// [`crate::Fault::Unsupported`] for a schema that is not of an object, and for requests of images and
/// speech.
pub fn answer(request: &ChatRequest) -> Result<ChatAnswer, ProviderError> {
    let Some(wanted) = &request.response_schema else { return qa::answer(request) };
    let mut texts = Vec::new();
    let mut room = MAX_CHARS;
    for part in request.messages.iter().flat_map(|message| &message.parts) {
        if let Part::Document { text, .. } = part {
            texts.push(Text::read(text, room));
            room = room.saturating_sub(text.len());
        }
    }
    let SchemaNode::Object(fields) = SchemaNode::read(&wanted.schema) else {
        return Err(ProviderError::unsupported("the response schema must be that of an object".to_owned()));
    };
    let mut filler = SchemaFiller { texts: &texts, citations: Vec::new() };
    let record = filler.object(&fields, "");
    let text = Value::Object(record).to_string();
    let input: usize = texts.iter().map(Text::tokens).sum();
    let usage =
        // Four bytes a token, as `Text::tokens`; the model is free, so it is an estimate for statistics.
        Usage { input_tokens: input as u64, output_tokens: (text.len() / 4) as u64, ..Usage::default() };
    Ok(ChatAnswer { text, citations: filler.citations, finish: Finish::Stop, usage, warnings: Vec::new() })
}

/// The capability that a prompt asks for and the built-in model lacks: images or speech.
pub(crate) fn wants_media(prompt: &str) -> Option<crate::ModelKind> {
    qa::wants_media(prompt)
}

/// The subject of a requested summary, which may be empty; `None` if the prompt requests no summary.
pub(crate) fn summary_focus(prompt: &str) -> Option<String> {
    qa::summary_focus(prompt)
}

/// Whether a prompt is a question.
pub(crate) fn is_question(prompt: &str) -> bool {
    qa::is_question(prompt)
}

/// Whether a prompt depends on the messages before it.
pub(crate) fn is_follow_up(prompt: &str) -> bool {
    qa::is_follow_up(prompt)
}

/// The probability that the answer to a request is correct, 0 to 1; `None` if the request is not a question
/// about documents.
pub(crate) fn probability(request: &ChatRequest) -> Option<f64> {
    qa::answer_probability(request)
}

/// A value with its source span, in Unicode characters, and confidence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExtractedValue {
    pub(crate) value: Value,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) confidence: f32,
}

struct SchemaFiller<'a> {
    texts: &'a [Text],
    citations: Vec<Citation>,
}

impl SchemaFiller<'_> {
    fn object(&mut self, fields: &[(String, SchemaNode)], path: &str) -> Map<String, Value> {
        let mut record = Map::new();
        for (name, shape) in fields {
            let pointer = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
            let value = match shape {
                SchemaNode::Leaf(leaf) => self.leaf(leaf, &pointer),
                SchemaNode::Object(parts) => self.nested(parts, &pointer),
                SchemaNode::List(item) => self.list(item, &pointer),
            };
            record.insert(name.clone(), value);
        }
        record
    }

    /// An object without any value is null.
    fn nested(&mut self, parts: &[(String, SchemaNode)], pointer: &str) -> Value {
        let record = self.object(parts, pointer);
        if record.values().all(Value::is_null) { Value::Null } else { Value::Object(record) }
    }

    fn leaf(&mut self, leaf: &Leaf, pointer: &str) -> Value {
        let mut best: Option<(usize, ExtractedValue)> = None;
        for (document, text) in self.texts.iter().enumerate() {
            if let Some(found) = field_value::choose(text, leaf)
                && best.as_ref().is_none_or(|(_, other)| found.confidence > other.confidence)
            {
                best = Some((document, found));
            }
        }
        let Some((document, found)) = best else { return Value::Null };
        self.cite(pointer, document, &found);
        found.value
    }

    fn list(&mut self, item: &SchemaNode, pointer: &str) -> Value {
        let mut rows = Vec::new();
        for (document, text) in self.texts.iter().enumerate() {
            for row in tables::rows(text, item) {
                let base = format!("{pointer}/{}", rows.len());
                match row {
                    tables::Row::Scalar(found) => {
                        self.cite(&base, document, &found);
                        rows.push(found.value);
                    }
                    tables::Row::Object(cells) => {
                        let mut record = Map::new();
                        for (name, cell) in cells {
                            if let Some(found) = &cell {
                                let token = name.replace('~', "~0").replace('/', "~1");
                                self.cite(&format!("{base}/{token}"), document, found);
                            }
                            record.insert(name, cell.map_or(Value::Null, |found| found.value));
                        }
                        rows.push(Value::Object(record));
                    }
                }
            }
        }
        if rows.is_empty() { Value::Null } else { Value::Array(rows) }
    }

    fn cite(&mut self, pointer: &str, document: usize, found: &ExtractedValue) {
        self.citations.push(Citation {
            pointer: pointer.to_owned(),
            document,
            start: found.start,
            end: found.end,
            confidence: found.confidence,
        });
    }
}
