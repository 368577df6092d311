//! From a model's object to the form's tree: every value put into its field's type and checked
//! against its field's rules. It must not know texts or prompts.

pub(super) mod leaf;
mod rules;

use std::collections::HashMap;

use gen_core::Citation;
use serde_json::{Map, Value};

use super::answer;
use super::node::{Fields, Hint, Leaf, Node, pointer_token};
use super::text::Convention;
use super::text::fold::folded;
use crate::{Field, FieldType};

/// Items of one array that are kept.
const MAX_ITEMS: usize = 100_000;

/// Reads a model's values.
#[derive(Debug)]
pub(super) struct Coercion<'a> {
    /// How the documents print numbers and dates.
    pub(super) convention: Convention,
    /// The model's citations by pointer.
    pub(super) citations: HashMap<&'a str, &'a Citation>,
    /// For each document of the request, its index in the group.
    pub(super) documents: &'a [usize],
    /// Whether the answer was cut off, so that what is missing was not left out on purpose.
    pub(super) cut: bool,
}

impl Coercion<'_> {
    /// The nodes of `fields`, in their order.
    pub(super) fn record(&self, fields: &[Field], object: &Map<String, Value>) -> Vec<Node> {
        self.parts(fields, unwrapped(fields, object), "")
    }

    fn parts(&self, fields: &[Field], object: &Map<String, Value>, path: &str) -> Vec<Node> {
        let read = |field: &Field| {
            let label = format!("'{}'", field.name);
            match member(object, &field.name) {
                Some((key, value)) => {
                    self.node(field, value, &format!("{path}/{}", pointer_token(key)), &label)
                }
                None if self.cut => Node::Failed(format!("{label} is missing, since the answer was cut off")),
                None => Node::Absent,
            }
        };
        fields.iter().map(read).collect()
    }

    /// What `value`, found at `path` of the answer, makes of `field`.
    fn node(&self, field: &Field, value: &Value, path: &str, label: &str) -> Node {
        match (Fields::of(field), value) {
            (_, Value::Null) => Node::Absent,
            (Fields::Items(_) | Fields::Parts(_), Value::String(text)) => match answer::nested(text) {
                Some(inner) => self.node(field, &inner, path, label),
                None if text.trim().is_empty() => Node::Absent,
                None => self.single(field, value, path, label),
            },
            (Fields::Items(item), Value::Array(items)) => self.list(field, item, items, path, label),
            (Fields::Parts(parts), Value::Object(object)) => {
                let nodes = self.parts(parts, object, path);
                let empty = nodes.iter().all(|node| *node == Node::Absent);
                if empty { Node::Absent } else { Node::Group(nodes) }
            }
            _ => self.single(field, value, path, label),
        }
    }

    /// A value that is no container.
    fn single(&self, field: &Field, value: &Value, path: &str, label: &str) -> Node {
        match Fields::of(field) {
            // One item where a list was asked for.
            Fields::Items(item) => self.list(field, item, std::slice::from_ref(value), path, label),
            Fields::Parts(_) => Node::Failed(format!("{label} must be an object{}", leaf::instead(value))),
            Fields::None => self.leaf(field, value, path, label),
        }
    }

    fn list(&self, field: &Field, item: &Field, items: &[Value], path: &str, label: &str) -> Node {
        let entry = match item.kind {
            FieldType::Object(_) | FieldType::Array(_) => label.to_owned(),
            _ => format!("an entry of {label}"),
        };
        let read =
            |(index, value): (usize, &Value)| self.node(item, value, &format!("{path}/{index}"), &entry);
        let items: Vec<Node> =
            items.iter().take(MAX_ITEMS).enumerate().map(read).filter(|node| *node != Node::Absent).collect();
        let problem = rules::items(field, items.len(), label);
        Node::List { items, problem }
    }

    fn leaf(&self, field: &Field, value: &Value, path: &str, label: &str) -> Node {
        match leaf::read(field, value, self.convention) {
            Ok(None) => Node::Absent,
            Ok(Some(read)) => match rules::value(field, &read, label) {
                Some(message) => Node::Failed(message),
                None => {
                    let said = value.as_str().filter(|text| read != **text).map(str::to_owned);
                    Node::Leaf(Box::new(Leaf { value: read, said, hint: self.hint(path), evidence: None }))
                }
            },
            Err(wanted) => Node::Failed(format!("{label} must be {wanted}{}", leaf::instead(value))),
        }
    }

    fn hint(&self, path: &str) -> Option<Hint> {
        let citation = self.citations.get(path)?;
        let document = *self.documents.get(citation.document)?;
        let confidence = if citation.confidence.is_nan() { 0.5 } else { citation.confidence.clamp(0.0, 1.0) };
        Some(Hint { document, start: citation.start, end: citation.end, confidence })
    }
}

/// The sentence about a list of `count` entries that is too short or too long for its field.
pub(super) fn count_rule(field: &Field, count: usize) -> Option<String> {
    rules::items(field, count, &format!("'{}'", field.name))
}

/// The member for a field: under its name, or under one that differs in case and punctuation only.
fn member<'o>(object: &'o Map<String, Value>, name: &'o str) -> Option<(&'o str, &'o Value)> {
    if let Some(value) = object.get(name) {
        return Some((name, value));
    }
    let wanted = folded(name);
    let mut alike =
        object.iter().filter(|(key, _)| key.len() < 1024 && !wanted.is_empty() && folded(key) == wanted);
    match (alike.next(), alike.next()) {
        (Some((key, value)), None) => Some((key.as_str(), value)),
        _ => None,
    }
}

/// The object itself, or the one inside it where a model wrapped the record once more.
fn unwrapped<'o>(fields: &[Field], object: &'o Map<String, Value>) -> &'o Map<String, Value> {
    let knows =
        |object: &Map<String, Value>| fields.iter().any(|field| member(object, &field.name).is_some());
    if knows(object) {
        return object;
    }
    match object.values().next().and_then(Value::as_object) {
        Some(inner) if object.len() == 1 && knows(inner) => inner,
        _ => object,
    }
}
