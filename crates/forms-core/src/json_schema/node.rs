//! The walk from a JSON Schema to the fields of a form.

use serde_json::{Map, Value, json};
use shared_core::Violation;

use super::definition::{list_of, object_of};
use super::envelope::unwrap;
use super::reference::{ReferenceError, ResolvedSchema, resolve};
use super::union::{PlainUnion, Union};
use super::{FORM_KEYWORD, keywords, pairs, union};
use crate::schema::{MAX_DEPTH, MAX_FIELDS, Violations, pointer_token, validate_schema};

/// Most schemas within each other, alternatives included. Bounds the stack; forms have [`MAX_DEPTH`] levels.
const MAX_NESTING: usize = 48;
/// Most bytes of the texts of a form. References repeat what a document has once; this is the most that a request with a
/// form may have by default (`limits.json_body_bytes`).
const MAX_BYTES: usize = 2 << 20;
/// The field of a document that is a list and not an object.
const LIST_FIELD: &str = "items";

/// A form from a JSON Schema.
#[derive(Clone, Debug, PartialEq)]
pub struct FormImport {
    /// A valid schema of a form.
    pub schema: Map<String, Value>,
    /// What was left out or changed, with its JSON pointer in the JSON Schema; at most
    /// [`MAX_VIOLATIONS`](crate::schema::MAX_VIOLATIONS).
    pub warnings: Vec<Violation>,
}

/// Converts a JSON Schema to the schema of a form.
///
/// # Errors
/// Every violation, with its JSON pointer in `document`, when no form can be made of it.
pub fn from_json_schema(document: &Value) -> Result<FormImport, Vec<Violation>> {
    let (root, path) = unwrap(document);
    if !root.is_object() {
        return Err(vec![Violation::new(path, "a JSON Schema must be an object")]);
    }
    let mut walk = Walk::new(root, path.clone());
    let definition = walk.definition(root, &path, 0).unwrap_or_default();
    let fields = walk.form(definition, &path);
    let errors = walk.errors.into_vec();
    if !errors.is_empty() {
        return Err(errors);
    }
    if fields.is_empty() {
        let message = "the JSON Schema must describe an object with properties, or a list";
        return Err(vec![Violation::new(path, message)]);
    }
    let violations = validate_schema(&Value::Object(fields.clone()));
    if !violations.is_empty() {
        return Err(violations.into_iter().map(|violation| in_form(violation, &path)).collect());
    }
    Ok(FormImport { schema: fields, warnings: walk.warnings.into_vec() })
}

/// A violation of the form, whose place in the JSON Schema is not known.
fn in_form(violation: Violation, path: &str) -> Violation {
    let message = format!("the form would not be valid at '{}': {}", violation.path, violation.message);
    Violation::new(path, message)
}

/// A field, and what the place of its definition must know.
#[derive(Debug)]
struct ImportedField {
    definition: Map<String, Value>,
    /// Whether its value may be `null`.
    nullable: bool,
}

/// The state of a conversion.
#[derive(Debug)]
struct Walk<'a> {
    root: &'a Value,
    /// Path of the root in the document.
    base: String,
    /// References within which the current schema stands.
    open: Vec<String>,
    /// Schemas within which the current one stands.
    nesting: usize,
    /// Fields so far.
    fields: usize,
    /// Bytes of their texts.
    bytes: usize,
    warnings: Violations,
    errors: Violations,
}

impl<'a> Walk<'a> {
    fn new(root: &'a Value, base: String) -> Self {
        Self {
            root,
            base,
            open: Vec::new(),
            nesting: 0,
            fields: 0,
            bytes: 0,
            warnings: Violations::default(),
            errors: Violations::default(),
        }
    }

    /// The fields of the form whose root has this definition.
    fn form(&mut self, mut definition: Map<String, Value>, path: &str) -> Map<String, Value> {
        match definition.get("type").and_then(Value::as_str) {
            Some("object") => match definition.shift_remove("properties") {
                Some(Value::Object(fields)) => fields,
                _ => Map::new(),
            },
            Some("array") => {
                self.warn(path, format!("the list becomes the field '{LIST_FIELD}' of the form"));
                Map::from_iter([(LIST_FIELD.to_owned(), Value::Object(definition))])
            }
            _ => Map::new(),
        }
    }

    /// Tells what is left out or changed.
    fn warn(&mut self, path: &str, message: impl Into<String>) {
        self.warnings.report(path, message);
    }

    fn fail(&mut self, path: &str, message: impl Into<String>) {
        self.errors.report(path, message);
    }

    /// The definition of a field from the schema at `path`, `depth` levels below the form; `None` when it is left
    /// out.
    fn definition(&mut self, schema: &Value, path: &str, depth: usize) -> Option<Map<String, Value>> {
        self.field(schema, path, depth).map(|field| field.definition)
    }

