//! Reads the fields of a JSON Schema.

use forms_core::labels::{Concepts, DATE_QUALIFIERS, PARTY_QUALIFIERS, concepts};
use language::date::DatePrecision;
use language::fold::fold_phrase;
use serde_json::Value;

use super::kind::{FieldKind, Output, kind_of};

/// Maximum levels of nesting. Bounds the stack; forms have seven (`forms_core::MAX_DEPTH`).
const MAX_DEPTH: usize = 16;

#[derive(Clone, Debug)]
pub(crate) enum SchemaNode {
    Leaf(Leaf),
    Object(Vec<(String, SchemaNode)>),
    List(Box<SchemaNode>),
}

/// A scalar field.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) kind: FieldKind,
    /// The type of the JSON value.
    pub(crate) output: Output,
    pub(crate) concepts: Concepts,
    /// Its name and its description as [`fold_phrase`] writes them, with the name of the enclosing object before them,
    /// and its aliases.
    pub(crate) labels: Vec<String>,
    /// The allowed options; empty without an `enum`.
    pub(crate) options: Vec<String>,
    /// Whether the number is the amount of a sum of money, which is an object.
    pub(crate) is_money: bool,
    /// The leaf of a date, for a text that may be one.
    pub(crate) date: Option<Box<Leaf>>,
}

impl SchemaNode {
    pub(crate) fn read(schema: &Value) -> Self {
        read("", "", schema, MAX_DEPTH)
    }

    /// The scalar part of an object's schema with a name.
    pub(crate) fn part(&self, name: &str) -> Option<&Leaf> {
        let Self::Object(parts) = self else { return None };
        parts.iter().find_map(|(own, part)| match part {
            Self::Leaf(leaf) if own == name => Some(leaf),
            _ => None,
        })
    }
}

/// `parent` is the name of the enclosing object, which says whom its fields concern.
fn read(parent: &str, name: &str, schema: &Value, depth: usize) -> SchemaNode {
    match type_of(schema) {
        "object" if schema.get("format").is_some_and(|format| format == "money") => {
            let leaf = leaf(parent, name, "number", schema);
            let kind = if leaf.kind == FieldKind::Number { FieldKind::Money } else { leaf.kind };
            SchemaNode::Leaf(Leaf { kind, is_money: true, ..leaf })
        }
        "object" if depth > 0 => {
            let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
            SchemaNode::Object(
                properties
                    .map(|(part_name, part)| (part_name.clone(), read(name, part_name, part, depth - 1)))
                    .collect(),
            )
        }
        "array" if depth > 0 => {
            let item = schema.get("items").unwrap_or(&Value::Null);
            // The columns of a table have names of their own.
            let name = if type_of(item) == "object" { "" } else { name };
            SchemaNode::List(Box::new(read("", name, item, depth - 1)))
        }
        kind => {
            let date = date_of(schema).map(|date| Box::new(leaf(parent, name, "string", &date)));
            SchemaNode::Leaf(Leaf { date, ..leaf(parent, name, kind, schema) })
        }
    }
}

/// The schema as that of a date, where an alternative is one.
fn date_of(schema: &Value) -> Option<Value> {
    let mut alternatives = schema.get("anyOf")?.as_array()?.iter();
    let format = alternatives.find_map(|one| one.get("format").filter(|format| *format == "date"))?;
    let mut date = schema.clone();
    date["format"] = format.clone();
    Some(date)
}

/// The type, apart from `null`.
fn type_of(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(kind)) => kind,
        Some(Value::Array(kinds)) => {
            kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null").unwrap_or("string")
        }
        _ => "string",
    }
}

fn leaf(parent: &str, name: &str, kind: &str, schema: &Value) -> Leaf {
    let text = |key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default();
    let options = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let options: Vec<String> =
        options.filter_map(Value::as_str).filter(|o| !o.is_empty()).map(str::to_owned).collect();
    let format = text("format");
    let output = match (kind, format) {
        ("number", _) => Output::Number,
        ("integer", _) => Output::Integer,
        ("boolean", _) => Output::Boolean,
        (_, "date") => {
            match DatePrecision::of_name(text("precision")).filter(|one| *one != DatePrecision::Day) {
                Some(precision) => Output::ReducedDate(precision),
                None => Output::IsoDate,
            }
        }
        (_, "date-time") => Output::DateTime,
        _ => Output::Verbatim,
    };
    let own = concepts(name, text("description"));
    let aliases = schema.get("aliases").and_then(Value::as_array).into_iter().flatten();
    let aliases: Vec<&str> = aliases.filter_map(Value::as_str).collect();
    let mut concepts =
        concepts(&format!("{parent} {name}"), text("description")).with_aliases(aliases.iter().copied());
    let kind = match kind_of(output, format, &own) {
        _ if !options.is_empty() => FieldKind::Enum,
        // A measure is no amount of money, whatever it is called.
        _ if schema.get("unit").is_some() => FieldKind::Number,
        // A field `name` has the kind of its enclosing object.
        FieldKind::Text if own.words.iter().all(|word| word == "name") => kind_of(output, format, &concepts),
        kind => kind,
    };
    match kind {
        FieldKind::Date => concepts.require_roles(text("description"), DATE_QUALIFIERS),
        FieldKind::Organisation | FieldKind::Address => {
            concepts.require_roles(text("description"), PARTY_QUALIFIERS)
        }
        _ => {}
    }
    let phrases = [name, text("description")].map(|words| fold_phrase(&format!("{parent} {words}")));
    let phrases = phrases.into_iter().chain(aliases.into_iter().map(fold_phrase));
    let labels = phrases.filter(|label| label.contains(char::is_alphabetic)).collect();
    Leaf { kind, output, concepts, labels, options, is_money: false, date: None }
}
