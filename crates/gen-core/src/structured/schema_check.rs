//! Checks that a JSON value is a supported schema.

use std::collections::HashSet;

use serde_json::Value;
use shared_core::Violation;

use super::finiteness::is_endless;
use super::keywords::{LIST, for_each_child, resolve};
use super::validate::{Patterns, pattern};

/// Maximum size of a schema in bytes. Bounds memory and time.
pub const MAX_SCHEMA: usize = 256 * 1024;
// They bound stack, time and the answer for hostile schemas.
/// Maximum depth of subschemas.
const MAX_DEPTH: usize = 32;
/// Maximum number of subschemas.
const MAX_SCHEMAS: usize = 10_000;
/// Maximum number of patterns.
const MAX_PATTERNS: usize = 100;
/// Maximum characters of a pattern.
const MAX_PATTERN: usize = 1_000;
/// Maximum violations reported.
const MAX_VIOLATIONS: usize = 100;
const TYPES: &[&str] = &["null", "boolean", "string", "number", "integer", "array", "object"];
/// Keywords that affect validation and are not supported.
const REFUSED: &[&str] = &[
    "$dynamicRef",
    "$recursiveRef",
    "unevaluatedProperties",
    "unevaluatedItems",
    "dependencies",
    "additionalItems",
];

/// Checks a schema, and returns its compiled patterns.
pub(super) fn check(schema: &Value, pointer: &str) -> Result<Patterns, Vec<Violation>> {
    let size = schema.to_string().len();
    if size > MAX_SCHEMA {
        let message = format!("a schema may have at most {MAX_SCHEMA} bytes, not {size}");
        return Err(vec![Violation::new(pointer, message)]);
    }
    let mut checker = Checker { places: HashSet::new(), references: Vec::new(), ..Checker::default() };
    checker.schema(schema, pointer.to_owned(), 0);
    let refers = !checker.references.is_empty();
    checker.check_references(schema);
    if refers && checker.violations.is_empty() && is_endless(schema) {
        checker.refuse(pointer, "no finite value matches the schema: it requires itself without end");
    }
    if checker.violations.is_empty() { Ok(checker.patterns) } else { Err(checker.violations) }
}

#[derive(Default)]
struct Checker {
    violations: Vec<Violation>,
    patterns: Patterns,
    /// Addresses of the checked schemas, which references may target.
    places: HashSet<*const Value>,
    references: Vec<(String, String)>,
}

