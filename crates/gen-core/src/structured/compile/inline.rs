//! Replaces references by their targets, so that no dialect needs to support them.

use serde_json::{Map, Value};

use super::super::keywords::{map_children, resolve};
use super::unsupported::{UnsupportedSchema, inexpressible};

// They bound memory and stack: references may double a schema at each level.
/// Maximum schemas after expansion.
const MAX_NODES: usize = 20_000;
/// Maximum depth after expansion.
const MAX_LEVELS: usize = 64;

/// The schema without references and definitions.
pub(super) fn inline_references(root: &Value) -> Result<Value, UnsupportedSchema> {
    Inliner { root, nodes: 0, following: Vec::new() }.schema(root, 0)
}

struct Inliner<'a> {
    root: &'a Value,
    nodes: usize,
    /// The references on the path to the current schema.
    following: Vec<String>,
}

impl Inliner<'_> {
    fn schema(&mut self, schema: &Value, level: usize) -> Result<Value, UnsupportedSchema> {
        self.nodes += 1;
        if self.nodes > MAX_NODES || level > MAX_LEVELS {
            return Err(inexpressible("references that expand beyond the limits", ""));
        }
        let Some(members) = schema.as_object() else { return Ok(schema.clone()) };
        let mut own: Map<String, Value> = members.clone();
        own.retain(|keyword, _| !matches!(keyword.as_str(), "$ref" | "$defs" | "definitions"));
        let own = map_children(&Value::Object(own), |child| self.schema(child, level + 1))?;
        let Some(reference) = members.get("$ref").and_then(Value::as_str) else { return Ok(own) };
        if self.following.iter().any(|known| known == reference) {
            return Err(inexpressible("a recursive schema", reference));
        }
        let target = resolve(self.root, reference)
            .ok_or_else(|| inexpressible("a reference without a target", reference))?;
        self.following.push(reference.to_owned());
        let target = self.schema(target, level + 1)?;
        self.following.pop();
        Ok(merge_keywords(own, target))
    }
}

/// The target of a reference, with the keywords beside the reference.
fn merge_keywords(own: Value, target: Value) -> Value {
    let (Value::Object(own), Value::Object(mut target)) = (&own, target.clone()) else { return target };
    let notes = ["description", "title", "default", "examples", "$comment"];
    let (notes, rules): (Map<_, _>, Map<_, _>) =
        own.clone().into_iter().partition(|(keyword, _)| notes.contains(&keyword.as_str()));
    target.extend(notes);
    if rules.is_empty() {
        return Value::Object(target);
    }
    serde_json::json!({"allOf": [target, rules]})
}