    /// The definition, and whether the value may be `null`.
    fn field(&mut self, schema: &Value, path: &str, depth: usize) -> Option<ImportedField> {
        if depth > MAX_DEPTH + 1 || self.nesting > MAX_NESTING {
            self.fail(path, format!("fields may be nested {MAX_DEPTH} levels deep at most"));
            return None;
        }
        self.fields += 1;
        if self.fields > MAX_FIELDS + 1 {
            if self.fields == MAX_FIELDS + 2 {
                self.fail("", format!("a form may have at most {MAX_FIELDS} fields, nested ones included"));
            }
            return None;
        }
        let resolved = self.resolved(schema, path)?;
        let place = resolved
            .references
            .last()
            .map(|target| format!("{}{}", self.base, target.trim_start_matches('#')));
        let path = place.as_deref().unwrap_or(path);
        let nullable = keywords::is_nullable(&resolved.keywords);
        self.nesting += 1;
        let definition =
            self.within(resolved.references, |walk| walk.keywords(resolved.keywords, path, depth));
        self.nesting -= 1;
        definition.map(|definition| ImportedField { definition, nullable })
    }

    /// The schema without references; `None` when that cannot be had, which is told.
    fn resolved(&mut self, schema: &Value, path: &str) -> Option<ResolvedSchema> {
        // `true` allows every value, `false` none.
        let any = Map::new();
        let written = match schema {
            Value::Object(written) => written,
            Value::Bool(true) => &any,
            Value::Bool(false) => {
                self.warn(path, "no value is allowed here; the field is left out");
                return None;
            }
            _ => {
                self.fail(path, "a JSON Schema must be an object");
                return None;
            }
        };
        match resolve(self.root, written, &self.open) {
            Ok(resolved) => return Some(resolved),
            Err(error @ ReferenceError::Recursive(_)) => self.warn(path, error.message()),
            Err(error) => self.fail(path, error.message()),
        }
        None
    }

    /// Runs `convert` within further references.
    fn within<T>(&mut self, references: Vec<String>, convert: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.open.len();
        self.open.extend(references);
        let result = convert(self);
        self.open.truncate(before);
        result
    }

    /// Converts the keywords of a schema without references.
    fn keywords(
        &mut self,
        mut keywords: Map<String, Value>,
        path: &str,
        depth: usize,
    ) -> Option<Map<String, Value>> {
        // Pydantic writes `anyOf` with `null` for what may be missing, OpenAPI 3.0 `nullable`.
        if let Some((keyword, alternatives)) = union::alternatives(&mut keywords) {
            let all = alternatives.iter().enumerate();
            let found = all.filter_map(|(at, one)| self.resolved(one, &format!("{path}/{keyword}/{at}")));
            let found = found.collect();
            return self.union(keywords, found, path, depth);
        }
        let kind = keywords::kind_of(&mut self.warnings, &keywords, path);
        let mut definition = match kind {
            "object" => self.object(&keywords, path, depth)?,
            "array" => self.array(&keywords, path, depth)?,
            kind => Map::from_iter([("type".to_owned(), json!(kind))]),
        };
        self.add_rules(&mut definition, &keywords, path)?;
        restore(&mut definition, &keywords);
        Some(definition)
    }

    /// Adds all rules but the type and the nested fields; `None` when the form becomes too large.
    fn add_rules(
        &mut self,
        definition: &mut Map<String, Value>,
        keywords: &Map<String, Value>,
        path: &str,
    ) -> Option<()> {
        keywords::add_rules(&mut self.warnings, definition, keywords, path);
        self.bytes += keywords::text_bytes(definition);
        if self.bytes > MAX_BYTES {
            self.fail("", format!("the form would have more than {MAX_BYTES} bytes"));
            // What follows is not read.
            self.fields = MAX_FIELDS + 2;
            return None;
        }
        Some(())
    }

    /// A field with alternatives. `common` are the keywords beside them.
    fn union(
        &mut self,
        common: Map<String, Value>,
        alternatives: Vec<ResolvedSchema>,
        path: &str,
        depth: usize,
    ) -> Option<Map<String, Value>> {
        let mut lost = Vec::new();
        let union = union::combine(&common, alternatives, &mut lost);
        lost.into_iter().for_each(|message| self.warn(path, message));
        match union? {
            Union::One(one) => {
                let mut keywords = one.keywords;
                // What stands beside the alternatives names this field; what stands in one names its type.
                keywords.extend(common);
                self.within(one.references, |walk| walk.definition(&Value::Object(keywords), path, depth))
            }
            Union::Types(PlainUnion { types, rules: mut keywords }) => {
                keywords.extend(common);
                let mut definition =
                    Map::from_iter([("type".to_owned(), json!("union")), ("types".to_owned(), json!(types))]);
                self.add_rules(&mut definition, &keywords, path)?;
                restore(&mut definition, &keywords);
                Some(definition)
            }
            Union::Objects(mut objects) => {
                let references = std::mem::take(&mut objects.references);
                let mut fields =
                    self.within(references, |walk| walk.properties(&objects.properties, None, path, depth));
                objects.complete(&mut fields);
                let mut definition = (!fields.is_empty()).then(|| object_of(fields))?;
                self.add_rules(&mut definition, &common, path)?;
                Some(definition)
            }
        }
    }

