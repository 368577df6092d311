//! Alternatives: `anyOf` and `oneOf`.

use serde_json::{Map, Value, json};

use super::keywords::options;
use super::node::{Walk, object_of};
use super::reference::ResolvedSchema;

/// Removes the alternatives from the keywords; `None` where there are none.
pub(super) fn alternatives(keywords: &mut Map<String, Value>) -> Option<Vec<Value>> {
    ["anyOf", "oneOf"].into_iter().find_map(|keyword| match keywords.get(keyword) {
        Some(Value::Array(all)) if !all.is_empty() => {
            let all = all.clone();
            keywords.shift_remove(keyword);
            Some(all)
        }
        _ => None,
    })
}

/// The definition of a field with these alternatives. `common` are the keywords beside them.
pub(super) fn convert(
    walk: &mut Walk<'_>,
    common: Map<String, Value>,
    alternatives: &[Value],
    path: &str,
    depth: usize,
) -> Option<Map<String, Value>> {
    let mut found: Vec<ResolvedSchema> = Vec::new();
    for (at, alternative) in alternatives.iter().enumerate() {
        let Some(resolved) = walk.resolved(alternative, &format!("{path}/anyOf/{at}")) else { continue };
        if !is_null(&resolved.keywords) {
            found.push(resolved);
        }
    }
    let kinds: Vec<Kind> = found.iter().map(|schema| kind(&schema.keywords)).collect();
    let is = |wanted: Kind| kinds.iter().all(|kind| *kind == wanted);
    if found.len() > 1 && is(Kind::Object) {
        return objects(walk, &common, found, path, depth);
    }
    let merged = match found.len() {
        0 | 1 => found.pop()?,
        _ if is(Kind::Options) => {
            let all: Vec<Value> =
                found.iter().filter_map(|schema| options(&schema.keywords)).flatten().collect();
            ResolvedSchema {
                keywords: Map::from_iter([("enum".to_owned(), json!(all))]),
                references: Vec::new(),
            }
        }
        _ => chosen(walk, found, &kinds, path),
    };
    let mut keywords = merged.keywords;
    // What stands beside the alternatives names this field; what stands in one names its type.
    keywords.extend(common);
    walk.within(merged.references, |walk| walk.definition(&Value::Object(keywords), path, depth))
}

/// What an alternative is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Options,
    Object,
    List,
    Number,
    /// Text with a pattern, as Pydantic writes decimal numbers beside `number`.
    Pattern,
    Other,
}

fn kind(keywords: &Map<String, Value>) -> Kind {
    match keywords.get("type").and_then(Value::as_str) {
        _ if options(keywords).is_some() => Kind::Options,
        Some("object") | None if keywords.get("properties").is_some_and(Value::is_object) => Kind::Object,
        Some("array") => Kind::List,
        Some("number" | "integer") => Kind::Number,
        Some("string") if keywords.contains_key("pattern") => Kind::Pattern,
        _ => Kind::Other,
    }
}

fn is_null(keywords: &Map<String, Value>) -> bool {
    keywords.get("type").is_some_and(|kind| kind == "null")
        || keywords.get("const").is_some_and(Value::is_null)
        || keywords.get("enum").is_some_and(|values| *values == json!([null]))
}

/// The alternative that stands for all: of one value or a list of them the list, of numbers the wider type, of
/// different types text.
fn chosen(walk: &mut Walk<'_>, found: Vec<ResolvedSchema>, kinds: &[Kind], path: &str) -> ResolvedSchema {
    let is_compound = |kind: &Kind| matches!(kind, Kind::List | Kind::Object);
    let of_keywords = |keywords: Value| ResolvedSchema {
        keywords: keywords.as_object().cloned().unwrap_or_default(),
        references: Vec::new(),
    };
    if kinds.iter().all(|kind| matches!(kind, Kind::Number | Kind::Pattern)) && kinds.contains(&Kind::Number)
    {
        let whole =
            found.iter().all(|schema| schema.keywords.get("type").is_some_and(|kind| kind == "integer"));
        return of_keywords(json!({"type": if whole { "integer" } else { "number" }}));
    }
    let compound = kinds.iter().position(is_compound);
    let mut found = found;
    match compound {
        Some(at) => {
            walk.warn(path, "of alternatives of different types the list or object is kept");
            found.swap_remove(at)
        }
        None => {
            let texts =
                found.iter().all(|schema| schema.keywords.get("type").is_some_and(|kind| kind == "string"));
            if !texts {
                walk.warn(path, "of alternatives of different types the field has text");
            }
            of_keywords(json!({"type": "string"}))
        }
    }
}

