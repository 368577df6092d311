//! Keywords with subschemas.

use serde_json::Value;

/// Keywords whose value is a schema.
pub(super) const SCHEMA_KEYWORDS: &[&str] =
    &["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"];
/// Keywords whose value is a list of schemas.
pub(super) const LIST: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems"];
/// Keywords whose value maps names to schemas.
pub(super) const MAP: &[&str] =
    &["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// Calls `visit` with each direct subschema of `schema` and its JSON pointer relative to `schema`.
pub(super) fn for_each_child<'a>(schema: &'a Value, mut visit: impl FnMut(String, &'a Value)) {
    let Some(members) = schema.as_object() else { return };
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            (one, inner) if SCHEMA_KEYWORDS.contains(&one) => visit(format!("/{one}"), inner),
            (list, Value::Array(items)) if LIST.contains(&list) => {
                items.iter().enumerate().for_each(|(at, inner)| visit(format!("/{list}/{at}"), inner));
            }
            (map, Value::Object(named)) if MAP.contains(&map) => {
                named.iter().for_each(|(name, inner)| visit(format!("/{map}/{}", token(name)), inner));
            }
            _ => {}
        }
    }
}

/// A copy of `schema` with `change` applied to each direct subschema.
pub(super) fn map_children<E>(
    schema: &Value,
    mut change: impl FnMut(&Value) -> Result<Value, E>,
) -> Result<Value, E> {
    let Some(members) = schema.as_object() else { return Ok(schema.clone()) };
    let mut out = serde_json::Map::new();
    for (keyword, value) in members {
        let changed = match (keyword.as_str(), value) {
            (one, inner) if SCHEMA_KEYWORDS.contains(&one) => change(inner)?,
            (list, Value::Array(items)) if LIST.contains(&list) => {
                Value::Array(items.iter().map(&mut change).collect::<Result<_, E>>()?)
            }
            (map, Value::Object(named)) if MAP.contains(&map) => {
                let named = named.iter().map(|(name, inner)| Ok((name.clone(), change(inner)?)));
                Value::Object(named.collect::<Result<_, E>>()?)
            }
            (_, other) => other.clone(),
        };
        out.insert(keyword.clone(), changed);
    }
    Ok(Value::Object(out))
}

/// One token of a JSON pointer (RFC 6901).
pub(super) fn token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The target of a `$ref` within the document; `None` for an external or dangling one.
pub(super) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let pointer = reference.strip_prefix('#')?;
    if pointer.is_empty() {
        return Some(root);
    }
    root.pointer(&percent_decoded(pointer)?)
}

fn percent_decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (high, low) = (digit(rest.next())?, digit(rest.next())?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}
