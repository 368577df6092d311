//! Removes what the grammars of llama.cpp reject: patterns that are not anchored at both ends, and long
//! repetitions.

use serde_json::Value;

use super::super::keywords::map_children;
use super::rule_text;

/// Maximum repetitions; llama.cpp rejects 2,000 and more.
const MAX_REPEATED: u64 = 1_000;

/// The schema without these rules; the description has them in words.
pub(super) fn relax_schema(schema: &Value) -> Value {
    let children: Result<Value, std::convert::Infallible> =
        map_children(schema, |child| Ok(relax_schema(child)));
    let Ok(mut schema) = children;
    let Some(members) = schema.as_object_mut() else { return schema };
    let refused: Vec<(String, Value)> = members
        .iter()
        .filter(|(keyword, value)| is_refused(keyword, value))
        .map(|(keyword, value)| (keyword.clone(), value.clone()))
        .collect();
    if refused.is_empty() {
        return schema;
    }
    members.retain(|keyword, value| !is_refused(keyword, value));
    let told: Vec<(&str, &Value)> =
        refused.iter().map(|(keyword, value)| (keyword.as_str(), value)).collect();
    let own = members.get("description").and_then(Value::as_str).unwrap_or_default();
    let description = rule_text::description(own, &told, "");
    members.insert("description".to_owned(), description.into());
    schema
}

fn is_refused(keyword: &str, value: &Value) -> bool {
    match keyword {
        "pattern" => {
            !value.as_str().is_some_and(|p| p.starts_with('^') && p.ends_with('$') && !p.contains("(?"))
        }
        "minLength" | "maxLength" | "minItems" | "maxItems" => {
            value.as_f64().is_some_and(|count| count > MAX_REPEATED as f64)
        }
        _ => false,
    }
}