impl Checker {
    fn refuse(&mut self, at: &str, message: impl Into<String>) {
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(Violation::new(at, message));
        }
    }

    fn schema(&mut self, schema: &Value, at: String, depth: usize) {
        self.places.insert(std::ptr::from_ref(schema));
        if depth > MAX_DEPTH || self.places.len() > MAX_SCHEMAS {
            if self.violations.last().is_none_or(|last| !last.message.contains("has too many levels")) {
                self.refuse(
                    &at,
                    format!(
                        "the schema has too many levels or parts (at most {MAX_DEPTH} and {MAX_SCHEMAS})"
                    ),
                );
            }
            return;
        }
        match schema {
            Value::Bool(_) => return,
            Value::Object(_) => {}
            _ => return self.refuse(&at, "a schema must be an object, true or false"),
        }
        for (keyword, value) in schema.as_object().into_iter().flatten() {
            self.keyword(keyword, value, &format!("{at}/{}", super::keywords::token(keyword)));
        }
        for_each_child(schema, |below, child| self.schema(child, format!("{at}{below}"), depth + 1));
    }

    fn keyword(&mut self, keyword: &str, value: &Value, at: &str) {
        let wrong = match keyword {
            "type" => type_fault(value),
            "enum" => {
                value.as_array().is_none_or(Vec::is_empty).then_some("must be a list that is not empty")
            }
            "required" => (!is_texts(value)).then_some("must be a list of different names"),
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
                (!value.is_object()).then_some("must be an object of schemas")
            }
            list if LIST.contains(&list) => value
                .as_array()
                .is_none_or(Vec::is_empty)
                .then_some("must be a list of schemas that is not empty"),
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
            | "minContains" | "maxContains" => (!is_count(value)).then_some("must be a whole number from 0"),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                (!value.is_number()).then_some("must be a number")
            }
            "multipleOf" => {
                (!value.as_f64().is_some_and(|step| step > 0.0)).then_some("must be a number above 0")
            }
            "uniqueItems" => (!value.is_boolean()).then_some("must be true or false"),
            "description" | "title" | "format" | "$comment" => {
                (!value.is_string()).then_some("must be a string")
            }
            "dependentRequired" => {
                let all = value.as_object().is_some_and(|all| all.values().all(is_texts));
                (!all).then_some("must map names to lists of names")
            }
            refused if REFUSED.contains(&refused) => Some("is not supported"),
            "pattern" => return self.pattern(value.as_str(), at),
            "$ref" => match value.as_str() {
                Some(reference) => return self.references.push((at.to_owned(), reference.to_owned())),
                None => Some("must be a string"),
            },
            _ => None,
        };
        if let Some(wrong) = wrong {
            self.refuse(at, format!("'{keyword}' {wrong}"));
        }
        if keyword == "patternProperties" {
            let names: Vec<String> =
                value.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
            names.iter().for_each(|name| self.pattern(Some(name), at));
        }
    }

    fn pattern(&mut self, text: Option<&str>, at: &str) {
        let Some(text) = text else { return self.refuse(at, "'pattern' must be a string") };
        if self.patterns.contains_key(text) {
            return;
        }
        if text.chars().nth(MAX_PATTERN).is_some() || self.patterns.len() >= MAX_PATTERNS {
            let message = format!(
                "a schema may have at most {MAX_PATTERNS} patterns of at most {MAX_PATTERN} characters"
            );
            return self.refuse(at, message);
        }
        match pattern(text) {
            Ok(compiled) => drop(self.patterns.insert(text.to_owned(), compiled)),
            Err(_) => self.refuse(at, "the pattern is not a regular expression without look-around and back-references, or too large"),
        }
    }

    /// Checks that references target a schema within the document.
    fn check_references(&mut self, root: &Value) {
        for (at, reference) in std::mem::take(&mut self.references) {
            if !reference.starts_with('#') {
                self.refuse(&at, format!("'$ref' must stay within the schema, unlike '{reference:.100}'"));
            } else if !resolve(root, &reference)
                .is_some_and(|target| self.places.contains(&std::ptr::from_ref(target)))
            {
                self.refuse(&at, format!("'$ref' names no schema: '{reference:.100}'"));
            } else if is_reference_cycle(root, &reference) {
                self.refuse(&at, "'$ref' leads back to itself");
            }
        }
    }
}

/// Whether references form a cycle, which validation could not resolve.
fn is_reference_cycle(root: &Value, reference: &str) -> bool {
    let mut passed = HashSet::new();
    let mut next = Some(reference);
    while let Some(reference) = next {
        let Some(target) = resolve(root, reference) else { return false };
        if !passed.insert(std::ptr::from_ref(target)) {
            return true;
        }
        next = target.get("$ref").and_then(Value::as_str);
    }
    false
}

fn type_fault(value: &Value) -> Option<&'static str> {
    let is_type = |kind: &Value| kind.as_str().is_some_and(|kind| TYPES.contains(&kind));
    let fits = match value {
        Value::Array(kinds) => !kinds.is_empty() && kinds.iter().all(is_type),
        kind => is_type(kind),
    };
    (!fits).then_some("must be null, boolean, string, number, integer, array or object, or a list of them")
}

fn is_texts(value: &Value) -> bool {
    let Some(all) = value.as_array() else { return false };
    let mut seen = HashSet::new();
    all.iter().all(|text| text.as_str().is_some_and(|text| seen.insert(text)))
}

fn is_count(value: &Value) -> bool {
    value.as_f64().is_some_and(|count| count >= 0.0 && count.fract() == 0.0)
}
