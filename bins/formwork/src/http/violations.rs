//! Reports every rule that a JSON body violates in one answer. The operation stops at the first value of a
//! wrong type; validation against its schema adds the other violations.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use actix_web::{HttpMessage as _, HttpRequest};
use bytes::Bytes;
use gen_core::structured::Schema;
use gen_core::suggestions::likely;
use serde_json::{Map, Value};
use shared_core::Violation;

use super::{ApiError, description};

/// Maximum size in bytes of a body that is retained for validation. Larger bodies get only the violations
/// that the operation found.
const MAX_KEPT: usize = 2 << 20;
/// Maximum number of added violations, about what a person would read.
const MAX_FURTHER: usize = 100;
/// Maximum size in bytes of one added violation: a property's name can be as long as the body.
const MAX_TOLD: usize = 500;
/// Most characters of a key in a message.
const MAX_NAME: usize = 100;
/// End of the message on a missing property, in all validators.
const REQUIRED: &str = "is a required property";

/// The body of the request.
struct SentBody(Bytes);

/// Retains the body of a request for validation.
pub(super) fn keep(request: &HttpRequest, body: &Bytes) {
    if body.len() <= MAX_KEPT {
        request.extensions_mut().insert(SentBody(body.clone()));
    }
}

/// Adds all violations of the body's schema to a validation error.
pub(super) fn completed(error: ApiError, operation: &str, request: &HttpRequest) -> ApiError {
    if !error.is_validation() {
        return error;
    }
    let Some(SentBody(bytes)) = request.extensions_mut().remove::<SentBody>() else { return error };
    let (Some(schema), Ok(body)) = (SCHEMAS.get(operation), serde_json::from_slice::<Value>(&bytes)) else {
        return error;
    };
    let told = error.violations();
    let is_short = |found: &Violation| found.path.len() + found.message.len() <= MAX_TOLD;
    let further = schema.schema.validate(&body).into_iter().filter(|found| is_new(found, told)).map(worded);
    let further: Vec<Violation> = further.filter(is_short).take(MAX_FURTHER).collect();
    error.with_further(further).with_reworded(|violation| suggestion(violation, &body, &schema.properties))
}

/// The message on a missing property with the key of the body that most likely is a slip of its name.
fn suggestion(
    Violation { path, message }: &Violation,
    body: &Value,
    known: &HashSet<String>,
) -> Option<String> {
    let missing = message.strip_suffix(REQUIRED)?.trim().trim_matches('\'');
    let sent = body.pointer(path)?.as_object()?;
    let mut slips = sent.keys().filter(|key| !known.contains(*key) && likely(key, [missing]).is_some());
    let slip: String = slips.next()?.chars().take(MAX_NAME).collect();
    Some(format!("{message}; '{slip}' was sent, did you mean '{missing}'?"))
}

/// Whether no violation of this location is reported yet. Each missing property is reported.
fn is_new(found: &Violation, told: &[Violation]) -> bool {
    let absent = |violation: &Violation| violation.message.ends_with(REQUIRED);
    told.iter()
        .filter(|told| told.path == found.path)
        .all(|told| absent(told) && absent(found) && told.message != found.message)
}

/// In the wording of the operations: the name of the property and the rule, not the value.
fn worded(Violation { path, message }: Violation) -> Violation {
    if message.ends_with(REQUIRED) {
        return Violation { path, message };
    }
    let rule = message.split(", not ").next().unwrap_or(&message);
    let last = path.rsplit('/').next().unwrap_or_default();
    let name = match (path.as_str(), last.bytes().all(|byte| byte.is_ascii_digit())) {
        ("", _) => "the body".to_owned(),
        (path, true) => format!("'{path}'"),
        (_, false) => format!("'{last}'"),
    };
    let message = format!("{name} {}", rule.replace("a list", "an array"));
    Violation { path, message }
}

/// The schema of a JSON body.
struct BodySchema {
    schema: Schema,
    /// The names of its properties, nested ones included.
    properties: HashSet<String>,
}

/// The schemas of the JSON bodies by operation id.
static SCHEMAS: LazyLock<HashMap<&'static str, BodySchema>> = LazyLock::new(|| {
    let (operations, definitions) = description();
    let bodies = operations.into_iter().filter_map(|operation| Some((operation.id, operation.body?)));
    let json = bodies.filter(|(_, body)| body.media == "application/json");
    json.filter_map(|(id, body)| {
        let schema = with_definitions(body.schema.to_value(), &definitions);
        let mut properties = HashSet::new();
        property_names(&schema, &mut properties);
        let made = Schema::new("body", schema, "");
        let made =
            made.inspect_err(|broken| tracing::error!(id, ?broken, "a body's schema cannot be checked"));
        Some((id, BodySchema { schema: made.ok()?, properties }))
    })
    .collect()
});

/// The names of all properties that a schema has at any level.
fn property_names(schema: &Value, found: &mut HashSet<String>) {
    match schema {
        Value::Object(parts) => {
            let properties = parts.get("properties").and_then(Value::as_object);
            found.extend(properties.into_iter().flat_map(Map::keys).cloned());
            parts.values().for_each(|part| property_names(part, found));
        }
        Value::Array(items) => items.iter().for_each(|item| property_names(item, found)),
        _ => {}
    }
}

/// The schema with the definitions that it references.
fn with_definitions(mut schema: Value, definitions: &Map<String, Value>) -> Value {
    let mut needed = Map::new();
    let mut open: HashSet<String> = HashSet::new();
    names(&schema, &mut open);
    while let Some(name) = open.iter().next().cloned() {
        open.remove(&name);
        if let Some(definition) = definitions.get(&name).filter(|_| !needed.contains_key(&name)) {
            names(definition, &mut open);
            needed.insert(name, definition.clone());
        }
    }
    if let Some(schema) = schema.as_object_mut().filter(|_| !needed.is_empty()) {
        schema.insert("$defs".to_owned(), Value::Object(needed));
    }
    schema
}

/// The definitions that a schema references directly.
fn names(schema: &Value, found: &mut HashSet<String>) {
    match schema {
        Value::Object(parts) => {
            let reference = parts.get("$ref").and_then(Value::as_str);
            found.extend(
                reference.and_then(|reference| reference.strip_prefix("#/$defs/")).map(str::to_owned),
            );
            parts.values().for_each(|part| names(part, found));
        }
        Value::Array(items) => items.iter().for_each(|item| names(item, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_json_body_can_be_checked_whole() {
        let (operations, _) = description();
        let json = operations
            .into_iter()
            .filter(|one| one.body.as_ref().is_some_and(|body| body.media == "application/json"));
        for operation in json {
            assert!(SCHEMAS.contains_key(operation.id), "{}", operation.id);
        }
    }

    #[test]
    fn a_violation_is_told_in_the_words_of_the_operations_without_the_value() {
        let told = |path: &str, message: &str| worded(Violation::new(path, message)).message;
        assert_eq!(
            told("/a/role", "must be one of 'x', 'y', not 'secret'"),
            "'role' must be one of 'x', 'y'"
        );
        assert_eq!(told("/urls/0", "must be a string, not 1"), "'/urls/0' must be a string");
        assert_eq!(told("", "'a' is a required property"), "'a' is a required property");
    }
}
