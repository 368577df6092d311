//! How a model gets a schema: enforced, split over several requests, or in the prompt.

use serde_json::{Map, Value};

use super::compile::{UnsupportedSchema, compile_value};
use super::{Dialect, RootKind};
use crate::{ChatRequest, ResponseSchema};

/// Maximum requests that one schema is split into. Bounds the cost. Chosen by hand; no measurement is
/// recorded.
const MAX_QUESTIONS: usize = 32;
/// Keywords of an object that prevent splitting it by its properties.
const BINDING: &[&str] = &["allOf", "anyOf", "oneOf", "not", "if", "$ref", "enum", "const"];

/// One request for the schema or for a part of it.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) schema: ResponseSchema,
    /// Why the model cannot enforce the schema, which is only in the prompt then.
    pub(super) unsupported: Option<UnsupportedSchema>,
}

impl Question {
    pub(super) fn root(&self) -> RootKind {
        RootKind::of(&self.schema.schema)
    }

    /// The request with this question's schema.
    pub(super) fn to_request(&self, request: &ChatRequest, dialects: &[Dialect]) -> ChatRequest {
        let mut request = request.clone();
        set_response_schema(&mut request, self.schema.clone(), dialects);
        request
    }
}

/// Adds a schema to a request. It is enforced if all dialects can express it. It is in the prompt if one
/// cannot, or if a server may not enforce it.
pub fn set_response_schema(request: &mut ChatRequest, schema: ResponseSchema, dialects: &[Dialect]) {
    let is_held = fits(&schema.schema, dialects).is_ok();
    // Own servers do not show the schema to the model, and some do not enforce it.
    if !is_held || dialects.contains(&Dialect::Lenient) {
        let condition = if request.tools.is_offered() { "When you call no tool, answer" } else { "Answer" };
        let told = format!(
            "{condition} with one JSON value that fits this JSON Schema, and with nothing else:\n{}",
            schema.schema
        );
        let system = request.system.take().filter(|system| !system.trim().is_empty());
        request.system = Some(system.map_or(told.clone(), |system| format!("{system}\n\n{told}")));
    }
    request.response_schema = is_held.then_some(schema);
}

/// Whether all dialects can express the schema.
///
/// # Errors
/// The reason of the first dialect that cannot.
pub fn fits(schema: &Value, dialects: &[Dialect]) -> Result<(), UnsupportedSchema> {
    dialects.iter().try_for_each(|dialect| compile_value(schema, *dialect).map(drop))
}

/// The questions that together cover the schema, in order.
pub(super) fn questions(wanted: &ResponseSchema, dialects: &[Dialect]) -> Vec<Question> {
    match fits(&wanted.schema, dialects) {
        Ok(()) => vec![Question { schema: wanted.clone(), unsupported: None }],
        Err(why) => {
            let parts =
                matches!(why, UnsupportedSchema::TooWide { .. }).then(|| split(wanted, dialects)).flatten();
            parts.unwrap_or_else(|| vec![Question { schema: wanted.clone(), unsupported: Some(why) }])
        }
    }
}

/// Splits the schema by its properties, with as many per part as all dialects accept. `None` if it cannot be
/// split or needs more than [`MAX_QUESTIONS`] parts.
fn split(wanted: &ResponseSchema, dialects: &[Dialect]) -> Option<Vec<Question>> {
    let root = wanted.schema.as_object()?;
    let properties = root.get("properties")?.as_object()?;
    if BINDING.iter().any(|keyword| root.contains_key(*keyword)) {
        return None;
    }
    let mut parts: Vec<Value> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for name in properties.keys() {
        names.push(name);
        let grown = part(root, properties, &names);
        if fits(&grown, dialects).is_ok() {
            match parts.last_mut().filter(|_| names.len() > 1) {
                Some(last) => *last = grown,
                None => parts.push(grown),
            }
            continue;
        }
        names = vec![name];
        let alone = part(root, properties, &names);
        fits(&alone, dialects).ok()?;
        parts.push(alone);
        if parts.len() > MAX_QUESTIONS {
            return None;
        }
    }
    let name = &wanted.name;
    Some(
        parts
            .into_iter()
            .map(|schema| Question {
                schema: ResponseSchema { name: name.clone(), schema },
                unsupported: None,
            })
            .collect(),
    )
}

/// The schema with some of its properties.
fn part(root: &Map<String, Value>, properties: &Map<String, Value>, names: &[&str]) -> Value {
    let mut part = Map::new();
    for (keyword, value) in root {
        let kept = match keyword.as_str() {
            "properties" => {
                let chosen = names
                    .iter()
                    .filter_map(|name| Some(((*name).to_owned(), properties.get(*name)?.clone())));
                Value::Object(chosen.collect())
            }
            "required" => {
                let all = value.as_array().into_iter().flatten();
                all.filter(|name| name.as_str().is_some_and(|name| names.contains(&name))).cloned().collect()
            }
            // These count or relate properties across parts; the merged answer is validated against them.
            "minProperties" | "maxProperties" | "dependentRequired" | "dependentSchemas" => continue,
            _ => value.clone(),
        };
        part.insert(keyword.clone(), kept);
    }
    Value::Object(part)
}
