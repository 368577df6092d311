//! Alternatives: `anyOf` and `oneOf`.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::keywords::{SAME, of_name, options};
use super::reference::ResolvedSchema;
use crate::schema::UNION_TYPES;

/// Removes the alternatives from the keywords, with their keyword; `None` where there are none.
pub(super) fn alternatives(keywords: &mut Map<String, Value>) -> Option<(&'static str, Vec<Value>)> {
    let listed = ["anyOf", "oneOf"].into_iter().find_map(|keyword| match keywords.get(keyword) {
        Some(Value::Array(all)) if !all.is_empty() => {
            let all = all.clone();
            keywords.shift_remove(keyword);
            Some((keyword, all))
        }
        _ => None,
    });
    listed.or_else(|| types(keywords))
}

/// The types of a list of plain types as alternatives, each with the format that is for text.
fn types(keywords: &mut Map<String, Value>) -> Option<(&'static str, Vec<Value>)> {
    let kinds = keywords.get("type")?.as_array()?.iter().map(Value::as_str).collect::<Option<Vec<&str>>>()?;
    let plain = |kind: &&str| matches!(*kind, "string" | "number" | "integer" | "boolean" | "null");
    if kinds.iter().filter(|kind| **kind != "null").count() < 2 || !kinds.iter().all(plain) {
        return None;
    }
    let of_type = |kind: &&str| match keywords.get("format").filter(|_| *kind == "string") {
        Some(format) => json!({"type": kind, "format": format}),
        None => json!({"type": kind}),
    };
    let all = kinds.iter().map(of_type).collect();
    keywords.shift_remove("type");
    keywords.shift_remove("format");
    Some(("type", all))
}

/// What several alternatives are together.
#[derive(Debug)]
pub(super) enum Union {
    /// The schema of one that stands for all.
    One(ResolvedSchema),
    /// An object with the fields of all.
    Objects(ObjectUnion),
    /// A value of one of several plain types.
    Types(PlainUnion),
}

/// What the alternatives are together, without those that are only `null`; `None` where none is left. `common` are the
/// keywords beside them. Adds what is lost.
pub(super) fn combine(
    common: &Map<String, Value>,
    alternatives: Vec<ResolvedSchema>,
    lost: &mut Vec<String>,
) -> Option<Union> {
    let mut found: Vec<ResolvedSchema> =
        alternatives.into_iter().filter(|schema| !is_null(&schema.keywords)).collect();
    let kinds: Vec<Kind> = found.iter().map(|schema| kind(&schema.keywords)).collect();
    let is = |wanted: Kind| kinds.iter().all(|kind| *kind == wanted);
    if found.len() > 1 && is(Kind::Object) {
        return Some(Union::Objects(ObjectUnion::new(common, &found, lost)));
    }
    let merged = match found.len() {
        0 | 1 => found.pop()?,
        _ if is(Kind::Options) => {
            let all: Vec<Value> =
                found.iter().filter_map(|schema| options(&schema.keywords)).flatten().collect();
            of_keywords(json!({"enum": all}))
        }
        _ => match plain_types(common, &found) {
            Some(types) => return Some(Union::Types(PlainUnion { types, rules: rules_of(&found) })),
            None => chosen(found, &kinds, lost),
        },
    };
    Some(Union::One(merged))
}

/// A union of plain types.
#[derive(Debug)]
pub(super) struct PlainUnion {
    /// Types of forms.
    pub(super) types: Vec<&'static str>,
    /// The bounds that the alternatives state.
    pub(super) rules: Map<String, Value>,
}

fn rules_of(found: &[ResolvedSchema]) -> Map<String, Value> {
    let first = |key: &&str| found.iter().find_map(|schema| schema.keywords.get(*key));
    SAME.iter().filter_map(|key| Some(((*key).to_owned(), first(key)?.clone()))).collect()
}

/// The types of a union of plain types; `None` where there are others, where a rule of one says more than its type, and
/// where one type has the values of all.
fn plain_types(common: &Map<String, Value>, found: &[ResolvedSchema]) -> Option<Vec<&'static str>> {
    if options(common).is_some() {
        return None;
    }
    let mut types: Vec<&'static str> = Vec::new();
    for schema in found {
        let kind = schema.keywords.get("type").and_then(Value::as_str)?;
        let kind = of_name(kind, &schema.keywords).filter(|kind| UNION_TYPES.contains(kind))?;
        if schema.keywords.contains_key("pattern") || options(&schema.keywords).is_some() {
            return None;
        }
        if !types.contains(&kind) {
            types.push(kind);
        }
    }
    let one_has_all = types.iter().all(|kind| matches!(*kind, "number" | "integer"));
    (types.len() > 1 && !one_has_all).then_some(types)
}

