//! A schema in normal form: `allOf` merged, `null` separate, types explicit, alternatives as branches.

use serde_json::{Map, Value};

use super::unsupported::{UnsupportedSchema, inexpressible};

/// Constraints: keywords that only forbid values.
const NARROWING: &[&str] = &[
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "not",
    "if",
    "then",
    "else",
];

/// One schema in normal form; its subschemas are unchanged.
#[derive(Clone, Debug)]
pub(super) struct NormalSchema {
    members: Map<String, Value>,
    /// Types without `null`; empty for any.
    pub(super) types: Vec<String>,
    /// Whether `null` is allowed.
    pub(super) nullable: bool,
    /// The values of `enum` or `const`, without `null`.
    pub(super) options: Option<Vec<Value>>,
    /// Alternatives, instead of types.
    pub(super) branches: Vec<NormalSchema>,
    /// Whether the format is only in the description.
    pub(super) loose_format: bool,
}

impl NormalSchema {
    /// Normalises a schema without references.
    pub(super) fn read(schema: &Value, path: &str) -> Result<Self, UnsupportedSchema> {
        let members = match schema {
            Value::Object(members) => merge_all_of(members.clone(), path)?,
            Value::Bool(true) => Map::new(),
            _ => return Err(inexpressible("a schema that no value matches", path)),
        };
        let listed = match (members.get("const"), members.get("enum")) {
            (Some(only), _) => Some(vec![only.clone()]),
            (None, Some(Value::Array(options))) => Some(options.clone()),
            _ => None,
        };
        let mut types = types(&members, listed.as_deref());
        let names_null = types.iter().any(|kind| kind == "null");
        types.retain(|kind| kind != "null");
        let lists_null = listed.as_ref().is_none_or(|options| options.iter().any(Value::is_null));
        let options = listed.map(|all| all.into_iter().filter(|o| !o.is_null()).collect::<Vec<_>>());
        if options.iter().flatten().any(|option| option.is_object() || option.is_array()) {
            return Err(inexpressible("a list of options that are objects or lists", path));
        }
        let options = options.filter(|options| !options.is_empty() || !types.is_empty());
        let nullable = names_null && lists_null;
        let mut read = Self { members, types, nullable, options, branches: Vec::new(), loose_format: false };
        read.read_branches(path)?;
        read.collapse_branches(path)
    }

    /// Turns alternatives into branches, unless they only constrain what is beside them.
    fn read_branches(&mut self, path: &str) -> Result<(), UnsupportedSchema> {
        let has_shape =
            ["properties", "items", "prefixItems"].iter().any(|key| self.members.contains_key(*key));
        if self.options.is_some() || has_shape {
            return Ok(());
        }
        let Some(Value::Array(alternatives)) =
            self.members.get("anyOf").or_else(|| self.members.get("oneOf")).cloned()
        else {
            return Ok(());
        };
        for alternative in &alternatives {
            let alternative = self.with_own_type(alternative);
            let mut branch = Self::read(&alternative, path)?;
            self.nullable |= std::mem::take(&mut branch.nullable);
            if branch.is_only_null(&alternative) {
                continue;
            }
            self.branches.push(branch);
        }
        self.types.clear();
        self.members.shift_remove("anyOf");
        self.members.shift_remove("oneOf");
        Ok(())
    }

    /// An alternative with the type that is beside the alternatives.
    fn with_own_type(&self, alternative: &Value) -> Value {
        let mut alternative = alternative.clone();
        if let (Some(kind), Some(members)) = (self.members.get("type"), alternative.as_object_mut()) {
            members.entry("type").or_insert_with(|| kind.clone());
        }
        alternative
    }

    fn is_only_null(&self, schema: &Value) -> bool {
        schema.as_object().is_some_and(|members| !members.is_empty())
            && self.types.is_empty()
            && self.branches.is_empty()
            && self.options.as_ref().is_none_or(Vec::is_empty)
            && (schema.get("type").is_some() || schema.get("const").is_some() || schema.get("enum").is_some())
    }

