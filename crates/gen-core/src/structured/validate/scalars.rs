//! The rules of scalar values: type, enum, ranges, lengths, patterns and formats.

use serde_json::{Map, Value};
use shared_core::Violation;

use super::budget::Budget;
use super::formats;

/// Maximum characters of a value in a message. Bounds the message. Chosen by hand; no measurement is
/// recorded.
const MAX_TOLD: usize = 60;
/// Maximum options in a message. Bounds the message. Chosen by hand; no measurement is recorded.
const MAX_OPTIONS: usize = 20;

/// Adds the violations of the value itself.
pub(super) fn check(
    budget: &mut Budget<'_>,
    rules: &Map<String, Value>,
    value: &Value,
    at: &str,
    found: &mut Vec<Violation>,
) {
    if !is_of_type(rules, value) {
        found.push(Violation::new(
            at,
            format!("must be {}, not {}", allowed_types(rules), format_value(value)),
        ));
        return;
    }
    if let Some(options) = rules.get("enum").and_then(Value::as_array) {
        budget.take_steps(options.len());
        if !options.iter().any(|option| is_same(option, value)) {
            let told: Vec<String> = options.iter().take(MAX_OPTIONS).map(format_value).collect();
            let more = if options.len() > MAX_OPTIONS { " and others" } else { "" };
            found.push(Violation::new(
                at,
                format!("must be one of {}{more}, not {}", told.join(", "), format_value(value)),
            ));
        }
    }
    if let Some(only) = rules.get("const")
        && !is_same(only, value)
    {
        found
            .push(Violation::new(at, format!("must be {}, not {}", format_value(only), format_value(value))));
    }
    match value {
        Value::Number(number) => self::number(rules, number.as_f64().unwrap_or(f64::NAN), at, found),
        Value::String(text) => self::text(budget, rules, text, at, found),
        _ => {}
    }
}

fn number(rules: &Map<String, Value>, number: f64, at: &str, found: &mut Vec<Violation>) {
    bound(rules, "minimum", at, found, |least| number >= least, "must be at least", "");
    bound(rules, "maximum", at, found, |most| number <= most, "must be at most", "");
    bound(rules, "exclusiveMinimum", at, found, |least| number > least, "must be more than", "");
    bound(rules, "exclusiveMaximum", at, found, |most| number < most, "must be less than", "");
    bound(rules, "multipleOf", at, found, |step| is_multiple(number, step), "must be a multiple of", "");
}

/// Whether a number is a multiple of another, within the precision of doubles.
fn is_multiple(number: f64, step: f64) -> bool {
    let times = number / step;
    if !times.is_finite() {
        return step == 0.0 || number % step == 0.0;
    }
    // Doubles have 15 digits; nine leave room for the division.
    (times - times.round()).abs() <= 1e-9 * times.abs().max(1.0)
}

fn text(
    budget: &mut Budget<'_>,
    rules: &Map<String, Value>,
    text: &str,
    at: &str,
    found: &mut Vec<Violation>,
) {
    if rules.contains_key("minLength") || rules.contains_key("maxLength") {
        let length = text.chars().count() as f64;
        budget.take_steps(text.len() / 1024);
        bound(rules, "minLength", at, found, |least| length >= least, "must have at least", "characters");
        bound(rules, "maxLength", at, found, |most| length <= most, "must have at most", "characters");
    }
    if let Some(pattern) = rules.get("pattern").and_then(Value::as_str)
        && !budget.matches(pattern, text)
    {
        let text = format_value(&Value::String(text.to_owned()));
        found.push(Violation::new(at, format!("must match the pattern {pattern}, not {text}")));
    }
    if let Some(format) = rules.get("format").and_then(Value::as_str)
        && !formats::matches_format(format, text)
    {
        let text = format_value(&Value::String(text.to_owned()));
        found.push(Violation::new(at, format!("must have the format {format}, not {text}")));
    }
}

/// Adds a violation if the keyword has a number and `holds` is false for it.
pub(super) fn bound(
    rules: &Map<String, Value>,
    keyword: &str,
    at: &str,
    found: &mut Vec<Violation>,
    holds: impl Fn(f64) -> bool,
    words: &str,
    unit: &str,
) {
    let Some(limit) = rules.get(keyword) else { return };
    if limit.as_f64().is_some_and(|number| !holds(number)) {
        found.push(Violation::new(at, format!("{words} {limit} {unit}").trim_end()));
    }
}

/// Whether the type of a value is allowed.
pub(super) fn is_of_type(rules: &Map<String, Value>, value: &Value) -> bool {
    match rules.get("type") {
        Some(Value::String(kind)) => has_json_type(kind, value),
        Some(Value::Array(kinds)) => {
            kinds.iter().filter_map(Value::as_str).any(|kind| has_json_type(kind, value))
        }
        _ => true,
    }
}

fn has_json_type(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

fn allowed_types(rules: &Map<String, Value>) -> String {
    let name = |kind: &Value| match kind.as_str().unwrap_or_default() {
        "integer" => "a whole number".to_owned(),
        "array" => "a list".to_owned(),
        "object" => "an object".to_owned(),
        "null" => "null".to_owned(),
        other => format!("a {other}"),
    };
    match rules.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().map(name).collect::<Vec<_>>().join(" or "),
        Some(kind) => name(kind),
        None => String::new(),
    }
}

/// A value for a message: strings in quotes, long ones truncated.
fn format_value(value: &Value) -> String {
    let text = match value {
        Value::Array(_) => return "a list".to_owned(),
        Value::Object(_) => return "an object".to_owned(),
        Value::String(text) => format!("'{text}'"),
        other => other.to_string(),
    };
    match text.char_indices().nth(MAX_TOLD) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// Whether two values are equal; numbers are compared by value.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| is_same(a, b)))
        }
        _ => a == b,
    }
}

/// A serialization that is the same for equal values.
pub(super) fn canonical(value: &Value) -> String {
    match value {
        Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (None, None, Some(float)) if float.fract() == 0.0 => format!("{float:.0}"),
            _ => number.to_string(),
        },
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Object(members) => {
            let mut texts: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{}:{}", Value::String(name.clone()), canonical(value)))
                .collect();
            texts.sort_unstable();
            format!("{{{}}}", texts.join(","))
        }
        other => other.to_string(),
    }
}
