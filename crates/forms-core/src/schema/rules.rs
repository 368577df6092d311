//! Validates single definitions: the types of their keys, and contradictory keys.

use std::collections::HashSet;

use language::date::DatePrecision;
use serde_json::{Map, Value};

use super::formats::has_type;
use super::violations::Violations;
use super::{
    MAX_ALIASES, MAX_DESCRIPTION, MAX_ENUM, MAX_NAME, MAX_OPTION, MAX_PATTERN, TYPES, compile_pattern,
    union_types,
};

/// Validates the keys whose rules do not depend on the field's type.
pub(super) fn check_keys(check: &mut Violations, definition: &Map<String, Value>, path: &str) {
    let mut expect = |key: &str, what: &str, fits: fn(&Value) -> bool| {
        if definition.get(key).is_some_and(|value| !fits(value)) {
            check.report(&format!("{path}/{key}"), format!("'{key}' must be {what}"));
        }
    };
    expect("order", "an integer", |value| has_type("integer", value));
    expect("description", "a string", Value::is_string);
    expect("instructions", "a string", Value::is_string);
    expect("aliases", ALIASES, are_aliases);
    let required = if definition.get("required").is_some_and(Value::is_array) {
        "true or false; it stands in the definition of each field"
    } else {
        "true or false"
    };
    expect("required", required, Value::is_boolean);
    expect("format", "a string", Value::is_string);
    expect("examples", "an array", Value::is_array);
    expect("when", "an object", Value::is_object);
    for key in ["minimum", "maximum"] {
        expect(key, "a number", Value::is_number);
    }
    for key in ["minLength", "maxLength", "minItems", "maxItems"] {
        expect(key, "an integer from 0", Value::is_u64);
    }
    let long = |text: &str| text.chars().nth(MAX_DESCRIPTION).is_some();
    for key in ["description", "instructions"] {
        if definition.get(key).and_then(Value::as_str).is_some_and(long) {
            let message = format!("'{key}' may have at most {MAX_DESCRIPTION} characters");
            check.report(&format!("{path}/{key}"), message);
        }
    }
    for (low, high) in [("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems")] {
        let number = |key: &str| definition.get(key).and_then(Value::as_f64);
        if let (Some(least), Some(most)) = (number(low), number(high))
            && least > most
        {
            check.report(&format!("{path}/{high}"), format!("'{high}' must not be less than '{low}'"));
        }
    }
}

const ALIASES: &str = "a list of at most 50 texts of 1 to 256 characters";

fn are_aliases(value: &Value) -> bool {
    let is_alias = |alias: &Value| {
        alias.as_str().is_some_and(|text| !text.trim().is_empty() && text.chars().nth(MAX_NAME).is_none())
    };
    value.as_array().is_some_and(|list| list.len() <= MAX_ALIASES && list.iter().all(is_alias))
}

/// Validates the keys whose rules depend on the field's type.
pub(super) fn check_values(check: &mut Violations, kind: &str, definition: &Map<String, Value>, path: &str) {
    if let Some(options) = definition.get("enum") {
        check_enum(check, kind, options, &format!("{path}/enum"));
    }
    if let Some(pattern) = definition.get("pattern") {
        self::check_pattern(check, pattern, &format!("{path}/pattern"));
    }
    if let Some(default) = definition.get("default") {
        self::check_default(check, kind, default, definition, &format!("{path}/default"));
    }
}