    /// A map from any name to a value. `values` is the schema of its values; without one they are text.
    fn map(
        &mut self,
        values: Option<(String, Value)>,
        path: &str,
        depth: usize,
    ) -> Option<Map<String, Value>> {
        let of_text = if values.is_some() { "" } else { " of text" };
        let (place, schema) = values.unwrap_or_else(|| (String::new(), json!({"type": "string"})));
        let value = self.definition(&schema, &format!("{path}/{place}"), depth + 2)?;
        self.warn(path, format!("a map becomes a list of objects with 'key' and 'value'{of_text}"));
        Some(pairs::pairs_of(value))
    }

    fn object(
        &mut self,
        keywords: &Map<String, Value>,
        path: &str,
        depth: usize,
    ) -> Option<Map<String, Value>> {
        let properties = keywords.get("properties").and_then(Value::as_object);
        let values = pairs::value_schema(keywords);
        let fields = match properties.filter(|properties| !properties.is_empty()) {
            Some(properties) => {
                if values.is_some() {
                    self.warn(path, "further properties are left out");
                }
                self.properties(properties, keywords.get("required"), path, depth)
            }
            None => return self.map(values, path, depth),
        };
        if fields.is_empty() {
            return None;
        }
        Some(object_of(fields))
    }

    /// The fields of an object.
    fn properties(
        &mut self,
        properties: &Map<String, Value>,
        required: Option<&Value>,
        path: &str,
        depth: usize,
    ) -> Map<String, Value> {
        let required: Vec<&str> =
            required.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let mut fields = Map::new();
        for (name, schema) in properties {
            let path = format!("{path}/properties/{}", pointer_token(name));
            let Some(ImportedField { mut definition, nullable }) = self.field(schema, &path, depth + 1)
            else {
                continue;
            };
            let stated = |key: &str| schema.get(FORM_KEYWORD).and_then(|stated| stated.get(key)).is_some();
            // A form requires a value; in JSON Schema `null` is one.
            if required.contains(&name.as_str()) && !nullable && !stated("required") {
                definition.insert("required".to_owned(), json!(true));
            }
            fields.insert(name.clone(), Value::Object(definition));
        }
        fields
    }

    fn array(
        &mut self,
        keywords: &Map<String, Value>,
        path: &str,
        depth: usize,
    ) -> Option<Map<String, Value>> {
        // A list of schemas under `items` is the tuple of the drafts before 2020-12.
        let places =
            keywords.get("prefixItems").or_else(|| keywords.get("items").filter(|items| items.is_array()));
        if let Some(places) = places.and_then(Value::as_array).filter(|places| !places.is_empty()) {
            return self.tuple(places, path, depth);
        }
        let item = match keywords.get("items") {
            Some(items) => self.definition(items, &format!("{path}/items"), depth + 1)?,
            None => {
                self.warn(path, "the list says nothing of its items, which are read as text");
                Map::from_iter([("type".to_owned(), json!("string"))])
            }
        };
        Some(list_of(item))
    }

    /// A list with a schema for each place: a list where they are equal, else an object.
    fn tuple(&mut self, places: &[Value], path: &str, depth: usize) -> Option<Map<String, Value>> {
        if let [first, rest @ ..] = places
            && rest.iter().all(|other| other == first)
        {
            let mut list = list_of(self.definition(first, &format!("{path}/prefixItems/0"), depth + 1)?);
            list.insert("minItems".to_owned(), json!(places.len()));
            list.insert("maxItems".to_owned(), json!(places.len()));
            return Some(list);
        }
        self.warn(
            path,
            "a list with a type for each place becomes an object with the fields item_1, item_2 and so on",
        );
        let named: Map<String, Value> = places
            .iter()
            .enumerate()
            .map(|(at, schema)| (format!("item_{}", at + 1), schema.clone()))
            .collect();
        let fields = self.properties(&named, None, path, depth);
        (!fields.is_empty()).then(|| object_of(fields))
    }
}

/// Sets what the schema of an exported form says of it beside the keywords of JSON Schema.
fn restore(definition: &mut Map<String, Value>, keywords: &Map<String, Value>) {
    for (key, value) in keywords.get(FORM_KEYWORD).and_then(Value::as_object).into_iter().flatten() {
        if value.is_null() {
            definition.shift_remove(key);
        } else {
            definition.insert(key.clone(), value.clone());
        }
    }
}
