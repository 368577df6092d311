//! Typed fields, parsed from a validated schema.

use std::collections::HashMap;

use language::date::DatePrecision;
use language::measure::Unit;
use regex::Regex;
use serde_json::{Map, Value};
use shared_core::Violation;

use super::condition::{Condition, conditions, depths};
use super::example::FormExample;
use super::field_rules::{FieldRule, computed_of, rules_of, scopes};
use super::formats::has_type;
use super::violations::pointer_token;
use super::{compile_pattern, money, pairs, pointer_tokens, union_types, validate_schema};
use crate::expression::Expression;

/// The parsed schema of a form.
#[derive(Clone, Debug)]
pub struct FormSchema {
    /// Top-level fields in asking order: by `order`, then by position.
    pub fields: Vec<Field>,
    /// Names of the top-level fields in written order, which is the order of records.
    pub written_order: Vec<String>,
    /// Documents with their right records.
    pub examples: Vec<FormExample>,
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Name in the record.
    pub name: String,
    /// Position among its siblings in written order, from 0.
    pub position: usize,
    /// Type, with nested fields; that of a union is a string.
    pub kind: FieldType,
    /// The fields of the single types of a union, in the order in which a value is read; empty for any other field.
    pub alternatives: Vec<Field>,
    /// Description for the model.
    pub description: Option<String>,
    /// Instructions for the model alone; a conversation does not show them.
    pub instructions: Option<String>,
    /// Other names under which documents print the value.
    pub aliases: Vec<String>,
    /// Conditions that the record must fulfil.
    pub rules: Vec<FieldRule>,
    /// The expression that gives its value, which is then never asked for.
    pub computed: Option<Expression>,
    /// Whether its absence is an error, if it applies.
    pub required: bool,
    /// Options, without the empty one. Empty when any value is allowed.
    pub options: Vec<String>,
    /// Whether the options include the empty string, which permits an empty field.
    pub may_be_empty: bool,
    /// Conditions under which the field applies; empty when it always does.
    pub when: Vec<Condition>,
    /// For each condition, whether it refers to a sibling instead of a top-level field.
    pub(crate) names_sibling: Vec<bool>,
    /// Length of the longest chain of siblings that must be decided before it.
    pub(crate) dependency_depth: usize,
    /// Value with which a conversation starts; never used for documents.
    pub default: Option<Value>,
    /// Example values, for people and for the model.
    pub examples: Vec<Value>,
    /// Value of the key `format`, such as `date`.
    pub format: Option<String>,
    /// The unit of a number; printed values of other units of its quantity are converted.
    pub unit: Option<Unit>,
    /// How precise a date is.
    pub precision: DatePrecision,
    /// Whether it is the item of a list of pairs that a record has as an object.
    pub(crate) is_pair: bool,
    /// Pattern that a string must match somewhere.
    pub pattern: Option<Regex>,
    /// Smallest number allowed.
    pub minimum: Option<f64>,
    /// Largest number allowed.
    pub maximum: Option<f64>,
    /// Fewest characters allowed.
    pub min_length: Option<u64>,
    /// Most characters allowed.
    pub max_length: Option<u64>,
    /// Fewest items allowed.
    pub min_items: Option<u64>,
    /// Most items allowed.
    pub max_items: Option<u64>,
}

/// The type of a field.
#[derive(Clone, Debug)]
pub enum FieldType {
    /// A string.
    String,
    /// A number.
    Number,
    /// An integer.
    Integer,
    /// A boolean.
    Boolean,
    /// An e-mail address.
    Email,
    /// A calendar date.
    Date,
    /// A web address.
    Url,
    /// A currency of ISO 4217: a part of money.
    Currency,
    /// A list whose items have the type of this field.
    Array(Box<Field>),
    /// An object with these fields in asking order.
    Object(Vec<Field>),
}

impl FieldType {
    /// The name of a type that a union may have; `None` of any other.
    pub(super) fn name(&self) -> Option<&'static str> {
        Some(match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Email => "email",
            Self::Date => "date",
            Self::Url => "url",
            Self::Currency | Self::Array(_) | Self::Object(_) => return None,
        })
    }
}

