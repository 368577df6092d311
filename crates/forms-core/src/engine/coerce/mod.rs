//! Coercion of a model's object into the form's tree: every value gets its field's type and is checked
//! against its field's rules. It must not know texts or prompts.

pub(super) mod answer_object;
mod currency;
mod dates;
mod measure;
mod members;
mod numbers;
mod pairs;
mod record_shape;
mod rules;
pub(super) mod scalar;
mod union;

use std::collections::HashMap;

use gen_core::Citation;
use gen_core::structured::{self, RootKind};
use language::absence::means_no_value;
use serde_json::{Map, Value};

use super::node::{CitedSpan, Leaf, NestedFields, Node, pointer_token};
use super::text::PrintConventions;
use crate::{Field, FieldType};
use members::ObjectMembers;

/// Items of one array at most. Bounds the memory.
const MAX_ITEMS: usize = 100_000;
/// Wrappers around a value that are removed at most. Chosen by hand; no measurement is recorded.
const MAX_WRAPPERS: usize = 3;

/// Which fields an answer must contain. An omitted field counts as unanswered; `null` means that the
/// documents do not state it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequiredFields {
    /// All fields. In list entries only the required ones, because models omit empty cells.
    All,
    /// The required ones.
    Required,
    /// No field: an omitted one is not stated.
    None,
}

impl RequiredFields {
    fn requires(self, field: &Field) -> bool {
        self == Self::All || (self == Self::Required && field.required)
    }

    fn for_entries(self) -> Self {
        if self == Self::All { Self::Required } else { self }
    }
}

/// Coerces a model's values.
#[derive(Debug)]
pub(super) struct Coercion<'a> {
    /// The fields that the answer must contain.
    pub(super) required: RequiredFields,
    /// The conventions of the documents for numbers and dates.
    pub(super) printing: &'a PrintConventions<'a>,
    /// The model's citations, by JSON pointer.
    pub(super) citations: HashMap<&'a str, &'a Citation>,
    /// The index in the group of each document of the request.
    pub(super) documents: &'a [usize],
    /// Where the answer was truncated, as a JSON pointer; `None` when it is complete. Missing values were
    /// then not omitted on purpose, and lists on the path are incomplete.
    pub(super) cut_at: Option<&'a str>,
}

