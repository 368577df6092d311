//! Typed fields, read from a schema that is already valid.

use std::collections::HashMap;

use regex::Regex;
use serde_json::{Map, Value};
use shared_core::Violation;

use super::condition::{Condition, conditions, depths};
use super::{compile_pattern, validate_schema};

/// The fields of a form in the order of asking: by `order`, then by position.
#[derive(Clone, Debug)]
pub struct FormSchema {
    /// Top-level fields in asking order.
    pub fields: Vec<Field>,
    /// Names of the top-level fields as the form was written, which is the order of records.
    pub written_order: Vec<String>,
}

/// One field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Name.
    pub name: String,
    /// Place among its siblings as the form was written, from 0, which is their order in records.
    pub position: usize,
    /// Type with what is nested in it.
    pub kind: FieldType,
    /// What the model is told about it.
    pub description: Option<String>,
    /// Whether its absence is an error.
    pub required: bool,
    /// Options, without the empty one.
    pub options: Vec<String>,
    /// Whether the options have the empty one, which permits leaving the field empty.
    pub may_be_empty: bool,
    /// What must hold for the field to apply; empty where it always does.
    pub when: Vec<Condition>,
    /// For each condition, whether it names a sibling rather than a field at the top level.
    pub(crate) names_sibling: Vec<bool>,
    /// How many siblings must be decided before it, one after the other.
    pub(crate) dependency_depth: usize,
    /// What a conversation fills in before it asks; never taken for what a document says.
    pub default: Option<Value>,
    /// Values as they may be, to show to people.
    pub examples: Vec<Value>,
    /// `format`, such as `date`.
    pub format: Option<String>,
    /// Pattern that a string must match somewhere.
    pub pattern: Option<Regex>,
    /// Smallest number.
    pub minimum: Option<f64>,
    /// Largest number.
    pub maximum: Option<f64>,
    /// Fewest characters.
    pub min_length: Option<u64>,
    /// Most characters.
    pub max_length: Option<u64>,
    /// Fewest items.
    pub min_items: Option<u64>,
    /// Most items.
    pub max_items: Option<u64>,
}

/// The type of a field.
#[derive(Clone, Debug)]
pub enum FieldType {
    /// Text.
    String,
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// Yes or no.
    Boolean,
    /// An e-mail address.
    Email,
    /// A calendar date.
    Date,
    /// A web address.
    Url,
    /// A list of one kind of item.
    Array(Box<Field>),
    /// Named parts, in asking order.
    Object(Vec<Field>),
}

impl FormSchema {
    /// Reads a schema.
    ///
    /// # Errors
    /// Every violation, when it is not valid.
    pub fn parse(schema: &Map<String, Value>) -> Result<Self, Vec<Violation>> {
        let violations = validate_schema(&Value::Object(schema.clone()));
        if !violations.is_empty() {
            return Err(violations);
        }
        Ok(Self { fields: fields(schema), written_order: schema.keys().cloned().collect() })
    }
}

fn fields(definitions: &Map<String, Value>) -> Vec<Field> {
    let mut fields: Vec<(f64, Field)> = definitions
        .iter()
        .enumerate()
        .filter_map(|(position, (name, definition))| {
            let definition = definition.as_object()?;
            // Fields without an order come after those with one.
            let order = definition.get("order").and_then(Value::as_f64).unwrap_or(f64::INFINITY);
            Some((order, field(name, position, definition, definitions)?))
        })
        .collect();
    fields.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut fields: Vec<Field> = fields.into_iter().map(|(_, field)| field).collect();
    set_dependency_depths(&mut fields);
    fields
}

/// Notes of each field how many of its siblings it waits for, one after the other.
fn set_dependency_depths(fields: &mut [Field]) {
    let turns = {
        let places: HashMap<&str, usize> =
            fields.iter().enumerate().map(|(at, field)| (field.name.as_str(), at)).collect();
        let waits_for = |field: &Field| -> Vec<usize> {
            field.when.iter().filter_map(|condition| places.get(condition.field.as_str()).copied()).collect()
        };
        depths(&fields.iter().map(waits_for).collect::<Vec<_>>())
    };
    for (field, turn) in fields.iter_mut().zip(turns) {
        field.dependency_depth = turn.unwrap_or_default();
    }
}

fn field(
    name: &str,
    position: usize,
    definition: &Map<String, Value>,
    siblings: &Map<String, Value>,
) -> Option<Field> {
    let text = |key: &str| definition.get(key).and_then(Value::as_str).map(str::to_owned);
    let number = |key: &str| definition.get(key).and_then(Value::as_f64);
    let count = |key: &str| definition.get(key).and_then(Value::as_u64);
    let listed = |key: &str| definition.get(key).and_then(Value::as_array).into_iter().flatten();
    let options = || listed("enum").filter_map(Value::as_str);
    let (when, names_sibling) = conditions(definition, siblings);
    let kind = match definition.get("type").and_then(Value::as_str)? {
        "string" => FieldType::String,
        "number" => FieldType::Number,
        "integer" => FieldType::Integer,
        "boolean" => FieldType::Boolean,
        "email" => FieldType::Email,
        "date" => FieldType::Date,
        "url" => FieldType::Url,
        "array" => {
            let item = definition.get("items")?.as_object()?;
            FieldType::Array(Box::new(field("items", 0, item, &Map::new())?))
        }
        "object" => FieldType::Object(fields(definition.get("properties")?.as_object()?)),
        _ => return None,
    };
    Some(Field {
        name: name.to_owned(),
        position,
        kind,
        description: text("description"),
        required: definition.get("required").and_then(Value::as_bool).unwrap_or(false),
        options: options().filter(|option| !option.is_empty()).map(str::to_owned).collect(),
        may_be_empty: options().any(str::is_empty),
        when,
        names_sibling,
        dependency_depth: 0,
        default: definition.get("default").cloned(),
        examples: listed("examples").cloned().collect(),
        format: text("format"),
        pattern: text("pattern").and_then(|pattern| compile_pattern(&pattern).ok()),
        minimum: number("minimum"),
        maximum: number("maximum"),
        min_length: count("minLength"),
        max_length: count("maxLength"),
        min_items: count("minItems"),
        max_items: count("maxItems"),
    })
}
