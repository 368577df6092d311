//! Computes fields of a record, and checks the rules between its fields.

use serde_json::{Map, Value};

use super::applicability::any_field;
use super::field_rules::computed_depths;
use super::violations::pointer_token;
use super::{Field, FieldRule, FieldType, FormSchema, pairs, pointer_tokens};
use crate::expression::Operand;

/// A value of a record, or a rule about it, with the values that it depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordFinding {
    /// JSON pointer of the field.
    pub path: String,
    /// For a rule that does not hold, what it requires.
    pub message: String,
    /// JSON pointer of the object that the field is in.
    parent: String,
    /// Path of that object by the definitions.
    parent_path: String,
    /// Paths of the fields that it depends on, by the definitions.
    fields: Vec<String>,
}

impl RecordFinding {
    /// Whether it depends on the value at a pointer of the record, with its [`FormSchema::definition_path`].
    #[must_use]
    pub fn depends_on(&self, pointer: &str, path: &str) -> bool {
        let is_within =
            |whole: &str, part: &str| part.strip_prefix(whole).is_some_and(|rest| rest.starts_with('/'));
        let named = self.fields.iter().any(|field| field == path || is_within(field, path));
        // Of an object's own fields those of this object, not those of the other rows.
        named && (!is_within(&self.parent_path, path) || is_within(&self.parent, pointer))
    }

    /// Names of the top-level fields that it depends on, or stands at.
    #[must_use]
    pub fn top_level_fields(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for path in self.fields.iter().chain([&self.path]) {
            names.extend(pointer_tokens(path).next().filter(|name| !names.contains(name)));
        }
        names
    }
}

fn definition_path(fields: &[Field], pointer: &str) -> String {
    let mut path = String::new();
    let mut tokens = pointer_tokens(pointer);
    let Some(mut field) = tokens.next().and_then(|name| fields.iter().find(|field| field.name == name))
    else {
        return path;
    };
    path.push_str(&format!("/{}", pointer_token(&field.name)));
    for token in tokens {
        match &field.kind {
            FieldType::Array(_) if field.map_value().is_some() && !pairs::is_place(&token) => {
                let Some(value) = field.map_value() else { return path };
                field = value;
                path.push_str(&format!("/{}", pairs::VALUE));
            }
            FieldType::Array(item) => field = item,
            FieldType::Object(parts) => {
                let Some(part) = parts.iter().find(|part| part.name == token) else { return path };
                field = part;
                path.push_str(&format!("/{}", pointer_token(&part.name)));
            }
            _ => return path,
        }
    }
    path
}

impl FormSchema {
    /// The path of a value by the definitions: its pointer without the indices of lists.
    #[must_use]
    pub fn definition_path(&self, pointer: &str) -> String {
        definition_path(&self.fields, pointer)
    }

    /// The form without the fields that are computed.
    #[must_use]
    pub fn without_computed(&self) -> Self {
        let fields = without_computed(&self.fields);
        let is_asked = |name: &&String| fields.iter().any(|field| field.name == **name);
        let written_order = self.written_order.iter().filter(is_asked).cloned().collect();
        Self { written_order, fields, examples: self.examples.clone() }
    }

    /// Whether any field is computed.
    #[must_use]
    pub fn has_computed(&self) -> bool {
        any_field(&self.fields, |field| field.computed.is_some())
    }

    /// Whether any field has rules.
    #[must_use]
    pub fn has_rules(&self) -> bool {
        any_field(&self.fields, |field| !field.rules.is_empty())
    }

    /// Sets the computed fields of a record, in their places; `null` where a value that they need is missing. Returns
    /// those that have a value.
    pub fn compute(&self, record: &mut Map<String, Value>) -> Vec<RecordFinding> {
        if !self.has_computed() {
            return Vec::new();
        }
        *record = with_places(&self.fields, std::mem::take(record));
        let mut paths: Vec<(String, Vec<String>)> = Vec::new();
        computed_paths(&self.fields, "", &mut paths);
        let named: Vec<(&str, &[String])> =
            paths.iter().map(|(path, fields)| (path.as_str(), fields.as_slice())).collect();
        let mut order: Vec<(usize, &str)> = computed_depths(&named)
            .into_iter()
            .zip(&named)
            .filter_map(|(depth, (path, _))| Some((depth?, *path)))
            .collect();
        order.sort_by_key(|(depth, _)| *depth);
        let mut found = Vec::new();
        for (_, path) in order {
            let mut values: Vec<(RecordFinding, Value)> = Vec::new();
            visit(&self.fields, record, record, ("", ""), &mut |place, field, siblings| {
                let own = format!("{}/{}", place.1, pointer_token(&field.name));
                let Some(expression) = field.computed.as_ref().filter(|_| own == path) else { return };
                let value = to_value(field, &expression.evaluate(&scopes(place, siblings, record), 0.0));
                values.push((finding(place, field, expression.fields(), String::new()), value));
            });
            for (finding, value) in values {
                if let Some(slot) = slot(record, &finding.path) {
                    *slot = value;
                    found.extend((!slot.is_null()).then_some(finding));
                }
            }
        }
        found
    }

    /// The rules that a record breaks. A rule of which a value is missing is not broken.
    #[must_use]
    pub fn broken_rules(&self, record: &Map<String, Value>) -> Vec<RecordFinding> {
        let mut found = Vec::new();
        if !self.has_rules() {
            return found;
        }
        visit(&self.fields, record, record, ("", ""), &mut |place, field, siblings| {
            if field.rules.is_empty() || !field.applies(siblings, record) {
                return;
            }
            let scopes = scopes(place, siblings, record);
            for rule in &field.rules {
                if rule.check.evaluate(&scopes, rule.tolerance) == Operand::Bool(false) {
                    found.push(finding(place, field, rule.check.fields(), message(rule, &scopes)));
                }
            }
        });
        found
    }
}