/// An object with the fields of all alternatives. The property that tells them apart becomes a field with options,
/// on which the fields of single alternatives depend.
fn objects(
    walk: &mut Walk<'_>,
    common: &Map<String, Value>,
    alternatives: Vec<ResolvedSchema>,
    path: &str,
    depth: usize,
) -> Option<Map<String, Value>> {
    let discriminator = discriminator(common, &alternatives);
    if discriminator.is_none() {
        walk.warn(path, "no property with one value in each alternative tells them apart; the object has the fields of all");
    }
    let mut merged = MergedObject::default();
    for (at, alternative) in alternatives.iter().enumerate() {
        let value = discriminator.as_ref().and_then(|(_, values)| values.get(at));
        merged.add(&alternative.keywords, value);
    }
    for name in &merged.different {
        walk.warn(
            path,
            format!("the alternatives define '{name}' differently; the first definition is kept"),
        );
    }
    let references = alternatives.iter().flat_map(|schema| schema.references.clone()).collect();
    let mut fields = walk.within(references, |walk| walk.properties(&merged.properties, None, path, depth));
    let everywhere = alternatives.len();
    for (name, definition) in &mut fields {
        let Some(uses) = merged.uses.get(name) else { continue };
        if let Some((key, values)) = &discriminator {
            if key == name {
                *definition = json!({"type": "string", "enum": values, "required": true});
                continue;
            }
            if uses.count < everywhere {
                definition["when"] = json!({key: uses.values});
            }
        }
        if uses.required == uses.count && (discriminator.is_some() || uses.count == everywhere) {
            definition["required"] = json!(true);
        }
    }
    if fields.is_empty() {
        return None;
    }
    let mut definition = object_of(fields);
    super::keywords::add_rules(walk, &mut definition, common, path);
    Some(definition)
}

/// Name and values of the property with one text in each alternative: the one that OpenAPI's `discriminator` names,
/// else the first.
fn discriminator(
    common: &Map<String, Value>,
    alternatives: &[ResolvedSchema],
) -> Option<(String, Vec<String>)> {
    let properties =
        |schema: &ResolvedSchema| schema.keywords.get("properties").and_then(Value::as_object).cloned();
    let all: Vec<Map<String, Value>> = alternatives.iter().filter_map(properties).collect();
    let named =
        common.get("discriminator").and_then(|found| found.get("propertyName")).and_then(Value::as_str);
    let first = all.first()?;
    named.into_iter().chain(first.keys().map(String::as_str)).find_map(|name| {
        let values: Vec<String> = all
            .iter()
            .filter_map(|properties| match options(properties.get(name)?.as_object()?)?.as_slice() {
                [Value::String(value)] => Some(value.clone()),
                _ => None,
            })
            .collect();
        (values.len() == alternatives.len()).then(|| (name.to_owned(), values))
    })
}

/// How alternatives use a property.
#[derive(Debug, Default)]
struct PropertyUse {
    /// Alternatives that have it.
    count: usize,
    /// Alternatives that require it.
    required: usize,
    /// Values of the discriminator of those that have it.
    values: Vec<String>,
}

/// The properties of several alternatives.
#[derive(Debug, Default)]
struct MergedObject {
    properties: Map<String, Value>,
    uses: std::collections::HashMap<String, PropertyUse>,
    /// Properties whose definitions differ.
    different: Vec<String>,
}

impl MergedObject {
    fn add(&mut self, keywords: &Map<String, Value>, value: Option<&String>) {
        let required = keywords.get("required").and_then(Value::as_array);
        for (name, schema) in keywords.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let usage = self.uses.entry(name.clone()).or_default();
            usage.count += 1;
            usage.required += usize::from(required.is_some_and(|required| required.contains(&json!(name))));
            usage.values.extend(value.cloned());
            let known = self.properties.entry(name.clone()).or_insert_with(|| schema.clone());
            let is_constant =
                |schema: &Value| schema.as_object().is_some_and(|keywords| options(keywords).is_some());
            if known != schema && !is_constant(schema) && !self.different.contains(name) {
                self.different.push(name.clone());
            }
        }
    }
}
