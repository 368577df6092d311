//! Extraction: fills the fields of a schema from documents by heuristics.
//!
//! Each field of the schema has a *kind*, from its type, name and description. Candidates of that kind in the
//! text are scored by the label beside them, above them or at the head of their column. A field without a
//! labelled candidate is null.

mod address;
mod currency;
mod dates;
mod exact_label;
mod field_value;
mod kind;
mod labelled_text;
mod options;
mod organisation;
mod periods;
mod prose;
mod schema;
mod tables;
mod text;
mod total;
mod values;

use forms_core::labels::Concepts;
use gen_core::{ChatAnswer, ChatRequest, Citation, Finish, Part, ProviderError, ResponseSchema, Usage};
use language::money::Currency;
use serde_json::{Map, Value, json};

use schema::{Leaf, SchemaNode};
use text::Text;

/// Maximum bytes of all documents that are read; the rest is skipped. Bounds the time.
const MAX_CHARS: usize = 8_000_000;

/// Fills a schema from the documents of a request. A citation counts the request's [`Part::Document`]s from 0.
///
/// # Errors
/// [`gen_core::Fault::Unsupported`] for a schema that is not of an object.
pub(crate) fn extract(request: &ChatRequest, wanted: &ResponseSchema) -> Result<ChatAnswer, ProviderError> {
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
    Ok(ChatAnswer { text, citations: filler.citations, finish: Finish::Stop, usage, ..ChatAnswer::default() })
}

/// Whether a label names a code, such as an account or telephone number, which is no number however it looks.
pub(crate) fn is_code_label(label: &Concepts) -> bool {
    use kind::FieldKind::{Bic, Iban, Identifier, Phone};
    matches!(kind::kind_of(kind::Output::Verbatim, "", label), Bic | Iban | Identifier | Phone)
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
        self.leaf_value(leaf, pointer, document, found)
    }

    /// The value of a leaf, with its citation. The currency of a sum is left to who reads the print around its amount,
    /// unless the document has one alone.
    fn leaf_value(&mut self, leaf: &Leaf, pointer: &str, document: usize, found: ExtractedValue) -> Value {
        if !leaf.is_money {
            self.cite(pointer, document, &found);
            return found.value;
        }
        self.cite(&format!("{pointer}/amount"), document, &found);
        let currency = self.texts.get(document).and_then(Text::only_currency).map(Currency::code);
        json!({"amount": found.value, "currency": currency})
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
                            let token = name.replace('~', "~0").replace('/', "~1");
                            let pointer = format!("{base}/{token}");
                            let value = match (cell, item.part(&name)) {
                                (Some(found), Some(leaf)) => self.leaf_value(leaf, &pointer, document, found),
                                _ => Value::Null,
                            };
                            record.insert(name, value);
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