impl Coercion<'_> {
    /// The nodes of `fields`, in their order.
    pub(super) fn record(&self, fields: &[Field], object: &Map<String, Value>) -> Vec<Node> {
        let (object, path) = record_shape::locate_record(fields, object);
        self.parts(fields, &object, &path, self.required)
    }

    /// The node of one field from its value.
    pub(super) fn answer(&self, field: &Field, value: &Value) -> Node {
        self.node(field, value, "", &format!("'{}'", field.name), self.required)
    }

    fn parts(
        &self,
        fields: &[Field],
        object: &Map<String, Value>,
        path: &str,
        owed: RequiredFields,
    ) -> Vec<Node> {
        let members = ObjectMembers::new(fields, object);
        let read = |field: &Field| {
            let label = format!("'{}'", field.name);
            match members.get(&field.name) {
                Some((key, value)) => {
                    self.node(field, value, &format!("{path}/{}", pointer_token(key)), &label, owed)
                }
                None if self.cut_at.is_some() => {
                    Node::Failed(format!("{label} is missing, since the model's answer was cut off"))
                }
                None if owed.requires(field) => {
                    Node::Failed(format!("the model's answer leaves {label} out"))
                }
                None => Node::Absent,
            }
        };
        fields.iter().map(read).collect()
    }

    /// The node of `field` from `value` at `path` of the answer.
    fn node(&self, field: &Field, value: &Value, path: &str, label: &str, owed: RequiredFields) -> Node {
        match (NestedFields::of(field), value) {
            (_, Value::Null) => Node::Absent,
            (NestedFields::Parts(_), Value::String(_) | Value::Number(_))
                if currency::is_sum(field, value) =>
            {
                self.node(field, &currency::sum_parts(value), path, label, owed)
            }
            (NestedFields::Items(_) | NestedFields::Parts(_), Value::String(text)) => {
                self.read_text(field, text, path, label, owed)
            }
            (NestedFields::Items(item), Value::Array(items)) => {
                self.list(field, item, items, path, label, owed)
            }
            (NestedFields::Items(item), Value::Object(object)) if field.map_value().is_some() => {
                self.list(field, item, &pairs::of_object(object), path, label, owed)
            }
            (NestedFields::Items(item), Value::Object(object)) => {
                match record_shape::list_items(item, object) {
                    Some(items) => self.list(field, item, &items, path, label, owed),
                    None => self.list(field, item, std::slice::from_ref(value), path, label, owed),
                }
            }
            // A single item instead of a list.
            (NestedFields::Items(item), _) => {
                self.list(field, item, std::slice::from_ref(value), path, label, owed)
            }
            (NestedFields::Parts(parts), Value::Object(object)) => {
                let (object, inside) = record_shape::locate_record(parts, object);
                let nodes = self.parts(parts, &object, &format!("{path}{inside}"), owed);
                let empty = nodes.iter().all(|node| *node == Node::Absent);
                if empty { Node::Absent } else { Node::Group(nodes) }
            }
            (NestedFields::Parts(_), Value::Array(items)) => match items.as_slice() {
                [] => Node::Absent,
                [only @ Value::Object(_)] => self.node(field, only, &format!("{path}/0"), label, owed),
                _ => not_an_object(value, label),
            },
            (NestedFields::Parts(_), _) => not_an_object(value, label),
            (NestedFields::None, _) => self.leaf(field, value, path, label),
        }
    }

    /// A list or an object given as text.
    fn read_text(&self, field: &Field, text: &str, path: &str, label: &str, owed: RequiredFields) -> Node {
        let whole = Value::String(text.to_owned());
        match (structured::parse_nested(text), &field.kind) {
            (Some(inner), _) => self.node(field, &inner, path, label, owed),
            // Truncated JSON within a text.
            (None, _) if structured::parse(text, RootKind::Any).is_some_and(|inner| inner.cut) => {
                Node::Failed(format!("{label} is not complete, since the model's answer was cut off"))
            }
            (None, _) if text.trim().is_empty() || means_no_value(text) => Node::Absent,
            (None, FieldType::Array(item)) => {
                let entries = match NestedFields::of(item) {
                    NestedFields::None => {
                        record_shape::split_entries(text).into_iter().map(Value::from).collect()
                    }
                    _ => vec![whole],
                };
                self.list(field, item, &entries, path, label, owed)
            }
            (None, _) => not_an_object(&whole, label),
        }
    }

    fn list(
        &self,
        field: &Field,
        item: &Field,
        items: &[Value],
        path: &str,
        label: &str,
        owed: RequiredFields,
    ) -> Node {
        let entry = match item.kind {
            FieldType::Object(_) | FieldType::Array(_) => label.to_owned(),
            _ => format!("an entry of {label}"),
        };
        let read = |(index, value): (usize, &Value)| match value {
            Value::Object(object) if object.is_empty() => Node::Absent,
            _ => self.node(item, value, &format!("{path}/{index}"), &entry, owed.for_entries()),
        };
        let said: Vec<Node> =
            items.iter().take(MAX_ITEMS).enumerate().map(read).filter(|node| *node != Node::Absent).collect();
        if said.is_empty() && !items.is_empty() {
            return Node::Absent;
        }
        let is_cut =
            self.cut_at.and_then(|cut| cut.strip_prefix(path)).is_some_and(|rest| rest.starts_with('/'));
        let problem = match is_cut {
            true => Some(format!("{label} is not complete, since the model's answer was cut off")),
            false => rules::check_count(field, said.len(), label),
        };
        Node::List { items: said, problem }
    }

    fn leaf(&self, field: &Field, wrapped: &Value, path: &str, label: &str) -> Node {
        let mut value = wrapped;
        for _ in 0..MAX_WRAPPERS {
            value = match value {
                Value::Array(items) if items.len() == 1 => items.first().unwrap_or(value),
                Value::Object(_) => record_shape::unwrap_value(field, value).unwrap_or(value),
                _ => break,
            };
        }
        match read_leaf(field, value, self.printing) {
            Ok(None) => Node::Absent,
            Ok(Some(read)) => match rules::check_value(field, &read.value, label) {
                Some(message) => Node::Failed(message),
                None => {
                    let said = value.as_str().filter(|text| read.value != **text).map(str::to_owned);
                    let recast = value.is_number() && read.value.is_string() && field.options.is_empty();
                    let hint = self.hint(path);
                    Node::Leaf(Box::new(Leaf { verbatim: said, hint, was_number: recast, ..read }))
                }
            },
            Err(wanted) => Node::Failed(format!("{label} must be {wanted}{}", scalar::describe_value(value))),
        }
    }

    fn hint(&self, path: &str) -> Option<CitedSpan> {
        let citation = self.citations.get(path)?;
        let document = *self.documents.get(citation.document)?;
        // Neither sure nor unsure.
        let confidence = if citation.confidence.is_nan() { 0.5 } else { citation.confidence.clamp(0.0, 1.0) };
        Some(CitedSpan { document, start: citation.start, end: citation.end, confidence })
    }
}

/// The message for a list of `count` entries outside the field's limits; `None` when it is within them.
pub(super) fn count_rule(field: &Field, count: usize) -> Option<String> {
    rules::check_count(field, count, &format!("'{}'", field.name))
}

/// Whether a value of the right type satisfies every rule of its field.
pub(super) fn satisfies_rules(field: &Field, value: &Value) -> bool {
    broken_rule(field, value).is_none()
}

/// The message for the first rule that a value of the right type breaks.
pub(super) fn broken_rule(field: &Field, value: &Value) -> Option<String> {
    rules::check_value(field, value, &format!("'{}'", field.name))
}

pub(super) use measure::of_unit;
pub(super) use union::read_leaf;

fn not_an_object(value: &Value, label: &str) -> Node {
    Node::Failed(format!("{label} must be an object{}", scalar::describe_value(value)))
}
