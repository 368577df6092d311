//! How a schema is put to a model: whole, in several questions, or in words.

use serde_json::{Map, Value};

use super::compile::{UnsupportedSchema, compile_value};
use super::{Dialect, RootKind};
use crate::{ChatRequest, ResponseSchema};

/// Questions that one schema is split into at most.
const MAX_QUESTIONS: usize = 32;
/// Keywords beside which an object cannot be split by its properties.
const BINDING: &[&str] = &["allOf", "anyOf", "oneOf", "not", "if", "$ref", "enum", "const"];

/// One question for a part of a schema, or for the whole.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) schema: ResponseSchema,
    /// Why the model cannot be held to the schema, so that it stands in the prompt alone.
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

/// Lets `request` ask for `schema`: the model is held to it where every dialect can say it; where one
/// cannot, or servers may not enforce it, it stands in the prompt.
pub fn set_response_schema(request: &mut ChatRequest, schema: ResponseSchema, dialects: &[Dialect]) {
    let is_held = fits(&schema.schema, dialects).is_ok();
    // Own servers give the model no sight of the schema, and some do not enforce it.
    if !is_held || dialects.contains(&Dialect::Lenient) {
        let told = format!(
            "Answer with one JSON value that fits this JSON Schema, and with nothing else:\n{}",
            schema.schema
        );
        let system = request.system.take().filter(|system| !system.trim().is_empty());
        request.system = Some(system.map_or(told.clone(), |system| format!("{system}\n\n{told}")));
    }
    request.response_schema = is_held.then_some(schema);
}

/// Whether every dialect can hold a model to the schema.
///
/// # Errors
/// The first dialect's reason why not.
pub fn fits(schema: &Value, dialects: &[Dialect]) -> Result<(), UnsupportedSchema> {
    dialects.iter().try_for_each(|dialect| compile_value(schema, *dialect).map(drop))
}

/// The questions that give an answer to the whole schema, in order.
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

/// The schema by its properties, as many in each part as every dialect takes; `None` where it cannot
/// be split or would need too many parts.
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
            // These count or relate properties of different parts; the merged answer is checked by them.
            "minProperties" | "maxProperties" | "dependentRequired" | "dependentSchemas" => continue,
            _ => value.clone(),
        };
        part.insert(keyword.clone(), kept);
    }
    Value::Object(part)
}