/// A default must be a valid value of the field.
fn check_default(
    check: &mut Violations,
    kind: &str,
    default: &Value,
    definition: &Map<String, Value>,
    path: &str,
) {
    let precision = definition.get("precision").and_then(Value::as_str).and_then(DatePrecision::of_name);
    let is_value = match precision.filter(|_| kind == "date") {
        Some(precision) => default.as_str().is_some_and(|text| text.is_empty() || precision.is_value(text)),
        None if kind == "union" => union_types::is_value(definition, default),
        None => has_type(kind, default),
    };
    if !is_value {
        check.report(path, format!("'default' must be of the type {kind}"));
        return;
    }
    if let Some(index) = foreign_item(default, definition) {
        check.report(&format!("{path}/{index}"), "an item of 'default' must be of the type of 'items'");
    }
    // The empty string counts as no value, so the rules do not apply to it.
    if default.as_str() == Some("") {
        return;
    }
    if !is_listed(default, definition) {
        check.report(path, "'default' must be one of 'enum'");
    }
    let text = default.as_str();
    let pattern =
        definition.get("pattern").and_then(Value::as_str).and_then(|text| compile_pattern(text).ok());
    if text.zip(pattern).is_some_and(|(text, pattern)| !pattern.is_match(text)) {
        check.report(path, "'default' must match 'pattern'");
    }
    let length = text.map(|text| text.chars().count() as f64);
    let items = default.as_array().map(|items| items.len() as f64);
    for (size, low, high) in [
        (default.as_f64(), "minimum", "maximum"),
        (length, "minLength", "maxLength"),
        (items, "minItems", "maxItems"),
    ] {
        let rule = |key: &str| size.zip(definition.get(key).and_then(Value::as_f64));
        if rule(low).is_some_and(|(size, least)| size < least) {
            check.report(path, format!("'default' must not be below '{low}'"));
        }
        if rule(high).is_some_and(|(size, most)| size > most) {
            check.report(path, format!("'default' must not be above '{high}'"));
        }
    }
}

/// Index of the first item of a default with a wrong type.
fn foreign_item(default: &Value, definition: &Map<String, Value>) -> Option<usize> {
    let kind = definition.get("items")?.get("type")?.as_str().filter(|kind| TYPES.contains(kind))?;
    default.as_array()?.iter().position(|item| !has_type(kind, item))
}

/// Whether a value is among the options, which are strings for numbers too; `true` without an enum.
fn is_listed(value: &Value, definition: &Map<String, Value>) -> bool {
    let Some(options) = definition.get("enum").and_then(Value::as_array) else { return true };
    options.iter().filter_map(Value::as_str).any(|option| match value {
        Value::String(text) => option == text,
        Value::Number(number) => option.trim().parse::<f64>().ok() == number.as_f64(),
        _ => true,
    })
}

fn check_enum(check: &mut Violations, kind: &str, options: &Value, path: &str) {
    if matches!(kind, "boolean" | "array" | "object" | "money" | "map" | "union") {
        check.report(path, format!("'enum' does not go with the type {kind}"));
        return;
    }
    let Some(options) = options.as_array() else {
        check.report(path, "'enum' must be an array of strings");
        return;
    };
    if options.is_empty() || options.len() > MAX_ENUM {
        check.report(path, format!("'enum' must have 1 to {MAX_ENUM} entries"));
        return;
    }
    let mut seen = HashSet::new();
    for (index, option) in options.iter().enumerate() {
        let path = format!("{path}/{index}");
        match option.as_str() {
            None => check.report(&path, "an entry of 'enum' must be a string"),
            Some(text) if text.chars().nth(MAX_OPTION).is_some() => {
                check.report(&path, format!("an entry of 'enum' may have at most {MAX_OPTION} characters"));
            }
            Some(text) if !is_option(kind, text) => {
                check.report(&path, format!("an entry of 'enum' must be a {kind}, written as a string"));
            }
            Some(text) if !seen.insert(text) => {
                check.report(&path, "an entry of 'enum' must not stand twice")
            }
            Some(_) => {}
        }
    }
}

/// Whether an option can be a value of the type. The empty string permits an empty field.
fn is_option(kind: &str, text: &str) -> bool {
    let number = || text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    match kind {
        _ if text.is_empty() => true,
        "number" => number().is_some(),
        "integer" => number().is_some_and(|number| number.fract() == 0.0),
        _ => true,
    }
}

fn check_pattern(check: &mut Violations, pattern: &Value, path: &str) {
    match pattern.as_str() {
        None => check.report(path, "'pattern' must be a string"),
        Some(text) if text.chars().nth(MAX_PATTERN).is_some() => {
            check.report(path, format!("'pattern' may have at most {MAX_PATTERN} characters"));
        }
        Some(text) if compile_pattern(text).is_err() => {
            check.report(
                path,
                "'pattern' must be a regular expression without look-around and back-references",
            );
        }
        Some(_) => {}
    }
}