    /// Replaces a single branch by its schema.
    fn collapse_branches(mut self, path: &str) -> Result<Self, UnsupportedSchema> {
        if self.branches.len() != 1 {
            return Ok(self);
        }
        let Some(mut only) = self.branches.pop() else {
            return Err(inexpressible("a schema that no value matches", path));
        };
        only.nullable |= self.nullable;
        if let Some(description) = self.members.get("description") {
            only.members.insert("description".to_owned(), description.clone());
        }
        Ok(only)
    }

    pub(super) fn keyword(&self, keyword: &str) -> Option<&Value> {
        self.members.get(keyword)
    }

    /// The description; empty without one.
    pub(super) fn description(&self) -> &str {
        self.keyword("description").and_then(Value::as_str).unwrap_or_default()
    }

    /// The constraints, with alternatives where they only constrain.
    pub(super) fn narrowing(&self) -> impl Iterator<Item = (&str, &Value)> {
        let counts = |keyword: &str| {
            NARROWING.contains(&keyword) || (self.branches.is_empty() && matches!(keyword, "anyOf" | "oneOf"))
        };
        self.members.iter().map(|(keyword, value)| (keyword.as_str(), value)).filter(move |(k, _)| counts(k))
    }

    /// Whether it is a single string type, free or with options.
    pub(super) fn is_text(&self) -> bool {
        self.types == ["string"] && self.branches.is_empty()
    }
}

/// The allowed types, explicit or inferred from other keywords; empty for any.
fn types(members: &Map<String, Value>, options: Option<&[Value]>) -> Vec<String> {
    let named = |kind: &str| vec![kind.to_owned()];
    match members.get("type") {
        Some(Value::String(kind)) => return named(kind),
        Some(Value::Array(kinds)) => {
            return kinds.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        }
        _ => {}
    }
    if let Some(options) = options {
        let mut types: Vec<String> = Vec::new();
        for kind in options.iter().map(type_of) {
            if !types.iter().any(|known| known == kind) {
                types.push(kind.to_owned());
            }
        }
        return types;
    }
    let has = |keywords: &[&str]| keywords.iter().any(|keyword| members.contains_key(*keyword));
    match () {
        () if has(&["properties"]) => named("object"),
        () if has(&["items"]) => named("array"),
        () if has(&["anyOf", "oneOf"]) => Vec::new(),
        () if has(&["minLength", "maxLength", "pattern", "format"]) => named("string"),
        () if has(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]) => {
            named("number")
        }
        () => Vec::new(),
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The keywords with those of `allOf` merged in.
fn merge_all_of(mut own: Map<String, Value>, path: &str) -> Result<Map<String, Value>, UnsupportedSchema> {
    let Some(Value::Array(parts)) = own.shift_remove("allOf") else { return Ok(own) };
    for part in parts {
        let part = match part {
            Value::Object(part) => merge_all_of(part, path)?,
            Value::Bool(true) => continue,
            _ => return Err(inexpressible("a schema that no value matches", path)),
        };
        for (keyword, value) in part {
            join(&mut own, keyword, value, path)?;
        }
    }
    Ok(own)
}

fn join(
    own: &mut Map<String, Value>,
    keyword: String,
    value: Value,
    path: &str,
) -> Result<(), UnsupportedSchema> {
    let clash = || inexpressible("conflicting rules under 'allOf'", path);
    let Some(known) = own.get_mut(&keyword) else {
        own.insert(keyword, value);
        return Ok(());
    };
    match (keyword.as_str(), known, value) {
        (_, known, value) if *known == value => {}
        ("properties", Value::Object(known), Value::Object(more)) => {
            for (name, schema) in more {
                match known.get(&name) {
                    Some(other) if *other != schema => return Err(clash()),
                    _ => drop(known.insert(name, schema)),
                }
            }
        }
        ("required", Value::Array(known), Value::Array(more)) => {
            for name in more {
                if !known.contains(&name) {
                    known.push(name);
                }
            }
        }
        ("additionalProperties", known, Value::Bool(false)) => *known = Value::Bool(false),
        ("additionalProperties", Value::Bool(false), _) => {}
        ("description" | "title" | "default" | "examples" | "$comment", _, _) => {}
        // Of two constraints one is dropped; the local validator enforces both.
        (keyword, _, _) if NARROWING.contains(&keyword) => {}
        _ => return Err(clash()),
    }
    Ok(())
}