impl Field {
    /// The field of the single type that a value has, for a union; the field itself for any other.
    #[must_use]
    pub fn of_value(&self, value: &Value) -> &Self {
        let has = |field: &&Self| field.kind.name().is_some_and(|name| has_type(name, value));
        self.alternatives.iter().find(has).unwrap_or(self)
    }

    /// The definition of the values of a map; `None` of any other field.
    #[must_use]
    pub fn map_value(&self) -> Option<&Field> {
        let FieldType::Array(item) = &self.kind else { return None };
        let FieldType::Object(parts) = &item.kind else { return None };
        parts.iter().find(|part| item.is_pair && part.name == pairs::VALUE)
    }

    /// Amount and currency of a field of money, as indices of its parts; `None` of any other field.
    #[must_use]
    pub fn money_parts(&self) -> Option<(usize, usize)> {
        let FieldType::Object(parts) = &self.kind else { return None };
        let currency = parts.iter().position(|part| matches!(part.kind, FieldType::Currency))?;
        Some((parts.iter().position(|part| part.name == money::AMOUNT)?, currency))
    }

    /// Whether the field applies: all conditions of `when` hold. `siblings` are the values of its object or
    /// row, `record` the top level of the record; both are the same for a top-level field. A missing or
    /// `null` value satisfies no condition. Numbers are compared by value, everything else exactly.
    ///
    /// The values are taken as given. A field that does not apply must not have one; see
    /// [`clear_inapplicable`](crate::FormSchema::clear_inapplicable).
    #[must_use]
    pub fn applies(&self, siblings: &Map<String, Value>, record: &Map<String, Value>) -> bool {
        self.when.iter().zip(&self.names_sibling).all(|(condition, is_sibling)| {
            let values = if *is_sibling { siblings } else { record };
            condition.holds(values.get(&condition.field))
        })
    }
}

impl FormSchema {
    /// The field that a JSON pointer into a record points to. An index of a list, or `-` for after its last item,
    /// points to the field of the list's items.
    #[must_use]
    pub fn field_at(&self, pointer: &str) -> Option<&Field> {
        let mut tokens = pointer_tokens(pointer);
        let first = tokens.next()?;
        let mut field = self.fields.iter().find(|field| field.name == first)?;
        for token in tokens {
            field = match &field.kind {
                FieldType::Object(parts) => parts.iter().find(|part| part.name == token)?,
                FieldType::Array(_) if field.map_value().is_some() && !pairs::is_place(&token) => {
                    field.map_value()?
                }
                FieldType::Array(item) if token == "-" || token.parse::<usize>().is_ok() => item,
                _ => return None,
            };
        }
        Some(field)
    }

    /// Validates and parses a schema.
    ///
    /// # Errors
    /// Every violation when the schema is not valid.
    pub fn parse(schema: &Map<String, Value>) -> Result<Self, Vec<Violation>> {
        let violations = validate_schema(&Value::Object(schema.clone()));
        if !violations.is_empty() {
            return Err(violations);
        }
        Ok(Self {
            fields: fields(schema, schema, ""),
            written_order: schema.keys().cloned().collect(),
            examples: Vec::new(),
        })
    }
}

/// The fields of an object of the form; `path` is that of the object by the definitions.
fn fields(form: &Map<String, Value>, definitions: &Map<String, Value>, path: &str) -> Vec<Field> {
    let mut fields: Vec<(f64, Field)> = definitions
        .iter()
        .enumerate()
        .filter_map(|(position, (name, definition))| {
            let definition = definition.as_object()?;
            // Fields without `order` come last.
            let order = definition.get("order").and_then(Value::as_f64).unwrap_or(f64::INFINITY);
            let place = Place { form, siblings: definitions, parent: path };
            let path = format!("{path}/{}", pointer_token(name));
            Some((order, field(name, position, definition, &place, &path)?))
        })
        .collect();
    fields.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut fields: Vec<Field> = fields.into_iter().map(|(_, field)| field).collect();
    set_dependency_depths(&mut fields);
    fields
}

