//! From a model's object to the form's tree: every value put into its field's type and checked
//! against its field's rules. It must not know texts or prompts.

pub(super) mod leaf;
mod rules;

use std::collections::HashMap;

use gen_core::{Citation, structured};
use serde_json::{Map, Value};

use super::node::{Fields, Hint, Leaf, Node, pointer_token};
use super::text::Convention;
use super::text::fold::folded;
use crate::{Field, FieldType};

/// Items of one array that are kept.
const MAX_ITEMS: usize = 100_000;

/// Members under unknown names that are compared with the fields.
const MAX_STRANGERS: usize = 64;
/// Bytes of such a name.
const MAX_STRANGER: usize = 256;

/// Reads a model's values.
#[derive(Debug)]
pub(super) struct Coercion<'a> {
    /// How the documents print numbers and dates.
    pub(super) convention: Convention,
    /// The model's citations by pointer.
    pub(super) citations: HashMap<&'a str, &'a Citation>,
    /// For each document of the request, its index in the group.
    pub(super) documents: &'a [usize],
    /// Where the answer was cut off, as a JSON pointer, if it was: what is missing was not left out on
    /// purpose, and lists on the way are not complete.
    pub(super) cut_at: Option<&'a str>,
}

impl Coercion<'_> {
    /// The nodes of `fields`, in their order.
    pub(super) fn record(&self, fields: &[Field], object: &Map<String, Value>) -> Vec<Node> {
        let inner = unwrapped(fields, object);
        if std::ptr::eq(inner, object) {
            return self.parts(fields, object, "");
        }
        // Pointers into the answer begin with the wrapper's name.
        let wrapper =
            object.keys().next().map(|name| format!("/{}", pointer_token(name))).unwrap_or_default();
        self.parts(fields, inner, &wrapper)
    }

    fn parts(&self, fields: &[Field], object: &Map<String, Value>, path: &str) -> Vec<Node> {
        let members = Members::new(fields, object);
        let read = |field: &Field| {
            let label = format!("'{}'", field.name);
            match members.get(&field.name) {
                Some((key, value)) => {
                    self.node(field, value, &format!("{path}/{}", pointer_token(key)), &label)
                }
                None if self.cut_at.is_some() => {
                    Node::Failed(format!("{label} is missing, since the answer was cut off"))
                }
                None => Node::Absent,
            }
        };
        fields.iter().map(read).collect()
    }

    /// What `value`, found at `path` of the answer, makes of `field`.
    fn node(&self, field: &Field, value: &Value, path: &str, label: &str) -> Node {
        match (Fields::of(field), value) {
            (_, Value::Null) => Node::Absent,
            (Fields::Items(_) | Fields::Parts(_), Value::String(text)) => match structured::nested(text) {
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
        let said: Vec<Node> =
            items.iter().take(MAX_ITEMS).enumerate().map(read).filter(|node| *node != Node::Absent).collect();
        if said.is_empty() && !items.is_empty() {
            return Node::Absent;
        }
        let is_cut =
            self.cut_at.and_then(|cut| cut.strip_prefix(path)).is_some_and(|rest| rest.starts_with('/'));
        let problem = match is_cut {
            true => Some(format!("{label} is not complete, since the answer was cut off")),
            false => rules::items(field, said.len(), label),
        };
        Node::List { items: said, problem }
    }

    fn leaf(&self, field: &Field, value: &Value, path: &str, label: &str) -> Node {
        match leaf::read(field, value, self.convention) {
            Ok(None) => Node::Absent,
            Ok(Some(read)) => match rules::value(field, &read, label) {
                Some(message) => Node::Failed(message),
                None => {
                    let said = value.as_str().filter(|text| read != **text).map(str::to_owned);
                    Node::Leaf(Box::new(Leaf {
                        value: read,
                        said,
                        hint: self.hint(path),
                        evidence: None,
                        spot: None,
                    }))
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

/// The members of an object by field.
struct Members<'o> {
    object: &'o Map<String, Value>,
    /// Members under names that no field has, with these folded.
    strangers: Vec<(&'o str, &'o Value, String)>,
}

impl<'o> Members<'o> {
    fn new(fields: &[Field], object: &'o Map<String, Value>) -> Self {
        let known = |name: &str| fields.iter().any(|field| field.name == name);
        let strangers = object
            .iter()
            .filter(|(key, _)| key.len() <= MAX_STRANGER && !known(key))
            .take(MAX_STRANGERS)
            .map(|(key, value)| (key.as_str(), value, folded(key)))
            .collect();
        Self { object, strangers }
    }

    /// The member under the field's name, or under one that differs in case and punctuation only.
    fn get(&self, name: &str) -> Option<(&'o str, &'o Value)> {
        if let Some((key, value)) = self.object.get_key_value(name) {
            return Some((key.as_str(), value));
        }
        if self.strangers.is_empty() {
            return None;
        }
        let wanted = folded(name);
        let mut alike = self.strangers.iter().filter(|(.., folded)| *folded == wanted && !wanted.is_empty());
        match (alike.next(), alike.next()) {
            (Some((key, value, _)), None) => Some((key, value)),
            _ => None,
        }
    }
}

/// The object itself, or the one inside it where a model wrapped the record once more.
fn unwrapped<'o>(fields: &[Field], object: &'o Map<String, Value>) -> &'o Map<String, Value> {
    let knows = |object: &Map<String, Value>| {
        let members = Members::new(fields, object);
        fields.iter().any(|field| members.get(&field.name).is_some())
    };
    match object.values().next().and_then(Value::as_object) {
        Some(inner) if object.len() == 1 && !knows(object) && knows(inner) => inner,
        _ => object,
    }
}