fn message(rule: &FieldRule, scopes: &[&Map<String, Value>]) -> String {
    let sides = rule.check.sides(scopes);
    let shown = sides.map(|(left, right)| format!(" ({left} and {right})")).unwrap_or_default();
    match &rule.message {
        Some(message) => format!("{message}{shown}"),
        None => format!("the rule {} does not hold{shown}", rule.check.source()),
    }
}

fn finding(place: (&str, &str), field: &Field, fields: &[String], message: String) -> RecordFinding {
    RecordFinding {
        path: format!("{}/{}", place.0, pointer_token(&field.name)),
        message,
        parent: place.0.to_owned(),
        parent_path: place.1.to_owned(),
        fields: fields.to_vec(),
    }
}

/// The objects that an expression is evaluated over, as `field_rules::scopes` has their definitions.
fn scopes<'a>(
    place: (&str, &str),
    siblings: &'a Map<String, Value>,
    record: &'a Map<String, Value>,
) -> Vec<&'a Map<String, Value>> {
    if place.0.is_empty() { vec![record] } else { vec![siblings, record] }
}

/// The value of a computed field: `null` unless it has the type of the field.
fn to_value(field: &Field, value: &Operand<'_>) -> Value {
    let value = value.to_json().unwrap_or(Value::Null);
    match field.kind {
        FieldType::Integer if !value.is_i64() && !value.is_u64() => Value::Null,
        _ => value,
    }
}

/// Receives a field with the pointer and the path of its object, and the values of that object.
type FieldVisitor<'v, 'a> = dyn FnMut((&str, &str), &'a Field, &'a Map<String, Value>) + 'v;

/// Visits every field of every object of a record, with the pointer and the path of the object and its values.
fn visit<'a>(
    fields: &'a [Field],
    object: &'a Map<String, Value>,
    record: &'a Map<String, Value>,
    place: (&str, &str),
    visitor: &mut FieldVisitor<'_, 'a>,
) {
    for field in fields {
        visitor(place, field, object);
        let token = pointer_token(&field.name);
        let below = (format!("{}/{token}", place.0), format!("{}/{token}", place.1));
        if let Some(value) = object.get(&field.name) {
            visit_nested(field, value, record, (&below.0, &below.1), visitor);
        }
    }
}

fn visit_nested<'a>(
    field: &'a Field,
    value: &'a Value,
    record: &'a Map<String, Value>,
    place: (&str, &str),
    visitor: &mut FieldVisitor<'_, 'a>,
) {
    match (&field.kind, value) {
        (FieldType::Object(parts), Value::Object(object)) => visit(parts, object, record, place, visitor),
        (FieldType::Array(item), Value::Array(items)) => {
            for (index, value) in items.iter().enumerate() {
                visit_nested(item, value, record, (&format!("{}/{index}", place.0), place.1), visitor);
            }
        }
        _ => {}
    }
}

fn without_computed(fields: &[Field]) -> Vec<Field> {
    let kind = |field: &Field| match &field.kind {
        FieldType::Object(parts) => FieldType::Object(without_computed(parts)),
        FieldType::Array(item) => {
            let item = without_computed(std::slice::from_ref(item)).pop();
            item.map_or_else(|| field.kind.clone(), |item| FieldType::Array(Box::new(item)))
        }
        kind => kind.clone(),
    };
    let asked = fields.iter().filter(|field| field.computed.is_none());
    asked.map(|field| Field { kind: kind(field), ..field.clone() }).collect()
}

/// The paths of the computed fields, with those of the fields that they name.
fn computed_paths(fields: &[Field], path: &str, found: &mut Vec<(String, Vec<String>)>) {
    for field in fields {
        let path = format!("{path}/{}", pointer_token(&field.name));
        found.extend(field.computed.iter().map(|expression| (path.clone(), expression.fields().to_vec())));
        let mut inner = field;
        while let FieldType::Array(item) = &inner.kind {
            inner = item;
        }
        if let FieldType::Object(parts) = &inner.kind {
            computed_paths(parts, &path, found);
        }
    }
}

/// An object with places for its computed fields, in written order.
fn with_places(fields: &[Field], mut object: Map<String, Value>) -> Map<String, Value> {
    let mut written: Vec<&Field> = fields.iter().collect();
    written.sort_by_key(|field| field.position);
    let mut placed = Map::new();
    for field in written {
        match object.remove(&field.name) {
            Some(value) => placed.insert(field.name.clone(), nested_places(field, value)),
            None if field.computed.is_some() => placed.insert(field.name.clone(), Value::Null),
            None => None,
        };
    }
    placed.extend(object);
    placed
}

fn nested_places(field: &Field, value: Value) -> Value {
    match (&field.kind, value) {
        (FieldType::Object(parts), Value::Object(object)) => Value::Object(with_places(parts, object)),
        (FieldType::Array(item), Value::Array(items)) => {
            items.into_iter().map(|value| nested_places(item, value)).collect()
        }
        (_, value) => value,
    }
}

fn slot<'r>(record: &'r mut Map<String, Value>, pointer: &str) -> Option<&'r mut Value> {
    let mut tokens = pointer_tokens(pointer);
    let mut value = record.get_mut(&tokens.next()?)?;
    for token in tokens {
        value = match value {
            Value::Object(object) => object.get_mut(&token)?,
            Value::Array(items) => items.get_mut(token.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(value)
}