/// Computes [`Field::dependency_depth`] for all siblings.
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

/// Where a definition stands.
struct Place<'a> {
    form: &'a Map<String, Value>,
    siblings: &'a Map<String, Value>,
    /// Path of the object, by the definitions.
    parent: &'a str,
}

fn field(
    name: &str,
    position: usize,
    definition: &Map<String, Value>,
    place: &Place<'_>,
    path: &str,
) -> Option<Field> {
    let text = |key: &str| definition.get(key).and_then(Value::as_str).map(str::to_owned);
    let number = |key: &str| definition.get(key).and_then(Value::as_f64);
    let count = |key: &str| definition.get(key).and_then(Value::as_u64);
    let listed = |key: &str| definition.get(key).and_then(Value::as_array).into_iter().flatten();
    let options = || listed("enum").filter_map(Value::as_str);
    let (when, names_sibling) = conditions(definition, place.siblings);
    let known = scopes(place.form, place.siblings, place.parent);
    let kind = match definition.get("type").and_then(Value::as_str)? {
        "string" | "union" => FieldType::String,
        "number" => FieldType::Number,
        "integer" => FieldType::Integer,
        "boolean" => FieldType::Boolean,
        "email" => FieldType::Email,
        "date" => FieldType::Date,
        "url" => FieldType::Url,
        money::CURRENCY => FieldType::Currency,
        "money" => FieldType::Object(fields(place.form, &money::parts_of(name, definition), path)),
        "map" => {
            let item = pairs::item_of(definition.get("values")?);
            let none = Map::new();
            let place = Place { siblings: &none, ..*place };
            let item = field("items", 0, &item, &place, path)?;
            FieldType::Array(Box::new(Field { is_pair: true, ..item }))
        }
        "array" => {
            let item = definition.get("items")?.as_object()?;
            let none = Map::new();
            let place = Place { siblings: &none, ..*place };
            FieldType::Array(Box::new(field("items", 0, item, &place, path)?))
        }
        "object" => FieldType::Object(fields(place.form, definition.get("properties")?.as_object()?, path)),
        _ => return None,
    };
    let is_number = matches!(kind, FieldType::Number | FieldType::Integer);
    let unit = definition.get("unit").and_then(Value::as_str).and_then(Unit::parse);
    // Bounds of money are those of its amount.
    let own_bounds = !matches!(kind, FieldType::Object(_));
    let precision = text("precision").filter(|_| matches!(kind, FieldType::Date));
    Some(Field {
        name: name.to_owned(),
        position,
        unit: unit.filter(|_| is_number && options().next().is_none()),
        precision: precision.and_then(|name| DatePrecision::of_name(&name)).unwrap_or_default(),
        is_pair: false,
        alternatives: alternatives(name, position, definition, place, path),
        kind,
        description: text("description"),
        instructions: text("instructions").filter(|text| !text.trim().is_empty()),
        aliases: listed("aliases").filter_map(Value::as_str).map(str::to_owned).collect(),
        // The schema is valid, so that nothing is reported.
        rules: rules_of(definition, &known, &mut |_, _| {}),
        computed: computed_of(definition, path, &known).and_then(Result::ok),
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
        minimum: number("minimum").filter(|_| own_bounds),
        maximum: number("maximum").filter(|_| own_bounds),
        min_length: count("minLength"),
        max_length: count("maxLength"),
        min_items: count("minItems"),
        max_items: count("maxItems"),
    })
}

/// The fields of the single types of a union.
fn alternatives(
    name: &str,
    position: usize,
    definition: &Map<String, Value>,
    place: &Place<'_>,
    path: &str,
) -> Vec<Field> {
    if definition.get("type").is_none_or(|kind| kind != "union") {
        return Vec::new();
    }
    let single = union_types::definitions_of(definition);
    single.iter().filter_map(|definition| field(name, position, definition, place, path)).collect()
}
