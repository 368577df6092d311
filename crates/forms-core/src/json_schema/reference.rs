//! References within a document, and the schemas that stand in `allOf`.

use serde_json::{Map, Value};

/// Most references and `allOf` that lead to one schema. Generators write three at most.
const MAX_STEPS: usize = 32;

/// A schema without `$ref` and `allOf`.
#[derive(Debug)]
pub(super) struct ResolvedSchema {
    /// Keywords by name, of all schemas that it refers to and of itself.
    pub(super) keywords: Map<String, Value>,
    /// The references that led to it.
    pub(super) references: Vec<String>,
}

/// Why a reference cannot be followed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReferenceError {
    /// It leads out of the document.
    External(String),
    /// Nothing stands there.
    Missing(String),
    /// It leads to a schema that contains it.
    Recursive(String),
    /// Too many lead to one schema.
    TooMany,
}

impl ReferenceError {
    /// The sentence for the user.
    pub(super) fn message(&self) -> String {
        match self {
            Self::External(target) => {
                format!("'$ref' must lead into this document, such as #/$defs/Name, and not to '{target}'")
            }
            Self::Missing(target) => format!("'$ref' leads to '{target}', where nothing stands"),
            Self::Recursive(target) => {
                format!("'{target}' contains itself, which forms cannot; the field is left out")
            }
            Self::TooMany => format!("more than {MAX_STEPS} references lead to one schema"),
        }
    }
}

/// Follows `$ref` and merges `allOf`. `open` are the references within which the schema stands.
pub(super) fn resolve(
    root: &Value,
    schema: &Map<String, Value>,
    open: &[String],
) -> Result<ResolvedSchema, ReferenceError> {
    let mut resolved = ResolvedSchema { keywords: Map::new(), references: Vec::new() };
    let mut steps = 0;
    merge(root, schema, open, &mut resolved, &mut steps)?;
    Ok(resolved)
}

/// Adds the keywords of `schema`, and before them those of what it refers to, which they replace.
fn merge(
    root: &Value,
    schema: &Map<String, Value>,
    open: &[String],
    resolved: &mut ResolvedSchema,
    steps: &mut usize,
) -> Result<(), ReferenceError> {
    *steps += 1;
    if *steps > MAX_STEPS {
        return Err(ReferenceError::TooMany);
    }
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        if open.iter().chain(&resolved.references).any(|other| other == target) {
            return Err(ReferenceError::Recursive(target.to_owned()));
        }
        resolved.references.push(target.to_owned());
        merge(root, find(root, target)?, open, resolved, steps)?;
    }
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        if let Some(part) = part.as_object() {
            merge(root, part, open, resolved, steps)?;
        }
    }
    for (keyword, value) in schema.iter().filter(|(keyword, _)| !matches!(keyword.as_str(), "$ref" | "allOf"))
    {
        add(&mut resolved.keywords, keyword, value);
    }
    Ok(())
}

/// Adds a keyword. Properties and required names of several schemas add up; of everything else the last counts.
fn add(keywords: &mut Map<String, Value>, keyword: &str, value: &Value) {
    match (keywords.get_mut(keyword), value) {
        (Some(Value::Object(all)), Value::Object(more)) if keyword == "properties" => {
            all.extend(more.iter().map(|(name, schema)| (name.clone(), schema.clone())));
        }
        (Some(Value::Array(all)), Value::Array(more)) if keyword == "required" => {
            all.extend(more.iter().cloned());
        }
        _ => {
            keywords.insert(keyword.to_owned(), value.clone());
        }
    }
}

/// The schema at a JSON pointer in a fragment (RFC 6901, section 6). `%` sequences are not decoded: generators
/// of schemas write none.
fn find<'a>(root: &'a Value, target: &str) -> Result<&'a Map<String, Value>, ReferenceError> {
    let Some(pointer) = target.strip_prefix('#') else {
        return Err(ReferenceError::External(target.to_owned()));
    };
    let found = root.pointer(pointer).and_then(Value::as_object);
    found.ok_or_else(|| ReferenceError::Missing(target.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn resolved(root: &Value, schema: Value) -> Result<Value, ReferenceError> {
        let found = resolve(root, schema.as_object().unwrap(), &["#/$defs/open".to_owned()]);
        found.map(|found| Value::Object(found.keywords))
    }

    #[test]
    fn references_are_followed_and_parts_are_merged() {
        let root = json!({"$defs": {
            "a b/c": {"type": "string", "title": "A"}, "next": {"$ref": "#/$defs/a b~1c"},
            "one": {"properties": {"x": {}}, "required": ["x"]}, "open": {}, "round": {"$ref": "#/$defs/round"}
        }});
        assert_eq!(
            resolved(&root, json!({"$ref": "#/$defs/next", "title": "B"})),
            Ok(json!({"type": "string", "title": "B"}))
        );
        let both = json!({"allOf": [{"$ref": "#/$defs/one"}, {"properties": {"y": {}}, "required": ["y"]}], "type": "object"});
        assert_eq!(
            resolved(&root, both),
            Ok(json!({"properties": {"x": {}, "y": {}}, "required": ["x", "y"], "type": "object"}))
        );
        let failure = |target: &str| resolved(&root, json!({"$ref": target})).unwrap_err();
        assert_eq!(failure("#/$defs/none"), ReferenceError::Missing("#/$defs/none".to_owned()));
        assert_eq!(
            failure("https://example.com/a"),
            ReferenceError::External("https://example.com/a".to_owned())
        );
        assert_eq!(failure("#/$defs/open"), ReferenceError::Recursive("#/$defs/open".to_owned()));
        assert_eq!(failure("#/$defs/round"), ReferenceError::Recursive("#/$defs/round".to_owned()));
        let deep = (0..40).fold(json!({}), |below, _| json!({"allOf": [below]}));
        assert_eq!(resolved(&root, deep), Err(ReferenceError::TooMany));
    }
}