fn of_keywords(keywords: Value) -> ResolvedSchema {
    ResolvedSchema { keywords: keywords.as_object().cloned().unwrap_or_default(), references: Vec::new() }
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
fn chosen(mut found: Vec<ResolvedSchema>, kinds: &[Kind], lost: &mut Vec<String>) -> ResolvedSchema {
    let all_are =
        |name: &str| found.iter().all(|schema| schema.keywords.get("type").is_some_and(|kind| kind == name));
    if kinds.iter().all(|kind| matches!(kind, Kind::Number | Kind::Pattern)) && kinds.contains(&Kind::Number)
    {
        return of_keywords(json!({"type": if all_are("integer") { "integer" } else { "number" }}));
    }
    if let Some(at) = kinds.iter().position(|kind| matches!(kind, Kind::List | Kind::Object)) {
        lost.push("of alternatives of different types the list or object is kept".to_owned());
        return found.swap_remove(at);
    }
    if !all_are("string") {
        lost.push("of alternatives of different types the field has text".to_owned());
    }
    of_keywords(json!({"type": "string"}))
}

/// An object with the fields of all alternatives. The property that tells them apart becomes a field with options,
/// on which the fields of single alternatives depend.
#[derive(Debug, Default)]
pub(super) struct ObjectUnion {
    /// The schemas of all properties by name.
    pub(super) properties: Map<String, Value>,
    /// The references that led to the alternatives.
    pub(super) references: Vec<String>,
    uses: HashMap<String, PropertyUse>,
    /// Name and values of the property that tells them apart.
    discriminator: Option<(String, Vec<String>)>,
    alternatives: usize,
}

impl ObjectUnion {
    fn new(common: &Map<String, Value>, alternatives: &[ResolvedSchema], lost: &mut Vec<String>) -> Self {
        let mut union = Self {
            discriminator: discriminator(common, alternatives),
            alternatives: alternatives.len(),
            references: alternatives.iter().flat_map(|schema| schema.references.clone()).collect(),
            ..Self::default()
        };
        if union.discriminator.is_none() {
            lost.push(
                "no property with one value in each alternative tells them apart; the object has the fields of all"
                    .to_owned(),
            );
        }
        let mut different: Vec<&str> = Vec::new();
        for (at, alternative) in alternatives.iter().enumerate() {
            union.add(&alternative.keywords, at, &mut different);
        }
        let told = |name: &&str| {
            format!("the alternatives define '{name}' differently; the first definition is kept")
        };
        lost.extend(different.iter().map(told));
        union
    }

    /// Adds the properties of an alternative, and the names of those that are defined in another way.
    fn add<'a>(&mut self, keywords: &'a Map<String, Value>, at: usize, different: &mut Vec<&'a str>) {
        let value = self.discriminator.as_ref().and_then(|(_, values)| values.get(at)).cloned();
        let required = keywords.get("required").and_then(Value::as_array);
        for (name, schema) in keywords.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let usage = self.uses.entry(name.clone()).or_default();
            usage.count += 1;
            usage.required += usize::from(required.is_some_and(|required| required.contains(&json!(name))));
            usage.values.extend(value.clone());
            let known = self.properties.entry(name.clone()).or_insert_with(|| schema.clone());
            let is_constant = schema.as_object().is_some_and(|keywords| options(keywords).is_some());
            if known != schema && !is_constant && !different.contains(&name.as_str()) {
                different.push(name);
            }
        }
    }

    /// Adds to the fields on which alternative they depend, and whether they are required there.
    pub(super) fn complete(&self, fields: &mut Map<String, Value>) {
        for (name, definition) in fields {
            let Some(uses) = self.uses.get(name) else { continue };
            if let Some((key, values)) = &self.discriminator {
                if key == name {
                    *definition = json!({"type": "string", "enum": values, "required": true});
                    continue;
                }
                if uses.count < self.alternatives {
                    definition["when"] = json!({key: uses.values});
                }
            }
            let is_known = self.discriminator.is_some() || uses.count == self.alternatives;
            if is_known && uses.required == uses.count {
                definition["required"] = json!(true);
            }
        }
    }
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
